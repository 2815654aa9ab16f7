"""Recorded errors of boosted and bagged trees that learn wrong labels (Mooney's slide 18)."""

from dataclasses import dataclass
from typing import ClassVar

from ..record.study import Study
from ..simulations.adaboost import noisy

_DATASETS = ("balance", "breast-cancer", "car-evaluation", "chess", "german-credit")
_SHARES = (0.0, 0.1, 0.2)
_N_SPLITS = 5


@dataclass(frozen=True, order=True)
class WrongLabels:
    """Trees on a random half of a data set, of whose labels the share `flipped` is replaced by others."""

    dataset: str
    split: int
    flipped: float
    n_train: int
    n_models: int
    seed: int

    study: ClassVar = "wrong-labels"


@dataclass(frozen=True)
class Damage:
    """What `reproduction.simulations.adaboost.boosting_with_noise` measures."""

    examples: float
    weight: float
    boosting: float
    bagging: float


def of_labels(task: WrongLabels) -> Damage:
    """Boost and bag trees on training examples with wrong labels."""
    return Damage(*noisy(task.dataset, task.split, task.flipped, task.n_train, task.n_models, task.seed))


def _tasks(profile: str) -> list[WrongLabels]:
    if profile == "smoke":
        return [WrongLabels("balance", 0, share, 60, 3, 11) for share in _SHARES]
    return [
        WrongLabels(dataset, split, share, 300, 25, 11)
        for dataset in _DATASETS
        for split in range(_N_SPLITS)
        for share in _SHARES
    ]


STUDY = Study(
    WrongLabels.study,
    "Boosted and bagged trees on training examples with wrong labels",
    WrongLabels,
    Damage,
    _tasks,
    of_labels,
    ("Mooney's slide 18",),
)
