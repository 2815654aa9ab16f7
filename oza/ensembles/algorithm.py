"""Online algorithms: an algorithm implements `step`, which learns from one example; a driver calls it.

The state of an algorithm is a NamedTuple of its statistics about the base models, with a field
`labels`, int32 of shape (M,), a buffer for their class indices. `models` is the state of the base
models themselves. The other driver, `learn_in_blocks`, gives the same bits in another order of the loops.
"""

import numpy as np

from ..classifier.contract import classify_each
from ..kernels.compile import Operation, kernel
from ..kernels.random import row_key
from .votes import count_winner, weigh_winner

# Operations of an algorithm


@Operation
def step(algorithm, models, examples, n, label, weight, row):
    """Train on example `n` with its `label` and a `weight` ≥ 0; `row` is the key of its random draws."""
    raise NotImplementedError


@Operation
def settle(algorithm, models):
    """Bring the models up to date before they predict; a no-op unless an algorithm defers learning."""


@Operation
def vote_weights(algorithm, n_models):
    """Weights of the votes of the first `n_models` models, (M,); by default 1 each."""
    return np.ones(n_models)


@Operation
def winner(algorithm, labels, n_classes):
    """Class index that wins the vote, given those by the models, `labels`; by default by `vote_weights`."""
    return weigh_winner(labels, vote_weights(algorithm, len(labels)), n_classes)


def winner_by_count(algorithm, labels, n_classes):
    """An implementation of `winner` for votes that count alike: without an array of weights per example."""
    return count_winner(labels, n_classes)


@Operation
def vote(algorithm, models, n_classes, examples, n):
    """Class index of example `n` by the vote of the models."""
    classify_each(models, examples, n, algorithm.labels)
    return winner(algorithm, algorithm.labels, n_classes)


@kernel
def empty_predictions(n_examples, n_classes):
    """Array for the class index voted for each example, (N,); empty with `n_classes` 0, for no votes."""
    return np.empty(n_examples if n_classes > 0 else 0, np.int64)


@kernel
def learn_in_turn(algorithm, models, n_classes, examples, labels, weights, key, seen):
    """Train on examples one after the other; `seen`, (1,), is the number of earlier ones, and is raised.

    Returns the class index that the models vote for before they are trained on each example, (N,); with
    `n_classes` 0, which asks for no votes, an empty array.
    """
    predicted = empty_predictions(len(labels), n_classes)
    for n in range(len(labels)):
        if n_classes > 0:
            settle(algorithm, models)
            predicted[n] = vote(algorithm, models, n_classes, examples, n)
        step(algorithm, models, examples, n, labels[n], weights[n], row_key(key, seen[0] + n))
    settle(algorithm, models)
    seen[0] += len(labels)
    return predicted
