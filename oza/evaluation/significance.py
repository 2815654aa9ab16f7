"""Tests of significance for the accuracies of two algorithms, one number for each split or data set."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from ..kernels.random import key_of

__all__ = [
    "Chances",
    "Compared",
    "Contrast",
    "compared",
    "compared_splits",
    "contrast",
    "corrected_resampled",
    "mark",
    "paired",
    "signed_rank",
    "standard_error",
    "welch",
]

LEVEL = 0.05  # significance level of the thesis's t-test, section 3.5.2
ROUNDING = 1e-12  # 0.76 - 0.75 is slightly more than 0.01 in binary

Mark = Literal["better", "worse", "none", "unknown"]

Values = Sequence[float] | np.ndarray


def standard_error(values: Values) -> float:
    """Standard error of the mean.

    Parameters
    ----------
    values : array-like of shape (n,)

    Returns
    -------
    float
        NaN for fewer than two values.

    Examples
    --------
    >>> from oza.evaluation.significance import standard_error
    >>> round(standard_error([0.7, 0.8, 0.9]), 4)
    0.0577
    """
    values = np.asarray(values, float)
    return float(scipy.stats.sem(values)) if len(values) > 1 else math.nan


def welch(a: Values, b: Values) -> float:
    """p-value of Welch's unpaired t-test, which the thesis uses (section 3.5.2).

    It treats splits that share training examples as independent, and so finds differences too often.

    Parameters
    ----------
    a, b : array-like
        Accuracies of two algorithms, one number for each split.

    Returns
    -------
    float
        1 or 0 if both are constant; NaN if one has fewer than two values.

    Examples
    --------
    >>> from oza.evaluation.significance import welch
    >>> round(welch([0.91, 0.92, 0.90], [0.90, 0.92, 0.89]), 3)
    0.567
    """
    if _cannot_vary(a, b):
        return _certainty(a, b)
    moments = [moment for x in (a, b) for moment in (np.mean(x), np.std(x, ddof=1), np.size(x))]
    return float(scipy.stats.ttest_ind_from_stats(*moments, equal_var=False).pvalue)


def paired(a: Values, b: Values) -> float:
    """p-value of the paired t-test over splits.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Accuracies of two algorithms on the same splits, in the same order.

    Examples
    --------
    >>> from oza.evaluation.significance import paired
    >>> round(paired([0.91, 0.92, 0.90], [0.90, 0.92, 0.89]), 3)
    0.184
    """
    return corrected_resampled(a, b, n_train=1, n_test=0)


def corrected_resampled(a: Values, b: Values, n_train: float, n_test: float) -> float:
    """p-value of the paired t-test corrected for overlapping training sets.

    Nadeau and Bengio (2003) multiply the variance of the differences by 1/n + n_test/n_train
    instead of 1/n.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Accuracies of two algorithms on the same splits, in the same order.
    n_train, n_test : float
        Training and test examples of a split; their mean if splits differ.

    Returns
    -------
    float
        1 or 0 if all differences are equal; NaN for fewer than two splits.

    References
    ----------
    C. Nadeau and Y. Bengio, *Inference for the Generalization Error*, Machine Learning 52, 2003.

    Examples
    --------
    >>> from oza.evaluation.significance import corrected_resampled
    >>> round(corrected_resampled([0.91, 0.92, 0.90], [0.90, 0.92, 0.89], 400, 100), 3)
    0.27
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


def signed_rank(differences: Values, rope: float = 0.01) -> Chances:
    """Compare two algorithms over data sets by the Bayesian signed-rank test.

    Benavoli et al. (2014, 2017): the weights of the data sets have a Dirichlet distribution, with an
    additional difference of 0 as prior; for each draw of weights it is determined whether the mean of
    two differences is most often below, within, or above the region of practical equivalence.

    Parameters
    ----------
    differences : array-like
        Accuracy of the first algorithm minus that of the second, one number for each data set.
    rope : float, default=0.01
        Differences up to this size are practically equivalent.

    Examples
    --------
    >>> from oza.evaluation.significance import signed_rank
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
    >>> from oza.evaluation.significance import mark, welch
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
    >>> from oza.evaluation.significance import contrast
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
