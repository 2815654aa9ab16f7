"""Errors of the successive base models of batch and online boosting (thesis section 4.6.3).

A study of accuracies records only predictions; this study records the errors of the base models.
"""

from typing import Any

from ..record.study import cells, study
from .accuracy import Task

#: In the order of the figures.
DATASETS = ("synthetic1", "synthetic2", "synthetic3", "census-income", "covertype-head")
BASES = ("naive_bayes", "neural_network")
#: The rest of each task: both algorithms, on the first split and order; and what is recorded.
_REST = {"algorithm": ("boosting", "online_boosting"), "study": "errors", "fold": 0, "order": 0}
_RECORDED = {"n_models": 100, "repetition": range(5)} | _REST


@study(
    "errors",
    "Errors of the base models of batch and online boosting",
    {"model": int, "error": float},  # number of the base model, from 1; its weighted training error
    smoke=lambda: cells(dataset="balance", base_model="naive_bayes", n_models=3, repetition=0, **_REST),
    thesis=lambda: cells(dataset=DATASETS, base_model=BASES, **_RECORDED),
    quick=lambda task: task.base_model == "naive_bayes" and task.repetition == 0,
    exhibits=("Figures 4.21-4.30", "KDD Figure 10"),
)
def errors(
    study: str,
    dataset: str,
    base_model: str,
    algorithm: str,
    n_models: int,
    repetition: int,
    fold: int,
    order: int,
) -> list[tuple[int, float]]:
    """Errors of the base models of an ensemble, which learns as in a study of accuracies.

    In batch boosting they are those that AdaBoost computes, for each model that it made; in online boosting,
    the share of its weight that each model misclassified, 1/2 if it had none.
    """
    task = Task(study, dataset, base_model, algorithm, n_models, repetition, fold, order)
    examples = task.examples()
    model = task.trained(examples.X_train, examples.y_train)
    return [*enumerate(model.estimator_errors_.tolist(), 1)]


def error_tasks(dataset: str, base_model: str) -> list[Any]:
    """List ensembles whose errors can be measured, on the first split and order of each repetition.

    >>> from reproduction.studies.errors import error_tasks, errors
    >>> found = errors.compute(error_tasks("car-evaluation", "naive_bayes")[:2])
    >>> found.query("model == 1")["error"].round(2).to_list()
    [0.13, 0.14]
    """
    return [errors.task(**cell) for cell in cells(dataset=dataset, base_model=base_model, **_RECORDED)]
