"""Learning curves: accuracy against the number of training examples (thesis Figure 4.5; KDD Figures 5, 6, 8).

At a point of a curve, a model is trained on the first `n_train` examples of a set, in its order
number 0, and is tested on the whole test set. The seed of a point does not depend on `n_train`, so
that the curve of an online algorithm is that of one stream, tested at several points.
"""

from typing import Any, NamedTuple

import numpy as np

from oza.compare.algorithms import Algorithm, ensemble_of
from oza.datasets import dataset_info
from oza.ensembles import PrimedOnlineBoostingClassifier
from oza.kernels.random import key_of

from ..record.study import cells, study
from .accuracy import declared, examples_for, numeric_columns
from .algorithms import ALGORITHMS, BASE_MODELS
from .protocol import N_FOLDS, count_correct

#: The algorithms of the studies, and priming with 200 examples at every size (KDD Figure 8).
CURVE_ALGORITHMS: dict[str, Algorithm] = ALGORITHMS | {
    "primed_200": Algorithm(ensemble_of(PrimedOnlineBoostingClassifier, n_prime=200), is_online=True)
}


class Curve(NamedTuple):
    """Learning curves of several algorithms over one base model, on one data set."""

    dataset: str
    base_model: str
    algorithms: tuple[str, ...]
    sizes: tuple[int, ...]


_FIVE = ("single", "bagging", "online_bagging", "boosting", "online_boosting")
_SIZES = (100, 300, 1000, 3000, 10000, 30000, 80000)

#: The learning curves that are recorded.
CURVES: dict[str, Curve] = {
    "car-evaluation-decision-tree": Curve(
        "car-evaluation",
        "decision_tree",
        (*_FIVE, "primed_boosting", "primed_200"),
        (100, 200, 300, 400, 600, 800, 1000, 1200, 1382),
    ),
    "census-income-naive-bayes": Curve(
        "census-income", "naive_bayes", _FIVE, (1000, 5000, 20000, 50000, 100000, 199523)
    ),
    **{
        f"{name}-naive-bayes": Curve(name, "naive_bayes", ("boosting", "online_boosting"), _SIZES)
        for name in ("synthetic1", "synthetic2", "synthetic3")
    },
}


def _cells(curve: Curve) -> list[dict[str, Any]]:
    n_folds = N_FOLDS if dataset_info(curve.dataset).split == "five-fold" else 1
    models = [
        {"algorithm": name, "n_models": 100 if CURVE_ALGORITHMS[name].is_ensemble else 1}
        for name in sorted(curve.algorithms)
    ]
    rest = {"n_train": curve.sizes, "repetition": range(10), "fold": range(n_folds)}
    return cells(*models, dataset=curve.dataset, base_model=curve.base_model, **rest)


@study(
    "curves",
    "Learning curves: accuracy against the number of training examples",
    {
        "n_test": int,
        "n_correct": int,
        "n_voting": int,  # base models with a positive vote weight
    },
    smoke=lambda: cells(
        {"algorithm": "boosting", "n_models": 3},
        {"algorithm": "single", "n_models": 1},
        dataset="balance",
        base_model="naive_bayes",
        n_train=(50, 100),
        repetition=0,
        fold=0,
    ),
    thesis=lambda: [cell for curve in CURVES.values() for cell in _cells(curve)],
    quick=lambda point: point.repetition == point.fold == 0,
    exhibits=("Figure 4.5", "KDD Figures 5, 6, 8"),
    cost=lambda point: 0.1 + 3e-5 * point.n_train,  # as online boosting on Census Income
)
def curves(
    dataset: str, base_model: str, algorithm: str, n_models: int, n_train: int, repetition: int, fold: int
) -> tuple[int, int, int]:
    """Train on the first `n_train` examples and test; the algorithm is one of `CURVE_ALGORITHMS`.

    A single model has `n_models` 1. With a supplied split, repetitions differ in order and draws.
    """
    split = examples_for(base_model, dataset, repetition, fold)
    if not 0 < n_train <= len(split.y_train):
        raise ValueError(f"n_train={n_train}: {dataset} has {len(split.y_train)} training examples")
    seed = key_of("curve", dataset, base_model, algorithm, n_models, 0, repetition, fold)
    model = CURVE_ALGORITHMS[algorithm].make(BASE_MODELS[base_model](), n_models, seed)
    declared(model, numeric_columns(base_model, dataset))
    model.fit(split.X_train[:n_train], split.y_train[:n_train])
    votes = getattr(model, "vote_weights_", np.ones(n_models))
    return *count_correct(model, split), int(np.count_nonzero(votes))


def curve_points(curve: str) -> list[Any]:
    """List the points of a recorded learning curve, sorted.

    >>> len(curve_points("car-evaluation-decision-tree"))  # algorithms, sizes, splits
    3150
    """
    return [curves.task(**cell) for cell in _cells(CURVES[curve])]
