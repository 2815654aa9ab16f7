"""A reader's own file, CSV or Parquet: looked through once, then read in chunks as often as needed."""

import csv
import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

#: What stands for "no value" in a file.
MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "None"})

MOST_CLASSES = 50  # more distinct values of the target are probably numbers
MOST_VALUES = 500  # more distinct values of a nominal column are probably names or texts
_MOSTLY = 0.9  # a column with this share of numbers in the first chunk is numeric


class _Chunk(NamedTuple):
    """Rows as they stand in the file: the place of each, and its fields as text, column by column."""

    places: list[str]
    columns: dict[str, list[str]]


@dataclass(frozen=True, eq=False)
class OwnData:
    """A file of examples that has been looked through.

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
    class_counts : dict
        Number of examples of each class, the classes sorted.
    chunk_size : int
        Rows read at a time.
    """

    path: Path
    target: str
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...] | None, ...]
    class_counts: dict[str, int]
    chunk_size: int

    @property
    def n_rows(self) -> int:
        """Number of examples."""
        return sum(self.class_counts.values())

    @property
    def is_numeric(self) -> np.ndarray:
        """Mask of the numeric inputs."""
        return np.array([values is None for values in self.values])

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Read the file once more.

        Yields
        ------
        X : float64 array of shape (n, d)
            Numbers, and for nominal inputs the position of the value among its `values`.
        y : int64 array of shape (n,)
            Position of the class.
        """
        codes = [None if values is None else _numbered(values) for values in self.values]
        classes = _numbered(self.class_counts)
        for chunk in _read(self.path, (*self.columns, self.target), self.chunk_size):
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
    r"""Look through a file of examples, and say where it is not fit to be learned from.

    Parameters
    ----------
    path : Path or str
        A Parquet file, by its ending `.parquet` or `.pq`; any other is read as CSV with a heading, in UTF-8,
        its fields parted by commas, semicolons, tabs or bars.
    target : str
        Name of the column to predict: a class, not a quantity.
    columns : sequence of str or None, default=None
        Inputs to learn from; None means all but the target.
    drop : sequence of str, default=()
        Columns to leave out.
    nominal : sequence of str, default=()
        Columns whose numbers are mere names. Of the others, those that hold numbers are numeric.
    chunk_size : int, default=10,000
        Rows read at a time.

    Returns
    -------
    OwnData
        A missing value of a nominal input counts as a value of its own.

    Raises
    ------
    ValueError
        If a column is not there, a row has another number of fields, a number or a class is missing, there is
        one class only, or there are more than 50 classes or more than 500 values of a nominal input. The
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
    names = _names(path)
    for asked in (target, *(columns or ()), *drop, *nominal):
        _require(asked, names, path)
    if columns is None:
        columns = [name for name in names if name != target and name not in drop]
    if target in columns or not columns:
        raise ValueError(f"{path.name}: the inputs must be other columns than the target {target!r}")
    found: dict[str, set[str] | None] = {}
    counts: Counter[str] = Counter()
    for chunk in _read(path, (*columns, target), chunk_size):
        if not found:
            found = {n: set() if n in nominal or not _is_numeric(chunk.columns[n]) else None for n in columns}
        _look_through(chunk, found, counts, path, target)
    if len(counts) < 2:
        only = f"only the class {next(iter(counts))!r}" if counts else "no row at all"
        raise ValueError(f"{path.name}, column {target!r}: {only}; there is nothing to tell apart")
    values = tuple(None if v is None else tuple(sorted(v)) for v in found.values())
    return OwnData(path, target, tuple(columns), values, dict(sorted(counts.items())), chunk_size)


