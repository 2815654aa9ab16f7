import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from oza import DecisionStumpClassifier, OnlineBaggingClassifier
from oza.classifier.contract import LONG_ENOUGH, classify, learn
from oza.columns.examples import Examples
from oza.kernels.compile import kernel
from oza.models.decision_stump.kernels import best_test
from oza.models.decision_stump.search import add_example, begin, choose, end
from oza.models.decision_stump.state import with_rows_for
from tests import references
from tests.bases import best_sum, classify_all
from tests.models.operations import LEARN_EACH, LEARN_RUN, MARK_CORRECT, classify_every, learn_every, perform
from tests.streams import learn_in_any_order, streams


def learned(stream, weights=None):
    model = DecisionStumpClassifier()
    return model.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=weights)


def reference_of(stream):
    reference = references.DecisionStump(stream.classes, stream.values)
    for x, y, w in zip(stream.rows, stream.labels, stream.weights, strict=True):
        reference.learn(x, y, w)
    return reference


@given(streams(weighted=True), streams())
@settings(max_examples=300)
def test_tests_and_predictions_equal_the_reference_bit_for_bit(stream, other):
    model, reference = learned(stream, stream.weights), reference_of(stream)
    left_open, attribute, threshold, _ = reference.best_test()
    numeric = stream.n_values[attribute] is None
    assert (model.feature_, model.threshold_) == (attribute, threshold if numeric else None)
    assert best_sum(model._models) == left_open
    assert model.predict(stream.frame).tolist() == [reference.classify(x) or 0 for x in stream.rows]
    shares = model.predict_proba(stream.frame)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(shares.argmax(axis=1), model.predict(stream.frame))
    if other.n_values == stream.n_values:
        assert model.predict(other.frame).tolist() == [reference.classify(x) or 0 for x in other.rows]


@kernel
def step_by_step(models, m, examples, labels, weights):
    """The readable path: one model classifies each example, learns it, and classifies it again at once."""
    before, after = np.empty(len(labels), np.int32), np.empty(len(labels), np.int32)
    has_best_test = np.empty(len(labels), np.bool_)
    for n in range(len(labels)):
        before[n] = classify(models, m, examples, n)
        learn(models, m, examples, n, labels[n], weights[n])
        after[n] = classify(models, m, examples, n)
        has_best_test[n] = models.attributes[models.chosen[m]] == best_test(models, m)[0]
    return before, after, has_best_test


def with_capacity(models, examples):
    return with_rows_for(models, examples.numbers)


def new_models(schema, n_classes, n_models=1):
    return DecisionStumpClassifier()._new_models(schema, np.arange(n_classes), n_models)


@given(streams(weighted=True), st.booleans())
@settings(max_examples=300)
def test_an_updated_model_classifies_at_once_as_the_reference_does(stream, weighted):
    examples = learned(stream)._schema.encode(stream.frame)
    models = with_capacity(new_models(learned(stream)._schema, stream.n_classes, 3), examples)
    weights = np.array(stream.weights) if weighted else np.ones(len(stream.rows))
    _, predictions, has_best_test = step_by_step(models, 1, examples, np.array(stream.labels), weights)
    assert has_best_test.all()
    reference = references.DecisionStump(stream.classes, stream.values)
    for n, (x, y) in enumerate(zip(stream.rows, stream.labels, strict=True)):
        reference.learn(x, y, weights[n])
        label = reference.classify(x)
        assert predictions[n] == (-1 if label is None else label)


@pytest.mark.parametrize("signal", [0.0, 0.05, 0.4])
@pytest.mark.parametrize("spread", [0, 8])
def test_leaving_columns_unexamined_never_changes_the_test(signal, spread):
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 4000)
    X = np.where(rng.random((4000, 12)) < signal, y[:, None], rng.integers(0, 3, (4000, 12)))
    X[:, 7] = X[:, 3]  # a permanent tie
    schema = DecisionStumpClassifier(categorical_features=range(12)).fit(X, y)._schema
    weights = np.exp(rng.normal(0, spread, 4000))
    assert step_by_step(new_models(schema, 3), 0, schema.encode(X), y, weights)[2].all()
    assert_a_block_is_many_single_steps(schema, 3, schema.encode(X), y, weights, 500)


