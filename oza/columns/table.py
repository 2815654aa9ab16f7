"""X as a table of columns, each read once into an array of numbers or into codes of its distinct values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype
from sklearn.utils.validation import check_array

from .validation import as_array, first_of_another_kind


def is_plain(X) -> bool:
    """Whether `X` is a non-empty two-dimensional array of numbers, which needs no further check.

    It takes a microsecond, which matters when a stream arrives row by row.
    """
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype.kind in "iubf"


def as_rows(X: Any, names: Any = None) -> Any:
    """`X` as an array, sparse matrix or DataFrame, in which every value keeps its type.

    Dicts are read by the keys `names`, if they are given, of which those that are left out are missing.
    """
    for compute in ("collect", "compute") if hasattr(X, "columns") else ():
        if hasattr(type(X), compute):  # not a column of that name
            kind = f"{type(X).__module__}.{type(X).__qualname__}"
            raise TypeError(f"X is a {kind}, which is not computed yet; pass X.{compute}().")
    if hasattr(X, "iloc") or hasattr(X, "tocsr"):
        return _with_names(X) if hasattr(X, "columns") else X
    if isinstance(X, list | tuple) and len(X) > 0 and _has_names(X[0]):
        for n, row in enumerate(X):
            if not _has_names(row):
                raise TypeError(
                    f"X holds {row!r:.60} in row {n}, after rows by name; pass dicts or lists only."
                )
        return _frame_of_dicts([dict(row) for row in X], names)
    if isinstance(X, np.ndarray) or not hasattr(X, "columns"):
        X = as_array("X", X)
        return X if X.dtype.names is None else pd.DataFrame(X)
    names = getattr(X, "column_names", X.columns)  # of pyarrow, or of polars: as arrays they have one type
    columns = X.columns if hasattr(X, "column_names") else [X[name] for name in names]  # by place, if twice
    return pd.DataFrame(dict(enumerate(map(_exact, columns)))).set_axis(names, axis=1)


def _exact(column: Any) -> Any:
    """A column of pyarrow or polars as an array; of integers and texts, missing ones are None."""
    n_missing = getattr(column, "null_count", 0)
    is_float = str(getattr(column, "type", None) or column.dtype).lower().startswith(("float", "double"))
    if is_float or not (n_missing() if callable(n_missing) else n_missing):
        return column.to_numpy()
    return pd.Series(column.to_pylist() if hasattr(column, "to_pylist") else column.to_list(), dtype=object)


def joined_rows(pieces: list[Any]) -> Any:
    """The rows of arrays, or of frames with the same columns; every value and every column keeps its type."""
    first = pieces[0]
    if not hasattr(first, "columns"):
        if other := [piece.shape for piece in pieces if piece.shape[1:] != first.shape[1:]]:
            raise ValueError(f"X has the shape {other[0]} and had {first.shape} before, with other columns.")
        kinds = {"number" if piece.dtype.kind in "iuf" else piece.dtype.kind for piece in pieces}
        return np.concatenate(pieces if len(kinds) == 1 else [piece.astype(object) for piece in pieces])
    for piece in pieces[1:]:
        if {*piece.columns} != {*first.columns}:
            raise ValueError(
                f"X has the columns {[*piece.columns]!r} and had {[*first.columns]!r} before; they must be "
                "the same in every piece."
            )
    whole = pd.concat(pieces)
    for name in whole:
        listed = [piece[name].cat.categories for piece in pieces if is_categories(piece[name])]
        if listed:  # of different lists pandas makes a column of plain values
            values = pd.Index(whole[name].dropna().unique()).append(listed).unique()
            whole[name] = whole[name].astype(pd.CategoricalDtype(values))
    return whole


def _with_names(X: Any) -> Any:
    """A frame whose columns have strings as names, by which they are matched; or none but their numbers."""
    names, numbers = list(X.columns), range(X.shape[1])
    if names == [*numbers] or any(isinstance(name, str) for name in names):  # scikit-learn refuses a mixture
        return X
    if {*names} == {*numbers}:
        raise ValueError(
            f"the columns of X are numbered {names!r}, out of order: sort them with X.sort_index(axis=1), or "
            "give them names."
        )
    return X.set_axis([str(name) for name in names], axis=1)


def _has_names(row: Any) -> bool:
    return isinstance(row, Mapping) or (isinstance(row, pd.Series) and [*row.index] != [*range(len(row))])


def _frame_of_dicts(rows: list[dict], names: Any) -> pd.DataFrame:
    """Rows of values by the names of columns as a frame, with None for a value that is left out."""
    known = list(dict.fromkeys(name for row in rows for name in row) if names is None else names)
    if others := [name for row in rows for name in row if not isinstance(name, str)]:
        raise ValueError(
            f"x has the key {others[0]!r}, and the names of columns are strings: pass a list of values "
            "in the order of the columns, or {str(key): value for key, value in x.items()}."
        )
    columns = {name: [row.get(name) for row in rows] for name in known}
    unknown = [name for row in rows for name in row if name not in columns]
    if unknown:
        raise ValueError(
            f"x holds {unknown[0]!r}, which is not the name of a column; the columns are {known!r}."
        )
    return pd.DataFrame(columns)


def check_X(X):
    """`X`, an array, sparse matrix or DataFrame, validated: numbers as they are, others as a `Table`."""
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
    def columns(self) -> list[np.ndarray | Factored]:
        """The columns as arrays of integers, floats or booleans, or as `Factored`."""
        return [_column(column, j) for j, column in enumerate(self.given)]

    def values_at(self, j: int, rows: np.ndarray | slice) -> np.ndarray | Factored:
        """The values in column j in some rows, by mask or slice; of categories, each that occurs once."""
        column = self.columns[j]
        if isinstance(column, Factored) and is_categories(self.given[j]):
            return _column(np.append(column.values, [None])[np.unique(column.codes[rows])], j)
        return replace(column, codes=column.codes[rows]) if isinstance(column, Factored) else column[rows]


def as_table(X: Any) -> Table:
    """The columns of a validated array, DataFrame or `Table`."""
    return X if isinstance(X, Table) else Table(X)


def is_categories(column: Any) -> bool:
    """Whether a column, as it is given, is of pandas' categorical type, which lists its values."""
    return isinstance(column.dtype, pd.CategoricalDtype)


