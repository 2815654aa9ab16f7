"""Active learning: what is asked for, and what is learned."""

import numpy as np
import pandas as pd
import pytest

from oza import (
    ActiveLearner,
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionStumpClassifier,
    DecorateClassifier,
    NaiveBayesClassifier,
)
from oza.ensembles.active import (
    active_decorate,
    jensen_shannon,
    margin_utility,
    query_by_bagging,
    query_by_boosting,
    vote_entropy,
)
from tests.estimators import full_but

UTILITIES = ("margin", "vote_entropy", "jensen_shannon")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.random((200, 2))
    return X, np.where(X.sum(axis=1) + 0.2 * rng.normal(size=200) > 1.0, "yes", "no")


@pytest.mark.parametrize("utility", full_but(UTILITIES, "margin"))
@pytest.mark.parametrize(
    "ensemble",
    [
        BaggingClassifier(n_estimators=5, random_state=0),
        AdaBoostClassifier(DecisionStumpClassifier(), 5),
        DecorateClassifier(n_estimators=5, random_state=0),
    ],
)
def test_it_asks_for_the_largest_utility_and_leaves_the_pool_alone(ensemble, utility, data):
    X, y = data
    learner = ActiveLearner(ensemble, utility, batch_size=3).teach(X[:20], y[:20])
    pool = X[20:].copy()
    found = learner.query(pool)
    np.testing.assert_array_equal(pool, X[20:])
    utilities = learner.utilities(pool)
    assert (utilities >= 0).all()
    assert sorted(utilities[found])[0] >= np.delete(utilities, found).max()
    np.testing.assert_array_equal(found, learner.query(pool))


def test_utilities_are_what_they_are_called():
    shares = np.array([[0.7, 0.2, 0.1], [1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(margin_utility(shares), [0.5, 1.0, 0.0])
    assert margin_utility(np.ones((2, 1))).tolist() == [0.0, 0.0]
    votes = [["a", "a"], ["b", "a"], ["b", "a"], ["c", "a"]]
    np.testing.assert_allclose(vote_entropy(votes, np.ones(4)), [1.5 * np.log(2), 0.0])
    np.testing.assert_allclose(
        vote_entropy(votes[:2], [3.0, 1.0])[0], -0.75 * np.log(0.75) - 0.25 * np.log(0.25)
    )
    members = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]])
    np.testing.assert_allclose(jensen_shannon(members), [np.log(2), 0.0], atol=1e-15)


def test_an_exhausted_pool_is_a_clear_error(data):
    X, y = data
    learner = ActiveLearner(BaggingClassifier(n_estimators=3), batch_size=4).teach(X, y)
    for pool in (X[:3], X[:0]):
        with pytest.raises(ValueError, match=rf"exhausted: X has {len(pool)} rows, fewer than batch_size=4"):
            learner.query(pool)


@pytest.mark.parametrize("make", [query_by_bagging, query_by_boosting, active_decorate])
def test_teaching_in_pieces_is_fitting_to_all(make, data):
    X, y = data
    pieces = make(n_estimators=4, random_state=1).teach(X[:40], y[:40]).teach(X[40:60], y[40:60])
    whole = make(n_estimators=4, random_state=1).fit(X[:60], y[:60])
    np.testing.assert_array_equal(pieces.predict_proba(X), whole.predict_proba(X))
    assert len(pieces.y_) == 60
    assert pieces.fit(X[:10], y[:10]).y_.shape == (10,)


def test_what_is_taught_in_pieces_keeps_its_kind_and_its_columns():
    digits = [pd.DataFrame({"code": pd.Categorical(values)}) for values in ([1, 2, 1, 2], [2, 3])]
    learner = ActiveLearner(NaiveBayesClassifier()).teach(digits[0], [*"abab"]).teach(digits[1], [*"bc"])
    assert learner.estimator_.categories_[0].tolist() == [1, 2, 3]
    assert learner.predict(digits[1]).tolist() == ["b", "c"]
    with pytest.raises(ValueError, match=r"X has the columns \['kode'\] and had \['code'\] before"):
        learner.teach(digits[1].rename(columns={"code": "kode"}), [*"bc"])
    learner = ActiveLearner(NaiveBayesClassifier()).teach([{"a": 1.0}, {"a": 5.0}], [0, 1])
    assert pd.isna(learner.teach([{}], [1]).X_["a"].iloc[-1])
    for X, y in (([["x"]], [1]), ([[1.0]], ["x"]), ([[1.0], [2.0]], [1, "x"]), ([[1.0, 2.0]], [1])):
        learner = learner.fit([[1.0], [5.0]], [0, 1])  # after frames
        assert not hasattr(learner, "feature_names_in_")
        said = r"must not mix|must be all strings or all numbers|other columns"
        with pytest.raises((TypeError, ValueError), match=said):
            learner.teach(X, y)


def test_what_was_taught_does_not_change_with_the_array_of_the_caller():
    X, y = np.array([[1.0], [5.0]]), np.array([0, 1])
    learner = ActiveLearner(NaiveBayesClassifier()).teach(X, y)
    X[:], y[:] = 0.0, 0
    assert learner.teach([[5.0]], [1]).X_.tolist() == [[1.0], [5.0], [5.0]]
    assert learner.y_.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"utility": "entropy"}, "utility must be"), ({"batch_size": 0}, "batch_size must be an integer")],
)
def test_bad_parameters_are_named(parameters, message, data):
    with pytest.raises(ValueError, match=message):
        ActiveLearner(**parameters).fit(*data)
    with pytest.raises(ValueError, match=message):
        ActiveLearner(NaiveBayesClassifier()).fit(*data).set_params(**parameters).query(data[0])
