"""Sums over rows of a table, eight columns side by side: what numba's loops do not keep in registers.

Each column is a sum of its own, added up in the order of the rows, so that the bits are those of
the plain loop on any processor, however many numbers its vectors hold.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

LANES = 8
_intrinsic: Any = intrinsic  # which takes the first argument away, unseen by type checkers
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


def _at(context, builder, kind, array, column, row=None):
    """Pointer to eight numbers of an array, which has to be C-contiguous."""
    if kind.layout != "C":
        raise TypingError(f"a C-contiguous array is expected, got {kind}")
    view = context.make_array(kind)(context, builder, array)
    if row is not None:
        column = builder.add(builder.mul(row, builder.extract_value(view.shape, 1)), column)
    return builder.bitcast(builder.gep(view.data, [column]), _VECTOR.as_pointer())


def _row_numbers(context, builder, kind, rows, n_rows):
    """Yield, inside a loop over the first `n_rows` of `rows`, each number of a row."""
    view = context.make_array(kind)(context, builder, rows)
    with cgutils.for_range(builder, n_rows, intp=n_rows.type) as loop:
        yield builder.load(builder.gep(view.data, [loop.index]))


@_intrinsic
def sum_rows(typingctx, totals, column, table, rows, n_rows):
    """`totals[j]` = sum of `table[row, j]` over the first `n_rows` of `rows`, for eight j from `column`."""

    def generate(context, builder, signature, args):
        totals_, column_, table_, rows_, n_rows_ = args
        total = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES))
        for row in _row_numbers(context, builder, rows, rows_, n_rows_):
            numbers = builder.load(_at(context, builder, table, table_, column_, row), align=8)
            builder.store(builder.fadd(builder.load(total), numbers), total)
        builder.store(builder.load(total), _at(context, builder, totals, totals_, column_), align=8)
        return context.get_dummy_value()

    return types.void(totals, types.intp, table, rows, types.intp), generate


@_intrinsic
def add_to_rows(typingctx, table, rows, n_rows, terms, column):
    """`table[row, j]` += `terms[j]` for the first `n_rows` of `rows`, for eight j from `column`."""

    def generate(context, builder, signature, args):
        table_, rows_, n_rows_, terms_, column_ = args
        term = builder.load(_at(context, builder, terms, terms_, column_), align=8)
        for row in _row_numbers(context, builder, rows, rows_, n_rows_):
            place = _at(context, builder, table, table_, column_, row)
            builder.store(builder.fadd(builder.load(place, align=8), term), place, align=8)
        return context.get_dummy_value()

    return types.void(table, rows, types.intp, terms, types.intp), generate
