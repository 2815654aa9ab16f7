"""AdaBoost.M1 (thesis Figure 4.1) and online boosting (Figure 4.3), as kernels.

In both, `right[m]` and `wrong[m]` are the total weights of the examples that model m classifies
correctly and wrongly: Σ Dₘ(n) in batch mode, λᵐˢᶜ and λᵐˢʷ online.  Initial weights are 1, not 1/N, so
that a smoothing constant has the same effect in an ensemble as in a single model.
"""

import math
from typing import NamedTuple

import numpy as np

from ...classifier.contract import classify, learn, learn_batch, learn_run, mark_correct
from ...columns.validation import EXACT_BELOW
from ...kernels.arithmetic import log
from ...kernels.compile import implements, kernel
from ...kernels.random import draw_in_row, poisson, poisson_of_rows, row_key, uniform
from ..algorithm import step, vote_weights
from ..blocks import close_block, learn_block, open_block
from ..votes import weigh_winner

#: An error that is less than 1/2 by no more than this counts as 1/2: rounding changes sums of a million
#: weights by less. Sums of whole weights are exact, and none below 2**29 comes as near.
NEARLY_HALF = 2.0**-30


class Boosting(NamedTuple):
    """Statistics of boosting about M models."""

    right: np.ndarray  # (M,) weight of the examples that model m classified correctly
    wrong: np.ndarray  # (M,) weight of those that it misclassified
    learned: np.ndarray  # (M,) copies of examples that model m learned; in batch, weight rounded up
    bounded: np.ndarray  # (M,) int64: number of its draws that were bounded
    seen: np.ndarray  # (2,) weight of all examples; number of examples with positive weight


def new_boosting(n_models):
    """The initial state of M models."""
    return Boosting(
        np.zeros(n_models), np.zeros(n_models), np.zeros(n_models), np.zeros(n_models, np.int64), np.zeros(2)
    )


@kernel
def adaboost(models, n_models, boosting, examples, labels, weights, resample, key):
    """Boost in batch mode, changing `weights`, (N,); returns the number of models made."""
    is_right = np.empty(len(labels), np.bool_)
    sample = np.arange(len(labels), dtype=np.int32)
    shares = np.ones(len(labels)) if resample else weights
    for weight in weights:
        count_example(boosting, weight)
    for m in range(n_models):
        if resample:
            sample_by_weight(sample, weights, row_key(key, m))
        learn_batch(models, m, examples, labels, shares, sample)
        for drawn in sample:
            boosting.learned[m] += shares[drawn]
        boosting.learned[m] = min(
            math.ceil(boosting.learned[m]), EXACT_BELOW
        )  # so that what is left of the exact range is whole
        mark_correct(models, m, examples, labels, is_right)
        for n in range(len(labels)):
            if is_right[n]:
                boosting.right[m] += weights[n]
            else:
                boosting.wrong[m] += weights[n]
        eps = error(boosting, m)
        if eps >= 0.5 - NEARLY_HALF:
            return max(m, 1)  # the model is dropped unless it is the first
        if eps == 0.0:
            return m + 1  # nothing is left to reweight
        for n in range(len(labels)):
            if is_right[n]:
                weights[n] = weights[n] / (2.0 * (1.0 - eps))
            else:
                weights[n] = weights[n] / (2.0 * eps)
    return n_models


class OnlineBoosting(NamedTuple):
    """State of online boosting of M models, with buffers for one example."""

    boosting: Boosting
    uses_later_update: bool  # whether λ is updated as in MOA
    tests_first: bool  # whether a model is tested before it learns from an example
    most_copies: float  # largest number of copies of one example that a model learns
    labels: np.ndarray  # (M,) int32: buffer
    lam: np.ndarray  # (M,) λ with which the example reached each model
    is_right: np.ndarray  # (M,) bool: whether that model classified it correctly


@implements(step, OnlineBoosting)
def online_boosting(algorithm, models, examples, n, label, weight, row):
    """Train each model on the arriving example k ~ Poisson(λ) times; λ increases where models are wrong.

    The comments number the lines of the pseudo-code in the book, which is thesis Figure 4.3.
    """
    boosting = algorithm.boosting
    lam = weight  # 1
    count_example(boosting, weight)
    for m in range(len(boosting.right)):  # 2
        drawn = poisson(min(lam, EXACT_BELOW), row, m)
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.most_copies)
        before = classify(models, m, examples, n) if algorithm.tests_first else -1
        learn(models, m, examples, n, label, k)  # 2.1
        answer = before if algorithm.tests_first else classify(models, m, examples, n)
        algorithm.lam[m], algorithm.is_right[m] = lam, answer == label
        seen, is_later = boosting.seen[0], algorithm.uses_later_update
        lam = next_lambda(boosting, m, lam, answer == label, is_later, seen)  # 2.2–2.4


