"""A user's own file: scanned and validated once, then read in chunks as often as needed."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .formats import Chunk, Table, open_table
from .unpack import TableError, shorten

#: Texts that mark a missing value in a file.
MISSING = frozenset(
    {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL", "None"}
)

MOST_CLASSES = 50  # a target with more distinct values is probably a quantity
MOST_VALUES = 500  # a nominal column with more distinct values probably holds names or texts
MOST_FIELDS = 5_000_000  # read at a time
_MOSTLY = 0.9  # a column with this share of numbers in the first chunk is numeric
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")  # a number with a decimal comma
_UNCLEAR = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # or with thousands set off


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
    with_commas : frozenset of str
        The inputs whose numbers have decimal commas.
    """

    path: Path
    target: str
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...] | None, ...]
    n_missing: tuple[int, ...]
    class_counts: dict[str, int]
    chunk_size: int
    table: Table
    with_commas: frozenset[str] = frozenset()

    @property
    def n_rows(self) -> int:
        """Number of examples."""
        return sum(self.class_counts.values())

    @property
    def is_numeric(self) -> np.ndarray:
        """Mask of the numeric inputs."""
        return np.array([values is None for values in self.values])

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns of the file that are neither input nor target."""
        kept = {*self.columns, self.target}
        return tuple(name for name in self.table.names if name not in kept)

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Read the file from the beginning.

        Yields
        ------
        X : float64 array of shape (n, d)
            Numbers, NaN if missing, and for nominal inputs the index of the value in `values`.
        y : int64 array of shape (n,)
            Index of the class.

        Raises
        ------
        ValueError
            If the file is not the same as before.
        """
        changed = TableError(f"{self.path.name}: has changed since it was looked through; begin again")
        codes = [None if values is None else _numbered(values) for values in self.values]
        classes = _numbered(self.class_counts)
        n_rows = 0
        for chunk in self.table.read((*self.columns, self.target), self.chunk_size):
            X = np.empty((len(chunk.places), len(self.columns)))
            try:
                for j, (name, code) in enumerate(zip(self.columns, codes, strict=True)):
                    texts = chunk.columns[name]
                    if name in self.with_commas:
                        texts = _with_points(texts)
                    X[:, j] = _as_numbers(texts) if code is None else [code[text] for text in texts]
                y = np.array([classes[text] for text in chunk.columns[self.target]], np.int64)
            except (KeyError, ValueError) as error:
                raise changed from error
            n_rows += len(y)
            yield X, y
        if n_rows != self.n_rows:
            raise changed


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

        - text with a header, its fields separated by commas, semicolons, tabs, bars or spaces; a field in
          double quotes may contain separators, and line ends, unless its lines look like rows;
        - JSON lines (`.jsonl`, `.ndjson`), or a list of records (`.json`);
        - either of them in UTF-8, UTF-16, UTF-32 or else Windows-1252, optionally compressed with
          gzip, bzip2, xz or zip;
        - ARFF, whose nominal attributes are nominal here too;
        - Parquet, Feather, or, with the extra `oza[excel]`, the first sheet of an Excel file (`.xlsx`).

        A compressed or Excel file may hold 64 MB, or else 100 times its own size; a line 10 million
        characters.
    target : str
        Name of the column to predict: a class, not a quantity.
    columns : sequence of str or None, default=None
        Inputs to learn from; None means all but the target.
    drop : sequence of str, default=()
        Columns to leave out.
    nominal : sequence of str, default=()
        Columns whose numbers are names. Of the others, those are numeric that contain numbers in nine of ten
        of the first rows.
    chunk_size : int, default=10,000
        Rows read at a time; fewer of a file with more than 500 columns.

    Returns
    -------
    OwnData
        An empty field, and "?", "NA", "NaN", "null", "None" and the like, is a missing value. In a nominal
        input it is a value like any other; in a numeric one it is NaN.

        Numbers may have decimal commas ("14,23"), the same in all of a column. "1,234" is read as 1.234 if
        no number of the file has a decimal point, and either fields are separated by semicolons, or another
        number has a comma that can only be a decimal one. Otherwise it may be 1234, and is an error.

    Raises
    ------
    ValueError
        If a column does not exist, a row has a wrong number of fields, a class is missing, there is only
        one class, or there are more than 50 classes or more than 500 values of a nominal input; if a quote
        is not closed, or the file is damaged. The message names file, line or row, and column.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from oza.compare import own_data
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
    _require((target, *(columns or ()), *drop, *nominal), table.names, path)
    left_out = {target, *drop} if columns is None else set()
    inputs = tuple(dict.fromkeys(n for n in columns or table.names if n not in left_out))
    if target in inputs or not inputs:
        raise TableError(
            f"{path.name}: the inputs must be other columns than the target {target!r}; name others"
        )
    chunk_size = max(1, min(chunk_size, MOST_FIELDS // (len(inputs) + 1)))
    names = frozenset(nominal)
    numeric = frozenset(table.numeric) - names
    found: dict[str, set[str] | None] = {name: None if name in numeric else set() for name in inputs}
    with_commas: set[str] = set()
    missing: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for chunk in table.read((*inputs, target), chunk_size):
        is_open = [
            name
            for name, known in found.items()
            if known is not None and known <= MISSING and name not in names  # no value so far
        ]
        numbers = {name: sign for name in is_open if (sign := _decimal_sign(chunk.columns[name]))}
        found |= dict.fromkeys(numbers)
        with_commas |= _decimal_commas(numbers, chunk, path, table.format)
        for name in inputs:
            missing[name] += sum(text in MISSING for text in chunk.columns[name])
        _look_through(chunk, found, with_commas, counts, path, target)
    if len(counts) < 2:
        only = f"only the class {shorten(next(iter(counts)))!r}" if counts else "no row at all"
        raise TableError(f"{path.name}, column {target!r}: {only}; classification needs at least two classes")
    values = tuple(None if v is None else tuple(sorted(v)) for v in found.values())
    n_missing = tuple(missing[name] for name in inputs)
    counts_by_class = dict(sorted(counts.items()))
    return OwnData(
        path, target, inputs, values, n_missing, counts_by_class, chunk_size, table, frozenset(with_commas)
    )


def _look_through(
    chunk: Chunk,
    found: dict[str, set[str] | None],
    with_commas: set[str],
    counts: Counter[str],
    path: Path,
    target: str,
) -> None:
    for name, known in found.items():
        texts = chunk.columns[name]
        where = f"column {shorten(name)!r}"
        if known is not None:
            known.update(texts)
            if len(known) > MOST_VALUES:
                raise TableError(
                    f"{path.name}, {where}: more than {MOST_VALUES} values that are not numbers, "
                    f"{shorten(texts[0])!r} for instance; name the column in drop to leave it out"
                )
        elif (n := _first_fault(_with_points(texts) if name in with_commas else texts)) is not None:
            kind = "a number with a decimal comma" if name in with_commas else "a number"
            raise TableError(
                f"{path.name}, {chunk.places[n]}, {where}: {shorten(texts[n])!r} is not {kind} like the "
                "others; correct it, or name the column in nominal"
            )
    labels = chunk.columns[target]
    without = [n for n, label in enumerate(labels) if label in MISSING]
    if without:
        raise TableError(
            f"{path.name}, {chunk.places[without[0]]}, column {target!r}: the class is missing; write it, or "
            "leave out the row"
        )
    counts.update(labels)
    if len(counts) > MOST_CLASSES:
        raise TableError(
            f"{path.name}, column {target!r}: more than {MOST_CLASSES} distinct values; it is probably a "
            "quantity. Divide it into a few classes first, or choose another target"
        )


def _require(asked: Iterable[str], names: list[str], path: Path) -> None:
    known = set(names)
    for name in asked:
        if name not in known:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:10]
            meant = ", ".join(repr(shorten(name)) for name in near)
            raise TableError(f"{path.name}: no column {shorten(name)!r}; did you mean {meant}?")


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


def _decimal_sign(texts: list[str]) -> str:
    """The sign before the decimals of a column, "." or ","; "" if most of its values are no numbers."""
    present = [text for text in texts if text not in MISSING]
    commas = [text for text in present if "," in text and _COMMA.fullmatch(text)]
    numbers = [text for text in present if _number(text) is not None]
    points = [text for text in numbers if "." in text]
    sign = "," if len(commas) > len(points) else "."
    n_fitting = len(numbers) + (len(commas) - len(points) if sign == "," else 0)
    return sign if present and n_fitting >= _MOSTLY * len(present) else ""


def _decimal_commas(numbers: dict[str, str], chunk: Chunk, path: Path, form: str) -> set[str]:
    """The columns with decimal commas; "1,234" is one of them only where it cannot be 1234.

    It is where another number of the file has a comma that can only be a decimal one, or fields are
    separated by semicolons, and no number has a decimal point.
    """
    with_commas = {name for name, sign in numbers.items() if sign == ","}
    unclear = [
        name
        for name in with_commas
        if all(_UNCLEAR.fullmatch(text) for text in chunk.columns[name] if "," in text)
    ]
    if not unclear:
        return with_commas
    has_points = any("." in text for name in numbers.keys() - with_commas for text in chunk.columns[name])
    if has_points or (len(unclear) == len(with_commas) and "semicolons" not in form):
        name = next(name for name in numbers if name in unclear)
        n, text = next((n, text) for n, text in enumerate(chunk.columns[name]) if "," in text)
        raise TableError(
            f"{path.name}, {chunk.places[n]}, column {shorten(name)!r}: {text!r} may be "
            f"{text.replace(',', '.')} or {text.replace(',', '')}; write one of them, or name the column in "
            "nominal or drop"
        )
    return with_commas


def _with_points(texts: list[str]) -> list[str]:
    """Texts with decimal points in place of decimal commas; those with a point have none that is valid."""
    return [text if text in MISSING else text.replace(".", "?").replace(",", ".") for text in texts]


def _first_fault(texts: list[str]) -> int | None:
    """Index of the first text that is neither a finite number nor missing; None if there is none."""
    try:
        if (np.isfinite(_as_numbers(texts)) == [text not in MISSING for text in texts]).all():
            return None
    except ValueError:
        pass
    return next((n for n, text in enumerate(texts) if text not in MISSING and _number(text) is None), None)
