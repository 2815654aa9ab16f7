"""Two algorithms on the same splits: the one comparison behind tables, figures and claims."""

import math
from itertools import permutations
from typing import Any, NamedTuple

import pandas as pd

from ..datasets import list_datasets
from ..experiments import ALGORITHMS, Comparison
from ..experiments.comparison import ALGORITHMS_OF
from ..experiments.statistics import (
    Mark,
    contrast,
    corrected_resampled,
    mark,
    paired,
    split_accuracies,
    standard_error,
)
from ..experiments.study import BASE_MODELS
from .printed import EXCLUDED

SPLIT = ("repetition", "fold")


class Compared(NamedTuple):
    """The comparison of two algorithms on the splits that both have: a `Contrast`, and two more tests.

    Attributes
    ----------
    difference, half_width, p_value, mark
        The fields of a `Contrast`; `mark` is what Welch's t-test says at 0.05 of the first.
    paired_p : float
        p-value of the paired t-test over the splits.
    paired, corrected : str
        What the paired and the corrected resampled t-test say at 0.05 of the first.
    """

    difference: float
    half_width: float
    p_value: float
    mark: Mark
    paired_p: float
    paired: Mark
    corrected: Mark


#: The comparison of two algorithms that have no split in common.
NOTHING = Compared(math.nan, math.nan, math.nan, "unknown", math.nan, "unknown", "unknown")


def compared(splits: pd.DataFrame) -> Compared:
    """Compare two algorithms on splits.

    Parameters
    ----------
    splits : DataFrame
        A row a split: accuracies `first` and `second`, and `n_train` and `n_test`.
    """
    if splits.empty:
        return NOTHING
    a, b = splits["first"].to_numpy(), splits["second"].to_numpy()
    p_value = paired(a, b)
    by_size = corrected_resampled(a, b, splits["n_train"].mean(), splits["n_test"].mean())
    return Compared(*contrast(a, b), p_value, mark(a, b, p_value), mark(a, b, by_size))


def compared_splits(first: pd.DataFrame, second: pd.DataFrame) -> Compared:
    """Compare two algorithms on the splits that both have.

    Parameters
    ----------
    first, second : DataFrame
        Columns `accuracy`, `n_train` and `n_test`, indexed by split.
    """
    both = first.rename(columns={"accuracy": "first"})
    return compared(both.join(second["accuracy"].rename("second"), how="inner"))


def compare(splits: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Compare two algorithms on the splits that both have, row by row.

    Parameters
    ----------
    splits : DataFrame
        Columns `accuracy`, `n_train` and `n_test`, as `split_accuracies` gives them: indexed by
        `algorithm`, `repetition` and `fold`, and by whatever else distinguishes the rows (data sets, for
        instance).
    first, second : str
        Names of the algorithms.

    Returns
    -------
    DataFrame
        A row for each data set, in the order of Table 3.1, and for whatever else distinguishes the rows:

        first, second
            Mean accuracies.
        difference, half_width, p_value, mark, paired_p, paired, corrected
            The fields of `Compared`.
        n_splits
            Number of splits.
        excluded
            Whether the data set is shown without being counted.

    Examples
    --------
    >>> from oza.analysis import compare
    >>> from oza.experiments import load_results, split_accuracies
    >>> splits = split_accuracies(load_results("naive-bayes", "smoke")).droplevel("base_model")
    >>> compare(splits, "boosting", "single")["mark"].to_dict()
    {'balance': 'none', 'car-evaluation': 'none'}
    """
    of_algorithm = splits.index.get_level_values("algorithm")
    one, other = (splits[of_algorithm == name].droplevel("algorithm") for name in (first, second))
    both = one.rename(columns={"accuracy": "first"})
    both = both.join(other["accuracy"].rename("second"), how="inner").sort_index()
    levels = [level for level in both.index.names if level not in SPLIT]
    columns = ["first", "second", *Compared._fields, "n_splits"]
    groups = {key: group for key, group in both.groupby(level=levels)}
    rows = [
        (group["first"].mean(), group["second"].mean(), *compared(group), len(group))
        for group in groups.values()
    ]
    table = pd.DataFrame(rows, pd.MultiIndex.from_tuples(groups, names=levels), columns)
    if len(levels) == 1:
        table.index = table.index.get_level_values(0)
    datasets = table.index.get_level_values("dataset")
    places = {name: place for place, name in enumerate(list_datasets())}
    table["excluded"] = datasets.isin(EXCLUDED)
    return table.iloc[datasets.map(places).argsort(kind="stable")]


def curve_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare every algorithm of a learning curve with every other at each number of training examples.

    Parameters
    ----------
    rows : DataFrame
        Points on one data set, as `oza.experiments.curves.load_curve` gives them.

    Returns
    -------
    DataFrame
        Columns as of `compare`; indexed by algorithm, reference and n_train.
    """
    splits = rows.set_index(["dataset", "n_train", "algorithm", *SPLIT])[["accuracy", "n_test"]]
    splits = splits.assign(n_train=splits.index.get_level_values("n_train"))
    pairs = permutations(rows["algorithm"].unique(), 2)
    cells = {pair: compare(splits, *pair).droplevel("dataset") for pair in pairs}
    return pd.concat(cells, names=["algorithm", "reference"]).sort_index()


def moment_comparisons(results: pd.DataFrame) -> pd.DataFrame:
    """Compare online boosting that tests before it learns with the thesis's, on the same splits and orders.

    Parameters
    ----------
    results : DataFrame
        Rows of both algorithms over any base models, as `load_results` gives them.

    Returns
    -------
    DataFrame
        What `compare` gives, first the one that tests before, indexed by base model and data set.
    """
    splits = split_accuracies(results[results["order"] == 0])
    pair = ("online_boosting_tested_before", "online_boosting")
    groups = splits.groupby("base_model")
    found = {base: compare(of_base.droplevel("base_model"), *pair) for base, of_base in groups}
    parts = {base: found[base] for base in BASE_MODELS if base in found}
    return pd.concat(parts, names=["base_model"])


def comparison_cells(comparison: Comparison) -> pd.DataFrame:
    """Sum up the cross-validation of a comparison on a reader's own data.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    DataFrame
        Indexed by base model and algorithm: `mean`, `standard_error` and `n_splits` of the accuracy, the
        medians of `train_seconds` and `test_seconds`, and `welch` and `corrected`: "better", "worse" or
        "none" than the single model, by Welch's t-test and by the corrected resampled one ("unknown" with
        fewer than two splits). Online networks are compared with the single online network.
    """
    groups: dict[Any, pd.DataFrame] = {
        key: group.set_index([*SPLIT])
        for key, group in comparison.splits.groupby(["base_model", "algorithm"], sort=False)
    }
    rows = {}
    for (base_model, algorithm), group in groups.items():
        has_online = ALGORITHMS[algorithm].is_online and "online_single" in ALGORITHMS_OF[base_model]
        found = compared_splits(group, groups[base_model, "online_single" if has_online else "single"])
        rows[base_model, algorithm] = {
            "mean": group["accuracy"].mean(),
            "standard_error": standard_error(group["accuracy"].to_numpy()),
            "n_splits": len(group),
            "train_seconds": group["train_seconds"].median(),
            "test_seconds": group["test_seconds"].median(),
            "welch": found.mark,
            "corrected": found.corrected,
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["base_model", "algorithm"])
