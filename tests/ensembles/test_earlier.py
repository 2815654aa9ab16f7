import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import (
    BlockedBoostingClassifier,
    FixedFractionBaggingClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineArcX4Classifier,
)
from oza.columns.validation import check_key
from tests import references
from tests.streams import pieces, streams

from .conftest import NOMINAL, counts

M = 5


def test_the_hard_share_of_a_block_is_that_of_the_examples_the_vote_got_wrong():
    X = np.array([[0], [0], [0], [1], [1], [1], [0], [0]])
    y = np.array([0, 0, 1, 1, 1, 0, 1, 0])
    ensemble = BlockedBoostingClassifier(n_estimators=3, block_size=2, categories=[[0, 1]], random_state=1)
    ensemble.partial_fit(X[:2], y[:2], classes=[0, 1])  # a model that says 0
    assert ensemble.hard_shares_.tolist() == [0.0]
    ensemble.partial_fit(X[2:4], y[2:4])  # both wrong: the second block
    assert ensemble.hard_shares_.tolist() == [0.0, 1.0]


CUTS = st.lists(st.integers(1, 9), max_size=5)


@given(streams(max_rows=20), st.integers(1, 12), st.integers(0, 2**40), CUTS)
@settings(max_examples=60)
def test_blocked_boosting_over_networks_learns_each_block_in_batch(stream, block_size, seed, cuts):
    base = NeuralNetworkClassifier(hidden_units=3, epochs=2, updates=2, learning_rate=3.0, initial_range=1.0)
    ensemble = BlockedBoostingClassifier(base, M, block_size=block_size, random_state=seed)
    labels = np.array(stream.labels)
    for rows in pieces(cuts, len(labels)):
        ensemble.partial_fit(stream.frame.iloc[rows], labels[rows], stream.classes)
    key = check_key(ensemble.estimator_.random_state)
    models, (smoothed, errors) = references.blocked(
        lambda m: references.NeuralNetwork(stream.classes, stream.values, key, m, 3, 3.0, 2, 2, 1.0),
        M,
        stream.rows,
        stream.labels,
        ensemble._key,
        block_size,
    )
    assert len(ensemble.estimators_) == len(models)
    for member, model in zip(ensemble.estimators_, models, strict=True):
        np.testing.assert_array_equal(member.coefs_[0], np.array(model.w1)[1:])
        assert member.n_updates_ == model.n_updates
    votes = [references.vote(models, stream.classes, x) for x in stream.rows]
    np.testing.assert_array_equal(ensemble._votes(ensemble._encode(stream.frame)), votes)
    np.testing.assert_array_equal(ensemble.block_errors_, smoothed)
    np.testing.assert_array_equal(ensemble.estimator_errors_, errors)


@pytest.mark.parametrize("chunk", [1, 7, 1000])
@pytest.mark.parametrize(
    "ensemble", [FixedFractionBaggingClassifier, OnlineArcX4Classifier, BlockedBoostingClassifier]
)
def test_any_division_of_the_stream_gives_the_same_models(nominal, chunk, ensemble):
    X, y = nominal
    parameters = {} if ensemble is OnlineArcX4Classifier else {"random_state": 3}
    whole = ensemble(n_estimators=6, **parameters, **NOMINAL).fit(X, y)
    cut = ensemble(n_estimators=6, categories=[range(4)] * X.shape[1], **parameters)
    for start in range(0, len(y), chunk):
        cut.partial_fit(X[start : start + chunk], y[start : start + chunk], classes=[0, 1, 2])
    np.testing.assert_array_equal(counts(whole), counts(cut))
    np.testing.assert_array_equal(whole.predict_proba(X), cut.predict_proba(X))


def test_each_block_holds_its_number_of_examples_and_an_unfinished_one_is_dropped(nominal):
    X, y = nominal
    ensemble = BlockedBoostingClassifier(random_state=0, **NOMINAL).fit(X, y)
    sizes = [e.class_count_.sum() for e in ensemble.estimators_]
    assert 1 < len(sizes) < 30
    assert set(sizes) == {100}


def test_the_first_block_votes_even_if_it_is_not_full(nominal):
    X, y = nominal
    ensemble = BlockedBoostingClassifier(block_size=100, random_state=0, **NOMINAL).fit(X[:50], y[:50])
    np.testing.assert_array_equal(
        ensemble.predict(X), NaiveBayesClassifier(**NOMINAL).fit(X[:50], y[:50]).predict(X)
    )
