"""Sums over rows of a table, sixteen columns at a time, as LLVM vector instructions.

numba's loops do not keep such sums in registers. Each column is a sum of its own, added in a fixed
order, so the bits are those of the plain loop on any processor, whatever the width of its vectors.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

SIMD_WIDTH = 16  # float64 numbers in one vector
_intrinsic: Any = intrinsic  # it removes the first argument, which type checkers do not see
_VECTOR = ir.VectorType(ir.DoubleType(), SIMD_WIDTH)


def _at(context, builder, kind, array, column, row=None):
    """Pointer to sixteen numbers of a C-contiguous array, from `column` of a row on."""
    if kind.layout != "C":
        raise TypingError(f"a C-contiguous array is expected, got {kind}")
    view = context.make_array(kind)(context, builder, array)
    if row is not None:
        column = builder.add(builder.mul(row, builder.extract_value(view.shape, 1)), column)
    return builder.bitcast(builder.gep(view.data, [column]), _VECTOR.as_pointer())


def _number(context, builder, kind, rows, place):
    """The row number at index `place` of `rows`."""
    view = context.make_array(kind)(context, builder, rows)
    return builder.load(builder.gep(view.data, [place]))


@_intrinsic
def _sum_rows(typingctx, totals, column, table, rows, n_rows):
    """The same as `sum_rows` in instructions."""

    def generate(context, builder, signature, args):
        totals_, column_, table_, rows_, n_rows_ = args
        nothing = ir.Constant(_VECTOR, [0.0] * SIMD_WIDTH)
        sums = [cgutils.alloca_once_value(builder, nothing) for _ in range(2)]

        def add(total, place):
            row = _number(context, builder, rows, rows_, place)
            numbers = builder.load(_at(context, builder, table, table_, column_, row), align=8)
            builder.store(builder.fadd(builder.load(total), numbers), total)

        one = n_rows_.type(1)
        with cgutils.for_range(builder, builder.lshr(n_rows_, one), intp=n_rows_.type) as loop:
            place = builder.shl(loop.index, one)
            add(sums[0], place)
            add(sums[1], builder.add(place, one))
        with builder.if_then(builder.trunc(n_rows_, ir.IntType(1))):
            add(sums[0], builder.sub(n_rows_, one))
        total = builder.fadd(*map(builder.load, sums))
        builder.store(total, _at(context, builder, totals, totals_, column_), align=8)
        return context.get_dummy_value()

    return types.void(totals, types.intp, table, rows, types.intp), generate


@_intrinsic
def _add_to_rows(typingctx, table, rows, n_rows, terms, column):
    """The same as `add_to_rows` in instructions."""

    def generate(context, builder, signature, args):
        table_, rows_, n_rows_, terms_, column_ = args
        term = builder.load(_at(context, builder, terms, terms_, column_), align=8)
        with cgutils.for_range(builder, n_rows_, intp=n_rows_.type) as loop:
            row = _number(context, builder, rows, rows_, loop.index)
            place = _at(context, builder, table, table_, column_, row)
            builder.store(builder.fadd(builder.load(place, align=8), term), place, align=8)
        return context.get_dummy_value()

    return types.void(table, rows, types.intp, terms, types.intp), generate


def sum_rows(totals, column, table, rows, n_rows):
    """`totals[j]` = sum of `table[row, j]` over the first `n_rows` of `rows`, for sixteen j from `column`.

    The first, third, ... rows make one sum, the others a second one, and the two are added at the end,
    so that no addition waits for the one before it. Shapes: `totals` (W,), `table` (R, W), `rows` int64.
    """
    columns = slice(column, column + SIMD_WIDTH)
    sums = np.zeros((2, SIMD_WIDTH))
    for place in range(n_rows):
        sums[place % 2] += table[rows[place], columns]
    totals[columns] = sums[0] + sums[1]


def add_to_rows(table, rows, n_rows, terms, column):
    """`table[row, j]` += `terms[j]` for the first `n_rows` of `rows`, for sixteen j from `column`.

    Shapes: `table` (R, W), `rows` int64, `terms` (W,).
    """
    columns = slice(column, column + SIMD_WIDTH)
    for row in rows[:n_rows]:
        table[row, columns] += terms[columns]


@overload(sum_rows)
def _compiled_sum_rows(totals, column, table, rows, n_rows):
    return lambda totals, column, table, rows, n_rows: _sum_rows(totals, column, table, rows, n_rows)


@overload(add_to_rows)
def _compiled_add_to_rows(table, rows, n_rows, terms, column):
    return lambda table, rows, n_rows, terms, column: _add_to_rows(table, rows, n_rows, terms, column)
