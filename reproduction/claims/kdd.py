"""Checks of claims of the KDD paper: its generated data, its running times, the work it builds on.

The paper argues about time with passes and updates, so the work is judged, by two counts that any
program shares (see `reproduction.studies.work`): updates of base models, and operations, which are updates
and classifications together. Which of the two comes closer to the time depends on the base model. Our
times stand in the evidence. These rules were fixed before any work was counted, but the times were
known, and so was how many models batch boosting makes.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from oza.datasets import dataset_info
from oza.kernels.draws import uniforms
from oza.streams.chain_limits import Limits, chain_limits

from ..printed.printed import cells_of
from ..printed.record import Record
from ..theory.local import nearest_neighbours_law, table_law
from .criteria import COUNTS, agreed, vanishes
from .registry import UNTESTABLE, Decision, claim, require

NEGLIGIBLE = 0.1
_NO_COUNTS = "no work counted by training-set size"

#: Each count of work, and the seconds, by data set and number of training examples.
Costs = Mapping[str, pd.DataFrame]


def _limits(record: Record) -> tuple[dict[str, Limits]]:
    return ({name: chain_limits(name) for name in ("synthetic1", "synthetic2", "synthetic3")},)


@claim("C065", evidence=_limits)
def synthetic_data_are_beyond_naive_bayes(limits: Mapping[str, Limits]) -> Decision:
    """Judge exact accuracies on the three Synthetic sets.

    The claim holds if, on each of them, the best classifier is not a Naive Bayes model, as four examples
    show, and Naive Bayes with the true law of each attribute is less accurate than it.
    """
    require(len(limits) >= 3, "needs all three Synthetic sets")
    holds = all(found.n_crossed > 0 and found.naive_bayes < found.bayes for found in limits.values())
    return holds, "best possible against Naive Bayes: " + ", ".join(
        f"{name} {found.bayes:.4f} against {found.naive_bayes:.4f}" for name, found in limits.items()
    )


def _costs_and_printed(dataset: str) -> Callable[[Record], tuple[Costs, float]]:
    """Evidence: costs, and how many times as long batch boosting takes on a data set, as printed."""

    def evidence(record: Record) -> tuple[Costs, float]:
        theirs = cells_of("running_times", "KDD 4.5")["seconds"][dataset]
        return record.costs_by_size(), theirs["boosting"] / theirs["online_boosting"]

    return evidence


@claim("C119", evidence=lambda record: (record.costs_by_size(),))
def online_work_grows_more_slowly(costs: Costs) -> Decision:
    """Judge the work of batch and online boosting against the number of training examples.

    The claim needs two things: from the smallest training set to the largest, a further example costs less
    online than in batch on every data set; and on at least one data set the smallest training set costs more
    online. It holds if both counts of work confirm this, fails if neither does, and is undecided otherwise.
    """
    enough = costs and min(len(cost) for name in COUNTS for _, cost in _by_dataset(costs[name])) >= 2
    require(enough, _NO_COUNTS)
    growth = {name: _growth(cost) for name, cost in costs.items() if len(cost)}
    answers = {
        name: all(of.online < of.batch for of in found.values()) and any(of.more for of in found.values())
        for name, found in growth.items()
    }
    return agreed(answers[name] for name in COUNTS), "; ".join(
        f"{name} for a further example, online against batch: "
        + ", ".join(
            f"{dataset} {of.online:.3g} against {of.batch:.3g}, "
            f"{'more' if of.more else 'less'} on the smallest set"
            for dataset, of in found.items()
        )
        for name, found in growth.items()
    )


class _Growth(NamedTuple):
    """What a further example costs online and in batch; whether the fewest examples cost more online."""

    online: float
    batch: float
    more: bool


def _growth(cost: pd.DataFrame) -> dict[str, _Growth]:
    found = {}
    for dataset, by_size in _by_dataset(cost):
        first, last = by_size.iloc[0], by_size.iloc[-1]
        slope = (last - first) / (by_size.index[-1] - by_size.index[0])
        more = bool(first["online_boosting"] > first["boosting"])
        found[dataset] = _Growth(slope["online_boosting"], slope["boosting"], more)
    return found


@claim("C120", evidence=_costs_and_printed("census-income"), given=("printed",))
def online_boosting_is_faster_on_census(costs: Costs, printed: float) -> Decision:
    """Judge the whole training set of Census Income: online boosting takes less work than batch boosting.

    The claim holds if both counts of work confirm this, fails if neither does, and is undecided otherwise.

    Parameters
    ----------
    costs : mapping of str to DataFrame
        What `reproduction.printed.times.costs_by_size` gives.
    printed : float
        How many times as long batch takes, as printed; told in the evidence and not judged, for
        it depends on machine and program.
    """
    return _is_less(costs, "census-income", printed)


@claim("C121", evidence=_costs_and_printed("covertype"), given=("printed",))
def online_boosting_is_faster_on_covertype(costs: Costs, printed: float) -> Decision:
    """Judge the whole training set of Forest Covertype: online boosting takes less work than batch.

    The first rows of the file cannot decide this; the evidence reports them.
    """
    return _is_less(costs, "covertype", printed, stand_in="covertype-head")


def _is_less(costs: Costs, dataset: str, printed: float, stand_in: str = "") -> Decision:
    ratios, sizes = {}, {}
    for name, cost in costs.items():
        for found, by_size in _by_dataset(cost):
            ratios[found, name] = by_size["boosting"].iloc[-1] / by_size["online_boosting"].iloc[-1]
            sizes[found, name] = by_size.index[-1]

    def said(wanted: str) -> str:
        of_one = ((name, ratio) for (found, name), ratio in ratios.items() if found == wanted)
        return ", ".join(f"{ratio:.2g} times the {name}" for name, ratio in of_one)

    if all(sizes.get((dataset, name)) == dataset_info(dataset).n_train for name in COUNTS):
        return agreed(ratios[dataset, name] > 1 for name in COUNTS), (
            f"batch takes {said(dataset)} of online; printed {printed:.2g} times as long"
        )
    missing = f"no work was counted on all of {dataset}"
    if n := sizes.get((stand_in, COUNTS[0])):
        missing += f"; on {n:,} examples of {stand_in} batch takes {said(stand_in)}"
    # a set that has a stand-in is one that cannot be had
    return (UNTESTABLE if stand_in else None), f"{missing}; printed {printed:.2g} times as long"


@claim("C122", evidence=lambda record: (record.costs_by_size(),))
def bagging_is_negligible(costs: Costs) -> Decision:
    """Judge the largest training sets: bagging takes at most a tenth of boosting's work, batch and online.

    The claim holds if both counts of work confirm this, fails if neither does, and is undecided otherwise.
    """
    require(costs and not any(costs[name].empty for name in COUNTS), _NO_COUNTS)
    shares = {
        name: {
            f"{dataset} {kind}": by_size.iloc[-1][bagging] / by_size.iloc[-1][boosting]
            for dataset, by_size in _by_dataset(cost)
            for kind, bagging, boosting in (
                ("batch", "bagging", "boosting"),
                ("online", "online_bagging", "online_boosting"),
            )
        }
        for name, cost in costs.items()
        if len(cost)
    }
    evidence = "; ".join(
        f"{name}: " + ", ".join(f"{case} {share:.2g}" for case, share in found.items())
        for name, found in shares.items()
    )
    answers = (max(shares[name].values()) <= NEGLIGIBLE for name in COUNTS)
    return agreed(answers), f"share of the work of boosting: {evidence}"


def _local_learners(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: five nearest neighbours, and a contingency table of eight cells, on a line."""
    questions = np.linspace(0.025, 0.975, 39)
    gaps = {}
    for n in (20, 80, 320, 1280):
        x, u = uniforms((2, n), "line", 1, n)
        y = (u < np.where(np.abs(x - 0.5) < 0.25, 0.8, 0.3)).astype(int)
        nearest = np.abs(x - questions[:, None]).argsort(axis=1, kind="stable")
        batch, online = (nearest_neighbours_law(scheme, y[nearest], 5) for scheme in ("batch", "online"))
        cells = pd.Series(y).groupby(np.floor(8 * x)).agg(["size", "sum"]).itertuples(index=False)
        differ = [abs(table_law("batch", n, *cell) - table_law("online", n, *cell)) for cell in cells]
        gaps[n] = np.abs(batch - online).mean(), np.mean(differ)
    return (pd.DataFrame.from_dict(gaps, "index", columns=["nearest neighbours", "contingency table"]),)


@claim("C123", evidence=_local_learners)
def earlier_learners_converge(gaps: pd.DataFrame) -> Decision:
    """Judge the distance between the laws of batch and online answers, by the number of examples.

    The claim holds if the mean distance vanishes for both learners, at least as fast as N to the power −1/4.

    Parameters
    ----------
    gaps : DataFrame
        Indexed by the number N of training examples, in rising order; for each learner ("nearest
        neighbours", "contingency table") the mean distance between the two probabilities that one
        base model says class 1.
    """
    enough = {"nearest neighbours", "contingency table"} <= set(gaps) and len(gaps) >= 2
    require(enough, "needs both learners, and two numbers of examples or more")
    evidence = "; ".join(f"{name} {gap.iloc[0]:.2g} to {gap.iloc[-1]:.2g}" for name, gap in gaps.items())
    ends = f"N = {gaps.index[0]:,} to {gaps.index[-1]:,}"
    return bool(gaps.apply(vanishes).all()), f"{ends}: {evidence}"


def _by_dataset(cost: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """What each data set costs, indexed by the number of training examples, in rising order."""
    return [
        (str(name), group.droplevel("dataset").sort_index())
        for name, group in cost.groupby(level="dataset", sort=False)
    ]
