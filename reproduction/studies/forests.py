"""Recorded accuracies of random forests and of bags of the same trees."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from oza.datasets import load_dataset
from oza.diversity import disagreement, mean_of_pairs
from oza.ensembles import RandomForestClassifier

from ..record.study import Study, grid
from .protocol import N_FOLDS

#: Columns from which a node chooses its test, by the name of the ensemble.
MAX_FEATURES = {"bagging": None, "random forest": "sqrt"}
_DATASETS = ("balance", "car-evaluation", "breast-cancer")
_SIZES = ((25, 2), (50, 5))  # trees, and repetitions: of the notebook's defaults, and of the book


@dataclass(frozen=True, order=True)
class Forest:
    """An ensemble of unpruned trees on one split of a stratified cross-validation."""

    study: ClassVar = "forests"
    dataset: str
    ensemble: str
    n_trees: int
    repetition: int
    fold: int


@dataclass(frozen=True)
class OfTrees:
    """Accuracies of the vote and of a single tree, and the share of examples on which two trees disagree."""

    accuracy: float
    accuracy_of_a_tree: float
    disagreement: float


def of_forest(task: Forest) -> OfTrees:
    X, y = load_dataset(task.dataset, return_X_y=True)
    values = [np.unique(column) for column in X.T]
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=task.repetition).split(X, y)
    train, test = list(folds)[task.fold]
    model = RandomForestClassifier(
        task.n_trees,
        max_features=MAX_FEATURES[task.ensemble],
        categories=values,
        random_state=task.repetition,
    ).fit(X[train], y[train])
    predictions = model.predict_each(X[test])
    return OfTrees(
        float(model.score(X[test], y[test])),
        float((predictions == y[test, None]).mean()),
        mean_of_pairs(disagreement, predictions),
    )


def columns_at_random(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> pd.DataFrame:
    """Compare random forests with bags of trees; what is not recorded is computed now.

    The columns of the data sets are all nominal. A row for each split and ensemble.
    """
    return STUDY.recorded_or_computed(_forests(datasets, n_trees, n_repetitions))


def _forests(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> list[Forest]:
    splits = {"repetition": range(n_repetitions), "fold": range(N_FOLDS)}
    return grid(Forest, dataset=datasets, n_trees=n_trees, **splits, ensemble=MAX_FEATURES)


STUDY = Study.of(
    of_forest,
    "Random forests and bags of unpruned trees",
    smoke=lambda: grid(Forest, dataset="balance", ensemble=MAX_FEATURES, n_trees=3, repetition=0, fold=0),
    thesis=lambda: [task for size in _SIZES for task in _forests(_DATASETS, *size)],
)
