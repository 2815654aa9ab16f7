"""Bring decision trees up to date, and prune them by description length."""

import numpy as np

from ...columns.validation import EXACT_BELOW
from ...kernels.compile import kernel
from ..class_weights import heaviest_class, total_weight
from .grow import GROW_FROM, grow
from .restructure import start_again, update_test
from .state import double_capacity, has_capacity, log_of

_LOG_2 = 0.6931471805599453


@kernel(counts=False)
def _cost_of_leaf(logs, counts, i):
    """Description length in nats of a leaf: its mark, its class, and each example it gets wrong."""
    n_present = 0
    for c in range(counts.shape[1]):
        n_present += counts[i, c] > 0.0
    cost = _LOG_2
    if n_present > 1:
        total = total_weight(counts, i)
        cost += log_of(logs, n_present)
        cost += (total - counts[i, heaviest_class(counts, i)]) * (
            log_of(logs, total + 1.0) + log_of(logs, n_present - 1)
        )
    return cost


@kernel(counts=False)
def _weigh(logs, nodes, counts, i):
    """Bound the description length of the subtree of node `i`, and cut it if the bounds decide that.

    A rounded sum is no smaller than the rounded sum of smaller terms, so the bounds hold for rounded
    costs too.
    """
    node = nodes[i]
    leaf = _cost_of_leaf(logs, counts, i)
    node.decided = True
    node.cut = False
    node.at_least = leaf
    node.at_most = leaf
    if node.attribute >= 0:
        for child in (node.yes, node.no):
            below = nodes[child]
            if below.changed:  # a leaf, or a test and two leaves at least
                below.at_most = _cost_of_leaf(logs, counts, child)
                below.at_least = min(below.at_most, _LOG_2 + (_LOG_2 + _LOG_2))
        yes, no = nodes[node.yes], nodes[node.no]
        test = _LOG_2 + log_of(logs, node.n_tests)
        at_least = test + (yes.at_least + no.at_least)
        at_most = test + (yes.at_most + no.at_most)
        node.cut = leaf <= at_least
        node.decided = node.cut or leaf > at_most
        node.at_least = min(leaf, at_least)
        node.at_most = min(leaf, at_most)


@kernel(counts=False)
def update_below(models, memory, tree, i, everything):
    """Update the tests below node `i`, level by level, until it is known whether the node is cut.

    With `everything`, update all of them, and decide about every node. Return False if the arrays of
    the tree were too short to go on: double them and call again.
    """
    nodes, queue = tree.nodes, memory.waiting
    queue[0] = i
    length = 1
    enough = 1
    k = 0
    while k < length:
        node = nodes[queue[k]]
        if node.changed:
            if not has_capacity(tree):
                return False
            update_test(models, memory, tree, queue[k])
        k += 1
        if node.attribute >= 0:
            for child in (node.yes, node.no):
                below = nodes[child]
                if everything or below.changed or below.at_least < below.at_most:
                    queue[length] = child
                    length += 1
        if models.prune and (k == length or (k == enough and not everything)):
            for seen in range(k - 1, -1, -1):
                _weigh(models.logs, nodes, tree.counts, queue[seen])
            if nodes[i].decided and not everything:
                return True
            enough = 2 * k + 1
    return True


@kernel
def grow_root(models, m):
    """Grow tree `m` if it is a large leaf, all columns are tested, some have numbers, and sums are exact."""
    root, header = models.trees[m].nodes[0], models.trees[m].header[0]
    n_attributes = len(models.order)
    if (
        root.attribute < 0
        and root.changed
        and root.n_examples >= GROW_FROM
        and models.n_tested == n_attributes
        and n_attributes >= len(models.starts)
        and not header.is_rounded
        and total_weight(models.trees[m].counts, 0) < EXACT_BELOW
    ):
        grow(models, m, np.int32(0))


@kernel
def build(models, m):
    """Bring the whole of tree `m` up to date, and prune it."""
    memory = models.memory[0]
    if models.trees[m].header[0].is_stale:
        start_again(models.trees[m], memory)
    grow_root(models, m)
    while not update_below(models, memory, models.trees[m], np.int32(0), True):
        double_capacity(models, m)


@kernel
def build_all(models):
    """Bring every tree up to date."""
    for m in range(len(models.trees)):
        build(models, m)
