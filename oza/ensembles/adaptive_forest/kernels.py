"""Adaptive random forests, as kernels: trees with two detectors each, of warnings and of drifts.

At a warning a new tree begins to learn in the background; at a drift it takes the place of the tree that it
follows. The models are 2M trees, of which the first M vote, and tree M + m is the background tree of tree m.
"""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import classify, learn, learn_run, reset
from ...columns.examples import Examples
from ...drift.windows import Windows, mean_of, observe, reset_window
from ...kernels.compile import implements, kernel
from ...kernels.random import poisson, poisson_of_rows
from ...models.hoeffding_tree.state import exchange
from ..adaptive.blocks import find_replaced_at, open_watched, vote_in_block, watch_one
from ..adaptive.kernels import Detectors, find_replaced, restart, watch, weigh_labels_or_shares
from ..algorithm import step, vote, vote_weights
from ..blocks import close_block, learn_block, open_block
from ..votes import set_equal_if_all_zero


class AdaptiveForest(NamedTuple):
    """State of an adaptive random forest of M trees that vote, with buffers for one example."""

    detectors: Detectors  # of drifts
    warnings: Windows  # of the detectors of warnings
    delta_warning: float
    lam: float
    has_background: np.ndarray  # (M,) bool: whether a background tree learns
    hits: np.ndarray  # (2, M) weight that each tree was right about, and of all, since it began to vote
    n_warnings: np.ndarray  # (M,) int64
    codes: np.ndarray  # (0, K) int64: there are none
    by_shares: bool  # whether class probabilities are added up, or votes counted
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, AdaptiveForest)
def adaptive_forest(algorithm, models, examples, n, label, weight, row):
    """Train each tree and background tree on the example k ~ Poisson(λ) times; replace a tree at a drift."""
    n_trees = len(algorithm.labels)
    for m in range(n_trees):  # 1
        background = n_trees + m
        before = classify(models, m, examples, n)
        count_hit(algorithm, m, before == label, weight)  # 1.1
        learn(models, m, examples, n, label, poisson(algorithm.lam * weight, row, m))  # 1.2
        if algorithm.has_background[m]:  # 1.3
            learn(models, background, examples, n, label, poisson(algorithm.lam * weight, row, background))
        if warns(algorithm, m, before != label, weight):  # 1.4
            start_background(algorithm, models, m)
        watch(algorithm.detectors, m, before != label, weight)  # 1.5
        if algorithm.detectors.has_risen[m]:
            restart(algorithm, models, m)
    find_replaced(algorithm.detectors)
    algorithm.detectors.counts[0] += 1


@kernel(counts=False, inline=True)
def count_hit(algorithm, m, is_right, weight):
    """Count the weight of an example that tree `m` was tested on."""
    algorithm.hits[0, m] += weight * is_right
    algorithm.hits[1, m] += weight


@kernel(counts=False, inline=True)
def warns(algorithm, m, is_wrong, weight):
    """Tell the detector of warnings of tree `m` whether the tree was wrong; whether its error has risen."""
    if weight == 0.0:
        return False
    windows = algorithm.warnings
    before = mean_of(windows, m)
    value, clock = 1.0 if is_wrong else 0.0, algorithm.detectors.clock
    return observe(windows, m, value, algorithm.delta_warning, clock) and mean_of(windows, m) > before


@kernel
def start_background(algorithm, models, m):
    """Start the background tree of tree `m`, anew if there is one, and the detector that gave the warning."""
    algorithm.n_warnings[m] += 1
    algorithm.has_background[m] = True
    reset(models, len(algorithm.labels) + m)
    reset_window(algorithm.warnings, m)


@implements(restart, AdaptiveForest)
def _restart(algorithm, models, m):
    background = len(algorithm.labels) + m
    if algorithm.has_background[m]:
        exchange(models, m, background)
        reset(models, background)
    else:
        reset(models, m)
    algorithm.has_background[m] = False
    algorithm.hits[0, m] = algorithm.hits[1, m] = 0.0
    reset_window(algorithm.warnings, m)
    reset_window(algorithm.detectors.windows, m)


# Votes


@kernel(counts=False, inline=True)
def accuracy(hits, m):
    """Share of the weight that tree `m` was right about since it began to vote; 0 if there was none."""
    return hits[0, m] / hits[1, m] if hits[1, m] > 0.0 else 0.0


@implements(vote_weights, AdaptiveForest)
def _vote_weights(algorithm, n_trees):
    """Accuracies of the first trees, (M,), or 1 each if all of these are 0."""
    weights = np.empty(n_trees)
    for m in range(n_trees):
        weights[m] = accuracy(algorithm.hits, m)
    set_equal_if_all_zero(weights)
    return weights


implements(vote, AdaptiveForest)(weigh_labels_or_shares)


# The same in blocks. Trees are independent, so that each is trained on a whole block before the next one is,
# and is replaced on the way; from check to check it is trained before its detectors are updated.


implements(open_block, AdaptiveForest)(open_watched)


@implements(close_block, AdaptiveForest)
def _close_block(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    for s in range(len(block.checks)):
        find_replaced_at(algorithm, block, s, n_seen)  # for the history
    vote_in_block(algorithm, n_classes, block, n_seen, predicted)


@implements(learn_block, AdaptiveForest)
def _learn_block(algorithm, models, first, end, examples, labels, weights, block):
    for m in range(first, end):
        learn_alone(algorithm, models, m, examples, labels, weights, block)


@kernel
def learn_alone(algorithm, models, m, examples, labels, weights, block):
    """Train tree `m` and its background tree on a block, with their detectors."""
    background, no_answers, no_shares = len(algorithm.labels) + m, block.answers[m, :0], block.shares[m, :0]
    first = 0
    for s in range(len(block.checks) + 1):
        is_checked = s < len(block.checks)
        end = block.checks[s] + 1 if is_checked else len(labels)
        rows = slice(first, end)
        learn_rows(
            algorithm, models, m, examples, labels, weights, block, rows, block.answers[m], block.shares[m]
        )
        if algorithm.has_background[m]:
            learn_rows(
                algorithm, models, background, examples, labels, weights, block, rows, no_answers, no_shares
            )
        if test_run(algorithm, m, labels, weights, block, first, end, s):
            start_background(algorithm, models, m)
        if is_checked and block.has_risen[m, s]:
            restart(algorithm, models, m)
        first = end


@kernel
def learn_rows(algorithm, models, tree, examples, labels, weights, block, rows, answers, shares):
    """Train a tree on the examples in `rows`, a slice.

    Writes its class and its class probabilities before each into `answers` and `shares`, unless they are
    empty.
    """
    copies = np.empty(rows.stop - rows.start)
    poisson_of_rows(algorithm.lam * weights[rows], block.rows[rows], tree, copies)
    part = Examples(examples.codes[rows], examples.numbers[rows])
    learn_run(models, tree, part, labels[rows], copies, answers[rows], shares[rows], None)


@kernel(counts=False)
def test_run(algorithm, m, labels, weights, block, first, end, s):
    """Tell the detectors of tree `m` about the examples from `first` to `end`; whether there is a warning.

    The last of the examples may be check `s`.
    """
    is_warned = False
    for n in range(first, end):
        is_right = block.answers[m, n] == labels[n]
        block.vote_weights[m, n] = accuracy(algorithm.hits, m)
        count_hit(algorithm, m, is_right, weights[n])
        if warns(algorithm, m, not is_right, weights[n]):
            is_warned = True
        watch_one(algorithm.detectors, m, not is_right, weights[n], block, s)
    return is_warned
