"""Effect of the number of tests of a node on pruning: a decision tree pruned outside its kernel.

If t tests separate the examples of a node, the description of its test costs log₂ t bits.
`DecisionTreeClassifier` counts a test for each value of a nominal column. If a node has two values of a
column, the two tests divide its examples in the same way and are one test: the count is up to twice too
high, and the cost up to one bit. Here the tree is pruned with either count.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin

from oza.models import DecisionTreeClassifier


class RecountedTree(ClassifierMixin, BaseEstimator):
    """Decision tree by gain ratio, pruned by description length, with the tests counted in one of two ways.

    With `same_once` the two tests of a column with two values in a node count as one. If not, the tree is
    that of ``DecisionTreeClassifier(prune=True)``. `is_leaf_` is the mask of the nodes of the unpruned tree
    that are leaves after pruning.

    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True)
    >>> trees = [RecountedTree(same_once, range(6)).fit(X, y) for same_once in (False, True)]
    >>> [round(tree.score(X, y), 4) for tree in trees]
    [0.9884, 0.9954]
    """

    def __init__(self, same_once=True, categorical_features="auto"):
        self.same_once = same_once
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Grow the whole tree, then prune it."""
        learned = np.ones(len(y), bool) if sample_weight is None else sample_weight > 0
        self._grown = DecisionTreeClassifier(categorical_features=self.categorical_features)
        self._grown.fit(X, y, sample_weight)
        self._tree = self._grown.tree_
        self.classes_ = self._grown.classes_
        self.is_leaf_ = self._tree.feature < 0
        tests = [self._n_tests(X[rows]) for rows in self._rows_of_each(X, np.flatnonzero(learned))]
        cost = np.empty(len(tests))
        for i in reversed(range(len(tests))):  # children come after their parents
            cost[i] = _cost_of_leaf(self._tree.class_weight[i])
            if not self.is_leaf_[i]:
                below = cost[self._tree.yes[i]] + cost[self._tree.no[i]]
                divided = math.log(2) + math.log(tests[i]) + below
                self.is_leaf_[i] = cost[i] <= divided
                cost[i] = min(cost[i], divided)
        return self

    def predict(self, X):
        """Class of each row; ties go to the first class."""
        answers = np.empty(len(X), self.classes_.dtype)
        for i, rows in enumerate(self._rows_of_each(X, np.arange(len(X)), self.is_leaf_)):
            if self.is_leaf_[i]:
                answers[rows] = self.classes_[self._tree.class_weight[i].argmax()]
        return answers

    def _n_tests(self, X: npt.NDArray[Any]) -> int:
        """Number of tests that separate the examples `X`."""
        n_values = 1 + (np.diff(np.sort(X, axis=0), axis=0) != 0).sum(axis=0)
        counts_all = self._grown.is_categorical_ & (n_values > (2 if self.same_once else 1))
        return int(np.where(counts_all, n_values, n_values - 1).sum())

    def _rows_of_each(
        self, X: npt.NDArray[Any], rows: npt.NDArray[np.intp], is_leaf: npt.NDArray[np.bool_] | None = None
    ) -> list[npt.NDArray[np.intp]]:
        """For each node the rows that reach it; none for nodes below leaves."""
        tree = self._tree
        found = [rows[:0]] * len(tree.feature)
        found[0] = rows
        for i, feature in enumerate(tree.feature):
            if feature < 0 or (is_leaf is not None and is_leaf[i]):
                continue
            column = X[found[i], feature]
            if tree.category[i] >= 0:
                values = self._grown.categories_[feature]
                passes = column == values[tree.category[i]]
                if not np.isin(column, values).all():  # an unknown value follows the heavier branch
                    yes_is_heavier = (
                        tree.class_weight[tree.yes[i]].sum() >= tree.class_weight[tree.no[i]].sum()
                    )
                    passes |= yes_is_heavier & ~np.isin(column, values)
            else:
                passes = column <= tree.threshold[i]
            found[tree.yes[i]], found[tree.no[i]] = found[i][passes], found[i][~passes]
        return found


def _cost_of_leaf(class_weight: npt.NDArray[np.float64]) -> float:
    """Description length of a leaf in nats: its mark, its class, and each misclassified example."""
    k, total = int((class_weight > 0).sum()), float(class_weight.sum())
    if k <= 1:
        return math.log(2)
    wrong = total - float(class_weight.max())
    return math.log(2) + math.log(k) + wrong * (math.log(total + 1) + math.log(k - 1))
