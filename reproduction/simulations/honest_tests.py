"""What a test before learning says about the base models of online boosting, in finite samples.

The examples are drawn independently from one law, and every base model is tested on an example before it
learns that. Then the weight λ with which an example reaches model m, and whether the model is right about
it, depend on this example and on what was learned before alone. So λˢʷ of the model, less the sum over all
examples of the weighted risk that it had before each of them, is a martingale. Its step lies in an interval
as wide as the largest λ that any example could have had, which is known before the example comes. Robbins's
mixture of exponential martingales bounds it at all times at once.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.ensembles import OnlineBoostingClassifier

from .convergence import law_stream

#: Examples that are learned before the sums begin, so that each model has learned something.
FIRST = 50


def largest_deviation(variance: Any, delta: float, rho: float) -> Any:
    """Bound a martingale at all times at once, with probability 1 − δ.

    Parameters
    ----------
    variance : float or array
        A quarter of the sum of the squared widths of the intervals in which its steps lie.
    delta : float
        Probability with which the bound may fail.
    rho : float
        About the `variance` at which the bound is to be tightest.

    Returns
    -------
    float or array
        √((V + ρ)(2 log(1/δ) + log((V + ρ)/ρ))).

    References
    ----------
    H. Robbins, *Statistical Methods Related to the Law of the Iterated Logarithm*, Annals of Mathematical
    Statistics 41, 1970.

    Examples
    --------
    >>> from reproduction.simulations.honest_tests import largest_deviation
    >>> round(float(largest_deviation(1000 / 4, 0.05, 250)) / 1000, 3)
    0.058
    """
    spread = variance + rho
    return np.sqrt(spread * (2 * math.log(1 / delta) + np.log(spread / rho)))


def weights_of_all(
    ensemble: OnlineBoostingClassifier, predicted: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Give the λ with which each possible example would reach each base model, by the thesis's rule.

    Parameters
    ----------
    ensemble : OnlineBoostingClassifier
        It tests before it learns.
    predicted : array of shape (n_inputs, n_models)
        Answers of its base models.

    Returns
    -------
    array of shape (n_models, n_classes, n_inputs)
    """
    n_inputs, n_models = predicted.shape
    classes = np.arange(len(ensemble.classes_))
    lam = np.ones((n_models, len(classes), n_inputs))
    for m in range(n_models - 1):
        is_right = predicted[:, m] == classes[:, None]
        right = ensemble.lambda_correct_[m] + lam[m] * is_right
        wrong = ensemble.lambda_wrong_[m] + lam[m] * ~is_right
        lam[m + 1] = lam[m] * (right + wrong) / (2 * np.where(is_right, right, wrong))
    return lam


def counted_and_due(
    base_model: Any, law: npt.NDArray[np.float64], n_examples: int, n_models: int, tested: str, seed: int
) -> pd.DataFrame:
    """Compare the weight on which models err, as online boosting counts it, with what they are due to err on.

    Parameters
    ----------
    base_model : classifier
        Untrained.
    law : array of shape (2, 2, ..., 2)
        Probability of each class together with each input of two-valued attributes.
    n_examples : int
        Examples that are counted, after the first `FIRST`.
    n_models : int
        Base models; 1 if they are tested after learning, where later weights depend on more than the past.
    tested : {"before", "after"}
        When a model is tested.
    seed : int
        Seed of the examples and draws.

    Returns
    -------
    DataFrame
        A row for each model: `weight` that reached it, `counted` λˢʷ, `due` (the sum of its weighted risks
        over all possible examples, each before an example is learned) and `variance` (see
        `largest_deviation`).
    """
    if tested == "after" and n_models > 1:
        raise ValueError(
            f"n_models={n_models}: weights of later models are predictable only if tested='before'."
        )
    X, y = law_stream(law, FIRST + n_examples, [seed])
    inputs = np.indices(law.shape[1:]).reshape(law.ndim - 1, -1).T
    p = law.reshape(len(law), -1)
    ensemble = OnlineBoostingClassifier(
        base_model,
        n_models,
        tested=tested,
        categories=[np.arange(2)] * X.shape[1],
        categorical_features=range(X.shape[1]),
        random_state=seed,
    )
    ensemble.partial_fit(X[:FIRST], y[:FIRST], classes=np.arange(len(law)))
    began = ensemble.lambda_wrong_, ensemble.lambda_correct_
    due, variance = np.zeros(n_models), np.zeros(n_models)
    for row, label in zip(X[FIRST:], y[FIRST:], strict=True):
        predicted = ensemble.predict_each(inputs)
        lam = weights_of_all(ensemble, predicted)
        is_wrong = predicted.T[:, None, :] != np.arange(len(law))[:, None]
        due += (lam * is_wrong * p).sum(axis=(1, 2))
        variance += lam[:, p > 0].max(axis=1) ** 2 / 4
        ensemble.partial_fit(row[None], label[None])
    counted, right = ensemble.lambda_wrong_ - began[0], ensemble.lambda_correct_ - began[1]
    return pd.DataFrame(
        {"weight": counted + right, "counted": counted, "due": due, "variance": variance},
        index=pd.RangeIndex(1, n_models + 1, name="model"),
    )