@kernel
def next_lambda(boosting, m, lam, is_right, uses_later_update, seen):
    """Add the example to the sums of model `m`, and return the λ that it passes on to the next model."""
    if lam == 0.0:
        return 0.0
    if is_right:
        boosting.right[m] += lam
        if uses_later_update:
            return lam * seen / (2.0 * boosting.right[m])
        return lam / (2.0 * (1.0 - error(boosting, m)))
    boosting.wrong[m] += lam
    if uses_later_update:
        return lam * seen / (2.0 * boosting.wrong[m])
    return lam / (2.0 * error(boosting, m))


class Trace(NamedTuple):
    """How N examples passed through the M base models of online boosting.

    Attributes
    ----------
    lam : ndarray of shape (N, M)
        The λ with which each example reached each model.
    is_right : ndarray of shape (N, M), bool
        Whether the model, when it was tested on the example, classified it correctly.
    error : ndarray of shape (N, M)
        Each model's estimate ε of its error afterwards.
    """

    lam: np.ndarray
    is_right: np.ndarray
    error: np.ndarray


@kernel
def trace(algorithm, models, examples, labels, weights, key, seen):
    """Train on examples one after the other, and record how each passed through the models."""
    shape = (len(labels), len(algorithm.labels))
    found = Trace(np.empty(shape), np.empty(shape, np.bool_), np.empty(shape))
    for n in range(len(labels)):
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, seen[0] + n))
        for m in range(len(algorithm.labels)):
            found.lam[n, m] = algorithm.lam[m]
            found.is_right[n, m] = algorithm.is_right[m]
            found.error[n, m] = error(algorithm.boosting, m)
    seen[0] += len(labels)
    return found


# The same algorithm with its loops exchanged: all that a model needs of the others is the λ passed on to it.


class BoostedBlock(NamedTuple):
    """Buffers for N examples on their way through the models."""

    lam: np.ndarray  # (N,) λ with which they reach the next model
    rows: np.ndarray  # (N,) uint64: keys of their draws
    seen: np.ndarray  # (2, N + 1) total weight and number of all examples before each and after the last
    copies: np.ndarray  # (N,) number of copies of each that the model learns
    is_right: np.ndarray  # (N,) bool: whether it classifies each correctly
    before: np.ndarray  # (N,) int32: class indices by the model before it is trained on each
    answers: np.ndarray  # (M, N) int32: the same by all models; (M, 0) without votes
    errors: np.ndarray  # (M, N) error ε of each model before each example; (M, 0) without votes


@kernel
def new_block(weights, rows, n_models, n_voted):
    """A block of examples with these weights and keys, (N,), before the first model."""
    n_examples = len(weights)
    return BoostedBlock(
        weights.copy(),
        rows,
        np.zeros((2, n_examples + 1)),
        np.empty(n_examples),
        np.empty(n_examples, np.bool_),
        np.empty(n_examples, np.int32),
        np.empty((n_models, n_voted), np.int32),
        np.empty((n_models, n_voted)),
    )


@implements(open_block, OnlineBoosting)
def _open_block(algorithm, n_classes, weights, key, n_seen):
    boosting = algorithm.boosting
    n_examples = len(weights)
    rows = np.empty(n_examples, np.uint64)
    for n in range(n_examples):
        rows[n] = row_key(key, n_seen + n)
    block = new_block(weights, rows, len(boosting.right), n_examples if n_classes > 0 else 0)
    for n in range(n_examples):
        block.seen[0, n], block.seen[1, n] = boosting.seen[0], boosting.seen[1]
        count_example(boosting, weights[n])
    block.seen[0, n_examples], block.seen[1, n_examples] = boosting.seen[0], boosting.seen[1]
    return block


@implements(learn_block, OnlineBoosting)
def _learn_block(algorithm, models, first, end, examples, labels, weights, block):
    for m in range(first, end):
        boost_block(algorithm, models, m, examples, labels, block, block.errors[m], None)
        for n in range(block.answers.shape[1]):
            block.answers[m, n] = block.before[n]


