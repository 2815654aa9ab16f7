"""Distributions of nearest neighbours and tables equal enumerations of all samples, and simulations."""

from itertools import product

import numpy as np
import pytest

from reproduction.theory.local import nearest_neighbours_law, table_law


def says_1(copies, labels, k):
    """K nearest neighbours, one copy after the other."""
    nearest = [label for label, n in zip(labels, copies, strict=True) for _ in range(n)][:k]
    return 2 * sum(nearest) > len(nearest)


def all_bootstraps(n):
    draws = np.array(list(product(range(n), repeat=n)))
    return [np.bincount(row, minlength=n) for row in draws]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("labels", [(1, 0, 0, 1), (0, 1, 1, 1), (1, 1, 0, 0)])
def test_batch_neighbours_are_those_of_all_bootstrap_samples(labels, k):
    share = np.mean([says_1(copies, labels, k) for copies in all_bootstraps(4)])
    assert nearest_neighbours_law("batch", np.array([labels]), k) == pytest.approx([share])


def test_online_neighbours_are_those_of_poisson_counts():
    rng = np.random.default_rng(5)
    labels = [1, 0, 1, 0, 0, 1]
    shares = [says_1(rng.poisson(1.0, 6), labels, 3) for _ in range(20_000)]
    law = nearest_neighbours_law("online", np.array([labels]), 3)
    assert law == pytest.approx(np.mean(shares), abs=4 * 0.5 / np.sqrt(20_000))


def test_a_cell_of_a_table_is_that_of_all_bootstrap_samples():
    """Of four examples the first three are in the cell, two of them of class 1."""
    share = np.mean([copies[0] + copies[1] > copies[2] for copies in all_bootstraps(4)])
    assert table_law("batch", 4, 3, 2) == pytest.approx(share)
