"""Statistics of results: accuracies on splits, the rule of equality, and verdicts on printed cells.

Values are accuracies, one number for each split; several orders of one training set are averaged
first, since they are not independent.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import repeat
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.stats

from oza.evaluation.significance import LEVEL, NOTHING, ROUNDING, Compared, compared

MARGIN = 0.01  # accuracies that differ by no more than this are equal for all that the book says
PRINTED_SPLITS = 50  # of a printed mean: ten five-fold cross-validations, section 3.5.2
PRINTED_REPETITIONS = 10
ENOUGH_REPETITIONS = 5  # from which on the spread of repetitions says how exact a mean is
PRINTED_ROUNDING = 0.00005  # printed accuracies have four digits
CellVerdict = Literal["agrees", "differs", "undecided", "no printed value", "not run"]

#: Verdicts on cells that can be compared: by the rule of equality, and with those that are explained.
BY_EQUALITY = ("agrees", "differs", "undecided")
JUDGED = (*BY_EQUALITY, "explained")
#: Verdicts on cells that differ.
DIFFERING = ("differs", "explained")
Equivalence = Literal["equal", "different", "undecided"]
Outcome = Literal["equal", "better", "worse", "undecided"]

_CELL = ["dataset", "base_model", "algorithm"]
_SPLIT = ["repetition", "fold"]


def with_accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the column `accuracy`, the share of correct predictions, to rows that count them."""
    return rows.assign(accuracy=rows["n_correct"] / rows["n_test"])


def split_accuracies(results: pd.DataFrame) -> pd.DataFrame:
    """Accuracy on each split, averaged over orders: `accuracy`, `n_train` and `n_test`.

    A row for each data set, base model, algorithm, repetition and fold.
    """
    return with_accuracy(results).groupby(_CELL + _SPLIT)[["accuracy", "n_train", "n_test"]].mean()


_margin = ContextVar("margin", default=MARGIN)


@contextmanager
def equality_margin(margin: float) -> Iterator[None]:
    """Judge by another margin of equality than `MARGIN` within the block, to see what depends on it.

    >>> with equality_margin(0.02):
    ...     equivalence(0.012, 0.004)
    'equal'
    """
    token = _margin.set(margin)
    try:
        yield
    finally:
        _margin.reset(token)


def margin() -> float:
    """Give the margin of equality: `MARGIN`, or that of the surrounding `equality_margin`."""
    return _margin.get()


def equivalence(difference: float, half_width: float, is_significant: bool | None = None) -> Equivalence:
    """Judge whether two means are equal: the one rule of equality of this book.

    "Comparable", "close", "almost identical", "agrees" and "the same" all mean *equal*: the whole 95 %
    interval of the difference lies within the margin of 0.01. Two means are *different* if the difference is
    significant and larger than the margin. All else is *undecided*: the results are too few to tell. A
    difference that is significant and lies within the margin with its whole interval is too small to matter,
    and counts as equal.

    The half-width, of the 95 % interval, is NaN if it is unknown. `is_significant` says whether the
    difference is so after a correction for several tests; None if it is tested alone, so that its own
    interval decides.

    >>> equivalence(0.004, 0.003), equivalence(0.03, 0.01), equivalence(0.004, 0.02)
    ('equal', 'different', 'undecided')
    """
    size, limit = abs(difference), margin() + ROUNDING
    if size + half_width <= limit:
        return "equal"
    if is_significant is None:
        is_significant = size > half_width
    return "different" if is_significant and size > limit else "undecided"


def outcome(difference: float, half_width: float, is_significant: bool | None = None) -> Outcome:
    """Say what a difference means for the first of two algorithms: `equivalence`, with its direction.

    >>> outcome(0.03, 0.01), outcome(-0.03, 0.01), outcome(0.004, 0.003)
    ('better', 'worse', 'equal')
    """
    found = equivalence(difference, half_width, is_significant)
    if found == "different":
        return "better" if difference > 0 else "worse"
    return found


