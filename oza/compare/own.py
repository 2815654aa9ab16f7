"""A user's own file: scanned and validated once, then read in chunks as often as needed."""

import difflib
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..columns.validation import check_count, check_integer
from .formats import Table, open_table
from .unpack import TableError, shorten

#: Texts that mark a missing value in a file.
MISSING = frozenset(
    {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL", "None"}
)

MOST_CLASSES = 50  # a target with more distinct values is probably a quantity
MOST_VALUES = 500  # a nominal column with more distinct values probably holds names or texts
MOST_FIELDS = 5_000_000  # read at a time

#: How a field is written that is a number, or that looks like one and cannot be read: with thousands set
#: off, a currency, a percent sign, leading zeros, as a hexadecimal or an infinite number.
_KINDS = re.compile(
    r"""
    (?P<whole> [+-]? (?: 0 | [1-9][0-9]{0,15} | [1-9][0-9]*(?=e) ) (?:e[+-]?[0-9]+)? )
    | (?P<grouped> [+-]? [1-9][0-9]{0,2}\.[0-9]{3} )  # with a decimal point, or with thousands set off
    | (?P<point> [+-]? (?: (?:0|[1-9][0-9]*)\.[0-9]* | \.[0-9]+ ) (?:e[+-]?[0-9]+)? )
    | (?P<unclear> [+-]? [1-9][0-9]{0,2},[0-9]{3} )  # with a decimal comma, or with thousands set off
    | (?P<comma> [+-]? (?:0|[1-9][0-9]*)?,[0-9]+ (?:e[+-]?[0-9]+)? )
    | (?P<like> [(+−-]? (?:[a-z]{0,3}[$€£¥₹]|[a-z]{3}\s)? \s? [+−-]? (?: 0x[0-9a-f]+
        | [0-9]{1,3} (?:[.,'’_\s][0-9]{2,3})* [.,'’_\s][0-9]{3} (?:[.,][0-9]*)?
        | [0-9]+ (?:[.,][0-9]*)? | [.,][0-9]+ ) (?:e[+-]?[0-9]+)? \s? [%‰$€£¥₹]? [)-]?
        | [+−-]? (?: inf | infinity | nan ) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WITH_UNIT = re.compile(r"[+−-]?[0-9][0-9.,]*\s?((?:[^\W\d_]|[°/²³]){1,5})")
_UNLIKE = re.compile(r"_|\n[+-]?(?:0[0-9]|[0-9]{17})")  # what `float` reads and `_KINDS` does not
_FEWEST_COUNTED = 10  # in fewer rows a column may hold consecutive numbers by chance


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
    counting : tuple of str
        The inputs that count the rows: whole numbers, each one more than that of the row before.
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
    counting: tuple[str, ...] = ()

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

    def chunks(
        self, start: int = 0, stop: int | None = None, size: int | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Read the file from the beginning.

        Parameters
        ----------
        start : int, default=0
            Number of the first example; those before it are read and left out.
        stop : int or None, default=None
            Number of the first example that is left out; None reads to the end.
        size : int or None, default=None
            Examples in a chunk; the last one may have fewer. None means `chunk_size`.

        Yields
        ------
        X : float64 array of shape (n, d)
            Numbers, NaN if missing, and for nominal inputs the index of the value in `values`.
        y : int64 array of shape (n,)
            Index of the class.

        Raises
        ------
        ValueError
            If the file is not the same as before, or an argument is out of range.
        """
        changed = TableError(f"{self.path.name}: has changed since it was looked through; begin again")
        codes = [{value: k for k, value in enumerate(values or ())} for values in self.values]
        classes = {label: k for k, label in enumerate(self.class_counts)}
        end = self.n_rows if stop is None else min(check_integer("stop", stop, 0), self.n_rows)
        n_rows = check_integer("start", start, 0)
        size = self.chunk_size if size is None else check_count("size", size)
        rows = islice(self.table.rows((*self.columns, self.target)), start, stop)
        for _, (*inputs, labels) in _in_chunks(rows, size):
            X = np.empty((len(labels), len(inputs)))
            try:
                for j, (name, code) in enumerate(zip(self.columns, codes, strict=True)):
                    has_commas, texts = name in self.with_commas, inputs[j]
                    X[:, j] = [code[text] for text in texts] if code else _as_numbers(texts, has_commas)
                y = np.array([classes[text] for text in labels], np.int64)
            except (KeyError, ValueError) as error:
                raise changed from error
            n_rows += len(y)
            yield X, y
        if n_rows != max(start, end):
            raise changed


def own_data(
    path: Path | str,
    target: str,
    columns: Sequence[str] | str | None = None,
    drop: Sequence[str] | str = (),
    nominal: Sequence[str] | str = (),
    chunk_size: int = 10_000,
) -> OwnData:
    r"""Scan and validate a file of examples.

    Parameters
    ----------
    path : Path or str
        A table in one of these formats, which is detected from the content and the extension:

        - text with a header, its fields separated by commas, semicolons, tabs, bars or spaces; a field in
          double quotes may contain separators, and line ends, unless its lines look like rows;
        - JSON lines (`.jsonl`, `.ndjson`), or a list of records (`.json`), all of which is read at once;
        - either of them in UTF-8, UTF-16, UTF-32 or else Windows-1252, optionally compressed with
          gzip, bzip2, xz or zip;
        - ARFF, whose nominal attributes are nominal here too;
        - Parquet, Feather, or, with the extra `oza[excel]`, an Excel file (`.xlsx`), of which the first sheet
          is read, also if it is hidden.

        A compressed or Excel file may hold 64 MB, or else 100 times its own size; a line 10 million
        characters.
    target : str
        Name of the column to predict: a class, not a quantity.
    columns : str, sequence of str or None, default=None
        Inputs to learn from, a string being the name of one; None means all but the target and, in a file
        that pandas wrote, the index.
    drop : str or sequence of str, default=()
        Columns to leave out.
    nominal : str or sequence of str, default=()
        Columns whose numbers are names. Of the others, those are numeric of which most fields, or most of
        the distinct ones, are numbers or look like numbers, and then all must be numbers.
    chunk_size : int, default=10,000
        Rows read at a time; fewer of a file with more than 500 columns.

    Returns
    -------
    OwnData
        An empty field, and "?", "NA", "NaN", "null", "None" and the like, is a missing value. In a nominal
        input it is a value like any other; in a numeric one it is NaN.

        Numbers may have decimal commas ("14,23"), the same in all of a column. "1,234" is read as 1.234 if
        no number of the file has a decimal point, and either fields are separated by semicolons, or another
        number has a comma that can only be a decimal one. Otherwise it may be 1234, and is an error. So is
        a number with thousands set off, a currency, a unit, a percent sign, leading zeros, underscores or
        more than 16 digits before its point, unless the column is declared nominal.

    Warns
    -----
    UserWarning
        If an input counts the rows, as the index does that pandas writes: in a file that is sorted, it tells
        the class. Also if a column in `nominal` holds a number in two forms, such as 1 and 1.0.

    Raises
    ------
    ValueError
        If a column does not exist, a row has a wrong number of fields, a class is missing, there is only
        one class, or there are more than 50 classes or more than 500 values of a nominal input; if a quote
        is not closed, a comment stands among the rows, or the file is damaged. The message names file, line
        or row, and column.
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
    (target,) = _checked(path, table.names, "target", [target])
    left_out = {*_checked(path, table.names, "drop", drop)}
    names = {target, *_checked(path, table.names, "nominal", nominal), *table.nominal}
    if columns is None:
        columns, left_out = table.names, {*left_out, *table.pandas_index, target}
    asked = _checked(path, table.names, "columns", columns)
    inputs = tuple(name for name in dict.fromkeys(asked) if name not in left_out)
    if target in inputs or not inputs:
        fault = f"the inputs must be other columns than the target {target!r}; name others"
        raise TableError(f"{path.name}: {fault}")
    chunk_size = max(1, min(check_count("chunk_size", chunk_size), MOST_FIELDS // (len(inputs) + 1)))
    found = [_Column(path.name, table.unit, name, name in names) for name in (*inputs, target)]
    classes = found[-1]
    counts: Counter[str] = Counter()
    for places, fields in _in_chunks(table.rows((*inputs, target)), chunk_size):
        for column, texts in zip(found, fields, strict=True):
            column.add(places, texts)
        counts.update(fields[-1])
        for text, place in classes.seen["missing"].items():
            fault = f"the class is missing, for {text!r} is no class" if text else "the class is missing"
            raise classes.fault(f"{fault}; write it, or leave out the row", place)
        if len(counts) > MOST_CLASSES:
            fault = f"more than {MOST_CLASSES} distinct values; it is probably a quantity"
            raise classes.fault(f"{fault}. Divide it into a few classes first, or choose another target")
    if len(counts) < 2:
        only = f"only the class {shorten(next(iter(counts)))!r}" if counts else "no row at all"
        raise classes.fault(f"{only}; classification needs at least two classes")
    for column in found:
        numbers: dict[float, str] = {}
        for text, place in column.seen["name"].items():
            if _kind(text) in ("name", "like"):
                continue
            if (same := numbers.setdefault(float(text.replace(",", ".")), text)) != text:
                error = column.fault(f"{text!r} and {same!r} are one number; write it the same way", place)
                if column is classes:
                    raise error
                warnings.warn(str(error), stacklevel=2)  # versions, as 1.1 and 1.10 are
                break
    for column in found:
        for text, place in column.seen["name"].items():
            if text not in table.nominal.get(column.name, [text]):
                fault = f"{shorten(text)!r} is no value that the heading declares"
                raise column.fault(f"{fault}; correct one of them", place)
    numeric = {column: None for column in found[:-1] if column.is_numeric(column.name in table.numeric)}
    data = OwnData(
        path=path,
        target=target,
        columns=inputs,
        values=tuple(None if column in numeric else column.values() for column in found[:-1]),
        n_missing=tuple(column.kinds["missing"] for column in found[:-1]),
        class_counts=dict(sorted(counts.items())),
        chunk_size=chunk_size,
        table=table,
        with_commas=_decimal_commas(numeric, table),
        counting=tuple(column.name for column in found[:-1] if column.counts_rows),
    )
    for name in data.counting:
        fault = f"column {shorten(name)!r} counts the rows; if it means nothing else, name it in drop"
        warnings.warn(f"{path.name}: {fault}", stacklevel=2)
    return data


def _in_chunks(rows: Any, size: int) -> Iterator[tuple[Sequence[int], list[Sequence[str]]]]:
    """Take `size` rows at a time: their numbers, and their fields by column."""
    while some := list(islice(rows, size)):
        numbers, fields = zip(*some, strict=True)
        yield numbers, [[*map(str.strip, column)] for column in zip(*fields, strict=True)]


def _checked(path: Path, known: Sequence[str], argument: str, given: Any) -> tuple[str, ...]:
    """The names of columns in an argument; a string is one name."""
    names = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    there_are = set(known)
    for name in names:
        if not isinstance(name, str) or name not in there_are:
            near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5) or known[:10]
            meant = ", ".join(repr(shorten(each)) for each in near)
            asked = f"{shorten(repr(name))}{'' if isinstance(name, str) else f' ({argument} takes strings)'}"
            title = "" if all(known) else " Delete a title above the names."
            raise TableError(f"{path.name}: no column {asked}; did you mean {meant}?{title}")
    return names


def _as_numbers(texts: Sequence[str], has_commas: bool = False) -> np.ndarray:
    """The numbers, NaN where one is missing; any other text is a `ValueError`."""
    if has_commas:
        texts = [text.replace(",", ".") for text in texts]
    numbers = np.array([float("nan" if text in MISSING else text) for text in texts])
    is_missing = ~np.isfinite(numbers)
    if is_missing.any() and [text in MISSING for text in texts] != is_missing.tolist():
        raise ValueError("not finite")
    return numbers


class _Column:
    """What the fields of a column have been so far.

    `kinds` has the number of fields of each kind, and `seen` the row of the first of each distinct text, by
    kind, a few more than `MOST_VALUES` at most; `start` is the first number if all count the rows, or None.
    """

    def __init__(self, file: str, unit: str, name: str, is_nominal: bool):
        self.file, self.unit, self.name, self.is_nominal = file, unit, name, is_nominal
        self.kinds: Counter[str] = Counter()
        self.seen: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.start: int | None = None

    def fault(self, what: str, place: int | None = None) -> TableError:
        row = "" if place is None else f"{self.unit} {place}, "
        return TableError(f"{self.file}, {row}column {shorten(self.name)!r}: {what}")

    def add(self, places: Sequence[int], texts: Sequence[str]) -> None:
        n, text = self.kinds.total(), "\n".join(["", *texts])
        if n == 0 and texts[0].isdecimal() and len(texts[0]) < 17:
            self.start = int(texts[0])
        if self.start is not None:
            consecutive = range(self.start + n, self.start + n + len(texts))
            self.start = self.start if [*map(str, consecutive)] == texts else None
        has_commas = self.kinds["comma"] > 0 and "." not in text
        if (self.kinds["point"] or "." not in text) and max(
            map(len, self.seen.values()), default=0
        ) > MOST_VALUES:
            with suppress(ValueError):  # there are names among them
                n_missing = int(np.isnan(_as_numbers(texts, has_commas)).sum())
                if not _UNLIKE.search(text):
                    kind = "comma" if has_commas else "point" if self.kinds["point"] else "whole"
                    self.kinds.update({"missing": n_missing, kind: len(texts) - n_missing})
                    return
        for text, n in Counter(texts).items():
            kind = "missing" if text in MISSING else "name" if self.is_nominal else _kind(text)
            self.kinds[kind] += n
            if len(self.seen[kind]) <= MOST_VALUES and text not in self.seen[kind]:
                self.seen[kind][text] = places[texts.index(text)]

    @property
    def counts_rows(self) -> bool:
        return self.start is not None and self.kinds.total() >= _FEWEST_COUNTED

    def values(self) -> tuple[str, ...]:
        found = sorted(text for known in self.seen.values() for text in known)
        if len(found) > MOST_VALUES:
            fault = f"more than {MOST_VALUES} values that are not numbers, as {shorten(found[-1])!r}"
            raise self.fault(f"{fault}; name the column in drop to leave it out")
        return tuple(found)

    @property
    def has_commas(self) -> bool:
        return self.kinds["comma"] + self.kinds["unclear"] > self.kinds["point"] + self.kinds["grouped"]

    def is_numeric(self, is_declared: bool) -> bool:
        """Whether it holds numbers: all of them, or it is refused."""
        kinds, names = self.kinds, self.seen["name"]
        n_present = kinds.total() - kinds["missing"]
        units = Counter(found[1] for name in names if (found := _WITH_UNIT.fullmatch(name)))
        have_unit = max(units.values(), default=0) > max(1, len(names) / 2)
        n_values = sum(map(len, self.seen.values())) - len(self.seen["missing"])
        are_few = 2 * kinds["name"] < n_present or 2 * len(names) < n_values
        if not is_declared and (self.is_nominal or not (are_few or have_unit)):
            return False
        others = ("point", "grouped") if self.has_commas else ("comma", "unclear")
        wrong = ("name", "like", *others)
        faults = {place: repr(shorten(text)) for kind in wrong for text, place in self.seen[kind].items()}
        if faults:
            texts = [faults[place] for place in sorted(faults)]
            kind = "a number with a decimal comma, as -12,5 is" if self.has_commas else "a number as -12.5 is"
            share = f"{sum(kinds[each] for each in wrong):,} of {n_present:,} values: {', '.join(texts[:5])}"
            remedy = "correct it, leave a missing one empty, or name the column in nominal or drop"
            raise self.fault(f"{texts[0]} is not {kind} ({share}); {remedy}", min(faults))
        return True


def _kind(text: str) -> str:
    found = _KINDS.fullmatch(text)
    kind = str(found.lastgroup) if found else "name"
    is_read = kind in ("name", "like") or np.isfinite(float(text.replace(",", ".")))
    return kind if is_read else "like"


def _decimal_commas(numeric: Iterable[_Column], table: Table) -> frozenset[str]:
    """The columns with decimal commas; "1,234" is one of them only where it cannot be 1234.

    It is where another number of the file has a comma that can only be a decimal one, or fields are
    separated by semicolons, and no number has a decimal point. Beside decimal commas "1.234" may be 1234.
    """
    with_commas = [column for column in numeric if column.has_commas]
    unclear = [column for column in with_commas if not column.kinds["comma"]]
    with_points = [column for column in numeric if column.kinds["point"] or column.kinds["grouped"]]
    if len(unclear) < len(with_commas):
        unclear = [*(unclear if with_points else ()), *(c for c in with_points if not c.kinds["point"])]
    elif "semicolons" in table.format and not with_points:
        unclear = []
    for column in unclear:
        text, place = next(iter(column.seen["unclear" if column.has_commas else "grouped"].items()))
        other = text.translate({ord(","): ".", ord("."): ","})
        fault = f"{text!r} may be {other} or {other.replace('.', '').replace(',', '')}; write one of them"
        raise column.fault(f"{fault}, or name the column in nominal or drop", place)
    return frozenset(column.name for column in with_commas)
