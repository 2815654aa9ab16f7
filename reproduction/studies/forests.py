"""Accuracies of random forests and of bagged ensembles of the same trees."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from oza.datasets import load_dataset
from oza.diversity import disagreement, mean_of_pairs
from oza.ensembles import RandomForestClassifier

from ..record.study import cells, study
from .protocol import N_FOLDS

#: Columns from which a node chooses its test, by the name of the ensemble.
MAX_FEATURES = {"bagging": None, "random forest": "sqrt"}
_DATASETS = ("balance", "car-evaluation", "breast-cancer")


def _cells(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> list[dict[str, Any]]:
    splits = {"repetition": range(n_repetitions), "fold": range(N_FOLDS)}
    return cells(dataset=datasets, n_trees=n_trees, **splits, ensemble=MAX_FEATURES)


@study(
    "forests",
    "Random forests and bags of unpruned trees",
    {
        "accuracy": float,  # of the vote
        "accuracy_of_a_tree": float,
        "disagreement": float,  # share of examples on which two trees disagree
    },
    smoke=lambda: cells(dataset="balance", ensemble=MAX_FEATURES, n_trees=3, repetition=0, fold=0),
    thesis=lambda: _cells(_DATASETS, 25, 2) + _cells(_DATASETS, 50, 5),  # the page's defaults, and the book's
)
def forests(dataset: str, ensemble: str, n_trees: int, repetition: int, fold: int) -> tuple[float, ...]:
    """An ensemble of unpruned trees on one split of a stratified cross-validation."""
    X, y = load_dataset(dataset, return_X_y=True)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=repetition).split(X, y)
    train, test = list(folds)[fold]
    model = RandomForestClassifier(
        n_trees,
        max_features=MAX_FEATURES[ensemble],
        categories=[np.unique(column) for column in X.T],
        random_state=repetition,
    ).fit(X[train], y[train])
    predictions = model.predict_each(X[test])
    return (
        float(model.score(X[test], y[test])),
        float((predictions == y[test, None]).mean()),
        mean_of_pairs(disagreement, predictions),
    )


def columns_at_random(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> pd.DataFrame:
    """Compare random forests with bagged trees; what is not recorded is computed now.

    The columns of the data sets are all nominal. A row for each split and ensemble.
    """
    wanted = _cells(datasets, n_trees, n_repetitions)
    return forests.recorded_or_computed([forests.task(**cell) for cell in wanted])
