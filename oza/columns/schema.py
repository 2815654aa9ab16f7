"""The schema of the columns of X, and the encoding of examples for the kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from numbers import Integral, Real
from threading import Lock
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype
from scipy import sparse
from sklearn.utils.validation import check_array

from ..kernels.compile import kernel, typed_once
from .validation import EXACT_BELOW, as_array, first_of_another_kind, is_missing, union_of

_LARGEST = np.finfo(np.float64).max
#: Cached properties of a schema that depend on its columns alone, not on their values.
_OF_COLUMNS = (
    "is_categorical",
    "_column_of_place",
    "_numeric_places",
    "_number_of_place",
    "_places_in_order",
    "attributes",
    "columns",
)
_numbering = Lock()  # estimators that work in several threads may share a schema
_DENSE = 2**16  # integer values that span a smaller range are encoded by a lookup table


@typed_once
class Examples(NamedTuple):
    """Encoded attribute values of N examples.

    `codes[n, a]` is the code of the value of nominal attribute a, a number among the values of all
    nominal attributes, or −1 if the value is missing or not in the schema; `numbers[n, d]` is the value
    of numeric attribute d.
    """

    codes: Annotated[np.ndarray, "N, A", "codes"]  # int32
    numbers: Annotated[np.ndarray, "N, D"]  # float64


class LabelledExamples(NamedTuple):
    """Encoded examples with their labels and weights, kept to be learned later."""

    examples: Examples
    labels: Annotated[np.ndarray, "N", "labels"]
    weights: Annotated[np.ndarray, "N"]


def rows_of(examples: Examples, rows: Any) -> Examples:
    """The examples with the indices `rows`, a slice or an array."""
    return Examples(*(part[rows] for part in examples))


def join(pieces: Sequence[Examples]) -> Examples:
    """Concatenate the examples of all pieces."""
    codes, numbers = zip(*pieces, strict=True)
    stack = sparse.vstack if sparse.issparse(numbers[0]) else np.concatenate
    return Examples(np.concatenate(codes), stack(numbers))


@dataclass(frozen=True)
class Schema:
    """Which columns are nominal, and the values of each nominal column.

    Parameters
    ----------
    categories : tuple
        For each column the sorted values of a nominal attribute, or None for a numeric one.
    is_open : tuple of bool
        For each column whether new values can be added: it is nominal and its values are not declared.
    undecided : tuple of int, default=()
        Columns of X in whose first row a value was missing, so that nothing said whether they are nominal or
        numeric; later rows are not asked, so that a stream can be divided into chunks anywhere. Each has two
        attributes, of which one stays empty. `categories` and `is_open` have its nominal one in its place,
        and its numeric one after those of all columns.
    is_by_type : bool, default=False
        Whether the types of the values decide which columns are nominal; they must then stay the same.
    """

    categories: tuple[np.ndarray | None, ...]
    is_open: tuple[bool, ...]
    undecided: tuple[int, ...] = ()
    is_by_type: bool = False

    @classmethod
    def infer(
        cls, X: Any, categorical_features: Any = "auto", categories: Any = "auto", with_values: bool = True
    ) -> Schema:
        """Schema of the columns of `X`, from declarations or from the values in it.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        categorical_features : "auto", None, or array-like
            "auto": string, boolean and categorical columns are nominal, and those with `categories`;
            columns of numbers are numeric. None: all numeric; else a boolean mask, column indices or names.
        categories : "auto" or list
            For each column its values, or None to take them from `X`.
        with_values : bool
            Whether an open column starts with the values in `X` or with none.
        """
        table = as_table(X)
        columns = table.columns
        if isinstance(categories, str) and categories == "auto":
            declared: list[Any] = [None] * len(columns)
        elif isinstance(categories, str | dict | set) or (
            not hasattr(categories, "__len__") or len(categories) != len(columns)
        ):
            raise ValueError(
                f'categories must be "auto" or a list with one entry for each of the {len(columns)} '
                f"columns of X; got {categories!r}."
            )
        else:
            declared = list(categories)
        is_by_type = isinstance(categorical_features, str) and categorical_features == "auto"
        if is_by_type:
            of_each = zip(table.given, columns, declared, strict=True)
            kinds = ["nominal" if values is not None else _first_kind(*each) for *each, values in of_each]
            is_nominal = np.array([kind != "number" for kind in kinds], bool)
            undecided = tuple(j for j, kind in enumerate(kinds) if kind == "")
        else:
            is_nominal, undecided = _nominal_mask(len(columns), table.names, categorical_features), ()
        found: list[np.ndarray | None] = []
        for j, column in enumerate(columns):
            if not is_nominal[j]:
                if declared[j] is not None:
                    raise ValueError(
                        f"categories[{j}] declares values for column {j}, which is numeric; declare the "
                        "column nominal with categorical_features, or put None there."
                    )
                found.append(None)
            elif declared[j] is not None:
                found.append(_sorted_values(_declared_values(declared[j], j), j))
            elif hasattr(column, "categories"):
                found.append(_sorted_values(np.asarray(column.categories), j))
            else:
                takes_values = with_values and j not in undecided
                found.append(_values_of(column, j) if takes_values else np.empty(0, object))
        is_open = (
            bool(is_nominal[j]) and declared[j] is None and not hasattr(column, "categories")
            for j, column in enumerate(columns)
        )
        n = len(undecided)
        schema = cls((*found, *[None] * n), (*is_open, *[False] * n), undecided, is_by_type)
        return schema.extended(table, schema.encode(table)) if with_values and n > 0 else schema

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached properties out, so that reading them does not change a pickled schema."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def extended(self, X: Any, examples: Examples) -> Schema:
        """The schema plus the new values in the open columns of `X`, encoded as `examples`."""
        if not any(self.is_open) or not (examples.codes < 0).any():
            return self
        columns, found, is_open = as_table(X).columns, list(self.categories), list(self.is_open)
        nominal = np.flatnonzero(self.is_categorical)
        added: dict[int, np.ndarray] = {}
        for a in np.flatnonzero((examples.codes < 0).any(axis=0)).tolist():
            j = nominal[a]
            known = self.categories[j]
            if self.is_open[j] and known is not None:
                if j in self.undecided and _kind_of(columns[j]) == "number":
                    is_open[j] = False  # decided: the column is numeric
                    continue
                new = _values_of(_taken(columns[j], examples.codes[:, a] < 0), j)
                if len(new) > 0:
                    found[j], added[a] = union_of(f"column {j} of X", known, new), new
        larger = replace(self, categories=tuple(found), is_open=tuple(is_open))
        self._hand_on(larger, added)
        return larger

    def _hand_on(self, larger: Schema, added: dict[int, np.ndarray]) -> None:
        """Derive cached properties of `larger`, which has the values `added` for some attributes too.

        So a new value costs as much as moving the codes of the others, and no value is read again.
        """
        self._share_columns(larger)
        nominal = [values for values in larger.categories if values is not None]
        starts, is_known = larger.starts.tolist(), np.ones(int(larger.sizes.sum()), bool)
        places = {a: starts[a] + np.searchsorted(nominal[a], values) for a, values in added.items()}
        for new in places.values():
            is_known[new] = False
        codes = np.flatnonzero(is_known)
        self.__dict__["_in_whole"] = larger, codes
        larger.__dict__["_codes"] = [
            known.extended(codes, added.get(a, nominal[a][:0]).tolist(), places.get(a, codes[:0]))
            if isinstance(known, _Numbered) and not _is_dense(values)
            else _codes_of(values, start)
            for a, (known, values, start) in enumerate(zip(self._codes, nominal, starts, strict=True))
        ]

    def _share_columns(self, other: Schema) -> None:
        """Hand the cached properties that depend on no values on to a schema of the same columns."""
        found = vars(self)
        other.__dict__.update({name: found[name] for name in _OF_COLUMNS if name in found})

    def has_unknown(self, X: Any, examples: Examples) -> bool:
        """Whether `X`, encoded as `examples`, holds a value that is neither missing nor known."""
        if not (examples.codes < 0).any():
            return False
        columns = as_table(X).columns
        nominal = np.flatnonzero(self.is_categorical)
        return any(
            ((examples.codes[:, a] < 0) & ~_is_missing_in(columns[j])).any()
            for a, j in enumerate(nominal.tolist())
            if j not in self.undecided
        )

    def restricted(self, is_known: np.ndarray) -> Schema:
        """The schema reduced to the values selected by `is_known`, a mask of shape (V,) over the codes."""
        if is_known.all():
            return self
        masks = iter(np.split(is_known, self.starts[1:]))
        found = tuple(None if values is None else values[next(masks)] for values in self.categories)
        part = replace(self, categories=found)
        self._share_columns(part)
        part.__dict__["_in_whole"] = self, np.flatnonzero(is_known)  # what the cached property would compute
        return part

    @cached_property
    def _in_whole(self) -> tuple[Schema, np.ndarray]:
        """A larger schema, by `extended`, or of which this is a part by `restricted`, and the codes in it.

        There is one for each value of this schema, (V,).
        """
        return self, np.arange(self.sizes.sum())

    @property
    def n_columns(self) -> int:
        """Number of columns of X."""
        return len(self.categories) - len(self.undecided)

    def _places(self, columns: np.ndarray) -> np.ndarray:
        """The places in `categories` of some columns of X, by index: one, or two for an undecided column."""
        second = [self.n_columns + self.undecided.index(j) for j in columns if j in self.undecided]
        return np.concatenate([columns, second]).astype(np.int64)

    def of_columns(self, columns: np.ndarray) -> Schema:
        """The schema of some of the columns of X, by index."""
        places = self._places(columns)
        return replace(
            self,
            categories=tuple(self.categories[j] for j in places),
            is_open=tuple(self.is_open[j] for j in places),
            undecided=tuple(i for i, j in enumerate(columns) if j in self.undecided),
        )

    def part_of(self, examples: Examples, columns: np.ndarray) -> Examples:
        """The examples with only some of their columns, encoded by the schema of these columns."""
        part, places = self.of_columns(columns), self._places(columns)
        attributes = self._number_of_place[places[part.is_categorical]]
        numeric = self._number_of_place[places[part._numeric_places]] - len(self.sizes)
        codes = examples.codes[:, attributes]
        shifts = part.starts - self.starts[attributes]
        codes = np.where(codes < 0, -1, codes + shifts).astype(np.int32, order="C")
        return Examples(codes, np.ascontiguousarray(examples.numbers[:, numeric]))

    def positions_in(self, larger: Schema) -> np.ndarray:
        """Code in `larger`, a superset, of each value of this schema, shape (V,)."""
        (whole, codes), (other, codes_of_larger) = self._in_whole, larger._in_whole
        if whole is larger:
            return codes
        if whole is other:  # parts of one schema, as while a chunk is learned: no values are compared
            place_of = np.empty(int(whole.sizes.sum()), np.int64)
            place_of[codes_of_larger] = np.arange(len(codes_of_larger))
            return place_of[codes]
        pairs = zip(self.categories, larger.categories, strict=True)
        found = [np.searchsorted(new, old) for old, new in pairs if old is not None and new is not None]
        places = [start + each for start, each in zip(larger.starts.tolist(), found, strict=True)]
        return np.concatenate([np.empty(0, np.int64), *places])

    @cached_property
    def is_categorical(self) -> np.ndarray:
        """Mask of the entries of `categories` that are nominal, shape (A + D,)."""
        return np.array([values is not None for values in self.categories], dtype=bool)

    @cached_property
    def values_of_columns(self) -> list[np.ndarray | None]:
        """For each column of X the values of a nominal one, or None if it is numeric or undecided."""
        of_columns = list(self.categories[: self.n_columns])
        for j in self.undecided:
            values = self.categories[j]
            of_columns[j] = values if values is not None and len(values) > 0 else None
        return of_columns

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of values of each nominal attribute, shape (A,)."""
        return np.array([len(v) for v in self.categories if v is not None], dtype=np.int64)

    @cached_property
    def starts(self) -> np.ndarray:
        """Code of the first value of each nominal attribute, shape (A,)."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def _column_of_place(self) -> np.ndarray:
        """Column of X of each entry of `categories`, (A + D,)."""
        return np.array([*range(self.n_columns), *self.undecided], np.int64)

    @cached_property
    def _numeric_places(self) -> np.ndarray:
        """The entries of `categories` of the numeric attributes, (D,), in the order of their columns."""
        places = np.flatnonzero(~self.is_categorical)
        return places[np.argsort(self._column_of_place[places])]

    @cached_property
    def _number_of_place(self) -> np.ndarray:
        """Number of the attribute of each entry of `categories`, (A + D,) int32: nominal ones come first."""
        found = np.empty(len(self.categories), np.int32)
        found[np.flatnonzero(self.is_categorical)] = np.arange(len(self.sizes))
        found[self._numeric_places] = np.arange(len(self.sizes), len(found))
        return found

    @cached_property
    def _places_in_order(self) -> tuple[list[int], list[int]]:
        """For the entries of `categories` their columns and the numbers of their attributes."""
        return self._column_of_place.tolist(), self._number_of_place.tolist()

    @cached_property
    def attributes(self) -> np.ndarray:
        """Number of each attribute in the order of the columns, (A + D,) int32: nominal ones come first."""
        return self._number_of_place[np.argsort(self._column_of_place, kind="stable")]

    @cached_property
    def columns(self) -> np.ndarray:
        """Column of X of each attribute, (A + D,): of the nominal ones, then of the numeric ones."""
        found = np.empty(len(self.categories), np.int64)
        found[self._number_of_place] = self._column_of_place
        return found

    @cached_property
    def _codes(self) -> list:
        """For each nominal attribute its value-to-code map: an array if values are dense integers."""
        nominal = [values for values in self.categories if values is not None]
        return [_codes_of(values, start) for values, start in zip(nominal, self.starts.tolist(), strict=True)]

    @cached_property
    def _tables(self) -> tuple[np.ndarray, ...] | None:
        """Lookup tables of all columns: (lowest values, starts, codes); None if a column has no such table.

        Column j has the codes ``codes[starts[j]:starts[j + 1]]``, from its lowest value on.
        """
        tables = self._codes
        if len(tables) < len(self.categories) or not all(isinstance(table, np.ndarray) for table in tables):
            return None
        lowest = np.array([values[0] for values in self.categories if values is not None])
        starts = np.cumsum([0, *map(len, tables)])
        return lowest, starts, np.concatenate(tables)

    def encode(self, X: Any) -> Examples:
        """Encode `X`; a value that is missing or not in the schema gets code −1."""
        if self._tables is not None and type(X) is np.ndarray and X.dtype == np.int64:
            codes = np.empty(X.shape, np.int32)
            _look_up_all(X, *self._tables, codes)
            return Examples(codes, np.empty((len(X), 0)))
        if len(self.sizes) == 0 and is_plain(X) and not (self.is_by_type and X.dtype.kind == "b"):
            examples = Examples(np.empty((len(X), 0), np.int32), np.array(X, np.float64, order="C"))
            self._check_finite(examples.numbers)
            return examples
        table = as_table(X)
        if table.shape[0] == 1 and (row := self._encode_single(table)) is not None:
            return row
        columns = table.columns
        codes = np.empty((len(columns[0]), len(self.sizes)), np.int32)
        numbers = np.empty((len(columns[0]), len(self.categories) - len(self.sizes)))
        kinds = self._checked_kinds(columns) if self.is_by_type else [""] * len(columns)
        n_nominal, places = len(self.sizes), zip(self.categories, *self._places_in_order, strict=True)
        for values, j, number in places:
            column, kind = columns[j], kinds[j]
            if values is None:
                numbers[:, number - n_nominal] = np.nan if kind == "nominal" else _as_float(column, j)
            elif kind == "number" and (self.is_open[j] or j in self.undecided):
                codes[:, number] = -1
            else:
                _encode_column(column, values, self._codes[number], codes[:, number], j)
        self._check_finite(numbers)
        return Examples(codes, numbers)

    def _checked_kinds(self, columns: list[Any]) -> list[str]:
        """The kind of each column by its values; refuses one that is not the kind of the values before."""
        kinds = [_kind_of(column) for column in columns]
        for j, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            values = self.categories[j]
            if values is None or (j in self.undecided and not self.is_open[j]):
                known, held = "number", "numbers"
            elif self.is_open[j] and len(values) > 0:
                known, held = "nominal", f"{values[:1].tolist()[0]!r}"
            else:
                continue
            if kind not in ("", known):
                raise _other_kind(column, j, held)
        return kinds

    @cached_property
    def _by_value(self) -> list[tuple[type, Callable, Callable, int] | None]:
        """For each column the type of its values, the number of each, the code of a number, and their count.

        None for a numeric column.
        """
        maps, starts = iter(self._codes), iter(self.starts.tolist())
        found: list[tuple[type, Callable, Callable, int] | None] = []
        for values in self.categories:
            if values is None:
                found.append(None)
                continue
            codes, start = next(maps), next(starts)
            kind = type(values[:1].tolist()[0]) if len(values) > 0 else type(None)
            numbered = codes if isinstance(codes, _Numbered) else _numbered(values, start)
            found.append((kind, numbered.numbers.get, numbered.codes.item, len(values)))
        return found

    def encode_row(self, values: Sequence) -> Examples | None:
        """Encode one example of Python's or numpy's values, in microseconds.

        Gives None if a value is of an unusual type, or is not known: `encode` then tells what it is.
        """
        if self.undecided or len(values) != len(self.categories):
            return None
        codes, numbers = [], []
        for value, known in zip(values, self._by_value, strict=True):
            if isinstance(value, np.generic):
                value = value.item()
            if known is None:
                if value is not None and (type(value) not in (float, int) or abs(value) > _LARGEST):
                    return None
                numbers.append(np.nan if value is None else value)
            else:
                kind, number_of, code_of, n_values = known
                number = number_of(value, n_values) if type(value) is kind else n_values
                if number >= n_values:
                    return None
                codes.append(code_of(number))
        return Examples(np.array([codes], np.int32), np.array([numbers], np.float64))

    def _encode_single(self, table: Table) -> Examples | None:
        """Encode a table of one row without reading its columns as arrays; None as in `encode_row`."""
        of_each = zip(table.given, self.categories, strict=False)
        if any(values is None and hasattr(column, "categories") for column, values in of_each):
            return None
        return self.encode_row([column[0] for column in table.given])

    def _check_finite(self, numbers: np.ndarray) -> None:
        """Refuse infinite numbers."""
        if np.isinf(numbers).any():
            n, d = np.argwhere(np.isinf(numbers))[0]
            j = self.columns[len(self.sizes) + d]
            raise ValueError(
                f"Input X contains infinity in row {n} of numeric column {j}; a finite number, or NaN for a "
                "missing one, is expected. Replace it or drop the row."
            )

    def check_magnitude(self, examples: Examples, limit: float) -> None:
        """Refuse a number above `limit` in magnitude."""
        if limit == np.inf or not examples.numbers.size:
            return
        if (np.abs(examples.numbers) > limit).any():
            n, d = np.argwhere(np.abs(examples.numbers) > limit)[0]
            j = self.columns[len(self.sizes) + d]
            raise ValueError(
                f"Input X holds {examples.numbers[n, d]} in row {n} of numeric column {j}; the base model "
                f"can learn numbers up to {limit:g} in magnitude. Scale the column."
            )


def is_plain(X) -> bool:
    """Whether `X` is a non-empty two-dimensional array of numbers, which needs no further check.

    It takes a microsecond, which matters when a stream arrives row by row.
    """
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype.kind in "iubf"


def check_X(X):
    """`X`, validated: an array of numbers as it is, anything else as a `Table`."""
    if hasattr(X, "dtypes") and hasattr(X, "iloc"):
        if X.ndim != 2:
            check_array(X, dtype=None, ensure_all_finite=False)
        if 0 in X.shape:
            check_array(np.empty(X.shape))
        if not X.columns.is_unique:
            twice = X.columns[X.columns.duplicated()][0]
            raise ValueError(f"X has two columns named {twice!r}; give each column a name of its own.")
        return Table(X)
    if is_plain(X):
        return X
    if hasattr(X, "dtype") and not np.ma.is_masked(X):  # an array, or a sparse matrix
        return as_table(check_array(X, dtype=None, ensure_all_finite=False))
    given = as_array("X", X)
    if given.dtype == object and given.ndim == 2 and given.size > 0:
        return Table(given)  # as an array of strings, missing values would become strings
    return as_table(check_array(X, dtype=None, ensure_all_finite=False))


class Table:
    """The columns of a two-dimensional array or a DataFrame, each read once, however often it is encoded.

    Parameters
    ----------
    X : ndarray or DataFrame of shape (n_samples, n_features)

    Attributes
    ----------
    given : list
        The columns as they are, of any type.
    names : list or None
        Their names, if they have any.
    shape : tuple
    """

    def __init__(self, X: Any):
        self.shape = X.shape
        self.names = list(X.columns) if hasattr(X, "columns") else None
        self.given = list(X.T) if isinstance(X, np.ndarray) else [column.array for _, column in X.items()]

    @cached_property
    def columns(self) -> list[Any]:
        """The columns as arrays of integers, floats or bools, as `Factored` or as Categoricals."""
        return [_column(column, j) for j, column in enumerate(self.given)]


def as_table(X: Any) -> Table:
    """The columns of a validated array, DataFrame or `Table`."""
    return X if isinstance(X, Table) else Table(X)


@dataclass(frozen=True)
class Factored:
    """A column as numbers of its distinct values, by the hashing of pandas, which means the same by equal."""

    codes: np.ndarray  # (N,): −1 for a missing value
    values: np.ndarray  # objects of one kind: strings, booleans or integers; some may be unused
    kind: str  # what `_kind_of` says of them

    def __len__(self) -> int:
        return len(self.codes)

    def tolist(self) -> list:
        """The values, None for a missing one."""
        return np.append(self.values, [None])[self.codes].tolist()


def _factored(column: Any, kind: str) -> Factored:
    codes, values = pd.factorize(column)
    return Factored(codes, np.asarray(values, dtype=object), kind if len(values) > 0 else "")


def _factored_strings(column: np.ndarray) -> Factored:
    """A column of strings of fixed width, ten times as fast as by making an object of each.

    As many characters as fit make an integer, and equal integers get a number that goes into the next one.
    """
    n, width = len(column), column.dtype.itemsize // 4
    characters = np.ascontiguousarray(column).view(np.uint32).reshape(n, width).astype(np.int64)
    n_bits = max(1, int(characters.max(initial=0)).bit_length())
    together = max(1, (62 - n.bit_length()) // n_bits)
    codes = np.zeros(n, np.int64)
    for first in range(0, width, together):
        for one in characters[:, first : first + together].T:
            codes = codes << n_bits | one
        codes, _ = pd.factorize(codes)
    rows = np.empty(codes.max(initial=-1) + 1, np.int64)
    rows[codes[::-1]] = np.arange(n)[::-1]  # the first row of each
    return Factored(codes, column[rows].astype(object), "nominal")


def _column(column, j):
    kind = getattr(column.dtype, "kind", "O")
    if hasattr(column, "categories"):
        return column
    if isinstance(column, np.ndarray) and kind == "U":
        return _factored_strings(column)
    if kind in "iub" and not _has_missing(column):
        return np.asarray(column)
    if kind == "f":
        return np.asarray(column, dtype=np.float64)
    is_array = isinstance(column, np.ndarray | pd.arrays.NumpyExtensionArray)  # any other has one type
    column = np.asarray(column, dtype=object) if is_array else _factored(column, "")
    found = infer_dtype(column if is_array else column.values, skipna=True)
    if found in ("integer", "floating") and is_array:
        with suppress(TypeError, ValueError, OverflowError):  # an integer is missing, or too large
            return column.astype(np.int64 if found == "integer" else np.float64)
    if found not in ("string", "boolean", "integer", "empty"):
        return _mixed_column(column if is_array else np.array([*column.tolist(), None], object)[:-1], j)
    column = _factored(column, "") if is_array else column
    return replace(column, kind={"integer": "number", "empty": ""}.get(found, "nominal"))


def _mixed_column(column: np.ndarray, j):
    """A column of objects of which pandas does not say that they are of one kind."""
    missing = np.array([is_missing(value) for value in column], bool)
    present = column[~missing]
    kinds = set(map(type, present))
    for of_one_kind in (str, bool | np.bool_, Integral):
        if all(issubclass(k, of_one_kind) for k in kinds):
            kind = "number" if of_one_kind is Integral else "nominal"
            return _factored(_with_missing(present, missing), kind)
    if all(issubclass(k, Real | np.bool_) for k in kinds):
        return _with_missing(_as_float(present, j), missing).astype(np.float64)
    for n, value in enumerate(column):
        if not missing[n] and not isinstance(value, str | Real | np.bool_):
            raise TypeError(
                f"column {j} of X holds {value!r} in row {n}: each argument must be a string or a number. "
                "Convert the column, for example to strings."
            )
    rows = np.flatnonzero(~missing)
    other = first_of_another_kind(present)
    raise TypeError(
        f"column {j} of X holds {present[0]!r} in row {rows[0]} and {present[other]!r} in row "
        f"{rows[other]}: each argument must be a string or a number, and a column must not mix the two. "
        "Convert it to strings."
    )


def _with_missing(present: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """The present values in a column of objects, None where `missing` is set."""
    column = np.full(len(missing), None, dtype=object)
    column[~missing] = present
    return column


def _is_missing_in(column) -> np.ndarray:
    """Mask of the missing values in a column that `_column` returned."""
    if hasattr(column, "codes"):
        return np.asarray(column.codes) < 0
    return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)


def _as_int64(integers: np.ndarray, name: str) -> np.ndarray:
    """Integers as int64; refuses integers out of range."""
    if integers.dtype.kind not in "Ou" or integers.dtype.itemsize < 8 or len(integers) == 0:
        return integers.astype(np.int64, copy=False)
    limits = np.iinfo(np.int64)
    for value in (integers.min(), integers.max()):
        if not limits.min <= int(value) <= limits.max:
            raise ValueError(
                f"{name} holds {value}; integers must be at least -2**63 and below 2**63. Use strings as "
                "categories."
            )
    return integers.astype(np.int64)


def _has_missing(column) -> bool:
    return bool(column.isna().any()) if hasattr(column, "isna") else False


def _first_kind(given, column) -> str:
    """What the type of a column as it is given, or of its first value, says: "" if that is missing.

    In a frame that is so for floats too: pandas reads a column of strings that is empty as NaN.
    """
    if isinstance(given.dtype, pd.CategoricalDtype | pd.StringDtype):
        return "nominal"
    if isinstance(given, np.ndarray) and given.dtype.kind == "f":
        return "number"
    return "" if is_missing(given[0]) else _kind_of(column)


def _kind_of(column) -> str:
    """What the type of its values says of a column: "number", "nominal", or "" if all are missing.

    A column of NaN alone tells nothing: so does pandas read a column of strings that is empty.
    """
    if isinstance(column, Factored):
        return column.kind
    if hasattr(column, "categories"):
        return "nominal"
    if column.dtype.kind == "f":
        return "" if np.isnan(column).all() else "number"
    return "number" if column.dtype.kind in "iu" else "nominal"


def _other_kind(column, j: int, held: str) -> ValueError:
    """The error for values of the kind that a column is not."""
    n = int(np.argmin(_is_missing_in(column)))  # the first value that is not missing
    value = column.tolist()[n]
    return ValueError(
        f"column {j} of X holds {value!r} in row {n} and held {held} before: a column is numeric or nominal, "
        "and by its type a column of numbers is numeric, one of strings, booleans or categories nominal. Say "
        "which columns are nominal with categorical_features, or convert the column."
    )


def _nominal_mask(n: int, names, categorical_features) -> np.ndarray:
    mask = np.zeros(n, dtype=bool)
    if categorical_features is None:
        return mask
    kind, chosen = _chosen(categorical_features)
    if kind is bool:
        if len(chosen) != n:
            raise ValueError(f"categorical_features is a mask of shape ({len(chosen)},); X has {n} columns.")
        return np.array(chosen)
    if kind is str:
        unknown = [name for name in chosen if names is None or name not in names]
        if unknown:
            raise ValueError(
                f"categorical_features names {unknown!r}, which X does not have; "
                + ("its columns have no names." if names is None else f"its names: {names!r}.")
            )
        chosen = [names.index(name) for name in chosen]
    if not all(0 <= j < n for j in chosen):
        raise ValueError(
            f"categorical_features must hold indices from 0 to {n - 1}; got {categorical_features!r}."
        )
    mask[chosen] = True
    return mask


def _chosen(given) -> tuple[type | None, list]:
    """The kind of `categorical_features` (bool for a mask, str for names, int for indices) and its items."""
    is_list = isinstance(given, list | tuple | range | set | frozenset) or getattr(given, "ndim", 0) == 1
    chosen = list(given) if is_list else []
    kinds = {_kind(choice) for choice in chosen}
    if is_list and len(kinds) <= 1 and None not in kinds:
        return kinds.pop() if kinds else int, chosen
    raise ValueError(
        'categorical_features must be "auto", None, a boolean mask, column indices or column names, all of '
        f"one kind; got {given!r}."
    )


def _kind(choice) -> type | None:
    if isinstance(choice, bool | np.bool_):
        return bool
    return str if isinstance(choice, str) else int if isinstance(choice, Integral) else None


def _declared_values(declared, j) -> np.ndarray:
    """Validated values that `categories` declares for nominal column `j`."""
    name = f"categories[{j}]"
    values = as_array(name, declared)
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(f"{name} must be a list of at least one value, or None; got {declared!r}.")
    for n, value in enumerate(values.tolist() if values.dtype.kind in "OfmM" else ()):
        if is_missing(value):
            raise ValueError(
                f"{name}[{n}] is {value!r}: a missing value is not a category; leave it out, or declare a "
                "category for it, such as '?'."
            )
    other = first_of_another_kind(values)
    if other is not None:
        raise ValueError(
            f"{name}[0] is {values[0]!r} and {name}[{other}] is {values[other]!r}; a column must not mix "
            "strings with others. Use one type, such as str."
        )
    return values


def _values_of(column, j) -> np.ndarray:
    """Sorted distinct values of a nominal column."""
    _refuse_infinite(column, j)
    column = _with_exact_integers(column, j)
    if isinstance(column, Factored):
        is_used = np.bincount(column.codes[column.codes >= 0], minlength=len(column.values)) > 0
        return _sorted_values(column.values[is_used], j)
    is_dense = column.dtype.kind == "i" and len(column) > 0 and _span(column) < _DENSE
    if is_dense:  # several times faster than sorting
        return np.flatnonzero(np.bincount(column - column.min())) + column.min()
    return _sorted_values(column[~_is_missing_in(column)], j)


def _with_exact_integers(column, j):
    """A nominal column, whose integers are int64 if none is missing; refuses integers out of range."""
    if isinstance(column, Factored):
        if column.kind == "number":
            _as_int64(column.values, f"column {j} of X")
    elif column.dtype.kind in "iu":
        return _as_int64(column, f"column {j} of X")
    return column


def _taken(column, rows: np.ndarray) -> Any:
    """The values in the given rows of a column."""
    if isinstance(column, Factored):
        return replace(column, codes=column.codes[rows])
    if hasattr(column, "categories"):
        values = np.array([*column.categories.tolist(), None], dtype=object)
        return _column(values[np.asarray(column.codes)[rows]], None)
    return column[rows]


def _span(integers: np.ndarray) -> int:
    return int(integers.max()) - int(integers.min())


def _sorted_values(values: np.ndarray, j: int) -> np.ndarray:
    if len(values) == 0:
        return np.empty(0, object)
    if values.dtype == object and isinstance(values[0], Integral | np.bool_):
        values = np.array(values.tolist())
    if values.dtype == bool:
        return np.unique(values)
    if values.dtype.kind in "iu" or (values.dtype == object and isinstance(values[0], Integral)):
        values = _as_int64(values, f"the list of values of column {j}")
    elif values.dtype.kind == "f":
        values = values.astype(np.float64)
        if np.isnan(values).any():
            raise ValueError(f"the values of nominal column {j} include NaN; leave it out.")
    else:
        values = np.array(values, dtype=object)
    try:
        return np.unique(values)
    except TypeError:
        raise ValueError(
            f"the values of nominal column {j} cannot be sorted: {values!r}; use one type, such as str."
        ) from None


def _refuse_infinite(column, j) -> None:
    """Refuse infinite values in a nominal column of numbers."""
    if getattr(column, "dtype", None) == np.float64 and np.isinf(column).any():
        n = int(np.flatnonzero(np.isinf(column))[0])
        raise ValueError(
            f"Input X contains infinity (inf) in row {n} of nominal column {j}, which is not a category. "
            "Replace it by another category, such as '?'."
        )


class _Numbered(NamedTuple):
    """The codes of the values of an attribute, numbered as they were met.

    A new value leaves these numbers as they are, and ever larger schemas share one dict of them: each knows
    as many values as it has codes.
    """

    numbers: dict[Any, int]
    codes: np.ndarray  # (n + 1,) int32: of each number; the last is −1, for a value that is not known

    def codes_of(self, values: list) -> np.ndarray:
        """Code of each value; −1 where it is not known."""
        found = np.fromiter((self.numbers.get(value, -1) for value in values), np.int64, len(values))
        return self.codes[np.minimum(found, len(self.codes) - 1)]

    def extended(self, positions: np.ndarray, values: list, codes: np.ndarray) -> _Numbered:
        """The same values, whose codes have moved to `positions`, and new ones with these codes."""
        numbers, n = self.numbers, len(self.codes) - 1
        with _numbering:
            if len(numbers) > n:  # another schema has added other values
                numbers = {value: number for value, number in numbers.items() if number < n}
            numbers.update(zip(values, range(n, n + len(values)), strict=True))
        moved = np.concatenate([positions[self.codes[:n]], codes, [-1]])
        return _Numbered(numbers, moved.astype(np.int32))


def _numbered(values: np.ndarray, start: int) -> _Numbered:
    """Codes from `start` on for sorted values."""
    listed = values.tolist()
    codes = np.append(np.arange(start, start + len(listed)), -1).astype(np.int32)
    return _Numbered(dict(zip(listed, range(len(listed)), strict=True)), codes)


def _is_dense(values: np.ndarray) -> bool:
    """Whether sorted values are integers that are encoded by a lookup table."""
    return values.dtype.kind == "i" and len(values) > 0 and _span(values[[0, -1]]) < _DENSE


def _codes_of(values: np.ndarray, start: int) -> np.ndarray | _Numbered:
    if not _is_dense(values):
        return _numbered(values, start)
    table = np.full(_span(values[[0, -1]]) + 1, -1, np.int32)
    table[values - values[0]] = start + np.arange(len(values))
    return table


def _encode_column(column, values, code_of, codes, j) -> None:
    """Write the code of each value of a nominal column into `codes`."""
    dense = isinstance(code_of, np.ndarray)
    column = _with_exact_integers(column, j)
    kind = column.dtype.kind if isinstance(column, np.ndarray) else ""
    if dense and kind == "i":
        _look_up(column, values[0], code_of, codes)
        return
    _refuse_infinite(column, j)
    if len(values) == 0:
        codes[:] = -1
        return
    if dense and kind == "f" and abs(values).max() < EXACT_BELOW:
        _look_up_floats(column, float(values[0]), code_of, codes)
        return
    if dense:
        code_of = _numbered(values, code_of[0])
    if hasattr(column, "categories"):
        column = Factored(column.codes, column.categories, "nominal")
    elif kind:
        column = _factored(column, "")
    of_each = code_of.codes_of(column.values.tolist())
    codes[:] = np.append(of_each, np.int32(-1))[column.codes]  # the last one is for missing values


@kernel
def _look_up_all(X, lowest, starts, table, codes):
    """Encode `X`, int64 of shape (N, A), into `codes`, int32 of shape (N, A); see `Schema._tables`."""
    for n in range(X.shape[0]):
        for j in range(X.shape[1]):
            place = X[n, j] - lowest[j]
            size = starts[j + 1] - starts[j]
            codes[n, j] = table[starts[j] + place] if 0 <= place < size else -1


@kernel
def _look_up(column, lowest, table, codes):
    """Encode `column`, int64 of shape (N,), into `codes`, int32 of shape (N,)."""
    for n in range(len(column)):
        place = column[n] - lowest
        codes[n] = table[place] if 0 <= place < len(table) else -1


@kernel
def _look_up_floats(column, lowest, table, codes):
    """Encode `column`, float64 of shape (N,), into `codes`, int32 of shape (N,)."""
    for n in range(len(column)):
        place = column[n] - lowest
        is_whole = 0.0 <= place < len(table) and place == np.floor(place)
        codes[n] = table[np.int64(place)] if is_whole else -1


def _as_float(column, j) -> np.ndarray:
    try:
        if isinstance(column, Factored):
            return np.append(np.asarray(column.values, dtype=np.float64), np.nan)[column.codes]
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        column = column.tolist()
        n = next(n for n, value in enumerate(column) if not _is_float(value))
        raise ValueError(
            f"column {j} of X is numeric but holds {str(column[n])!r:.60} in row {n}, which is not a finite "
            "number; declare the column in categorical_features or convert it."
        ) from None


def _is_float(value) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
