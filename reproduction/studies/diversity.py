"""Diverse ensembles: members' errors and agreement, and the error of their vote."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from oza.diversity import kappa_error
from oza.ensembles import AdaBoostClassifier, BaggingClassifier, DecorateClassifier, RandomSubspaceClassifier
from oza.models import DecisionTreeClassifier

from ..columns import nominal_columns
from ..record.study import Study, grid
from ..simulations.adaboost import random_half
from .calibration import SMALL

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
    kinds: dict[str, Any] = {
        "bagging": BaggingClassifier,
        "boosting": AdaBoostClassifier,
        "decorate": DecorateClassifier,
    }
    return kinds[name](_TREE, n_models, random_state=seed, **declared)


def pairs(dataset: str, name: str, n_models: int = 20, n_train: int = 400, seed: int = 1) -> pd.DataFrame:
    """Measure κ and mean error of each pair of members of an ensemble, as `oza.diversity.kappa_error` does.

    The ensemble, named as for `made`, learns a random half of a data set, of which the rest is tested.
    """
    half = random_half(dataset, 0, n_train, seed)
    model = made(name, n_models, seed, nominal_columns(half.X)).fit(half.X, half.y)
    return kappa_error(model.predict_each(half.X_test), half.y_test)


@dataclass(frozen=True, order=True)
class DiverseEnsemble:
    """An ensemble of trees, named as for `made`, on a random half of a data set."""

    study: ClassVar = "diverse-ensembles"
    dataset: str
    ensemble: str
    split: int
    n_models: int
    n_train: int
    seed: int


@dataclass(frozen=True)
class Members:
    """Number of members, their mean error and mean κ (of a single member 1), and the error of the vote."""

    n_members: int
    member_error: float
    kappa: float
    error: float


def of_members(task: DiverseEnsemble) -> Members:
    half = random_half(task.dataset, task.split, task.n_train, task.seed)
    columns = nominal_columns(half.X)
    model = made(task.ensemble, task.n_models, task.seed + task.split, columns).fit(half.X, half.y)
    predictions = model.predict_each(half.X_test)
    error = float((model.predict(half.X_test) != half.y_test).mean())
    if predictions.shape[1] < 2:
        return Members(predictions.shape[1], error, 1.0, error)
    points = kappa_error(predictions, half.y_test)
    return Members(predictions.shape[1], float(points["error"].mean()), float(points["kappa"].mean()), error)


def ensembles(
    datasets: Sequence[str], names: Sequence[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> pd.DataFrame:
    """Measure ensembles of trees: mean error and mean κ of the members, and error of the vote.

    What is recorded is read, and the rest is computed now. A row for each ensemble that has two members or
    more.
    """
    tasks = _ensembles(datasets, names, n_splits, n_models, n_train, seed)
    return several(STUDY.recorded_or_computed(tasks))


def several(rows: pd.DataFrame) -> pd.DataFrame:
    """Select, of rows of the study, the ensembles of two members or more and the columns of `ensembles`."""
    columns = ["dataset", "ensemble", "split", "member_error", "kappa", "error"]
    return rows.loc[rows["n_members"] > 1, columns].reset_index(drop=True)


def _ensembles(
    datasets: Iterable[str], names: Iterable[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> list[DiverseEnsemble]:
    sizes = {"n_models": n_models, "n_train": n_train, "seed": seed}
    return grid(DiverseEnsemble, dataset=datasets, split=range(n_splits), ensemble=names, **sizes)


_SEVEN = (*SMALL, "mushroom")
_SIX = ("bagging", "boosting", "decorate", "subspace 0.4", "subspace 0.6", "subspace 0.8")
_COMBINED = ("bagging", "boosting", "bagged boosting", "boosted bagging")

#: Ensembles by which claim C137 is judged.
JUDGED = _ensembles(_SEVEN, _SIX, 5, 15, 300, 21)
#: What the book shows beside them.
_SHOWN = (
    (("balance", "breast-cancer", "car-evaluation", "chess"), _COMBINED, 5, 20, 300, 1),
    (("balance",), ("decorate", "subspace 0.6"), 5, 20, 300, 1),
)


STUDY = Study.of(
    of_members,
    "Members and votes of diverse ensembles of trees",
    smoke=lambda: _ensembles(("balance",), ("bagging", "subspace 0.6"), 1, 3, 60, 1),
    thesis=lambda: JUDGED + [task for cells in _SHOWN for task in _ensembles(*cells)],
    exhibits=("Mooney's slide 18",),
)


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
