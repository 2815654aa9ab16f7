"""Claims about bagging with all base models: what would support and what would refute them."""

from functools import cache

import pandas as pd

from reproduction.topics import tasks
from tests.reproduction.claims.contrasts import accuracies, apart, slower_online


def tables(*numbers, **changes):
    return pd.concat({number: accuracies(**changes) for number in numbers}, names=["table"])


def planned(**changes):
    """Runs of bags of Naive Bayes."""
    runs = _runs()
    return runs[runs["algorithm"].str.endswith("bagging")].assign(study="naive-bayes", **changes)


@cache
def _runs():
    return pd.DataFrame(tasks("naive-bayes", "thesis"))


def disagreement(*last):
    """Two stable base models and an unstable one, which disagree so much at the end, by data set."""
    index = pd.MultiIndex.from_product(
        [list("abcde")[: len(last)], [100, 1000], [0, 1]], names=["dataset", "N", "seed"]
    )
    shares = pd.DataFrame({("stable", "x"): 0.01, ("stable", "y"): 0.01, ("unstable", "z"): 0.5}, index)
    shares.loc[(slice(None), 100), :] = 0.5
    for name, share in zip(index.unique("dataset"), last, strict=True):
        shares.loc[(name, 1000), ("unstable", "z")] = share
    return shares


HALF = dict.fromkeys("abcde", 0.0005)

STARS = [("chess", "bagging"), *((f"set{i}", "bagging") for i in range(1, 10))]

EVIDENCE = {
    "C062": (
        (disagreement(0.02, 0.03, 0.04), HALF),
        (disagreement(0.001, 0.002, 0.003), HALF),
        (disagreement(0.02, 0.0, 0.03, 0.002), HALF),
    ),
    "C063": ((planned(),), (planned(n_models=50),), (planned()[1:],)),
    "C106": ((tables("3.3", "3.4"),), (tables("3.3", "3.4", star=STARS[:1]),)),
}

COUNTER = {
    "C009": apart,
    "C064": lambda settings: settings | {"neural_network_10": {"epochs": 1, "updates": 10}},
    "C080": slower_online,
    "C148": apart,
}
