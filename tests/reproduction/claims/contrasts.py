"""Comparisons of two algorithms that nobody measured, to feed rules with."""

import numpy as np
import pandas as pd

from oza.evaluation.significance import Compared
from reproduction.printed import layout

#: What a t-test may say of two algorithms, and how sure one can be of it.
CONTRASTS = {
    "better": (0.1, 0.002, 1e-6, "better", "better", "better"),
    "worse": (-0.1, 0.002, 1e-6, "worse", "worse", "worse"),
    "a little better": (0.004, 0.002, 1e-6, "better", "better", "better"),
    "a little worse": (-0.004, 0.002, 1e-6, "worse", "worse", "worse"),
    "better by chance": (0.02, 0.015, 0.03, "better", "better", "better"),
    "better by Welch": (0.02, 0.03, 0.2, "none", "better", "better"),
    "none": (-0.001, 0.002, 0.5, "none", "none", "none"),
    "unclear": (0.001, 0.03, 0.9, "none", "none", "none"),
    "unknown": (np.nan, np.nan, np.nan, "unknown", "unknown", "unknown"),
}


def contrasts(found, index):
    """A comparison of two algorithms with a row for each thing found."""
    return pd.DataFrame([CONTRASTS[name] for name in found], index, columns=Compared._fields)


def comparison(*found):
    """A comparison on so many data sets."""
    return contrasts(found, pd.Index([f"set{i}" for i in range(len(found))], name="dataset"))


BETTER = comparison(*["better"] * 4, "none")
EVEN = comparison("none", "none", "none", "none")
WORSE = comparison(*["worse"] * 4, "none")
UNKNOWN = comparison("better", "unknown")


def curves(found, sizes=(100, 200, 500, 1382)):
    """Cells of learning curves: for each (algorithm, reference), what was found at each size."""
    rows = {(*pair, n): what for pair, each in found.items() for n, what in zip(sizes, each, strict=True)}
    index = pd.MultiIndex.from_tuples(rows, names=["algorithm", "reference", "n_train"])
    cells = contrasts(rows.values(), index)
    return cells.assign(second=0.8, first=0.8 + cells["difference"].fillna(0))


def trees(**changes):
    marks = {
        "online_boosting boosting": ["worse", "none", "none", "none"],
        "online_boosting single": ["none", "none", "none", "better"],
        "primed_boosting boosting": ["none"] * 4,
        "primed_boosting online_boosting": ["better", "none", "none", "a little better"],
        "primed_200 boosting": ["none"] * 4,
        "primed_200 online_boosting": ["better", "none", "none", "a little better"],
        "online_bagging bagging": ["none"] * 4,
        "bagging single": ["better"] * 4,
        "online_bagging single": ["better"] * 4,
        "boosting single": ["better"] * 4,
    } | {name.replace("__", " "): mark for name, mark in changes.items()}
    return curves({tuple(pair.split()): mark for pair, mark in marks.items()})


ALGORITHMS = ["single", "bagging", "online_bagging"]

EIGHT = ["promoters", "balance", "breast-cancer", "german-credit"]
EIGHT += ["car-evaluation", "chess", "mushroom", "nursery"]


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
    for kind, other_of in (("single", layout.reference), ("other", layout.counterpart)) if means else ():
        others = [(dataset, other_of(algorithm, tuple(algorithms))) for dataset, algorithm in index]
        cells[f"{kind}_difference"] = cells["mean"] - cells["mean"].reindex(others).to_numpy()
    cells["welch"] = cells["single_mark"]
    for dataset in excluded:
        cells.loc[dataset, "verdict"] = "excluded"
    return cells


def better_on(*names):
    return {(name, algorithm): "better" for name in names for algorithm in ALGORITHMS[1:]}


def slower_online(cells):
    """The same cells with online learning ten times as slow as batch."""
    algorithms = cells.index.get_level_values("algorithm")
    return cells.assign(seconds=[10.0 if "online" in name else 1.0 for name in algorithms])


def apart(cells):
    """The same cells with online and batch far apart."""
    return cells.assign(other_difference=0.1, other_half_width=0.002, other_p_value=1e-6)
