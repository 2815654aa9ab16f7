"""The worked examples of the book's page on extending are right, and use public names only."""

import doctest
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

import oza
import oza.extend
from oza.extend import OnlineEnsemble, SingleModel, classify, implements, learn, step
from tools.run_notebooks import TOP

PAGE = (TOP / "book" / "library" / "extending.md").read_text(encoding="utf-8")
SOURCES = [example.source for example in doctest.DocTestParser().get_examples(PAGE)]
CHUNKS = (1, 7, 60)
CLASSES = ["maybe", "no", "yes"]


@cache
def worked(left_out=None):
    """The names that the page defines, if one declaration of contents is left out of it."""
    names = {"__name__": "worked"}
    for source in SOURCES:
        if source.startswith(("from ", "import ", "class ", "@implements", "@parameters")):
            if left_out is not None:
                source = source.replace(f', "{left_out}"]', "]")
            exec(source, names)
    return names


def neighbours(left_out=None, **parameters):
    return worked(left_out)["NeighboursClassifier"](**{"n_neighbors": 3, "window": 10} | parameters)


def stream(seed, n=60):
    """Rows of two columns of strings, some missing, and one of numbers; labels, and weights.

    The class that is numbered 0 comes last, when others are stored.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 3, n)
    y[-4:-2] = 0
    values = np.where(rng.random((n, 2)) < 0.6, y[:, None] + 2, rng.integers(0, 9, (n, 2)))
    rows = [[f"v{a}", f"v{b}", x] for (a, b), x in zip(values.tolist(), rng.random(n).tolist(), strict=True)]
    for i in np.flatnonzero(rng.random(n) < 0.1):
        rows[i][i % 2] = None
    X = np.array(rows, object)
    return X, np.array(CLASSES, object)[y], rng.integers(0, 3, n).astype(float)


def known_values(X):
    return [sorted({value for value in column if value is not None}) for column in X.T[:2]] + [None]


def learned(model, X, y, weights, chunk, classes):
    for start in range(0, len(y), chunk):
        part = slice(start, start + chunk)
        model.partial_fit(X[part], y[part], classes=classes, sample_weight=weights[part])
    return model


def ensembles(base):
    return {
        "alone": base,
        "OnlineBaggingClassifier": oza.OnlineBaggingClassifier(base, 4, random_state=0),
        "OnlineBoostingClassifier": oza.OnlineBoostingClassifier(base, 4, random_state=0),
    }


def answers(model, X):
    return model.predict_proba(X).tolist() if hasattr(model, "predict_proba") else model.predict(X).tolist()


def declared_and_undeclared(name, seed, left_out=None):
    """What a model answers if everything is declared, and what it answers in chunks if nothing is."""
    model = ensembles(neighbours(left_out))[name]
    X, y, weights = stream(seed)
    known = clone(model).set_params(categories=known_values(X))
    expected = answers(learned(known, X, y, weights, len(y), CLASSES), X)
    found = [answers(learned(clone(model), X, y, weights, chunk, None), X) for chunk in CHUNKS]
    return expected, found


@pytest.mark.parametrize("name", ["alone", "OnlineBaggingClassifier", "OnlineBoostingClassifier"])
def test_neighbours_are_the_same_declared_and_undeclared_in_any_chunks(name):
    for seed in range(5):
        expected, found = declared_and_undeclared(name, seed)
        assert found == [expected] * len(CHUNKS)


def nearest_by_hand(X, y, weights, row, k=3, window=10):
    """What the nearest of the last examples vote for, of which the first in the window comes first."""
    kept = np.flatnonzero(weights > 0)
    places = {
        place % window: i for place, i in enumerate(kept)
    }  # a later example takes the place of an older
    window_order = [places[w] for w in sorted(places)]

    def distance(i):
        values = sum(a is None or a != b for a, b in zip(row[:2], X[i, :2], strict=True))
        return values + min(abs(row[2] - X[i, 2]), 1.0)

    votes = dict.fromkeys(CLASSES, 0.0)
    for i in sorted(window_order, key=distance)[:k]:
        votes[y[i]] += weights[i]
    return max(CLASSES, key=votes.__getitem__)


def test_neighbours_are_the_nearest():
    X, y, weights = stream(9)
    model = learned(neighbours(), X, y, weights, 7, None)
    assert model.predict(X).tolist() == [nearest_by_hand(X, y, weights, row) for row in X]


def smooth_boosting_by_hand(X, y, weights, gamma, n_models):
    """Online SmoothBoost of single classifiers; returns the members."""
    members = [oza.NaiveBayesClassifier(categories=known_values(X)) for _ in range(n_models)]
    for n in range(len(y)):
        z, share = 0.0, 1.0
        for member in members:
            is_right = hasattr(member, "classes_") and member.predict(X[n : n + 1])[0] == y[n]
            member.partial_fit(X[n : n + 1], y[n : n + 1], CLASSES, weights[n : n + 1] * share)
            z += (1.0 if is_right else -1.0) - gamma / (2.0 + gamma)
            share = min((1.0 - gamma) ** (z / 2.0), 1.0)
    return members


def test_online_smooth_boosting_is_that_of_the_paper():
    X, y, _ = stream(3)
    weights = np.ones(len(y))
    kind = worked()["OnlineSmoothBoostClassifier"]
    model = kind(n_estimators=6, gamma=0.3, categories=known_values(X))
    learned(model, X, y, weights, 7, CLASSES)
    members = smooth_boosting_by_hand(X, y, weights, 0.3, 6)
    for own, member in zip(model.estimators_, members, strict=True):
        np.testing.assert_allclose(own.class_count_, member.class_count_, rtol=1e-12)
    expected = np.array([member.predict(X) for member in members]).T
    assert (model.predict_each(X) == expected).all()
    assert len(set(map(tuple, expected.T))) > 1


@pytest.mark.parametrize("base", [None, "neighbours"])
def test_online_smooth_boosting_is_the_same_in_any_chunks(base):
    X, y, weights = stream(4)
    kind = worked()["OnlineSmoothBoostClassifier"]
    model = kind(neighbours() if base else None, n_estimators=4, gamma=0.3)
    found = [answers(learned(clone(model), X, y, weights, chunk, None), X) for chunk in CHUNKS]
    assert found == found[:1] * len(CHUNKS)


def counting(axes, shape, operations=("learn", "classify")):
    """A base model that counts classes in an array of this shape, with these declared axes."""

    class Counts(NamedTuple):
        counts: Annotated[np.ndarray, axes] if axes else np.ndarray

    if "learn" in operations:

        @implements(learn, Counts)
        def _learn(models, m, examples, n, label, weight):
            models.counts[label, m] += weight

    if "classify" in operations:

        @implements(classify, Counts)
        def _classify(models, m, examples, n):
            return models.counts[:, m].argmax()

    class CountingClassifier(SingleModel):
        def __init__(self, categorical_features="auto", categories="auto"):
            self.categorical_features = categorical_features
            self.categories = categories

        def _new_models(self, schema, classes, n_models):
            return Counts(np.zeros(shape(len(classes), n_models)))

    return CountingClassifier()


class Lists(NamedTuple):
    seen: Annotated[np.ndarray, "M"]


@pytest.mark.parametrize(
    ("axes", "shape", "message"),
    [
        (
            "K, M",
            lambda k, m: (1, m),
            r"Counts.counts has 1 entries along its axis K, not [03]; give it this",
        ),
        ("K M", lambda k, m: (k, m), r"Counts.counts has the shape \([03], 1\); 1 axes are declared"),
        ("V, K, M", lambda k, m: (k, m), r"Counts.counts has the shape \([03], 1\); 3 axes are declared"),
    ],
)
@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_arrays_that_are_not_as_declared_are_refused(axes, shape, message, call):
    model = counting(axes, shape)
    with pytest.raises(TypeError, match=message):
        getattr(model, call)([["a"], ["b"], ["c"]], CLASSES)


@pytest.mark.parametrize(("shape", "found"), [(lambda k, m: (k, 1), 1), (lambda k, m: (k, m - 1), 99)])
def test_the_state_of_another_number_of_models_is_refused(shape, found):
    """Kernels would write beyond its arrays."""
    model = oza.OnlineBaggingClassifier(counting("K, M", shape), 100, random_state=0)
    said = rf"Counts.counts has {found} entries along its axis M, not 100; give"
    with pytest.raises(TypeError, match=said):
        model.fit([["a"], ["b"], ["c"]], CLASSES)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, r"Fixed._new_models must return the state of the models, a NamedTuple; got None"),
        (Lists([0.0]), r"Lists.seen must be an array, as annotated; got \[0.0\]. Use np.array"),
    ],
)
@pytest.mark.parametrize("ensemble", [None, "OnlineBaggingClassifier", "BaggingClassifier"])
@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_what_is_no_state_is_named(returned, message, ensemble, call):
    class Fixed(SingleModel):
        def _new_models(self, schema, classes, n_models):
            return returned

    model = getattr(oza, ensemble)(Fixed(), 1) if ensemble else Fixed()
    if hasattr(model, call):
        with pytest.raises(TypeError, match=message):
            getattr(model, call)([["a"], ["b"]], ["no", "yes"])


def test_base_models_may_not_keep_what_they_learn_in_an_inner_state():
    kind = type(counting("K, M", lambda k, m: (k, m)))

    class Counts(NamedTuple):
        counts: Annotated[np.ndarray, "K, M"]
        detector: Lists

    implements(learn, Counts)(lambda models, m, examples, n, label, weight: None)
    implements(classify, Counts)(lambda models, m, examples, n: -1)

    class Nested(kind):
        def _new_models(self, schema, classes, n_models):
            return Counts(np.zeros((len(classes), n_models)), Lists(np.zeros(n_models)))

    with pytest.raises(TypeError, match=r"Counts.detector is a NamedTuple, whose arrays would lose"):
        Nested().partial_fit([["a"], ["b"]], ["no", "yes"])


def test_an_axis_that_is_not_declared_as_one_of_classes_cannot_grow():
    with pytest.raises(TypeError, match=r"Counts.counts would grow along its axis C; only V, values, and K"):
        counting("C, M", lambda k, m: (k, m)).partial_fit([["a"]], ["no"])


class Sums(NamedTuple):
    """Memory of an ensemble, for each model and class."""

    sums: Annotated[np.ndarray, "M, K"]
    labels: np.ndarray


@implements(step, Sums)
def _add_up(memory, models, examples, n, label, weight, row):
    for m in range(len(memory.labels)):
        memory.sums[m, label] += weight
        learn(models, m, examples, n, label, weight)


class SummingClassifier(OnlineEnsemble):
    """An ensemble whose memory does not grow with the classes."""

    def _start(self, kind, schema, classes):
        state = super()._start(kind, schema, classes)
        n_models = state["_n_models"]
        return state | {"_sums": Sums(np.zeros((n_models, len(classes))), np.empty(n_models, np.int32))}

    def _algorithm(self):
        return self._sums


def test_memory_that_does_not_grow_is_refused_before_a_kernel_writes_beyond_it():
    model = SummingClassifier(n_estimators=3)
    with pytest.raises(TypeError, match=r"Sums.sums has 0 entries along its axis K, not 1"):
        model.partial_fit([["a"]], ["no"])


@pytest.mark.parametrize("operations", [("learn",), ("classify",)])
def test_a_missing_operation_of_a_base_model_is_named(operations):
    (missing,) = {"learn", "classify"} - set(operations)
    for model in ensembles(counting("K, M", lambda k, m: (k, m), operations)).values():
        with pytest.raises(TypeError, match=rf"@implements\({missing}, Counts\) is missing"):
            model.fit([["a"], ["b"]], ["no", "yes"])


def test_a_base_model_without_probabilities_is_certain():
    X, y, weights = stream(5)
    model = neighbours().fit(X, y, weights)
    assert (model.predict_proba(X) == (model.predict(X)[:, None] == model.classes_)).all()
