"""Learning curves: accuracy against the number of training examples (thesis Figure 4.5; KDD Figures 5, 6, 8).

At a point of a curve, a model learns the first `n_train` examples of a training set, in its order
number 0, and is tested on the whole test set. The seed of a point does not depend on `n_train`, so
that the curve of an online algorithm is that of one stream, tested at several points.
"""

from dataclasses import astuple, dataclass, replace
from itertools import product
from typing import ClassVar

import numpy as np

from oza.compare.algorithms import Algorithm, ensemble_of
from oza.datasets import dataset_info
from oza.ensembles import PrimedOnlineBoostingClassifier
from oza.kernels.random import key_of

from ..record.study import Study
from .accuracy import declared, examples_for, numeric_columns
from .algorithms import ALGORITHMS, BASE_MODELS
from .protocol import N_FOLDS

#: The algorithms of the studies, and priming with 200 examples at every size (KDD Figure 8).
CURVE_ALGORITHMS: dict[str, Algorithm] = ALGORITHMS | {
    "primed_200": Algorithm(ensemble_of(PrimedOnlineBoostingClassifier, n_prime=200), is_online=True)
}


@dataclass(frozen=True, order=True)
class Point:
    """One point of a learning curve: everything that its accuracy depends on."""

    study: ClassVar = "curves"

    dataset: str
    base_model: str
    algorithm: str  # a name in `CURVE_ALGORITHMS`
    n_models: int  # in the ensemble; 1 for a single model
    n_train: int
    repetition: int  # as for a `Task`; with a supplied split, repetitions differ in order and draws
    fold: int

    @property
    def seed(self) -> int:
        return key_of("curve", *astuple(replace(self, n_train=0)))


@dataclass(frozen=True)
class Measure:
    """Measurements at a point."""

    n_test: int
    n_correct: int
    n_voting: int  # base models with a positive vote weight


@dataclass(frozen=True)
class Curve:
    """Learning curves of several algorithms over one base model, on one data set."""

    dataset: str
    base_model: str
    algorithms: tuple[str, ...]
    sizes: tuple[int, ...]
    repetitions: int  # of the cross-validation, or of a supplied split
    n_models: int = 100
    folds: int = N_FOLDS  # number of the five folds to use; a supplied split has one

    def points(self) -> list[Point]:
        """All points, sorted.

        >>> len(CURVES["car-evaluation-decision-tree"].points())  # algorithms, sizes, splits
        3150
        """
        folds = self.folds if dataset_info(self.dataset).split == "five-fold" else 1
        sizes = {name: self.n_models if CURVE_ALGORITHMS[name].is_ensemble else 1 for name in self.algorithms}
        cells = product(sizes.items(), self.sizes, range(self.repetitions), range(folds))
        return sorted(Point(self.dataset, self.base_model, *ensemble, *rest) for ensemble, *rest in cells)


_FIVE = ("single", "bagging", "online_bagging", "boosting", "online_boosting")

#: The learning curves that are recorded.
CURVES: dict[str, Curve] = {
    "car-evaluation-decision-tree": Curve(
        "car-evaluation",
        "decision_tree",
        (*_FIVE, "primed_boosting", "primed_200"),
        (100, 200, 300, 400, 600, 800, 1000, 1200, 1382),
        repetitions=10,
    ),
    "census-income-naive-bayes": Curve(
        "census-income",
        "naive_bayes",
        _FIVE,
        (1000, 5000, 20000, 50000, 100000, 199523),
        repetitions=10,
    ),
    **{
        f"{dataset}-naive-bayes": Curve(
            dataset,
            "naive_bayes",
            ("boosting", "online_boosting"),
            (100, 300, 1000, 3000, 10000, 30000, 80000),
            repetitions=10,
        )
        for dataset in ("synthetic1", "synthetic2", "synthetic3")
    },
}


def measure(point: Point) -> Measure:
    """Train and test at one point.

    >>> measure(Point("balance", "naive_bayes", "single", 1, 100, 0, 0))
    Measure(n_test=125, n_correct=92, n_voting=1)
    """
    numeric = numeric_columns(point.base_model, point.dataset)
    split = examples_for(point.base_model, point.dataset, point.repetition, point.fold)
    if not 0 < point.n_train <= len(split.y_train):
        n = len(split.y_train)
        raise ValueError(f"n_train={point.n_train}: {point.dataset} has {n} training examples")
    algorithm = CURVE_ALGORITHMS[point.algorithm]
    model = declared(algorithm.make(BASE_MODELS[point.base_model](), point.n_models, point.seed), numeric)
    model.fit(split.X_train[: point.n_train], split.y_train[: point.n_train])
    n_correct = int((model.predict(split.X_test) == split.y_test).sum())
    votes = getattr(model, "vote_weights_", np.ones(point.n_models))
    return Measure(len(split.y_test), n_correct, int(np.count_nonzero(votes)))


STUDY = Study.of(
    measure,
    "Learning curves: accuracy against the number of training examples",
    smoke=Curve("balance", "naive_bayes", ("single", "boosting"), (50, 100), 1, 3, folds=1).points,
    thesis=lambda: [point for curve in CURVES.values() for point in curve.points()],
    quick=lambda point: point.repetition == point.fold == 0,
    exhibits=("Figure 4.5", "KDD Figures 5, 6, 8"),
    cost=lambda point: 0.1 + 3e-5 * point.n_train,  # as online boosting on Census Income
)
