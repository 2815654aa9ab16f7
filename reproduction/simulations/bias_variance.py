"""Bias and variance of the 0/1 loss, measured over many training sets (thesis sections 2.2.2, 4.3).

The decomposition is that of Kohavi and Wolpert (1996).  At one test example let p_c be the
probability, over training sets, that the classifier predicts c, and y the true class.  Then

    P(error) = 1 − p_y = ½ Σ_c (I(c = y) − p_c)²  +  ½ (1 − Σ_c p_c²) = bias + variance.

Noise in the data is part of the bias; it is the same for every classifier.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone

from oza.datasets import load_dataset
from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.kernels.draws import uniforms
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..columns import nominal_columns
from ..record.simulation import simulation

#: The base models whose bias and variance are measured.
BASE_MODELS: dict[str, Any] = {
    "decision tree": DecisionTreeClassifier(prune=True),
    "Naive Bayes": NaiveBayesClassifier(),
    "decision stump": DecisionStumpClassifier(),
}

#: How a classifier is made of a base model, with a number of models and a random state.
ENSEMBLES: dict[str, Callable[[Any, int, int], Any]] = {
    "single": lambda base, n_models, seed: clone(base),
    "bagging": lambda base, n_models, seed: BaggingClassifier(base, n_models, random_state=seed),
    "boosting": lambda base, n_models, seed: AdaBoostClassifier(base, n_models, random_state=seed),
}


class Decomposition(NamedTuple):
    """Error of a learner and its two parts."""

    error: float  # mean over test examples; error = bias + variance
    bias: float
    variance: float
    errors: npt.NDArray[np.float64]  # of the classifier from each training set
    variances: npt.NDArray[np.float64]  # jackknife values, up to order 1/n_sets, with the variance as mean


def decompose(predictions: npt.NDArray[Any], labels: npt.NDArray[Any]) -> Decomposition:
    """Split the error of a learner into bias and variance.

    `predictions` has a row for each of two training sets or more. The estimates are unbiased: with R training
    sets the sum of squared shares is too large by (1 − Σ p²)/R on average, so the variance is multiplied by
    R/(R − 1).

    Two training sets that disagree about the only example:

    >>> decompose(np.array([["a"], ["b"]]), np.array(["a"]))[:3]
    (0.5, 0.0, 0.5)
    """
    n_sets = len(predictions)
    agreeing = sum((predictions == c) * (predictions == c).mean(axis=0) for c in np.unique(predictions))
    # Half the share of differing predictions.
    differing = 0.5 * (1 - agreeing).mean(axis=1) * n_sets / (n_sets - 1)
    errors = (predictions != labels).mean(axis=1)
    error, variance = float(errors.mean()), float(differing.mean())
    return Decomposition(error, error - variance, variance, errors, 2 * differing - variance)


def predictions_over_training_sets(
    new_classifier: Callable[[int], Any],
    X: npt.NDArray[Any],
    y: npt.NDArray[Any],
    n_train: int,
    n_sets: int,
    n_test: int,
    seed: int,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Train on many independent samples of a population, and predict test examples evenly spaced in it.

    `new_classifier` makes an untrained classifier from the number of its training set, which is `n_train`
    draws with replacement; equal seeds give every classifier the same ones. The result has a row of
    predictions for each training set, and the true classes.
    """
    test = np.unique(np.linspace(0, len(y) - 1, n_test).astype(int))
    predictions = []
    for r in range(n_sets):
        train = (uniforms(n_train, "training set", len(y), seed, r) * len(y)).astype(int)
        predictions.append(new_classifier(r).fit(X[train], y[train]).predict(X[test]))
    return np.array(predictions), y[test]


def _declared(make: Callable[..., Any], base: Any, n_models: int, columns: Any, number: int) -> Any:
    return make(base, n_models, number).set_params(categorical_features=columns)


@simulation(small={"problems": ["balance"], "n_train": 50, "n_sets": 3, "n_test": 100, "n_models": 3})
def decomposed_ensembles(
    problems: Sequence[str] = ("balance", "car-evaluation", "nursery", "synthetic1", "synthetic2"),
    n_train: int = 200,
    n_sets: int = 48,
    n_test: int = 1500,
    n_models: int = 25,
    seed: int = 1,
    models: Sequence[str] = tuple(BASE_MODELS),
) -> pd.DataFrame:
    """Measure bias and variance of single models and of bagged and boosted ones on populations.

    The frame has a row for each training set, with columns problem, model, ensemble, set, error, bias and
    variance.
    """
    rows: list[tuple] = []
    for problem in problems:
        X, y = load_dataset(problem, return_X_y=True)
        for model, (name, make) in product(models, ENSEMBLES.items()):
            new = partial(_declared, make, BASE_MODELS[model], n_models, nominal_columns(X))
            predictions, truth = predictions_over_training_sets(new, X, y, n_train, n_sets, n_test, seed)
            found = decompose(predictions, truth)
            each = zip(found.errors, found.errors - found.variances, found.variances, strict=True)
            rows += [(problem, model, name, i, *values) for i, values in enumerate(each)]
    return pd.DataFrame(rows, columns=["problem", "model", "ensemble", "set", "error", "bias", "variance"])
