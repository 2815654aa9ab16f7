"""Trees by the Kolmogorov–Smirnov distance, beside a plain recursion."""

import numpy as np
import pytest

from reproduction.studies.tree_settings import KSTree


def grown(X, y, weights, numeric, least):
    """A class, or a test with two branches."""
    counts = np.bincount(y, weights, minlength=3)
    best = (0.0, None)
    for column, is_number in enumerate(numeric):
        for value in np.unique(X[:, column]):
            passes = X[:, column] <= value if is_number else X[:, column] == value
            of_passing = np.bincount(y[passes], weights[passes], minlength=3)
            if min(of_passing.sum(), (counts - of_passing).sum()) < least:
                continue
            for k in np.flatnonzero((counts > 0) & (counts < counts.sum())):
                others = (of_passing.sum() - of_passing[k]) / (counts.sum() - counts[k])
                distance = abs(of_passing[k] / counts[k] - others)
                if distance > best[0]:
                    best = (distance, (column, value, passes))
    if best[1] is None:
        return counts.argmax()
    column, value, passes = best[1]
    parts = (grown(X[p], y[p], weights[p], numeric, least) for p in (~passes, passes))
    return column, value, *parts


def answer(tree, row, numeric):
    while isinstance(tree, tuple):
        column, value, no, yes = tree
        tree = yes if (row[column] <= value if numeric[column] else row[column] == value) else no
    return tree


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_is_that_of_a_plain_recursion(seed):
    draws = np.random.default_rng(seed)
    X, y = draws.integers(0, 4, (90, 3)), draws.integers(0, 3, 90)
    numeric, weights = np.array([True, False, seed % 2 == 0]), draws.poisson(1.0, 90).astype(float)
    kept = weights > 0
    tree = grown(X[kept], y[kept], weights[kept], numeric, 2)
    expected = [answer(tree, row, numeric) for row in X]
    assert KSTree(numeric).fit(X, y, weights).predict(X).tolist() == expected


def test_a_number_between_two_that_were_learned_passes_with_the_larger_one():
    tree = KSTree(np.array([True]), least=1).fit(np.array([[1.0], [3.0]]), np.array([0, 1]))
    assert tree.predict(np.array([[0.5], [1.0], [2.0], [9.0]])).tolist() == [0, 0, 1, 1]
