"""Why ensembles work: what would refute the claims."""

from fractions import Fraction

import numpy as np

#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C002": ((Fraction(27, 125), "0.22"), (Fraction(21, 100), "0.22"))}

#: What would refute the claims.
COUNTER = {
    "C001": lambda votes: votes.assign(n_wrong=0),
    "C003": lambda single, members, ensemble: (single, members, np.roll(ensemble, 1)),
    "C004": lambda wrong, vote_is_wrong: (wrong, ~vote_is_wrong),
    "C006": [
        lambda passes, name=name: passes.assign(passes=passes["passes"] + (passes["algorithm"] == name))
        for name in ("bagging", "boosting", "online bagging", "online boosting")
    ],
}
