"""Evidence about blocks, update probabilities and budgets of leaves."""

import pandas as pd


def slopes(*values):
    """Slopes on so many streams, on two data sets a little apart."""
    rows = {("p", i): value for i, value in enumerate(values)}
    rows |= {("q", i): value + 0.01 for i, value in enumerate(values)}
    index = pd.MultiIndex.from_tuples(rows, names=["dataset", "stream"])
    return pd.DataFrame({0.15: list(rows.values()), 0.2: list(rows.values())}, index)


def hard(*means):
    """Misclassified shares of 25 blocks on a stream for each mean, and those with the exact error."""
    spread = [0.04 * (i % 5 - 2) for i in range(25)]
    rows = [(f"s{i}", mean + step) for i, mean in enumerate(means) for step in spread]
    shares = pd.DataFrame(rows, columns=["stream", "share"])
    return shares, shares.assign(share=0.5)


BUDGET = pd.DataFrame({"p": [0.05, 0.06], "q": [0.04, 0.05], "r": [0.06, 0.04], "s": [0.05, 0.05]})

EVIDENCE = {
    "C038": (hard(0.5, 0.49), hard(0.5, 0.4), hard(0.5, 0.44)),
    "C039": ((slopes(-0.5, -0.4, -0.6),), (slopes(0.5, 0.4, 0.6),), (slopes(-0.5, 0.4, 0.1),)),
    "C048": ((BUDGET,), (-BUDGET,), (BUDGET.assign(r=-0.1),)),
}

COUNTER = {
    "C046": lambda sweep: sweep[::-1].set_index(sweep.index),
}