def outcomes(rows: pd.DataFrame, family: list[str] | None = None) -> pd.Series:
    """Give the `outcome` of each comparison, with Holm's correction within each `family` of rows, if any."""
    is_sure: Any = repeat(None, len(rows))
    if family:
        is_sure = rows.groupby(family)["p_value"].transform(holm) < LEVEL
    each = zip(rows["difference"], rows["half_width"], is_sure, strict=True)
    return pd.Series([outcome(*one) for one in each], rows.index)


def mean_against_zero(values: Iterable[float]) -> Compared:
    """Compare a mean over independent cases, such as data sets or streams, with 0: t interval and t-test."""
    found = np.asarray(list(values), float)
    return compared(found, np.zeros_like(found), n_train=1, n_test=0)


def holm(p_values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Correct p-values for their number, by Holm (1979).

    If there is nothing to be found, the chance that one of them is below 0.05 is below 0.05.

    Examples
    --------
    >>> holm([0.02, 0.3, 0.01]).round(2).tolist()
    [0.04, 0.3, 0.03]
    """
    p = np.asarray(p_values, float)
    order = p.argsort(kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1)
    return corrected


def unless_one_run(found: Compared, a: npt.ArrayLike, b: npt.ArrayLike) -> Compared:
    """Give a comparison, without tests if neither algorithm ever varies and they differ.

    Such are deterministic algorithms on a supplied split, whose repetitions are one run that nothing tests.
    """
    is_one_run = np.ptp(a) == np.ptp(b) == 0 and abs(found.difference) > ROUNDING
    return NOTHING._replace(difference=found.difference) if is_one_run else found


def half_width_beside_print(accuracies: pd.Series) -> float:
    """Half the 95 % interval of our mean minus a printed one; NaN if there is one split only.

    Both are taken as means over random splits of the same data, though ours on Synthetic1 to 3 are of fresh
    draws. The spread of the printed ones is unknown and taken to be that of ours. What varies independently
    are whole cross-validations: each tests every example once. So the difference has the variance s²(1/R +
    1/10), where s is the standard deviation of the means of our R cross-validations. With fewer than five of
    them, s is that of our n splits, which vary more, and the variance s²(1/n + 1/50).

    >>> runs = pd.MultiIndex.from_product([range(10), range(5)], names=["repetition", "fold"])
    >>> of_repetition = [0.80, 0.82] * 5
    >>> accuracies = pd.Series([value for value in of_repetition for _ in range(5)], runs)
    >>> round(half_width_beside_print(accuracies), 4)
    0.0107
    """
    repetitions = accuracies.groupby(level="repetition").mean()
    is_enough = len(repetitions) >= ENOUGH_REPETITIONS
    values, n_printed = (repetitions, PRINTED_REPETITIONS) if is_enough else (accuracies, PRINTED_SPLITS)
    n = len(values)
    if n < 2:
        return math.nan
    error = float(values.std(ddof=1)) * math.sqrt(1 / n + 1 / n_printed)
    return float(scipy.stats.t.isf(LEVEL / 2, n - 1)) * error


def cell_verdict(ours: float, half_width: float, printed: float) -> CellVerdict:
    """Judge a printed accuracy by the rule of equality.

    "agrees", "differs" or "undecided", as `equivalence` finds the two equal, different or neither, apart from
    the rounding of the printed value. "not run" and "no printed value" if there is nothing to compare: NaN.

    >>> cell_verdict(0.872, 0.004, 0.877), cell_verdict(0.872, 0.004, 0.887), cell_verdict(0.872, 0.02, 0.877)
    ('agrees', 'differs', 'undecided')
    """
    if math.isnan(ours):
        return "not run"
    if math.isnan(printed):
        return "no printed value"
    apart = max(abs(ours - printed) - PRINTED_ROUNDING, 0.0)
    return _VERDICTS[equivalence(apart, half_width)]


_VERDICTS: dict[Equivalence, CellVerdict] = {
    "equal": "agrees",
    "different": "differs",
    "undecided": "undecided",
}
