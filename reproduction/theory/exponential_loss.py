"""AdaBoost as the minimisation of the exponential loss, stage by stage (Aditya and Sarkar's slides).

Two classes, y = ±1. The loss of a weighted vote H is Σ exp(−y H(x)) over the training examples. When a
model h with vote α joins, the loss becomes Σ W exp(−α y h(x)), with the fixed weights W = exp(−y H(x)).
In the functions below, `weights` are the weights W and `products` the values of y h(x), 1 where
h is right and −1 where it is wrong. With exact fractions, results are exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from sklearn.base import clone

from oza.kernels.arithmetic import exp, log
from oza.kernels.draws import uniforms

from ..exact import total


def loss(weights: Any, products: Any, alpha: float) -> float:
    """Exponential loss Σ W exp(−α y h) after a model has joined with the vote `alpha`.

    >>> loss([0.5, 0.5], [1, -1], 0.0)
    1.0
    """
    return float(total(w * exp(-alpha * p) for w, p in zip(weights, products, strict=True)))


def derivative_at_zero(weights: Any, products: Any) -> Any:
    """Derivative −Σ W y h of the loss at α = 0: the steeper it falls, the better the model.

    >>> derivative_at_zero([Fraction(1, 4)] * 4, [1, 1, 1, -1])
    Fraction(-1, 2)
    """
    return -total(w * int(p) for w, p in zip(weights, products, strict=True))


def weighted_error(weights: Any, products: Any) -> Any:
    wrong = total(w for w, p in zip(weights, products, strict=True) if p < 0)
    return wrong / total(weights)


def best_alpha(error: float | Fraction) -> float:
    """The vote α = ½ ln((1 − ε)/ε) of a model with the weighted error ε.

    >>> round(best_alpha(0.3), 6)
    0.423649
    """
    return 0.5 * log((1.0 - float(error)) / float(error))


def minimising_alpha(weights: Any, products: Any) -> float:
    """The α with the least loss, found numerically: the zero of the derivative −Σ W y h exp(−α y h).

    >>> round(minimising_alpha([0.1] * 10, [-1] * 3 + [1] * 7), 6)
    0.423649
    """
    pairs = list(zip(map(float, weights), map(int, products), strict=True))
    return float(brentq(lambda a: total(-w * p * exp(-a * p) for w, p in pairs), -20, 20, xtol=1e-13))


def reweightings(weights: Sequence[Fraction], products: Sequence[int]) -> dict[str, list[Fraction]]:
    """The weights after a model that is right on some examples, by the three printed rules, exactly.

    "thesis": times 1/(2ε) where the model is wrong, 1/(2(1 − ε)) where it is right. "Mooney": times β = ε/(1
    − ε) where it is right, then divided by the sum. "slides": times exp(−α y h)/Z. The last one is rational,
    since multiplied by exp(α) the factors are exp(2α) = (1 − ε)/ε and 1.

    >>> found = reweightings([Fraction(1, 4)] * 4, [1, 1, 1, -1])
    >>> {name: [str(w) for w in new] for name, new in found.items()}["Mooney"]
    ['1/6', '1/6', '1/6', '1/2']
    """
    error = weighted_error(weights, products)
    factors = {  # of an example on which the model is right, and of one on which it is wrong
        "thesis": (1 / (2 * (1 - error)), 1 / (2 * error)),
        "Mooney": (error / (1 - error), 1),
        "slides": (1, (1 - error) / error),
    }
    found = {}
    for name, (right, wrong) in factors.items():
        new = [w * (right if p > 0 else wrong) for w, p in zip(weights, products, strict=True)]
        found[name] = new if name == "thesis" else [w / total(new) for w in new]
    return found


def random_problem(n_examples: int, *name: object) -> tuple[np.ndarray, list[int], list[Fraction]]:
    """Draw examples with two numbers each, both classes ±1, and weights in exact fractions of sum 1.

    `name` are parts of the name of the draws.
    """
    X = uniforms((n_examples, 2), "points", *name)
    y = [1, -1, *(int(u < 0.5) * 2 - 1 for u in uniforms(n_examples - 2, "classes", *name))]
    parts = [1 + int(1000 * u * u) for u in uniforms(n_examples, "weights", *name)]
    return X, y, [Fraction(part, sum(parts)) for part in parts]


def borders(X: np.ndarray) -> list[tuple[int, float, int]]:
    """List all stumps for a sample: each column, each threshold between two values, and both signs above it.

    >>> borders(np.array([[1.0], [2.0]]))
    [(0, 1.5, 1), (0, 1.5, -1)]
    """
    ordered = [np.unique(column) for column in X.T]
    middles = [((values[1:] + values[:-1]) / 2).tolist() for values in ordered]
    return [(axis, each, sign) for axis, of in enumerate(middles) for each in of for sign in (1, -1)]


def stumps(X: np.ndarray) -> np.ndarray:
    """Predictions ±1 of all stumps on a sample, in the order of `borders`.

    >>> stumps(np.array([[1.0], [2.0]])).tolist()
    [[-1, 1], [1, -1]]
    """
    return np.array([sign * np.where(X[:, axis] > each, 1, -1) for axis, each, sign in borders(X)])


def follow(model: Any, X: Any, y: Any) -> pd.DataFrame:
    """Follow the exponential loss through an AdaBoost ensemble of two classes.

    A row for each base model: `error` (weighted, as AdaBoost computes it), `vote` (half of its vote weight),
    `minimising` (the α that minimises the loss, found numerically), `derivative` (of the loss at α = 0,
    divided by the loss), `loss` (mean over the examples afterwards) and `bound` (the product of 2√(ε(1 − ε))
    so far).

    >>> from oza import AdaBoostClassifier, DecisionStumpClassifier
    >>> X, y, _ = random_problem(40, "example")
    >>> model = AdaBoostClassifier(DecisionStumpClassifier(), 3).fit(X, y)
    >>> course = follow(model, X, y)
    >>> bool(abs(course["vote"] - course["minimising"]).max() < 1e-9)
    True
    """
    signs = np.where(np.asarray(y) == model.classes_[1], 1, -1)
    says = np.where(model.predict_each(X) == model.classes_[1], 1, -1)
    weights = np.ones(len(signs))
    rows, bound = [], 1.0
    for m, error in enumerate(model.estimator_errors_):
        products = signs * says[:, m]
        alpha = model.vote_weights_[m] / 2
        found = minimising_alpha(weights, products) if 0 < error < 1 else np.nan
        slope = float(derivative_at_zero(weights, products)) / weights.sum()
        weights = weights * np.array([exp(-alpha * p) for p in products])
        bound *= 2 * np.sqrt(error * (1 - error))
        rows.append((error, alpha, found, slope, weights.mean(), bound))
    return pd.DataFrame(rows, columns=["error", "vote", "minimising", "derivative", "loss", "bound"])


def mooney_boosting(base: Any, X: Any, y: Any, n_models: int) -> pd.DataFrame:
    """AdaBoost in Mooney's form, in which a model with an error above one half stays, with a negative vote.

    A model joins before its error is tested, and the loop ends if the error is above 1/2, or 0. The thesis
    drops such a model. A row for each model: its error, its vote weight log(1/β), and the training error of
    the vote so far.

    >>> from oza import DecisionStumpClassifier
    >>> X, y = np.zeros((3, 1), int), np.arange(3)
    >>> mooney_boosting(DecisionStumpClassifier(categorical_features=[0]), X, y, 5).round(2).values.tolist()
    [[0.67, -0.69, 0.67]]
    """
    y = np.asarray(y)
    classes = np.unique(y)
    weights = np.full(len(y), 1 / len(y))
    votes = np.zeros((len(y), len(classes)))
    rows: list[tuple[float, float, float]] = []
    while len(rows) < n_models:
        predicted = clone(base).fit(X, y, sample_weight=weights * len(y)).predict(X)
        error = float(weights[predicted != y].sum())
        beta = max(error, 1 / (2 * len(y))) / (1 - error)
        votes[np.arange(len(y)), np.searchsorted(classes, predicted)] += -log(beta)
        rows.append((error, -log(beta), float((classes[votes.argmax(axis=1)] != y).mean())))
        if error > 0.5 or error == 0.0:
            break
        weights = np.where(predicted == y, weights * beta, weights)
        weights = weights / weights.sum()
    return pd.DataFrame(rows, columns=["error", "vote", "training_error"])
