"""The calendar experiment (thesis sections 3.5.4 and 4.6.5), on a stream of the same shape."""

import numpy as np
import pandas as pd

from ..datasets import calendar_stream
from .extra import kept
from .runner import without_warnings_of_bounds
from .study import Task

_ALGORITHMS = ("single", "online_bagging", "online_boosting")


def calendar_accuracy(
    base_model: str, n_models: int = 100, n_appointments: int | None = None
) -> pd.DataFrame:
    """Accuracy of test-then-train on the generated stream: each appointment is predicted, then learned.

    Parameters
    ----------
    base_model : str
        A name in `BASE_MODELS`.
    n_models : int, default=100
        Base models in an ensemble (100 in the thesis).
    n_appointments : int or None, default=None
        How many of the stream's first appointments; None means all.

    Returns
    -------
    DataFrame
        Columns base_model, algorithm, target and accuracy.

    Examples
    --------
    >>> from oza.experiments import calendar_accuracy
    >>> calendar_accuracy("naive_bayes", n_models=2, n_appointments=50).shape
    (6, 4)
    """
    X, targets = calendar_stream()
    categories = [range(n_values) for n_values in X.max(axis=0) + 1]
    first = slice(n_appointments)
    rows = []
    for target, y in targets.items():
        for algorithm in _ALGORITHMS:
            task = Task(f"calendar {target}", "calendar", base_model, algorithm, n_models, 0, 0, 0)
            model = task.estimator().set_params(categories=categories)
            with without_warnings_of_bounds():
                predicted = model.prequential_predict(X[first], y[first], classes=np.unique(y))
            rows.append((base_model, algorithm, target, float(np.mean(predicted == y[first]))))
    return pd.DataFrame(rows, columns=["base_model", "algorithm", "target", "accuracy"])


def load_calendar_accuracy(base_model: str) -> pd.DataFrame:
    """Read the recorded accuracies of ensembles of 100; compute and record them if there are none."""
    return kept(f"calendar/{base_model}", lambda: calendar_accuracy(base_model))