@kernel
def follow(models, evaluated, m, examples, labels, weights):
    """How often the test that a search follows is that which evaluating every threshold finds."""
    n_same = 0
    search = begin(models, m)
    for n in range(len(labels)):
        if weights[n] > 0.0:
            learn(models, m, examples, n, labels[n], weights[n])
            add_example(models, m, search, examples, n, labels[n], weights[n])
        choose(models, m, search)
        attribute, threshold, groups = best_test(evaluated, m)
        is_same = (models.attributes[search.column[0]] == attribute) & (search.threshold[0] == threshold)
        for c in range(groups.shape[1] if attribute >= len(models.branch_starts) - 1 else 0):
            is_same &= (search.groups[0, c, 0] == groups[0, c, 0]) & (
                search.groups[1, c, 0] == groups[1, c, 0]
            )
        n_same += is_same
    end(models, m, search)
    return n_same


@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("signal", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("order", ["random", "by class", "rising", "falling"])
def test_a_search_follows_the_best_threshold_among_all(decimals, signal, order):
    rng = np.random.default_rng(5)
    n = 700
    y = rng.integers(0, 3, n).astype(np.int32)
    numbers = np.round(rng.normal(size=(n, 4)) + signal * y[:, None], decimals)
    numbers[:, 2] = numbers[:, 1]  # a permanent tie
    numbers[rng.random((n, 4)) < 0.05] = np.nan
    codes = np.where(rng.random((n, 1)) < 0.2, y[:, None], rng.integers(0, 3, (n, 1))).astype(np.int32)
    by = {"random": np.arange(n), "by class": y, "rising": numbers[:, 1], "falling": -numbers[:, 1]}[order]
    place = np.argsort(by, kind="stable")
    y = y[place]
    columns = [codes[:, 0], *numbers.T]
    schema = DecisionStumpClassifier(categorical_features=[0]).fit(np.column_stack(columns), y)._schema
    models, n_same = new_models(schema, 3, 3), 0
    for start, stop in ((0, 1), (1, 40), (40, 300), (300, n)):  # numbers come between, and blocks are cut
        part = Examples(codes[place][start:stop], numbers[place][start:stop])
        models = with_capacity(models, part)
        evaluated = models._replace(has_fractions=np.ones(3, bool), floors=np.zeros(models.floors.shape))
        n_same += follow(models, evaluated, 1, part, y[start:stop], rng.poisson(1.5, stop - start) * 1.0)
        np.testing.assert_array_equal(models.block_counts.sum(axis=0), models.number_counts.sum(axis=0))
        sizes = np.diff(models.block_starts)
        assert sizes.max() <= 64 and sizes.sum() == len(models.numbers)
    assert n_same == n


def assert_a_block_is_many_single_steps(schema, n_classes, examples, labels, weights, size):
    plain, taken = (with_capacity(new_models(schema, n_classes, 3), examples) for _ in range(2))
    answers, predictions, _ = step_by_step(plain, 1, examples, labels, weights)
    before, learned, examined = np.empty(len(labels), np.int32), *np.empty((2, len(labels)), np.bool_)
    of_each = np.repeat(weights[:, None], 3, axis=1)
    for start in range(0, len(labels), size):
        part = slice(start, start + size)
        some = Examples(examples.codes[part], examples.numbers[part])
        given = {"labels": labels[part], "weights": of_each[part]}
        perform(LEARN_RUN, taken, 1, some, before=before[part], after=learned[part], **given)
    perform(MARK_CORRECT, taken, 1, examples, labels=labels, after=examined)
    np.testing.assert_array_equal(before, answers)
    np.testing.assert_array_equal(learned, predictions == labels)
    np.testing.assert_array_equal(examined, classify_every(plain, 3, examples)[:, 1] == labels)
    for counts in ("class_counts", "branch_counts", "number_counts", "block_counts"):
        np.testing.assert_array_equal(getattr(taken, counts), getattr(plain, counts))
    for models in (plain, taken):  # single steps continue from the state that a block leaves
        assert step_by_step(models, 1, examples, labels, weights)[2].all()


@given(streams(weighted=True), st.sampled_from([LONG_ENOUGH, 2 * LONG_ENOUGH, 100]), st.randoms())
@settings(max_examples=100)
def test_a_block_is_many_single_steps(stream, size, random):
    schema = learned(stream)._schema
    examples = schema.encode(stream.frame)
    examples.codes[np.array([[random.random() < 0.1 for _ in x] for x in examples.codes], bool)] = -1
    labels, weights = np.array(stream.labels), np.array(stream.weights)
    assert_a_block_is_many_single_steps(schema, stream.n_classes, examples, labels, weights, size)


@given(streams(weighted=True), st.integers(1, 4))
@settings(max_examples=150)
def test_the_vectorised_operations_equal_the_plain_ones(stream, n_models):
    schema = learned(stream)._schema
    examples, labels = schema.encode(stream.frame), np.array(stream.labels)
    weights = np.array([[w * ((n + m) % 3) for m in range(n_models)] for n, w in enumerate(stream.weights)])
    plain, abreast = (
        with_capacity(new_models(schema, stream.n_classes, n_models), examples) for _ in range(2)
    )
    learn_every(plain, examples, labels, weights)
    learn_every(abreast, examples, labels, weights, by=LEARN_EACH)
    for name, array in plain._asdict().items():
        np.testing.assert_array_equal(array, getattr(abreast, name))
    ensemble = OnlineBaggingClassifier(DecisionStumpClassifier(), n_models)
    ensemble.partial_fit(stream.frame, stream.labels, classes=stream.classes)
    ensemble._models = abreast
    one_by_one = np.maximum(classify_every(plain, n_models, examples), 0)
    for m, member in enumerate(ensemble.estimators_):
        np.testing.assert_array_equal(classify_all(member._models, examples), one_by_one[:, m])


@given(streams(max_rows=80), st.randoms(use_true_random=False), st.lists(st.integers(1, 10), max_size=10))
@settings(max_examples=300)
def test_lossless_any_order_and_any_chunks_give_what_fit_gives(stream, random, cuts):
    frame, online = stream.frame, DecisionStumpClassifier()
    learn_in_any_order(online, stream, random, cuts)
    batch = DecisionStumpClassifier(categories=stream.values).fit(frame, stream.labels)
    assert (online.feature_, online.threshold_) == (batch.feature_, batch.threshold_)
    np.testing.assert_array_equal(online.predict_proba(frame)[:, batch.classes_], batch.predict_proba(frame))


def test_equals_a_tree_of_depth_one_on_numbers():
    # Where both have one threshold on a number, the definitions coincide, but for ties: scikit-learn
    # looks at the columns in a random order, so the data here has no two equal gains.
    rng = np.random.default_rng(10)
    for seed in range(20):
        y = rng.integers(0, 3, 150)
        X = (rng.normal(size=(150, 4)) + rng.random(4) * y[:, None]).astype(np.float32)  # as theirs works
        weights = rng.integers(1, 5, 150) if seed % 2 else None
        ours = DecisionStumpClassifier().fit(X, y, sample_weight=weights)
        theirs = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(X, y, sample_weight=weights)
        assert ours.feature_ == theirs.tree_.feature[0]
        assert ours.threshold_ == pytest.approx(theirs.tree_.threshold[0], abs=1e-12)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)


