"""Errors of the successive base models of batch and online boosting (thesis section 4.6.3).

A study of accuracies records only predictions; this study records the errors of the base models.
"""

from dataclasses import dataclass
from itertools import product

from oza.datasets import dataset_info

from ..record.study import Study
from .accuracy import Task
from .algorithms import ALGORITHMS


@dataclass(frozen=True)
class ModelError:
    """Weighted training error of base model number `model`, from 1.

    In batch boosting this is the error that AdaBoost computes, for each model that it made; in online
    boosting, the share of its weight that each model misclassified, 1/2 if it had none.
    """

    model: int
    error: float


def error_tasks(dataset: str, base_model: str, n_models: int = 100, repetitions: int = 5) -> list[Task]:
    """List ensembles whose errors can be measured, on the first split and order of each repetition.

    >>> from reproduction.studies import STUDIES, error_tasks
    >>> errors = STUDIES["errors"].compute(error_tasks("car-evaluation", "naive_bayes", 5, 1))
    >>> errors.query("model == 1")["error"].round(2).to_list()
    [0.13, 0.15]
    """
    return [
        Task("errors", dataset, base_model, algorithm, n_models, repetition, 0, 0)
        for repetition, algorithm in product(range(repetitions), ("boosting", "online_boosting"))
    ]


def errors_of(task: Task) -> list[ModelError]:
    examples, model = task.examples(), task.estimator()
    n_classes = len(dataset_info(task.dataset).classes)
    ALGORITHMS[task.algorithm].learn(model, examples.X_train, examples.y_train, n_classes)
    return [ModelError(m, error) for m, error in enumerate(model.estimator_errors_.tolist(), 1)]


def _tasks() -> list[Task]:
    datasets = ("synthetic1", "synthetic2", "synthetic3", "census-income", "covertype-head")
    cells = product(datasets, ("naive_bayes", "neural_network"))
    return [task for cell in cells for task in error_tasks(*cell)]


STUDY = Study.of(
    errors_of,
    "Errors of the base models of batch and online boosting",
    name="errors",
    smoke=lambda: error_tasks("balance", "naive_bayes", 3, 1),
    thesis=_tasks,
    quick=lambda task: task.base_model == "naive_bayes" and task.repetition == 0,
    exhibits=("Figures 4.21-4.30", "KDD Figure 10"),
)
