"""Number of passes of an algorithm through its training set (thesis chapter 1)."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .draws import uniforms

__all__ = ["CountedData", "bagging_from", "boosting_from"]


class CountedData:
    """Training examples that can only be iterated from the beginning, and the number of these passes.

    Parameters
    ----------
    X : array of shape (n, A)
        Attributes.
    y : array of shape (n,)
        Classes.

    Attributes
    ----------
    n_passes : int
        Number of passes that were begun.

    Examples
    --------
    >>> data = CountedData([[0], [1]], ["no", "yes"])
    >>> [y for x, y in data], [y for x, y in data], data.n_passes
    (['no', 'yes'], ['no', 'yes'], 2)
    """

    def __init__(self, X: Any, y: Any):
        self._X, self._y = list(X), list(y)
        self.classes = sorted(set(self._y))
        self.n_passes = 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Start another pass."""
        self.n_passes += 1
        return zip(self._X, self._y, strict=True)

    def __len__(self) -> int:
        """Number of examples, which takes no pass."""
        return len(self._y)


def bagging_from(
    data: CountedData, new_model: Callable[[], Any], n_models: int, epochs: int, seed: int
) -> list[Any]:
    """Bagging (thesis Figure 3.1) of a learner that makes `epochs` passes through its examples.

    Parameters
    ----------
    data : CountedData
        The training examples.
    new_model : callable
        Makes an untrained model with `partial_fit`.
    n_models, epochs : int
        Number M of models, and number T of passes of each.
    seed : int
        Seed.

    Returns
    -------
    list of fitted models
    """
    models = []
    for m in range(n_models):
        chosen = (uniforms(len(data), "bootstrap", seed, m) * len(data)).astype(int)
        models.append(_trained(data, new_model(), np.bincount(chosen, minlength=len(data)), epochs))
    return models


def boosting_from(data: CountedData, new_model: Callable[[], Any], n_models: int, epochs: int) -> list[Any]:
    """AdaBoost (thesis Figure 2.7) of a learner that makes `epochs` passes through its examples.

    Parameters
    ----------
    data, new_model, n_models, epochs
        As in `bagging_from`.

    Returns
    -------
    list of fitted models
        All models trained; fewer than M if one has an error of 0, or of 1/2 or more.
    """
    models = []
    weights = np.full(len(data), 1.0)
    for _ in range(n_models):
        model = _trained(data, new_model(), weights, epochs)
        models.append(model)
        is_wrong = np.array(
            [model.predict([x])[0] != y for x, y in data]
        )  # one pass more than the T of training
        eps = weights[is_wrong].sum() / weights.sum()
        if not 0 < eps < 0.5:
            break
        weights = weights / (2 * np.where(is_wrong, eps, 1 - eps))
    return models


def _trained(data: CountedData, model: Any, weights: npt.NDArray[Any], epochs: int) -> Any:
    for _ in range(epochs):
        for (x, y), weight in zip(data, weights, strict=True):
            model.partial_fit([x], [y], classes=data.classes, sample_weight=[weight])
    return model
