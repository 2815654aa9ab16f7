"""Bagging neural networks, batch and online (thesis section 3.5.2, Tables 3.6, 3.7 and 3.11).

The runs are made by `studies/accuracy`, and the tables by `printed/accuracy_tables`; that of times, 3.11, is
made by `printed/time_tables`.

"Much worse" is a loss of more than 0.04 (the reference table's reading of C074), and a "small" loss on the
larger data sets a mean of at most that; "often" is in a third of the cases or more. "Much faster" is beyond a
factor of 3, with one exception in ten. The larger data sets are the upper half by training examples.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import scipy.stats

from oza import BaggingClassifier, NeuralNetworkClassifier, OnlineBaggingClassifier
from oza.datasets import load_dataset
from oza.evaluation.significance import LEVEL

from ..claims.criteria import (
    COMPARABLE_TIMES,
    OFTEN,
    above,
    beside,
    counted,
    every,
    halves,
    interval_in_words,
    names,
    not_better,
    opposite,
    overall_better,
    smallest_first,
    time_ratio,
    usual,
)
from ..claims.registry import Decision, claim, recorded, require
from ..printed.printed import of_the_thesis
from ..printed.record import Record
from ..record.simulation import simulation
from ..statistics import mean_against_zero
from ..theory.passes import stream_passes


@simulation(small={"n_models": 2})
def network_passes(n_models: int = 100) -> dict[str, float]:
    """Count how often bags of networks are trained on each of some examples of Balance, in batch and online.

    For "bagging" these are the updates of all networks, for "online_bagging" the passes.
    """
    data = load_dataset("balance")
    X, y = data.data[::31], data.target[::31]
    known: Any = {"categories": [range(len(v)) for v in data.categories], "random_state": 1}
    batch = BaggingClassifier(NeuralNetworkClassifier(), n_models, **known).fit(X, y)
    online = OnlineBaggingClassifier(NeuralNetworkClassifier(), n_models, **known)
    updates = sum(each.n_updates_ for each in batch.estimators_)
    return {"bagging": updates / len(y), "online_bagging": stream_passes(online, X, y)}


def _of_tables(*tables: str) -> Callable[[Record], tuple[pd.DataFrame, ...]]:
    """Evidence: the cells of these tables on the data sets of the thesis."""
    return lambda record: tuple(of_the_thesis(record.accuracy(table)) for table in tables)


@claim(
    "C032",
    evidence=lambda record: (
        of_the_thesis(record.compare("3.6", "single", "online_single").query("not excluded")),
    ),
)
def one_pass_loses_accuracy(comparison: pd.DataFrame) -> Decision:
    """Judge batch networks (ten epochs) against online networks (one pass), on the data sets of Table 3.6.

    The claim holds if batch is better overall: significantly better on more data sets than it is
    significantly worse on, by Holm's correction, and significantly more accurate on average over the data
    sets (t-test). It fails if both are reversed.
    """
    return overall_better(comparison)


MUCH_WORSE = 0.04


def _larger_when_small(rows: pd.DataFrame) -> tuple[bool | None, str]:
    """Whether losses fall with the size of the data set: Spearman's rank correlation, tested at 0.05."""
    small, large = (half.mean() for half in halves(rows["difference"]))
    found = scipy.stats.spearmanr(rows["n_train"], rows["difference"])
    return bool(found.statistic < 0) if found.pvalue < LEVEL else None, (
        f"mean loss {small:.4f} on the smaller data sets, {large:.4f} on the larger; rank correlation with "
        f"the size {found.statistic:+.2f} (p = {found.pvalue:.2g})"
    )


def _small_when_large(losses: pd.Series) -> tuple[bool | None, str]:
    """Whether the mean loss on the larger data sets is at most 0.04, by its interval over the data sets."""
    found = mean_against_zero(halves(losses)[1])
    is_small = opposite(above(halves(losses)[1], MUCH_WORSE))
    return is_small, f"{found.difference:.4f} {interval_in_words(found)}"


