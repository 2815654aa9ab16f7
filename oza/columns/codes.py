"""From a value to its code: by tables for integers that are close together, else by dictionaries."""

from __future__ import annotations

from itertools import count
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from ..kernels.compile import kernel
from ..kernels.undivided import locks
from .kinds import DENSE, span
from .validation import EXACT_BELOW

_numbering = RLock()  # estimators that work in several threads may share a schema
locks.add(_numbering)


class Codes(NamedTuple):
    """The codes of the values of all nominal attributes, which are numbered as they were met.

    A new value leaves these numbers as they are, and ever larger schemas share the dictionaries: each knows
    as many values as it has codes.
    """

    numbers: list[dict[Any, int]]  # for each attribute
    of_numbers: np.ndarray  # (V + 1,) int32: the code of each number; the last is −1, for an unknown value

    def find(self, a: int, values: list) -> np.ndarray:
        """Code of each value of attribute a; −1 where it is not known."""
        unknown = len(self.of_numbers) - 1
        number_of = self.numbers[a].get
        found = np.fromiter((number_of(value, unknown) for value in values), np.int64, len(values))
        return self.of_numbers[np.minimum(found, unknown)]

    def extended(self, positions: np.ndarray, values: dict[int, list], codes: np.ndarray) -> Codes:
        """The same values, whose codes have moved to `positions`, and `values` of some attributes."""
        numbers, n = self.numbers, len(self.of_numbers) - 1
        with _numbering:
            if sum(map(len, numbers)) > n:  # another schema has added other values
                numbers = [{value: k for value, k in each.items() if k < n} for each in numbers]
            numbering = count(n)
            for a, new in values.items():
                numbers[a].update(zip(new, numbering, strict=False))
        moved = np.concatenate([positions[self.of_numbers[:n]], codes, [-1]])
        return Codes(numbers, moved.astype(np.int32))


def codes_of(values: list[np.ndarray]) -> Codes:
    """Codes for the sorted values of each nominal attribute, in this order."""
    lists = {a: each.tolist() for a, each in enumerate(values)}
    none = Codes([{} for _ in values], np.array([-1]))
    return none.extended(np.empty(0, np.int64), lists, np.arange(sum(map(len, values))))


def code_tables(values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables of the codes of the sorted values of each nominal attribute a, if they are dense integers.

    Returns
    -------
    lowest : ndarray of shape (A,), int64
        The lowest value.
    starts : ndarray of shape (A + 1,), int64
        The table is ``codes[starts[a] : starts[a + 1]]``, from the lowest value on; empty for other values.
    codes : ndarray, int32
        −1 for an integer that is not among the values.
    """
    lowest, tables, code = np.zeros(len(values), np.int64), [np.empty(0, np.int32)], 0
    for a, each in enumerate(values):
        table = tables[0]
        is_integer = each.dtype.kind == "i" and len(each) > 0
        if is_integer and span(each) < DENSE and np.abs(each).max() < EXACT_BELOW:  # floats equal them
            lowest[a], table = each[0], np.full(span(each) + 1, -1, np.int32)
            table[each - each[0]] = np.arange(code, code + len(each))
        tables.append(table)
        code += len(each)
    return lowest, np.cumsum([len(table) for table in tables]), np.concatenate(tables)


@kernel
def look_up(X, lowest, starts, table, codes):
    """Encode `X`, int64 or float64 of shape (N, A), into `codes`, int32 of this shape; see `code_tables`."""
    for n in range(X.shape[0]):
        for a in range(X.shape[1]):
            place, size = X[n, a] - lowest[a], starts[a + 1] - starts[a]
            is_known = 0 <= place < size and place == np.int64(place)
            codes[n, a] = table[starts[a] + np.int64(place)] if is_known else -1
