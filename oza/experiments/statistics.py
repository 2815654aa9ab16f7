"""Statistics of results: means, standard errors, tests of significance, verdicts on printed cells.

Values are accuracies, one number for each split; several orders of one training set are averaged
first, since they are not independent.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from .._random import key_of

LEVEL = 0.05  # significance level of the thesis's t-test, section 3.5.2
TOLERANCE = 0.01  # largest deviation from a printed accuracy, unless chance allows more
PRINTED_SPLITS = 50  # of a printed mean: ten five-fold cross-validations, section 3.5.2
PRINTED_ROUNDING = 0.00005  # printed accuracies have four digits
ROUNDING = 1e-12  # 0.76 - 0.75 is slightly more than 0.01 in binary

Mark = Literal["better", "worse", "none", "unknown"]
CellVerdict = Literal["agrees", "differs", "no printed value", "not run"]

Values = Sequence[float] | np.ndarray

_CELL = ["dataset", "base_model", "algorithm"]
_SPLIT = ["repetition", "fold"]


def split_accuracies(results: pd.DataFrame) -> pd.DataFrame:
    """Accuracy on each split, averaged over orders.

    Parameters
    ----------
    results : DataFrame
        Rows as `load_results` returns them.

    Returns
    -------
    DataFrame
        Columns `accuracy`, `n_train` and `n_test`; indexed by data set, base model, algorithm,
        repetition and fold.
    """
    rows = results.assign(accuracy=results["n_correct"] / results["n_test"])
    return rows.groupby(_CELL + _SPLIT)[["accuracy", "n_train", "n_test"]].mean()


def standard_error(values: Values) -> float:
    """Standard error of the mean; NaN for fewer than two values."""
    values = np.asarray(values, float)
    return float(scipy.stats.sem(values)) if len(values) > 1 else math.nan


def welch(a: Values, b: Values) -> float:
    """p-value of Welch's unpaired t-test."""
    if _cannot_vary(a, b):
        return _certainty(a, b)
    moments = [moment for x in (a, b) for moment in (np.mean(x), np.std(x, ddof=1), np.size(x))]
    return float(scipy.stats.ttest_ind_from_stats(*moments, equal_var=False).pvalue)


def paired(a: Values, b: Values) -> float:
    """p-value of the paired t-test over splits."""
    return corrected_resampled(a, b, n_train=1, n_test=0)


def corrected_resampled(a: Values, b: Values, n_train: float, n_test: float) -> float:
    """p-value of the paired t-test corrected for overlapping training sets.

    Nadeau and Bengio (2003) multiply the variance of the differences by 1/n + n_test/n_train
    instead of 1/n.
    """
    difference = np.subtract(a, b)
    zeros = np.zeros_like(difference)
    if _cannot_vary(difference, zeros):
        return _certainty(difference, zeros)
    n = len(difference)
    t = difference.mean() / math.sqrt((1 / n + n_test / n_train) * difference.var(ddof=1))
    return float(2 * scipy.stats.t.sf(abs(t), n - 1))


def _cannot_vary(a: Values, b: Values) -> bool:
    """Whether a t-test is undefined: fewer than two values, or all equal."""
    return min(np.size(a), np.size(b)) < 2 or max(np.ptp(a), np.ptp(b)) < ROUNDING


def _certainty(a: Values, b: Values) -> float:
    """p-value of two constants: 1 if they are equal, else 0; NaN for fewer than two values."""
    if min(np.size(a), np.size(b)) < 2:
        return math.nan
    return 1.0 if abs(np.mean(a) - np.mean(b)) < ROUNDING else 0.0


_DRAWS = 50_000
_PRIOR = 0.5  # weight of the prior's single pseudo-difference, 0 (Benavoli et al. 2017, section 4.2)


class Chances(NamedTuple):
    """Probabilities that the first algorithm is worse, practically equal, better."""

    worse: float
    equal: float
    better: float


def signed_rank(differences: Values, rope: float = TOLERANCE) -> Chances:
    """Compare two algorithms over data sets by the Bayesian signed-rank test.

    Benavoli et al. (2014, 2017): the weights of the data sets have a Dirichlet distribution, with an
    additional difference of 0 as prior; for each draw of weights it is determined whether the mean of
    two differences is most often below, within, or above the region of practical equivalence.

    Parameters
    ----------
    differences : array-like
        Accuracy of the first algorithm minus that of the second, one number for each data set.
    rope : float, default=0.01
        Differences up to this size are practically equivalent; the tolerance of the printed cells.

    Examples
    --------
    >>> from oza.experiments.statistics import signed_rank
    >>> chances = signed_rank([0.05, 0.08, 0.03, 0.06, 0.04, 0.11])
    >>> chances.better > 0.99
    True
    """
    z = np.concatenate([[0.0], np.asarray(differences, float)])
    draws = np.random.default_rng(key_of("signed rank", len(z)))
    weights = draws.dirichlet([_PRIOR, *np.ones(len(z) - 1)], _DRAWS)
    walsh = np.add.outer(z, z) / 2
    parts = (walsh < -rope, np.abs(walsh) <= rope, walsh > rope)
    shares = np.stack([np.sum((weights @ part) * weights, axis=1) for part in parts])
    return Chances(*(np.bincount(shares.argmax(axis=0), minlength=3) / _DRAWS).tolist())


