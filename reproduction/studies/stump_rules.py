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

    A test of a nominal column compares with one value if `binary`, else it has a branch for each value.
    `n_columns` columns, from the first on, may be tested; None means all. `numeric` is the mask of those
    tested by thresholds.

    >>> from oza.datasets import load_dataset
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
        self.classes_, labels = np.unique(y, return_inverse=True)
        of_all = np.bincount(labels)
        most = -np.inf
        for column in range(X.shape[1])[: self.n_columns]:
            values, counts = _counts(X[:, column], labels, len(self.classes_))
            for test, branches in self._tests(column, values, counts):
                score = _score(self.rule, branches)
                if score > most + 1e-12:  # smaller differences are rounding errors
                    most, self.test_, leaves = score, test, branches
        self.leaves_ = np.where(leaves.any(axis=1), leaves.argmax(axis=1), of_all.argmax())
        return self

    def predict(self, X):
        return self.classes_[self.leaves_[_branch(X, self.test_)]]

    def _tests(
        self, column: int, values: npt.NDArray[Any], counts: npt.NDArray[np.float64]
    ) -> Iterator[tuple[tuple[str, int, npt.NDArray[Any]], npt.NDArray[np.float64]]]:
        """Tests of a column, each with its counts, of shape (branches, classes)."""
        of_all = counts.sum(axis=0)
        if self.numeric is not None and self.numeric[column]:
            below = counts.cumsum(axis=0)
            for k in range(len(values) - 1):
                yield ("threshold", column, values[k : k + 1]), np.array([below[k], of_all - below[k]])
        elif self.binary:
            for k in range(len(values)):
                yield ("value", column, values[k : k + 1]), np.array([of_all - counts[k], counts[k]])
        else:
            yield ("values", column, values), np.vstack([counts, np.zeros_like(of_all)])


def _counts(
    column: npt.NDArray[Any], labels: npt.NDArray[np.intp], n_classes: int
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Values of a column, sorted, and how many examples of each class have them."""
    if column.dtype.kind == "i" and column.min() >= 0:  # codes, which need not be sorted first
        values, codes = np.arange(column.max() + 1), column
    else:
        values, codes = np.unique(column, return_inverse=True)
    counts = np.bincount(codes * n_classes + labels, minlength=len(values) * n_classes)
    counts = counts.reshape(len(values), n_classes).astype(float)
    occurs = counts.any(axis=1)
    return values[occurs], counts[occurs]


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
