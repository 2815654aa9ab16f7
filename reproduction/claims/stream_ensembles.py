"""Checks of the claims about ensembles on streams that change (lecture on ensembles for data streams).

The lecture reports averages over streams that it does not name. So what is judged is the order of its methods
and the ratios of their costs, on streams of the same kinds whose parameters are drawn. The streams are the
replicates: runs on one stream are averaged first, accuracies are compared by t-tests over the streams,
and costs by t-tests on the logarithm of their ratio.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from oza.ensembles import RestrictedTreesClassifier

from ..printed.printed import printed
from ..printed.record import Record
from ..statistics import mean_against_zero
from ..studies.drawn_streams import IN_TURN_SINCE, numbers_of_classes
from .criteria import above, above_zero, all_above_zero, every, is_equal, opposite
from .registry import Decision, claim, require

LEVERAGING = "leveraging_bagging"
_WITH_CODES, _BY_MISTAKES = "leveraging_bagging_mc", "leveraging_bagging_me"
_NAMES: dict[Any, str] = {
    "hoeffding_tree": "Hoeffding tree",
    "online_bagging": "online bagging",
    "adwin_bagging": "ADWIN bagging",
    LEVERAGING: "leveraging bagging",
    _WITH_CODES: "with output codes",
    _BY_MISTAKES: "variant ME",
}
_FEW_STREAMS = "needs the six methods on three streams or more"
_NOT_TIMED = "costs have not been measured example by example yet"
_SMALL_PART = 0.1  # the lecture's share, 0.87 of 20.17 RAM-hours, is less than half of that


def six_methods(record: Record) -> tuple[pd.DataFrame]:
    """Read the recorded runs on drawn streams, each of which counts as a data set.

    Parameters
    ----------
    record : Record
        Where to read them.
    """
    return (record.drawn_streams(),)


def _fairly_timed(record: Record) -> tuple[pd.DataFrame, dict[str, int]]:
    """Evidence: the same, without costs that were measured in blocks, and the number of classes by stream."""
    runs = record.drawn_streams()
    return runs.assign(ram_hours=runs["ram_hours"].where(runs["date"] >= IN_TURN_SINCE)), numbers_of_classes()


def mean_accuracies(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean accuracy over the runs, a row for each stream, a column for each method.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen and n_correct.
    """
    accuracy = runs.assign(accuracy=runs["n_correct"] / runs["n_seen"])
    return accuracy.pivot_table("accuracy", "dataset", "algorithm", sort=False)


def log_costs(runs: pd.DataFrame) -> pd.DataFrame:
    """Logarithm of the RAM-hours, the mean over the runs: a row for each stream, a column for each method.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm and ram_hours.
    """
    return runs.assign(cost=np.log(runs["ram_hours"])).pivot_table("cost", "dataset", "algorithm", sort=False)


def _are_few(runs: pd.DataFrame) -> bool:
    return runs["algorithm"].nunique() < 6 or runs["dataset"].nunique() < 3


def _times(ratios: pd.Series) -> str:
    """Give a mean ratio with its interval, from the logarithms on each stream."""
    found = mean_against_zero(ratios)
    low, high = (np.exp(found.difference + sign * found.half_width) for sign in (-1, 1))
    return f"{np.exp(found.difference):.2f} ({low:.2f} to {high:.2f}) times the RAM-hours"


def _word(holds: bool | None) -> str:
    return "undecided" if holds is None else "as claimed" if holds else "contrary to the claim"


@claim("C129", evidence=lambda record: _fairly_timed(record)[:1])
def leveraging_is_most_accurate(runs: pd.DataFrame) -> Decision:
    """Judge the order of the six methods, by accuracy and by RAM-hours, over the streams.

    All ensembles learn example by example, because ME cannot learn in blocks.

    The claim holds if leveraging bagging is significantly more accurate than each of the five others and
    costs significantly more RAM-hours than four of them and less than the one with output codes; and if the
    variant ME is significantly more accurate than the tree, online bagging and ADWIN bagging, and costs less
    than both of these ensembles. The report is not reproduced if one difference is significant in the
    opposite direction, by Holm's correction over the accuracies and over the costs.
    """
    require(not _are_few(runs), _FEW_STREAMS)
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    others = [name for name in accuracy if name != LEVERAGING]
    ensembles = ["online_bagging", "adwin_bagging"]
    gains = [accuracy[LEVERAGING] - accuracy[name] for name in others]
    gains += [accuracy[_BY_MISTAKES] - accuracy[name] for name in ["hoeffding_tree", *ensembles]]
    is_best = all_above_zero(gains)
    said = f"order of accuracies {_word(is_best)}, over {len(accuracy)} streams"
    if runs["ram_hours"].isna().any():
        return every([is_best, None]), f"{said}; {_NOT_TIMED}"
    dearer = [cost[LEVERAGING] - cost[name] for name in others if name != _WITH_CODES]
    dearer += [cost[_WITH_CODES] - cost[LEVERAGING], *(cost[name] - cost[_BY_MISTAKES] for name in ensembles)]
    costs_so = all_above_zero(dearer)
    summary = ", ".join(
        f"{_NAMES[name]} {accuracy[name].mean():.4f} ({np.exp(cost[name].mean()):.2g})" for name in accuracy
    )
    return every([is_best, costs_so]), (
        f"{said}, of costs {_word(costs_so)}; mean accuracy (geometric mean of RAM-hours): {summary}; ME "
        f"takes {_times(cost[_BY_MISTAKES] - cost['adwin_bagging'])} of ADWIN bagging"
    )


