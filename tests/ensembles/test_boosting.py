import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import AdaBoostClassifier as ScikitAdaBoost
from sklearn.tree import DecisionTreeClassifier as ScikitTree

from oza import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    PrimedOnlineBoostingClassifier,
)
from oza.classifier.contract import BLOCK
from oza.columns.validation import check_key
from oza.ensembles.algorithm import learn_in_turn
from oza.ensembles.blocks import learn_in_blocks
from oza.ensembles.boosting.kernels import adaboost, new_boosting, next_lambda, sample_by_weight
from oza.kernels.compile import kernel
from tests import references
from tests.streams import streams

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
            voted = learns(algorithm, models, n_classes, examples, np.asarray(y), w, 77, 1)
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


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize(
    "base", [NaiveBayesClassifier(alpha=0.0), NaiveBayesClassifier(alpha=1.0), DecisionStumpClassifier()]
)
@pytest.mark.parametrize("width", [5, 1200])
@pytest.mark.parametrize("test_first", [False, True])
def test_model_by_model_equals_example_by_example_on_long_and_on_wide_data(
    n_classes, base, width, test_first
):
    rng = np.random.default_rng(n_classes)
    n = 2 * BLOCK + 100 if width == 5 else 120
    y = rng.integers(0, n_classes, n)
    X = np.where(rng.random((n, width)) < 0.1, y[:, None], rng.integers(0, 5, (n, width)))
    X[::11, ::7] = 9  # rare values
    categories = [[0, 1, 2, 3, 4, 9]] * width
    right, wrong, *_ = assert_both_orders_agree(
        base, X, y, range(n_classes), test_first=test_first, categories=categories
    )
    assert (right > 0).all()
    assert (wrong > 0).all()


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


NOMINAL = {"categorical_features": range(12)}


@pytest.fixture(scope="module")
def nominal():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 3000)
    X = np.where(rng.random((3000, 12)) < 0.15, y[:, None], rng.integers(0, 4, (3000, 12)))
    return X, y


@pytest.fixture(scope="module")
def two_classes(nominal):
    X, y = nominal
    return X[y < 2], y[y < 2]


