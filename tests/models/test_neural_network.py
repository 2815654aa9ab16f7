import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import minmax_scale

from oza import NeuralNetworkClassifier
from oza.classifier.contract import classify, learn, learn_each
from oza.columns.validation import check_key
from oza.kernels.compile import kernel
from tests import references
from tests.bases import classify_all
from tests.streams import pieces, streams

SETTINGS = st.fixed_dictionaries(
    {
        "hidden_units": st.sampled_from([1, 3, 7, 8, 10]),
        "learning_rate": st.sampled_from([0.5, 0.1, 3.0]),
        "epochs": st.integers(1, 3),
        "updates": st.integers(1, 3),
        "initial_range": st.sampled_from([0.05, 1.0, 0.0]),
        "random_state": st.integers(0, 2**40),
    }
)


def values_of(stream):
    return [None if n is None else [f"v{v}" for v in range(n)] for n in stream.n_values]


def reference_of(stream, parameters, classes=None, m=0):
    return references.NeuralNetwork(
        classes or stream.classes,
        values_of(stream),
        check_key(parameters["random_state"]),
        m,
        parameters["hidden_units"],
        parameters["learning_rate"],
        parameters["epochs"],
        parameters["updates"],
        parameters["initial_range"],
    )


def weights_of(model):
    return [model.coefs_[0], model.intercepts_[0], model.coefs_[1], model.intercepts_[1]]


def assert_same(model, reference):
    w1, w2 = np.array(reference.w1), np.array(reference.w2)
    for ours, theirs in zip(weights_of(model), (w1[1:], w1[0], w2[:, :-1].T, w2[:, -1]), strict=True):
        np.testing.assert_array_equal(ours, theirs.reshape(ours.shape))
    assert (model.n_updates_, model.n_bounded_) == (reference.n_updates, reference.n_bounded)


@given(streams(weighted=True, max_rows=15), SETTINGS)
@settings(max_examples=100)
def test_online_equals_the_reference_bit_for_bit(stream, parameters):
    model = NeuralNetworkClassifier(**parameters)
    model.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=stream.weights)
    reference = reference_of(stream, parameters)
    for x, y, weight in zip(stream.rows, stream.labels, stream.weights, strict=True):
        reference.learn_scaled(x, y, weight)
    assert_same(model, reference)
    assert model.predict(stream.frame).tolist() == [reference.classify(x) or 0 for x in stream.rows]
    for share, x in zip(model.predict_proba(stream.frame), stream.rows, strict=True):
        outputs = reference.outputs(x) if reference.n_updates else [1.0] * stream.n_classes
        total = 0.0
        for output in outputs:
            total += output
        assert share.tolist() == [output / total for output in outputs]


@given(streams(weighted=True, max_rows=10), SETTINGS)
@settings(max_examples=60)
def test_batch_equals_the_reference_bit_for_bit(stream, parameters):
    if not any(stream.weights):
        return
    model = NeuralNetworkClassifier(**parameters, categories=values_of(stream))
    model.fit(stream.frame, stream.labels, sample_weight=stream.weights)
    reference = reference_of(stream, parameters, model.classes_.tolist())
    reference.learn_batch(stream.rows, stream.labels, stream.weights, range(len(stream.rows)))
    assert_same(model, reference)
    assert model.predict(stream.frame).tolist() == [reference.classify(x) for x in stream.rows]


@kernel
def one_by_one(models, m, examples, labels, weights):
    """The readable path: one operation, one model, one example."""
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n])
    predictions = np.empty(len(labels), np.int64)
    for n in range(len(labels)):
        predictions[n] = classify(models, m, examples, n)
    return predictions


@kernel
def all_at_once(models, examples, labels, weights, n_models):
    for n in range(len(labels)):
        learn_each(models, examples, n, labels[n], np.full(n_models, weights[n]))


@given(streams(max_rows=8), SETTINGS, st.data())
@settings(max_examples=60)
def test_copies_equal_the_reference_in_every_model(stream, parameters, data):
    weight = st.sampled_from([0.0, 1.0, 2.0, 5.0, 0.25, 1.75, 100.0, 101.0, 1e6])
    weights = np.array([data.draw(weight) for _ in stream.rows])
    estimator = NeuralNetworkClassifier(**parameters)
    single = NeuralNetworkClassifier(**parameters).partial_fit(
        stream.frame, stream.labels, classes=stream.classes
    )
    examples, labels = single._schema.encode(stream.frame), np.array(stream.labels)
    plain, each = (estimator._new_models(single._schema, single.classes_, 3) for _ in range(2))
    predictions = one_by_one(plain, 1, examples, labels, weights)
    all_at_once(each, examples, labels, weights, 3)
    for name in ("first", "second", "n_updates", "n_bounded"):
        np.testing.assert_array_equal(getattr(plain, name)[1], getattr(each, name)[1])
    reference = reference_of(stream, parameters, m=1)
    for x, y, w in zip(stream.rows, stream.labels, weights.tolist(), strict=True):
        reference.learn(x, y, w)
    single._models = each._replace(
        **{name: getattr(each, name)[1:2] for name in ("first", "second", "n_updates", "n_bounded")}
    )
    assert_same(single, reference)
    np.testing.assert_array_equal(classify_all(single._models, examples), np.maximum(predictions, 0))
    assert reference.n_bounded == sum(weights > 100)


