"""Decision trees that split by the Kolmogorov–Smirnov distance, as another program of 2001 might have."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from oza.extend import kernel


@kernel
def distance(passing, counts):
    """The largest difference between the shares of a class, and of all others, that pass a test."""
    most, n_passing, n_all = 0.0, passing.sum(), counts.sum()
    for k in range(len(counts)):
        rest = n_all - counts[k]
        if counts[k] > 0.0 and rest > 0.0:
            most = max(most, abs(passing[k] / counts[k] - (n_passing - passing[k]) / rest))
    return most


@kernel
def best_test(codes, labels, weights, rows, numeric, sizes, counts, least):
    """The attribute, −1 if there is none, and the value of the first test that scores highest."""
    best, attribute, value = 0.0, -1, -1
    for column in range(codes.shape[1]):
        of_values = np.zeros((sizes[column], len(counts)))
        for row in rows:
            of_values[codes[row, column], labels[row]] += weights[row]
        passing = np.zeros(len(counts))
        for code in range(sizes[column]):
            passing = passing + of_values[code] if numeric[column] else of_values[code]
            n = passing.sum()
            score = distance(passing, counts) if min(n, counts.sum() - n) >= least else 0.0
            if score > best:
                best, attribute, value = score, column, code
    return attribute, value


@kernel
def grow(codes, labels, weights, numeric, sizes, n_classes, least):
    """Grow a tree until no test is left: for each node its test, the class, and the first of two children."""
    tests, children = np.full((2 * len(labels), 2), -1), np.zeros((2 * len(labels), 2), np.int64)
    waiting, n_nodes = [(0, np.flatnonzero(weights > 0.0))], 1
    while len(waiting) > 0:
        node, rows = waiting.pop()
        counts = np.zeros(n_classes)
        for row in rows:
            counts[labels[row]] += weights[row]
        children[node, 0] = counts.argmax()
        attribute, value = best_test(codes, labels, weights, rows, numeric, sizes, counts, least)
        if attribute >= 0:
            tests[node], children[node, 1] = (attribute, value), n_nodes
            found = codes[rows, attribute]
            passes = found <= value if numeric[attribute] else found == value
            waiting.append((n_nodes, rows[~passes]))
            waiting.append((n_nodes + 1, rows[passes]))
            n_nodes += 2
    return tests[:n_nodes], children[:n_nodes]


@kernel
def descend(tests, children, numeric, codes):
    """The class of each row."""
    answers = np.empty(len(codes), np.int64)
    for row in range(len(codes)):
        node = 0
        while tests[node, 0] >= 0:
            attribute, value = tests[node]
            found = codes[row, attribute]
            passes = found <= value if numeric[attribute] else found == value
            node = children[node, 1] + (1 if passes else 0)
        answers[row] = children[node, 0]
    return answers


class KSTree(ClassifierMixin, BaseEstimator):
    """A tree of binary tests with the largest Kolmogorov–Smirnov distance, not pruned.

    A test compares a nominal column with one value, or a number with a threshold; both of its branches have
    at least `least` examples. A tree grows until no test is left with a distance above 0.

    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("balance", return_X_y=True)
    >>> round(KSTree(np.ones(4, bool)).fit(X, y).score(X, y), 3)
    0.909
    """

    def __init__(self, numeric, least=2):
        self.numeric = numeric
        self.least = least

    def fit(self, X, y, sample_weight=None):
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.values_ = [np.unique(column) for column in X.T]
        weights = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, float)
        sizes = np.array([len(values) for values in self.values_])
        grown = labels, weights, self.numeric, sizes, len(self.classes_), self.least
        self.tree_ = grow(self._codes(X), *grown)
        return self

    def predict(self, X):
        return self.classes_[descend(*self.tree_, self.numeric, self._codes(X))]

    def _codes(self, X):
        """Places of values among those learned: of a number the next larger one, of an unknown symbol −1."""
        places = np.stack([np.searchsorted(v, c) for v, c in zip(self.values_, X.T, strict=True)], axis=1)
        known = np.stack([np.isin(c, v) for v, c in zip(self.values_, X.T, strict=True)], axis=1)
        return np.where(known | self.numeric, places, -1)
