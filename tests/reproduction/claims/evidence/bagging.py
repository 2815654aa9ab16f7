"""Evidence about recorded accuracies and times of bagging."""

from functools import cache

import numpy as np
import pandas as pd

from oza.evaluation.significance import Compared
from reproduction.topics import tasks

from ..contrasts import CONTRASTS

ALGORITHMS = ["single", "bagging", "online_bagging"]
EIGHT = [
    "promoters",
    "balance",
    "breast-cancer",
    "german-credit",
    "car-evaluation",
    "chess",
    "mushroom",
    "nursery",
]


def accuracies(names=10, welch="none", star=(), excluded=(), means=None, algorithms=ALGORITHMS):
    """Cells in which every ensemble stands to the single model as `welch` says (or as it says where).

    Batch and online differ where there is a `star`. The data sets stand from small to large. `means` maps
    an algorithm to its mean, or to one for each data set.
    """
    names = ["chess", *(f"set{i}" for i in range(1, names))] if isinstance(names, int) else names
    index = pd.MultiIndex.from_product([names, algorithms], names=["dataset", "algorithm"])
    marks, everywhere = ({}, welch) if isinstance(welch, str) else (welch, "none")
    cells = pd.DataFrame({"mean": 0.9, "star": False, "verdict": "agrees", "printed": 0.9}, index)
    cells["n_train"] = [100.0 * (1 + names.index(name)) for name, _ in index]
    for algorithm, values in (means or {}).items():
        cells.loc[(slice(None), algorithm), "mean"] = values
    beside = dict.fromkeys(index, everywhere if everywhere == "unknown" else "none")
    beside |= {(name, algorithms[0]): "unknown" for name in names}
    for dataset, algorithm in star:
        cells.loc[(dataset, algorithm), "star"] = True
        beside[dataset, algorithms[1]] = "better" if algorithm == algorithms[1] else "worse"
    gains = dict.fromkeys(index, everywhere) | marks
    for reference, found in (("single", gains), ("other", beside)):
        columns = [f"{reference}_{field}" for field in Compared._fields]
        cells[columns] = [CONTRASTS[found[place]] for place in index]
    cells["welch"] = cells["single_mark"]
    for dataset in excluded:
        cells.loc[dataset, "verdict"] = "excluded"
    return cells


def tables(*numbers, **changes):
    return pd.concat({number: accuracies(**changes) for number in numbers}, names=["table"])


def better_on(*names):
    return {(name, algorithm): "better" for name in names for algorithm in ALGORITHMS[1:]}


def networks(ten="", **means):
    """Twelve data sets of networks, from small to large: accuracies by algorithm, a value for each three."""
    algorithms = ["single", "bagging", f"online_single{ten}", f"online_bagging{ten}"]
    means = {
        (name if name in algorithms else name + ten): np.repeat(np.broadcast_to(values, 4), 3)
        for name, values in means.items()
    }
    cells = accuracies(names=12, means=means, algorithms=algorithms)
    for kind in ("single", "bagging"):
        batch, online = (cells["mean"].xs(name, level=1) for name in (kind, f"online_{kind}{ten}"))
        losses = batch - online
        marks = ["better" if loss > 0.002 else "worse" if loss < -0.002 else "none" for loss in losses]
        chances = [1e-6 if mark != "none" else 0.5 for mark in marks]
        found = Compared(losses, 0.002, chances, marks, marks, marks)
        for field, values in found._asdict().items():
            cells.loc[(slice(None), kind), f"other_{field}"] = np.asarray(values)
    return cells


def slower_online(cells):
    """The same cells with online learning ten times as slow as batch."""
    algorithms = cells.index.get_level_values("algorithm")
    return cells.assign(seconds=[10.0 if "online" in name else 1.0 for name in algorithms])


def apart(cells):
    """The same cells with online and batch far apart."""
    return cells.assign(other_difference=0.1, other_half_width=0.002, other_p_value=1e-6)


