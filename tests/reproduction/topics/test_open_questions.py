"""Tests before learning: the bound, the weights that examples would have, and what cannot be told."""

import numpy as np

from oza import OnlineBoostingClassifier
from reproduction.studies.laws import random_law
from reproduction.topics.open_questions import largest_deviation, weights_of_all

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
