"""Tests of significance for the accuracies of two algorithms, one number for each split or data set."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from ..columns.validation import check_number, check_order
from ..kernels.random import key_of

__all__ = [
    "Chances",
    "Compared",
    "compared",
    "compared_splits",
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
    return float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan


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
    difference = _differences(a, b)
    check_number("n_train", n_train, 0)
    check_number("n_test", n_test, 0, ends="[)")
    if _cannot_vary(difference, difference):
        return _certainty(difference, 0 * difference)
    n = len(difference)
    t = difference.mean() / math.sqrt((1 / n + n_test / n_train) * difference.var(ddof=1))
    return float(2 * scipy.stats.t.sf(abs(t), n - 1))


def _differences(a: Values, b: Values) -> np.ndarray:
    """Differences of the accuracies on each split."""
    check_order(a, "a", b=b)
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"a and b must hold a number for each split; got shapes {a.shape} and {b.shape}.")
    return a - b


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
    z = np.append(0.0, np.asarray(differences, float))
    if np.ndim(differences) != 1 or len(z) == 1 or not np.isfinite(z).all():
        raise ValueError(f"differences must be one or more finite numbers, listed; got {differences!r:.60}.")
    check_number("rope", rope, 0, ends="[)")
    draws = np.random.default_rng(key_of("signed rank", len(z)))
    weights = draws.dirichlet([_PRIOR, *np.ones(len(z) - 1)], _DRAWS)
    walsh = np.add.outer(z, z) / 2
    parts = (walsh < -rope, np.abs(walsh) <= rope, walsh > rope)
    of_pairs = [np.einsum("di,ij->dj", weights, part.astype(float)) for part in parts]
    shares = np.sum(of_pairs * weights, axis=2)
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


class Compared(NamedTuple):
    """Comparison of two algorithms on the splits that both have.

    The interval and the test that decide are those of Nadeau and Bengio (2003): splits that share training
    examples are not independent, and a test that ignores this finds differences far too often.

    Attributes
    ----------
    difference : float
        Mean accuracy of the first minus that of the second.
    half_width : float
        Half the 95% interval of this difference, corrected for overlapping training sets; NaN if there
        is one split only.
    p_value : float
        p-value of the corrected resampled t-test.
    mark : str
        What this test says of the first at 0.05: "better", "worse" or "none" ("unknown" with fewer than
        two splits).
    welch, paired : str
        The same by Welch's t-test, the thesis's kind, and by the paired t-test. Neither is corrected.
    """

    difference: float
    half_width: float
    p_value: float
    mark: Mark
    welch: Mark
    paired: Mark


#: The comparison of two algorithms that have no split in common.
NOTHING = Compared(math.nan, math.nan, math.nan, "unknown", "unknown", "unknown")


def compared(a: Values, b: Values, n_train: float, n_test: float) -> Compared:
    """Compare accuracies on the same splits, in the same order.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Accuracies of two algorithms, one number for each split.
    n_train, n_test : float
        Training and test examples of a split; their mean if splits differ. `n_test=0` stands for
        independent samples, which need no correction.

    Examples
    --------
    >>> from oza.evaluation.significance import compared
    >>> found = compared([0.91, 0.92, 0.90], [0.71, 0.70, 0.73], n_train=400, n_test=100)
    >>> found.mark, round(found.difference, 4), round(found.half_width, 4)
    ('better', 0.1967, 0.0827)
    """
    differences = _differences(a, b)
    n = len(differences)
    if not n:
        return NOTHING
    p_values = (corrected_resampled(a, b, n_train, n_test), welch(a, b), paired(a, b))
    error = math.sqrt(1 / n + n_test / n_train) * np.std(differences, ddof=1) if n > 1 else math.nan
    return Compared(
        float(differences.mean()),
        float(scipy.stats.t.isf(LEVEL / 2, n - 1)) * float(error),
        p_values[0],
        *(mark(a, b, p_value) for p_value in p_values),
    )


def compared_splits(first: pd.DataFrame, second: pd.DataFrame) -> Compared:
    """Compare two algorithms on the splits that both have.

    Parameters
    ----------
    first, second : DataFrame
        Columns `accuracy`, `n_train` and `n_test`, indexed by split.
    """
    if not first.index.equals(second.index):
        both = first.index.intersection(second.index, sort=False)
        first, second = first.loc[both], second.loc[both]
    sizes = first["n_train"].mean(), first["n_test"].mean()
    return compared(first["accuracy"].to_numpy(), second["accuracy"].to_numpy(), *sizes)
