"""Ensembles that average class probabilities: DECORATE, subspaces, input decimation, output codes."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier as ScikitTree

from oza import (
    BaggingClassifier,
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    DecorateClassifier,
    InputDecimationClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OutputCodeClassifier,
    RandomSubspaceClassifier,
)
from oza.columns.schema import Schema
from oza.ensembles.decorate.classifier import ExampleSource
from oza.ensembles.output_codes import partitions
from oza.ensembles.subspaces import correlations
from tests.estimators import averaging_ensembles, bases_of_every_ensemble, full_but

ENSEMBLES = averaging_ensembles()
BASES = bases_of_every_ensemble(hidden_units=4, initial_range=0.5)


@pytest.fixture(scope="module")
def mixed():
    """Three classes; nominal columns, then numbers."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 240)
    nominal = np.where(rng.random((240, 3)) < 0.5, y[:, None], rng.integers(0, 4, (240, 3)))
    numbers = np.round(rng.normal(size=(240, 3)) + y[:, None], 2)
    return np.column_stack([nominal, numbers]), np.array(["ant", "bee", "cow"])[y]


@pytest.mark.parametrize("base", full_but(BASES, "NaiveBayesClassifier"))
@pytest.mark.parametrize("name", ENSEMBLES)
def test_probabilities_are_the_mean_of_those_of_the_members(name, base, mixed):
    X, y = mixed
    model = clone(ENSEMBLES[name]).set_params(estimator=BASES[base], categorical_features=[0, 1, 2])
    model.fit(X, y)
    shares = []
    for m, member in enumerate(model.estimators_):
        seen = X[:, model.features_[m]] if hasattr(model, "features_") else X
        shares.append(member.predict_proba(seen))
        if isinstance(model, OutputCodeClassifier):
            shares[-1] = shares[-1][:, model.codes_[m]]
    expected = sum(shares)
    expected = expected / expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-12, atol=1e-15)
    stages = list(model.staged_predict(X))
    assert len(stages) == len(model.estimators_)
    np.testing.assert_array_equal(stages[-1], model.predict(X))
    assert model.predict_each(X).shape == (len(X), len(stages))
    assert model.score(X, y) > 0.5


@pytest.mark.parametrize("seed", range(3))
def test_the_training_error_of_decorate_never_rises(seed, mixed):
    X, y = (part[:80] for part in mixed)
    model = DecorateClassifier(n_estimators=6, max_trials=15, random_state=seed).fit(X, y)
    assert (np.diff(model.training_errors_) <= 0).all()
    stages = [(said != y).mean() for said in model.staged_predict(X)]
    np.testing.assert_allclose(stages, model.training_errors_, atol=1e-12)


