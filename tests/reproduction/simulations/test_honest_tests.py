"""Tests before learning: the bound, the weights that examples would have, and what cannot be told."""

import numpy as np
import pytest

from oza import DecisionTreeClassifier, NaiveBayesClassifier, OnlineBoostingClassifier
from reproduction.simulations.convergence import random_law
from reproduction.simulations.honest_tests import counted_and_due, largest_deviation, weights_of_all

LAW = random_law(1, 3)


def test_the_weights_that_examples_would_have_are_those_that_they_get():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 3))
    y = rng.integers(0, 2, 80)
    options = {"categories": [np.arange(2)] * 3, "categorical_features": range(3), "random_state": 1}
    ensemble = OnlineBoostingClassifier(n_estimators=4, tested="before", **options)
    ensemble.partial_fit(X[:40], y[:40], classes=[0, 1])
    for row, label in zip(X[40:], y[40:], strict=True):
        would = weights_of_all(ensemble, ensemble.predict_each(row[None]))[:, label, 0]
        got = ensemble.trace(row[None], label[None]).lam[0]
        np.testing.assert_allclose(would, got, rtol=1e-12)


def test_a_fair_coin_leaves_the_bound_no_more_often_than_it_may():
    rng = np.random.default_rng(0)
    n, n_walks, delta = 2000, 400, 0.2
    walks = np.cumsum(rng.integers(0, 2, (n_walks, n)) - 0.5, axis=1)
    bound = largest_deviation(np.arange(1, n + 1) / 4, delta, rho=n / 16)
    left = (np.abs(walks) > bound).any(axis=1).mean()
    assert 0 < left <= delta


@pytest.mark.parametrize("base", [NaiveBayesClassifier(), DecisionTreeClassifier()])
def test_what_is_counted_before_learning_is_near_what_is_due(base):
    for seed in range(3):
        found = counted_and_due(base, LAW, 150, 2, "before", seed)
        bound = largest_deviation(found["variance"], 0.01, 150 / 4)
        assert ((found["counted"] - found["due"]).abs() < bound).all()
    assert found.loc[1, "weight"] == 150 and found.loc[1, "variance"] == 150 / 4


def test_a_tree_that_is_tested_after_learning_looks_better_than_it_is():
    tree, law = DecisionTreeClassifier(), random_law(1, 6)
    deviations = {"before": [], "after": []}
    for seed in range(4):
        found = {tested: counted_and_due(tree, law, 300, 1, tested, seed).loc[1] for tested in deviations}
        assert found["before"]["due"] == pytest.approx(found["after"]["due"])  # the same trees
        for tested, row in found.items():
            deviations[tested].append(row["counted"] - row["due"])
    assert max(deviations["after"]) < 0 < max(deviations["before"])
    assert abs(np.mean(deviations["before"])) < abs(np.mean(deviations["after"]))


def test_weights_of_later_models_are_unknown_if_tests_follow_learning():
    with pytest.raises(ValueError, match=r"n_models=2.*tested='before'"):
        counted_and_due(NaiveBayesClassifier(), LAW, 10, 2, "after", 0)