def _look_through(
    chunk: _Chunk, found: dict[str, set[str] | None], counts: Counter[str], path: Path, target: str
) -> None:
    for name, known in found.items():
        texts = chunk.columns[name]
        where = f"column {name!r}"
        if known is not None:
            known.update(texts)
            if len(known) > MOST_VALUES:
                raise ValueError(
                    f"{path.name}, {where}: more than {MOST_VALUES} values that are no numbers, "
                    f"{texts[0]!r} for instance; leave the column out with --drop"
                )
        elif (n := _first_fault(texts)) is not None:
            raise ValueError(
                f"{path.name}, {chunk.places[n]}, {where}: "
                + (
                    "a number is missing; fill it in or leave the row out"
                    if texts[n] in MISSING
                    else f"{texts[n]!r} is not a number like the others; mend it, or say --nominal {name}"
                )
            )
    labels = chunk.columns[target]
    without = [n for n, label in enumerate(labels) if label in MISSING]
    if without:
        raise ValueError(f"{path.name}, {chunk.places[without[0]]}, column {target!r}: the class is missing")
    counts.update(labels)
    if len(counts) > MOST_CLASSES:
        raise ValueError(
            f"{path.name}, column {target!r}: more than {MOST_CLASSES} distinct values; it is probably a "
            "quantity. Cut it into a few classes first, or choose another target"
        )


def _require(name: str, names: list[str], path: Path) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:10]
        raise ValueError(f"{path.name}: no column {name!r}; did you mean {', '.join(map(repr, near))}?")


def _numbered(values: Any) -> dict[str, int]:
    return {value: k for k, value in enumerate(values)}


# ------------------------------------------------------------------------------ numbers


def _as_numbers(texts: list[str]) -> np.ndarray:
    return np.array(texts, np.float64)


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
    """Number of the first text that is not a finite number."""
    try:
        if np.isfinite(_as_numbers(texts)).all():
            return None
    except ValueError:
        pass
    return next((n for n, text in enumerate(texts) if _number(text) is None), None)


# ------------------------------------------------------------------------------ files


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".pq")


def _names(path: Path) -> list[str]:
    if _is_parquet(path):
        names = _parquet(path).schema_arrow.names
    else:
        with path.open(newline="", encoding="utf-8-sig") as file:
            names = next(_rows(file, path), [])
    if not names:
        raise ValueError(f"{path.name}: is empty; the first line must name the columns")
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise ValueError(f"{path.name}: two columns have the name {twice[0]!r}")
    return list(names)


def _read(path: Path, names: Sequence[str], size: int) -> Iterator[_Chunk]:
    return (_read_parquet if _is_parquet(path) else _read_csv)(path, names, size)


def _parquet(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path.name}: not a Parquet file ({error})") from error


def _read_parquet(path: Path, names: Sequence[str], size: int) -> Iterator[_Chunk]:
    first = 1
    for batch in _parquet(path).iter_batches(size, columns=list(names)):
        columns = {}
        for name in names:
            try:
                texts = batch.column(name).cast(pa.string())
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
                kind = batch.schema.field(name).type
                raise ValueError(f"{path.name}, column {name!r}: cannot learn from {kind}") from error
            columns[name] = ["" if text is None else text for text in texts.to_pylist()]
        yield _Chunk([f"row {n}" for n in range(first, first + len(batch))], columns)
        first += len(batch)


def _rows(file: Any, path: Path) -> Any:
    """Reader of the rows of a CSV file, by the separator that its heading has most of."""
    try:
        heading = file.readline()
        file.seek(0)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: not a text in UTF-8 ({error})") from error
    return csv.reader(file, delimiter=max(",;\t|", key=heading.count), skipinitialspace=True)


def _read_csv(path: Path, names: Sequence[str], size: int) -> Iterator[_Chunk]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = _rows(file, path)
        heading = next(reader)
        places = [heading.index(name) for name in names]
        while True:
            rows, lines = [], []
            try:
                for row in islice(filter(None, reader), size):  # without empty lines
                    if len(row) != len(heading):
                        raise ValueError(
                            f"{path.name}, line {reader.line_num}: {len(row)} fields, and the heading names "
                            f"{len(heading)} columns"
                        )
                    rows.append(row)
                    lines.append(f"line {reader.line_num}")
            except (csv.Error, UnicodeDecodeError) as error:
                raise ValueError(f"{path.name}, after line {reader.line_num}: {error}") from error
            if not rows:
                return
            columns = {name: [row[k].strip() for row in rows] for name, k in zip(names, places, strict=True)}
            yield _Chunk(lines, columns)
