"""How Hoeffding trees learn."""

import math

import numpy as np

from ...classifier.contract import learn, learn_one_by_one, learn_run, test_and_learn_alone
from ...kernels.compile import Operation, implements, kernel
from ..class_weights import total_weight
from .predict import (
    find_leaf,
    keep_constants,
    majority_class,
    naive_bayes_class,
    uses_naive_bayes,
    write_counted_shares,
    write_scored_shares,
)
from .split import try_to_split
from .state import ADAPTIVE, FROZEN, MAJORITY, NO_ROW, HoeffdingTree, double_capacity, has_capacity


@kernel(counts=False, inline=True)
def count(tree, row, examples, n, label, weight):
    """Add an example to the statistics of a leaf; its constants are not computed anew."""
    tables, totals, moments = tree.tables, tree.totals, tree.moments
    n_classes = np.uint64(tree.counts.shape[1])
    row, label = np.uint64(row), np.uint64(label)  # numba checks signed indices for negative ones
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:
            tables[row, np.uint64(v) * n_classes + label] += weight
            totals[row, label, a] += weight
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if np.isnan(x):
            continue
        mean, before = moments[row, label, d, 0], moments[row, label, d, 2]
        total = before + weight
        if before == 0.0:
            moments[row, label, d, 0] = x
            moments[row, label, d, 4] = x
            moments[row, label, d, 5] = x
        else:  # Welford 1962
            new_mean = mean + weight * (x - mean) / total
            squares = moments[row, label, d, 3] + weight * (x - mean) * (x - new_mean)
            moments[row, label, d, 0] = new_mean
            moments[row, label, d, 1] = (total - 1.0) / squares if total > 1.0 and squares > 0.0 else math.inf
            moments[row, label, d, 3] = squares
            moments[row, label, d, 4] = min(moments[row, label, d, 4], x)
            moments[row, label, d, 5] = max(moments[row, label, d, 5], x)
        moments[row, label, d, 2] = total


@kernel(counts=False)
def new_row(tree, settings, i):
    """Give leaf `i`, which has none, a row of empty statistics."""
    header = tree.header[0]
    row = header.free_row
    if row >= 0:
        header.free_row = np.int64(tree.leaves[row, 0])
    else:
        row = header.n_rows
        header.n_rows = row + 1
    tree.tables[row] = 0.0
    tree.totals[row] = 0.0
    tree.moments[row] = 0.0
    tree.moments[row, :, :, 1] = math.inf
    tree.leaves[row] = 0.0
    tree.leaves[row, 0] = total_weight(tree.counts, i)
    tree.nodes[i].row = row
    for c in range(tree.counts.shape[1]):
        keep_constants(tree, settings, row, c)


@Operation
def learn_with_capacity(models, tree, examples, n, label, weight, predicts, shares):
    """Train a tree on an example, for which it has capacity; its class before, if `predicts`.

    Unless `shares`, (N, K), is empty, writes the class probabilities before into its row `n`.
    """
    raise NotImplementedError


@implements(learn_with_capacity, HoeffdingTree, inline=True, counts=False)
def _learn_with_capacity(models, tree, examples, n, label, weight, predicts, shares):
    if weight == 0.0 and not predicts:
        return -1
    settings = models.settings
    i = find_leaf(tree, settings, examples, n)
    row = tree.nodes[i].row
    answers_by_naive_bayes = uses_naive_bayes(tree, row, settings)
    adapts = weight > 0.0 and settings.leaf_prediction == ADAPTIVE
    by_majority = majority_class(tree, i)
    by_naive_bayes = by_majority  # as long as the leaf itself has not been trained
    if row >= 0 and (adapts or (predicts and answers_by_naive_bayes)):
        by_naive_bayes = naive_bayes_class(models, tree, i, examples, n)
    predicted = by_naive_bayes if answers_by_naive_bayes else by_majority
    if len(shares) > 0 and not (answers_by_naive_bayes and write_scored_shares(models, shares, n)):
        write_counted_shares(tree, i, shares, n)
    if weight > 0.0 and row == NO_ROW:
        new_row(tree, settings, i)
        row = tree.nodes[i].row
    tree.counts[i, label] += weight
    if weight > 0.0 and row != FROZEN:
        if adapts:
            tree.leaves[row, 1] += weight * (by_majority == label)
            tree.leaves[row, 2] += weight * (by_naive_bayes == label)
        count(tree, row, examples, n, label, weight)
        if settings.leaf_prediction != MAJORITY:
            keep_constants(tree, settings, row, label)
        total = total_weight(tree.counts, i)
        if total - tree.leaves[row, 0] >= settings.grace_period:
            tree.leaves[row, 0] = total
            try_to_split(models, tree, i)
    return predicted


@kernel(counts=False)
def _learn_while_there_is_capacity(models, tree, examples, labels, weights, before, shares, start):
    """Train on examples from `start` on; write the class of each before into `before` unless that is empty.

    Returns the index of the first example that was not learned, since it may need longer arrays.
    """
    predicts = len(before) > 0
    for n in range(start, len(labels)):
        if not has_capacity(tree, models.settings):
            return n
        label, weight = labels[n], weights[n]
        predicted = learn_with_capacity(models, tree, examples, n, label, weight, predicts, shares)
        if predicts:
            before[n] = predicted
    return len(labels)


@implements(learn_run, HoeffdingTree)
def learn_run_of_tree(models, m, examples, labels, weights, before, shares, after):
    """Train tree `m` on each example in turn."""
    if after is not None and len(after) > 0:
        learn_one_by_one(models, m, examples, labels, weights, before, shares, after)
        return
    found = np.empty((0, 0)) if shares is None else shares
    n = 0
    while n < len(labels):
        tree = models.trees[m]
        n = _learn_while_there_is_capacity(models, tree, examples, labels, weights, before, found, n)
        if n < len(labels):
            double_capacity(models, m)


@implements(test_and_learn_alone, HoeffdingTree)
def test_and_learn_the_only_tree(models, examples, labels, weights, before):
    """Train the only tree on each example in turn."""
    learn_run(models, 0, examples, labels, weights, before, None, None)


@implements(learn, HoeffdingTree)
def learn_tree(models, m, examples, n, label, weight):
    """Train tree `m` on example `n`."""
    if weight > 0.0:
        tree = models.trees[m]
        while not has_capacity(tree, models.settings):
            double_capacity(models, m)
            tree = models.trees[m]
        learn_with_capacity(models, tree, examples, n, label, weight, False, models.values[:0])
