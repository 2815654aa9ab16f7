"""Predictions of Hoeffding option trees."""

import numpy as np

from ...classifier.contract import class_shares, classify, classify_block
from ...kernels.compile import implements, kernel
from ..class_weights import heaviest_class
from ..hoeffding_tree.predict import class_in_leaf, find_child, write_leaf_shares
from ..hoeffding_tree.state import LEAF
from .state import HoeffdingOptionTree


@kernel(counts=False, inline=True)
def _next_leaf(models, tree, i, n_waiting, examples, n):
    """The leaf to which example `n` comes from node `i` by first tests, and the length of `waiting` then.

    Writes into `waiting` the further tests on the way.
    """
    nodes = tree.nodes
    i = np.uint64(i)  # numba checks signed indices for negative ones
    while nodes[i].attribute != LEAF:
        if nodes[i].option > 0:
            models.waiting[n_waiting] = nodes[i].option
            n_waiting += 1
        i = find_child(tree, models.settings, i, examples, n)
    return np.int64(i), n_waiting


@kernel(counts=False, inline=True)
def add_shares(models, tree, examples, n):
    """Write the sum of the class probabilities in the leaves of example `n` into `shares[1]`.

    Returns the number of leaves.
    """
    shares = models.shares
    for c in range(shares.shape[1]):
        shares[1, c] = 0.0
    i, n_waiting, n_leaves = 0, 0, 0
    while True:
        leaf, n_waiting = _next_leaf(models, tree, i, n_waiting, examples, n)
        write_leaf_shares(models, tree, leaf, examples, n, shares, 0)
        for c in range(shares.shape[1]):
            shares[1, c] += shares[0, c]
        n_leaves += 1
        if n_waiting == 0:
            return n_leaves
        n_waiting -= 1
        i = models.waiting[n_waiting]


@kernel(counts=False, inline=True)
def predicted_class(models, tree, examples, n):
    """Class with the highest sum of probabilities, the first of equals; −1 if nothing has been learned."""
    leaf, n_waiting = _next_leaf(models, tree, 0, 0, examples, n)
    if n_waiting == 0:  # as a Hoeffding tree, which takes less time
        return class_in_leaf(models, tree, leaf, examples, n)
    add_shares(models, tree, examples, n)
    return heaviest_class(models.shares, 1)


@implements(classify, HoeffdingOptionTree)
def _classify(models, m, examples, n):
    return predicted_class(models, models.trees[m], examples, n)


@implements(classify_block, HoeffdingOptionTree)
def _classify_block(models, examples, first, labels):
    """Tree by tree, so that one stays in the cache: twice as fast with 100 trees."""
    for m in range(labels.shape[1]):
        tree = models.trees[m]
        for i in range(len(labels)):
            labels[i, m] = predicted_class(models, tree, examples, first + i)


@kernel(counts=False, inline=True)
def write_mean_shares(models, tree, examples, n, shares):
    """Write the mean class probabilities over the leaves of example `n` into row `n` of `shares`, (N, K)."""
    n_leaves = add_shares(models, tree, examples, n)
    for c in range(shares.shape[1]):
        shares[n, c] = models.shares[1, c] / n_leaves


@kernel
@implements(class_shares, HoeffdingOptionTree)
def mean_shares(models, m, n_classes, examples):
    """Class probabilities (N, K) of tree `m`: the mean over the leaves; equal before learning."""
    shares = np.empty((len(examples.codes), n_classes))
    for n in range(len(shares)):
        write_mean_shares(models, models.trees[m], examples, n, shares)
    return shares
