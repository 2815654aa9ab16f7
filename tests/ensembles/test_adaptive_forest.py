"""Adaptive random forests: equal to the reference in any order."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from oza import AdaptiveRandomForestClassifier, HoeffdingTreeClassifier, NaiveBayesClassifier
from oza.kernels.random import key_of, row_key
from oza.streams import LED, STAGGER, RandomRBF, drift
from tests import references

from .test_adaptive import example_by_example

N = 4000
STREAMS = {
    "nominal": drift(drift(LED(), LED(n_drifting=7), 1500), LED(n_drifting=3), 3000),
    "numeric": drift(drift(RandomRBF(1), RandomRBF(2), 1000), RandomRBF(3), 2500),
}
OFTEN = {"delta": 0.05, "delta_warning": 0.9}  # detectors that alarm often


def forest(stream, **parameters):
    parameters = {"n_estimators": 4, "voting": "majority", "random_state": 5} | parameters
    return AdaptiveRandomForestClassifier(categories=stream.categories, **parameters)


def state(model, X):
    """All that a forest knows, background trees included."""
    others = np.flatnonzero(model._has_background) + model._n_models
    return (
        model.drift_history_.tolist(),
        model.n_resets_,
        model.n_warnings_,
        model.estimator_errors_.tolist(),
        model.vote_weights_.tolist(),
        [member.predict_proba(X).tolist() for member in model.estimators_],
        [(m, model._member(m).predict_proba(X).tolist()) for m in others.tolist()],
        model.predict_proba(X).tolist(),
    )


@pytest.mark.parametrize("voting", ["majority", "probability"])
@pytest.mark.parametrize("kind", STREAMS)
def test_blocks_equal_the_reference_bit_for_bit_in_any_pieces(kind, voting):
    stream = STREAMS[kind]
    X, y = stream[:N]
    weights = np.random.default_rng(1).choice([0.0, 1.0, 1.0, 1.0, 2.0], len(y))
    weights[0] = 0.0
    reference = forest(stream, voting=voting, **OFTEN)
    expected = example_by_example(reference, X, y, weights, stream.classes)
    assert 0 < reference.n_resets_ < reference.n_warnings_ and reference._has_background.any()
    for cuts in ([0, N], [0, 1, 2, 33, 700, 701, 1024, 2500, N]):
        model = forest(stream, voting=voting, **OFTEN)
        model.partial_fit(X[:1], y[:1], classes=stream.classes, sample_weight=[0.0])
        found = []
        for a, b in pairwise(cuts):
            found.append(model.prequential_predict(X[a:b], y[a:b], stream.classes, weights[a:b]))
            model = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(np.concatenate(found), expected)
        assert state(model, X[:50]) == state(reference, X[:50])


def test_any_number_of_threads_gives_the_same_bits():
    X, y = STREAMS["numeric"][:N]
    one, three = (forest(STREAMS["numeric"], n_jobs=n_jobs, **OFTEN) for n_jobs in (None, 3))
    expected = one.prequential_predict(X, y, classes=[0, 1])
    np.testing.assert_array_equal(three.prequential_predict(X, y, classes=[0, 1]), expected)
    assert one.n_resets_ > 0 and state(three, X[:50]) == state(one, X[:50])


class Tree:
    """A tree of the library, for the reference; it has a key of its own, and learns and tells row by row."""

    def __init__(self, stream, classes, key):
        tree = HoeffdingTreeClassifier(
            50, 0.01, max_features="sqrt", categories=stream.categories, random_state=0
        )
        first = stream[:1][0]
        self.tree = tree.partial_fit(first, classes[:1], classes=classes, sample_weight=[0.0])
        tree._models.trees[0].header["key"] = key
        self.has_learned = False

    def learn(self, x, y, weight):
        if weight > 0:
            self.tree.partial_fit([x], [y], sample_weight=[weight])
            self.has_learned = True

    def classify(self, x):
        return self.tree.predict(np.array([x]))[0] if self.has_learned else None


class TestReference:
    """The forest beside plain Python over trees of the library."""

    N = 500

    def learned(self, **faults):
        """A forest and its reference after a noisy stream whose classes slowly change places."""
        stream = STAGGER(2)
        X, y = stream[: 2 * self.N]
        chance = np.clip(np.arange(2 * self.N) / self.N - 0.5, 0.15, 0.85)
        y = np.where(np.random.default_rng(1).random(2 * self.N) < chance, 1 - y, y)
        parameters = {"clock": 8, "delta": 0.001, "delta_warning": 0.9}
        model = forest(stream, n_estimators=3, **parameters)
        predicted = model.prequential_predict(X, y, classes=[0, 1])
        keys = [key_of("attributes", key_of("random_state", model._key), j) for j in range(6)]

        def new_tree(place, generation):
            key = keys[place]
            for _ in range(generation):
                key = row_key(key, 0)
            return Tree(stream, [0, 1], key)

        reference = references.Forest(new_tree, 3, model._key, **parameters)
        vars(reference).update(faults)
        expected = []
        for x, label in zip(X, y.tolist(), strict=True):
            expected.append(reference.predict([0, 1], x))
            reference.learn(x, label)
        return model, predicted.tolist(), reference, expected

    def test_every_prediction_and_drift_is_that_of_the_reference(self):
        model, predicted, reference, expected = self.learned()
        assert 0 < reference.n_taken_over < model.n_warnings_
        assert predicted == expected
        assert model.drift_history_.tolist() == reference.history
        assert model.n_resets_ == len(reference.history) and model.n_warnings_ == reference.n_warnings
        assert model.vote_weights_.tolist() == reference.weights()
        for member, tree in zip(model.estimators_, reference.trees, strict=True):
            assert member.export_text() == tree.tree.export_text()


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"estimator": NaiveBayesClassifier()}, TypeError, "estimator must be None or a HoeffdingTree"),
        ({"estimator": HoeffdingTreeClassifier(max_features=0.5)}, ValueError, "max_features is set on"),
        ({"estimator": HoeffdingTreeClassifier(categories=[None])}, ValueError, "categories is set on"),
        ({"max_features": 0}, ValueError, "max_features must be None"),
        ({"lam": 0}, ValueError, "lam must be a number above 0"),
        ({"delta": 1}, ValueError, "delta must be a number above 0"),
        ({"delta_warning": 0}, ValueError, "delta_warning must be a number above 0"),
        ({"clock": 0}, ValueError, "clock must be an integer of at least 1; got 0"),
        ({"voting": "loud"}, ValueError, 'voting must be "majority" or "probability"'),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None or an integer other than 0"),
    ],
)
def test_bad_parameters_are_named(parameters, error, message):
    model = AdaptiveRandomForestClassifier(**parameters)
    with pytest.raises(error, match=message):
        model.fit([[1.0], [2.0]], [0, 1])
    assert not hasattr(model, "classes_")
