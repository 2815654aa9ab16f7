"""Trees as printed, margins of their tests, and the gap in the norm, against simulation and by hand."""

import numpy as np
import pytest

from oza import DecisionStumpClassifier
from oza.datasets import load_dataset
from reproduction.theory.id3 import Node, classify, id3
from reproduction.theory.margins import Population, margins


def drawn(seed, n=40, n_values=(2, 3, 2), n_classes=3):
    generator = np.random.default_rng(seed)
    examples = np.column_stack([generator.integers(v, size=n) for v in n_values])
    return examples, generator.integers(n_classes, size=n), generator.integers(0, 3, size=n).astype(float)


def test_id3_follows_the_printed_cases():
    examples, labels = np.array([[0, 1], [0, 0], [1, 0]]), np.array([1, 1, 0])
    ones = np.ones(3)
    assert id3(examples[:0], labels[:0], ones[:0], (2, 2), default=7) == 7
    assert id3(examples[:2], labels[:2], ones[:2], (2, 2)) == 1
    assert id3(examples, labels, ones, (2, 2), frozenset()) == 1
    # A value without examples gets the most frequent class of the node above.
    assert id3(examples, labels, ones, (3, 2)) == Node(0, (1, 0, 1))


@pytest.mark.parametrize("dataset", ["balance", "car-evaluation"])
def test_one_test_is_the_stump_of_the_library(dataset):
    X, y = load_dataset(dataset, return_X_y=True)
    for seed in range(3):
        rows = np.random.default_rng(seed).integers(len(y), size=150)
        codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
        n_values = tuple(int(column.max()) + 1 for column in codes.T)
        tree = id3(codes[rows], y[rows].astype(int), np.ones(150), n_values, depth=1)
        categories = [np.unique(column) for column in X.T]
        stump = DecisionStumpClassifier(categories=categories).fit(X[rows], y[rows])
        assert tree.attribute == stump.feature_


@pytest.mark.parametrize("seed", range(30))
def test_a_sample_within_the_tolerance_decides_alike(seed):
    """The theorem's deterministic half: small distances leave the prediction as it is."""
    generator = np.random.default_rng(seed)
    examples, labels, _ = drawn(seed, n=30)
    population = Population(examples, labels, generator.dirichlet(np.ones(30)), (2, 3, 2))
    n_tested = 0
    for example in examples[:5]:
        found = margins(population, example, depth=2)
        other = generator.dirichlet(np.ones(30))
        share = 0.99 * found.tolerance / (np.abs(other - population.probabilities).sum() / 2)
        moved = population.probabilities + min(1.0, share) * (other - population.probabilities)
        near = population._replace(probabilities=moved)
        if found.tolerance > 0:  # 0 if two attributes separate the few examples of a node alike
            n_tested += 1
            assert classify(near.tree(2), example) == classify(population.tree(2), example)
    assert n_tested > 0
