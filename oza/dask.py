"""Ensembles, and models of parts of a stream, that learn on the workers of a Dask cluster.

`DaskEnsemble` divides the base models of an ensemble among workers, each of which gets all examples.
`ModelPerKey` divides the examples, by the value of a column, among models of their own. Both give the models
of one machine, bit for bit, and need the extra `cluster`.

No task changes what another one has computed. So Dask learns again, from the first example on, what is lost
with a worker, if all examples come from files or collections of Dask; chunks of this process are sent once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from copy import deepcopy
from numbers import Integral
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from .columns.table import as_rows, joined_rows
from .columns.validation import check_count, check_labels, check_order
from .ensembles.parts import joined, parts_of
from .extras import required
from .kernels.random import key_of

__all__ = ["DaskEnsemble", "ModelPerKey"]

_AHEAD = 2  # chunks that workers have, or wait for, while they learn one


class _Parts:
    """Estimators on workers, each of which learns from every chunk in its own way."""

    def __init__(self, client: Any, n_parts: int | None):
        self._distributed = required("distributed", type(self).__name__)
        self._client = self._distributed.default_client() if client is None else client
        n_threads = sum(self._client.nthreads().values())
        self._n_parts = check_count("n_parts", n_threads if n_parts is None else n_parts)
        self._estimators: list[Any] = []  # before anything was learned
        self._states: list[Any] = []  # the latest of each part: futures of Dask
        self._homes: list[str] = []  # addresses of their workers

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> Any:
        """Train on examples in their order, after all earlier ones.

        Parameters
        ----------
        X : Dask array or DataFrame, array-like or DataFrame, path, or iterable
            The examples. The blocks of a Dask collection are learned one after the other, and so are the
            items of an iterable: pairs (X, y), or paths of Parquet files.
        y : Dask array or Series, array-like, str, or None
            The class labels, as `X` is; for files the name of their column, for pairs None.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear, as in `partial_fit` of a classifier.

        Returns
        -------
        self
            When everything has been learned.

        Raises
        ------
        RuntimeError
            If a worker is lost that has learned chunks of this process, which are not sent again.

        Notes
        -----
        Each chunk is learned by a copy of the models, so that it should have many thousands of rows. At most
        three are on their way at a time. After an error all that came before its chunk has been learned.
        """
        options = {} if classes is None else {"classes": classes}
        return self._learn("partial_fit", _chunks(self._client, X, y), options)

    def _learn(self, method: str, chunks: Iterable[Any], options: dict[str, Any]) -> Any:
        if not self._states:
            self._homes = [""] * len(self._estimators)
            self._states = self._submit(deepcopy, self._estimators)
        coming = deque([self._states])
        for chunk in chunks:
            coming.append(self._submit(_learned, coming[-1], method, chunk, options))
            if len(coming) > _AHEAD + 1:
                self._advance(coming)
        while len(coming) > 1:
            self._advance(coming)
        return self

    def _submit(self, function: Any, states: list[Any], *arguments: Any) -> list[Any]:
        """Call a function with each state, on the worker that has it, or on the one with the fewest."""
        workers = self._client.nthreads()
        self._homes = [home if home in workers else "" for home in self._homes]
        for i, home in enumerate(self._homes):
            if not home and workers:
                self._homes[i] = min(workers, key=lambda each: self._homes.count(each) / workers[each])
        found = []
        for state, home in zip(states, self._homes, strict=True):
            where = {"workers": [home], "allow_other_workers": True} if home else {}
            found.append(self._client.submit(function, state, *arguments, pure=False, **where))
        return found

    def _advance(self, coming: deque[list[Any]]) -> None:
        """Wait until all parts have learned from the next chunk."""
        with _explained():
            self._distributed.wait(coming[1])
        for state in coming[1]:
            if state.status == "error":
                state.result()
        coming.popleft()
        self._states = coming[0]

    def _gathered(self) -> list[Any]:
        with _explained():
            return self._client.gather(self._states) if self._states else self._estimators


class DaskEnsemble(_Parts):
    """An ensemble whose base models are divided among the workers of a Dask cluster.

    Every worker gets all examples and learns with its base models. All draws are keyed by (example number,
    base model), so that the result is the ensemble of one machine, bit for bit. This pays where learning
    takes much longer than sending an example: for trees rather than for Naive Bayes.

    Parameters
    ----------
    ensemble : ensemble
        Online, fixed-fraction or batch bagging, a random or adaptive random forest, random subspaces, or
        ADWIN or leveraging bagging with ``replaced="triggered"``. It is copied without what it has learned.
    client : distributed.Client or None, default=None
        The cluster; None means the client that was made last.
    n_parts : int or None, default=None
        How many parts learn at the same time; None means the number of threads of all workers now.

    Raises
    ------
    TypeError
        If the base models cannot be divided, as in boosting; the message says why.
    ModuleNotFoundError
        If the extra `cluster` is not installed.

    Examples
    --------
    >>> from distributed import Client
    >>> from oza import OnlineBaggingClassifier
    >>> from oza.dask import DaskEnsemble
    >>> from oza.streams import SEA
    >>> X, y = SEA(random_state=1)[:2000]
    >>> bagging = OnlineBaggingClassifier(n_estimators=10, random_state=1)
    >>> with Client(n_workers=2, processes=False, dashboard_address=":0") as client:
    ...     there = DaskEnsemble(bagging, client)
    ...     model = there.partial_fit([(X[:1000], y[:1000]), (X[1000:], y[1000:])]).gather()
    >>> bool((model.predict_proba(X) == bagging.fit(X, y).predict_proba(X)).all())
    True
    """

    def __init__(self, ensemble: Any, client: Any = None, n_parts: int | None = None):
        super().__init__(client, n_parts)
        self._estimators = parts_of(ensemble, self._n_parts)

    def fit(self, X: Any, y: Any = None) -> DaskEnsemble:
        """Train on a whole set, forgetting all earlier ones; every worker gets all of it at once.

        Parameters
        ----------
        X, y
            As in `partial_fit`.

        Returns
        -------
        self
        """
        whole = self._client.submit(_concatenated, list(_chunks(self._client, X, y)), pure=False)
        return self._learn("fit", [whole], {})

    def gather(self) -> Any:
        """The ensemble that has been learned, as an estimator in this process.

        Returns
        -------
        ensemble
            That of one machine, bit for bit. What it learns from now on stays here.
        """
        return joined(self._gathered())

    def predict(self, X: Any) -> Any:
        """Predict the class of each row; workers divide the rows of a Dask collection.

        Parameters
        ----------
        X : Dask array or DataFrame, array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            For a Dask collection a Dask array, not yet computed.
        """
        return self._predicted("predict", X, lambda classes: ((), classes.dtype))

    def predict_proba(self, X: Any) -> Any:
        """Share of the votes for each class, in the order of `classes_`.

        Parameters
        ----------
        X : Dask array or DataFrame, array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            For a Dask collection a Dask array, not yet computed.
        """
        return self._predicted("predict_proba", X, lambda classes: ((len(classes),), np.dtype(float)))

    def _predicted(self, method: str, X: Any, form: Any) -> Any:
        dask, model = required("dask", type(self).__name__), self.gather()
        if not dask.is_dask_collection(X):
            return getattr(model, method)(X)
        arrays, (shape, dtype) = required("dask.array", type(self).__name__), form(model.classes_)
        there, blocks = dask.delayed(self._client.scatter(model, broadcast=True, hash=False)), _blocks(X)
        lengths = X.chunks[0] if hasattr(X, "chunks") else [np.nan] * len(blocks)
        of_block = dask.delayed(_predicted_rows)
        found = [
            arrays.from_delayed(of_block(there, method, block, shape, dtype), (length, *shape), dtype)
            for block, length in zip(blocks, lengths, strict=True)
        ]
        return arrays.concatenate(found, allow_unknown_chunksizes=True)


class ModelPerKey(_Parts):
    """A model for each value of a column of a stream, divided among the workers of a Dask cluster.

    Each model trains on the rows with its value, in their order and without that column, as on one machine.

    Parameters
    ----------
    estimator : online classifier
        It is copied, with the same `random_state`, for each value.
    key : str
        Name of the column of X, a data frame, that holds strings or integers.
    client : distributed.Client or None, default=None
        The cluster; None means the client that was made last.
    n_parts : int or None, default=None
        How many parts learn at the same time; None means the number of threads of all workers now.

    Raises
    ------
    ModuleNotFoundError
        If the extra `cluster` is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from distributed import Client
    >>> from oza import NaiveBayesClassifier
    >>> from oza.dask import ModelPerKey
    >>> X = pd.DataFrame({"shop": ["a", "b", "a", "b"], "sky": ["sun", "sun", "rain", "rain"]})
    >>> with Client(n_workers=2, processes=False, dashboard_address=":0") as client:
    ...     there = ModelPerKey(NaiveBayesClassifier(), "shop", client)
    ...     models = there.partial_fit(X, ["out", "in", "in", "out"]).gather()
    >>> {shop: model.predict_one({"sky": "sun"}) for shop, model in models.items()}
    {'a': 'out', 'b': 'in'}
    """

    def __init__(self, estimator: Any, key: str, client: Any = None, n_parts: int | None = None):
        super().__init__(client, n_parts)
        self._estimators = [_Keyed(estimator, key, i, self._n_parts) for i in range(self._n_parts)]

    def gather(self) -> dict[Any, Any]:
        """The models that have been learned, in this process.

        Returns
        -------
        dict
            A fitted classifier for each value of the column, in the order of the values.
        """
        found = [model for part in self._gathered() for model in part.models.items()]
        return dict(sorted(found, key=lambda model: (type(model[0]).__name__, model[0])))


class _Keyed:
    """The models of the values of a column that belong to one part of several."""

    def __init__(self, estimator: Any, key: str, number: int, n_parts: int):
        self.estimator, self.key, self.number, self.n_parts = estimator, key, number, n_parts
        self.models: dict[Any, Any] = {}

    def partial_fit(self, X: pd.DataFrame, y: Any, **options: Any) -> None:
        check_order(X, y=y)
        X = as_rows(X)
        if self.key not in getattr(X, "columns", ()):
            raise ValueError(f"X must be a data frame with a column {self.key!r}, the key; pass one.")
        labels, rows = check_labels(y, len(X)), X.drop(columns=self.key)
        numbers, values = pd.factorize(X[self.key])
        if (numbers < 0).any() or not all(isinstance(value, str | Integral) for value in values):
            raise ValueError(f"{self.key} must hold strings or integers, and no missing values.")
        for number, value in enumerate(values.tolist()):
            if key_of(value) % self.n_parts == self.number:
                places = np.flatnonzero(numbers == number)
                model = self.models.setdefault(value, clone(self.estimator))
                model.partial_fit(rows.iloc[places], labels[places], **options)


# On workers


def _learned(state: Any, method: str, chunk: tuple[Any, Any], options: dict[str, Any]) -> Any:
    """A copy of an estimator that was trained on a chunk."""
    state = deepcopy(state)
    getattr(state, method)(*chunk, **options)
    return state


def _read(path: str, target: str) -> tuple[pd.DataFrame, pd.Series]:
    rows = pd.read_parquet(path)
    return rows.drop(columns=target), rows[target]


def _concatenated(chunks: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    for X, y in chunks:
        check_order(X, y=y)
    rows = [as_rows(X) for X, _ in chunks]
    labels = [check_labels(y, X.shape[0]) for X, (_, y) in zip(rows, chunks, strict=True)]
    return joined_rows(rows), joined_rows(labels)


# In this process


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except CancelledError as error:
        raise RuntimeError(
            "a worker was lost, and what it had learned from chunks of this process cannot be learned "
            "again. Begin anew, with files or collections of Dask if that happens often."
        ) from error


def _chunks(client: Any, X: Any, y: Any) -> Iterator[Any]:
    """Futures of pairs (X, y), one after the other."""
    dask = required("dask", "a cluster")
    if dask.is_dask_collection(X):
        if hasattr(X, "rechunk") and hasattr(y, "rechunk"):
            y = y.rechunk(X.chunks[:1])
        blocks = [_blocks(part) if dask.is_dask_collection(part) else [] for part in (X, y)]
        if len(blocks[0]) != len(blocks[1]):
            raise ValueError("y must be a collection of Dask with as many blocks of rows as X.")
        yield from (client.compute(dask.delayed(pair)) for pair in zip(*blocks, strict=True))
        return
    if isinstance(X, str | PathLike):
        X = [X]
    elif y is not None and not isinstance(y, str):
        X = [(X, y)]
    for item in X:
        if isinstance(item, str | PathLike) and isinstance(y, str):
            yield client.submit(_read, str(item), y, pure=False)
        elif isinstance(item, tuple) and len(item) == 2:
            yield client.scatter([item], hash=False)[0]
        else:
            raise TypeError(
                "X must be a collection, an array or a data frame with its labels y, an iterable of pairs "
                f"(X, y), or paths of Parquet files with the name of a column as y; got {item!r:.60}."
            )


def _predicted_rows(model: Any, method: str, X: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """What the model predicts for a block of rows, of which a filter may have left none."""
    return getattr(model, method)(X) if len(X) else np.empty((0, *shape), dtype)


def _blocks(collection: Any) -> list[Any]:
    """Blocks of rows of a Dask collection, as delayed objects."""
    if hasattr(collection, "rechunk") and collection.ndim == 2:
        collection = collection.rechunk({1: -1})
    return list(np.ravel(collection.to_delayed()))
