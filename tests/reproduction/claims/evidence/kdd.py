"""Evidence about the KDD paper's data, running times and earlier results."""

import pandas as pd

from oza.datasets import dataset_info
from oza.streams.chain_limits import Limits
from reproduction.tables import costs_by_size

WHOLE = {name: dataset_info(name).n_train for name in ("census-income", "covertype", "covertype-head")}
FEW_BAGS = {"bagging": 1.0, "online_bagging": 1.0}


def costs(*names, batch=100.0, online=10.0, start=5e5, sizes=2, tests=1.0, **others):
    """Updates that begin with none in batch, with `start` online, and grow by so many an example.

    For an update of boosting there are `tests` classifications in batch, and one online.
    """
    per_example = {"boosting": batch, "online_boosting": online, **FEW_BAGS, **others}
    rows = [
        (name, n, algorithm, start * (algorithm == "online_boosting") + slope * n)
        for name in names
        for n in (WHOLE[name] // 100, WHOLE[name])[-sizes:]
        for algorithm, slope in per_example.items()
    ]
    work = pd.DataFrame(rows, columns=["dataset", "n_train", "algorithm", "updates"])
    tested = work["algorithm"].map({"boosting": tests, "online_boosting": 1.0}).fillna(0.0)
    return costs_by_size(
        work.assign(seconds=1e-7 * work["updates"]), work.assign(classifications=tested * work["updates"])
    )


def joined(one, other):
    return {name: pd.concat([one[name], other[name]]) for name in one}


def limits(bayes=0.9, naive_bayes=0.8, n_crossed=1, n_sets=3):
    found = {f"synthetic{i}": Limits(0.9, 0.8, 1) for i in range(1, n_sets)}
    return found | {"last": Limits(bayes, naive_bayes, n_crossed)}


def gaps(**changes):
    rates = {"nearest neighbours": [0.1, 0.03, 0.01], "contingency table": [0.01, 0.001, 0.0001]}
    return pd.DataFrame(rates, index=[10, 100, 1000]).assign(**changes)


BOTH = costs("census-income", "covertype-head")
NOTHING = {name: frame[:0] for name, frame in BOTH.items()}
CONSTANT = {"contingency table": 0.1}

EVIDENCE = {
    "C065": ((limits(),), (limits(naive_bayes=0.9),), (limits(n_sets=2),)),
    "C119": (
        (BOTH,),
        (costs("census-income", "covertype-head", online=200.0),),
        (costs("census-income", sizes=1),),
    ),
    "C120": ((BOTH, 21.3), (costs("census-income", online=200.0), 21.3), (costs("covertype-head"), 21.3)),
    "C121": ((costs("covertype"), 4.4), (costs("covertype", online=200.0), 4.4), (BOTH, 4.4)),
    "C122": ((BOTH,), (costs("census-income", bagging=50.0),), (NOTHING,)),
    "C123": ((gaps(),), (gaps(**CONSTANT),), (gaps()[["nearest neighbours"]],)),
}
