"""Recorded errors of boosted and bagged trees that learn wrong labels (Mooney's slide 18)."""

from dataclasses import dataclass
from typing import ClassVar

from ..record.study import Study, grid
from ..simulations.adaboost import noisy

_DATASETS = ("balance", "breast-cancer", "car-evaluation", "chess", "german-credit")


@dataclass(frozen=True, order=True)
class WrongLabels:
    """Trees on a random half of a data set, of whose labels the share `flipped` is replaced by others."""

    study: ClassVar = "wrong-labels"
    dataset: str
    split: int
    flipped: float
    n_train: int
    n_models: int
    seed: int


@dataclass(frozen=True)
class Damage:
    """What `reproduction.simulations.adaboost.boosting_with_noise` measures."""

    examples: float
    weight: float
    boosting: float
    bagging: float


def of_labels(task: WrongLabels) -> Damage:
    return Damage(*noisy(task.dataset, task.split, task.flipped, task.n_train, task.n_models, task.seed))


_REST = {"flipped": (0.0, 0.1, 0.2), "seed": 11}
STUDY = Study.of(
    of_labels,
    "Boosted and bagged trees on training examples with wrong labels",
    smoke=lambda: grid(WrongLabels, dataset="balance", split=0, n_train=60, n_models=3, **_REST),
    thesis=lambda: grid(WrongLabels, dataset=_DATASETS, split=range(5), n_train=300, n_models=25, **_REST),
    exhibits=("Mooney's slide 18",),
)
