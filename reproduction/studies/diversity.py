"""Diverse ensembles: members' errors and agreement, and the error of their vote."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from oza.diversity import kappa_error
from oza.ensembles import AdaBoostClassifier, BaggingClassifier, RandomSubspaceClassifier
from oza.models import DecisionTreeClassifier

from ..columns import nominal_columns
from ..record.study import cells, study
from ..simulations.adaboost import random_half
from .calibration import SMALL
from .few_labels import ENSEMBLES

_TREE = DecisionTreeClassifier(prune=True)
_WHOLE_TREE = DecisionTreeClassifier()


def made(name: str, n_models: int, seed: int, columns: Any = None) -> Any:
    """Make an untrained ensemble of trees.

    It is "bagging", "boosting", "decorate", "subspace 0.5" (with the share of the columns), "bagged boosting"
    or "boosted bagging"; `columns` are the nominal ones.
    """
    kind, _, share = name.partition(" ")
    declared = {"categorical_features": columns}
    if kind == "subspace":
        return RandomSubspaceClassifier(
            _WHOLE_TREE, n_models, max_features=float(share), random_state=seed, **declared
        )
    few = max(2, round(n_models**0.5))
    if name == "bagged boosting":
        boosted = AdaBoostClassifier(_TREE, few, **declared)
        return BaggingClassifier(boosted, n_models // few, random_state=seed)
    if name == "boosted bagging":
        bag = BaggingClassifier(_TREE, few, random_state=seed, **declared)
        return AdaBoostClassifier(bag, n_models // few, random_state=seed)
    return ENSEMBLES[name](_TREE, n_models, random_state=seed, **declared)


def pairs(dataset: str, name: str, n_models: int = 20, n_train: int = 400, seed: int = 1) -> pd.DataFrame:
    """Measure κ and mean error of each pair of members of an ensemble, as `oza.diversity.kappa_error` does.

    The ensemble, named as for `made`, learns a random half of a data set, of which the rest is tested.
    """
    half = random_half(dataset, 0, n_train, seed)
    model = made(name, n_models, seed, nominal_columns(half.X)).fit(half.X, half.y)
    return kappa_error(model.predict_each(half.X_test), half.y_test)


def _cells(
    datasets: Iterable[str], names: Iterable[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> list[dict[str, Any]]:
    sizes = {"n_models": n_models, "n_train": n_train, "seed": seed}
    return cells(dataset=datasets, split=range(n_splits), ensemble=names, **sizes)


_SIX = ("bagging", "boosting", "decorate", "subspace 0.4", "subspace 0.6", "subspace 0.8")
#: Ensembles by which claim C137 is judged.
_JUDGED = _cells((*SMALL, "mushroom"), _SIX, 5, 15, 300, 21)
#: What the book shows beside them.
_COMBINED = ("bagging", "boosting", "bagged boosting", "boosted bagging")
_SHOWN = (
    *_cells(("balance", "breast-cancer", "car-evaluation", "chess"), _COMBINED, 5, 20, 300, 1),
    *_cells(("balance",), ("decorate", "subspace 0.6"), 5, 20, 300, 1),
)


@study(
    "diverse-ensembles",
    "Members and votes of diverse ensembles of trees",
    {
        "n_members": int,
        "member_error": float,  # mean of the members
        "kappa": float,  # mean of the pairs of members; 1 for a single one
        "error": float,  # of the vote
    },
    smoke=lambda: _cells(("balance",), ("bagging", "subspace 0.6"), 1, 3, 60, 1),
    thesis=lambda: [*_JUDGED, *_SHOWN],
    exhibits=("Mooney's slide 18",),
)
def diverse_ensembles(
    dataset: str, ensemble: str, split: int, n_models: int, n_train: int, seed: int
) -> tuple[int, float, float, float]:
    """An ensemble of trees, named as for `made`, on a random half of a data set."""
    half = random_half(dataset, split, n_train, seed)
    model = made(ensemble, n_models, seed + split, nominal_columns(half.X)).fit(half.X, half.y)
    predictions = model.predict_each(half.X_test)
    error = float((model.predict(half.X_test) != half.y_test).mean())
    if predictions.shape[1] < 2:
        return predictions.shape[1], error, 1.0, error
    points = kappa_error(predictions, half.y_test)
    return predictions.shape[1], float(points["error"].mean()), float(points["kappa"].mean()), error


JUDGED = [diverse_ensembles.task(**cell) for cell in _JUDGED]


def ensembles(
    datasets: Iterable[str], names: Iterable[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> pd.DataFrame:
    """Measure ensembles of trees: mean error and mean κ of the members, and error of the vote.

    What is recorded is read, and the rest is computed now. A row for each ensemble that has two members or
    more.
    """
    listed = _cells(datasets, names, n_splits, n_models, n_train, seed)
    return several(diverse_ensembles.recorded_or_computed(diverse_ensembles.task(**cell) for cell in listed))


def several(rows: pd.DataFrame) -> pd.DataFrame:
    """Select, of rows of the study, the ensembles of two members or more and the columns of `ensembles`."""
    columns = ["dataset", "ensemble", "split", "member_error", "kappa", "error"]
    return rows.loc[rows["n_members"] > 1, columns].reset_index(drop=True)


def slope_of_kappa(rows: pd.DataFrame) -> float:
    """Change of the ensemble's error with κ at equal error of the members: a regression on both.

    It is above 0 if more agreement goes with a larger error. The rows are those of one data set.
    """
    columns = rows[["member_error", "kappa", "error"]].to_numpy()
    x, z, y = (columns - columns.mean(axis=0)).T
    xx, zz, xz = float((x * x).sum()), float((z * z).sum()), float((x * z).sum())
    xy, zy = float((x * y).sum()), float((z * y).sum())
    spread = xx * zz - xz * xz
    return (xx * zy - xz * xy) / spread if spread > 0 else np.nan
