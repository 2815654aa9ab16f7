"""Evidence about earlier online ensembles."""

import pandas as pd

from ..contrasts import BETTER, EVEN, UNKNOWN, WORSE, comparison


def slopes(*values):
    """Slopes on so many streams, on two data sets a little apart."""
    rows = {("p", i): value for i, value in enumerate(values)}
    rows |= {("q", i): value + 0.01 for i, value in enumerate(values)}
    index = pd.MultiIndex.from_tuples(rows, names=["dataset", "stream"])
    return pd.DataFrame({0.15: list(rows.values()), 0.2: list(rows.values())}, index)


BUDGET = pd.DataFrame({"p": [0.05, 0.06], "q": [0.04, 0.05], "r": [0.06, 0.04], "s": [0.05, 0.05]})

#: So few differences, in opposite directions, may come about by chance.
MIXED = comparison("better", "worse", "none", "none")
_OVERALL = ((BETTER,), (WORSE,), (UNKNOWN,))


def by_p(*found, **columns):
    """Comparisons with a single tree, for an update probability of 0.1."""
    return pd.concat({0.1: comparison(*found).assign(n_splits=5, **columns)}, names=["P_u"])


EVIDENCE = {
    "C039": ((slopes(-0.5, -0.4, -0.6),), (slopes(0.5, 0.4, 0.6),), (slopes(-0.5, 0.4, 0.1),)),
    **dict.fromkeys(("C040", "C041", "C042", "C049", "C051", "C146"), _OVERALL),
    "C045": (
        (by_p("none", "worse"),),
        (by_p("none", "better by chance", p_value=[0.3, 0.02]),),
        (by_p("none", "better by chance", p_value=[0.3, 0.03]),),
    ),
    "C047": ((EVEN, EVEN), (EVEN, WORSE), (EVEN, MIXED)),
    "C048": ((BUDGET,), (-BUDGET,), (BUDGET.assign(r=-0.1),)),
    "C050": ((EVEN,), (WORSE,), (MIXED,)),
}

COUNTER = {
    "C038": lambda shares, exact: (shares.assign(share=0.5), exact),
    "C043": lambda sizes: sizes.assign(n_prime=sizes["n_train"] // 5),
    "C044": lambda blocks: blocks.assign(block=100),
    "C046": lambda sweep: sweep[::-1].set_index(sweep.index),
}
