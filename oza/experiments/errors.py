"""Errors of the successive base models of batch and online boosting (thesis section 4.6.3).

A study keeps of a classifier its predictions alone; what is looked at here is inside it. So the
errors have files of their own, one for each data set and base model, in the folder of results.
"""

from itertools import product

import numpy as np
import pandas as pd

from ..datasets import dataset_info
from .extra import kept
from .protocol import prepare
from .runner import without_warnings_of_bounds
from .study import ALGORITHMS, Task

#: Repetitions of the protocol of which the errors are recorded.
REPETITIONS = 5


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
        Repetitions of the cross-validation, or of a supplied split, whose training set stays.

    Returns
    -------
    DataFrame
        Columns dataset, base_model, repetition, algorithm, model (from 1) and error: of batch
        boosting the error that AdaBoost computes, as many models as it made; of online boosting the
        share of its weight that each model got wrong, 1/2 for one that was given none.

    Examples
    --------
    >>> from oza.experiments import base_model_errors
    >>> errors = base_model_errors("car-evaluation", "naive_bayes", n_models=5)
    >>> errors.query("model == 1")["error"].round(2).to_list()
    [0.13, 0.15]
    """
    parts = []
    for repetition, algorithm in product(range(repetitions), ("boosting", "online_boosting")):
        errors = errors_of(Task("errors", dataset, base_model, algorithm, n_models, repetition, 0, 0))
        part = pd.DataFrame({"model": np.arange(1, len(errors) + 1), "error": errors})
        parts.append(
            part.assign(dataset=dataset, base_model=base_model, repetition=repetition, algorithm=algorithm)
        )
    columns = ["dataset", "base_model", "repetition", "algorithm", "model", "error"]
    return pd.concat(parts, ignore_index=True)[columns]


def errors_of(task: Task) -> np.ndarray:
    """Errors of the base models of the ensemble of a task, after it has learned."""
    examples, model = prepare(task), task.estimator()
    n_classes = len(dataset_info(task.dataset).classes)
    with without_warnings_of_bounds():
        ALGORITHMS[task.algorithm].learn(model, examples.X_train, examples.y_train, n_classes)
    return model.estimator_errors_


def load_base_model_errors(dataset: str, base_model: str) -> pd.DataFrame:
    """Read the recorded errors of ensembles of 100, five repetitions; record them if there are none.

    Parameters
    ----------
    dataset, base_model : str
        As for `base_model_errors`.

    Returns
    -------
    DataFrame
        As of `base_model_errors`; each row with what it was made with.
    """
    return kept(
        f"errors/{dataset}-{base_model}",
        lambda: base_model_errors(dataset, base_model, repetitions=REPETITIONS),
    )
