"""Diverse ensembles: what would refute the claims."""

import pandas as pd

from tests.reproduction.claims.contrasts import contrasts


def gains(*found, difference=None):
    """Contrasts of an ensemble with single trees and stumps."""
    index = pd.MultiIndex.from_product(
        [["trees", "stumps"], [f"set{i}" for i in range(len(found) // 2)]], names=["base", "dataset"]
    )
    rows = contrasts(found, index)
    return rows if difference is None else rows.assign(difference=difference)


STEADY = gains(*["a little better"] * 8, difference=[0.01, 0.012, 0.01, 0.012, 0.01, 0.012, 0.01, 0.012])
LARGE = gains(*["better"] * 7, "worse", difference=[0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 0.1, -0.02])
OFTEN_WORSE = gains(*["better"] * 5, *["worse"] * 3, difference=LARGE["difference"].to_numpy())
NEVER_WORSE = gains(*["better"] * 8, difference=[0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 0.1, 0.12])

#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C125": ((STEADY, LARGE), (STEADY, OFTEN_WORSE), (STEADY, NEVER_WORSE))}

#: What would refute the claims.
COUNTER = {
    "C136": lambda runs: runs.assign(bagging=2 * runs["boosting"]),
    "C137": lambda ensembles: ensembles.assign(kappa=-ensembles["kappa"]),
}

AGAINST = [
    ("C125", (gains(*["better"] * 7, "worse", difference=STEADY["difference"].to_numpy()), LARGE)),
    ("C125", (LARGE.assign(mark="better", difference=LARGE["difference"] * 3), LARGE)),
]
