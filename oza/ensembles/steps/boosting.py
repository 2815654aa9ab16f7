"""AdaBoost.M1 (thesis Figure 4.1) and online boosting (Figure 4.3), as kernels.

In both, `right[m]` and `wrong[m]` are the total weights of the examples that model m classifies
correctly and wrongly: Σ Dₘ(n) in batch, λᵐˢᶜ and λᵐˢʷ online.  Initial weights are 1, not 1/N, so
that a smoothing constant has the same effect in an ensemble as in a single model.
"""

import math
from typing import NamedTuple

import numpy as np

from ...classifier.contract import classify, learn, learn_and_test, learn_batch, mark_correct, test_and_learn
from ...classifier.online import learn_in_turn, room_for_votes, step, winner
from ...classifier.schema import Examples
from ...classifier.validation import EXACT_BELOW
from ...kernels.arithmetic import log
from ...kernels.compile import implements, kernel
from ...kernels.random import draw_in_row, poisson, poisson_of_rows, row_key, uniform

BLOCK = 1024  # examples whose data for one model fit into the L2 cache


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
    """Boost in batch, changing `weights`, (N,); returns the number of models made."""
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
        if eps >= 0.5:
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
    uses_later_update: bool  # whether λ is updated as in later publications
    tests_first: bool  # whether a model is tested before it learns an example
    most_copies: float  # largest number of copies of one example that a model learns
    labels: np.ndarray  # (M,) int32: buffer
    lam: np.ndarray  # (M,) λ with which the example reached each model
    is_right: np.ndarray  # (M,) bool: whether that model classified it correctly


@implements(step, OnlineBoosting)
def online_boosting(algorithm, models, examples, n, label, weight, row):
    """Let each model learn the arriving example k ~ Poisson(λ) times; λ increases where models err."""
    boosting = algorithm.boosting
    lam = weight  # 1
    count_example(boosting, weight)
    for m in range(len(boosting.right)):  # 2
        drawn = poisson(min(lam, EXACT_BELOW), row, m)  # 2.1
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.most_copies)
        before = classify(models, m, examples, n) if algorithm.tests_first else -1
        learn(models, m, examples, n, label, k)  # 2.2
        answer = before if algorithm.tests_first else classify(models, m, examples, n)
        is_right = answer == label
        algorithm.lam[m], algorithm.is_right[m] = lam, is_right
        lam = next_lambda(
            boosting, m, lam, is_right, algorithm.uses_later_update, boosting.seen[0]
        )  # 2.3–2.5


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


@implements(winner, OnlineBoosting)
def _winner(algorithm, labels, n_classes):
    """Class with the largest sum of vote weights."""
    weights = vote_weights(algorithm.boosting, len(labels))
    return heaviest(labels, weights, np.zeros(n_classes))


@kernel
def heaviest(labels, weights, votes):
    """Class with the largest sum of vote weights, the first in a tie.

    Shapes: `labels` (M,), −1 for no vote; `weights` (M,); `votes` (K,), zeros, which receives the sums.
    """
    for m in range(len(weights)):
        if labels[m] >= 0:
            votes[labels[m]] += weights[m]
    return votes.argmax()


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
def trace(algorithm, models, examples, labels, weights, key, n_seen):
    """Learn examples one after the other, and record how each passed through the models."""
    shape = (len(labels), len(algorithm.labels))
    found = Trace(np.empty(shape), np.empty(shape, np.bool_), np.empty(shape))
    for n in range(len(labels)):
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, n_seen + n))
        for m in range(len(algorithm.labels)):
            found.lam[n, m] = algorithm.lam[m]
            found.is_right[n, m] = algorithm.is_right[m]
            found.error[n, m] = error(algorithm.boosting, m)
    return found


# The same algorithm with its loops exchanged, which is faster and gives the same bits: each model learns a
# block of examples before the next model does. All that a model needs of the others is the λ passed on to it.


