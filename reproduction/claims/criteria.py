"""Questions that several checks ask of their evidence.

A comparison of two algorithms is a DataFrame with a row for each data set, or for each number of
training examples, and the columns of a `Contrast`: the `difference` of the mean accuracies, first
minus second, the `half_width` of its 95 % interval (a paired t interval over the splits), and the
`p_value` and `mark` of Welch's t-test at 0.05, which is the thesis's kind of test.

**Comparable.** The documents use this word with their t-test. Two algorithms are comparable in a row
if the test finds no difference and the interval lies within ±0.01. The second condition is about
power: on few splits no test finds anything. Where the test finds a difference, they are not
comparable, however small it is. Where it finds none and the interval reaches beyond ±0.01, the row is
undecided.

**Many tests.** Of forty tests at 0.05, two are expected to be significant by chance. A claim that
something is so nowhere, or everywhere except in some rows, is therefore refuted only by a difference that
is still significant after Holm's correction over all rows that the claim concerns. It holds if no row
contradicts it even without the correction, and no row is undecided. Otherwise it is undecided. A claim
that something is so in some rows is the opposite and is judged accordingly. "All rows significantly
better" needs no correction: each row has to pass its own test.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.stats

from oza.evaluation.significance import LEVEL, ROUNDING, Contrast, mark, paired

from ..studies.statistics import TOLERANCE


def above_zero(values: Iterable[float]) -> bool | None:
    """Whether a mean is significantly above 0 (True), below it (False) or neither (None): t-test at 0.05."""
    found = np.asarray(list(values), float)
    zeros = np.zeros_like(found)
    return {"better": True, "worse": False}.get(mark(found, zeros, paired(found, zeros)))


def usual(cases: Iterable[bool]) -> bool | None:
    """Whether something is so in most cases (True), in few (False) or neither: sign test at 0.05."""
    found = list(cases)
    p_value = scipy.stats.binomtest(sum(found), len(found)).pvalue
    return None if p_value >= LEVEL else 2 * sum(found) > len(found)


def every(parts: Iterable[bool | None]) -> bool | None:
    """Whether all parts of a claim hold: not if one fails; undecided if one is."""
    found = list(parts)
    return False if False in found else None if None in found else True


#: How work is counted: updates of base models, and these and their classifications together.
COUNTS = ("updates", "operations")


def agreed(answers: Iterable[bool]) -> bool | None:
    """Give the answer of several ways of counting; None (undecided) if they disagree."""
    found = set(answers)
    return bool(found.pop()) if len(found) == 1 else None


def vanishes(values: pd.Series) -> bool:
    """Whether a positive sequence falls from its peak at least as fast as N to the power −1/4."""
    tail = values.loc[values.idxmax() :]
    if len(tail) < 2:
        return False
    slowest = tail.iloc[0] * (tail.index[0] / tail.index[-1]) ** 0.25
    return bool(tail.is_monotonic_decreasing and tail.iloc[-1] <= slowest)


def outside_band(values: pd.DataFrame) -> tuple[bool, float]:
    """Whether simulated values contradict exact ones, and the largest distance in standard errors.

    Parameters
    ----------
    values : DataFrame
        Columns exact, estimate and standard_error. The band is the two-sided normal one that covers
        all rows with probability 0.999; without sampling error, only rounding is allowed for.
    """
    gap = (values["estimate"] - values["exact"]).abs()
    varies = values["standard_error"] > 1e-9
    z = (gap[varies] / values["standard_error"][varies]).max() if varies.any() else 0.0
    band = scipy.stats.norm.isf(0.0005 / len(values))
    return bool(z > band or (gap[~varies] > 1e-9).any()), float(z)


#: Numbers of data sets on which the first algorithm is better and worse, and its mean gain.
Tally = tuple[int, int, float]


def tally(comparison: pd.DataFrame) -> Tally | None:
    """Count the data sets on which the first algorithm is significantly better, and worse; mean gain.

    Parameters
    ----------
    comparison : DataFrame
        One row a data set: `difference` of the mean accuracies, first minus second, and `mark`
        ("better", "worse", "none", "unknown") by Welch's t-test at 0.05.

    Returns
    -------
    (n_better, n_worse, mean_difference) or None
        None if fewer than two data sets were tested.
    """
    tested = comparison[comparison["mark"] != "unknown"]
    if len(tested) < 2:
        return None
    marks = tested["mark"].value_counts()
    return int(marks.get("better", 0)), int(marks.get("worse", 0)), float(tested["difference"].mean())


def overall_better(comparison: pd.DataFrame) -> tuple[bool | None, str]:
    """Decide whether the first algorithm is better overall.

    It is if it is significantly better on more data sets than it is significantly worse on, and its
    mean accuracy over the data sets is higher.
    """
    counted = tally(comparison)
    if counted is None:
        return None, "needs two data sets or more with two splits or more"
    better, worse, gain = counted
    return better > worse and gain > 0, _in_words(comparison, counted)


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


#: For each row of a comparison whether something is so (True), is not so (False), or is undecided (None).
Known = list[bool | None]


def differs(comparison: pd.DataFrame) -> Known:
    """Whether two algorithms differ: significantly by Holm's correction; not, if they are comparable."""
    reach = comparison["difference"].abs() + comparison["half_width"]
    return _known(comparison, comparison["mark"] != "none", reach)


def better(comparison: pd.DataFrame) -> Known:
    """Whether the first algorithm is better: significantly, by Holm's correction.

    It is not if the test does not say so and the interval leaves no room for a gain of more than 0.01.
    """
    reach = comparison["difference"] + comparison["half_width"]
    return _known(
        comparison, comparison["mark"] == "better", reach.where(comparison["mark"] != "worse", -np.inf)
    )


