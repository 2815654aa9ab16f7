import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier as ScikitAdaBoost
from sklearn.tree import DecisionTreeClassifier as ScikitTree

from oza import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    PrimedOnlineBoostingClassifier,
)
from oza.columns.validation import check_key
from oza.ensembles.algorithm import learn_in_turn
from oza.ensembles.blocks import learn_in_blocks
from oza.ensembles.boosting.kernels import sample_by_weight
from tests import references
from tests.streams import streams

from .conftest import NOMINAL, counts

M = 7


def assert_both_orders_agree(
    base,
    X,
    y,
    classes,
    weights=None,
    later=False,
    test_first=False,
    n_prime=0,
    most=2.0**53,
    categories="auto",
):
    """Example by example and model by model give equal bits, with and without a vote on each example."""
    outcomes, predictions = [], []
    for learns in (learn_in_turn, learn_in_blocks):
        for with_votes in (False, True):
            ensemble = PrimedOnlineBoostingClassifier(
                base,
                n_estimators=M,
                n_prime=n_prime,
                weight_update="later" if later else "thesis",
                tested="before" if test_first else "after",
                categories=categories,
                random_state=0,
            )
            ensemble.partial_fit(X[: max(n_prime, 1)], y[: max(n_prime, 1)], classes)
            boosting, examples = ensemble._boosting, ensemble._encode(X)
            models = ensemble._kind._reserve(ensemble._models, examples)
            w = np.ones(len(y)) if weights is None else np.asarray(weights, np.float64)
            algorithm = ensemble._algorithm()._replace(most_copies=most)
            n_classes = len(classes) if with_votes else 0
            voted = learns(algorithm, models, n_classes, examples, np.asarray(y), w, 77, np.ones(1, int))
            if with_votes:
                predictions.append(voted)
            counts = [p for name, p in models._asdict().items() if name.endswith(("counts", "moments"))]
            outcomes.append([*boosting, *counts])
    np.testing.assert_array_equal(*predictions)
    for outcome in outcomes[1:]:
        for one, other in zip(outcomes[0], outcome, strict=True):
            np.testing.assert_array_equal(one, other)
    return outcomes[0]


@given(
    streams(weighted=True),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from(
        [NaiveBayesClassifier(alpha=0.0), NaiveBayesClassifier(alpha=0.5), DecisionStumpClassifier()]
    ),
    st.integers(0, 20),
    st.sampled_from([3.0, 2.0**53]),
)
@settings(max_examples=150)
def test_model_by_model_equals_example_by_example(stream, weighted, later, test_first, base, n_prime, most):
    assert_both_orders_agree(
        base,
        stream.frame,
        np.array(stream.labels),
        stream.classes,
        stream.weights if weighted else None,
        later,
        test_first,
        n_prime,
        most,
    )


NETWORK = dict(hidden_units=3, epochs=2, updates=2, learning_rate=3.0, initial_range=1.0)


def assert_same_networks(ensemble, stream, models, sums):
    """Weights, sums of weights and votes equal those of the reference, bit for bit."""
    n = len(models)
    assert len(ensemble.estimators_) == n
    for member, model in zip(ensemble.estimators_, models, strict=True):
        np.testing.assert_array_equal(member.coefs_[0], np.array(model.w1)[1:])
        np.testing.assert_array_equal(member.coefs_[1].T, np.array(model.w2)[:, :-1])
        assert member.n_updates_ == model.n_updates
    np.testing.assert_array_equal(
        np.stack([ensemble._boosting.right, ensemble._boosting.wrong], axis=1)[:n], np.array(sums)
    )
    votes = references.boosting_votes(sums, stream.weights)
    np.testing.assert_array_equal(ensemble.vote_weights_, votes)


def network_reference(ensemble, stream, classes):
    key = check_key(ensemble.estimator_.random_state)
    return lambda m: references.NeuralNetwork(classes, stream.values, key, m, 3, 3.0, 2, 2, 1.0)


