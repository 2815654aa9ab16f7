import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import (
    BaggingClassifier,
    DecisionTreeClassifier,
    HoeffdingTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineBaggingClassifier,
)
from oza.columns.validation import check_key
from tests import references
from tests.streams import streams

from .conftest import NOMINAL, counts

M = 7


@given(streams(weighted=True, max_rows=8), st.booleans(), st.integers(0, 2**40), st.booleans())
@settings(max_examples=40)
def test_bagged_networks_equal_the_reference_bit_for_bit(stream, weighted, seed, online):
    weights = [w % 5 for w in stream.weights] if weighted else None
    if not online and weighted and not any(weights):
        return
    values = stream.values
    network = NeuralNetworkClassifier(hidden_units=3, epochs=2, updates=2)
    bagging, algorithm = (
        (OnlineBaggingClassifier, references.online_bagging)
        if online
        else (BaggingClassifier, references.bagging)
    )
    ensemble = bagging(network, n_estimators=M, oob_score=True, categories=values, random_state=seed)
    if online:
        ensemble.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=weights)
    else:
        ensemble.fit(stream.frame, stream.labels, sample_weight=weights)
    classes = ensemble.classes_.tolist()
    key = check_key(ensemble.estimator_.random_state)
    models, out_of_bag = algorithm(
        lambda m: references.NeuralNetwork(classes, values, key, m, hidden=3, epochs=2, updates=2),
        M,
        stream.rows,
        stream.labels,
        ensemble._key,
        weights,
    )
    for member, model in zip(ensemble.estimators_, models, strict=True):
        assert member.n_updates_ == model.n_updates
        np.testing.assert_array_equal(member.coefs_[0], np.array(model.w1)[1:].reshape(-1, 3))
        np.testing.assert_array_equal(member.coefs_[1], np.array(model.w2)[:, :-1].T)
    assert ensemble.estimator_errors_.tolist() == out_of_bag.errors
    votes = np.array([references.vote(models, classes, x) for x in stream.rows])
    np.testing.assert_array_equal(ensemble._votes(ensemble._encode(stream.frame)), votes)


@pytest.fixture(scope="module")
def nominal():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 3000)
    X = (rng.integers(0, 4, (3000, 12)) + (rng.random((3000, 12)) < 0.4) * y[:, None]) % 4
    return X, y


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_any_division_of_the_stream_gives_the_same_models(nominal, chunk):
    X, y = nominal
    whole = OnlineBaggingClassifier(n_estimators=13, random_state=3, **NOMINAL).fit(X, y)
    cut = OnlineBaggingClassifier(n_estimators=13, categories=[range(4)] * X.shape[1], random_state=3)
    for start in range(0, len(y), chunk):
        cut.partial_fit(X[start : start + chunk], y[start : start + chunk], classes=[0, 1, 2])
    np.testing.assert_array_equal(counts(whole), counts(cut))
    np.testing.assert_array_equal(whole.predict_proba(X), cut.predict_proba(X))


@pytest.mark.parametrize(
    "base", [NaiveBayesClassifier(), HoeffdingTreeClassifier(), DecisionTreeClassifier()]
)
def test_any_number_of_threads_gives_the_same_models(nominal, base):
    X, y = (part[:1500] for part in nominal)
    one, three = (OnlineBaggingClassifier(base, 7, n_jobs=n, random_state=3, **NOMINAL) for n in (None, 3))
    expected = one.prequential_predict(X, y, classes=[0, 1, 2])
    np.testing.assert_array_equal(three.prequential_predict(X, y, classes=[0, 1, 2]), expected)
    answers, expected = (model.partial_fit(X, y).predict_each(X) for model in (three, one))
    np.testing.assert_array_equal(answers, expected)
    with pytest.raises(ValueError, match="n_jobs must be None or an integer"):
        OnlineBaggingClassifier(n_jobs=0, **NOMINAL).fit(X, y)


def test_each_bootstrap_sample_of_bagging_has_n_examples(nominal):
    X, y = nominal
    members = BaggingClassifier(n_estimators=20, random_state=0, **NOMINAL).fit(X, y).estimators_
    assert {e.class_count_.sum() for e in members} == {len(y)}
    assert len({tuple(e.class_count_) for e in members}) > 15


@pytest.mark.parametrize("n_estimators", [1, 3, 48])
@pytest.mark.parametrize("base", [NaiveBayesClassifier(alpha=1), NeuralNetworkClassifier()])
def test_members_are_classifiers_that_vote_as_they_do_in_the_ensemble(nominal, base, n_estimators):
    X, y = nominal  # 48 values, which is also the number of models in the last case
    ensemble = OnlineBaggingClassifier(base, n_estimators=n_estimators, random_state=0, **NOMINAL)
    ensemble.fit(X[:300], y[:300])
    votes = sum(np.eye(3, dtype=int)[member.predict(X[:50])] for member in ensemble.estimators_)
    np.testing.assert_array_equal(ensemble._votes(ensemble._encode(X[:50])), votes)
    for member in ensemble.estimators_[:3]:
        assert np.isfinite(member.predict_proba(X[:50])).all()


def test_votes_that_tie_go_to_the_first_class():
    ensemble = OnlineBaggingClassifier(n_estimators=4, random_state=0)
    ensemble.partial_fit([["a"]], [1], classes=[0, 1], sample_weight=[0])
    assert ensemble.predict([["a"]]) == [0]
    assert ensemble.predict_proba([["a"]]).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("n_estimators", [0, -3, 2.5, True, "ten"])
def test_n_estimators_must_be_a_positive_integer(n_estimators):
    with pytest.raises(ValueError, match="n_estimators must be an integer"):
        BaggingClassifier(n_estimators=n_estimators).fit([[1]], [0])


@pytest.mark.parametrize("ensemble", [BaggingClassifier, OnlineBaggingClassifier])
def test_weights_that_draws_could_multiply_beyond_exact_counts_are_refused(ensemble):
    heavy = ensemble(n_estimators=20, random_state=0)
    with pytest.raises(OverflowError, match=r"could be trained on a weight of .* exact only below 2\*\*53"):
        heavy.fit([[0], [1]], [0, 1], sample_weight=[2.0**53 - 2, 1.0])
    assert not hasattr(heavy, "classes_")
    heavy.fit([[0], [1]], [0, 1], sample_weight=[2.0**51, 1.0])
    counts = np.array([member.class_count_ for member in heavy.estimators_])
    assert counts.sum(axis=1).max() < 2.0**53
    np.testing.assert_array_equal(counts, np.floor(counts))


def test_a_stream_is_refused_before_draws_could_lead_beyond_exact_counts():
    model = OnlineBaggingClassifier(n_estimators=20, random_state=0)
    model.partial_fit([[0], [1]], [0, 1], classes=[0, 1], sample_weight=[2.0**52, 0.0])
    before = model.predict_proba([[0], [1]])
    with pytest.raises(OverflowError, match=r"2\*\*53"):  # 2**53 - 2 in all, and a little more by chance
        model.partial_fit([[1]], [1], sample_weight=[2.0**52 - 2])
    np.testing.assert_array_equal(model.predict_proba([[0], [1]]), before)
    model.partial_fit([[1]], [1], sample_weight=[2.0**51])
    assert max(member.class_count_.sum() for member in model.estimators_) < 2.0**53
