"""Number of passes of an algorithm through its training set (thesis chapter 1)."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from oza import AdaBoostClassifier, BaggingClassifier, OnlineBaggingClassifier, OnlineBoostingClassifier
from oza.kernels.draws import uniforms

from ..columns import nominal_columns

#: The online ensembles whose passes are counted, by name.
ONLINE: dict[str, Any] = {
    "online_bagging": OnlineBaggingClassifier,
    "online_boosting": OnlineBoostingClassifier,
}


class CountedData:
    """Training examples that can only be iterated from the beginning, and the number of these passes.

    >>> data = CountedData([[0], [1]], ["no", "yes"])
    >>> [y for x, y in data], [y for x, y in data], data.n_passes
    (['no', 'yes'], ['no', 'yes'], 2)
    """

    def __init__(self, X: Any, y: Any):
        self._X, self._y = list(X), list(y)
        self.classes = sorted(set(self._y))
        self.n_passes = 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        self.n_passes += 1
        return zip(self._X, self._y, strict=True)

    def __len__(self) -> int:
        return len(self._y)


def bagging_from(
    data: CountedData, new_model: Callable[[], Any], n_models: int, epochs: int, seed: int
) -> list[Any]:
    """Bagging (thesis Figure 3.1) of a learner that makes `epochs` passes through its examples."""
    chosen = [(uniforms(len(data), "bootstrap", seed, m) * len(data)).astype(int) for m in range(n_models)]
    return [_trained(data, new_model(), np.bincount(each, minlength=len(data)), epochs) for each in chosen]


def boosting_from(data: CountedData, new_model: Callable[[], Any], n_models: int, epochs: int) -> list[Any]:
    """AdaBoost (thesis Figure 2.7) of a learner that makes `epochs` passes through its examples.

    Returns all models trained: fewer than M if one has an error of 0, or of 1/2 or more.
    """
    models = []
    weights = np.full(len(data), 1.0)
    for _ in range(n_models):
        model = _trained(data, new_model(), weights, epochs)
        models.append(model)
        is_wrong = np.array([model.predict([x])[0] != y for x, y in data])  # one pass more than the T
        eps = weights[is_wrong].sum() / weights.sum()
        if not 0 < eps < 0.5:
            break
        weights = weights / (2 * np.where(is_wrong, eps, 1 - eps))
    return models


def _trained(data: CountedData, model: Any, weights: np.ndarray, epochs: int) -> Any:
    for _ in range(epochs):
        for (x, y), weight in zip(data, weights, strict=True):
            model.partial_fit([x], [y], classes=data.classes, sample_weight=[weight])
    return model


def stream_passes(ensemble: Any, X: Any, y: Any) -> int:
    """Count the passes of an online ensemble that is given the examples one at a time."""
    data = CountedData(X, y)
    for x, label in data:
        ensemble.partial_fit([x], [label], classes=data.classes)
    return data.n_passes


def batch_operations(X: Any, y: Any, n_models: int) -> dict[str, dict[str, int]]:
    """Count the operations of the library's batch algorithms that go through the training set.

    The algorithms run as they stand, but the operations are replaced by functions that only count.
    The one that replaces `mark_correct` reports one error in ten, at random.

    Returns for "bagging" and "boosting" how often each operation was called.
    """
    used: Counter[str] = Counter()
    coin = np.random.default_rng(1)

    def count(operation: str, *arguments: Any) -> None:
        used[operation] += 1
        if operation == "mark_correct":
            arguments[-1][:] = coin.random(len(y)) > 0.1

    def dry_run(ensemble: Any, *operations: str) -> dict[str, int]:
        used.clear()
        source = inspect.unwrap(ensemble.algorithm)
        replaced = source.__globals__ | {name: partial(count, name) for name in operations}
        if "draw_samples" in source.__code__.co_names:  # the part of bagging that samples
            sampling = inspect.unwrap(replaced["draw_samples"])
            replaced["draw_samples"] = FunctionType(sampling.__code__, replaced)
        ensemble.algorithm = FunctionType(source.__code__, replaced)
        ensemble.fit(X, y)
        return dict(used)

    known: Any = {"n_estimators": n_models, "categorical_features": nominal_columns(X)}
    bag, boosted = BaggingClassifier(**known), AdaBoostClassifier(**known)
    return {
        "bagging": dry_run(bag, "row_key", "sample_with_replacement", "learn_batch_each"),
        "boosting": dry_run(boosted, "learn_batch", "mark_correct"),
    }


def passes_of_library(data: Any, operations: dict[str, dict[str, int]], n_models: int) -> dict[str, int]:
    """Give the passes of the library's ensembles over their training set, the online ones over 50 examples.

    `operations` is what `batch_operations` counted.
    """
    bagging, boosting = operations["bagging"]["sample_with_replacement"], operations["boosting"].values()
    known = {"categories": [range(len(v)) for v in data.categories], "random_state": 1}
    online = {
        name: stream_passes(ensemble(n_estimators=n_models, **known), data.data[:50], data.target[:50])
        for name, ensemble in ONLINE.items()
    }
    return {"bagging": bagging, "boosting": sum(boosting), **online}
