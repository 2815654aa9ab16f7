import math
import pickle
import re
from fractions import Fraction
from operator import mul

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from oza import NaiveBayesClassifier, OnlineBaggingClassifier
from oza.classifier.contract import (
    class_shares,
    classify,
    classify_and_share_each,
    classify_each,
    learn,
    learn_each,
    learn_run,
)
from oza.kernels.compile import kernel
from oza.models.naive_bayes.kernels import score, smoothing_of
from tests import references
from tests.bases import classify_all
from tests.streams import learn_in_any_order, streams


def learned(stream, weights=None, **parameters):
    model = NaiveBayesClassifier(**parameters)
    return model.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=weights)


def reference_of(stream, weights=None, **parameters):
    reference = references.NaiveBayes(stream.classes, sizes=stream.n_values, **parameters)
    for x, y, w in zip(stream.rows, stream.labels, stream.weights if weights else [1.0] * 999, strict=False):
        reference.learn(x, y, w)
    return reference


@kernel
def scores_of(models, examples, n_classes):
    mantissas = np.empty((len(examples.codes), n_classes))
    exponents = np.empty((len(examples.codes), n_classes), np.int64)
    for n in range(len(mantissas)):
        for c in range(n_classes):
            mantissas[n, c], exponents[n, c] = score(models, 0, c, smoothing_of(models, 0), examples, n)
    return mantissas, exponents


@given(streams(weighted=True), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=150)
def test_products_equal_the_reference_bit_for_bit(stream, alpha):
    model = learned(stream, stream.weights, alpha=alpha)
    reference = reference_of(stream, weights=True, alpha=alpha)
    if not any(stream.weights):
        return
    examples = model._schema.encode(stream.frame)
    mantissas, exponents = scores_of(model._models, examples, stream.n_classes)
    for n, x in enumerate(stream.rows):
        for c in stream.classes:
            mantissa, exponent = reference.product(c, x)
            assert mantissas[n, c] == mantissa
            assert mantissa == 0.0 or exponents[n, c] == exponent


@given(streams(weighted=True), st.sampled_from([0.0, 1.0]))
@settings(max_examples=150)
def test_predictions_equal_the_reference(stream, alpha):
    model = learned(stream, stream.weights, alpha=alpha)
    reference = reference_of(stream, weights=True, alpha=alpha)
    expected = [reference.classify(x) or 0 for x in stream.rows]
    assert model.predict(stream.frame).tolist() == expected


@kernel
def one_by_one(models, examples, labels):
    """The readable path: one operation, one model, one example."""
    for n in range(len(labels)):
        learn(models, 0, examples, n, labels[n], 1.0)
    predictions = np.empty(len(labels), np.int64)
    for n in range(len(labels)):
        predictions[n] = classify(models, 0, examples, n)
    return predictions


@given(streams())
@settings(max_examples=100)
def test_the_vectorised_operations_equal_the_plain_ones(stream):
    model = learned(stream)
    examples = model._schema.encode(stream.frame)
    plain = NaiveBayesClassifier()._new_models(model._schema, model.classes_, 1)
    predictions = one_by_one(plain, examples, np.array(stream.labels))
    for array, other in zip(model._models[:4], plain[:4], strict=True):
        np.testing.assert_array_equal(array, other)
    np.testing.assert_array_equal(classify_all(model._models, examples), predictions)


def some_models(stream, alpha, random, n_models=5):
    """Models that have learned parts of a stream, its examples, and how many models there are."""
    schema = learned(stream)._schema
    examples = schema.encode(stream.frame)
    models = NaiveBayesClassifier(alpha=alpha)._new_models(schema, np.arange(stream.n_classes), n_models)
    learn_some(models, examples, np.array(stream.labels), np.array(stream.weights), random.random())
    return models, examples, n_models


@kernel
def both_ways_of_classifying(models, examples, n_models):
    """Labels by the operation for one model and by that for all models at once."""
    plain = np.empty((len(examples.codes), n_models), np.int32)
    together = np.empty_like(plain)
    for n in range(len(plain)):
        for m in range(n_models):
            plain[n, m] = classify(models, m, examples, n)
        classify_each(models, examples, n, together[n])
    return plain, together


