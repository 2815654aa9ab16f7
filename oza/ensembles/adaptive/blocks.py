"""ADWIN bagging and boosting in blocks, with the bits of one example after the other.

Between two replacements, bagged models are independent, so that each can be trained on a block before the
next one is. Then the checks of their detectors are gone through in their order; a model that must go is
replaced, and only the new one is trained on the rest of the block again. Boosted models pass λ on, so that
their block ends at the next check; that is also the block of base models that are faster side by side.

Bagging whose blocks all end at the next check would do without the repeated learning of `close_block`, so
that this could be plain online bagging of watched models. Measured on 10,000 rows in chunks of 1,000,
with Hoeffding trees, the same bits took 1.1 to 2.6 times as long in one thread, and, with 10 models, 3 to
4 times as long in two threads, which then wait for each other every 32 examples. So the long blocks stay.
"""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import (
    BLOCK,
    classify,
    classify_and_share_each,
    classify_each,
    learn,
    learn_each,
    learn_run,
)
from ...columns.examples import Examples
from ...drift.windows import insert, shrink
from ...kernels.compile import copy_into, implements, kernel
from ...kernels.random import poisson_each, poisson_of_rows, row_key
from ..blocks import close_block, end_of_block, learn_block, open_block
from ..boosting.kernels import boost_block, new_block
from ..votes import add_shares, add_vote, set_equal_if_all_zero
from .kernels import (
    AdaptiveBagging,
    AdaptiveBoosting,
    count_since_start,
    find_replaced,
    restart,
    restart_replaced,
    shares_of,
    target,
    vote_weight,
    weight_of_mistake,
)


class WatchedBlock(NamedTuple):
    """Buffers for N examples with S checks of the detectors among them."""

    rows: np.ndarray  # (N,) uint64: keys of the draws
    checks: np.ndarray  # (S,) int64: example after which each check is
    answers: np.ndarray  # (M, N) int32: class indices by each model before it was trained on each example
    shares: np.ndarray  # (M, N, K) class probabilities by each model before it was trained on each; or empty
    vote_weights: np.ndarray  # (M, N) of each model before each example
    has_risen: np.ndarray  # (M, S) bool: whether the check found that the error of the model has risen
    estimates: np.ndarray  # (M, S, 2) error by its detector, before and after the example of the check


@kernel
def n_since_check(detectors):
    """Number of examples of positive weight since the last check; it is 0 for models that learn elsewhere."""
    return detectors.windows.n_seen.max() % detectors.clock


@kernel
def end_at_check(detectors, weights, first):
    """End of a block that begins at example `first` and ends at the next check."""
    n_seen = n_since_check(detectors)
    end = min(first + BLOCK, len(weights))
    for n in range(first, end):
        n_seen += weights[n] > 0.0
        if n_seen == detectors.clock:
            return n + 1
    return end


@implements(end_of_block, AdaptiveBoosting)
def _end_of_boosted_block(algorithm, weights, first):
    return end_at_check(algorithm.detectors, weights, first)


@implements(end_of_block, AdaptiveBagging)
def _end_of_block(algorithm, weights, first):
    if algorithm.by_model:
        return min(first + BLOCK, len(weights))
    return end_at_check(algorithm.detectors, weights, first)


@implements(open_block, AdaptiveBagging)
@implements(open_block, AdaptiveBoosting)
def open_watched(algorithm, n_classes, weights, key, n_seen):
    """A block with the checks in it."""
    n_models, n_examples = len(algorithm.labels), len(weights)
    rows = np.empty(n_examples, np.uint64)
    for n in range(n_examples):
        rows[n] = row_key(key, n_seen + n)
    checks = checks_among(algorithm.detectors, weights)
    with_shares = n_examples if algorithm.by_shares and n_classes > 0 else 0
    return WatchedBlock(
        rows,
        checks,
        np.empty((n_models, n_examples), np.int32),
        np.empty((n_models, with_shares, n_classes if len(algorithm.codes) == 0 else 2)),
        np.ones((n_models, n_examples)),
        np.zeros((n_models, len(checks)), np.bool_),
        np.empty((n_models, len(checks), 2)),
    )


