"""Ways of boosting online on base models whose answers are given, such as biased coins, and their weights."""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd

from oza.compare.algorithms import BASE_MODELS
from oza.ensembles import OnlineBaggingClassifier, OnlineBoostingClassifier
from oza.extend import SingleModel, classify, implements, learn

from ..exact import at_most, exp, log
from ..record.simulation import simulation
from ..studies.online_boosters import AdaBoostOLMClassifier, OnlineBBMClassifier, OSBoostClassifier


class Coins(NamedTuple):
    """State of M coins: model m answers what column m says, whatever it learns."""

    weights: Annotated[np.ndarray, "M, N"]  # with which each model was trained on each example of a call


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
    >>> (X == y[:, None]).mean(axis=0).round(1).tolist()
    [0.6, 0.6, 0.6]
    """
    draws = np.random.default_rng(seed)
    y = draws.integers(0, 2, n_examples)
    is_right = draws.random((n_examples, n_models)) < 0.5 + edge
    return np.where(is_right, y[:, None], 1 - y[:, None]), y


def answers_of_trees(X: np.ndarray, y: np.ndarray, n_models: int, seed: int) -> np.ndarray:
    """Train bagged trees on a stream; returns what each answers before training on an example, (N, M)."""
    trees = OnlineBaggingClassifier(BASE_MODELS["decision_tree"](), n_models, random_state=seed)
    values = [np.unique(column) for column in X.T]
    trees.set_params(categorical_features=range(X.shape[1]), categories=values)
    found = np.zeros((len(y), n_models))
    for n in range(len(y)):
        row = slice(n, n + 1)
        if n > 0:
            found[n] = trees.predict_each(X[row])[0]
        trees.partial_fit(X[row], y[row], classes=[0, 1])
    return found


class Passed(NamedTuple):
    """A stream on its way through the models."""

    y: Any  # (N,) labels, 0 or 1
    is_wrong: Any  # (N,) which of them are wrong
    answers: Any  # (N, M) of each model before it is trained on each example
    weights: dict[str, Any]  # by way: of each example before each model, as multiples of the model's mean


@simulation(small={"n_examples": 20, "n_models": 3})
def passed_on(noise: float = 0.2, n_examples: int = 400, n_models: int = 15, seed: int = 1) -> Passed:
    """Pass examples through bagged trees by three ways of boosting, which all have the same answers.

    The class is whether at least five of eight bits are 1; a share `noise` of the labels is wrong.

    >>> passed = passed_on(0.2, 20, 3)
    >>> [weights[:, 0].tolist() == [1.0] * 20 for weights in passed.weights.values()]
    [True, True, True]
    """
    draws = np.random.default_rng(seed)
    X = draws.integers(0, 2, (n_examples, 8))
    is_wrong = draws.random(n_examples) < noise
    y = ((X.sum(axis=1) >= 5) ^ is_wrong).astype(int)
    answers = answers_of_trees(X, y, n_models, seed)
    base = CoinClassifier(n_examples)
    options: Any = {"categorical_features": None, "random_state": seed}
    thesis = OnlineBoostingClassifier(base, n_models, **options).trace(answers, y, classes=[0, 1])
    found = {"online_boosting": thesis.lam}
    for name, kind in {"os_boost": OSBoostClassifier, "online_bbm": OnlineBBMClassifier}.items():
        found[name] = kind(base, n_models, **options).fit(answers, y)._models.weights.T
    weights = {name: each / each.mean(axis=0) for name, each in found.items()}
    return Passed(y, is_wrong, answers, weights)


@simulation(small={"n_models": 11, "n_examples": 100})
def watched_bounds(
    edge: float = 0.1, n_models: int = 201, n_examples: int = 500, seed: int = 1
) -> pd.DataFrame:
    """Set what each guarantee bounds beside its bound, on coins.

    OSBoost: the mean error of the votes of the first m coins is at most their mean weight, and that at most
    2/(M γ (γ − θ) √(1 − γ)) with θ = γ/(2 + γ), if Σ w y h(x) ≥ γ Σ w for every model. Online BBM: the error
    is at most the chance that half of M coins with edge γ are wrong, if no model errs on more than 1/2 − γ of
    its weight. γ is three quarters of what the coins have, so that they meet these conditions. Adaboost.OLM:
    the errors on the way are at most 2.6 times (log M plus those of the best expert).
    """
    X, y = coins(n_examples, n_models, edge, seed)
    base, of_margin, of_error = CoinClassifier(n_examples), 1.5 * edge, 0.75 * edge
    smooth = OSBoostClassifier(base, n_models, gamma=of_margin, categorical_features=None).fit(X, y)
    errors = np.mean([(votes != y).mean() for votes in smooth.staged_predict(X)])
    gain = of_margin * (of_margin - of_margin / (2.0 + of_margin)) * math.sqrt(1.0 - of_margin)
    majority = OnlineBBMClassifier(base, n_models, gamma=of_error, categorical_features=None).fit(X, y)
    half = at_most(n_models // 2, n_models, 0.5 + of_error)
    learner = AdaBoostOLMClassifier(base, n_models, categorical_features=None)
    wrong, of_experts = 0, np.zeros(n_models)
    for n in range(n_examples):
        row = slice(n, n + 1)
        if n > 0:
            signs = learner._memory[0] * np.where(X[n] == y[n], 1.0, -1.0)
            of_experts += np.cumsum(signs) < 0.0
        wrong += learner.prequential_predict(X[row], y[row], classes=[0, 1])[0] != y[n]
    limit = (log(n_models) + 1 + of_experts.min()) / log(2.0 / (1.0 + exp(-1.0)))
    rows = {
        "OSBoost: mean error of the first votes": (errors, 2.0 / (n_models * gain)),
        "Online BBM: error": ((majority.predict(X) != y).mean(), half),
        "Adaboost.OLM: share of errors on the way": (wrong / n_examples, limit / n_examples),
    }
    return pd.DataFrame.from_dict(rows, "index", columns=["watched", "bound"])