def test_every_draw_of_decorate_is_reproducible(mixed):
    X, y = mixed
    model = DecorateClassifier(DecisionTreeClassifier(), 5, random_state=3, categorical_features=[0, 1, 2])
    one, other = (clone(model).fit(X[:80], y[:80]).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(one, other)
    assert (clone(model).set_params(random_state=4).fit(X[:80], y[:80]).predict_proba(X) != one).any()


def test_artificial_examples_have_the_distribution_of_the_training_set(mixed):
    X, _ = mixed
    schema = Schema.infer(X, [0, 1, 2])
    drawn = ExampleSource(schema, schema.encode(X), np.ones(len(X))).draw(20_000, key=7)
    smoothed = np.bincount(X[:, 0].astype(int), minlength=4) + 1
    found = np.bincount(drawn.codes[:, 0] - schema.starts[0], minlength=4)
    np.testing.assert_allclose(found / 20_000, smoothed / smoothed.sum(), atol=0.015)
    np.testing.assert_allclose(drawn.numbers.mean(axis=0), X[:, 3:].mean(axis=0), atol=0.05)
    np.testing.assert_allclose(drawn.numbers.std(axis=0), X[:, 3:].std(axis=0), rtol=0.03)


def test_labels_are_drawn_against_the_ensemble():
    from oza.ensembles.decorate.kernels import label_against

    labels = np.empty(10_000, np.int64)
    label_against(np.tile([0.5, 0.25, 0.25], (10_000, 1)), 1e-6, 1, labels)
    np.testing.assert_allclose(np.bincount(labels) / 10_000, [0.2, 0.4, 0.4], atol=0.02)
    label_against(np.tile([1.0, 0.0], (10_000, 1)), 1e-6, 1, labels)
    assert labels.mean() > 0.999


@pytest.mark.parametrize(
    "base", [NaiveBayesClassifier(), NeuralNetworkClassifier(), DecisionTreeClassifier(), ScikitTree()]
)
@pytest.mark.parametrize("kind", [RandomSubspaceClassifier, InputDecimationClassifier, OutputCodeClassifier])
def test_threads_change_no_bit(kind, base, mixed):
    X, y = mixed
    one, two = (kind(base, random_state=1, n_jobs=n).fit(X, y).predict_proba(X) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_each_member_of_a_subspace_ensemble_sees_its_columns_only(mixed):
    X, y = mixed
    model = RandomSubspaceClassifier(DecisionTreeClassifier(), 20, max_features=0.5, random_state=2).fit(X, y)
    assert {len(columns) for columns in model.features_} == {3}
    assert len({tuple(columns) for columns in model.features_}) > 5
    for columns, member in zip(model.features_, model.estimators_, strict=True):
        alone = DecisionTreeClassifier().fit(X[:, columns], y)
        np.testing.assert_array_equal(member.predict(X[:, columns]), alone.predict(X[:, columns]))


def test_input_decimation_finds_the_columns_of_each_class():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    X = rng.integers(0, 2, (600, 6))
    for c in range(3):
        X[:, c] = np.where(rng.random(600) < 0.9, y == c, X[:, c])
    model = InputDecimationClassifier(max_features=0.2, categorical_features=range(6)).fit(X, y)
    assert [columns.tolist() for columns in model.features_] == [[0], [1], [2]]


def test_correlations_are_pearsons_for_two_values_and_for_numbers(mixed):
    X, y = mixed
    two = (X[:, :1] > 1).astype(int)
    table = np.column_stack([two, X[:, 3:]])
    schema = Schema.infer(table, [0])
    is_member = y == "bee"
    found = correlations(schema, schema.encode(table), is_member, np.ones(len(y)))
    expected = [abs(np.corrcoef(column, is_member)[0, 1]) for column in table.T]
    np.testing.assert_allclose(found, expected, atol=1e-10)


@pytest.mark.parametrize(("n_classes", "n_found"), [(3, 3), (4, 7), (9, 20), (2, 1)])
def test_codes_are_distinct_and_never_constant(n_classes, n_found):
    codes = partitions(n_classes, 20, key=1)
    assert len({tuple(code) for code in codes.tolist()}) == len(codes) == n_found
    assert ((codes.sum(axis=1) > 0) & (codes[:, 0] == 0)).all()


@pytest.mark.parametrize(
    ("kind", "parameter", "value", "message"),
    [
        (DecorateClassifier, "artificial_share", 0.0, "artificial_share must be a number above 0 and finite"),
        (DecorateClassifier, "max_trials", 0, "max_trials must be an integer of at least 1; got 0"),
        (
            RandomSubspaceClassifier,
            "max_features",
            1.5,
            "max_features must be a number above 0 and at most 1.*share of the columns.*got 1.5",
        ),
        (
            InputDecimationClassifier,
            "max_features",
            0,
            "max_features must be a number above 0.*share of the columns.*got 0",
        ),
        (OutputCodeClassifier, "n_estimators", 0, "n_estimators must be an integer of at least 1; got 0"),
    ],
)
def test_bad_parameters_are_named(kind, parameter, value, message):
    with pytest.raises(ValueError, match=message):
        kind(**{parameter: value}).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize(
    "base",
    [
        NaiveBayesClassifier(),
        DecisionStumpClassifier(),
        NeuralNetworkClassifier(),
        DecisionTreeClassifier(),
        ScikitTree(),
    ],
)
def test_threads_change_no_bit_of_a_bag(base, mixed):
    X, y = mixed
    one, two = (
        BaggingClassifier(base, 7, oob_score=True, random_state=1, n_jobs=n).fit(X, y) for n in (None, 2)
    )
    np.testing.assert_array_equal(one.predict_each(X), two.predict_each(X))
    assert one.oob_score_ == two.oob_score_
