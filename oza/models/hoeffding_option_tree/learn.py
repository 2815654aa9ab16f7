"""How Hoeffding option trees learn."""

import math

import numpy as np

from ...classifier.contract import learn, learn_run, test_and_learn_alone
from ...kernels.compile import implements, kernel
from ..class_weights import is_pure, total_weight
from ..hoeffding_tree.learn import (
    count,
    learn_run_of_tree,
    learn_tree,
    learn_with_capacity,
    new_row,
    test_and_learn_the_only_tree,
)
from ..hoeffding_tree.predict import find_child, keep_constants, majority_class, naive_bayes_class
from ..hoeffding_tree.split import (
    SMALLEST_BRANCH,
    best_test,
    branch,
    class_entropy,
    hoeffding_bound,
    n_branches,
    split_leaf,
    try_to_split,
)
from ..hoeffding_tree.state import ADAPTIVE, LEAF, MAJORITY, NO_ROW, OPTION, release_row
from .predict import predicted_class, write_mean_shares
from .state import HoeffdingOptionTree, add_option, may_have_option


@kernel(counts=False, inline=True)
def _find_nodes(models, tree, examples, n):
    """The last of the nodes that example `n` comes to; each knows the previous one, a child comes later."""
    nodes, waiting = tree.nodes, models.waiting
    i, last, n_waiting = np.int64(0), np.int64(-1), 0
    while True:
        if nodes[i].row != OPTION:
            nodes[i].previous = last
            last = i
        if nodes[i].option > 0:
            waiting[n_waiting] = nodes[i].option
            n_waiting += 1
        if nodes[i].attribute != LEAF:
            i = np.int64(find_child(tree, models.settings, np.uint64(i), examples, n))
        elif n_waiting > 0:
            n_waiting -= 1
            i = np.int64(waiting[n_waiting])
        else:
            return last


@kernel(counts=False, inline=True)
def _learn_in(models, tree, i, examples, n, label, weight):
    """Count an example in node `i`, and look for a test there after each `grace_period`."""
    settings, node = models.settings, tree.nodes[i]
    is_leaf = node.attribute == LEAF
    if is_leaf and settings.leaf_prediction == ADAPTIVE:
        by_majority = majority_class(tree, i)
        by_naive_bayes = by_majority
        if node.row >= 0:
            by_naive_bayes = naive_bayes_class(models, tree, i, examples, n)
    if is_leaf and node.row == NO_ROW:
        new_row(tree, settings, i)
    row = node.row
    if is_leaf or settings.max_options > 1:  # the weights in the branches of a test say what it gains
        tree.counts[i, label] += weight
    if row < 0:
        return
    if is_leaf and settings.leaf_prediction == ADAPTIVE:
        tree.leaves[row, 1] += weight * (by_majority == label)
        tree.leaves[row, 2] += weight * (by_naive_bayes == label)
    count(tree, row, examples, n, label, weight)
    if is_leaf and settings.leaf_prediction != MAJORITY:
        keep_constants(tree, settings, row, label)
    total = total_weight(tree.counts, i)
    if total - tree.leaves[row, 0] >= settings.grace_period:
        tree.leaves[row, 0] = total
        if is_leaf:
            try_to_split(models, tree, i)
        else:
            _try_to_add_option(models, tree, i)


@implements(split_leaf, HoeffdingOptionTree, counts=False)
def _split(models, tree, i, attribute, value, threshold):
    """As `split_leaf`; the leaf keeps its statistics if it may have a further test."""
    settings = models.settings
    branch(models, tree, i, tree.nodes[i].row, attribute, value, threshold)
    tree.nodes[i].paths = 1
    tree.header[0].n_leaves += n_branches(settings, attribute, value) - 1
    if not may_have_option(tree, settings, i):
        release_row(tree, i)


@kernel(counts=False)
def _try_to_add_option(models, tree, i):
    """Give node `i` one more test if that is better than each of those it has by the Hoeffding bound."""
    settings, row = models.settings, tree.nodes[i].row
    n_candidates = 0
    for candidate in settings.order:
        if not _tests(tree.nodes, i, candidate):
            models.candidates[n_candidates] = candidate
            n_candidates += 1
    if n_candidates == 0 or not may_have_option(tree, settings, i):
        release_row(tree, i)
        return
    if is_pure(tree.counts, i):
        return
    entropy, weight = class_entropy(tree.counts, i)
    best, _, attribute, value, threshold = best_test(
        models, tree, row, entropy, models.candidates, n_candidates
    )
    bound = hoeffding_bound(weight, tree.counts.shape[1], settings.log_inverse_option_delta)
    if attribute != LEAF and best - _highest_gain(tree, settings, i, entropy) > bound:
        branch(models, tree, add_option(tree, i), row, attribute, value, threshold)
        tree.header[0].n_leaves += n_branches(settings, attribute, value)
        if not may_have_option(tree, settings, i):
            release_row(tree, i)


@kernel(counts=False)
def _tests(nodes, i, attribute):
    """Whether one of the tests of node `i` is of this attribute."""
    while nodes[i].attribute != attribute:
        if nodes[i].option == 0:
            return False
        i = nodes[i].option
    return True


@kernel(counts=False)
def _highest_gain(tree, settings, i, entropy):
    """Highest gain in bits of the tests of node `i`, by the class weights that their branches have now."""
    nodes, highest, test = tree.nodes, -math.inf, i
    while True:
        node = nodes[test]
        n_children = n_branches(settings, node.attribute, node.value)
        total, remaining, n_large = 0.0, 0.0, 0
        for j in range(n_children):
            left_open, weight = class_entropy(tree.counts, node.child + j)
            total += weight
            remaining += weight * left_open
        for j in range(n_children):
            n_large += total_weight(tree.counts, node.child + j) > SMALLEST_BRANCH * total
        if n_large >= 2:
            highest = max(highest, entropy - remaining / total)
        if node.option == 0:
            return highest
        test = node.option


@implements(learn_with_capacity, HoeffdingOptionTree, inline=True, counts=False)
def _learn_with_capacity(models, tree, examples, n, label, weight, predicts, shares):
    predicted = predicted_class(models, tree, examples, n) if predicts else -1
    if len(shares) > 0:
        write_mean_shares(models, tree, examples, n, shares)
    if weight > 0.0:
        i = _find_nodes(models, tree, examples, n)
        while i >= 0:  # in all nodes that the example comes to, a child first
            _learn_in(models, tree, i, examples, n, label, weight)
            i = tree.nodes[i].previous
    return predicted


implements(learn, HoeffdingOptionTree)(learn_tree)
implements(learn_run, HoeffdingOptionTree)(learn_run_of_tree)
implements(test_and_learn_alone, HoeffdingOptionTree)(test_and_learn_the_only_tree)
