"""Checks of the claims about ensembles on streams that change (lecture on ensembles for data streams).

The lecture gives averages over streams that it does not name. So what is judged is the order of its
methods and the ratios of their costs, on streams of the same kinds: in each run the mean accuracy over all
streams, compared between methods by paired t-tests over the runs.
"""

import numpy as np
import pandas as pd

from oza.ensembles import RestrictedTreesClassifier
from oza.evaluation.significance import ROUNDING, contrast, paired

from ..studies.statistics import TOLERANCE
from ..tables import Record, printed
from .criteria import above_zero, every, holm
from .registry import Decision, claim

LEVERAGING = "leveraging_bagging"
_WITH_CODES, _BY_MISTAKES = "leveraging_bagging_mc", "leveraging_bagging_me"
_FEW_RUNS = "needs the six methods with three runs or more on two streams or more"


def six_methods(record: Record) -> tuple[pd.DataFrame]:
    """Read the recorded runs of a million examples.

    Parameters
    ----------
    record : Record
        Where to read them.
    """
    return (record.stream_ensembles(),)


def mean_accuracies(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean accuracy over all streams, a row for each run, a column for each method.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen and n_correct.
    """
    accuracy = runs.assign(accuracy=runs["n_correct"] / runs["n_seen"])
    return accuracy.pivot_table("accuracy", "run", "algorithm", sort=False)


def costs(runs: pd.DataFrame) -> pd.Series:
    """RAM-hours of each method, the mean over all streams and runs.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm and ram_hours.
    """
    return runs.groupby("algorithm", sort=False)["ram_hours"].mean()


def _are_few(runs: pd.DataFrame) -> bool:
    return runs["algorithm"].nunique() < 6 or runs["run"].nunique() < 3 or runs["dataset"].nunique() < 2


@claim("C129", evidence=six_methods)
def leveraging_is_most_accurate(runs: pd.DataFrame) -> Decision:
    """Judge the order of the six methods, by accuracy and by RAM-hours, on streams of a million examples.

    To hold, leveraging bagging is significantly more accurate than each of the five others, with Holm's
    correction; of these, exactly the one with output codes costs more RAM-hours; and the variant ME is
    significantly more accurate than the tree, online bagging and ADWIN bagging, and costs less than both
    of these ensembles. One significant difference the other way, or another order of costs, and it fails.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen, n_correct and ram_hours.
    """
    if _are_few(runs):
        return None, _FEW_RUNS
    accuracy, cost = mean_accuracies(runs), costs(runs)
    others = [name for name in accuracy if name != LEVERAGING]
    gains = {name: accuracy[LEVERAGING] - accuracy[name] for name in others}
    best = accuracy[LEVERAGING].to_numpy()
    corrected = holm([paired(best, accuracy[name].to_numpy()) for name in others])
    is_best = every(
        above_zero(gains[name]) if gains[name].mean() < 0 or p < 0.05 else None
        for name, p in zip(others, corrected, strict=True)
    )
    costs_more = set(cost.index[cost > cost[LEVERAGING]]) == {_WITH_CODES}
    ensembles = ["online_bagging", "adwin_bagging"]
    variant = every(
        above_zero(accuracy[_BY_MISTAKES] - accuracy[name]) for name in ["hoeffding_tree", *ensembles]
    )
    is_cheap = bool((cost[_BY_MISTAKES] < cost[ensembles]).all())
    summary = ", ".join(
        f"{name} {mean:.4f} ({cost[str(name)]:.2g})" for name, mean in accuracy.mean().items()
    )
    return every([is_best, costs_more, variant, is_cheap]), f"mean accuracy (RAM-hours): {summary}"


@claim("C130", evidence=six_methods)
def adwin_pays(runs: pd.DataFrame) -> Decision:
    """Judge ADWIN bagging beside online bagging, on streams of a million examples.

    To hold, it is significantly more accurate, and costs fewer RAM-hours in the mean. It fails if it is
    significantly less accurate or costs no less.

    Parameters
    ----------
    runs : DataFrame
        As for C129.
    """
    if _are_few(runs):
        return None, _FEW_RUNS
    accuracy, cost = mean_accuracies(runs), costs(runs)
    gain = accuracy["adwin_bagging"] - accuracy["online_bagging"]
    ratio = cost["adwin_bagging"] / cost["online_bagging"]
    on_streams = runs.assign(accuracy=runs["n_correct"] / runs["n_seen"]).pivot_table(
        "accuracy", "dataset", "algorithm"
    )
    wins = int((on_streams["adwin_bagging"] > on_streams["online_bagging"]).sum())
    return every([above_zero(gain), bool(ratio < 1)]), (
        f"gain of {gain.mean():.4f}, more accurate on {wins} of {len(on_streams)} streams; {ratio:.2f} times "
        "the RAM-hours"
    )


@claim("C140", evidence=six_methods)
def codes_are_as_accurate(runs: pd.DataFrame) -> Decision:
    """Judge the two variants of leveraging bagging, on streams of a million examples.

    To hold, leveraging bagging with and without output codes are comparable, by the paired test and its
    interval; and the variant ME costs at most a tenth of the RAM-hours of leveraging bagging.

    Parameters
    ----------
    runs : DataFrame
        As for C129.
    """
    if _are_few(runs):
        return None, _FEW_RUNS
    accuracy, cost = mean_accuracies(runs), costs(runs)
    found = contrast(accuracy[_WITH_CODES].to_numpy(), accuracy[LEVERAGING].to_numpy())
    if above_zero(accuracy[_WITH_CODES] - accuracy[LEVERAGING]) is not None:
        alike: bool | None = False
    else:
        alike = True if abs(found.difference) + found.half_width <= TOLERANCE + ROUNDING else None
    ratio = cost[_BY_MISTAKES] / cost[LEVERAGING]
    return every([alike, bool(ratio <= 0.1)]), (
        f"with codes {found.difference:+.4f} ± {found.half_width:.4f}, at "
        f"{cost[_WITH_CODES] / cost[LEVERAGING]:.2f} times the RAM-hours; ME at {ratio:.2f} times"
    )


def trees_over_subsets(record: Record) -> tuple[pd.DataFrame]:
    """Train restricted trees on ten columns, and count the trees beside the printed numbers.

    Parameters
    ----------
    record : Record
        Not read.
    """
    X, y = np.random.default_rng(0).random((4, 10)), [0, 1, 0, 1]
    rows = []
    numbers = printed("schapire_toy").query("topic == 'restricted_trees'")[["index", "value"]].astype(int)
    for size, value in numbers.to_numpy().tolist():
        features = RestrictedTreesClassifier(size).fit(X, y).features_
        rows.append((size, value, len(features), len({frozenset(each.tolist()) for each in features})))
    return (pd.DataFrame(rows, columns=["size", "printed", "trees", "subsets"]),)


@claim("C141", evidence=trees_over_subsets, given=("counted.size", "counted.printed"))
def one_tree_for_each_subset(counted: pd.DataFrame) -> Decision:
    """Judge the numbers of trees over the subsets of ten columns, for at least two sizes of the subsets.

    To hold, `RestrictedTreesClassifier` has as many trees as printed for each size, and no two of them see
    the same columns. One number that differs, and it fails.

    Parameters
    ----------
    counted : DataFrame
        Columns size, printed, trees, and subsets, the number of distinct sets of columns.
    """
    if len(counted) < 2:
        return None, "needs two sizes of the subsets or more"
    is_equal = (counted["trees"] == counted["printed"]) & (counted["subsets"] == counted["printed"])
    summary = ", ".join(
        f"{row.size_}: {row.trees}" for row in counted.rename(columns={"size": "size_"}).itertuples()
    )
    return bool(is_equal.all()), f"trees over subsets of ten columns, by size: {summary}"