@given(streams(weighted=True), SETTINGS, st.lists(st.integers(1, 10), max_size=10))
@settings(max_examples=60)
def test_any_division_of_the_stream_gives_the_same_network(stream, parameters, cuts):
    frame, labels, weights = stream.frame, np.array(stream.labels), np.array(stream.weights)
    whole = NeuralNetworkClassifier(**parameters)
    whole.partial_fit(frame, labels, classes=stream.classes, sample_weight=weights)
    cut = NeuralNetworkClassifier(**parameters)
    for rows in pieces(cuts, len(labels)):
        cut.partial_fit(frame.iloc[rows], labels[rows], classes=stream.classes, sample_weight=weights[rows])
    for ours, theirs in zip(weights_of(whole), weights_of(cut), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(5))
def test_an_update_is_a_step_down_the_gradient_of_half_the_squared_error(seed):
    rng = np.random.default_rng(seed)
    x, y, rate = [f"v{rng.integers(3)}", f"v{rng.integers(2)}", rng.random()], int(rng.integers(3)), 1e-3
    values = [["v0", "v1", "v2"], ["v0", "v1"], None]
    parameters = {"hidden": 4, "rate": rate, "initial_range": 1.0}
    before, after = (references.NeuralNetwork([0, 1, 2], values, seed, **parameters) for _ in range(2))
    after.learn(x, y)

    def error():
        return 0.5 * sum((float(k == y) - o) ** 2 for k, o in enumerate(before.outputs(x)))

    for layer, moved in ((before.w1, after.w1), (before.w2, after.w2)):
        for row, new in zip(layer, moved, strict=True):
            for j, weight in enumerate(row):
                row[j] = weight + 1e-5
                above = error()
                row[j] = weight - 1e-5
                below = error()
                row[j] = weight
                assert (new[j] - weight) / rate == pytest.approx(-(above - below) / 2e-5, abs=1e-8)


@pytest.fixture(scope="module")
def nominal():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 600)
    X = (rng.integers(0, 4, (600, 12)) + (rng.random((600, 12)) < 0.4) * y[:, None]) % 4
    return X, y


def network(**parameters):
    """A network for the nominal columns."""
    return NeuralNetworkClassifier(categorical_features=range(12), random_state=1, **parameters)


def test_a_weight_above_the_bound_is_cut_and_counted(nominal):
    X, y = nominal
    model, other = (network() for _ in range(2))
    model.partial_fit(X, y, classes=[0, 1, 2], sample_weight=np.where(np.arange(len(y)) == 5, 1e9, 1.0))
    other.partial_fit(X, y, classes=[0, 1, 2], sample_weight=np.where(np.arange(len(y)) == 5, 100.0, 1.0))
    assert (model.n_bounded_, other.n_bounded_) == (1, 0)
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


def test_inputs_are_one_for_each_value_and_one_for_two():
    X = [["a", "x", "one", 0.5], ["b", "y", "one", 0.25], ["c", "y", "one", 0.0]]
    frame = np.array(X, dtype=object)
    model = NeuralNetworkClassifier(categorical_features=[0, 1, 2]).fit(frame, [0, 1, 1])
    assert [c.shape for c in model.coefs_] == [(3 + 1 + 1 + 1, 10), (10, 2)]
    assert [c.shape for c in model.intercepts_] == [(10,), (2,)]


def test_an_unknown_value_is_no_input(nominal):
    X, y = nominal
    model = network().fit(X, y)
    unknown = np.full((1, 12), 9)
    hidden = 1 / (1 + np.exp(-model.intercepts_[0]))
    outputs = 1 / (1 + np.exp(-(hidden @ model.coefs_[1] + model.intercepts_[1])))
    np.testing.assert_allclose(model.predict_proba(unknown)[0], outputs / outputs.sum(), rtol=1e-12)


def test_numbers_far_out_of_range_leave_predictions_finite():
    X = np.array([[1e300, -1e300], [1e308, 1e308], [-1e308, 1e154]] * 20)
    model = NeuralNetworkClassifier(random_state=0).fit(X, np.arange(60) % 2)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.predict_proba(minmax_scale(X / 1e10))).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hidden_units", 0),
        ("hidden_units", 2.5),
        ("epochs", 0),
        ("updates", True),
        ("learning_rate", -0.5),
        ("learning_rate", np.nan),
        ("initial_range", "wide"),
    ],
)
def test_bad_parameters_are_named_in_the_message(name, value):
    with pytest.raises(ValueError, match=name):
        NeuralNetworkClassifier(**{name: value}).fit([[1]], [0])


def test_predictions_can_run_concurrently(nominal):
    X, y = nominal
    model = network().fit(X, y)
    expected, results = model.predict_proba(X), []
    threads = [threading.Thread(target=lambda: results.append(model.predict_proba(X))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for result in results:
        np.testing.assert_array_equal(result, expected)
