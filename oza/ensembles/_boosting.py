"""AdaBoost.M1 (thesis Figure 4.1) and online boosting (Figure 4.3), as kernels.

In both, `right[m]` and `wrong[m]` add up the weight of the examples that model m gets right and
wrong: Σ Dₘ(n) in batch, λᵐˢᶜ and λᵐˢʷ online.  Weights start at 1 each, not at 1/N, so that a
smoothing constant means the same to a model in an ensemble as to one alone.
"""

import math
from typing import NamedTuple

import numpy as np

from .._arithmetic import log
from .._compile import implements, kernel
from .._random import draw_in_row, poisson, poisson_of_rows, row_key, uniform
from .._schema import Examples
from .._validation import EXACT_BELOW
from ..models.contract import classify, examine, learn, learn_and_test, learn_batch, test_and_learn
from ..models.online import learn_in_turn, step, vote_then_learn, winner

BLOCK = 1024  # examples: what a model needs of them stays in the second-level cache


class Boosting(NamedTuple):
    """What boosting knows of M models."""

    right: np.ndarray  # (M,) weight of the examples that model m classified correctly
    wrong: np.ndarray  # (M,) weight of those that it did not
    learned: np.ndarray  # (M,) copies of examples that model m learned; weight, rounded up, in batch
    bounded: np.ndarray  # (M,) int64: how many of its draws were bounded
    seen: np.ndarray  # (2,) weight of all examples; how many had any


def new_boosting(n_models):
    """The initial state of M models."""
    return Boosting(
        np.zeros(n_models), np.zeros(n_models), np.zeros(n_models), np.zeros(n_models, np.int64), np.zeros(2)
    )


@kernel
def adaboost(models, n_models, boosting, examples, labels, weights, resample, key):
    """Boost in batch, changing `weights`; how many models there are in the end."""
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
        boosting.learned[m] = min(math.ceil(boosting.learned[m]), EXACT_BELOW)  # the room left is whole
        examine(models, m, examples, labels, is_right)
        for n in range(len(labels)):
            if is_right[n]:
                boosting.right[m] += weights[n]
            else:
                boosting.wrong[m] += weights[n]
        eps = error(boosting, m)
        if eps >= 0.5:
            return max(m, 1)  # this model is dropped, unless it is the first
        if eps == 0.0:
            return m + 1  # nothing is left to reweight
        for n in range(len(labels)):
            if is_right[n]:
                weights[n] = weights[n] / (2.0 * (1.0 - eps))
            else:
                weights[n] = weights[n] / (2.0 * eps)
    return n_models


class OnlineBoosting(NamedTuple):
    """Online boosting of M models, and room for one example."""

    boosting: Boosting
    later: bool  # whether λ is multiplied as in later publications
    tests_first: bool  # whether a model is tested before it learns
    most_copies: float  # of one example that a model is given
    labels: np.ndarray  # (M,) int32
    lam: np.ndarray  # (M,) λ with which the example came to each model
    is_right: np.ndarray  # (M,) bool: whether that model got it right


@implements(step, OnlineBoosting)
def online_boosting(algorithm, models, examples, n, label, weight, row):
    """Each model learns the arriving example k ~ Poisson(λ) times; λ grows where models err."""
    boosting = algorithm.boosting
    lam = weight  # 1
    count_example(boosting, weight)
    for m in range(len(boosting.right)):  # 2
        drawn = poisson(min(lam, EXACT_BELOW), row, m)  # 2.1
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.most_copies)
        before = classify(models, m, examples, n) if algorithm.tests_first else -1
        learn(models, m, examples, n, label, k)  # 2.2
        answer = before if algorithm.tests_first else classify(models, m, examples, n)
        algorithm.lam[m], algorithm.is_right[m] = lam, answer == label
        lam = passed_on(boosting, m, lam, answer == label, algorithm.later, boosting.seen[0])  # 2.3–2.5


@kernel
def passed_on(boosting, m, lam, is_right, later, seen):
    """The λ with which an example goes on from model `m` to the next."""
    if lam == 0.0:
        return 0.0
    if is_right:
        boosting.right[m] += lam
        if later:
            return lam * seen / (2.0 * boosting.right[m])
        return lam / (2.0 * (1.0 - error(boosting, m)))
    boosting.wrong[m] += lam
    if later:
        return lam * seen / (2.0 * boosting.wrong[m])
    return lam / (2.0 * error(boosting, m))


@implements(winner, OnlineBoosting)
def _winner(algorithm, labels, n_classes):
    """Class with the largest sum of vote weights."""
    weights = vote_weights(algorithm.boosting, len(labels))
    return heaviest(labels, weights, np.zeros(n_classes))


@kernel
def heaviest(labels, weights, votes):
    """Class with the largest sum of weights, the first of those that tie; adds them up in `votes`."""
    for m in range(len(weights)):
        if labels[m] >= 0:
            votes[labels[m]] += weights[m]
    return votes.argmax()


