"""The calendar experiment (thesis sections 3.5.4 and 4.6.5), on a stream of the same shape."""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from oza.datasets import calendar_stream
from oza.datasets.calendar import TARGETS
from oza.kernels.random import key_of

from ..record.study import Study
from .algorithms import ALGORITHMS, BASE_MODELS

_ALGORITHMS = ("single", "online_bagging", "online_boosting")
_LENGTH = 1790  # appointments of the stream


@dataclass(frozen=True, order=True)
class Prediction:
    """A classifier that predicts a target of the first `n_appointments` of the stream."""

    dataset: str
    base_model: str
    algorithm: str
    target: str
    n_models: int
    n_appointments: int

    study: ClassVar = "calendar"


@dataclass(frozen=True)
class Accuracy:
    """Share of the appointments that were predicted correctly."""

    accuracy: float


def predict(task: Prediction) -> Accuracy:
    """Let a new classifier predict each appointment, then learn it."""
    X, targets = calendar_stream()
    categories = [range(n_values) for n_values in X.max(axis=0) + 1]
    first, y = slice(task.n_appointments), targets[task.target]
    name = (f"calendar {task.target}", "calendar", task.base_model, task.algorithm, task.n_models, 0, 0, 0)
    make = ALGORITHMS[task.algorithm].make
    model = make(BASE_MODELS[task.base_model](), task.n_models, key_of(*name))
    model.set_params(categories=categories)
    predicted = model.prequential_predict(X[first], y[first], classes=np.unique(y))
    return Accuracy(float(np.mean(predicted == y[first])))


def predictions(base_model: str, n_models: int = 100, n_appointments: int | None = None) -> list[Prediction]:
    """List the predictions of both targets, by one model and by ensembles, on all or the first appointments.

    >>> STUDY.compute(predictions("naive_bayes", 2, 50))["accuracy"].size
    6
    """
    return [
        Prediction("calendar", base_model, algorithm, target, n_models, n_appointments or _LENGTH)
        for target, algorithm in product(TARGETS, _ALGORITHMS)
    ]


STUDY = Study.of(
    predict,
    "Test-then-train on a generated stream like the thesis's calendar",
    smoke=lambda: predictions("naive_bayes", 2, 50),
    thesis=lambda: [task for base_model in BASE_MODELS for task in predictions(base_model)],
    quick=lambda task: task.base_model == "naive_bayes",
)
