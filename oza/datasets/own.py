"""A user's own file: scanned and validated once, then read in chunks as often as needed."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .formats import Chunk, Table, open_table

#: Texts that mark a missing value in a file.
MISSING = frozenset(
    {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL", "None"}
)

MOST_CLASSES = 50  # a target with more distinct values is probably a quantity
MOST_VALUES = 500  # a nominal column with more distinct values probably holds names or texts
_MOSTLY = 0.9  # a column with this share of numbers in the first chunk is numeric


@dataclass(frozen=True, eq=False)
class OwnData:
    """A validated file of examples.

    Attributes
    ----------
    path : Path
        The file.
    target : str
        Name of the column to predict.
    columns : tuple of str
        Names of the inputs.
    values : tuple of (tuple of str or None)
        For each input its values if it is nominal, None if it is numeric.
    n_missing : tuple of int
        For each input the number of examples in which it is missing.
    class_counts : dict
        Number of examples of each class, the classes sorted.
    chunk_size : int
        Rows read at a time.
    table : Table
        The reader of the file; its `format` describes the format in words.
    """

    path: Path
    target: str
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...] | None, ...]
    n_missing: tuple[int, ...]
    class_counts: dict[str, int]
    chunk_size: int
    table: Table

    @property
    def n_rows(self) -> int:
        """Number of examples."""
        return sum(self.class_counts.values())

    @property
    def is_numeric(self) -> np.ndarray:
        """Mask of the numeric inputs."""
        return np.array([values is None for values in self.values])

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Read the file from the beginning.

        Yields
        ------
        X : float64 array of shape (n, d)
            Numbers, NaN if missing, and for nominal inputs the index of the value in `values`.
        y : int64 array of shape (n,)
            Index of the class.
        """
        codes = [None if values is None else _numbered(values) for values in self.values]
        classes = _numbered(self.class_counts)
        for chunk in self.table.read((*self.columns, self.target), self.chunk_size):
            X = np.empty((len(chunk.places), len(self.columns)))
            for j, (name, code) in enumerate(zip(self.columns, codes, strict=True)):
                texts = chunk.columns[name]
                X[:, j] = _as_numbers(texts) if code is None else [code[text] for text in texts]
            yield X, np.array([classes[text] for text in chunk.columns[self.target]], np.int64)


def own_data(
    path: Path | str,
    target: str,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    chunk_size: int = 10_000,
) -> OwnData:
    r"""Scan and validate a file of examples.

    Parameters
    ----------
    path : Path or str
        A table in one of these formats, which is detected from the content and the extension:

        - text with a header, its fields separated by commas, semicolons, tabs, bars or spaces;
        - JSON lines (`.jsonl`, `.ndjson`), or a list of records (`.json`);
        - either of them in UTF-8, UTF-16, UTF-32 or else Windows-1252, optionally compressed with
          gzip, bzip2, xz or zip;
        - ARFF, whose nominal attributes are nominal here too;
        - Parquet, Feather, or, with the extra `oza[excel]`, the first sheet of an Excel file (`.xlsx`).
    target : str
        Name of the column to predict: a class, not a quantity.
    columns : sequence of str or None, default=None
        Inputs to learn from; None means all but the target.
    drop : sequence of str, default=()
        Columns to leave out.
    nominal : sequence of str, default=()
        Columns whose numbers are names. Of the others, those that contain numbers are numeric.
    chunk_size : int, default=10,000
        Rows read at a time.

    Returns
    -------
    OwnData
        An empty field, and "?", "NA", "NaN", "null", "None" and the like, is a missing value. In a nominal
        input it is a value like any other; in a numeric one it is NaN.

    Raises
    ------
    ValueError
        If a column does not exist, a row has a wrong number of fields, a class is missing, there is only
        one class, or there are more than 50 classes or more than 500 values of a nominal input. The
        message names file, line or row, and column.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from oza.datasets import own_data
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "weather.csv"
    ...     _ = path.write_text("sky,degrees,play\nsun,21.5,yes\nrain,12,no\nsun,18,yes\n")
    ...     data = own_data(path, target="play")
    >>> data.columns, data.values, data.class_counts
    (('sky', 'degrees'), (('rain', 'sun'), None), {'no': 1, 'yes': 2})
    """
    path = Path(path)
    table = open_table(path)
    nominal = (*nominal, *table.nominal)
    for asked in (target, *(columns or ()), *drop, *nominal):
        _require(asked, table.names, path)
    if columns is None:
        columns = [name for name in table.names if name != target and name not in drop]
    if target in columns or not columns:
        raise ValueError(f"{path.name}: the inputs must be other columns than the target {target!r}")
    numeric = set(table.numeric) - {*nominal}
    found: dict[str, set[str] | None] = {name: None if name in numeric else set() for name in columns}
    missing: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for chunk in table.read((*columns, target), chunk_size):
        for name, known in found.items():
            is_open = known is not None and known <= MISSING and name not in nominal  # no value so far
            if is_open and _is_numeric(chunk.columns[name]):
                found[name] = None
            missing[name] += sum(text in MISSING for text in chunk.columns[name])
        _look_through(chunk, found, counts, path, target)
    if len(counts) < 2:
        only = f"only the class {next(iter(counts))!r}" if counts else "no row at all"
        raise ValueError(f"{path.name}, column {target!r}: {only}; classification needs at least two classes")
    values = tuple(None if v is None else tuple(sorted(v)) for v in found.values())
    n_missing = tuple(missing[name] for name in columns)
    counts_by_class = dict(sorted(counts.items()))
    return OwnData(path, target, tuple(columns), values, n_missing, counts_by_class, chunk_size, table)


