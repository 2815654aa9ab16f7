"""Base models whose answers are given, for instance biased coins, and which record the weights they get."""

from typing import Annotated, NamedTuple

import numpy as np

from oza.extend import SingleModel, classify, implements, learn


class Coins(NamedTuple):
    """State of M coins: model m answers what column m says, whatever it learns."""

    weights: Annotated[np.ndarray, "M, N"]  # with which each model has learned each example of a call


@implements(learn, Coins)
def _learn(models, m, examples, n, label, weight):
    models.weights[m, n] += weight


@implements(classify, Coins)
def _classify(models, m, examples, n):
    return int(examples.numbers[n, m])


class CoinClassifier(SingleModel):
    """A classifier that answers the number in the column with its own number in the ensemble."""

    def __init__(self, n_examples=1000, categorical_features="auto", categories="auto"):
        self.n_examples = n_examples
        self.categorical_features = categorical_features
        self.categories = categories

    def _new_models(self, schema, classes, n_models):
        return Coins(np.zeros((n_models, self.n_examples)))


def coins(n_examples: int, n_models: int, edge: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw labels, 0 or 1, and for each the answers of models, each right with probability 1/2 + `edge`.

    >>> X, y = coins(10_000, 3, 0.1, seed=0)
    >>> (X == y[:, None]).mean(axis=0).round(2).tolist()
    [0.6, 0.6, 0.6]
    """
    draws = np.random.default_rng(seed)
    y = draws.integers(0, 2, n_examples)
    is_right = draws.random((n_examples, n_models)) < 0.5 + edge
    return np.where(is_right, y[:, None], 1 - y[:, None]), y