@given(streams(weighted=True), st.sampled_from([0.0, 0.5]), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_classifying_by_all_models_from_their_counts_equals_the_plain_operation(stream, alpha, random):
    models, examples, n_models = some_models(stream, alpha, random)
    plain, together = both_ways_of_classifying(models, examples, n_models)
    np.testing.assert_array_equal(plain, together)


@kernel
def shared_both_ways(models, examples, n_models, n_classes):
    """Labels and shares by the operations for one model and by that for all models at once."""
    labels = np.empty((2, len(examples.codes), n_models), np.int32)
    shares = np.empty((2, len(examples.codes), n_models, n_classes))
    for m in range(n_models):
        found = class_shares(models, m, n_classes, examples)
        for n in range(len(found)):
            labels[0, n, m] = classify(models, m, examples, n)
            shares[0, n, m, :] = found[n]
    for n in range(len(examples.codes)):
        classify_and_share_each(models, examples, n, labels[1, n], shares[1, n])
    return labels, shares


@given(streams(weighted=True), st.sampled_from([0.0, 0.5]), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_shares_by_all_models_at_once_are_those_of_each(stream, alpha, random):
    models, examples, n_models = some_models(stream, alpha, random)
    labels, shares = shared_both_ways(models, examples, n_models, stream.n_classes)
    np.testing.assert_array_equal(labels[0], labels[1])
    np.testing.assert_array_equal(shares[0], shares[1])


@kernel
def learn_some(models, examples, labels, weights, start):
    """Each model learns different examples, the first none."""
    x = start
    for n in range(len(labels)):
        for m in range(1, models.class_counts.shape[1]):
            x = 4.0 * x * (1.0 - x)  # the logistic map, random enough here
            if x > 0.5:
                learn(models, m, examples, n, labels[n], weights[n])


@pytest.mark.parametrize("width", [30, 400])
def test_products_that_need_rescaling_are_classified_alike(width):
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 300)
    X = (rng.integers(0, 20, (300, width)) + y[:, None] * (rng.random((300, width)) < 0.1)) % 20
    model = NaiveBayesClassifier(alpha=1.0, categorical_features=range(width)).fit(X, y)
    examples = model._schema.encode(X)
    plain, together = both_ways_of_classifying(model._models, examples, 1)
    np.testing.assert_array_equal(plain, together)
    np.testing.assert_array_equal(together[:, 0], classify_all(model._models, examples))
    assert len(set(together[:, 0].tolist())) == 3


@given(streams(), st.randoms(use_true_random=False), st.lists(st.integers(1, 10), max_size=10))
@settings(max_examples=200)
def test_lossless_any_order_and_any_chunks_give_what_fit_gives(stream, random, cuts):
    frame, labels, online = stream.frame, np.array(stream.labels), NaiveBayesClassifier()
    order = learn_in_any_order(online, stream, random, cuts)
    categories = [None if n is None else [f"v{v}" for v in range(n)] for n in stream.n_values]
    same = NaiveBayesClassifier(categories=categories).fit(frame.iloc[order], labels[order])
    batch = NaiveBayesClassifier(categories=categories).fit(frame, labels)
    present = batch.classes_
    for model in (same, batch):
        np.testing.assert_array_equal(online.class_count_[present], model.class_count_)
        for a, count in enumerate(model.category_count_):
            if count is not None:
                np.testing.assert_array_equal(online.category_count_[a][present], count)
    np.testing.assert_array_equal(online.theta_[present], same.theta_)
    np.testing.assert_array_equal(online.var_[present], same.var_)
    np.testing.assert_array_equal(online.predict(frame), same.predict(frame))
    np.testing.assert_allclose(online.theta_[present], batch.theta_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(online.var_[present], batch.var_, rtol=1e-9, atol=1e-9)


def exact_moments(x, weights):
    """Mean and variance of numbers, by integers, of which each number here is one times 2**-200."""
    ratios = [map(float.as_integer_ratio, values.tolist()) for values in (x, weights)]
    x, weights = ([n * (2**200 // power) for n, power in of_values] for of_values in ratios)
    mean = Fraction(sum(map(mul, weights, x)), 2**200 * sum(weights))
    square = Fraction(sum(w * v * v for w, v in zip(weights, x, strict=True)), 2**400 * sum(weights))
    return mean, square - mean**2


@pytest.mark.parametrize(
    ("offset", "first"), [(0.0, None), (1e8, None), (-1e8, 0.0), (1e8, 1e15), (1e12, None)]
)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_means_and_variances_are_those_of_exact_arithmetic(offset, first, is_weighted):
    rng = np.random.default_rng(11)
    x = offset + rng.normal(size=20_000)
    weights = rng.choice([0.0, 0.3, 1.0, 7.0], len(x)) if is_weighted else np.ones(len(x))
    if first is not None:
        x[0], weights[0] = first, 1.0
    mean, variance = exact_moments(x, weights)
    for order in (slice(None), slice(None, None, -1), rng.permutation(len(x))):
        model = NaiveBayesClassifier(var_smoothing=0)
        model.fit(x[order, None], np.zeros(len(x)), sample_weight=weights[order])
        bound = abs(mean) / 2**52 + Fraction(math.sqrt(variance)) / 10**14
        assert abs(Fraction(model.theta_[0, 0]) - mean) <= bound
        assert abs(Fraction(model.var_[0, 0]) / variance - 1) <= Fraction(1, 10**9)


def test_mean_and_variance_of_few_numbers_with_a_large_offset_are_exact():
    offset = 1e8
    x = offset + np.array([[-1.0], [0.0], [1.0], [2.0]])
    model = NaiveBayesClassifier(var_smoothing=0).fit(x, [0, 0, 0, 0])
    assert model.theta_[0, 0] == offset + 0.5
    assert model.var_[0, 0] == 1.25


@kernel
def three_ways_of_testing(models, examples, labels, weights, before, after):
    """Each model learns and is tested: alone, with a contiguous copy, and beside the others."""
    alone, copied, together = models
    for m in range(before.shape[1]):
        learn_run(copied, m, examples, labels, weights[:, m].copy(), before[1, m], None, after[1, m])
        for n in range(len(labels)):
            before[0, m, n] = classify(alone, m, examples, n)
            learn(alone, m, examples, n, labels[n], weights[n, m])
            after[0, m, n] = classify(alone, m, examples, n) == labels[n]
    classes = np.empty(before.shape[1], np.int32)
    for n in range(len(labels)):
        classify_each(together, examples, n, classes)
        before[2, :, n] = classes
        learn_each(together, examples, n, labels[n], weights[n])
        classify_each(together, examples, n, classes)
        after[2, :, n] = classes == labels[n]


@given(streams(weighted=True), st.sampled_from([0.0, 0.5]), st.integers(0, 99), st.sampled_from([1.0, 1e80]))
@settings(max_examples=100)
def test_models_alone_beside_each_other_and_copied_agree_to_the_bit(stream, alpha, seed, scale):
    n_models, rng = 11, np.random.default_rng(seed)
    schema = learned(stream)._schema
    examples = schema.encode(stream.frame)
    examples = examples._replace(numbers=examples.numbers * scale)
    labels = np.array(stream.labels)
    weights = rng.poisson(1.0, (len(labels), n_models)) * np.array(stream.weights)[: len(labels), None]
    kind = NaiveBayesClassifier(alpha=alpha)
    models = tuple(kind._new_models(schema, np.arange(stream.n_classes), n_models) for _ in range(3))
    before, after = np.empty((3, n_models, len(labels)), np.int32), np.empty((3, n_models, len(labels)), bool)
    three_ways_of_testing(models, examples, labels, weights, before, after)
    for other in (1, 2):
        np.testing.assert_array_equal(before[0], before[other])
        np.testing.assert_array_equal(after[0], after[other])
        for array, same in zip(models[0][:4], models[other][:4], strict=True):
            np.testing.assert_array_equal(array, same)


def test_equals_gaussian_nb():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 4)) * [1, 10, 0.1, 3] + y[:, None]
    ours, theirs = NaiveBayesClassifier().fit(X, y), GaussianNB().fit(X, y)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-8, atol=1e-12)


def test_where_every_product_is_zero_the_class_shares_decide():
    X = [["a", "u"], ["a", "u"], ["b", "v"]]
    model = NaiveBayesClassifier().fit(X, ["x", "x", "y"])
    np.testing.assert_allclose(model.predict_proba([["a", "v"]]), [[2 / 3, 1 / 3]])
    assert model.predict([["a", "v"]]) == ["x"]


@pytest.mark.parametrize(("name", "value"), [("alpha", -1.0), ("alpha", "one"), ("var_smoothing", np.inf)])
def test_bad_parameters_are_named_in_the_message(name, value):
    with pytest.raises(ValueError, match=name):
        NaiveBayesClassifier(**{name: value}).fit([[1]], [0])


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(8)
    y = np.arange(40) % 2
    return np.column_stack([rng.normal(size=40) + y, rng.normal(size=40)]), y


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e12, 1e100, 1e144, 2.0**480])
@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1.0, 2.0**47])
def test_probabilities_of_numbers_of_any_size_are_probabilities(numbers, scale, weight):
    X, y = numbers
    X = X / np.abs(X).max() * scale
    model = NaiveBayesClassifier().fit(X, y, sample_weight=np.full(40, weight))
    for seen in (X, X * 1e10, np.full_like(X, -1.7e308), np.zeros_like(X)):
        shares = model.predict_proba(seen)
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        assert model.predict(seen).tolist() == shares.argmax(axis=1).tolist()
    if weight == 1.0 and scale > 1e-160:  # here squares neither overflow nor vanish
        usual = NaiveBayesClassifier().fit(X / scale, y)
        np.testing.assert_allclose(model.predict_proba(X), usual.predict_proba(X / scale), rtol=1e-9)


