"""The calendar experiment (thesis sections 3.5.4 and 4.6.5), on a stream of the same shape."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from oza.datasets import calendar_stream
from oza.datasets.calendar import TARGETS
from oza.kernels.random import key_of

from ..record.study import cells, study
from .algorithms import ALGORITHMS, BASE_MODELS

_ALGORITHMS = ("single", "online_bagging", "online_boosting")


def predictions(
    base_models: str | Iterable[str], n_models: int = 100, n_appointments: int = 1790
) -> list[dict[str, Any]]:
    """List the cells of both targets, predicted by one model and by ensembles, on the first appointments."""
    sizes = {"n_models": n_models, "n_appointments": n_appointments}
    return cells(sizes, dataset="calendar", base_model=base_models, target=TARGETS, algorithm=_ALGORITHMS)


@study(
    "calendar",
    "Test-then-train on a generated stream like the thesis's calendar",
    {"accuracy": float},  # share of the appointments that were predicted correctly
    smoke=lambda: predictions("naive_bayes", 2, 50),
    thesis=lambda: predictions(BASE_MODELS),
    quick=lambda task: task.base_model == "naive_bayes",
)
def calendar(
    dataset: str, base_model: str, algorithm: str, target: str, n_models: int, n_appointments: int
) -> float:
    """Predict a target of each of the first appointments, then learn it."""
    X, targets = calendar_stream()
    categories = [range(n_values) for n_values in X.max(axis=0) + 1]
    first, y = slice(n_appointments), targets[target]
    seed = key_of(f"calendar {target}", "calendar", base_model, algorithm, n_models, 0, 0, 0)
    model = ALGORITHMS[algorithm].make(BASE_MODELS[base_model](), n_models, seed)
    model.set_params(categories=categories)
    predicted = model.prequential_predict(X[first], y[first], classes=np.unique(y))
    return float(np.mean(predicted == y[first]))
