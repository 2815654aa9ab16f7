"""Errors of the successive base models of batch and online boosting (thesis section 4.6.3).

A study of accuracies records only predictions; this study records the errors of the base models.
"""

from dataclasses import dataclass
from itertools import product

import pandas as pd

from oza.datasets import dataset_info

from ..record.runner import without_warnings_of_bounds
from ..record.store import MADE_WITH, load, measured
from ..record.study import Study
from .accuracy import Task
from .algorithms import ALGORITHMS

_COLUMNS = ["dataset", "base_model", "repetition", "algorithm", "model", "error"]


@dataclass(frozen=True)
class ModelError:
    """Weighted training error of base model number `model`, from 1."""

    model: int
    error: float


def base_model_errors(
    dataset: str, base_model: str, n_models: int = 100, repetitions: int = 1
) -> pd.DataFrame:
    """Weighted training errors of the base models, on the first split and order of each repetition.

    Parameters
    ----------
    dataset, base_model : str
        Names in the catalogue and in `BASE_MODELS`.
    n_models : int, default=100
        Base models in the ensemble (100 in the thesis).
    repetitions : int, default=1
        Repetitions of the cross-validation, or of a supplied split, whose training set is fixed.

    Returns
    -------
    DataFrame
        Columns dataset, base_model, repetition, algorithm, model (from 1) and error. In batch boosting
        this is the error that AdaBoost computes, for each model that it made; in online boosting, the
        share of its weight that each model misclassified, 1/2 if it had none.

    Examples
    --------
    >>> from reproduction.studies import base_model_errors
    >>> errors = base_model_errors("car-evaluation", "naive_bayes", n_models=5)
    >>> errors.query("model == 1")["error"].round(2).to_list()
    [0.13, 0.15]
    """
    return measured(STUDY, error_tasks(dataset, base_model, n_models, repetitions))[_COLUMNS]


def error_tasks(dataset: str, base_model: str, n_models: int = 100, repetitions: int = 5) -> list[Task]:
    """List the ensembles whose errors are recorded."""
    return [
        Task("errors", dataset, base_model, algorithm, n_models, repetition, 0, 0)
        for repetition, algorithm in product(range(repetitions), ("boosting", "online_boosting"))
    ]


def errors_of(task: Task) -> list[ModelError]:
    """Errors of the base models of the ensemble of a task, after it has learned."""
    examples, model = task.examples(), task.estimator()
    n_classes = len(dataset_info(task.dataset).classes)
    with without_warnings_of_bounds():
        ALGORITHMS[task.algorithm].learn(model, examples.X_train, examples.y_train, n_classes)
    return [ModelError(m, error) for m, error in enumerate(model.estimator_errors_.tolist(), 1)]


def load_base_model_errors(dataset: str, base_model: str) -> pd.DataFrame:
    """Read the recorded errors of ensembles of 100, five repetitions; compute and record missing ones.

    Parameters
    ----------
    dataset, base_model : str
        As for `base_model_errors`.

    Returns
    -------
    DataFrame
        As for `base_model_errors`, with the provenance of each row.
    """
    rows = load(STUDY, error_tasks(dataset, base_model), compute=True)
    return rows[[*_COLUMNS, *MADE_WITH]]


def _tasks(profile: str) -> list[Task]:
    if profile == "smoke":
        return error_tasks("balance", "naive_bayes", 3, 1)
    datasets = ("synthetic1", "synthetic2", "synthetic3", "census-income", "covertype-head")
    return [
        task
        for dataset, base_model in product(datasets, ("naive_bayes", "neural_network"))
        for task in error_tasks(dataset, base_model)
        if profile == "thesis" or (base_model == "naive_bayes" and task.repetition == 0)
    ]


STUDY = Study(
    "errors",
    "Errors of the base models of batch and online boosting",
    Task,
    ModelError,
    _tasks,
    errors_of,
    ("Figures 4.21-4.30", "KDD Figure 10"),
)