class Trace(NamedTuple):
    """How N examples went through the M base models of online boosting.

    Attributes
    ----------
    lam : ndarray of shape (N, M)
        The λ with which each example came to each model.
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
    """Learn examples one after the other, and note how each went through the models."""
    shape = (len(labels), len(algorithm.labels))
    found = Trace(np.empty(shape), np.empty(shape, np.bool_), np.empty(shape))
    for n in range(len(labels)):
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, n_seen + n))
        for m in range(len(algorithm.labels)):
            found.lam[n, m] = algorithm.lam[m]
            found.is_right[n, m] = algorithm.is_right[m]
            found.error[n, m] = error(algorithm.boosting, m)
    return found


# The same to the bit, and faster: each model takes a block of examples, then the next model does. It can,
# because a model needs nothing of the others but the λ that the one before passes on.


class BoostedBlock(NamedTuple):
    """N examples on their way through the models."""

    lam: np.ndarray  # (N,) λ with which they come to the next model
    rows: np.ndarray  # (N,) uint64 keys of their draws
    seen: np.ndarray  # (N,) weight of all examples up to each
    copies: np.ndarray  # (N,) how often the model learns each
    is_right: np.ndarray  # (N,) bool: whether it gets each right
    before: np.ndarray  # (N,) int32 class indices that the model gives before it learns


@implements(learn_in_turn, OnlineBoosting)
def _learn_by_model(algorithm, models, examples, labels, weights, key, n_seen):
    for start in range(0, len(labels), BLOCK):
        some = slice(start, min(start + BLOCK, len(labels)))
        part = Examples(examples.codes[some], examples.numbers[some])
        block = new_block(algorithm.boosting, weights[some], key, n_seen + start)
        for m in range(len(algorithm.boosting.right)):
            through_one_model(algorithm, models, m, part, labels[some], block, None)


@implements(vote_then_learn, OnlineBoosting)
def _vote_then_learn_by_model(algorithm, models, n_classes, examples, labels, weights, key, n_seen):
    boosting = algorithm.boosting
    n_models = len(boosting.right)
    predicted = np.empty(len(labels), np.int64)
    answers = np.empty((n_models, min(BLOCK, len(labels))), np.int32)
    errors = np.empty((n_models, answers.shape[1]))  # of each model, before each example
    for start in range(0, len(labels), BLOCK):
        some = slice(start, min(start + BLOCK, len(labels)))
        part = Examples(examples.codes[some], examples.numbers[some])
        n_seen_before = boosting.seen[1]
        seen_before = boosting.seen[0]
        block = new_block(boosting, weights[some], key, n_seen + start)
        for m in range(n_models):
            through_one_model(algorithm, models, m, part, labels[some], block, errors[m])
            for n in range(len(block.lam)):
                answers[m, n] = block.before[n]
        for n in range(len(block.lam)):
            votes = votes_from_errors(errors[:, n], seen_before, n_seen_before)
            predicted[start + n] = heaviest(answers[:, n], votes, np.zeros(n_classes))
            seen_before = block.seen[n]
            n_seen_before += weights[start + n] > 0.0
    return predicted


@kernel
def new_block(boosting, weights, key, n_seen):
    """The examples of these weights before the first model; counts them."""
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
def through_one_model(algorithm, models, m, examples, labels, block, errors):
    """Let model `m` take each example of a block, and pass on its λ.

    Unless `errors` is None, note in it ε of the model before each example, and in `block.before` the
    class that it gave to each example before it learned that one.
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
    elif errors is not None:
        learn_and_test(models, m, examples, labels, copies, block.before, is_right)
    else:
        learn_and_test(models, m, examples, labels, copies, None, is_right)
    for n in range(len(lam)):
        if errors is not None:
            errors[n] = error(boosting, m)
        lam[n] = passed_on(boosting, m, lam[n], is_right[n], algorithm.later, block.seen[n])


@kernel
def copies_to_learn(boosting, m, lam, drawn, most_copies):
    """(k, λ): what was drawn and its mean, as far as the counts of model `m` stay exact."""
    bounded = min(lam, EXACT_BELOW)
    k = min(drawn, min(most_copies, EXACT_BELOW - boosting.learned[m]))
    boosting.learned[m] += k
    boosting.bounded[m] += k < drawn or bounded < lam
    return k, bounded


@kernel
def count_if_all_can_be_learned(boosting, m, lam, drawn, most_copies):
    """Do what `copies_to_learn` does for each of many examples, where it bounds none of them."""
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
    """Note that an example came by."""
    boosting.seen[0] += weight
    boosting.seen[1] += weight > 0.0


@kernel
def error(boosting, m):
    """ε of model `m`: the share of its weight that it got wrong; 1/2 where it had no weight."""
    total = boosting.right[m] + boosting.wrong[m]
    return boosting.wrong[m] / total if total > 0.0 else 0.5


@kernel
def vote_weights(boosting, n_models):
    """Votes of the first `n_models` models."""
    errors = np.empty(n_models)
    for m in range(n_models):
        errors[m] = error(boosting, m)
    return votes_from_errors(errors, boosting.seen[0], boosting.seen[1])


@kernel
def votes_from_errors(errors, seen, n_seen):
    """Votes of models with these ε, log((1 − ε)/ε), as far as none before errs too much.

    The models from the first with ε > 1/2 on have no vote; the very first model always has one.
    ε counts as 1/(2N) at least, N being the larger of the weight and the number of all examples, so
    that a perfect model has a large vote, but a finite one.
    """
    n_models = len(errors)
    votes = np.zeros(n_models)
    lowest = 0.5 / max(seen, n_seen, 1.0)
    last = 0
    while last < n_models and errors[last] <= 0.5:
        eps = max(errors[last], lowest)
        votes[last] = log((1.0 - eps) / eps)
        last += 1
    if not votes.any():  # no model beats chance
        votes[: max(last, 1)] = 1.0
    return votes


@kernel
def sample_by_weight(sample, weights, row):
    """List in `sample` N draws from N examples with probabilities ∝ `weights`, in the order of the draws."""
    cumulative = np.empty(len(weights))
    total = 0.0
    for n in range(len(weights)):
        total += weights[n]
        cumulative[n] = total
    last = np.searchsorted(cumulative, total)  # where weights are subnormal, `point` can round to `total`
    for draw in range(len(weights)):
        point = uniform(draw_in_row(row, draw)) * total
        sample[draw] = min(np.searchsorted(cumulative, point, side="right"), last)
