"""Variants of online boosting: those in the library give equal bits, the others follow their definition."""

import numpy as np
import pytest
from sklearn.base import clone

from oza import DecisionTreeClassifier, NaiveBayesClassifier, OnlineBoostingClassifier
from reproduction.theory.memorising import FORMS, Form, boost_online, scored

M = 6


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (400, 4))
    y = np.where(rng.random(400) < 0.7, X[:, 0] > 0, rng.random(400) < 0.5).astype(int)
    return X, y


@pytest.mark.parametrize("base", [DecisionTreeClassifier(), NaiveBayesClassifier()], ids=["tree", "nb"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("online, as in the thesis", {}),
        ("tested before learning", {"tested": "before"}),
        ("later form of λ (MOA)", {"weight_update": "later"}),
    ],
)
def test_the_forms_of_the_classifier_are_the_same_to_the_bit(noisy, base, name, parameters):
    X, y = noisy
    declared = {"categorical_features": range(4)}
    classifier = OnlineBoostingClassifier(base, M, random_state=3, **declared, **parameters).fit(X, y)
    taught = list(boost_online(clone(base).set_params(**declared), X, y, M, FORMS[name], seed=3))
    np.testing.assert_array_equal(
        np.array([each.sums for each in taught]).T, [classifier.lambda_correct_, classifier.lambda_wrong_]
    )
    rows = scored(taught, X, y)
    np.testing.assert_array_equal(rows["error"], classifier.estimator_errors_)
    np.testing.assert_array_equal(rows["vote"], classifier.vote_weights_)
    np.testing.assert_array_equal(rows["alone"], (classifier.predict_each(X) == y[:, None]).mean(axis=0))
    staged = [np.mean(predicted == y) for predicted in classifier.staged_predict(X)]
    np.testing.assert_array_equal(rows["accuracy"], staged)


def test_a_tested_error_is_that_of_the_moment(noisy):
    X, y = noisy
    rng = np.random.default_rng(0)
    X = np.column_stack([X, np.arange(len(y))])  # a tree can tell each example from all others
    y = rng.permutation(y)
    (tree,) = boost_online(
        DecisionTreeClassifier(categorical_features=range(5)), X, y, 1, Form(fractions=True)
    )
    assert tree.error("after") == tree.error("finished") == 0.0
    assert tree.error("before") > 0.35
