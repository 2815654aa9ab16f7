"""What every drawn stream shares: examples at any place, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..columns.validation import check_integer
from ..kernels.compile import kernel
from ..kernels.random import key_of


class Attribute(NamedTuple):
    """A column of a stream.

    Attributes
    ----------
    name : str
        What it is.
    values : tuple of str, or None
        Names of the values of a nominal attribute, in the order of their codes; None for a numeric one.
    """

    name: str
    values: tuple[str, ...] | None = None


class StreamSchema:
    """What the columns and the classes of a stream mean."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Name of each column, and the values of each nominal one."""
        raise NotImplementedError

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes, in the order of their codes."""
        raise NotImplementedError

    @property
    def feature_names(self) -> list[str]:
        """Name of each column."""
        return [attribute.name for attribute in self.attributes]

    @property
    def categorical_features(self) -> npt.NDArray[np.bool_]:
        """Mask of the nominal columns, as classifiers take it."""
        return np.array([attribute.values is not None for attribute in self.attributes])

    @property
    def categories(self) -> list[list[int] | None]:
        """Codes of the values of each nominal column, None for a numeric one, as classifiers take them."""
        return [None if values is None else list(range(len(values))) for _, values in self.attributes]

    @property
    def classes(self) -> list[int]:
        """Codes of the classes, as classifiers take them."""
        return list(range(len(self.class_names)))

    def _empty(self, n: int) -> npt.NDArray[Any]:
        """Room for `n` examples: int64 if all columns are nominal, else float64."""
        return np.empty((n, len(self.attributes)), np.int64 if self.categorical_features.all() else float)

    @property
    def bayes_accuracy(self) -> float | None:
        """Accuracy of the best classifier, which knows the distribution of every example; None if unknown."""
        return None

    def __iter__(self) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[np.int64]]]:
        """Go through it in pieces of 1,000 examples."""
        return self.chunks()  # type: ignore[attr-defined]


class Stream(StreamSchema):
    """An endless stream whose example n depends on its parameters and on n alone.

    A slice costs what its examples cost, wherever it lies, and however the stream is divided, the bits
    are the same:

    - ``stream[10**9 : 10**9 + 1000]`` gives ``X, y``, a thousand examples;
    - ``stream[n]`` gives one example and its class;
    - ``for X, y in stream.chunks(stop=10**6)`` goes through it in pieces, and ``for X, y in stream``
      without end.

    `X` is an int64 array of codes if all columns are nominal; otherwise a float64 array, with codes in
    the nominal columns. `y` holds the codes of the classes, int64. Streams are values: they
    can be compared, hashed and pickled, and cannot be changed.
    """

    random_state: int

    def _draw(self, rows: npt.NDArray[np.int64], X: npt.NDArray[Any], y: npt.NDArray[np.int64]) -> None:
        """Fill `X` and `y` with the examples of these numbers."""
        raise NotImplementedError

    @property
    def _key(self) -> np.uint64:
        """Key of the draws of all examples."""
        return np.uint64(key_of("stream", type(self).__name__, self.random_state))

    def take(self, rows: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Give the examples of these numbers.

        Parameters
        ----------
        rows : array-like of int, shape (n,)
            Numbers of examples, 0 or greater, in any order.

        Returns
        -------
        X : ndarray of shape (n, number of columns)
        y : int64 ndarray of shape (n,)
        """
        numbers = np.asarray(rows)
        if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and len(numbers)):
            raise ValueError(f"rows must be a list of integers, the numbers of examples; got {rows!r}.")
        for end in (numbers.min(), numbers.max()) if len(numbers) else ():
            check_integer("a number in rows", int(end), 0)
        X, y = self._empty(len(numbers)), np.empty(len(numbers), np.int64)
        self._draw(numbers.astype(np.int64), X, y)
        return X, y

    def __getitem__(self, which: Any) -> Any:
        """Give the examples of a slice, or one example."""
        if not isinstance(which, slice):
            X, y = self.take([check_integer("the number of an example", which, 0)])
            return X[0], int(y[0])
        if which.stop is None:
            raise ValueError(
                "a stream has no end: say where the slice stops, as in stream[0:1000], or use chunks()."
            )
        start = 0 if which.start is None else check_integer("the start of a slice", which.start, 0)
        step = 1 if which.step is None else check_integer("the step of a slice", which.step, 1)
        stop = check_integer("the end of a slice", which.stop, 0)
        return self.take(np.arange(start, stop, step, dtype=np.int64))

    def chunks(
        self, start: int = 0, stop: int | None = None, size: int = 1000
    ) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[np.int64]]]:
        """Go through the stream in pieces.

        Parameters
        ----------
        start : int, default=0
            Number of the first example.
        stop : int or None, default=None
            Number of the first example that is left out; None goes on for ever.
        size : int, default=1000
            Examples in a piece; the last one may have fewer.

        Yields
        ------
        X : ndarray of shape (n, number of columns)
        y : int64 ndarray of shape (n,)
        """
        start, size = check_integer("start", start, 0), check_integer("size", size, 1)
        end = 2**63 - 1 if stop is None else check_integer("stop", stop, 0)  # they are int64
        for first in range(start, end, size):
            yield self[first : min(first + size, end)]


@kernel
def reflected(position):
    """Where a point is that has gone to `position` and turns round at 0 and at 1."""
    place = position % 2.0
    return place if place <= 1.0 else 2.0 - place
