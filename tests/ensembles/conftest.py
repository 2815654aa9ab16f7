"""A stream of nominal columns, and what Naive Bayes has counted of it."""

import numpy as np
import pytest

NOMINAL = {"categorical_features": range(12)}


@pytest.fixture(scope="module")
def nominal():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 3000)
    X = np.where(rng.random((3000, 12)) < 0.15, y[:, None], rng.integers(0, 4, (3000, 12)))
    return X, y


def counts(ensemble):
    return [np.concatenate([c.ravel() for c in e.category_count_]) for e in ensemble.estimators_]
