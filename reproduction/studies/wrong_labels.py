"""Boosted and bagged trees on training examples with wrong labels (Mooney's slide 18)."""

from ..record.study import cells, study
from ..simulations.adaboost import noisy

_DATASETS = ("balance", "breast-cancer", "car-evaluation", "chess", "german-credit")
_REST = {"flipped": (0.0, 0.1, 0.2), "seed": 11}


@study(
    "wrong-labels",
    "Boosted and bagged trees on training examples with wrong labels",
    {"examples": float, "weight": float, "boosting": float, "bagging": float},  # see `boosting_with_noise`
    smoke=lambda: cells(dataset="balance", split=0, n_train=60, n_models=3, **_REST),
    thesis=lambda: cells(dataset=_DATASETS, split=range(5), n_train=300, n_models=25, **_REST),
    exhibits=("Mooney's slide 18",),
)
def wrong_labels(
    dataset: str, split: int, flipped: float, n_train: int, n_models: int, seed: int
) -> tuple[float, ...]:
    """Errors on a random half of a data set, of whose labels the share `flipped` is replaced by others."""
    return noisy(dataset, split, flipped, n_train, n_models, seed)