@given(streams(weighted=True, max_rows=12), st.booleans(), st.integers(0, 2**40))
@settings(max_examples=60)
def test_adaboost_over_networks_learns_each_training_set_in_batch(stream, resample, seed):
    if not any(stream.weights):
        return
    ensemble = AdaBoostClassifier(
        NeuralNetworkClassifier(**NETWORK),
        n_estimators=M,
        resample=resample,
        categories=stream.values,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of bounded weights above 100
        ensemble.fit(stream.frame, stream.labels, sample_weight=stream.weights)
    new_model = network_reference(ensemble, stream, sorted(set(stream.labels)))
    key = ensemble._key if resample else None
    models, sums = references.adaboost(new_model, M, stream.rows, stream.labels, stream.weights, key)
    assert_same_networks(ensemble, stream, models, sums)


@given(
    streams(weighted=True, max_rows=12),
    st.booleans(),
    st.integers(0, 12),
    st.sampled_from(["after", "before"]),
    st.integers(0, 2**40),
)
@settings(max_examples=60)
def test_primed_boosting_over_networks_primes_them_in_batch(stream, resample, n_prime, tested, seed):
    stream = stream._replace(weights=[min(w, 3.0) for w in stream.weights])
    n_prime = min(n_prime, len(stream.rows))
    ensemble = PrimedOnlineBoostingClassifier(
        NeuralNetworkClassifier(**NETWORK),
        M,
        tested=tested,
        n_prime=n_prime,
        resample=resample,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        ensemble.partial_fit(stream.frame, stream.labels, stream.classes, stream.weights)
    models, sums = references.primed(
        network_reference(ensemble, stream, stream.classes),
        M,
        stream.rows,
        stream.labels,
        ensemble._key,
        n_prime,
        stream.weights,
        test_first=tested == "before",
        resample=resample,
    )
    assert_same_networks(ensemble, stream, models, sums)


@pytest.fixture(scope="module")
def parity():
    """A concept that Naive Bayes cannot represent: later models err on more than half."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (2000, 6))
    return X, X[:, :3].sum(axis=1) % 2


# --- AdaBoost ---------------------------------------------------------------------------------


def test_a_failing_model_is_dropped(parity):
    X, y = parity
    ensemble = AdaBoostClassifier(n_estimators=100, categorical_features=range(6)).fit(X, y)
    n_models = len(ensemble.estimators_)
    assert 1 <= n_models < 100
    assert (ensemble.estimator_errors_[1:] < 0.5).all()
    assert len(ensemble.vote_weights_) == n_models


@pytest.mark.parametrize("seed", [2, 6, 9, 11, 26, 27, 32, 35])  # there, sums of floats are less than a half
def test_a_model_whose_exact_error_is_a_half_is_dropped(seed):
    X = np.random.default_rng(seed).integers(0, 3, (40, 3))
    y = np.minimum(X[:, 0] + X[:, 1] * np.random.default_rng(100 + seed).integers(0, 2, 40), 2)
    stump = DecisionStumpClassifier()
    ensemble = AdaBoostClassifier(stump, n_estimators=20, categorical_features=range(3)).fit(X, y)
    weights = [Fraction(1)] * len(y)
    for m, model in enumerate(ensemble.estimators_):
        is_right = model.predict(X) == y
        error = sum(w for w, good in zip(weights, is_right, strict=True) if not good) / len(y)
        assert error < Fraction(1, 2) or m == 0
        if error > 0:
            shares = {True: 2 * (1 - error), False: 2 * error}
            weights = [w / shares[bool(good)] for w, good in zip(weights, is_right, strict=True)]


# --- Online boosting --------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 7, 1000])
@pytest.mark.parametrize("weight_update", ["thesis", "later"])
@pytest.mark.parametrize("tested", ["after", "before"])
def test_any_division_of_the_stream_gives_the_same_models(nominal, chunk, weight_update, tested):
    X, y = nominal
    weights = np.random.default_rng(0).choice([0, 0.3, 1, 2.7], len(y))
    parameters = dict(n_estimators=13, weight_update=weight_update, tested=tested, random_state=3)
    whole = OnlineBoostingClassifier(**parameters, **NOMINAL).fit(X, y, sample_weight=weights)
    cut = OnlineBoostingClassifier(categories=[range(4)] * X.shape[1], **parameters)
    for start in range(0, len(y), chunk):
        rows = slice(start, start + chunk)
        cut.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=weights[rows])
    np.testing.assert_array_equal(counts(whole), counts(cut))
    np.testing.assert_array_equal(whole.vote_weights_, cut.vote_weights_)
    np.testing.assert_array_equal(whole.predict_proba(X), cut.predict_proba(X))


def test_models_from_the_first_that_errs_on_more_than_half_have_no_vote(parity):
    X, y = parity
    ensemble = OnlineBoostingClassifier(n_estimators=60, random_state=1, categorical_features=range(6))
    ensemble.fit(X, y)
    eps = ensemble.estimator_errors_
    last = int(np.argmax(eps > 0.5))
    assert eps[last] > 0.5
    assert (ensemble.vote_weights_[max(last, 1) :] == 0).all()
    assert (ensemble.vote_weights_[:last] >= 0).all()
    assert (eps[last:] < 0.5).any()  # not even later ones that are better than chance


def test_exploding_weights_are_bounded_counted_and_reported_once(parity):
    X, y = parity
    ensemble = OnlineBoostingClassifier(n_estimators=40, random_state=0, categorical_features=range(6))
    heavy = np.full(len(y), 2.0**42)
    with pytest.warns(RuntimeWarning, match="n_bounded_draws_ says how many"):
        ensemble.fit(X, y, sample_weight=heavy)
        ensemble.partial_fit(X, y, sample_weight=np.full(len(y), 1.0))
    n_bounded = ensemble.n_bounded_draws_
    assert n_bounded > 0
    copies = np.array([e.class_count_.sum() for e in ensemble.estimators_])
    assert (copies <= 2.0**53).all()
    assert (copies == np.floor(copies)).all()
    assert np.isfinite(ensemble.lambda_correct_ + ensemble.lambda_wrong_).all()


def test_a_member_is_whole_even_if_there_are_as_many_values_as_models():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (50, 3)), rng.integers(0, 2, 50)
    base = NaiveBayesClassifier(alpha=1.0)
    ensemble = OnlineBaggingClassifier(
        base, n_estimators=6, random_state=0, categorical_features=range(3)
    ).fit(X, y)
    members = np.array([member.predict(X) for member in ensemble.estimators_])
    votes = np.stack([np.sum(members == c, axis=0) for c in (0, 1)], axis=1)
    np.testing.assert_array_equal(ensemble._votes(ensemble._encode(X)), votes)


# --- Primed online boosting -------------------------------------------------------------------


@pytest.mark.parametrize("n_prime", [3000, 10**6])
def test_primed_with_all_examples_is_adaboost(nominal, n_prime):
    X, y = nominal
    primed = PrimedOnlineBoostingClassifier(n_estimators=10, n_prime=n_prime, random_state=0, **NOMINAL)
    primed.fit(X, y)
    batch = AdaBoostClassifier(n_estimators=10, **NOMINAL).fit(X, y)
    n_models = len(batch.estimators_)
    np.testing.assert_array_equal(counts(primed)[:n_models], counts(batch))
    np.testing.assert_array_equal(primed.vote_weights_[:n_models], batch.vote_weights_)
    assert not any(count.any() for count in counts(primed)[n_models:])
    np.testing.assert_array_equal(primed.predict_proba(X), batch.predict_proba(X))


def test_primed_with_no_example_is_online_boosting(nominal):
    X, y = nominal
    primed = PrimedOnlineBoostingClassifier(n_estimators=4, n_prime=0, random_state=0, **NOMINAL).fit(X, y)
    online = OnlineBoostingClassifier(n_estimators=4, random_state=0, **NOMINAL).fit(X, y)
    np.testing.assert_array_equal(counts(primed), counts(online))


@pytest.mark.parametrize("chunk", [1, 97, 500, 501])
def test_any_division_of_the_stream_gives_the_same_primed_models(nominal, chunk):
    X, y = nominal
    parameters = dict(n_estimators=5, n_prime=500, random_state=3)
    whole = PrimedOnlineBoostingClassifier(**parameters, **NOMINAL).fit(X, y)
    cut = PrimedOnlineBoostingClassifier(categories=[range(4)] * X.shape[1], **parameters)
    for start in range(0, len(y), chunk):
        rows = slice(start, start + chunk)
        cut.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_array_equal(counts(whole), counts(cut))
    np.testing.assert_array_equal(whole.vote_weights_, cut.vote_weights_)


def test_the_sums_of_weight_go_on_from_where_adaboost_ended(nominal):
    X, y = nominal
    batch = AdaBoostClassifier(n_estimators=2, **NOMINAL).fit(X[:600], y[:600])
    primed = PrimedOnlineBoostingClassifier(n_estimators=2, n_prime=600, random_state=0, **NOMINAL)
    primed.partial_fit(X[:600], y[:600], classes=[0, 1, 2])
    np.testing.assert_allclose(primed.lambda_correct_, 600 * (1 - batch.estimator_errors_), rtol=1e-12)
    np.testing.assert_allclose(primed.lambda_wrong_, 600 * batch.estimator_errors_, rtol=1e-12)
    primed.partial_fit(X[600:], y[600:])
    assert primed.lambda_correct_[0] + primed.lambda_wrong_[0] == len(y)


@pytest.mark.parametrize("method", ["partial_fit", "prequential_predict"])
def test_no_stream_without_a_number_of_examples_to_prime_with(method):
    assert not hasattr(PrimedOnlineBoostingClassifier(), method)
    assert hasattr(PrimedOnlineBoostingClassifier(n_prime=10), method)


def test_fit_is_over_when_there_are_no_more_examples_to_wait_for(nominal):
    X, y = nominal
    ensemble = PrimedOnlineBoostingClassifier(n_estimators=3, n_prime=400, random_state=0, **NOMINAL)
    ensemble.fit(X[:300], y[:300])
    alone = AdaBoostClassifier(n_estimators=3, **NOMINAL).fit(X[:300], y[:300])
    np.testing.assert_array_equal(ensemble.predict(X), alone.predict(X))
    before = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    ensemble.partial_fit(X[300:310], y[300:310])
    after = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    assert (after - before)[0] == pytest.approx(10)


@pytest.mark.parametrize("seed", range(20))
def test_two_class_adaboost_over_stumps_equals_scikit_learns(seed):
    """The definitions coincide for two classes and two-valued attributes.

    Then SAMME's vote log((1 − ε)/ε) + log(K − 1) is ours, a stump with a branch for each value is a
    tree of depth 1, and entropy is our criterion. They differ elsewhere, and the data keep away
    from it: on a tie of two attributes scikit-learn takes a random one (the weights are random, so
    that there is none), and where a model does not err, it votes with weight 1 there and with
    log(2N − 1) here. scikit-learn gives weights a sum of 1, we a mean of 1: a factor that no
    stump can see.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 120)
    X = np.where(rng.random((120, 7)) < 0.6, y[:, None], rng.integers(0, 2, (120, 7)))
    weights = rng.uniform(0.5, 2.0, 120)
    ours = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=15, categorical_features=range(7))
    ours.fit(X, y, weights)
    tree = ScikitTree(max_depth=1, criterion="entropy")
    theirs = ScikitAdaBoost(tree, n_estimators=15, random_state=0).fit(X, y, weights)
    n_models = len(ours.estimators_)
    assert n_models == len(theirs.estimators_) > 3
    assert (ours.estimator_errors_ > 0.01).all()
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[:n_models], rtol=1e-9)
    np.testing.assert_allclose(ours.vote_weights_, theirs.estimator_weights_[:n_models], rtol=1e-9)
    assert [m.feature_ for m in ours.estimators_] == [int(t.tree_.feature[0]) for t in theirs.estimators_]
    for ours_so_far, theirs_so_far in zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True):
        assert ours_so_far.tolist() == theirs_so_far.tolist()


@pytest.mark.parametrize("n_light", [0, 3])
def test_a_sample_by_subnormal_weights_stays_among_the_examples_that_have_any(n_light):
    weights = np.repeat([5e-324, 0.0], [200, n_light])
    sample = np.full(len(weights), -1, np.int32)
    for row in range(50):
        sample_by_weight(sample, weights, np.uint64(row))
        assert sample.min() >= 0 and sample.max() < 200


def test_a_perfect_first_model_keeps_a_large_finite_vote():
    X, y = [["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1]
    ensemble = AdaBoostClassifier(n_estimators=10).fit(X, y)
    assert ensemble.estimator_errors_.tolist() == [0.0]
    assert ensemble.vote_weights_ == pytest.approx([np.log(7)])  # eps is taken as 1/8
    assert ensemble.score(X, y) == 1.0