@claim("C130", evidence=six_methods)
def adwin_pays(runs: pd.DataFrame) -> Decision:
    """Judge ADWIN bagging beside online bagging, over the streams.

    The claim holds if it is significantly more accurate, and costs significantly fewer RAM-hours. The report
    is not reproduced if one of the two is significant in the opposite direction.
    """
    require(not _are_few(runs), _FEW_STREAMS)
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    gain = accuracy["adwin_bagging"] - accuracy["online_bagging"]
    saved = cost["online_bagging"] - cost["adwin_bagging"]
    found = mean_against_zero(gain)
    parts = above_zero(gain), above_zero(saved)
    return every(parts), (
        f"gain of {found.difference:.4f} ± {found.half_width:.4f} (95 % interval over streams), more "
        f"accurate on {(gain > 0).sum()} of {len(gain)} streams, {_word(parts[0])}; "
        f"{_times(-saved)}, {_word(parts[1])}"
    )


@claim("C140", evidence=_fairly_timed)
def codes_are_as_accurate(runs: pd.DataFrame, n_classes: Mapping[str, int]) -> Decision:
    """Judge the two variants of leveraging bagging, over the streams.

    The claim holds if leveraging bagging with and without output codes are equal by the rule of equality,
    with the interval over the streams with more than two classes, and if the variant ME costs at most a tenth
    of the RAM-hours of leveraging bagging, with its whole interval over all streams. The report is not
    reproduced if the two differ, or if ME's interval lies above a tenth. With two classes codes do nothing;
    these streams are only reported, and so is the mean for each kind of stream. All ensembles learn
    example by example, because ME cannot learn in blocks.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen, n_correct and ram_hours.
    n_classes : mapping
        The number of classes of each stream.
    """
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    act = accuracy.index.map(n_classes) > 2
    require(not _are_few(runs) and act.sum() >= 3, f"{_FEW_STREAMS}, each with more than two classes")
    loss = accuracy[_WITH_CODES] - accuracy[LEVERAGING]
    found = mean_against_zero(loss[act])
    kinds = loss[act].groupby(loss.index[act].str.split().str[0], sort=False)
    each = "".join(f", {of_kind.mean():+.4f} on {len(of_kind)} of {kind}" for kind, of_kind in kinds)
    alike = is_equal(found)
    is_cheap, said = None, _NOT_TIMED
    if runs["ram_hours"].notna().all():
        ratio = cost[_BY_MISTAKES] - cost[LEVERAGING]
        is_cheap = opposite(above(ratio, np.log(_SMALL_PART)))
        said = f"ME at {_times(ratio)} of leveraging bagging, {_word(is_cheap)}"
    return every([alike, is_cheap]), (
        f"with codes {found.difference:+.4f} ± {found.half_width:.4f} (95 % interval over {act.sum()} "
        f"streams with more than two classes{each}), {_word(alike)}; with two classes "
        f"{loss[~act].mean():+.4f} over {(~act).sum()}; {said}"
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

    The claim holds if `RestrictedTreesClassifier` has as many trees as printed for each size, and no two of
    them see the same columns. It fails if one number differs.
    """
    require(len(counted) >= 2, "needs two sizes of the subsets or more")
    is_equal = (counted["trees"] == counted["printed"]) & (counted["subsets"] == counted["printed"])
    summary = ", ".join(
        f"{row.size_}: {row.trees}" for row in counted.rename(columns={"size": "size_"}).itertuples()
    )
    return bool(is_equal.all()), f"trees over subsets of ten columns, by size: {summary}"
