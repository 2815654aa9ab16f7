import numpy as np
import pytest
from numba import config
from numba.core.errors import TypingError

from oza.kernels.compile import kernel
from oza.kernels.simd import SIMD_WIDTH, add_to_rows, sum_rows


@kernel
def sums(totals, table, rows, n_rows):
    for j in range(0, len(totals), SIMD_WIDTH):
        sum_rows(totals, j, table, rows, n_rows)


@kernel
def additions(table, rows, n_rows, terms):
    for j in range(0, len(terms), SIMD_WIDTH):
        add_to_rows(table, rows, n_rows, terms, j)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return rng.normal(size=(50, 3 * SIMD_WIDTH)) * 10.0 ** rng.integers(-8, 8, (50, 1))


@pytest.mark.parametrize("n_rows", [0, 1, 2, 31])
def test_sums_are_those_of_two_alternating_loops(table, n_rows):
    rows = np.random.default_rng(1).integers(0, 50, 40)
    totals = np.full(3 * SIMD_WIDTH, np.nan)
    sums(totals, table, rows, n_rows)
    expected = np.zeros((2, 3 * SIMD_WIDTH))
    for place, row in enumerate(rows[:n_rows]):
        expected[place % 2] += table[row]
    np.testing.assert_array_equal(totals, expected[0] + expected[1])


def test_terms_reach_the_rows_that_are_listed_and_no_others(table):
    rows, terms = np.array([7, 3, 7, 49, 0]), np.arange(3.0 * SIMD_WIDTH) / 7
    expected = table.copy()
    for row in rows[:4]:
        expected[row] += terms
    additions(table, rows, 4, terms)
    np.testing.assert_array_equal(table, expected)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="Python adds up a table in any order of memory")
def test_a_table_in_another_order_of_memory_is_refused(table):
    with pytest.raises(TypingError, match="C-contiguous"):
        sums(np.empty(3 * SIMD_WIDTH), np.asfortranarray(table), np.array([0]), 1)
