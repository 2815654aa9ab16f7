"""Evidence about earlier online ensembles."""

import numpy as np
import pandas as pd

from .background import BETTER, EVEN, UNKNOWN, WORSE, comparison

HALF = pd.DataFrame({"stream": list("ab") * 6, "hard": np.tile([51, 48], 6), "size": 100})
ERRORS = pd.DataFrame(
    [(0.3 + noise, 0.28 - noise, 0.24) for noise in (0, 0.01, 0, 0.01, 0, 0.01)],
    columns=[100, 200, 400],
    index=pd.MultiIndex.from_product([range(3), (1, 10)]),
)
MIXED = ERRORS.assign(**{"100": [0.1, 0.1, 0.3, 0.3, 0.2, 0.2]})[["100", 200]].set_axis([100, 200], axis=1)
PRIMED = pd.DataFrame({"n_train": [84, 500, 80000], "n_prime": [16, 100, 10000]})
BLOCKS = pd.DataFrame({"n_train": [84, 500], "block": [84, 100]}, ["promoters", "balance"])
SWEEP = pd.DataFrame(
    {"accuracy": [0.7, 0.75, 0.8, 0.85], "disagreement": [0.3, 0.2, 0.15, 0.1]}, index=[0.1, 0.3, 0.5, 0.9]
)
BUDGET = pd.DataFrame({"p": [0.3, 0.25, 0.2, 0.15]}, index=[1, 4, 16, 64])

_OVERALL = ((BETTER,), (WORSE,), (UNKNOWN,))


def by_p(marks, p_value):
    """Comparisons with a single tree, for an update probability of 0.1."""
    table = comparison(0.01, marks).assign(p_value=p_value, n_splits=5)
    return pd.concat({0.1: table}, names=["P_u"])


EVIDENCE = {
    "C038": ((HALF,), (HALF.assign(hard=40),), (HALF[:4],)),
    "C039": ((ERRORS,), (ERRORS.set_axis([400, 200, 100], axis=1),), (MIXED,)),
    **dict.fromkeys(("C040", "C041", "C042", "C049", "C051"), _OVERALL),
    "C043": ((PRIMED,), (PRIMED.assign(n_prime=PRIMED["n_train"] // 5),), (PRIMED[:2],)),
    "C044": ((BLOCKS,), (BLOCKS.assign(block=100),), (BLOCKS[1:],)),
    "C045": (
        (by_p(["none", "worse"], [0.3, 0.01]),),
        (by_p(["none", "better"], [0.3, 0.02]),),
        (by_p(["none", "better"], [0.3, 0.03]),),
    ),
    "C046": ((SWEEP,), (SWEEP[::-1].set_index(SWEEP.index),), (SWEEP[:3],)),
    "C047": ((EVEN, EVEN), (EVEN, WORSE), (EVEN, UNKNOWN)),
    "C048": ((BUDGET,), (BUDGET[::-1],), (BUDGET[:3],)),
    "C050": ((EVEN,), (WORSE,), (UNKNOWN,)),
}

AGAINST = [
    ("C038", (HALF.assign(hard=np.tile([50, 60], 6)),)),
    ("C040", (comparison(-0.02, ["better", "none"]),)),
    ("C040", (comparison(0.02, ["better", "worse"]),)),
    ("C044", (BLOCKS.assign(block=[84, 50]),)),
    ("C046", (SWEEP.assign(disagreement=0.1),)),
    ("C046", (SWEEP.assign(accuracy=0.8),)),
    ("C047", (WORSE, EVEN)),
    ("C048", (BUDGET.assign(q=[0.1, 0.1, 0.2, 0.2]),)),
    ("C050", (comparison(0.02, ["none", "none"]),)),
    ("C050", (comparison(0.0, ["better", "worse"]),)),
]
