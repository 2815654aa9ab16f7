"""Trees that split by the Kolmogorov–Smirnov distance, by the whole protocol of Table 3.3.

A search over variants of the trees, by another program and without online bags, came nearest to the printed
accuracies with this distance in place of the gain ratio, no pruning, and two examples in each branch: the
sum of the deviations of single trees and bags on six data sets fell from 0.120 to 0.082. Here it is one
candidate beside our trees, which `reproduction.printed.explained` judges. Splits are those of the study of
trees, in their first order; other orders change only the random draws of a lossless online bag.

>>> tree_settings.measure(tree_settings.task("balance", "single", 1, 0, 0))
tree_settings.row(n_test=125, n_correct=96)
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from oza.datasets import dataset_info
from oza.extend import kernel

from ..record.study import cells, study
from .accuracy import Task
from .protocol import CORRECT, N_FOLDS, OF_TREES, n_training

NAME = "largest distance, two examples a branch, not pruned"
COLUMNS = ("single", "bagging", "online_bagging")


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


def _cells(datasets: Iterable[str], n_models: int, repetitions: int) -> list[dict[str, Any]]:
    splits = {"repetition": range(repetitions), "fold": range(N_FOLDS)}
    every = cells(dataset=datasets, algorithm=COLUMNS, n_models=n_models, **splits)
    return [cell | {"n_models": 1} if cell["algorithm"] == "single" else cell for cell in every]


@study(
    "tree-settings",
    "Trees that split by the Kolmogorov-Smirnov distance",
    CORRECT,
    smoke=lambda: _cells(["balance"], 2, 1),
    thesis=lambda: _cells(OF_TREES, 100, 10),
    quick=lambda task: task.dataset in ("balance", "nursery") and task.repetition == 0,
    exhibits=("Table 3.3",),
)
def tree_settings(dataset: str, algorithm: str, n_models: int, repetition: int, fold: int) -> tuple[int, int]:
    """One tree, or a vote of `n_models` trees, each with other weights of the examples."""
    place = dataset, "decision_tree", algorithm, n_models, repetition, fold
    baseline = Task("decision-trees", *place, order=0)
    examples, draws = baseline.examples(), np.random.default_rng(baseline.seed)
    n, tree = len(examples.y_train), KSTree(baseline.numeric)
    votes = np.zeros((len(examples.y_test), len(dataset_info(dataset).classes)), int)
    weights = {
        "single": lambda: np.ones(n),
        "bagging": lambda: draws.multinomial(n, np.full(n, 1 / n)),
        "online_bagging": lambda: draws.poisson(1.0, n),
    }[algorithm]
    for _ in range(n_models):
        found = tree.fit(examples.X_train, examples.y_train, weights()).predict(examples.X_test)
        votes[np.arange(len(votes)), found] += 1
    return len(votes), int(np.sum(votes.argmax(axis=1) == examples.y_test))


def by_setting(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Give the recorded rows by the name of the candidate, as the rows of a study of accuracies."""
    n_train = [*map(n_training, rows["dataset"], rows["fold"])]
    return {NAME: rows.assign(base_model="decision_tree", order=0, n_train=n_train)}
