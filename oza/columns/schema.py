"""The schema of the columns of X: which are nominal, their values, and the encoding of examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .codes import Codes, code_tables, codes_of, look_up
from .examples import Examples
from .kinds import checked_values, declarations, declared_values, kind_of, kinds_of, other_kind, values_of
from .table import Factored, Table, as_float, as_table, factored, is_categories, is_missing_in, is_plain
from .validation import refuse_mixture, union_of

_LARGEST = float(np.finfo(np.float64).max)  # with which Python compares integers of any size


class _Layout(NamedTuple):
    """Where the columns of X are in a schema; the same for any values that nominal columns have."""

    is_categorical: np.ndarray  # (A + D,) bool: mask of the entries of `categories` that are nominal
    places: np.ndarray  # (A + D,): the entry of `categories` of each attribute
    columns: np.ndarray  # (A + D,): the column of X of each attribute
    attributes: np.ndarray  # (A + D,) int32: the number of each attribute in the order of the columns


@dataclass(eq=False)
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
        declared = declarations(categories, len(columns))
        kinds = kinds_of(table, declared, categorical_features)
        undecided = tuple(j for j, kind in enumerate(kinds) if kind == "")
        found, is_open = [], []
        for j, kind in enumerate(kinds):
            values = None
            if kind != "number":
                values = declared_values(declared[j], table.given[j], j)
            elif declared[j] is not None:
                raise ValueError(
                    f"categories[{j}] declares values for column {j}, which is numeric; declare the "
                    "column nominal with categorical_features, or put None there."
                )
            is_open.append(kind != "number" and declared[j] is None)
            if kind != "number" and values is None:
                takes_values = with_values and kind == "nominal"
                values = values_of(columns[j], j) if takes_values else np.empty(0, object)
            found.append(values)
        n = len(undecided)
        is_by_type = isinstance(categorical_features, str)
        schema = cls((*found, *[None] * n), (*is_open, *[False] * n), undecided, is_by_type)
        return schema.extended(table, schema.encode(table)) if with_values and n > 0 else schema

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached properties out, so that reading them does not change a pickled schema."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def extended(self, X: Any, examples: Examples) -> Schema:
        """The schema plus the new values in the open columns of `X`, encoded as `examples`."""
        if not any(self.is_open) or not (examples.codes < 0).any():
            return self
        table, found, is_open = as_table(X), list(self.categories), list(self.is_open)
        nominal = np.flatnonzero(self.is_categorical)
        added: dict[int, np.ndarray] = {}
        for a in np.flatnonzero((examples.codes < 0).any(axis=0)).tolist():
            j = nominal[a]
            if j in self.undecided and kind_of(table.columns[j]) == "number":
                is_open[j] = False  # decided: the column is numeric
            elif self.is_open[j]:
                new = values_of(table.values_at(j, examples.codes[:, a] < 0), j)
                if len(new) > 0:
                    found[j], added[a] = union_of(f"column {j} of X", found[j], new), new
        larger = self._with_values(found, is_open)
        # A new value costs as much as moving the codes of the others; no known value is read again.
        new_codes = [larger.starts[a] + np.searchsorted(found[nominal[a]], new) for a, new in added.items()]
        codes = np.concatenate([np.empty(0, np.int64), *new_codes])
        positions = np.delete(np.arange(larger.n_values), codes)
        self._in_whole = larger, positions
        if "_codes" in vars(self):
            lists = {a: new.tolist() for a, new in added.items()}
            larger._codes = self._codes.extended(positions, lists, codes)
        return larger

    def has_unknown(self, X: Any, examples: Examples) -> bool:
        """Whether `X`, encoded as `examples`, holds a value that is neither missing nor known."""
        if not (examples.codes < 0).any():
            return False
        columns = as_table(X).columns
        nominal = np.flatnonzero(self.is_categorical)
        return any(
            ((examples.codes[:, a] < 0) & ~is_missing_in(columns[j])).any()
            for a, j in enumerate(nominal.tolist())
            if j not in self.undecided
        )

    def restricted(self, is_known: np.ndarray) -> Schema:
        """The schema reduced to the values selected by `is_known`, a mask of shape (V,) over the codes."""
        if is_known.all():
            return self
        masks = iter(np.split(is_known, self.starts[1:]))
        found = [None if values is None else values[next(masks)] for values in self.categories]
        part = self._with_values(found, self.is_open)
        part._in_whole = self, np.flatnonzero(is_known)
        return part

    def _with_values(self, categories: Sequence, is_open: Sequence) -> Schema:
        """A schema of the same columns with other values."""
        other = replace(self, categories=tuple(categories), is_open=tuple(is_open))
        other._layout = self._layout
        return other

    @cached_property
    def _in_whole(self) -> tuple[Schema, np.ndarray]:
        """A larger schema, by `extended`, or of which this is a part by `restricted`, and the codes in it.

        There is one for each value of this schema, (V,).
        """
        return self, np.arange(self.n_values)

    @property
    def n_columns(self) -> int:
        """Number of columns of X."""
        return len(self.categories) - len(self.undecided)

    @property
    def n_values(self) -> int:
        """Number of values of all nominal attributes."""
        return int(self.sizes.sum())

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
        part = self.of_columns(columns)
        numbers = np.argsort(self._layout.places)[self._places(columns)[part._layout.places]]
        nominal, numeric = np.split(numbers, [len(part.sizes)])
        codes = examples.codes[:, nominal]
        codes = np.where(codes < 0, -1, codes + part.starts - self.starts[nominal])
        chosen = examples.numbers[:, numeric - len(self.sizes)]
        return Examples(codes.astype(np.int32, order="C"), np.ascontiguousarray(chosen))

    def positions_in(self, larger: Schema) -> np.ndarray:
        """Code in `larger`, a superset, of each value of this schema, shape (V,)."""
        (whole, codes), (other, codes_of_larger) = self._in_whole, larger._in_whole
        if whole is larger:
            return codes
        if whole is other:  # parts of one schema, as while a chunk is learned: no values are compared
            place_of = np.empty(whole.n_values, np.int64)
            place_of[codes_of_larger] = np.arange(len(codes_of_larger))
            return place_of[codes]
        pairs = zip(self.categories, larger.categories, strict=True)
        found = [np.searchsorted(new, old) for old, new in pairs if old is not None and new is not None]
        places = [start + each for start, each in zip(larger.starts.tolist(), found, strict=True)]
        return np.concatenate([np.empty(0, np.int64), *places])

    @cached_property
    def _layout(self) -> _Layout:
        is_categorical = np.array([values is not None for values in self.categories], dtype=bool)
        column_of_place = np.array([*range(self.n_columns), *self.undecided], np.int64)
        places = np.lexsort((column_of_place, ~is_categorical))
        columns = column_of_place[places]
        return _Layout(is_categorical, places, columns, np.argsort(columns, kind="stable").astype(np.int32))

    @property
    def is_categorical(self) -> np.ndarray:
        """Mask of the entries of `categories` that are nominal, shape (A + D,)."""
        return self._layout.is_categorical

    @property
    def columns(self) -> np.ndarray:
        """Column of X of each attribute, (A + D,): of the nominal ones, then of the numeric ones."""
        return self._layout.columns

    @property
    def attributes(self) -> np.ndarray:
        """Number of each attribute in the order of the columns, (A + D,) int32: nominal ones come first."""
        return self._layout.attributes

    @cached_property
    def values_of_columns(self) -> list[np.ndarray | None]:
        """For each column of X the values of a nominal one, or None if it is numeric or undecided."""
        of_columns = list(self.categories[: self.n_columns])
        for j in self.undecided:
            values = self.categories[j]
            of_columns[j] = values if values is not None and len(values) > 0 else None
        return of_columns

    @cached_property
    def _nominal(self) -> list[np.ndarray]:
        """The values of each nominal attribute."""
        return [values for values in self.categories if values is not None]

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of values of each nominal attribute, shape (A,)."""
        return np.array([len(values) for values in self._nominal], dtype=np.int64)

    @cached_property
    def starts(self) -> np.ndarray:
        """Code of the first value of each nominal attribute, shape (A,)."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def _codes(self) -> Codes:
        """The code of each value."""
        return codes_of(self._nominal)

    @cached_property
    def _tables(self) -> tuple[tuple[np.ndarray, ...], bool]:
        """Tables of the codes of integers, and whether all columns have one."""
        tables = code_tables(self._nominal)
        return tables, len(self.sizes) == len(self.categories) and bool((np.diff(tables[1]) > 0).all())

    def encode(self, X: Any) -> Examples:
        """Encode `X`; a value that is missing or not in the schema gets code −1."""
        n_nominal = len(self.sizes)
        if type(X) is np.ndarray and X.dtype == np.int64 and self._tables[1]:
            examples = Examples(np.empty(X.shape, np.int32), np.empty((len(X), 0)))
            look_up(X, *self._tables[0], examples.codes)
            return examples
        if n_nominal == 0 and is_plain(X) and not (self.is_by_type and X.dtype.kind == "b"):
            examples = Examples(np.empty((len(X), 0), np.int32), np.array(X, np.float64, order="C"))
            self._check_finite(examples.numbers)
            return examples
        table = as_table(X)
        if table.shape[0] == 1 and (row := self._encode_single(table)) is not None:
            return row
        kinds = self._checked_kinds(table.columns) if self.is_by_type else [""] * self.n_columns
        codes = np.empty((table.shape[0], n_nominal), np.int32)
        numbers = np.empty((table.shape[0], len(self.categories) - n_nominal))
        for number, j in enumerate(self.columns.tolist()):
            column, kind = table.columns[j], kinds[j]
            if number >= n_nominal:
                numbers[:, number - n_nominal] = np.nan if kind == "nominal" else as_float(column, j)
            elif kind == "number" and (self.is_open[j] or j in self.undecided):
                codes[:, number] = -1
            else:
                self._encode_column(number, checked_values(column, j), codes[:, number : number + 1])
        self._check_finite(numbers)
        return Examples(codes, numbers)

    def _encode_column(self, a: int, column: np.ndarray | Factored, codes: np.ndarray) -> None:
        """Write the code of each value of nominal attribute a into `codes`, (N, 1)."""
        if isinstance(column, np.ndarray) and column.dtype.kind in "if":
            lowest, starts, table = self._tables[0]
            if starts[a] < starts[a + 1]:
                look_up(column[:, None], lowest[a:], starts[a:], table, codes)
                return
        if self.sizes[a] == 0:
            codes[:] = -1
            return
        column = column if isinstance(column, Factored) else factored(column)
        found = self._codes.find(a, column.values.tolist())
        if (found < 0).any():
            other = column.values[[code for code in np.unique(column.codes) if found[code] < 0 <= code]]
            refuse_mixture(f"column {self.columns[a]} of X", self._nominal[a], other)
        codes[:, 0] = np.append(found, np.int32(-1))[column.codes]  # the last one is for missing values

    def _checked_kinds(self, columns: list[Any]) -> list[str]:
        """The kind of each column by its values; refuses one that is not the kind of the values before."""
        kinds = [kind_of(column) for column in columns]
        for j, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            values = self.categories[j]
            if values is None or (j in self.undecided and not self.is_open[j]):
                known, held = "number", "numbers"
            elif self.is_open[j] and len(values) > 0:
                known, held = "nominal", f"{values[:1].tolist()[0]!r}"
                if kind == "number" and values.dtype.kind in "if":  # from a column of pandas' categories
                    kinds[j] = kind = "nominal"
            else:
                continue
            if kind not in ("", known):
                raise other_kind(column, j, held)
        return kinds

    @cached_property
    def _by_value(self) -> list[tuple[type, Callable] | None]:
        """For each column the type of its values and what gives the number of each; None if it is numeric."""
        numbers = iter(self._codes.numbers)
        return [
            None if values is None else (type(next(iter(values[:1].tolist()), None)), next(numbers).get)
            for values in self.categories
        ]

    def encode_row(self, values: Sequence) -> Examples | None:
        """Encode one example of Python's or numpy's values, in microseconds.

        Gives None if a value is of an unusual type, or is not known: `encode` then tells what it is.
        """
        if self.undecided or len(values) != len(self.categories):
            return None
        codes, numbers = [], []
        n_values, code_of = len(self._codes.of_numbers) - 1, self._codes.of_numbers.item
        for value, known in zip(values, self._by_value, strict=True):
            if isinstance(value, np.generic):
                value = value.item()
            if known is None:
                if value is not None and (type(value) not in (float, int) or abs(value) > _LARGEST):
                    return None
                numbers.append(np.nan if value is None else value)
            else:
                kind, number_of = known
                number = number_of(value, n_values) if type(value) is kind else n_values
                if number >= n_values:
                    return None
                codes.append(code_of(number))
        return Examples(np.array([codes], np.int32), np.array([numbers], np.float64))

    def _encode_single(self, table: Table) -> Examples | None:
        """Encode a table of one row without reading its columns as arrays; None as in `encode_row`."""
        of_each = zip(table.given, self.categories, strict=False)
        if any(values is None and is_categories(column) for column, values in of_each):
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
        if limit < np.inf and (np.abs(examples.numbers) > limit).any():
            n, d = np.argwhere(np.abs(examples.numbers) > limit)[0]
            j = self.columns[len(self.sizes) + d]
            raise ValueError(
                f"Input X holds {examples.numbers[n, d]} in row {n} of numeric column {j}; the base model "
                f"can learn numbers up to {limit:g} in magnitude. Scale the column."
            )