def mark(a: Values, b: Values, p_value: float) -> Mark:
    """Significance mark of `a` compared with `b`.

    Examples
    --------
    >>> from oza.experiments.statistics import mark, welch
    >>> a, b = [0.91, 0.92, 0.90], [0.71, 0.70, 0.72]
    >>> mark(a, b, welch(a, b)), mark(b, a, welch(b, a)), mark(a, a, welch(a, a))
    ('better', 'worse', 'none')
    """
    if math.isnan(p_value):
        return "unknown"
    if p_value >= LEVEL:
        return "none"
    return "better" if np.mean(a) > np.mean(b) else "worse"


class Contrast(NamedTuple):
    """Comparison of two algorithms on the same splits.

    Attributes
    ----------
    difference : float
        Mean accuracy of the first minus that of the second.
    half_width : float
        Half the 95 % interval of this difference: a paired t interval over the splits; NaN if there is
        one split only.
    p_value : float
        p-value of Welch's t-test, which the thesis uses.
    mark : str
        Result of that test at 0.05 for the first.
    """

    difference: float
    half_width: float
    p_value: float
    mark: Mark


def contrast(a: Values, b: Values) -> Contrast:
    """Compare accuracies on the same splits, in the same order.

    Examples
    --------
    >>> from oza.experiments.statistics import contrast
    >>> found = contrast([0.91, 0.92, 0.90], [0.71, 0.70, 0.73])
    >>> found.mark, round(found.difference, 4), round(found.half_width, 4)
    ('better', 0.1967, 0.0625)
    """
    differences = np.subtract(a, b)
    p_value = welch(a, b)
    n = len(differences)
    half_width = float(scipy.stats.t.isf(0.025, n - 1)) * standard_error(differences) if n > 1 else math.nan
    difference = float(differences.mean()) if n else math.nan
    return Contrast(difference, half_width, p_value, mark(a, b, p_value))


def tolerance(standard_error: float, n_splits: int) -> float:
    """Largest difference of our accuracy from a printed one with which they agree.

    Both are means over random splits. Standard errors of the printed ones do not survive, so their
    splits are assumed to vary as much as ours. The difference of the two means then has the variance
    s²(1/n + 1/50), where s is the standard deviation over our n splits. In 95 of 100 cases it is at most
    the t quantile for n − 1 degrees of freedom times the root of this variance. The tolerance is that
    or 0.01, whichever is larger, plus half a unit of the last printed digit.

    Parameters
    ----------
    standard_error : float
        Standard error of our mean; NaN if there is only one split, in which case 0.01 is used.
    n_splits : int
        Number of our splits.

    Examples
    --------
    >>> from oza.experiments.statistics import tolerance
    >>> round(tolerance(0.01, 50), 4), round(tolerance(0.01, 5), 4)
    (0.0285, 0.0292)
    >>> round(tolerance(0.001, 50), 5)
    0.01005
    """
    if math.isnan(standard_error):
        return TOLERANCE + PRINTED_ROUNDING
    of_difference = standard_error * math.sqrt(1 + n_splits / PRINTED_SPLITS)
    chance = float(scipy.stats.t.isf(LEVEL / 2, n_splits - 1)) * of_difference
    return max(TOLERANCE, chance) + PRINTED_ROUNDING


def verdict(ours: float, standard_error: float, n_splits: int, printed: float) -> CellVerdict:
    """Verdict on a printed accuracy.

    Parameters
    ----------
    ours, standard_error : float
        Our mean accuracy, and its standard error (NaN if there is only one split).
    n_splits : int
        Number of splits of our mean.
    printed : float
        The thesis's value, NaN if it is illegible.

    Returns
    -------
    str
        "agrees" if they differ by at most the `tolerance`, else "differs". "not run" and
        "no printed value" if there is nothing to compare.

    Examples
    --------
    >>> from oza.experiments.statistics import verdict
    >>> verdict(0.8721, 0.0100, 50, 0.8774), verdict(0.8721, 0.0020, 50, 0.8874)
    ('agrees', 'differs')
    """
    if math.isnan(ours):
        return "not run"
    if math.isnan(printed):
        return "no printed value"
    is_within = abs(ours - printed) <= tolerance(standard_error, n_splits) + ROUNDING
    return "agrees" if is_within else "differs"
