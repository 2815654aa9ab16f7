"""Evidence about earlier online ensembles beside those of the thesis."""

import pandas as pd

from tests.reproduction.claims.contrasts import BETTER, EVEN, UNKNOWN, WORSE, comparison

#: So few differences, in opposite directions, may come about by chance.
MIXED = comparison("better", "worse", "none", "none")
_OVERALL = ((BETTER,), (WORSE,), (UNKNOWN,))


def by_p(*found, **columns):
    """Comparisons with a single tree, for an update probability of 0.1."""
    return pd.concat({0.1: comparison(*found).assign(n_splits=5, **columns)}, names=["P_u"])


EVIDENCE = {
    **dict.fromkeys(("C040", "C041", "C042", "C049", "C051", "C146"), _OVERALL),
    "C045": (
        (by_p("none", "worse"),),
        None,
        (by_p("none", "better by chance", p_value=[0.3, 0.02]),),
    ),
    "C047": ((EVEN, EVEN), (EVEN, WORSE), (EVEN, MIXED)),
    "C050": ((EVEN,), (WORSE,), (MIXED,)),
}

COUNTER = {
    "C043": lambda sizes: sizes.assign(n_prime=sizes["n_train"] // 5),
    "C044": lambda blocks: blocks.assign(block=100),
}