class BoostedBlock(NamedTuple):
    """Buffers for N examples on their way through the models."""

    lam: np.ndarray  # (N,) λ with which they reach the next model
    rows: np.ndarray  # (N,) uint64: keys of their draws
    seen: np.ndarray  # (N,) total weight of all examples up to each
    copies: np.ndarray  # (N,) number of copies of each that the model learns
    is_right: np.ndarray  # (N,) bool: whether it classifies each correctly
    before: np.ndarray  # (N,) int32: class indices by the model before it learns each


@implements(learn_in_turn, OnlineBoosting)
def _learn_by_model(algorithm, models, n_classes, examples, labels, weights, key, n_seen):
    boosting = algorithm.boosting
    n_models = len(boosting.right)
    n_voted = min(BLOCK, len(labels)) if n_classes > 0 else 0
    predicted = room_for_votes(len(labels), n_classes)
    answers = np.empty((n_models, n_voted), np.int32)
    errors = np.empty((n_models, n_voted))  # (M, N) error of each model before each example
    for start in range(0, len(labels), BLOCK):
        some = slice(start, min(start + BLOCK, len(labels)))
        part = Examples(examples.codes[some], examples.numbers[some])
        n_seen_before = boosting.seen[1]
        seen_before = boosting.seen[0]
        block = new_block(boosting, weights[some], key, n_seen + start)
        for m in range(n_models):
            boost_block(algorithm, models, m, part, labels[some], block, errors[m])
            for n in range(min(n_voted, len(block.lam))):
                answers[m, n] = block.before[n]
        for n in range(min(n_voted, len(block.lam))):
            votes = votes_from_errors(errors[:, n], seen_before, n_seen_before)
            predicted[start + n] = heaviest(answers[:, n], votes, np.zeros(n_classes))
            seen_before = block.seen[n]
            n_seen_before += weights[start + n] > 0.0
    return predicted


@kernel
def new_block(boosting, weights, key, n_seen):
    """A block of examples with these weights, (N,), before the first model; counts the examples."""
    n_examples = len(weights)
    rows = np.empty(n_examples, np.uint64)
    seen = np.empty(n_examples)
    for n in range(n_examples):
        rows[n] = row_key(key, n_seen + n)
        count_example(boosting, weights[n])
        seen[n] = boosting.seen[0]
    return BoostedBlock(
        weights.copy(),
        rows,
        seen,
        np.empty(n_examples),
        np.empty(n_examples, np.bool_),
        np.empty(n_examples, np.int32),
    )


@kernel
def boost_block(algorithm, models, m, examples, labels, block, errors):
    """Let model `m` learn each example of a block, and replace its λ by the one passed on.

    Unless `errors`, (N,), is empty, write into it the error ε of the model before each example, and into
    `block.before` its class index for each example before it learned that one.
    """
    boosting = algorithm.boosting
    lam, copies, is_right = block.lam, block.copies, block.is_right
    poisson_of_rows(np.minimum(lam, EXACT_BELOW), block.rows, m, copies)
    if not count_if_all_can_be_learned(boosting, m, lam, copies, algorithm.most_copies):
        for n in range(len(lam)):
            copies[n], lam[n] = copies_to_learn(boosting, m, lam[n], copies[n], algorithm.most_copies)
    if algorithm.tests_first:
        test_and_learn(models, m, examples, labels, copies, block.before)
        for n in range(len(lam)):
            is_right[n] = block.before[n] == labels[n]
    else:
        before = block.before if len(errors) > 0 else block.before[:0]
        learn_and_test(models, m, examples, labels, copies, before, is_right)
    for n in range(len(lam)):
        if len(errors) > 0:
            errors[n] = error(boosting, m)
        lam[n] = next_lambda(boosting, m, lam[n], is_right[n], algorithm.uses_later_update, block.seen[n])


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


@kernel
def vote_weights(boosting, n_models):
    """Vote weights of the first `n_models` models, (M,)."""
    errors = np.empty(n_models)
    for m in range(n_models):
        errors[m] = error(boosting, m)
    return votes_from_errors(errors, boosting.seen[0], boosting.seen[1])


@kernel
def votes_from_errors(errors, seen, n_seen):
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
