"""Checks of claims of the KDD paper: its generated data, its running times, the work it builds on.

`times` holds median seconds to learn, as `oza.exhibits.time_medians` gives them: indexed by data set
and number of training examples, an algorithm a column. The criteria were fixed before any of these
times was taken.
"""

from collections.abc import Mapping

import pandas as pd

from ..datasets import dataset_info
from ..theory.chain import Limits
from ._evidence import vanishes
from ._registry import UNTESTABLE, Decision, claim

NEGLIGIBLE = 0.1
_NO_TIMES = "no running times by training-set size"


@claim("C065")
def synthetic_data_are_beyond_naive_bayes(limits: Mapping[str, Limits]) -> Decision:
    """Judge exact accuracies on the three Synthetic sets.

    To hold, on each of the three the best classifier is no Naive Bayes model, which four examples show,
    and Naive Bayes that knows the true law of each attribute is less accurate than it.

    Parameters
    ----------
    limits : mapping of str to Limits
        By data set.
    """
    if len(limits) < 3:
        return None, "needs all three Synthetic sets"
    holds = all(found.n_crossed > 0 and found.naive_bayes < found.bayes for found in limits.values())
    evidence = ", ".join(
        f"{name} {found.bayes:.4f} against {found.naive_bayes:.4f}" for name, found in limits.items()
    )
    return holds, f"best possible against Naive Bayes: {evidence}"


@claim("C119")
def online_time_grows_more_slowly(times: pd.DataFrame) -> Decision:
    """Judge times of batch and online boosting against the number of training examples.

    To hold, what a further example costs, from the smallest training set to the largest, is less
    online than in batch on every data set, and on one at least the smallest set takes longer online.
    """
    found = [seconds[["boosting", "online_boosting"]] for _, seconds in _by_dataset(times)]
    if not found or min(map(len, found)) < 2:
        return None, _NO_TIMES
    growth = [(s.iloc[-1] - s.iloc[0]) / (s.index[-1] - s.index[0]) for s in found]
    slower_at_first = [s["online_boosting"].iloc[0] > s["boosting"].iloc[0] for s in found]
    evidence = "; ".join(
        f"{name}: {1e6 * g['online_boosting']:.3g} against {1e6 * g['boosting']:.3g} μs an example, "
        f"{'more' if more else 'less'} time than batch for the fewest"
        for (name, _), g, more in zip(_by_dataset(times), growth, slower_at_first, strict=True)
    )
    holds = all(g["online_boosting"] < g["boosting"] for g in growth) and any(slower_at_first)
    return bool(holds), f"online against batch: {evidence}"


@claim("C120", given=("printed",))
def online_boosting_is_faster_on_census(times: pd.DataFrame, printed: float) -> Decision:
    """Judge the whole training set of Census Income: online boosting takes less time than batch.

    Parameters
    ----------
    times : DataFrame
    printed : float
        How many times as long batch takes, as printed; told in the evidence and not judged, for
        it depends on machine and program.
    """
    return _is_faster(times, "census-income", printed)


@claim("C121", given=("printed",))
def online_boosting_is_faster_on_covertype(times: pd.DataFrame, printed: float) -> Decision:
    """Judge the whole training set of Forest Covertype: online boosting takes less time than batch.

    The file's first rows cannot decide this; what they give stands in the evidence. The parameters
    are those of the check of C120.
    """
    return _is_faster(times, "covertype", printed, stand_in="covertype-head")


def _is_faster(times: pd.DataFrame, dataset: str, printed: float, stand_in: str = "") -> Decision:
    last = {name: seconds.iloc[-1] for name, seconds in _by_dataset(times)}
    ratio = {name: s["boosting"] / s["online_boosting"] for name, s in last.items()}
    if dataset in last and last[dataset].name == dataset_info(dataset).n_train:
        evidence = f"batch takes {ratio[dataset]:.2g} times as long as online; printed {printed:.2g}"
        return bool(ratio[dataset] > 1), evidence
    missing = f"no times on all of {dataset}"
    if stand_in in last:
        n = last[stand_in].name
        missing += f"; on {n:,} examples of {stand_in} batch takes {ratio[stand_in]:.2g} times as long"
    # a set that has a stand-in is one that cannot be had
    return (UNTESTABLE if stand_in else None), f"{missing}; printed {printed:.2g}"


@claim("C122")
def bagging_is_negligible(times: pd.DataFrame) -> Decision:
    """Judge the largest training sets: bagging at most a tenth of boosting's time, batch and online."""
    if times.empty:
        return None, _NO_TIMES
    shares = {
        f"{name} {kind}": s.iloc[-1][bagging] / s.iloc[-1][boosting]
        for name, s in _by_dataset(times)
        for kind, bagging, boosting in (
            ("batch", "bagging", "boosting"),
            ("online", "online_bagging", "online_boosting"),
        )
    }
    evidence = ", ".join(f"{name} {share:.2g}" for name, share in shares.items())
    return max(shares.values()) <= NEGLIGIBLE, f"share of boosting's time: {evidence}"


@claim("C123")
def earlier_learners_converge(gaps: pd.DataFrame) -> Decision:
    """Judge how far the laws of batch and online answers are apart, against the number of examples.

    To hold, the mean distance vanishes for both learners, at the rate N to the power −1/4 at least.

    Parameters
    ----------
    gaps : DataFrame
        Indexed by the number N of training examples, in rising order; for each learner ("nearest
        neighbours", "contingency table") the mean distance between the two probabilities that one
        base model says class 1.
    """
    if not {"nearest neighbours", "contingency table"} <= set(gaps) or len(gaps) < 2:
        return None, "needs both learners, and two numbers of examples or more"
    evidence = "; ".join(f"{name} {gap.iloc[0]:.2g} to {gap.iloc[-1]:.2g}" for name, gap in gaps.items())
    ends = f"N = {gaps.index[0]:,} to {gaps.index[-1]:,}"
    return bool(gaps.apply(vanishes).all()), f"{ends}: {evidence}"


def _by_dataset(times: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Times of each data set, indexed by the number of training examples, in rising order."""
    return [
        (str(name), group.droplevel("dataset").sort_index())
        for name, group in times.groupby(level="dataset", sort=False)
    ]