@pytest.mark.parametrize("value", [1.1e145, -1e200, 1.7e308])
@pytest.mark.parametrize("ensemble", [None, OnlineBaggingClassifier(n_estimators=2, random_state=0)])
def test_numbers_whose_squares_cannot_be_added_up_are_refused_by_column(numbers, ensemble, value):
    X, y = numbers
    wrong = np.column_stack([X[:, 0], X])
    wrong[3, 1] = value
    categorical = [True, False, False]
    model = NaiveBayesClassifier() if ensemble is None else clone(ensemble)
    message = rf"Input X holds {re.escape(str(value))} in row 3 of numeric column 1; .* up to 1e\+145"
    model.set_params(categorical_features=categorical)
    with pytest.raises(ValueError, match=message):
        model.fit(wrong, y)
    with pytest.raises(ValueError, match=message):
        model.partial_fit(wrong, y, classes=[0, 1])
    assert not hasattr(model, "classes_")
    right = wrong.copy()
    right[3, 1] = np.copysign(1e145, value)
    model.partial_fit(right, y, classes=[0, 1])
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match=message):
        model.partial_fit(wrong, y)
    assert pickle.dumps(model) == before
    assert np.isfinite(model.predict_proba(wrong)).all()


def test_wide_data_does_not_underflow():
    rng = np.random.default_rng(6)
    n, width = 400, 3000
    y = rng.integers(0, 2, n)
    X = rng.integers(0, 8, (n, width))
    X[:, ::3] = np.where(rng.random((n, width // 3)) < 0.3, y[:, None], X[:, ::3])
    model = NaiveBayesClassifier(alpha=1, categorical_features=range(width))
    assert model.fit(X, y).score(X, y) > 0.95


@pytest.mark.parametrize("parameter", ["alpha", "var_smoothing"])
def test_an_immense_smoothing_takes_nothing_else_away(numbers, parameter):
    X, y = numbers
    mixed = pd.DataFrame({"code": np.arange(40) // 3 % 3, "x": X[:, 0] * 1e100})
    other = "x" if parameter == "alpha" else "code"  # the remaining information
    declared = [other] if other == "code" else None
    known = NaiveBayesClassifier(categorical_features=declared).fit(mixed[[other]], y)
    expected = known.predict_proba(mixed[[other]])
    for value in (1e250, 1e308, 1.797e308):
        model = NaiveBayesClassifier(**{parameter: value}, categorical_features=["code"]).fit(mixed, y)
        np.testing.assert_allclose(model.predict_proba(mixed), expected, rtol=1e-9)
        assert np.isfinite(model.predict_proba(mixed * [1, 1e200])).all()


@pytest.mark.parametrize("nominal", [range(2), None])
def test_a_model_that_has_learned_nothing_gives_equal_shares(nominal):
    X = np.array([[1, 2], [3, 4]])
    model = NaiveBayesClassifier(categorical_features=nominal)
    model.partial_fit(X, [0, 1], classes=[0, 1, 2, 3], sample_weight=[0, 0])
    assert model.predict_proba(X).tolist() == [[0.25] * 4] * 2
    assert model.predict(X).tolist() == [0, 0]
