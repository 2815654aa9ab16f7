"""AdaBoost.M1 (thesis Figure 4.1) and online boosting (Figure 4.3), as kernels.

In both, `right[m]` and `wrong[m]` add up the weight of the examples that model m gets right and
wrong: Σ Dₘ(n) in batch, λᵐˢᶜ and λᵐˢʷ online.  Weights start at 1 each, not at 1/N, so that a
smoothing constant means the same to a model in an ensemble as to one alone.
"""

import math
from typing import NamedTuple

import numpy as np

from .._arithmetic import log
from .._compile import kernel
from .._random import draw_in_row, poisson, poisson_of_rows, row_key, uniform
from .._schema import Examples
from .._validation import EXACT_BELOW
from ..models._verbs import classify, examine, learn, learn_and_test, learn_batch

STRETCH = 1024  # examples: what a model needs of them stays in the second-level cache


class Boosting(NamedTuple):
    """What boosting knows of M models."""

    right: np.ndarray  # (M,) weight of the examples that model m classified correctly
    wrong: np.ndarray  # (M,) weight of those that it did not
    learned: np.ndarray  # (M,) copies of examples that model m learned; weight, rounded up, in batch
    bounded: np.ndarray  # (M,) int64: how many of its draws were bounded
    seen: np.ndarray  # (2,) weight of all examples; how many had any


def new_boosting(n_models):
    """Of models that have met no example."""
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


@kernel
def online_boosting(models, boosting, examples, labels, weights, key, n_seen, later, most_copies):
    """Each model learns each arriving example k ~ Poisson(λ) times; λ grows where models err."""
    for n in range(len(labels)):
        row = row_key(key, n_seen + n)
        lam = weights[n]
        count_example(boosting, lam)
        for m in range(len(boosting.right)):
            k, lam = copies_to_learn(boosting, m, lam, poisson(min(lam, EXACT_BELOW), row, m), most_copies)
            learn(models, m, examples, n, labels[n], k)
            is_right = classify(models, m, examples, n) == labels[n]
            lam = passed_on(boosting, m, lam, is_right, later, boosting.seen[0])


@kernel
def online_boosting_by_model(models, boosting, examples, labels, weights, key, n_seen, later, most_copies):
    """The same to the bit, and faster: each model takes a stretch of examples, then the next does.

    It can, because a model needs nothing of the others but the λ that the one before passes on.
    """
    for start in range(0, len(labels), STRETCH):
        stop = min(start + STRETCH, len(labels))
        some = Examples(examples.codes[start:stop], examples.numbers[start:stop])
        lam = weights[start:stop].copy()
        rows = np.empty(len(lam), np.uint64)
        seen = np.empty(len(lam))
        for n in range(len(lam)):
            rows[n] = row_key(key, n_seen + start + n)
            count_example(boosting, weights[start + n])
            seen[n] = boosting.seen[0]
        copies = np.empty(len(lam))
        is_right = np.empty(len(lam), np.bool_)
        for m in range(len(boosting.right)):
            poisson_of_rows(np.minimum(lam, EXACT_BELOW), rows, m, copies)
            if not count_if_all_can_be_learned(boosting, m, lam, copies, most_copies):
                for n in range(len(lam)):
                    copies[n], lam[n] = copies_to_learn(boosting, m, lam[n], copies[n], most_copies)
            learn_and_test(models, m, some, labels[start:stop], copies, is_right)
            for n in range(len(lam)):
                lam[n] = passed_on(boosting, m, lam[n], is_right[n], later, seen[n])


@kernel
def passed_on(boosting, m, lam, is_right, later, seen):
    """The λ with which an example goes on to the next model."""
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
    """Votes of the first `n_models` models, log((1 − ε)/ε), as far as none before errs too much.

    The models from the first with ε > 1/2 on have no vote; the very first model always has one.
    ε counts as 1/(2N) at least, so that a perfect model has a large vote, but a finite one.
    """
    votes = np.zeros(n_models)
    lowest = 0.5 / max(boosting.seen[0], boosting.seen[1], 1.0)
    last = 0
    while last < n_models and error(boosting, last) <= 0.5:
        eps = max(error(boosting, last), lowest)
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
