"""Undeclared values and classes, and missing values: any division of a stream gives the same model."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from oza import (
    AccuracyWeightedEnsembleClassifier,
    AdaptiveRandomForestClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineBaggingClassifier,
)
from oza.columns.schema import Schema
from oza.models.hoeffding_tree.classifier import HoeffdingTrees
from tests.estimators import base_models, bases_of_every_ensemble, ensembles, pairs

BASES = base_models(hidden_units=3, updates=3, initial_range=0.5)
BASES_OF_ENSEMBLES = bases_of_every_ensemble(hidden_units=3, updates=3, initial_range=0.5)
ENSEMBLES = {
    name: ensemble
    for name, ensemble in ensembles(n_estimators=4, n_prime=9, block_size=6).items()
    if hasattr(ensemble, "partial_fit")
}
OF_HOEFFDING_TREES = (
    AdaptiveRandomForestClassifier(n_estimators=4, random_state=0),
    AccuracyWeightedEnsembleClassifier(n_estimators=3, chunk_size=7, n_folds=2, random_state=0),
)


def test_whole_floats_have_the_codes_of_the_integers_that_they_equal():
    X = np.array([[3, 7], [5, -2], [6, 0], [4, 7.5], [np.nan, 8], [2.999, -3], [1e300, -1e300]])
    schema = Schema.infer(X, [0, 1], [[3, 5, 6], [-2, 7]])
    codes = schema.encode(X).codes
    assert codes.tolist() == [[0, 4], [1, 3], [2, -1], *[[-1, -1]] * 4]
    assert (codes == schema.encode(X.astype(object)).codes).all()


@pytest.mark.parametrize("values", [["b", "d", "a"], [10**9, 5, -3], [2, 5, 0]])
def test_values_of_a_chunk_that_is_refused_stay_unknown(values):
    """Larger schemas share what they know with the one that they extend."""
    known, refused, new = ([[value]] for value in values)
    model = NaiveBayesClassifier(categorical_features=[0]).partial_fit(known, [0], classes=[0, 1])
    with pytest.raises(ValueError, match="not among the classes"):
        model.partial_fit(refused, [2])
    assert model.categories_[0].tolist() == known[0]
    model.partial_fit(new, [1])
    assert model.categories_[0].tolist() == sorted([*known[0], *new[0]])
    codes = model._schema.encode(np.array([*known, *refused, *new])).codes
    assert codes.tolist() == [[int(known > new)], [-1], [int(new > known)]]
    assert model.predict_one(new[0]) == 1 and model.predict_one(known[0]) == 0


def test_a_copy_of_a_base_model_learns_other_values_than_its_ensemble():
    """They begin with one schema."""
    ensemble = OnlineBaggingClassifier(n_estimators=2, random_state=0).partial_fit([["a"], ["c"]], [0, 1])
    member = ensemble.estimators_[0]
    member.partial_fit([["b"]], [0])
    ensemble.partial_fit([["d"]], [1])
    member.partial_fit([["e"]], [0])
    X = np.array([["a"], ["b"], ["c"], ["d"], ["e"]], object)
    assert member._schema.encode(X).codes.T.tolist() == [[0, 1, 2, -1, 3]]
    assert ensemble._schema.encode(X).codes.T.tolist() == [[0, -1, 1, 2, -1]]


def is_lossless(model):
    return not isinstance(model, NeuralNetworkClassifier | HoeffdingTrees)


def stream(rng):
    """Rows of columns of strings, integers or numbers, some values missing, and their labels."""
    n = int(rng.integers(1, 30))
    y = np.array(["no", "yes", "maybe"], object)[rng.integers(0, rng.integers(1, 4), n)]
    columns = []
    for _ in range(rng.integers(1, 4)):
        is_text, n_values = rng.random() < 0.5, rng.integers(1, 6)
        values = [f"v{k}" for k in range(n_values)] if is_text else list(range(n_values))
        drawn = rng.integers(0, n_values, n)
        hint = (y == "yes") & (rng.random(n) < 0.6)
        column = np.array([values[0 if h else d] for h, d in zip(hint, drawn, strict=True)], object)
        if rng.random() < 0.3:
            column = np.round(rng.normal(size=n) + (y == "yes"), 1).astype(object)
        missing = rng.random(n) < (0.2 if rng.random() < 0.5 else 0.0)
        column[missing] = [(None, np.nan)[k] for k in rng.integers(0, 2, missing.sum())]
        columns.append(column)
    X = pd.DataFrame({f"x{j}": column for j, column in enumerate(columns)})
    for name in X:
        if X[name].map(type).eq(float).any() and not X[name].map(lambda v: isinstance(v, str | int)).any():
            X[name] = X[name].astype(float)
    return X, y, rng.integers(0, 3, n).astype(float) + (np.arange(n) == 0)


def in_pieces(model, X, y, weights, rng, most=11):
    """Learn by calls of random length, up to `most` rows."""
    start = 0
    while start < len(y):
        part = slice(start, start + int(rng.integers(1, most + 1)))
        model.partial_fit(X[part], y[part], sample_weight=weights[part])
        start = part.stop
    return model


def row_by_row(model, X, y, weights):
    """Learn by calls of one row, and predict it just before."""
    predicted = []
    for n in range(len(y)):
        predicted.append(model.predict(X[n : n + 1])[0] if n else None)
        model.partial_fit(X[n : n + 1], y[n : n + 1], sample_weight=weights[n : n + 1])
    return model, predicted


def state(model, X):
    """The observable state of a classifier."""
    known = [None if values is None else values.tolist() for values in model.categories_]
    if hasattr(model, "estimators_"):
        members = [member.predict_proba(X).tolist() for member in model.estimators_]
        return (
            known,
            model.classes_.tolist(),
            model.predict_proba(X).tolist(),
            members,
            list(model.vote_weights_),
        )
    return known, model.classes_.tolist(), model.predict_proba(X).tolist()


def assert_every_division_learns_the_same(model, seed, fits):
    rng = np.random.default_rng(seed)
    X, y, weights = stream(rng)
    model = clone(model).set_params(categorical_features=[kind.kind != "f" for kind in X.dtypes])
    at_once = clone(model).partial_fit(X, y, sample_weight=weights)
    expected = state(at_once, X)
    one, predicted = row_by_row(clone(model), X, y, weights)
    assert state(one, X) == expected
    assert state(in_pieces(clone(model), X, y, weights, rng), X) == expected
    assert state(pickle.loads(pickle.dumps(at_once)), X) == expected
    asked = clone(model).partial_fit(X[:1], y[:1], sample_weight=weights[:1])
    if len(y) > 1:
        voted = asked.prequential_predict(X[1:], y[1:], sample_weight=weights[1:])
        assert voted.tolist() == predicted[1:]
        assert state(asked, X) == expected
    if fits and len(y) >= getattr(model, "n_prime", 0):  # `fit` primes with fewer, `partial_fit` awaits more
        assert state(clone(model).fit(X, y, sample_weight=weights), X) == expected


@pytest.mark.parametrize("base", BASES)
def test_one_model_is_the_same_for_any_division_of_the_stream(base):
    for seed in range(12):
        assert_every_division_learns_the_same(BASES[base], seed, fits=is_lossless(BASES[base]))


def assert_types_decide_as_a_declaration_does(model, seed):
    """Also where a column begins with missing values, so that its type comes later."""
    rng = np.random.default_rng(seed)
    X, y, weights = stream(rng)
    X = X.astype(object)
    X[rng.random(X.shape) < 0.3] = None
    is_text = [X[name].map(lambda value: isinstance(value, str)).any() for name in X]
    declared = clone(model).set_params(categorical_features=is_text)
    expected = state(declared.partial_fit(X, y, sample_weight=weights), X)
    assert state(clone(model).partial_fit(X, y, sample_weight=weights), X) == expected
    assert state(in_pieces(clone(model), X, y, weights, rng, most=1), X) == expected
    pieces = in_pieces(clone(model), X, y, weights, rng)
    assert state(pickle.loads(pickle.dumps(pieces)), X) == expected
    assert pieces.is_categorical_.tolist() == is_text


@pytest.mark.parametrize("base", BASES)
def test_types_decide_as_a_declaration_does(base):
    for seed in range(12):
        assert_types_decide_as_a_declaration_does(BASES[base], seed)


@pytest.mark.full  # its base models have tests of their own above
@pytest.mark.parametrize("name", ENSEMBLES)
def test_types_decide_as_a_declaration_does_in_an_ensemble(name):
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=BASES["NaiveBayesClassifier, smoothed"])
    for seed in range(4):
        assert_types_decide_as_a_declaration_does(ensemble, seed)


@pytest.mark.parametrize(("name", "base"), pairs(ENSEMBLES, BASES_OF_ENSEMBLES))
def test_an_ensemble_is_the_same_for_any_division_of_the_stream(name, base):
    """With smoothed Naive Bayes or networks `fit` differs, because it knows the vocabulary beforehand."""
    check_ensemble(name, base, range(4))


@pytest.mark.full  # its base models have tests of their own above
@pytest.mark.parametrize("ensemble", OF_HOEFFDING_TREES)
def test_an_ensemble_of_hoeffding_trees_is_the_same_for_any_division_of_the_stream(ensemble):
    for seed in range(8):
        assert_every_division_learns_the_same(ensemble, seed, fits=False)


def check_ensemble(name, base, seeds):
    ensemble = clone(ENSEMBLES[name]).set_params(estimator=BASES[base])
    is_smoothed = isinstance(BASES[base], NaiveBayesClassifier) and BASES[base].alpha > 0
    fits = is_lossless(BASES[base]) and not is_smoothed
    for seed in seeds:
        assert_every_division_learns_the_same(ensemble, seed, fits)


@pytest.mark.long
@pytest.mark.parametrize("base", BASES)
def test_one_model_is_the_same_for_any_division_of_10000_streams(base):
    for seed in range(12, 10_000):
        assert_every_division_learns_the_same(BASES[base], seed, fits=is_lossless(BASES[base]))


@pytest.mark.long
@pytest.mark.parametrize("name", ENSEMBLES)
@pytest.mark.parametrize("base", BASES_OF_ENSEMBLES)
def test_an_ensemble_is_the_same_for_any_division_of_500_streams(base, name):
    check_ensemble(name, base, range(4, 500))


@pytest.mark.long
@pytest.mark.parametrize("ensemble", OF_HOEFFDING_TREES)
def test_an_ensemble_of_hoeffding_trees_is_the_same_for_any_division_of_500_streams(ensemble):
    for seed in range(8, 500):
        assert_every_division_learns_the_same(ensemble, seed, fits=False)
