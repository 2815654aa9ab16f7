"""Evidence about earlier online ensembles."""

import numpy as np
import pandas as pd

from .background import BETTER, EVEN, UNKNOWN, WORSE, comparison

HALF = pd.DataFrame({"stream": list("ab") * 6, "share": np.tile([0.51, 0.48], 6)})


def slopes(*values):
    """Slopes on so many streams, on two data sets a little apart."""
    rows = {("p", i): value for i, value in enumerate(values)}
    rows |= {("q", i): value + 0.01 for i, value in enumerate(values)}
    index = pd.MultiIndex.from_tuples(rows, names=["dataset", "stream"])
    return pd.DataFrame({0.15: list(rows.values()), 0.2: list(rows.values())}, index)


PRIMED = pd.DataFrame({"n_train": [84, 500, 80000], "n_prime": [16, 100, 10000]})
BLOCKS = pd.DataFrame({"n_train": [84, 500], "block": [84, 100]}, ["promoters", "balance"])
SWEEP = pd.DataFrame(
    {"accuracy": [0.7, 0.75, 0.8, 0.85], "disagreement": [0.3, 0.2, 0.15, 0.1]}, index=[0.1, 0.3, 0.5, 0.9]
)
BUDGET = pd.DataFrame({"p": [0.05, 0.06], "q": [0.04, 0.05], "r": [0.06, 0.04], "s": [0.05, 0.05]})

#: So few differences, in opposite directions, may come about by chance.
MIXED = comparison("better", "worse", "none", "none")
_OVERALL = ((BETTER,), (WORSE,), (UNKNOWN,))


def by_p(*found, **columns):
    """Comparisons with a single tree, for an update probability of 0.1."""
    return pd.concat({0.1: comparison(*found).assign(n_splits=5, **columns)}, names=["P_u"])


EVIDENCE = {
    "C038": ((HALF, HALF), (HALF.assign(share=0.44), HALF), (HALF[:4], HALF)),
    "C039": ((slopes(-0.5, -0.4, -0.6),), (slopes(0.5, 0.4, 0.6),), (slopes(-0.5, 0.4, 0.1),)),
    **dict.fromkeys(("C040", "C041", "C042", "C049", "C051", "C146"), _OVERALL),
    "C043": ((PRIMED,), (PRIMED.assign(n_prime=PRIMED["n_train"] // 5),), (PRIMED[:2],)),
    "C044": ((BLOCKS,), (BLOCKS.assign(block=100),), (BLOCKS[1:],)),
    "C045": (
        (by_p("none", "worse"),),
        (by_p("none", "better by chance", p_value=[0.3, 0.02]),),
        (by_p("none", "better by chance", p_value=[0.3, 0.03]),),
    ),
    "C046": ((SWEEP,), (SWEEP[::-1].set_index(SWEEP.index),), (SWEEP[:3],)),
    "C047": ((EVEN, EVEN), (EVEN, WORSE), (EVEN, MIXED)),
    "C048": ((BUDGET,), (-BUDGET,), (BUDGET.assign(r=-0.1),)),
    "C050": ((EVEN,), (WORSE,), (MIXED,)),
}
