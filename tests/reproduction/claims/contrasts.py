"""Comparisons of two algorithms that nobody measured, to feed rules with."""

import numpy as np
import pandas as pd

from oza.evaluation.significance import Compared

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
