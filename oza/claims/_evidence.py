"""What several checks ask of their evidence."""

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
import scipy.stats

from ..experiments.statistics import LEVEL, mark, paired


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
    """What several ways of counting say; None (undecided) if they do not say the same."""
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


#: What speaks for one algorithm in a comparison over data sets.
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


def comparable(comparison: pd.DataFrame) -> tuple[bool | None, str]:
    """Decide whether two algorithms perform comparably.

    They do if they differ significantly on fewer than half of the data sets, and their mean
    accuracies over the data sets by less than 0.01.
    """
    counted = tally(comparison)
    if counted is None:
        return None, "needs two data sets or more with two splits or more"
    better, worse, gain = counted
    n_tested = int((comparison["mark"] != "unknown").sum())
    return 2 * (better + worse) < n_tested and abs(gain) < 0.01, _in_words(comparison, counted)


def _in_words(comparison: pd.DataFrame, counted: Tally) -> str:
    better, worse, gain = counted
    n_tested = int((comparison["mark"] != "unknown").sum())
    return f"better on {better}, worse on {worse} of {n_tested} data sets; mean difference {gain:+.4f}"


def rate(values: pd.Series) -> float:
    """Exponent a of the power law Nᵃ that fits a series best, on logarithmic scales.

    A logarithm of zero there is none. A series that is zero throughout has the exponent −∞; a zero at
    the end counts as half of the least value before; other zeros are left out.

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
    """Cells of accuracies that have a result and are not reported apart."""
    return cells[cells["mean"].notna() & (cells["verdict"] != "apart")]


def tested(cells: pd.DataFrame) -> pd.DataFrame:
    """Those of them that were tested against a single model."""
    found = counted(cells)
    is_single = found.index.get_level_values("algorithm").str.contains("single")
    return found[~is_single & (found["welch"] != "unknown")]


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


def marked(cells: pd.DataFrame, algorithm: str, mark: str) -> set[str]:
    """Data sets on which an algorithm has a mark against its single model."""
    found = tested(cells)
    is_it = (found.index.get_level_values("algorithm") == algorithm) & (found["welch"] == mark)
    return set(found[is_it].index.get_level_values("dataset"))


def names(datasets: Iterable[str]) -> str:
    """List data sets in a sentence."""
    return ", ".join(sorted(set(datasets))) or "none"
