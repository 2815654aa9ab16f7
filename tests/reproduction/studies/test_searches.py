"""Models used only in searches: trees pruned with another count of tests, stumps by other rules."""

import numpy as np
import pytest

from oza import DecisionTreeClassifier
from oza.datasets import load_dataset
from reproduction.columns import nominal_columns
from reproduction.studies.pruning import RecountedTree

SETS = ["balance", "car-evaluation", "nursery"]


def _split(name, is_numeric=False):
    X, y = load_dataset(name, return_X_y=True)
    rows = np.random.default_rng(5).permutation(len(y))[:900]
    X = X.astype(float) if is_numeric else X
    return X[rows[:600]], y[rows[:600]], X[rows[600:]]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("is_numeric", [False, True])
def test_a_tree_pruned_outside_its_kernel_is_the_kernels_own(name, is_numeric):
    X, y, X_test = _split(name, is_numeric)
    columns = nominal_columns(X)
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)
    for sample_weight in (None, weights):
        ours = DecisionTreeClassifier(prune=True, categorical_features=columns).fit(X, y, sample_weight)
        again = RecountedTree(same_once=False, categorical_features=columns).fit(X, y, sample_weight)
        np.testing.assert_array_equal(ours.predict(X_test), again.predict(X_test))


def test_two_tests_that_divide_alike_cost_one_bit_too_much():
    """A leaf costs 4 bits here; a test and its leaves cost 3 if it is the only one, 4 if it is one of two."""
    X, y = np.array([[0], [0], [1]]), np.array([0, 0, 1])
    assert RecountedTree(False, categorical_features=[0]).fit(X, y).predict(X).tolist() == [0, 0, 0]
    assert RecountedTree(True, categorical_features=[0]).fit(X, y).predict(X).tolist() == [0, 0, 1]
    three = np.array([[0], [0], [1], [2]])  # three values, three different tests
    for same_once in (False, True):
        assert (
            RecountedTree(same_once, categorical_features=[0]).fit(three, [0, 0, 1, 1])._n_tests(three) == 3
        )
