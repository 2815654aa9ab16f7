"""Which columns are nominal, and the sorted values of a nominal one: as declared, or as in the column."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from .table import Factored, Table, is_categories, is_missing_in
from .validation import as_array, first_of_another_kind, is_missing

#: Integers that span a smaller range are counted and encoded by tables.
DENSE = 2**16


def kinds_of(table: Table, declared: list[Any], categorical_features: Any) -> list[str]:
    """The kind of each column, "number" or "nominal"; "" if its first value, which decides, is missing."""
    if not is_auto(categorical_features):
        mask = _nominal_mask(len(declared), table.names, categorical_features)
        return np.where(mask, "nominal", "number").tolist()
    of_each = zip(table.given, table.columns, declared, strict=True)
    return ["nominal" if values is not None else _first_kind(*each) for *each, values in of_each]


def is_auto(declaration: Any) -> bool:
    """Whether a parameter leaves it to the types of the values which columns are nominal."""
    return isinstance(declaration, str) and declaration == "auto"


def _first_kind(given: Any, column: np.ndarray | Factored) -> str:
    """What the type of a column as it is given, or of its first value, says: "" if that is missing.

    In a frame that is so for floats too: pandas reads a column of strings that is empty as NaN.
    """
    if isinstance(given.dtype, pd.CategoricalDtype | pd.StringDtype):
        return "nominal"
    if isinstance(given, np.ndarray) and given.dtype.kind == "f":
        return "number"
    return "" if is_missing(given[0]) else kind_of(column)


def kind_of(column: np.ndarray | Factored) -> str:
    """What the type of its values says of a column: "number", "nominal", or "" if all are missing.

    A column of NaN alone tells nothing: so does pandas read a column of strings that is empty.
    """
    if isinstance(column, Factored):
        return column.kind
    if column.dtype.kind == "f":
        return "" if np.isnan(column).all() else "number"
    return "nominal" if column.dtype.kind == "b" else "number"


def other_kind(column: np.ndarray | Factored, j: int, held: str) -> ValueError:
    """The error for values of the kind that a column is not."""
    n = int(np.argmin(is_missing_in(column)))  # the first value that is not missing
    value = column.tolist()[n]
    return ValueError(
        f"column {j} of X holds {value!r} in row {n} and held {held} before: a column is numeric or nominal, "
        "and by its type a column of numbers is numeric, one of strings, booleans or categories nominal. Say "
        "which columns are nominal with categorical_features, or convert the column."
    )


def _nominal_mask(n: int, names: Any, given: Any) -> np.ndarray:
    """The columns that `categorical_features` says are nominal: by a mask, indices or names."""
    mask = np.zeros(n, dtype=bool)
    if given is None:
        return mask
    is_list = isinstance(given, list | tuple | range | set | frozenset) or getattr(given, "ndim", 0) == 1
    chosen = list(given) if is_list else []
    kind = infer_dtype(chosen, skipna=False)
    if not is_list or kind not in ("boolean", "string", "integer", "empty"):
        raise ValueError(
            'categorical_features must be "auto", None, a boolean mask, column indices or column names, all '
            f"of one kind; got {given!r}."
        )
    if kind == "boolean":
        if len(chosen) != n:
            raise ValueError(f"categorical_features is a mask of shape ({len(chosen)},); X has {n} columns.")
        return np.array(chosen)
    if kind == "string":
        unknown = [name for name in chosen if names is None or name not in names]
        if unknown:
            raise ValueError(
                f"categorical_features names {unknown!r}, which X does not have; "
                + ("its columns have no names." if names is None else f"its names: {names!r}.")
            )
        chosen = [names.index(name) for name in chosen]
    if not all(0 <= j < n for j in chosen):
        raise ValueError(f"categorical_features must hold indices from 0 to {n - 1}; got {given!r}.")
    mask[chosen] = True
    return mask


def declarations(categories: Any, n: int) -> list[Any]:
    """What `categories` declares for each of n columns, or None."""
    if is_auto(categories):
        return [None] * n
    is_list = hasattr(categories, "__len__") and not isinstance(categories, str | dict | set)
    if not is_list or getattr(categories, "ndim", 1) == 0 or len(categories) != n:
        raise ValueError(
            f'categories must be "auto" or a list with one entry for each of the {n} columns of X; got '
            f"{categories!r}."
        )
    return list(categories)


def declared_values(declared: Any, given: Any, j: int) -> np.ndarray | None:
    """The sorted values that are declared for nominal column j, or that its type lists; None if neither."""
    if declared is None:
        return sorted_values(np.asarray(given.categories), j) if is_categories(given) else None
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
    return sorted_values(values, j)


def values_of(column: np.ndarray | Factored, j: int) -> np.ndarray:
    """The sorted distinct values in nominal column j."""
    column = checked_values(column, j)
    if isinstance(column, Factored):
        is_used = np.bincount(column.codes[column.codes >= 0], minlength=len(column.values)) > 0
        return sorted_values(column.values[is_used], j)
    if column.dtype.kind == "i" and len(column) > 0 and span(column) < DENSE:  # faster than sorting
        return np.flatnonzero(np.bincount(column - column.min())) + column.min()
    return sorted_values(column[~is_missing_in(column)], j)


def checked_values(column: np.ndarray | Factored, j: int) -> np.ndarray | Factored:
    """Nominal column j with integers as int64; refuses larger ones and infinity."""
    if isinstance(column, Factored):
        if column.kind == "number":
            _as_int64(column.values, f"column {j} of X")
    elif column.dtype.kind in "iu":
        return _as_int64(column, f"column {j} of X")
    elif column.dtype.kind == "f" and np.isinf(column).any():
        raise ValueError(
            f"Input X contains infinity (inf) in row {np.argmax(np.isinf(column))} of nominal column {j}, "
            "which is not a category. Replace it by another category, such as '?'."
        )
    return column


def _as_int64(integers: np.ndarray, name: str) -> np.ndarray:
    """Integers as int64; refuses integers out of range."""
    for value in (integers.min(initial=0), integers.max(initial=0)) if integers.dtype.kind in "Ou" else ():
        if not -(2**63) <= int(value) < 2**63:
            raise ValueError(
                f"{name} holds {value}; integers must be at least -2**63 and below 2**63. Use strings as "
                "categories."
            )
    return integers.astype(np.int64, copy=False)


def span(integers: np.ndarray) -> int:
    """The difference between the largest and the smallest."""
    return int(integers.max()) - int(integers.min())


def sorted_values(values: np.ndarray, j: int) -> np.ndarray:
    """The distinct values of nominal column j, sorted: booleans, int64, float64 or objects."""
    if values.dtype == object and len(values) > 0 and isinstance(values[0], Integral | np.bool_):
        if first_of_another_kind(values) is not None:  # numpy would make strings of all of them
            raise _unsorted(values, j)
        values = np.array(values.tolist())
    kind = values.dtype.kind
    if len(values) == 0:
        return np.empty(0, object)
    if kind in "iu" or (kind == "O" and isinstance(values[0], Integral)):
        values = _as_int64(values, f"the list of values of column {j}")
    elif kind == "f":
        values = values.astype(np.float64)
        if np.isnan(values).any():
            raise ValueError(f"the values of nominal column {j} include NaN; leave it out.")
    elif kind != "b":
        values = np.asarray(pd.Index(values) if kind in "mM" else values, dtype=object)
    try:
        return np.unique(values)
    except TypeError:
        raise _unsorted(values, j) from None


def _unsorted(values: np.ndarray, j: int) -> ValueError:
    return ValueError(
        f"the values of nominal column {j} cannot be sorted: {values!r}; use one type, such as str."
    )
