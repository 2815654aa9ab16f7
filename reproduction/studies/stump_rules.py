"""Decision stumps by alternative rules, which the thesis's program may have used."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin

#: Criteria by which a test is chosen.
RULES = ("information gain", "gain ratio", "training error")


class RuleStump(ClassifierMixin, BaseEstimator):
    """A tree of one test, chosen by a given rule among given tests; each leaf has its majority class.

    Parameters
    ----------
    rule : {"information gain", "gain ratio", "training error"}
        Criterion that the chosen test optimises; the first in a tie.
    binary : bool, default=False
        Whether a test of a nominal column compares with one value; if not, it has a branch for each value.
    n_columns : int or None, default=None
        Number of columns, from the first on, that may be tested; None means all.
    numeric : array-like of shape (n_features,) or None, default=None
        Mask of the columns that are tested by thresholds; None means none.

    Examples
    --------
    >>> from oza.datasets import load_dataset
    >>> from reproduction.studies.stump_rules import RuleStump
    >>> X, y = load_dataset("nursery", return_X_y=True)
    >>> round(RuleStump("information gain").fit(X, y).score(X, y), 4)
    0.7097
    >>> round(RuleStump("information gain", n_columns=1).fit(X, y).score(X, y), 4)
    0.419
    """

    def __init__(self, rule="information gain", binary=False, n_columns=None, numeric=None):
        self.rule = rule
        self.binary = binary
        self.n_columns = n_columns
        self.numeric = numeric

    def fit(self, X, y):
        """Choose the test and the classes of its leaves."""
        self.classes_, labels = np.unique(y, return_inverse=True)
        of_all = np.bincount(labels)
        most = -np.inf
        for test in self._tests(X):
            branch = _branch(X, test)
            n_branches = len(test[2]) + 1 if test[0] == "values" else 2
            counts = np.zeros((n_branches, len(self.classes_)))
            np.add.at(counts, (branch, labels), 1.0)
            score = _score(self.rule, counts)
            if score > most + 1e-12:  # smaller differences are rounding errors
                most, self.test_, leaves = score, test, counts
        self.leaves_ = np.where(leaves.any(axis=1), leaves.argmax(axis=1), of_all.argmax())
        return self

    def predict(self, X):
        """Class of each row."""
        return self.classes_[self.leaves_[_branch(X, self.test_)]]

    def _tests(self, X: npt.NDArray[Any]) -> Iterator[tuple[str, int, npt.NDArray[Any]]]:
        numeric = np.zeros(X.shape[1], bool) if self.numeric is None else self.numeric
        for column in range(X.shape[1])[: self.n_columns]:
            values = np.unique(X[:, column])
            if numeric[column]:
                yield from (("threshold", column, values[k : k + 1]) for k in range(len(values) - 1))
            elif self.binary:
                yield from (("value", column, values[k : k + 1]) for k in range(len(values)))
            else:
                yield "values", column, values


def _branch(X: npt.NDArray[Any], test: tuple[str, int, npt.NDArray[Any]]) -> npt.NDArray[np.intp]:
    """Branch number of each row; if each value has a branch, unknown values have another one."""
    kind, column, values = test
    found = X[:, column]
    if kind == "threshold":
        return (found > values[0]).astype(np.intp)
    if kind == "value":
        return (found == values[0]).astype(np.intp)
    place = np.minimum(np.searchsorted(values, found), len(values) - 1)
    return np.where(values[place] == found, place, len(values))


def _score(rule: str, counts: npt.NDArray[np.float64]) -> float:
    """Score of a test with these counts, of shape (branches, classes); higher is better."""
    if rule == "training error":
        return float(counts.max(axis=1).sum())
    sizes = counts.sum(axis=1)
    gain = _entropy(counts.sum(axis=0)) - sum(
        n / sizes.sum() * _entropy(row) for n, row in zip(sizes, counts, strict=True) if n
    )
    information = _entropy(sizes) if rule == "gain ratio" else 1.0
    return gain / information if information > 0 else 0.0


def _entropy(counts: npt.NDArray[np.float64]) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
