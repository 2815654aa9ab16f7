"""Base models whose answers are given, for instance biased coins, and which record the weights they get."""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from oza.ensembles import OnlineBaggingClassifier, OnlineBoostingClassifier
from oza.extend import SingleModel, classify, implements, learn

from .algorithms import BASE_MODELS
from .online_boosters import AdaBoostOLMClassifier, OnlineBBMClassifier, OSBoostClassifier


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


def answers_of_trees(X: np.ndarray, y: np.ndarray, n_models: int, seed: int) -> np.ndarray:
    """Let bagged trees learn a stream; returns what each answers before it learns an example, (N, M)."""
    trees = OnlineBaggingClassifier(
        BASE_MODELS["decision_tree"](),
        n_models,
        categorical_features=range(X.shape[1]),
        categories=[np.unique(column) for column in X.T],
        random_state=seed,
    )
    found = np.zeros((len(y), n_models))
    for n in range(len(y)):
        row = slice(n, n + 1)
        if n > 0:
            found[n] = trees.predict_each(X[row])[0]
        trees.partial_fit(X[row], y[row], classes=[0, 1])
    return found


def passed_on(answers: np.ndarray, y: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Give the weights with which examples reach models that give these answers, (N, M), by three ways.

    They are shares of the mean weight that reaches the model.

    >>> X, y = coins(100, 5, 0.2, seed=0)
    >>> {name: weights[:, 0].tolist() == [1.0] * 100 for name, weights in passed_on(X, y, 0).items()}
    {'online_boosting': True, 'os_boost': True, 'online_bbm': True}
    """
    base, n_models = CoinClassifier(len(y)), answers.shape[1]
    options: Any = {"categorical_features": None, "random_state": seed}
    thesis = OnlineBoostingClassifier(base, n_models, **options).trace(answers, y, classes=[0, 1])
    found = {"online_boosting": thesis.lam}
    for name, kind in {"os_boost": OSBoostClassifier, "online_bbm": OnlineBBMClassifier}.items():
        found[name] = kind(base, n_models, **options).fit(answers, y)._models.weights.T
    return {name: weights / weights.mean(axis=0) for name, weights in found.items()}


def watched_bounds(edge: float, n_models: int, n_examples: int = 1000, seed: int = 0) -> pd.DataFrame:
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
    half = scipy.stats.binom.cdf(n_models // 2, n_models, 0.5 + of_error)
    learner = AdaBoostOLMClassifier(base, n_models, categorical_features=None)
    wrong, of_experts = 0, np.zeros(n_models)
    for n in range(n_examples):
        row = slice(n, n + 1)
        if n > 0:
            signs = learner._memory[0] * np.where(X[n] == y[n], 1.0, -1.0)
            of_experts += np.cumsum(signs) < 0.0
        wrong += learner.prequential_predict(X[row], y[row], classes=[0, 1])[0] != y[n]
    limit = (math.log(n_models) + 1 + of_experts.min()) / math.log(2.0 / (1.0 + math.exp(-1.0)))
    rows = {
        "OSBoost: mean error of the first votes": (errors, 2.0 / (n_models * gain)),
        "Online BBM: error": ((majority.predict(X) != y).mean(), half),
        "Adaboost.OLM: share of errors on the way": (wrong / n_examples, limit / n_examples),
    }
    return pd.DataFrame.from_dict(rows, "index", columns=["watched", "bound"])
