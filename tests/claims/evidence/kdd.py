"""Evidence about the KDD paper's data, running times and earlier results."""

import pandas as pd

from oza.datasets import dataset_info
from oza.exhibits import time_medians
from oza.theory.chain import Limits

WHOLE = {name: dataset_info(name).n_train for name in ("census-income", "covertype", "covertype-head")}
FAST_BAGS = {"bagging": 1e-7, "online_bagging": 1e-7}


def times(*names, batch=1e-5, online=1e-6, start=0.5, sizes=2, **others):
    """Times that begin with none in batch, with `start` seconds online, and grow by so much an example."""
    per_example = {"boosting": batch, "online_boosting": online, **FAST_BAGS, **others}
    rows = [
        (name, n, algorithm, start * (algorithm == "online_boosting") + slope * n)
        for name in names
        for n in (WHOLE[name] // 100, WHOLE[name])[-sizes:]
        for algorithm, slope in per_example.items()
    ]
    return time_medians(pd.DataFrame(rows, columns=["dataset", "n_train", "algorithm", "seconds"]))


def limits(bayes=0.9, naive_bayes=0.8, n_crossed=1, n_sets=3):
    found = {f"synthetic{i}": Limits(0.9, 0.8, 1) for i in range(1, n_sets)}
    return found | {"last": Limits(bayes, naive_bayes, n_crossed)}


def gaps(**changes):
    rates = {"nearest neighbours": [0.1, 0.03, 0.01], "contingency table": [0.01, 0.001, 0.0001]}
    return pd.DataFrame(rates, index=[10, 100, 1000]).assign(**changes)


BOTH = times("census-income", "covertype-head")
CONSTANT = {"contingency table": 0.1}

EVIDENCE = {
    "C065": ((limits(),), (limits(naive_bayes=0.9),), (limits(n_sets=2),)),
    "C119": (
        (BOTH,),
        (times("census-income", "covertype-head", online=2e-5),),
        (times("census-income", sizes=1),),
    ),
    "C120": ((BOTH, 21.3), (times("census-income", start=2.0), 21.3), (times("covertype-head"), 21.3)),
    "C121": ((times("covertype"), 4.4), (times("covertype", start=9.0), 4.4), (BOTH, 4.4)),
    "C122": ((BOTH,), (times("census-income", bagging=2e-6),), (BOTH[:0],)),
    "C123": ((gaps(),), (gaps(**CONSTANT),), (gaps()[["nearest neighbours"]],)),
}

AGAINST = [
    ("C065", (limits(n_crossed=0),)),
    ("C119", (times("census-income", start=0.0),)),
    ("C119", (pd.concat([times("census-income"), times("covertype-head", online=2e-5)]),)),
    ("C122", (times("covertype-head", start=0.0, online_bagging=1e-6),)),
    ("C123", (gaps(**{"nearest neighbours": [0.01, 0.1, 0.1]}),)),
]
