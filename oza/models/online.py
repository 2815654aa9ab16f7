"""Online algorithms: each is a step, the way in which it learns one example; drivers do the rest.

The state of an algorithm is a NamedTuple of what it knows of its base models, with a field `labels`,
int32 of shape (M,), in which their class indices are put. `models` are the base models themselves.
"""

import numpy as np

from .._compile import kernel, operation
from .._random import row_key
from .contract import classify_each

# What an algorithm says


@operation
def step(algorithm, models, examples, n, label, weight, row):
    """Learn example `n`, a `label` and a `weight` ≥ 0; its draws are those of the key `row`."""
    raise NotImplementedError


@operation
def settle(algorithm, models):
    """Bring the models up to date before they are asked; most algorithms learn nothing belatedly."""


@operation
def winner(algorithm, labels, n_classes):
    """Class index for which the models vote by these labels; most algorithms give each one vote."""
    return most_voted(labels, n_classes)


@kernel
def most_voted(labels, n_classes):
    """Class with the most votes, the first of those that tie; a label of −1 is no vote."""
    winning = 0
    most = 0
    for c in range(n_classes):
        count = 0
        for m in range(len(labels)):
            count += labels[m] == c
        if count > most:
            winning, most = c, count
    return winning


# Drivers


@operation
def learn_in_turn(algorithm, models, examples, labels, weights, key, n_seen):
    """Learn examples one after the other; `n_seen` came before them."""
    for n in range(len(labels)):
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, n_seen + n))
    settle(algorithm, models)


@operation
def vote_then_learn(algorithm, models, n_classes, examples, labels, weights, key, n_seen):
    """The same, but vote on each example before it is learned; the class indices of the votes."""
    predicted = np.empty(len(labels), np.int64)
    for n in range(len(labels)):
        classify_each(models, examples, n, algorithm.labels)
        predicted[n] = winner(algorithm, algorithm.labels, n_classes)
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, n_seen + n))
        settle(algorithm, models)
    return predicted


@kernel
def drive_learning(algorithm, models, examples, labels, weights, key, n_seen):
    """`learn_in_turn`, for callers that are not compiled."""
    learn_in_turn(algorithm, models, examples, labels, weights, key, n_seen)


@kernel
def drive_voting(algorithm, models, n_classes, examples, labels, weights, key, n_seen):
    """`vote_then_learn`, for callers that are not compiled."""
    return vote_then_learn(algorithm, models, n_classes, examples, labels, weights, key, n_seen)