@dataclass(frozen=True)
class Factored:
    """A column as numbers of its distinct values, which mean the same if they are equal."""

    codes: np.ndarray  # (N,): −1 for a missing value
    values: np.ndarray  # objects of one kind, such as strings, booleans or integers; some may be unused
    kind: str  # "nominal" or "number", as `kind_of` says; "" if all values are missing

    def __len__(self) -> int:
        return len(self.codes)

    def tolist(self) -> list:
        """The values, None for a missing one."""
        return np.append(self.values, [None])[self.codes].tolist()


def factored(column: Any, kind: str = "nominal") -> Factored:
    """A column of values of one kind, factored by pandas."""
    codes, values = pd.factorize(column)
    return Factored(codes, np.asarray(values, dtype=object), kind if len(values) > 0 else "")


def _factored_strings(column: np.ndarray) -> Factored:
    """A column of strings of fixed width, up to five times as fast as by making an object of each.

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


def _column(column: Any, j: int) -> np.ndarray | Factored:
    """Read column j, of any type."""
    kind = getattr(column.dtype, "kind", "O")
    is_array = isinstance(column, np.ndarray | pd.arrays.NumpyExtensionArray)  # any other has one type
    if is_categories(column):
        return Factored(column.codes, np.asarray(column.categories, dtype=object), "nominal")
    if isinstance(column, np.ndarray) and kind == "U":
        return _factored_strings(column)
    if kind in "iub" and (is_array or not column.isna().any()):
        return np.asarray(column)
    if kind == "f":
        return np.asarray(column, dtype=np.float64)
    column = np.asarray(column, dtype=object) if is_array else factored(column)
    found = infer_dtype(column if is_array else column.values, skipna=True)
    if found in ("integer", "floating") and is_array:
        with suppress(TypeError, ValueError, OverflowError):  # an integer is missing, or too large
            return column.astype(np.int64 if found == "integer" else np.float64)
    if found not in ("string", "boolean", "integer", "empty"):
        return _mixed_column(column if is_array else np.array([*column.tolist(), None], dtype=object)[:-1], j)
    kind = {"integer": "number", "empty": ""}.get(found, "nominal")
    return factored(column, kind) if is_array else replace(column, kind=kind)


def _mixed_column(column: np.ndarray, j: int) -> np.ndarray | Factored:
    """A column of objects of which pandas does not say that they are of one kind."""
    missing = pd.isna(column)
    present, rows = column[~missing], np.flatnonzero(~missing)
    column = np.where(missing, np.array(None), column)
    kinds = set(map(type, present))
    for of_one_kind, kind in ((str, "nominal"), (bool | np.bool_, "nominal"), (Integral, "number")):
        if all(issubclass(each, of_one_kind) for each in kinds):
            return factored(column, kind)
    if all(issubclass(each, Real | np.bool_ | Decimal) for each in kinds):
        return as_float(column, j)
    for n, value in zip(rows, present, strict=True):
        if not isinstance(value, str | Real | np.bool_ | Decimal):
            is_time = isinstance(value, date | timedelta | np.datetime64 | np.timedelta64)
            raise TypeError(
                f"column {j} of X holds {value!r} in row {n}: each argument must be a string or a number. "
                "Convert the column, for example to "
                + ("numbers, such as the days since a fixed date." if is_time else "strings.")
            )
    other = first_of_another_kind(present)
    raise TypeError(
        f"column {j} of X holds {present[0]!r} in row {rows[0]} and {present[other]!r} in row "
        f"{rows[other]}: each argument must be a string or a number, and a column must not mix the two. "
        "Convert it to strings."
    )


def is_missing_in(column: np.ndarray | Factored) -> np.ndarray:
    """Mask of the missing values in a column."""
    return column.codes < 0 if isinstance(column, Factored) else pd.isna(column)


def as_float(column: np.ndarray | Factored, j: int) -> np.ndarray:
    """Column j as numbers; refuses a value that is none."""
    try:
        if isinstance(column, Factored):
            return np.append(np.asarray(column.values, dtype=np.float64), np.nan)[column.codes]
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = column.tolist()
        n = next((n for n, value in enumerate(values) if not _is_float(value)), None)
        if n is None:  # only a category that does not occur is no number
            return np.array(values, dtype=np.float64)
        raise ValueError(
            f"column {j} of X is numeric but holds {str(values[n])!r:.60} in row {n}, which is not a finite "
            "number; declare the column in categorical_features or convert it."
        ) from None


def _is_float(value: Any) -> bool:
    try:
        float(np.nan if value is None else value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
