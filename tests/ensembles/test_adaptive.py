"""Ensembles that replace a member when an error has risen."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest
from sklearn.base import clone

from oza import (
    ADWINBaggingClassifier,
    ADWINBoostingClassifier,
    HoeffdingTreeClassifier,
    LeveragingBaggingClassifier,
    NaiveBayesClassifier,
    OnlineBaggingClassifier,
)
from oza.ensembles.adaptive.leveraging import output_codes
from oza.ensembles.algorithm import learn_in_turn
from oza.streams import LED, STAGGER, RandomRBF, drift
from tests import references
from tests.estimators import full_but

N = 4000
ADAPTIVE = {
    "adwin bagging": ADWINBaggingClassifier(voting="majority"),
    "adwin bagging, shares, tested after": ADWINBaggingClassifier(tested="after", replaced="triggered"),
    "leveraging": LeveragingBaggingClassifier(voting="majority"),
    "leveraging, shares": LeveragingBaggingClassifier(replaced="triggered"),
    "me": LeveragingBaggingClassifier(variant="me", voting="majority"),
    "mc": LeveragingBaggingClassifier(output_codes=True, tested="after", voting="majority"),
    "mc, me, shares": LeveragingBaggingClassifier(variant="me", output_codes=True),
    "adwin boosting": ADWINBoostingClassifier(voting="majority"),
    "adwin boosting, after, shares": ADWINBoostingClassifier(tested="after"),
}
BASES = {"trees": HoeffdingTreeClassifier(grace_period=50), "Naive Bayes": NaiveBayesClassifier()}
STREAMS = {
    "nominal": drift(drift(LED(), LED(n_drifting=7), 1500), LED(n_drifting=3), 3000),
    "numeric": drift(drift(RandomRBF(1), RandomRBF(2), 1000), RandomRBF(3), 2500),
}


def new(name, base="trees", stream=None, **parameters):
    model = clone(ADAPTIVE[name]).set_params(
        estimator=BASES[base], n_estimators=4, random_state=5, **parameters
    )
    return model if stream is None else model.set_params(categories=stream.categories)


def state(model, X):
    return (
        model.drift_history_.tolist(),
        model.n_resets_,
        model.estimator_errors_.tolist(),
        model.vote_weights_.tolist(),
        [member.predict_proba(X).tolist() for member in model.estimators_],
        model.predict_proba(X).tolist(),
    )


def example_by_example(model, X, y, weights, classes):
    """Learn by the reference: one step after the other."""
    model.partial_fit(X[:1], y[:1], classes=classes, sample_weight=[0.0])
    examples, weights = model._encode(X), np.asarray(weights)
    labels = np.searchsorted(model.classes_, y)
    predicted = []
    for first in range(0, len(y), model._max_per_call):
        some = slice(first, first + model._max_per_call)
        part = type(examples)(*(each[some] for each in examples))
        voted = learn_in_turn(
            model._algorithm(), model._models, len(model.classes_), part, labels[some], weights[some],
            model._key, model._counted,
        )  # fmt: skip
        model._remember()
        predicted.append(model.classes_[voted])
    return np.concatenate(predicted)


@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("base", full_but(BASES, "Naive Bayes"))
@pytest.mark.parametrize("name", ADAPTIVE)
def test_blocks_equal_the_reference_bit_for_bit_in_any_pieces(name, base, kind):
    stream = STREAMS[kind]
    X, y = stream[:N]
    weights = np.random.default_rng(1).choice([0.0, 1.0, 1.0, 1.0, 2.0], len(y))
    clock = 32 if base == "trees" else 7
    reference = new(name, base, stream, clock=clock, delta=0.3)
    expected = example_by_example(reference, X, y, np.append(0.0, weights[1:]), stream.classes)
    weights[0] = 0.0
    reference_state = state(reference, X[:50])
    for cuts in (
        [0, len(y)],
        [0, 1, 2, 33, 700, 701, 1024, len(y)] if len(y) > 1024 else [0, 31, 500, len(y)],
    ):
        model = new(name, base, stream, clock=clock, delta=0.3)
        model.partial_fit(X[:1], y[:1], classes=stream.classes, sample_weight=[0.0])
        found = [
            model.prequential_predict(X[a:b], y[a:b], stream.classes, weights[a:b]) for a, b in pairwise(cuts)
        ]
        np.testing.assert_array_equal(np.concatenate(found), expected)
        assert state(model, X[:50]) == reference_state
    assert base != "trees" or model.n_resets_ > 0


@pytest.mark.parametrize(
    "base",  # tests of bagging and of adaptive forests have trees in threads
    [pytest.param("trees", marks=pytest.mark.long), "Naive Bayes"],
)
@pytest.mark.parametrize("name", [name for name in ADAPTIVE if "boosting" not in name])
def test_any_number_of_threads_gives_the_same_bits(name, base):
    X, y = STREAMS["numeric"][:N]
    one, three = (new(name, base, clock=32, delta=0.3, n_jobs=n_jobs) for n_jobs in (None, 3))
    expected = one.prequential_predict(X, y, classes=[0, 1])
    np.testing.assert_array_equal(three.prequential_predict(X, y, classes=[0, 1]), expected)
    assert state(three, X[:50]) == state(one, X[:50])
    assert state(three.partial_fit(X, y), X[:50]) == state(one.partial_fit(X, y), X[:50])


@pytest.mark.parametrize("base", BASES)
def test_without_a_change_adwin_bagging_is_online_bagging_bit_for_bit(base):
    X, y = RandomRBF()[:3000]
    watched = new("adwin bagging", base, delta=1e-9).fit(X, y)
    plain = OnlineBaggingClassifier(BASES[base], n_estimators=4, random_state=5).fit(X, y)
    assert watched.n_resets_ == 0 and len(watched.drift_history_) == 0
    np.testing.assert_array_equal(watched.predict_proba(X), plain.predict_proba(X))


class TestWhoIsReplaced:
    """The members are Naive Bayes, of which there is a reference in plain Python with its own detector."""

    N = 400

    def found(self, name, **parameters):
        """History of an ensemble, and of its reference, on a stream whose classes change places."""
        X, y = swapped(STAGGER(2), self.N)
        model = new(name, "Naive Bayes", STAGGER(2), clock=8, **parameters).partial_fit(X, y, classes=[0, 1])
        columns = [list(map(int, known)) for known in STAGGER(2).categories]
        codes = model.output_codes_.tolist() if parameters.get("output_codes") else None
        _, reference = references.adaptive(
            lambda: references.NaiveBayes([0, 1], 0.0, sizes=[len(column) for column in columns]),
            4,
            X.tolist(),
            y.tolist(),
            model._key,
            lam=6.0 if "leveraging" in name or "mc" in name else 1.0,
            by_mistakes="me" in name,
            boosts="boosting" in name,
            clock=8,
            fired=parameters.get("replaced") == "triggered",
            codes=codes,
        )
        return model.drift_history_.tolist(), reference.history

    @pytest.mark.parametrize("name", ["adwin bagging", "leveraging", "me", "adwin boosting"])
    def test_the_member_with_the_larger_error_is_replaced(self, name):
        found, expected = self.found(name)
        assert len(found) > 0 and found == expected

    @pytest.mark.parametrize("name", ["adwin bagging", "leveraging", "me", "adwin boosting"])
    def test_on_request_the_member_whose_detector_fired_is_replaced(self, name):
        found, expected = self.found(name, replaced="triggered")
        assert len(found) > 0 and found == expected
        assert all(member == replaced for _, member, _, _, replaced in found)

    def test_a_member_is_judged_by_its_own_bit(self):
        found, expected = self.found("leveraging", output_codes=True)
        assert len(found) > 0 and found == expected


class TestOutputCodes:
    def test_a_member_votes_for_all_classes_of_its_bit(self):
        X, y = LED()[:3000]
        model = LeveragingBaggingClassifier(
            n_estimators=30, voting="majority", output_codes=True, categories=LED().categories, random_state=0
        )
        model.partial_fit(X, y, classes=range(10))
        bits = np.array([member.predict(X[:100]) for member in model.estimators_])
        assert set(np.unique(bits)) == {0, 1}
        votes = np.array([[(model.output_codes_[:, c] == b).sum() for c in range(10)] for b in bits.T])
        np.testing.assert_array_equal(model._votes(model._encode(X[:100])), votes)
        np.testing.assert_array_equal(model.predict_each(X[:100]), bits.T)
        *_, last = model.staged_predict(X[:100])
        np.testing.assert_array_equal(last, model.predict(X[:100]))
        assert model.score(X, y) > 0.6

    @pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6, 7, 10])
    def test_they_are_uniform_over_those_with_half_of_the_classes_0(self, n_classes):
        found, counts = np.unique(output_codes(11, 8000, n_classes), axis=0, return_counts=True)
        n_ones = {n_classes // 2, (n_classes + 1) // 2}
        assert set(found.sum(axis=1)) == n_ones
        assert len(found) == sum(comb(n_classes, n) for n in n_ones)
        expected = 8000 / len(found)
        assert ((counts - expected) ** 2 / expected).sum() < len(found) + 5 * np.sqrt(2 * len(found))

    def test_all_classes_must_be_known_at_the_first_call(self):
        model = LeveragingBaggingClassifier(output_codes=True)
        with pytest.raises(ValueError, match="classes must be passed on the first call"):
            model.partial_fit([[1.0]], [0])


class TestVoting:
    @pytest.mark.parametrize("name", ["adwin bagging", "adwin boosting"])
    @pytest.mark.parametrize("base", BASES)
    def test_probabilities_of_the_members_are_added_up(self, name, base):
        X, y = RandomRBF(n_classes=3)[:1500]
        model = new(name, base, voting="probability").fit(X, y)
        expected = sum(
            weight * member.predict_proba(X)
            for weight, member in zip(model.vote_weights_, model.estimators_, strict=True)
        )
        np.testing.assert_allclose(model.predict_proba(X) * model.vote_weights_.sum(), expected, rtol=1e-12)
        *_, last = model.staged_predict(X)
        np.testing.assert_array_equal(last, model.predict(X))
        *_, last = model._staged_votes(model._encode(X))
        np.testing.assert_array_equal(last, model._votes(model._encode(X)))


def test_a_reset_restarts_all_of_the_state_of_a_member():
    X, y = swapped(STAGGER(2), 600)
    model = new("adwin boosting", "Naive Bayes", STAGGER(2), clock=8).partial_fit(X, y, classes=[0, 1])
    last = {row[4]: row[0] for row in model.drift_history_.tolist()}
    assert last
    for member, example in last.items():
        assert model._seen[:, member].tolist() == [1199 - example] * 2
        assert model._detectors.windows.n_seen[member] == 1199 - example
        assert model.estimators_[member].class_count_.sum() <= model._boosting.learned[member]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": 0}, "delta must be a number above 0"),
        ({"clock": 0}, "clock must be an integer of at least 1; got 0"),
        ({"replaced": "best"}, 'replaced must be "worst" or "triggered"'),
        ({"tested": "never"}, 'tested must be "before" or "after"'),
        ({"voting": "loud"}, 'voting must be "majority" or "probability"'),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ({"lam": 0}, "lam must be a number above 0"),
        ({"lam": "6"}, "lam must be a number above 0"),
        ({"variant": "mc"}, 'variant must be "plain" or "me"'),
        ({"output_codes": "yes"}, "output_codes must be True or False"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        LeveragingBaggingClassifier(**parameters).fit([[1.0], [2.0]], [0, 1])


def swapped(stream, n):
    """Examples of which the classes change places after the n-th."""
    X, y = stream[: 2 * n]
    return X, np.where(np.arange(2 * n) < n, y, 1 - y)
