"""Artificial results, and a record of them."""

import pandas as pd

from reproduction.printed.layout import columns_of
from reproduction.printed.printed import printed
from reproduction.printed.record import Record

THEIRS = printed("accuracy").query("table == '3.4'").set_index(["dataset", "algorithm"])["value"]
DATASETS = ("balance", "chess", "soybean-large", "census-income", "covertype-head")


class Given(Record):
    """A record of these results and counts of work."""

    def __init__(self, results, work=None):
        super().__init__()
        self._given = results
        self._work = counted().iloc[:0] if work is None else work

    def rows(self, table):
        return columns_of(self._given, table)

    def work(self, study):
        return self._work


def results(**shifts):
    """Ten splits around the printed value of each data set, moved by a shift for each algorithm."""
    rows = []
    for dataset in DATASETS:
        for algorithm in ("single", "bagging", "online_bagging"):
            centre = THEIRS.get((dataset, "single"), 0.8) + shifts.get(algorithm, 0.0)
            for split in range(10):
                for order in range(2 if algorithm == "online_bagging" else 1):
                    noise = (split % 5 - 2) * 0.002
                    rows.append(
                        (dataset, algorithm, split // 5, split % 5, order, round(1e4 * (centre + noise)))
                    )
    columns = ["dataset", "algorithm", "repetition", "fold", "order", "n_correct"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(
        base_model="naive_bayes", n_train=40000, n_test=10000, train_seconds=0.2, test_seconds=0.05
    )


def boosted():
    """The same ten splits for networks: batch boosting, and what came of the online algorithms."""
    frame = results()
    names = {"bagging": "boosting", "online_bagging": "online_boosting"}
    one = frame.assign(base_model="neural_network", algorithm=frame["algorithm"].replace(names))
    online = one[one["algorithm"] == "online_boosting"]
    worse = online.assign(n_correct=online["n_correct"] - 500)
    ten = online.assign(base_model="neural_network_10", n_correct=online["n_correct"] + 500)
    single = {"base_model": "neural_network_10", "algorithm": "online_single"}
    return pd.concat([one.drop(online.index), worse, ten, online.assign(**single)])


def counted(**changes):
    counts = {"n_train": 500, "n_tried": 4, "passes": 8.0, "updates": 2000, "classifications": 2500}
    rows = [
        {"dataset": "balance", "base_model": "naive_bayes", "algorithm": name} | counts
        for name in ("single", "bagging")
    ]
    return pd.DataFrame(rows).assign(**changes)
