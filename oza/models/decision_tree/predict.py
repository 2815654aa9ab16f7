"""Predictions of decision trees, and their nodes as a reader wants them."""

import numpy as np

from ...classifier.contract import class_shares, classify, classify_block
from ...kernels.compile import copy_into, implements, kernel
from ..class_weights import heaviest_class, total_weight
from .prune import build_all, grow_root, update_below
from .restructure import start_again, update_test
from .state import DecisionTree, double_capacity, has_capacity

_MANY = 32  # examples to predict for which a tree that has no test yet is grown as a whole


@kernel(counts=False)
def _walk(nodes, counts, prune, codes, numbers, n, i):
    """Go down with example `n` from node `i`: (the deciding node, True) or (the first to update, False)."""
    n_nominal = codes.shape[1]
    while True:
        node = nodes[i]
        if node.changed or (prune and not node.decided):
            return i, False
        if node.attribute < 0 or (prune and node.cut):
            return i, True
        if node.attribute >= n_nominal:
            passes = numbers[n, node.attribute - n_nominal] <= node.threshold
        elif codes[n, node.attribute] < 0:
            passes = total_weight(counts, node.yes) >= total_weight(counts, node.no)
        else:
            passes = codes[n, node.attribute] == node.value
        i = node.yes if passes else node.no


@kernel(counts=False)
def _descend(models, memory, tree, examples, n, i):
    """The same, with nodes updated on the way; False only where the arrays of the tree are too short."""
    while True:
        i, decides = _walk(tree.nodes, tree.counts, models.prune, examples.codes, examples.numbers, n, i)
        if decides:
            return i, True
        if models.prune:
            if not update_below(models, memory, tree, i, False):
                return i, False
        else:
            if not has_capacity(tree):
                return i, False
            update_test(models, memory, tree, i)


@kernel
def find_leaf(models, m, examples, n):
    """Tree `m`, and the node in it that decides about example `n`.

    A value unknown to the schema goes where most examples go.
    """
    memory, tree = models.memory[0], models.trees[m]
    if tree.header[0].is_stale:
        start_again(tree, memory)
    i, decides = _descend(models, memory, tree, examples, n, np.int32(0))
    while not decides:
        double_capacity(models, m)
        tree = models.trees[m]
        i, decides = _descend(models, memory, tree, examples, n, i)
    return tree, i


@implements(classify, DecisionTree)
def _classify(models, m, examples, n):
    tree, leaf = find_leaf(models, m, examples, n)
    return heaviest_class(tree.counts, leaf)


@kernel(inline=True)
def _walk_from_root(models, tree, examples, n):
    """Walk down the whole tree, which has been taken out of the list of trees."""
    codes, numbers = examples.codes, examples.numbers
    return _walk(tree.nodes, tree.counts, models.prune, codes, numbers, n, np.int32(0))


@implements(classify_block, DecisionTree)
def _classify_block(models, examples, first, labels):
    for m in range(labels.shape[1]):  # tree by tree: taking one out of the list is most of the work
        if len(labels) >= _MANY:
            grow_root(models, m)
        tree, leaf = find_leaf(models, m, examples, first)
        labels[0, m] = heaviest_class(tree.counts, leaf)
        for i in range(1, len(labels)):
            leaf, decides = _walk_from_root(models, tree, examples, first + i)
            if not decides:
                tree, leaf = find_leaf(models, m, examples, first + i)
            labels[i, m] = heaviest_class(tree.counts, leaf)


@implements(class_shares, DecisionTree)
def _class_shares(models, m, n_classes, examples):
    """Class shares in the leaf of each example in tree `m`, (N, K); equal before learning."""
    shares = np.empty((len(examples.codes), n_classes))
    if len(shares) >= _MANY:
        grow_root(models, m)
    for n in range(len(shares)):
        if n == 0:
            tree, leaf = find_leaf(models, m, examples, n)
        else:
            leaf, decides = _walk_from_root(models, tree, examples, n)
            if not decides:
                tree, leaf = find_leaf(models, m, examples, n)
        counts = tree.counts
        total = total_weight(counts, leaf)
        for c in range(counts.shape[1]):
            shares[n, c] = counts[leaf, c] / total if total > 0.0 else 1.0 / counts.shape[1]
    return shares


@kernel
def is_up_to_date(models):
    """Whether the first tree has answered since it learned last."""
    return not models.trees[0].nodes[0].changed


def structure(models, m, with_pruned):
    """Nodes of tree `m` in preorder, yes before no: records, class weights, depths.

    `yes` and `no` are numbers of nodes in this order, −1 in leaves.
    """
    build_all(models)  # apart, since learning in batch has compiled it
    return _in_preorder(models, m, with_pruned)


@kernel
def _in_preorder(models, m, with_pruned):
    tree = models.trees[m]
    n = tree.header[0].n_nodes
    nodes = np.zeros(n, tree.nodes.dtype)
    counts = np.zeros((n, tree.counts.shape[1]))
    depths = np.zeros(n, np.int64)
    waiting = np.zeros((n + 1, 3), np.int64)  # node, its parent's new number, whether it is a `no`
    waiting[0, 1] = -1
    height = 1
    k = 0
    while height > 0:
        height -= 1
        i, parent, is_no = waiting[height, 0], waiting[height, 1], waiting[height, 2]
        nodes[k] = tree.nodes[i]
        copy_into(counts[k], tree.counts[i])
        node = nodes[k]
        if parent >= 0:
            depths[k] = depths[parent] + 1
            if is_no:
                nodes[parent].no = k
            else:
                nodes[parent].yes = k
        if node.attribute >= 0 and (with_pruned or not node.cut):
            for child, negative in ((node.no, 1), (node.yes, 0)):
                waiting[height, 0] = child
                waiting[height, 1] = k
                waiting[height, 2] = negative
                height += 1
        else:
            node.attribute = -1
            node.value = -1
            node.threshold = 0.0
            node.yes = -1
            node.no = -1
        k += 1
    return nodes[:k].copy(), counts[:k].copy(), depths[:k].copy()