def exchanged(cells):
    """The same cells with online as much better as it is worse."""
    return cells.assign(other_difference=-cells["other_difference"])


def asked_trees(*factors, naive_bayes=1e6):
    """Benchmarks of a tree on data sets a, b, c: so many times as long as in batch; of Naive Bayes."""
    trees = [
        ("one lossless online tree", "abc"[i], 3e5 / f, "oza, batch", 3e5) for i, f in enumerate(factors)
    ]
    rows = [*trees, ("one Naive Bayes", "d", naive_bayes, "", float("nan"))]
    cells = pd.DataFrame(rows, columns=["work", "dataset", "rate", "peer", "peer_rate"])
    return cells.assign(task="prequential")


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


BETTER = {("set3", "online_bagging"): "better"}
STARS = [("chess", "bagging"), *((f"set{i}", "bagging") for i in range(1, 10))]
SEVEN = [name for name in EIGHT if name != "mushroom"]
LOST = [0.7, 0.75, 0.88, 0.89]  # more on the smaller data sets
MIRRORED = LOST[::-1]
SIZES = {"a": 100, "b": 1000, "c": 10000}
EVIDENCE = {
    "C010": ((networks(online_bagging=LOST),), (networks(online_bagging=MIRRORED),)),
    "C062": (
        (disagreement(0.02, 0.03, 0.04),),
        (disagreement(0.001, 0.002, 0.003),),
        (disagreement(0.02, 0.001, 0.03, 0.002),),
    ),
    "C063": ((planned(),), (planned(n_models=50),), (planned()[1:],)),
    "C067": (
        (accuracies(EIGHT, better_on(*SEVEN)),),
        (accuracies(EIGHT, better_on(*SEVEN[1:])),),
        (
            accuracies(
                EIGHT,
                better_on(*SEVEN)
                | {("nursery", "bagging"): "unknown", ("nursery", "online_bagging"): "unknown"},
            ),
        ),
    ),
    "C069": ((asked_trees(2, 9, 12), SIZES), (asked_trees(12, 9, 11), SIZES)),
    "C072": (
        (accuracies(EIGHT, better_on("promoters", "balance")),),
        (accuracies(EIGHT, better_on("promoters", "balance", "chess")),),
        (accuracies(EIGHT[1:], better_on("balance")),),
    ),
    "C077": (
        (accuracies(4, "better", algorithms=["online_single_10", "online_bagging_10"]),),
        (accuracies(4, algorithms=["online_single_10", "online_bagging_10"]),),
        (accuracies(),),
    ),
    "C078": (
        (
            networks(online_single=0.8, online_bagging=0.8),
            networks("_10", online_single=0.85, online_bagging=0.85),
        ),
        (
            networks(online_single=0.8, online_bagging=0.8),
            networks("_10", online_single=0.75, online_bagging=0.85),
        ),
    ),
    "C079": (
        (networks(online_single=LOST), networks("_10")),
        (networks(online_single=LOST), networks("_10", online_bagging=[0.9, 0.9, 0.8, 0.8])),
    ),
    "C106": (
        (tables("3.3", "3.4"),),
        (tables("3.3", "3.4", star=STARS[:1]),),
    ),
    "C108": ((accuracies(welch="worse"),), (accuracies(welch=BETTER),)),
}

COUNTER = {
    **dict.fromkeys(("C009", "C066", "C070", "C073"), apart),
    **dict.fromkeys(("C074", "C075"), exchanged),
    "C071": lambda cells: cells.assign(other_mark="better"),
    "C076": lambda cells: cells.assign(mean=-cells["mean"]),
    "C064": lambda settings: settings | {"neural_network_10": {"epochs": 1, "updates": 10}},
    "C068": lambda results: results.assign(n_correct=results["n_test"]),
    **dict.fromkeys(("C080", "C081", "C082"), slower_online),
    "C083": lambda passes: passes | {"bagging": 100.0},
    "C084": lambda times, blocks: ({name: slower_online(cells) for name, cells in times.items()}, blocks),
}
