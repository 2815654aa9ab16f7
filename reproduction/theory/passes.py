"""Number of passes of an algorithm through its training set (thesis chapter 1)."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.ensembles import (
    AdaBoostClassifier,
    BaggingClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
)
from oza.kernels.draws import uniforms
from oza.models import NeuralNetworkClassifier

from ..columns import nominal_columns

__all__ = [
    "CountedData",
    "bagging_from",
    "batch_operations",
    "boosting_from",
    "count_passes",
    "passes_of_library",
    "stream_passes",
]

_ONLINE = {"online_bagging": OnlineBaggingClassifier, "online_boosting": OnlineBoostingClassifier}


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


def stream_passes(ensemble: Any, X: Any, y: Any) -> int:
    """Count the passes of an online ensemble that is given the examples one at a time.

    Parameters
    ----------
    ensemble : classifier with `partial_fit`
        It learns the examples.
    X, y : arrays
        Training examples.
    """
    data = CountedData(X, y)
    for x, label in data:
        ensemble.partial_fit([x], [label], classes=data.classes)
    return data.n_passes


def count_passes(
    X: Any, y: Any, epochs: Iterable[int], n_models: Iterable[int] = (2, 3), seed: int = 1
) -> pd.DataFrame:
    """Count the passes of batch and online ensembles of networks over their training set.

    Parameters
    ----------
    X, y : arrays
        Training examples.
    epochs, n_models : iterable of int
        Numbers T of passes that one network needs, and numbers M of networks.
    seed : int
        Seed of the networks and the samples.

    Returns
    -------
    DataFrame
        Columns algorithm, T, M and passes, where M is the number of networks that were trained.
    """

    def network(updates: int = 1) -> NeuralNetworkClassifier:
        return NeuralNetworkClassifier(hidden_units=2, updates=updates, random_state=seed)

    counted = []
    for t, m in product(epochs, n_models):
        source = CountedData(X, y)
        counted.append(("bagging", t, len(bagging_from(source, network, m, t, seed)), source.n_passes))
        source = CountedData(X, y)
        counted.append(("boosting", t, len(boosting_from(source, network, m, t)), source.n_passes))
        for name, ensemble in _ONLINE.items():
            online = ensemble(network(updates=t), m, random_state=seed)
            counted.append((name.replace("_", " "), t, m, stream_passes(online, X, y)))
    return pd.DataFrame(counted, columns=["algorithm", "T", "M", "passes"])


def batch_operations(X: Any, y: Any, n_models: int) -> dict[str, dict[str, int]]:
    """Count the operations of the library's batch algorithms that go through the training set.

    The algorithms run as they stand, but the operations are replaced by functions that only count.
    The one that replaces `mark_correct` reports one error in ten, at random.

    Parameters
    ----------
    X, y : arrays
        Training examples.
    n_models : int
        Base models of each ensemble.

    Returns
    -------
    dict
        For "bagging" and "boosting" how often each operation was called.
    """
    used: Counter[str] = Counter()
    coin = np.random.default_rng(1)

    def counting(operation: str) -> Callable[..., None]:
        def replacement(*arguments: Any) -> None:
            used[operation] += 1
            if operation == "mark_correct":
                arguments[-1][:] = coin.random(len(y)) > 0.1

        return replacement

    def dry_run(ensemble: Any, *operations: str) -> dict[str, int]:
        used.clear()
        source = inspect.unwrap(ensemble.algorithm)
        replaced = source.__globals__ | {name: counting(name) for name in operations}
        if "draw_samples" in source.__code__.co_names:  # the part of bagging that samples
            replaced["draw_samples"] = FunctionType(
                inspect.unwrap(replaced["draw_samples"]).__code__, replaced
            )
        ensemble.algorithm = FunctionType(source.__code__, replaced)
        ensemble.fit(X, y)
        return dict(used)

    return {
        "bagging": dry_run(
            BaggingClassifier(n_estimators=n_models, categorical_features=nominal_columns(X)),
            "row_key",
            "sample_with_replacement",
            "learn_batch_each",
        ),
        "boosting": dry_run(
            AdaBoostClassifier(n_estimators=n_models, categorical_features=nominal_columns(X)),
            "learn_batch",
            "mark_correct",
        ),
    }


def passes_of_library(data: Any, operations: dict[str, dict[str, int]], n_models: int) -> dict[str, int]:
    """Give the passes of the library's ensembles over their training set.

    Parameters
    ----------
    data : Bunch
        A data set as `load_dataset` gives it; the online ensembles learn its first 50 examples.
    operations : dict
        What `batch_operations` counted.
    n_models : int
        Base models of each ensemble.
    """
    found = {
        "bagging": operations["bagging"]["sample_with_replacement"],
        "boosting": sum(operations["boosting"].values()),
    }
    values = [range(len(v)) for v in data.categories]
    for name, ensemble in _ONLINE.items():
        online = ensemble(n_estimators=n_models, categories=values, random_state=1)
        found[name] = stream_passes(online, data.data[:50], data.target[:50])
    return found
