import numpy as np
import pytest

from oza.kernels.compile import kernel
from oza.kernels.simd import SIMD_WIDTH, sum_rows


@kernel
def sums(totals, table, rows, n_rows):
    for j in range(0, len(totals), SIMD_WIDTH):
        sum_rows(totals, j, table, rows, n_rows)


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