@implements(close_block, OnlineBoosting)
def _close_block(algorithm, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    for n in range(len(predicted)):
        votes = weights_from_errors(block.errors[:, n], block.seen[0, n], block.seen[1, n])
        predicted[n] = weigh_winner(block.answers[:, n], votes, n_classes)


@kernel
def boost_block(algorithm, models, m, examples, labels, block, errors, shares):
    """Train model `m` on each example of a block, and replace its λ by the one passed on.

    Unless `errors`, (N,), is empty, write into it the error ε of the model before each example, and into
    `block.before` and `shares` what it answered before it learned from the example, as `learn_run` does.
    """
    boosting = algorithm.boosting
    lam, copies, is_right = block.lam, block.copies, block.is_right
    poisson_of_rows(np.minimum(lam, EXACT_BELOW), block.rows, m, copies)
    if not count_if_all_can_be_learned(boosting, m, lam, copies, algorithm.most_copies):
        for n in range(len(lam)):
            copies[n], lam[n] = copies_to_learn(boosting, m, lam[n], copies[n], algorithm.most_copies)
    before = block.before if algorithm.tests_first or len(errors) > 0 else block.before[:0]
    after = is_right[:0] if algorithm.tests_first else is_right
    learn_run(models, m, examples, labels, copies, before, shares, after)
    for n in range(len(lam)):
        if algorithm.tests_first:
            is_right[n] = before[n] == labels[n]
        if len(errors) > 0:
            errors[n] = error(boosting, m)
        seen = block.seen[0, n + 1]
        lam[n] = next_lambda(boosting, m, lam[n], is_right[n], algorithm.uses_later_update, seen)


@kernel
def copies_to_learn(boosting, m, lam, drawn, most_copies):
    """(k, λ): the number of copies drawn and its mean, bounded so that the counts of model `m` stay exact."""
    bounded = min(lam, EXACT_BELOW)
    k = min(drawn, min(most_copies, EXACT_BELOW - boosting.learned[m]))
    boosting.learned[m] += k
    boosting.bounded[m] += k < drawn or bounded < lam
    return k, bounded


@kernel
def count_if_all_can_be_learned(boosting, m, lam, drawn, most_copies):
    """Count the copies of many examples, (N,), if none need bounding; returns whether that is so."""
    highest_mean = highest = 0.0
    total = boosting.learned[m]
    for n in range(len(drawn)):
        highest_mean = max(highest_mean, lam[n])
        highest = max(highest, drawn[n])
        total += drawn[n]
    possible = highest_mean <= EXACT_BELOW and highest <= most_copies and total < EXACT_BELOW
    if possible:
        boosting.learned[m] = total
    return possible


@kernel
def count_example(boosting, weight):
    """Count an example and its weight."""
    boosting.seen[0] += weight
    boosting.seen[1] += weight > 0.0


@kernel
def error(boosting, m):
    """Error ε of model `m`: the share of its weight that it misclassified; 1/2 if it had no weight."""
    total = boosting.right[m] + boosting.wrong[m]
    return boosting.wrong[m] / total if total > 0.0 else 0.5


@implements(vote_weights, Boosting)
def _vote_weights(boosting, n_models):
    errors = np.empty(n_models)
    for m in range(n_models):
        errors[m] = error(boosting, m)
    return weights_from_errors(errors, boosting.seen[0], boosting.seen[1])


@implements(vote_weights, OnlineBoosting)
def _online_vote_weights(algorithm, n_models):
    return vote_weights(algorithm.boosting, n_models)


@kernel
def weights_from_errors(errors, seen, n_seen):
    """Vote weights log((1 − ε)/ε) of models with the errors ε, (M,).

    From the first model with ε > 1/2 on, vote weights are 0; the very first model always votes. ε is at
    least 1/(2N), N being the larger of the weight and the number of all examples, so that the vote
    weight of a perfect model is finite.
    """
    n_models = len(errors)
    votes = np.zeros(n_models)
    lowest = 0.5 / max(seen, n_seen, 1.0)
    last = 0
    while last < n_models and errors[last] <= 0.5:
        eps = max(errors[last], lowest)
        votes[last] = log((1.0 - eps) / eps)
        last += 1
    if not votes.any():  # no model is better than chance
        votes[: max(last, 1)] = 1.0
    return votes


@kernel
def sample_by_weight(sample, weights, row):
    """Fill `sample`, int32 (N,), with draws from N examples with probabilities ∝ `weights`, (N,)."""
    cumulative = np.empty(len(weights))
    total = 0.0
    for n in range(len(weights)):
        total += weights[n]
        cumulative[n] = total
    last = np.searchsorted(cumulative, total)  # with subnormal weights, `point` can round to `total`
    for draw in range(len(weights)):
        point = uniform(draw_in_row(row, draw)) * total
        sample[draw] = min(np.searchsorted(cumulative, point, side="right"), last)
