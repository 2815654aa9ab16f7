"""Random halves of data sets, and training examples with wrong labels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oza.datasets import dataset_info, load_dataset
from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.models import DecisionTreeClassifier

from ..columns import nominal_columns
from ..theory.boosting import example_weights


class Half(NamedTuple):
    """Training examples from a random half of a data set, and the other half as test examples."""

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    X_test: npt.NDArray[Any]
    y_test: npt.NDArray[Any]


def random_half(dataset: str, number: int, n_train: int, seed: int) -> Half:
    """Draw the half of a data set with this number; of its examples at most `n_train` are for training."""
    X, y = load_dataset(dataset, return_X_y=True)
    order = np.random.default_rng([seed, number]).permutation(len(y))
    train, test = order[: len(y) // 2][:n_train], order[len(y) // 2 :]
    return Half(X[train], y[train], X[test], y[test])


def n_of_halves(dataset: str) -> tuple[int, int]:
    """Count the examples of each half."""
    n = dataset_info(dataset).n_train + dataset_info(dataset).n_test
    return n // 2, n - n // 2


def flipped(
    y: npt.NDArray[Any], share: float, seed: Sequence[int]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Replace a share of the labels by other classes of theirs, drawn evenly; say also which."""
    draws = np.random.default_rng(seed)
    is_flipped = draws.random(len(y)) < share
    classes, place = np.unique(y, return_inverse=True)  # a rare class may be missing
    other = classes[(place + draws.integers(1, len(classes), len(y))) % len(classes)]
    return np.where(is_flipped, other, y), is_flipped


def noisy(
    dataset: str, number: int, share: float, n_train: int, n_models: int, seed: int
) -> tuple[float, float, float, float]:
    """Measure `examples`, `weight`, `boosting` and `bagging` of one row of `boosting_with_noise`."""
    X, y, X_test, y_test = random_half(dataset, number, n_train, seed)
    labels, is_flipped = flipped(y, share, [seed, number, 1])
    tree, nominal = DecisionTreeClassifier(prune=True), {"categorical_features": nominal_columns(X)}
    boosted = AdaBoostClassifier(tree, n_models, **nominal).fit(X, labels)
    bagged = BaggingClassifier(tree, n_models, random_state=seed, **nominal).fit(X, labels)
    weights = example_weights(boosted, X, labels)[-1]
    boosting, bagging = (float((model.predict(X_test) != y_test).mean()) for model in (boosted, bagged))
    return float(is_flipped.mean()), float(weights[is_flipped].sum() / len(y)), boosting, bagging
