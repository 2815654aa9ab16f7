"""The recursion over orders predicts the same as refitted predictors, with p·n operations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import UniversalLinearPredictor
from reproduction.theory.lattice import afresh, lattice, operations


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=25), st.integers(1, 4))
@settings(max_examples=50)
def test_both_ways_give_the_same_errors(x, order):
    assert np.array(lattice(x, order, 0.1)) == pytest.approx(np.array(afresh(x, order, 0.1)), abs=1e-9)


def test_they_are_the_predictors_of_the_library():
    x = np.random.default_rng(1).normal(size=300).cumsum()
    squares = (np.array(lattice(x.tolist(), 6, 1e-3)) ** 2).sum(axis=0)
    # With this amplitude nothing is clipped.
    library = UniversalLinearPredictor(6, amplitude=1e6, ridge=1e-3).partial_fit(x)
    assert squares == pytest.approx(library.losses_, rel=1e-9)


def test_the_recursion_costs_sixteen_operations_an_order_and_sample():
    x = [1.0, -0.5] * 50
    assert operations(lattice, x, order=3) == pytest.approx(16 * 3 * 100, rel=0.01)
    assert operations(lattice, x, order=6) == pytest.approx(16 * 6 * 100, rel=0.01)
