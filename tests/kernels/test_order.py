"""Sorting in kernels."""

import numpy as np
import pytest

from oza.kernels.order import order_of

SPECIAL = [np.nan, 2.0, -0.0, np.inf, 0.0, np.nan, -np.inf, 2.0, 1.0, np.inf, 0.0]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 1000])
def test_numbers_are_sorted_as_by_numpy_with_equal_ones_in_their_order(n):
    rng = np.random.default_rng(n)
    for values in (
        rng.normal(size=n),
        np.round(rng.normal(size=n)),
        rng.choice(SPECIAL, n),
        np.arange(n) / 2,
    ):
        np.testing.assert_array_equal(order_of(values), np.argsort(values, kind="stable"))