def _known(comparison: pd.DataFrame, is_marked: pd.Series, reach: pd.Series) -> Known:
    is_sure = holm(comparison["p_value"]) < LEVEL
    is_small = (reach <= TOLERANCE + ROUNDING) & ~is_marked
    return [
        True if sure else False if small else None
        for sure, small in zip(is_marked & is_sure, is_small, strict=True)
    ]


def not_better(comparison: pd.DataFrame) -> Known:
    """Whether the first algorithm fails to be significantly better, each row tested for itself."""
    is_marked = comparison["mark"] == "better"
    known = better(comparison)
    return [
        False if marked else True if is_it is False else None
        for marked, is_it in zip(is_marked, known, strict=True)
    ]


def exchanged(comparison: pd.DataFrame) -> pd.DataFrame:
    """Compare the second algorithm with the first."""
    marks = comparison["mark"].replace({"better": "worse", "worse": "better"})
    return comparison.assign(difference=-comparison["difference"], mark=marks)


def nowhere(known: Sequence[bool | None], exceptions: int = 0) -> bool | None:
    """Whether something is so nowhere, or in no more rows than these."""
    if known.count(True) > exceptions:
        return False
    return True if known.count(True) + known.count(None) <= exceptions else None


def somewhere(known: Sequence[bool | None]) -> bool | None:
    """Whether something is so in at least one row."""
    nothing = nowhere(known)
    return None if nothing is None else not nothing


def comparable(comparison: pd.DataFrame) -> tuple[bool | None, str]:
    """Decide whether two algorithms perform comparably: on all data sets but one in ten at most."""
    rows = comparison[comparison["mark"] != "unknown"]
    if len(rows) < 2:
        return None, "needs two data sets or more with two splits or more"
    found = differs(rows)
    return nowhere(found, len(rows) // 10), f"{places(rows, found)}; {mean_difference(rows)}"


def places(rows: pd.DataFrame, known: Known, what: str = "differ") -> str:
    """Say in which rows something is so, and in which it is undecided."""
    labels = rows.index.get_level_values("dataset") if "dataset" in rows.index.names else rows.index

    def listed(answer: bool | None) -> str:
        found = dict.fromkeys(str(label) for label, k in zip(labels, known, strict=True) if k is answer)
        return ", ".join(found) or "none"

    return (
        f"{what} on {known.count(True)} of {len(known)}: {listed(True)}; undecided on {known.count(None)}: "
        f"{listed(None)}"
    )


def mean_difference(rows: pd.DataFrame) -> str:
    """Say how much more accurate the first algorithm is in the mean."""
    return f"mean difference {rows['difference'].mean():+.4f}"


def _in_words(comparison: pd.DataFrame, counted: Tally) -> str:
    better, worse, gain = counted
    n_tested = int((comparison["mark"] != "unknown").sum())
    return f"better on {better}, worse on {worse} of {n_tested} data sets; mean difference {gain:+.4f}"


def rate(values: pd.Series) -> float:
    """Exponent a of the power law Nᵃ that fits a series best, on logarithmic scales.

    Zero has no logarithm. A series that is zero throughout has the exponent −∞; a zero at the end counts
    as half of the smallest value before it; other zeros are left out.

    Examples
    --------
    >>> round(rate(pd.Series([1.0, 0.5, 0.25], index=[100, 400, 1600])), 3)
    -0.5
    >>> round(rate(pd.Series([1.0, 0.5, 0.0], index=[100, 400, 1600])), 3)
    -0.5
    """
    positive = values[values > 0]
    if positive.empty:
        return -math.inf
    if values.iloc[-1] == 0:
        positive = pd.concat([positive, pd.Series([positive.min() / 2], values.index[-1:])])
    if len(positive) < 2:
        return 0.0
    sizes = positive.index.to_numpy(float)
    return float(np.polyfit(np.log(sizes), np.log(positive.to_numpy(float)), 1)[0])


def counted(cells: pd.DataFrame) -> pd.DataFrame:
    """Select the cells of accuracies that have a result and are not reported separately."""
    return cells[cells["mean"].notna() & (cells["verdict"] != "excluded")]


def tested(cells: pd.DataFrame) -> pd.DataFrame:
    """Select those of them that were tested against a single model."""
    found = counted(cells)
    is_single = found.index.get_level_values("algorithm").str.contains("single")
    return found[~is_single & (found["welch"] != "unknown")]


def beside(cells: pd.DataFrame, reference: str, *algorithms: str) -> pd.DataFrame:
    """Compare algorithms of a table with their `reference`: "single", or "other", batch against online."""
    rows = counted(cells)
    rows = rows[rows.index.isin(algorithms, level="algorithm")]
    found = rows[[f"{reference}_{field}" for field in Contrast._fields]].set_axis([*Contrast._fields], axis=1)
    return found[found["mark"] != "unknown"]


def loss(cells: pd.DataFrame, a: str, b: str) -> pd.Series:
    """How much less accurate `b` is than `a`, on each data set; those with least training data first."""
    found = counted(cells)
    means = found["mean"].unstack("algorithm")
    if not {a, b} <= set(means):
        return pd.Series(dtype=float)
    sizes = found["n_train"].groupby(level="dataset").max()
    gaps = (means[a] - means[b]).dropna()
    return gaps.loc[sizes[gaps.index].sort_values(kind="stable").index]


def halves(gaps: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Losses on the smaller and on the larger data sets."""
    middle = len(gaps) // 2
    return gaps.iloc[:middle], gaps.iloc[middle:]


def names(datasets: Iterable[str]) -> str:
    """List data sets in a sentence."""
    return ", ".join(sorted(set(datasets))) or "none"