def test_equal_gains_go_to_the_first_column_and_the_lowest_threshold():
    X = np.array([[5, 1, 1], [5, 1, 1], [5, 2, 2], [5, 2, 2]])
    y = [0, 0, 1, 1]
    assert DecisionStumpClassifier(categorical_features=range(3)).fit(X, y).feature_ == 1
    mixed = DecisionStumpClassifier(categorical_features=[2]).fit(X.astype(float), y)
    assert (mixed.feature_, mixed.threshold_) == (1, 1.5)
    swapped = DecisionStumpClassifier(categorical_features=[1]).fit(X.astype(float), y)
    assert (swapped.feature_, swapped.threshold_) == (1, None)
    symmetric = DecisionStumpClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert symmetric.threshold_ == 0.5


def test_every_value_has_a_branch_and_an_empty_one_gives_the_majority():
    X = [["a"], ["b"], ["c"], ["c"], ["b"]]
    model = DecisionStumpClassifier(categories=[["a", "b", "c", "d"]]).fit(X, [0, 1, 2, 2, 1])
    assert model.predict([["a"], ["b"], ["c"], ["d"], ["zebra"]]).tolist() == [0, 1, 2, 1, 1]


def test_values_that_the_schema_does_not_know_share_a_branch():
    model = DecisionStumpClassifier(categories=[["a", "b"]])
    with pytest.warns(UserWarning, match="not among its categories"):
        model.fit([["a"], ["a"], ["a"], ["y"], ["z"]], [0, 0, 0, 1, 1])
    assert model.predict([["a"], ["b"], ["zebra"]]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("numbers", [[1.0, np.nextafter(1.0, 2.0)], [-1.7e308, 1.7e308], [0.0, 5e-324]])
def test_numbers_at_the_limits_of_floating_point_are_distinguished(numbers):
    X = np.array(numbers)[:, None]
    assert DecisionStumpClassifier().fit(X, [0, 1]).predict(X).tolist() == [0, 1]


def test_minus_zero_is_zero():
    model = DecisionStumpClassifier().fit([[0.0], [-0.0], [1.0]], [0, 0, 1])
    model.partial_fit([[-0.0]], [0])
    assert len(model._models.numbers) == 2
    assert model.threshold_ == 0.5
