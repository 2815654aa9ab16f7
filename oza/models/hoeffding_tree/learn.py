"""How Hoeffding trees learn."""

import numpy as np

from ..._compile import implements, kernel
from .._class_weights import total_weight
from ..contract import is_faster_alone, learn, test_and_learn, test_and_learn_alone
from .predict import find_leaf, majority_class, naive_bayes_class, uses_naive_bayes
from .split import try_to_split
from .state import (
    ADAPTIVE,
    FROZEN,
    NAIVE_BAYES,
    NO_ROW,
    HoeffdingTree,
    double_capacity,
    has_capacity,
    new_row,
)


@kernel(counts=False)
def _count(tree, row, examples, n, label, weight):
    """Add an example to the statistics of a leaf."""
    tables, totals, moments = tree.tables, tree.totals, tree.moments
    row, label = np.uint64(row), np.uint64(label)  # numba checks signed indices for negative ones
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:
            tables[row, np.uint64(v), label] += weight
            totals[row, a, label] += weight
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if np.isnan(x):
            continue
        before, mean = moments[row, d, 0, label], moments[row, d, 1, label]
        total = before + weight
        if before == 0.0:
            moments[row, d, 1, label] = x
            moments[row, d, 3, label] = x
            moments[row, d, 4, label] = x
        else:  # Welford 1962
            new_mean = mean + weight * (x - mean) / total
            moments[row, d, 1, label] = new_mean
            moments[row, d, 2, label] += weight * (x - mean) * (x - new_mean)
            moments[row, d, 3, label] = min(moments[row, d, 3, label], x)
            moments[row, d, 4, label] = max(moments[row, d, 4, label], x)
        moments[row, d, 0, label] = total


@kernel(counts=False, inline=True)
def _learn_one(models, tree, examples, n, label, weight, predicts):
    """Let a tree learn an example, for which it has capacity; its class before, if `predicts`."""
    settings = models.settings
    i = find_leaf(tree, settings, examples, n)
    row = tree.nodes[i].row
    by_majority = majority_class(tree, i)
    by_naive_bayes = by_majority  # as long as the leaf has learned nothing itself
    adapts = settings.leaf_prediction == ADAPTIVE
    if row >= 0 and (adapts or (predicts and settings.leaf_prediction == NAIVE_BAYES)):
        by_naive_bayes = naive_bayes_class(tree, i, models, examples, n)
    predicted = by_naive_bayes if uses_naive_bayes(tree, i, settings) else by_majority
    if weight > 0.0 and row == NO_ROW:
        new_row(tree, i)
        row = tree.nodes[i].row
    tree.counts[i, label] += weight
    if weight > 0.0 and row != FROZEN:
        if adapts:
            tree.leaves[row, 1] += weight * (by_majority == label)
            tree.leaves[row, 2] += weight * (by_naive_bayes == label)
        _count(tree, row, examples, n, label, weight)
        total = total_weight(tree.counts, i)
        if total - tree.leaves[row, 0] >= settings.grace_period:
            tree.leaves[row, 0] = total
            try_to_split(models, tree, i)
    return predicted


@kernel(counts=False)
def _learn_while_there_is_capacity(models, tree, examples, labels, weights, before, start):
    """Learn the examples from `start` on, and write the classes of all before into `before` if not None.

    Returns the index of the first example that was not learned, since it may need longer arrays.
    """
    for n in range(start, len(labels)):
        if not has_capacity(tree, models.settings):
            return n
        predicted = _learn_one(models, tree, examples, n, labels[n], weights[n], before is not None)
        if before is not None:
            before[n] = predicted
    return len(labels)


@implements(test_and_learn, HoeffdingTree)
def _test_and_learn(models, m, examples, labels, weights, before):
    n = 0
    while n < len(labels):
        n = _learn_while_there_is_capacity(models, models.trees[m], examples, labels, weights, before, n)
        if n < len(labels):
            double_capacity(models, m)


@implements(is_faster_alone, HoeffdingTree)
def _is_faster_alone(models, is_tested):
    return True


@implements(test_and_learn_alone, HoeffdingTree)
def _test_and_learn_alone(models, examples, labels, weights, before):
    test_and_learn(models, 0, examples, labels, weights, before)


@implements(learn, HoeffdingTree)
def _learn(models, m, examples, n, label, weight):
    if weight > 0.0:
        tree = models.trees[m]
        while not has_capacity(tree, models.settings):
            double_capacity(models, m)
            tree = models.trees[m]
        _learn_one(models, tree, examples, n, label, weight, False)
