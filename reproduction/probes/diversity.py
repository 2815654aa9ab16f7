"""Diverse ensembles: members' errors and agreement, and the error of their vote."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from oza.diversity import kappa_error
from oza.ensembles import AdaBoostClassifier, BaggingClassifier, DecorateClassifier, RandomSubspaceClassifier
from oza.models import DecisionTreeClassifier

from .adaboost import random_half

_TREE = DecisionTreeClassifier(prune=True)
_WHOLE_TREE = DecisionTreeClassifier()


def made(name: str, n_models: int, seed: int) -> Any:
    """Make an untrained ensemble of trees.

    Parameters
    ----------
    name : str
        "bagging", "boosting", "decorate", "subspace 0.5" (with the share of the columns),
        "bagged boosting" or "boosted bagging".
    n_models : int
        Number of trees.
    seed : int
        Seed.
    """
    kind, _, share = name.partition(" ")
    if kind == "subspace":
        return RandomSubspaceClassifier(_WHOLE_TREE, n_models, float(share), random_state=seed)
    few = max(2, round(n_models**0.5))
    if name == "bagged boosting":
        return BaggingClassifier(AdaBoostClassifier(_TREE, few), n_models // few, random_state=seed)
    if name == "boosted bagging":
        bag = BaggingClassifier(_TREE, few, random_state=seed)
        return AdaBoostClassifier(bag, n_models // few, random_state=seed)
    kinds = {"bagging": BaggingClassifier, "boosting": AdaBoostClassifier, "decorate": DecorateClassifier}
    return kinds[name](_TREE, n_models, random_state=seed)


def pairs(dataset: str, name: str, n_models: int = 20, n_train: int = 400, seed: int = 1) -> pd.DataFrame:
    """Measure κ and mean error of each pair of members of an ensemble, on test examples.

    Parameters
    ----------
    dataset : str
        Name of a data set, of which a random half is learned.
    name : str
        As for `made`.
    n_models, n_train, seed : int
        Trees, largest number of training examples, seed of the half and of the ensemble.

    Returns
    -------
    DataFrame
        As of `oza.diversity.kappa_error`.
    """
    half = random_half(dataset, 0, n_train, seed)
    model = made(name, n_models, seed).fit(half.X, half.y)
    return kappa_error(model.predict_each(half.X_test), half.y_test)


def ensembles(
    datasets: Sequence[str], names: Sequence[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> pd.DataFrame:
    """Measure ensembles of trees: mean error and mean κ of the members, and error of the vote.

    Parameters
    ----------
    datasets, names : sequences of str
        Data sets, and ensembles as for `made`.
    n_splits, n_models, n_train, seed : int
        Random halves of each data set, trees, largest number of training examples, seed.

    Returns
    -------
    DataFrame
        Columns dataset, ensemble, split, member_error, kappa and error.
    """
    rows = []
    for dataset in datasets:
        for number in range(n_splits):
            half = random_half(dataset, number, n_train, seed)
            for name in names:
                model = made(name, n_models, seed + number).fit(half.X, half.y)
                said = model.predict_each(half.X_test)
                error = float((model.predict(half.X_test) != half.y_test).mean())
                if said.shape[1] < 2:
                    continue
                points = kappa_error(said, half.y_test)
                rows.append((dataset, name, number, points["error"].mean(), points["kappa"].mean(), error))
    return pd.DataFrame(rows, columns=["dataset", "ensemble", "split", "member_error", "kappa", "error"])


def slope_of_kappa(rows: pd.DataFrame) -> float:
    """Change of the ensemble's error with κ at equal error of the members: a regression on both.

    Parameters
    ----------
    rows : DataFrame
        As `ensembles` gives them, of one data set.

    Returns
    -------
    float
        Coefficient of κ; above 0 if more agreement goes with a larger error.
    """
    columns = rows[["member_error", "kappa", "error"]].to_numpy()
    x, z, y = (columns - columns.mean(axis=0)).T
    xx, zz, xz = float((x * x).sum()), float((z * z).sum()), float((x * z).sum())
    xy, zy = float((x * y).sum()), float((z * y).sum())
    spread = xx * zz - xz * xz
    return (xx * zy - xz * xy) / spread if spread > 0 else np.nan
