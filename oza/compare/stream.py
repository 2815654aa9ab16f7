"""A file of examples as a stream, read in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..streams.base import Attribute, StreamSchema
from .own import OwnData, own_data


@dataclass(frozen=True, eq=False)
class FileStream(StreamSchema):
    """The examples of a file, in its order, as `open_stream` gives them.

    Attributes
    ----------
    data : OwnData
        What is known of the file after looking through it once.
    attributes, class_names : tuple
        What columns and classes mean.
    """

    data: OwnData

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The inputs, in the order of the file."""
        return tuple(map(Attribute, self.data.columns, self.data.values))

    @property
    def class_names(self) -> tuple[str, ...]:
        """The classes, sorted."""
        return tuple(self.data.class_counts)

    def __len__(self) -> int:
        """Count the examples."""
        return self.data.n_rows

    def chunks(
        self, start: int = 0, stop: int | None = None, size: int = 1000
    ) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[np.int64]]]:
        """Read the file, in pieces.

        Parameters
        ----------
        start : int, default=0
            Number of the first example; those before it are read and left out.
        stop : int or None, default=None
            Number of the first example that is left out; None reads to the end.
        size : int, default=1000
            Examples in a piece; the last one may have fewer.

        Yields
        ------
        X : ndarray of shape (n, number of columns)
            Codes of nominal columns, and numbers, NaN where one is missing: int64 if all columns are nominal,
            else float64.
        y : int64 ndarray of shape (n,)
        """
        dtype = self._empty(0).dtype
        for X, y in self.data.chunks(start, stop, size):
            yield X.astype(dtype, copy=False), y


def open_stream(
    path: Path | str,
    target: str,
    columns: Sequence[str] | str | None = None,
    drop: Sequence[str] | str = (),
    nominal: Sequence[str] | str = (),
) -> FileStream:
    r"""Open a file of examples as a stream: look through it once, then read it in pieces.

    Parameters
    ----------
    path : Path or str
        CSV, Parquet, ARFF and the other formats of `oza.compare.own_data`, compressed or not.
    target : str
        Name of the column to predict: a class, not a quantity.
    columns : str, sequence of str or None, default=None
        Inputs to learn from; None means all but the target.
    drop : str or sequence of str, default=()
        Columns to leave out.
    nominal : str or sequence of str, default=()
        Columns whose numbers are mere names. What an ARFF file declares nominal is so in any case.

    Returns
    -------
    FileStream
        With what is missing as `own_data` says.

    Raises
    ------
    ValueError
        If a column is not there, or a row does not fit; the message names file, line or row, and column.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from oza.compare import open_stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "weather.csv"
    ...     _ = path.write_text("sky,degrees,play\nsun,21.5,yes\nrain,12,no\nsun,18,yes\n")
    ...     stream = open_stream(path, target="play")
    ...     for X, y in stream.chunks(size=2):
    ...         print(X.tolist(), y.tolist())
    [[1.0, 21.5], [0.0, 12.0]] [1, 0]
    [[1.0, 18.0]] [1]
    >>> stream.attributes[0], stream.class_names
    (Attribute(name='sky', values=('rain', 'sun')), ('no', 'yes'))
    """
    return FileStream(own_data(path, target, columns, drop, nominal))