@claim("C010", evidence=_of_tables("3.6"))
def online_networks_suffer_most_when_small(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: online bagging loses on most data sets, more on the smaller, little on the larger.

    The claim holds if it loses on significantly more than half of the data sets (sign test), if the loss
    falls with the number of training examples (Spearman's rank correlation), and if the mean loss on the
    larger half is at most 0.04, with its whole interval over the data sets. It fails if one of the three is
    significantly false. Soybean-Large, which only the conference paper has, does not count here, nor in the
    other claims about Tables 3.6 and 3.7.
    """
    rows = smallest_first(cells, "other", "bagging")
    losses = rows["difference"]
    require(len(losses) >= 4, _FEW_SETS)
    (shrinks, sizes), (is_small, on_larger) = _larger_when_small(rows), _small_when_large(losses)
    evidence = f"online bagging loses on {(losses > 0).sum()} of {len(losses)}; {sizes}"
    return every([usual(losses > 0), shrinks, is_small]), f"{evidence}; on the larger {on_larger}"


_FEW_SETS = "needs four data sets or more"


def _often_much_worse(rows: pd.DataFrame) -> tuple[bool | None, str]:
    """Whether the loss is more than 0.04 on a third of the data sets or more, by the corrected intervals."""
    is_much = (rows["difference"] - rows["half_width"] > MUCH_WORSE).sum()
    may_be = (rows["difference"] + rows["half_width"] > MUCH_WORSE).sum()
    evidence = f"worse by more than {MUCH_WORSE} on {is_much} of {len(rows)} data sets, perhaps on {may_be}"
    needed = OFTEN * len(rows)
    return (True if is_much >= needed else None if may_be >= needed else False), evidence


@claim("C074", evidence=_of_tables("3.6"))
def online_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge single networks of Table 3.6: online learning loses more than 0.04 on a third of its data sets.

    A data set counts if the whole corrected interval of the loss lies above 0.04. The claim fails if there
    are too few even with those whose interval extends above 0.04.
    """
    rows = smallest_first(cells, "other", "single")
    return _often_much_worse(rows) if len(rows) else (None, "no results of both")


@claim("C075", evidence=_of_tables("3.6"))
def online_bags_of_networks_are_often_worse(cells: pd.DataFrame) -> Decision:
    """Judge bagged networks of Table 3.6: as for C074, and more on the smaller of its sets, as for C010."""
    rows = smallest_first(cells, "other", "bagging")
    require(len(rows) >= 4, _FEW_SETS)
    often, evidence = _often_much_worse(rows)
    shrinks, sizes = _larger_when_small(rows)
    return every([often, shrinks]), f"{evidence}; {sizes}"


@claim("C076", evidence=_of_tables("3.6"))
def online_bagging_gains_less(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.6: on most of its data sets bagging gains less online than in batch.

    A gain is over a single network on the same splits. The claim holds if it gains less on significantly
    more than half of the data sets (sign test at 0.05), and fails if it does on significantly fewer than
    half. Data sets with equal gains do not count.
    """
    batch, online = (smallest_first(cells, "single", name) for name in ("bagging", "online_bagging"))
    gain = (batch["difference"] - online["difference"]).dropna()
    gain = gain[gain != 0]
    require(not gain.empty, "no results of all four")
    less = gain > 0
    return usual(less), f"less on {less.sum()} of {len(less)}; exceptions: {names(less[~less].index)}"


def _mostly_better(rows: pd.DataFrame) -> tuple[bool | None, str]:
    """Whether an algorithm is significantly better on more than half of the data sets, each tested alone."""
    known = not_better(rows)
    n_better, n_open = known.count(False), known.count(None)
    evidence = f"better on {n_better} of {len(rows)} data sets, undecided on {n_open}"
    half = len(rows) / 2
    return (True if n_better > half else None if n_better + n_open > half else False), evidence


@claim("C077", evidence=_of_tables("3.7"))
def bagging_helps_networks_of_ten_updates(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.7: online bagging beats its single network significantly on most of its data sets.

    It fails if, on at least half of them, it is not better and the corrected interval leaves no room for a
    gain of more than 0.01. Unless most of them can be tested, it is undecided.
    """
    rows = beside(cells, "single", "online_bagging_10")
    n_sets = counted(cells).index.unique("dataset").size
    require(2 * len(rows) > n_sets, "needs tests on most data sets")
    return _mostly_better(rows)


@claim("C078", evidence=_of_tables("3.6", "3.7"))
def ten_updates_narrow_the_gap(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: batch is mostly significantly better than ten updates, but by less than one.

    The first part is judged as for C077, the second by a sign test over their data sets at 0.05. Both must
    hold for single networks and for bags; one that is significantly false refutes the claim.
    """
    parts, evidence = [], []
    for batch in ("single", "bagging"):
        of_one, of_ten = (smallest_first(cells, "other", batch) for cells in (one, ten))
        narrower = (of_one["difference"] - of_ten["difference"]).dropna() > 0
        require(not narrower.empty, "needs networks of one and of ten updates")
        remains, text = _mostly_better(of_ten)
        parts += [remains, usual(narrower)]
        evidence.append(f"{batch}: {text}; by less on {narrower.sum()} of {len(narrower)}")
    return every(parts), "; ".join(evidence)


@claim("C079", evidence=_of_tables("3.6", "3.7"))
def online_networks_lose_little_when_large(one: pd.DataFrame, ten: pd.DataFrame) -> Decision:
    """Judge Tables 3.6 and 3.7: on the larger half of their data sets the mean loss is at most 0.04.

    This must hold for single networks and for bags, with one update and with ten; each of these four is
    judged as for C010.
    """
    losses = {
        f"{batch}, {updates}": smallest_first(cells, "other", batch)["difference"]
        for cells, updates in ((one, "one update"), (ten, "ten"))
        for batch in ("single", "bagging")
    }
    require(not any(of_one.empty for of_one in losses.values()), "needs networks of one and of ten updates")
    found = {name: _small_when_large(of_one) for name, of_one in losses.items()}
    means = "; ".join(f"{name} {text}" for name, (_, text) in found.items())
    return every(is_small for is_small, _ in found.values()), f"mean loss on the larger data sets: {means}"


def _faster(ratio: pd.Series, factor: float) -> Decision:
    """Whether the time ratio is below 1/factor on nine data sets in ten."""
    require(not ratio.empty, "no running times")
    is_faster = ratio < 1 / factor
    slow = names(ratio[~is_faster].index)
    evidence = f"takes {ratio.min():.2g} to {ratio.max():.2g} times as long; exceptions: {slow}"
    return bool(is_faster.mean() >= 0.9), evidence


@claim("C081", evidence=lambda record: (record.times("3.11"),))
def ten_updates_are_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of ten updates takes less time than batch on nine of ten data sets."""
    return _faster(time_ratio(cells, "online_bagging_10", "bagging"), 1)


@claim("C082", evidence=lambda record: (record.times("3.11"),))
def one_update_is_much_faster_than_batch(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.11: online bagging of one update takes a third of the time on nine of ten data sets."""
    return _faster(time_ratio(cells, "online_bagging", "bagging"), COMPARABLE_TIMES)


@claim("C083", evidence=recorded(network_passes))
def batch_networks_pass_a_thousand_times(passes: Mapping[str, float]) -> Decision:
    """Judge how often networks learn each training example: 1000 times in batch, once online.

    Parameters
    ----------
    passes : mapping
        For "bagging" the updates of all networks, for "online_bagging" the examples handed over,
        both divided by the number of training examples.
    """
    evidence = f"batch {passes['bagging']:g}, online {passes['online_bagging']:g}"
    return passes["bagging"] == 1000 and passes["online_bagging"] == 1, evidence