def _look_through(
    chunk: Chunk, found: dict[str, set[str] | None], counts: Counter[str], path: Path, target: str
) -> None:
    for name, known in found.items():
        texts = chunk.columns[name]
        where = f"column {name!r}"
        if known is not None:
            known.update(texts)
            if len(known) > MOST_VALUES:
                raise ValueError(
                    f"{path.name}, {where}: more than {MOST_VALUES} values that are not numbers, "
                    f"{texts[0]!r} for instance; name the column in drop to leave it out"
                )
        elif (n := _first_fault(texts)) is not None:
            raise ValueError(
                f"{path.name}, {chunk.places[n]}, {where}: {texts[n]!r} is not a number like the others; "
                f"correct it, or name the column in nominal"
            )
    labels = chunk.columns[target]
    without = [n for n, label in enumerate(labels) if label in MISSING]
    if without:
        raise ValueError(f"{path.name}, {chunk.places[without[0]]}, column {target!r}: the class is missing")
    counts.update(labels)
    if len(counts) > MOST_CLASSES:
        raise ValueError(
            f"{path.name}, column {target!r}: more than {MOST_CLASSES} distinct values; it is probably a "
            "quantity. Divide it into a few classes first, or choose another target"
        )


def _require(name: str, names: list[str], path: Path) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:10]
        raise ValueError(f"{path.name}: no column {name!r}; did you mean {', '.join(map(repr, near))}?")


def _numbered(values: Any) -> dict[str, int]:
    return {value: k for k, value in enumerate(values)}


# ------------------------------------------------------------------------------ numbers


def _as_numbers(texts: list[str]) -> np.ndarray:
    return np.array([np.nan if text in MISSING else text for text in texts]).astype(np.float64)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _is_numeric(texts: list[str]) -> bool:
    present = [text for text in texts if text not in MISSING]
    return bool(present) and sum(_number(text) is not None for text in present) >= _MOSTLY * len(present)


def _first_fault(texts: list[str]) -> int | None:
    """Index of the first text that is neither a finite number nor missing; None if there is none."""
    try:
        if (np.isfinite(_as_numbers(texts)) == [text not in MISSING for text in texts]).all():
            return None
    except ValueError:
        pass
    return next((n for n, text in enumerate(texts) if text not in MISSING and _number(text) is None), None)
