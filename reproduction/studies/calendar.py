"""The calendar experiment (thesis sections 3.5.4 and 4.6.5), on a stream of the same shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from oza.datasets import calendar_stream
from oza.datasets.calendar import TARGETS
from oza.ensembles import OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import DecisionStumpClassifier, NaiveBayesClassifier

from ..record.study import Study
from .algorithms import ALGORITHMS, BASE_MODELS

_ALGORITHMS = ("single", "online_bagging", "online_boosting")
_LENGTH = 1790  # appointments of the stream


@dataclass(frozen=True, order=True)
class Prediction:
    """A classifier that predicts a target of the first `n_appointments` of the stream."""

    study: ClassVar = "calendar"
    dataset: str
    base_model: str
    algorithm: str
    target: str
    n_models: int
    n_appointments: int


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
    """List the predictions of both targets, by one model and by ensembles, of the first appointments.

    >>> from reproduction.studies import STUDIES
    >>> STUDIES["calendar"].compute(predictions("naive_bayes", 2, 50))["accuracy"].size
    6
    """
    return [
        Prediction("calendar", base_model, algorithm, target, n_models, n_appointments or _LENGTH)
        for target, algorithm in product(TARGETS, _ALGORITHMS)
    ]


def _day(n_appointments: int, random_state: int = 0) -> tuple[np.ndarray, np.ndarray, list[range]]:
    """Inputs and day of the first appointments of a stream, and the values of the inputs."""
    X, targets = calendar_stream(random_state)
    X, y = X[:n_appointments], targets["day"][:n_appointments]
    return X, y, [range(n_values) for n_values in X.max(axis=0) + 1]


def loop_differences(n_models: int, n_appointments: int) -> tuple[dict[str, int], int]:
    """Compare `prequential_predict` with the loop that predicts, counts and only then learns.

    Returns for each learner the number of predictions of the day that differ, and of how many: 300 at most.
    """
    X, y, categories = _day(n_appointments)
    X, y = X[:300], y[:300]
    classes = np.unique(y)

    def loop(model: Any) -> np.ndarray:
        suggestions = []
        for x, chosen in zip(X, y, strict=True):
            suggestions.append(model.predict([x])[0] if hasattr(model, "classes_") else classes[0])
            model.partial_fit([x], [chosen], classes=classes)
        return np.array(suggestions)

    learners: dict[str, Callable[[], Any]] = {
        "Naive Bayes": lambda: NaiveBayesClassifier(categories=categories),
        "bagged stumps": lambda: OnlineBaggingClassifier(
            DecisionStumpClassifier(), n_models, categories=categories, random_state=1
        ),
    }
    differing = {
        name: int(np.sum(loop(make()) != make().prequential_predict(X, y, classes=classes)))
        for name, make in learners.items()
    }
    return differing, len(X)


def window_accuracy(
    windows: Sequence[int], n_models: int, n_appointments: int, n_streams: int
) -> pd.DataFrame:
    """Compare batch learning on a sliding window with online learning, on generated streams.

    Naive Bayes is trained anew on a window after every tenth appointment, and learns each appointment once,
    alone and bagged. Gives the share of the days that are predicted correctly: a row for each size of the
    window, and for "online, alone" and "online bagging"; a column for each stream.
    """

    def on_stream(random_state: int) -> dict[Any, float]:
        X, y, values = _day(n_appointments, random_state)

        def windowed(size: int) -> float:
            correct = 0
            for start in range(10, len(y), 10):
                recent, new = slice(max(0, start - size), start), slice(start, start + 10)
                model = NaiveBayesClassifier(categories=values).fit(X[recent], y[recent])
                correct += np.sum(model.predict(X[new]) == y[new])
            return correct / (len(y) - 10)

        found: dict[Any, float] = {size: windowed(size) for size in windows}
        bag = OnlineBaggingClassifier(NaiveBayesClassifier(), n_models, categories=values, random_state=1)
        online = {"online, alone": NaiveBayesClassifier(categories=values), "online bagging": bag}
        for name, model in online.items():
            predicted = model.prequential_predict(X, y, classes=np.unique(y))
            found[name] = float(np.mean(predicted[10:] == y[10:]))
        return found

    return pd.DataFrame({stream: on_stream(stream) for stream in range(n_streams)})


STUDY = Study.of(
    predict,
    "Test-then-train on a generated stream like the thesis's calendar",
    smoke=lambda: predictions("naive_bayes", 2, 50),
    thesis=lambda: [task for base_model in BASE_MODELS for task in predictions(base_model)],
    quick=lambda task: task.base_model == "naive_bayes",
)
