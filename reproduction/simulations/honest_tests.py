"""What a test before learning says about the base models of online boosting, in finite samples.

The examples are drawn independently from one law, and every base model is tested on an example before it
learns that. Then the weight λ with which an example reaches model m, and whether the model is right about
it, depend on this example and on what was learned before alone. So λˢʷ of the model, minus the sum over all
examples of the weighted risk that it had before each of them, is a martingale. Its step lies in an interval
as wide as the largest λ that any example could have had, which is known before the example comes. Robbins's
mixture of exponential martingales bounds it at all times at once.
"""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.ensembles import OnlineBoostingClassifier
from oza.models import DecisionTreeClassifier, NaiveBayesClassifier

from ..record.bits import close
from ..record.simulation import simulation
from .convergence import law_stream, random_law

#: Examples that are learned before the sums begin, so that each model has learned something.
FIRST = 50

_BASES = {"Naive Bayes": NaiveBayesClassifier(), "decision tree": DecisionTreeClassifier()}
_MODELS = {"before": 3, "after": 1}  # by when they are tested


def largest_deviation(variance: Any, delta: float, rho: float) -> Any:
    """Bound a martingale at all times at once, with probability 1 − δ (Robbins 1970).

    The bound is √((V + ρ)(2 log(1/δ) + log((V + ρ)/ρ))), where V is a quarter of the sum of the squared
    widths of the intervals in which its steps lie; it is tightest where V is about ρ.

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

    The ensemble tests before it learns; `predicted` has the answers of its base models, by input and model.
    The result has axes for models, classes and inputs.
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

    The `law` has the probability of each class together with each input of two-valued attributes. The first
    `FIRST` examples are not counted, and the next `n_examples` are. There can be one model only if it is
    tested after learning, where later weights depend on more than the past.

    The frame has a row for each model: `weight` that reached it, `counted` λˢʷ, `due` (the sum of its
    weighted risks over all possible examples, each before an example is learned) and `variance` (see
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


@simulation(small={"laws": (1,), "n_examples": 50, "n_streams": 2}, bits=close(1e-9))
def counted_errors(laws: Sequence[int] = (1, 2), n_examples: int = 1000, n_streams: int = 20) -> pd.DataFrame:
    """Compare what is counted with what is due for several learners, on streams from several laws.

    The rows are those of `counted_and_due`, indexed by base model, when it is tested, law, stream and model.
    """
    runs = {
        (name, tested, law, stream): counted_and_due(
            _BASES[name], random_law(law, 6), n_examples, _MODELS[tested], tested, stream
        )
        for name, tested, law, stream in product(_BASES, _MODELS, laws, range(n_streams))
    }
    return pd.concat(runs, names=["base model", "tested", "law", "stream"])