@kernel
def checks_among(detectors, weights):
    """The examples of a block after which the detectors are checked, (S,)."""
    checks = np.empty(len(weights), np.int64)
    n_checks = 0
    n_seen = n_since_check(detectors)
    for n in range(len(weights)):
        if weights[n] > 0.0:
            n_seen += 1
            if n_seen == detectors.clock:
                n_seen = 0
                checks[n_checks] = n
                n_checks += 1
    return checks[:n_checks]


@implements(close_block, AdaptiveBoosting)
def _replace_at_end(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    for s in range(len(block.checks)):  # none or one
        if find_replaced_at(algorithm, block, s, n_seen):
            restart_replaced(algorithm, models)
    vote_in_block(algorithm, n_classes, block, n_seen, predicted)


@implements(close_block, AdaptiveBagging)
def _replace_at_checks(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    """Replace models where a check demands it, and train the new ones on the rest of the block."""
    for s in range(len(block.checks)):
        if find_replaced_at(algorithm, block, s, n_seen):
            n = block.checks[s] + 1
            for m in range(len(algorithm.labels)):
                if algorithm.detectors.is_replaced[m]:
                    restart(algorithm, models, m)
                    learn_alone(algorithm, models, m, examples, labels, weights, block, n, s + 1)
    vote_in_block(algorithm, n_classes, block, n_seen, predicted)


@kernel
def find_replaced_at(algorithm, block, s, n_seen):
    """`find_replaced` at check `s` of a block; `n_seen` examples came before the block."""
    detectors = algorithm.detectors
    for m in range(len(algorithm.labels)):
        detectors.has_risen[m] = block.has_risen[m, s]
        detectors.estimates[m, 0] = block.estimates[m, s, 0]
        detectors.estimates[m, 1] = block.estimates[m, s, 1]
    detectors.counts[0] = n_seen + block.checks[s]
    return find_replaced(detectors)


@kernel
def vote_in_block(algorithm, n_classes, block, n_seen, predicted):
    """Write the class index voted for before each example into `predicted`; count the examples."""
    algorithm.detectors.counts[0] = n_seen + len(block.rows)
    for n in range(len(predicted)):
        votes = np.zeros(n_classes)
        set_equal_if_all_zero(block.vote_weights[:, n])
        for m in range(len(block.vote_weights)):
            if algorithm.by_shares:
                add_shares(votes, block.vote_weights[m, n], block.shares[m, n], algorithm.codes, m)
            else:
                add_vote(votes, block.vote_weights[m, n], block.answers[m, n], algorithm.codes, m)
        predicted[n] = votes.argmax()


@implements(learn_block, AdaptiveBagging)
def _learn_block(algorithm, models, first, end, examples, labels, weights, block):
    if algorithm.by_model:
        for m in range(first, end):
            learn_alone(algorithm, models, m, examples, labels, weights, block, 0, 0)
    else:
        learn_side_by_side(algorithm, models, examples, labels, weights, block)


@kernel
def learn_alone(algorithm, models, m, examples, labels, weights, block, first, check):
    """Train model `m` on the examples of a block from `first` on, with its detector, next at `check`."""
    detectors, n_examples = algorithm.detectors, len(labels) - first
    part = Examples(examples.codes[first:], examples.numbers[first:])
    targets = np.empty(n_examples, np.int64)
    for n in range(n_examples):
        targets[n] = target(algorithm, m, labels[first + n])
    answers = block.answers[m, first:]
    is_wrong = np.empty(n_examples, np.bool_)
    if algorithm.by_mistakes:
        learn_by_mistakes(algorithm, models, m, examples, targets, weights, block, first, check)
        return
    copies = np.empty(n_examples)
    poisson_of_rows(algorithm.lam * weights[first:], block.rows[first:], m, copies)
    shares = block.shares[m, first:]
    is_right = np.empty(n_examples if detectors.tests_after else 0, np.bool_)
    learn_run(models, m, part, targets, copies, answers, shares, is_right)
    for n in range(n_examples):
        is_wrong[n] = not is_right[n] if detectors.tests_after else answers[n] != targets[n]
    watch_each(detectors, m, is_wrong, weights[first:], block, check)


@kernel
def learn_by_mistakes(algorithm, models, m, examples, targets, weights, block, first, check):
    """Do the same where the weight of an example depends on the detector."""
    detectors = algorithm.detectors
    for n in range(first, len(weights)):
        before = classify(models, m, examples, n)
        block.answers[m, n] = before
        if block.shares.shape[1] > 0:
            shares = shares_of(algorithm, models, m, block.shares.shape[2], examples, n)
            copy_into(block.shares[m, n], shares)
        wanted = targets[n - first]
        k = weight_of_mistake(detectors, m, before != wanted, weights[n], block.rows[n])
        learn(models, m, examples, n, wanted, k)
        answer = classify(models, m, examples, n) if detectors.tests_after else before
        check = watch_one(detectors, m, answer != wanted, weights[n], block, check)


@kernel
def learn_side_by_side(algorithm, models, examples, labels, weights, block):
    """Train all models on one example after the other; the last one may be a check."""
    n_models, n_examples = len(algorithm.labels), len(labels)
    is_wrong = np.empty((n_models, n_examples), np.bool_)
    for n in range(n_examples):
        if block.shares.shape[1] > 0:
            classify_and_share_each(models, examples, n, algorithm.labels, block.shares[:, n])
        else:
            classify_each(models, examples, n, algorithm.labels)
        for m in range(n_models):
            block.answers[m, n] = algorithm.labels[m]
        poisson_each(algorithm.lam * weights[n], block.rows[n], algorithm.copies)
        learn_each(models, examples, n, labels[n], algorithm.copies)
        if algorithm.detectors.tests_after:
            classify_each(models, examples, n, algorithm.labels)
        for m in range(n_models):
            is_wrong[m, n] = algorithm.labels[m] != labels[n]
    for m in range(n_models):
        watch_each(algorithm.detectors, m, is_wrong[m], weights, block, 0)


@implements(learn_block, AdaptiveBoosting)
def _learn_boosted_block(algorithm, models, first, end, examples, labels, weights, block):
    n_examples = len(labels)
    passing = new_block(weights, block.rows, 1, n_examples)
    errors = passing.errors[0]
    for m in range(first, end):
        boost_block(algorithm.online, models, m, examples, labels, passing, errors, block.shares[m])
        for n in range(n_examples):
            block.answers[m, n] = passing.before[n]
            block.vote_weights[m, n] = vote_weight(algorithm, m, errors[n])
            count_since_start(algorithm, m, weights[n])
            passing.is_right[n] = not passing.is_right[n]
        watch_each(algorithm.detectors, m, passing.is_right, weights, block, 0)


@kernel
def watch_each(detectors, m, is_wrong, weights, block, check):
    """Tell the detector of model `m` about examples in turn; `check` is the first check among them."""
    for n in range(len(weights)):
        check = watch_one(detectors, m, is_wrong[n], weights[n], block, check)


@kernel(counts=False, inline=True)
def watch_one(detectors, m, is_wrong, weight, block, check):
    """Tell the detector of model `m` about one example; returns the number of the next check."""
    windows = detectors.windows
    if weight == 0.0:
        return check
    before, width = windows.totals[m], windows.widths[m]
    insert(windows, m, 1.0 if is_wrong else 0.0)
    if windows.n_seen[m] % detectors.clock != 0:
        return check
    is_cut = shrink(windows, m, detectors.delta)
    block.estimates[m, check, 0] = before / max(width, 1)
    block.estimates[m, check, 1] = windows.totals[m] / max(windows.widths[m], 1)
    block.has_risen[m, check] = is_cut and block.estimates[m, check, 1] > block.estimates[m, check, 0]
    return check + 1
