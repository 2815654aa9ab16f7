"""Evidence about recorded accuracies and times of bagging."""

import pandas as pd

ALGORITHMS = ["single", "bagging", "online_bagging"]


def accuracies(n_datasets=10, welch="none", star=(), apart=()):
    """Cells in which every ensemble stands to the single model as `welch` says (or as it says where)."""
    names = ["chess", *(f"set{i}" for i in range(1, n_datasets))]
    index = pd.MultiIndex.from_product([names, ALGORITHMS], names=["dataset", "algorithm"])
    marks, everywhere = ({}, welch) if isinstance(welch, str) else (welch, "none")
    cells = pd.DataFrame({"mean": 0.9, "welch": everywhere, "star": False, "verdict": "agrees"}, index)
    for place, mark in marks.items():
        cells.loc[place, "welch"] = mark
    for place in star:
        cells.loc[place, "star"] = True
    for dataset in apart:
        cells.loc[dataset, "verdict"] = "apart"
    return cells


def times(ratio):
    index = pd.MultiIndex.from_product([["a", "b"], ALGORITHMS], names=["dataset", "algorithm"])
    return pd.DataFrame({"seconds": [0.1, 1.0, 1.1, 0.1, 1.0, ratio]}, index)


BETTER = {("set3", "online_bagging"): "better"}
STARS = [("set1", "bagging"), ("set2", "online_bagging")]

EVIDENCE = {
    "C070": ((accuracies(),), (accuracies(star=STARS),), (accuracies(welch="unknown"),)),
    "C108": ((accuracies(welch="worse"),), (accuracies(welch=BETTER),), (accuracies(welch="unknown"),)),
    "C071": (
        (accuracies(star=[("chess", "bagging")]),),
        (accuracies(),),
        (accuracies().drop("chess", level="dataset"),),
    ),
    "C080": ((times(2.9),), (times(3.5),), (times(float("nan")).iloc[3:],)),
}

AGAINST = [("C070", (accuracies(welch="worse"),)), ("C080", (times(0.2),))]