@pytest.fixture(scope="module")
def parity():
    """A concept that Naive Bayes cannot represent: later models err on more than half."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (2000, 6))
    return X, X[:, :3].sum(axis=1) % 2


def counts(ensemble):
    return [np.concatenate([c.ravel() for c in e.category_count_]) for e in ensemble.estimators_]


# --- AdaBoost ---------------------------------------------------------------------------------


def weights_after(n_models, X, y):
    """The weights that AdaBoost would give to the next model, and the results so far."""
    classifier = AdaBoostClassifier(n_estimators=n_models, **NOMINAL).fit(X, y)
    boosting = new_boosting(n_models)
    weights = np.ones(len(y))
    models = NaiveBayesClassifier()._new_models(classifier._schema, classifier.classes_, n_models)
    made = adaboost(models, n_models, boosting, classifier._encode(X), y, weights, False, 0)
    assert made == n_models == len(classifier.estimators_)
    return weights, classifier


@pytest.mark.parametrize("n_models", [1, 2, 3])
def test_after_reweighting_right_and_wrong_weigh_one_half_each(nominal, n_models):
    X, y = nominal
    weights, classifier = weights_after(n_models, X, y)
    right = classifier.estimators_[-1].predict(X) == y
    assert weights[right].sum() == pytest.approx(len(y) / 2, rel=1e-12)
    assert weights[~right].sum() == pytest.approx(len(y) / 2, rel=1e-12)


def test_weights_have_mean_one_so_that_smoothing_means_the_same_as_for_one_model(nominal):
    X, y = nominal
    base = NaiveBayesClassifier(alpha=1.0)
    ensemble = AdaBoostClassifier(base, n_estimators=5, **NOMINAL).fit(X, y)
    np.testing.assert_array_equal(
        ensemble.estimators_[0].predict_proba(X),
        NaiveBayesClassifier(alpha=1.0, **NOMINAL).fit(X, y).predict_proba(X),
    )
    for member in ensemble.estimators_:
        assert member.class_count_.sum() == pytest.approx(len(y), rel=1e-12)


def test_training_error_stays_under_the_bound_of_theorem_3(two_classes):
    X, y = two_classes
    for n_models in (1, 2, 3, 5, 10, 30):
        ensemble = AdaBoostClassifier(n_estimators=n_models, **NOMINAL).fit(X, y)
        eps = ensemble.estimator_errors_
        bound = np.prod(2 * np.sqrt(eps * (1 - eps)))
        assert 0 < 1 - ensemble.score(X, y) <= bound < 1


def test_a_perfect_first_model_keeps_a_large_finite_vote():
    X, y = [["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1]
    ensemble = AdaBoostClassifier(n_estimators=10).fit(X, y)
    assert ensemble.estimator_errors_.tolist() == [0.0]
    assert ensemble.vote_weights_ == pytest.approx([np.log(7)])  # eps is taken as 1/8
    assert ensemble.score(X, y) == 1.0


def test_a_perfect_model_outvotes_those_before_it(nominal):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 1))
    y = (np.abs(X[:, 0]) < 0.1).astype(int)
    ensemble = AdaBoostClassifier(n_estimators=50).fit(X, y)
    assert np.isfinite(ensemble.vote_weights_).all()
    assert (ensemble.vote_weights_ > 0).all()


def test_when_the_first_model_fails_it_is_all_there_is(parity):
    X = np.array([[0], [0], [1], [1]])
    y = np.array([0, 1, 0, 1])  # no better than chance
    ensemble = AdaBoostClassifier(n_estimators=10, categorical_features=[0]).fit(X, y)
    assert ensemble.estimator_errors_.tolist() == [0.5]
    assert ensemble.vote_weights_.tolist() == [1.0]
    np.testing.assert_array_equal(
        ensemble.predict(X), NaiveBayesClassifier(categorical_features=[0]).fit(X, y).predict(X)
    )


def test_a_failing_model_is_dropped(parity):
    X, y = parity
    ensemble = AdaBoostClassifier(n_estimators=100, categorical_features=range(6)).fit(X, y)
    n_models = len(ensemble.estimators_)
    assert 1 <= n_models < 100
    assert (ensemble.estimator_errors_[1:] < 0.5).all()
    assert len(ensemble.vote_weights_) == n_models


def test_weight_two_is_the_same_as_two_rows(nominal):
    X, y = nominal[0][:300], nominal[1][:300]
    twice = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = AdaBoostClassifier(n_estimators=5, **NOMINAL).fit(X, y, sample_weight=twice)
    repeated = AdaBoostClassifier(n_estimators=5, **NOMINAL).fit(
        np.repeat(X, twice, axis=0), np.repeat(y, twice)
    )
    np.testing.assert_allclose(weighted.vote_weights_, repeated.vote_weights_, rtol=1e-9)


def test_a_sample_drawn_by_weight_follows_the_weights(nominal):
    X, y = nominal
    ensemble = AdaBoostClassifier(n_estimators=2, resample=True, random_state=0, **NOMINAL)
    ensemble.fit(X, y, sample_weight=np.where(y == 2, 0.0, np.where(y == 1, 3.0, 1.0)))
    drawn = ensemble.estimators_[0].class_count_
    assert drawn.sum() == len(y)
    assert drawn[2] == 0
    share = 3 * np.sum(y == 1) / (np.sum(y == 0) + 3 * np.sum(y == 1))
    assert abs(drawn[1] / len(y) - share) < 4 * np.sqrt(share * (1 - share) / len(y))


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


def test_the_first_model_is_that_of_online_bagging(nominal):
    X, y = nominal
    boosted = OnlineBoostingClassifier(n_estimators=3, random_state=8, **NOMINAL).fit(X, y)
    bagged = OnlineBaggingClassifier(n_estimators=3, random_state=8, **NOMINAL).fit(X, y)
    np.testing.assert_array_equal(counts(boosted)[0], counts(bagged)[0])
    assert (counts(boosted)[1] != counts(bagged)[1]).any()


def test_more_models_leave_the_first_ones_as_they_are(nominal):
    X, y = nominal
    few = OnlineBoostingClassifier(n_estimators=5, random_state=3, **NOMINAL).fit(X, y)
    many = OnlineBoostingClassifier(n_estimators=9, random_state=3, **NOMINAL).fit(X, y)
    np.testing.assert_array_equal(counts(few), counts(many)[:5])


def test_every_example_changes_lambda_even_where_no_copy_is_learned(nominal):
    X, y = nominal
    ensemble = OnlineBoostingClassifier(n_estimators=3, random_state=0, **NOMINAL).fit(X, y)
    total = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    learned = np.array([e.class_count_.sum() for e in ensemble.estimators_])
    assert total[0] == len(y) != learned[0]  # k = 0 counts towards the sums, k = 2 counts once
    np.testing.assert_allclose(total, len(y), rtol=0.05)


def test_models_see_different_weights_so_boosting_is_not_bagging(nominal):
    X, y = nominal
    ensemble = OnlineBoostingClassifier(n_estimators=6, random_state=0, **NOMINAL).fit(X, y)
    first = ensemble.estimators_[0].predict(X) == y
    expected = np.bincount(y[~first], minlength=3) / (2 * np.mean(~first)) + np.bincount(
        y[first], minlength=3
    ) / (2 * np.mean(first))
    np.testing.assert_allclose(ensemble.estimators_[1].class_count_, expected, rtol=0.15)


def test_a_perfect_model_does_not_end_the_vote():
    X, y = [["a"], ["b"]] * 50, [0, 1] * 50
    ensemble = OnlineBoostingClassifier(n_estimators=10, random_state=0)
    ensemble.partial_fit(X, y, classes=[0, 1], sample_weight=np.full(100, 50.0))  # no k = 0 for the first
    assert ensemble.estimator_errors_[0] == 0
    assert ensemble.vote_weights_[0] == pytest.approx(np.log(9999))  # eps is taken as 1/10000
    assert ensemble.score(X, y) == 1.0


def test_models_from_the_first_that_errs_on_more_than_half_have_no_vote(parity):
    X, y = parity
    ensemble = OnlineBoostingClassifier(n_estimators=60, random_state=1, categorical_features=range(6)).fit(
        X, y
    )
    eps = ensemble.estimator_errors_
    last = int(np.argmax(eps > 0.5))
    assert eps[last] > 0.5
    assert (ensemble.vote_weights_[max(last, 1) :] == 0).all()
    assert (ensemble.vote_weights_[:last] >= 0).all()
    assert (eps[last:] < 0.5).any()  # not even later ones that are better than chance


def test_if_the_first_model_errs_on_more_than_half_it_alone_votes():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, (60, 2)), rng.integers(0, 9, 60)
    ensemble = OnlineBoostingClassifier(n_estimators=5, random_state=0, categorical_features=[0, 1]).fit(X, y)
    assert ensemble.estimator_errors_[0] > 0.5
    assert ensemble.vote_weights_.tolist() == [1, 0, 0, 0, 0]
    np.testing.assert_array_equal(ensemble.predict(X), ensemble.estimators_[0].predict(X))


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


def test_usual_data_meet_no_bound(nominal):
    X, y = nominal
    assert (
        OnlineBoostingClassifier(n_estimators=100, random_state=0, **NOMINAL).fit(X, y).n_bounded_draws_ == 0
    )


@kernel
def pass_on(boosting, lam, is_right, later, seen):
    return next_lambda(boosting, 0, lam, is_right, later, seen)


def test_the_two_updates_agree_where_the_weights_add_up():
    for is_right in (True, False):
        outcomes = []
        for later in (False, True):
            boosting = new_boosting(1)
            boosting.right[0], boosting.wrong[0] = 70.0, 29.0
            outcomes.append(pass_on(boosting, 1.0, is_right, later, 100.0))
        assert outcomes[0] == pytest.approx(outcomes[1])


def test_votes_have_reached_the_batch_algorithm_on_a_long_stream(nominal):
    X, y = nominal
    batch = AdaBoostClassifier(n_estimators=3, **NOMINAL).fit(X, y)
    online = OnlineBoostingClassifier(n_estimators=3, random_state=0, **NOMINAL)
    for _ in range(10):
        online.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_allclose(online.estimator_errors_[:2], batch.estimator_errors_[:2], atol=0.03)


def test_a_model_can_be_tested_before_it_learns():
    after, before = (
        OnlineBoostingClassifier(
            n_estimators=1, categories=[["a", "b"]], tested=tested, random_state=0
        ).partial_fit([["a"], ["a"], ["b"], ["a"]], [0, 0, 1, 0], classes=[0, 1], sample_weight=[50.0] * 4)
        for tested in ("after", "before")
    )
    np.testing.assert_array_equal(counts(after), counts(before))
    assert [after.lambda_correct_[0], after.lambda_wrong_[0]] == [200, 0]
    assert [before.lambda_correct_[0], before.lambda_wrong_[0]] == [100, 100]  # not the first "a", nor "b"


def test_trees_that_memorise_noise_are_right_only_about_what_they_have_just_learned():
    rng = np.random.default_rng(0)
    X, y = (
        rng.integers(0, 2, (500, 4)),
        rng.integers(0, 2, 500),
    )  # the label is noise: the true error is 1/2
    errors = {
        tested: OnlineBoostingClassifier(
            DecisionTreeClassifier(), 1, tested=tested, random_state=0, categorical_features=range(4)
        )
        .fit(X, y)
        .estimator_errors_[0]
        for tested in ("after", "before")
    }
    assert errors["after"] < 0.47
    assert abs(errors["before"] - 0.5) < 0.05


def test_an_unknown_weight_update_is_refused():
    with pytest.raises(ValueError, match='weight_update must be "thesis" or "later"'):
        OnlineBoostingClassifier(weight_update="other").fit([[1]], [0])


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
    primed = PrimedOnlineBoostingClassifier(n_estimators=10, n_prime=n_prime, random_state=0, **NOMINAL).fit(
        X, y
    )
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


def test_a_fifth_of_the_examples_primes_by_default(nominal):
    X, y = nominal
    default = PrimedOnlineBoostingClassifier(n_estimators=4, random_state=0, **NOMINAL).fit(X, y)
    given_it = PrimedOnlineBoostingClassifier(n_estimators=4, n_prime=600, random_state=0, **NOMINAL).fit(
        X, y
    )
    np.testing.assert_array_equal(counts(default), counts(given_it))


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


def test_a_primed_ensemble_predicts_prequentially_before_and_after_it_is_primed(nominal):
    X, y = nominal[0][:60], nominal[1][:60]
    one, other = (
        PrimedOnlineBoostingClassifier(
            n_estimators=3, n_prime=40, categories=[range(4)] * X.shape[1], random_state=0
        )
        for _ in range(2)
    )
    predicted = one.prequential_predict(X, y, classes=[0, 1, 2])
    expected = []
    for n in range(len(y)):
        expected.append(other.predict(X[n : n + 1])[0] if n else 0)
        other.partial_fit(X[n : n + 1], y[n : n + 1], classes=[0, 1, 2])
    assert predicted.tolist() == expected
    assert set(expected[:40]) == {0} != set(expected[40:])
    np.testing.assert_array_equal(counts(one), counts(other))


def test_fit_is_over_when_there_are_no_more_examples_to_wait_for(nominal):
    X, y = nominal
    ensemble = PrimedOnlineBoostingClassifier(n_estimators=3, n_prime=400, random_state=0, **NOMINAL).fit(
        X[:300], y[:300]
    )
    alone = AdaBoostClassifier(n_estimators=3, **NOMINAL).fit(X[:300], y[:300])
    np.testing.assert_array_equal(ensemble.predict(X), alone.predict(X))
    before = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    ensemble.partial_fit(X[300:310], y[300:310])
    after = ensemble.lambda_correct_ + ensemble.lambda_wrong_
    assert (after - before)[0] == pytest.approx(10)


@pytest.mark.parametrize("n_prime", [-1, 2.5, True, "all"])
def test_n_prime_must_be_a_number_of_examples(n_prime):
    with pytest.raises(ValueError, match="n_prime must be None or an integer"):
        PrimedOnlineBoostingClassifier(n_prime=n_prime).fit([[1]], [0])


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
    ours = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=15, categorical_features=range(7)).fit(
        X, y, weights
    )
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
