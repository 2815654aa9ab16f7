"""How much classifiers differ: kappa, Q, disagreement, double fault, and the points of a κ–error diagram.

The measures of a pair take the predictions of two classifiers for the same examples, as returned by
`predict`, or two columns of what `predict_each` of an ensemble returns; those that count errors take the
true classes too (Kuncheva and Whitaker 2003).
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from .columns.validation import as_array, refuse_mixture

__all__ = ["disagreement", "double_fault", "kappa", "kappa_error", "mean_of_pairs", "q_statistic"]


def kappa(a, b) -> float:
    """Agreement beyond chance: (p − e)/(1 − e), with p the share of equal predictions and e its expectation.

    Parameters
    ----------
    a, b : array-like of shape (n_samples,)
        Predictions of two classifiers.

    Returns
    -------
    float
        1 if all are equal; 0 if as many are equal as by chance, given how often each class is predicted; 1
        also if both predict the same single class.

    References
    ----------
    D. D. Margineantu and T. G. Dietterich, *Pruning Adaptive Boosting*, ICML 1997.

    Examples
    --------
    >>> from oza.diversity import kappa
    >>> kappa([0, 0, 1, 1], [0, 0, 1, 1]), kappa([0, 0, 1, 1], [0, 1, 0, 1])
    (1.0, 0.0)
    """
    first, second = _checked(a, b)
    classes = np.union1d(first, second)
    expected = float(sum(np.mean(first == c) * np.mean(second == c) for c in classes))
    agreed = float(np.mean(first == second))
    return 1.0 if expected == 1.0 else (agreed - expected) / (1.0 - expected)


def disagreement(a, b) -> float:
    """Share of the examples for which two classifiers predict different classes.

    Parameters
    ----------
    a, b : array-like of shape (n_samples,)
        Predictions of two classifiers.

    Returns
    -------
    float

    Examples
    --------
    >>> from oza.diversity import disagreement
    >>> disagreement([0, 0, 1, 1], [0, 1, 0, 1])
    0.5
    """
    first, second = _checked(a, b)
    return float(np.mean(first != second))


def double_fault(a, b, y) -> float:
    """Share of the examples that both classifiers misclassify.

    Parameters
    ----------
    a, b : array-like of shape (n_samples,)
        Predictions of two classifiers.
    y : array-like of shape (n_samples,)
        True classes.

    Returns
    -------
    float

    Examples
    --------
    >>> from oza.diversity import double_fault
    >>> double_fault([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0])
    0.25
    """
    first, second, truth = _checked(a, b, y)
    return float(np.mean((first != truth) & (second != truth)))


def q_statistic(a, b, y) -> float:
    """Yule's Q of being right: 0 for independent errors, above 0 if the same examples are misclassified.

    Parameters
    ----------
    a, b : array-like of shape (n_samples,)
        Predictions of two classifiers.
    y : array-like of shape (n_samples,)
        True classes.

    Returns
    -------
    float
        (N₁₁N₀₀ − N₁₀N₀₁)/(N₁₁N₀₀ + N₁₀N₀₁), with N₁₁ the number of examples on which both are right;
        NaN if both products are 0.

    Examples
    --------
    >>> from oza.diversity import q_statistic
    >>> q_statistic([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0])
    0.0
    """
    first, second, truth = _checked(a, b, y)
    right, also_right = first == truth, second == truth
    alike = int((right & also_right).sum()) * int((~right & ~also_right).sum())
    unlike = int((right & ~also_right).sum()) * int((~right & also_right).sum())
    return (alike - unlike) / (alike + unlike) if alike + unlike else np.nan


def mean_of_pairs(measure: Callable[..., float], predictions, *y) -> float:
    """Mean of a measure over all pairs of classifiers.

    Parameters
    ----------
    measure : callable
        One of the measures of this module.
    predictions : array-like of shape (n_samples, n_classifiers)
        As returned by `predict_each`.
    *y : array-like of shape (n_samples,)
        True classes, for the measures that take them.

    Returns
    -------
    float

    Examples
    --------
    >>> from oza.diversity import disagreement, mean_of_pairs
    >>> mean_of_pairs(disagreement, [[0, 0, 1], [1, 1, 1]])
    0.3333333333333333
    """
    return float(np.mean([measure(a, b, *y) for a, b in combinations(_table(predictions), 2)]))


def kappa_error(predictions, y) -> pd.DataFrame:
    """Points of a κ–error diagram: for each pair of classifiers their kappa and the mean of their errors.

    Parameters
    ----------
    predictions : array-like of shape (n_samples, n_classifiers)
        As returned by `predict_each`.
    y : array-like of shape (n_samples,)
        True classes.

    Returns
    -------
    DataFrame
        Columns first, second (numbers of the classifiers), kappa and error.

    Examples
    --------
    >>> from oza.diversity import kappa_error
    >>> kappa_error([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]).round(2).values.tolist()
    [[0.0, 1.0, 0.0, 0.25]]
    """
    columns = _table(predictions)
    _, truth = _checked(columns[0], y)
    errors = [float(np.mean(column != truth)) for column in columns]
    rows = [
        (i, j, kappa(columns[i], columns[j]), (errors[i] + errors[j]) / 2)
        for i, j in combinations(range(len(columns)), 2)
    ]
    return pd.DataFrame(rows, columns=["first", "second", "kappa", "error"])


def _table(predictions: Any) -> list[np.ndarray]:
    found = as_array("predictions", predictions)
    if found.ndim != 2 or found.shape[1] < 2:
        raise ValueError(
            "predictions must have a row for each example and a column for each of two or more classifiers; "
            f"got the shape {found.shape}."
        )
    return list(found.T)


def _checked(*predictions: Any) -> list[np.ndarray]:
    """Arrays of predictions, all of one length and one kind, none missing."""
    name = "a list of predictions or classes"
    found = [as_array(name, each) for each in predictions]
    length = len(found[0]) if found[0].ndim else 0
    for each in found:
        if each.ndim != 1 or len(each) != length or length == 0:
            raise ValueError(
                f"predictions and true classes must be of one length, at least 1; got the shape {each.shape} "
                f"beside {length}."
            )
        if each.dtype.kind in "fcmMO" and (is_missing := pd.isna(each)).any():
            raise ValueError(f"{name} has a missing value in row {is_missing.argmax()}; leave the row out.")
        refuse_mixture(name, found[0], pd.unique(each) if each.dtype == object else each[:1])
    return found
