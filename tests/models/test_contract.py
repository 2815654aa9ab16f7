"""Every kind of base model satisfies the interface in `oza.classifier.contract`."""

import pickle
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags

import oza
from oza.classifier import contract
from oza.classifier.third_party import ThirdParty
from oza.columns.examples import Examples, LabelledExamples
from oza.kernels.compile import kernel, type_when_compiled
from tests.ensembles.test_combinations import ENSEMBLES, data
from tests.estimators import base_models
from tests.majority import MajorityClassifier
from tests.models.operations import (
    CLASSIFY,
    CLASSIFY_EACH,
    LEARN_EACH,
    LEARN_RUN,
    MARK_CORRECT,
    RESET,
    classify_every,
    learn_every,
    perform,
)

KINDS = base_models(hidden_units=3, updates=2, initial_range=0.5) | {
    "MajorityClassifier": MajorityClassifier(),
    "third_party": GaussianNB(),
}
M = 3


def kind_of(name):
    model = KINDS[name]
    if name == "third_party":
        return ThirdParty(model, "partial_fit", get_tags(model).input_tags)
    return model


def stream(name, seed=0, n=40):
    """A schema, examples with two columns of each kind, labels, and whole weights for each model."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    nominal = np.where(rng.random((n, 2)) < 0.6, y[:, None], rng.integers(0, 3, (n, 2)))
    numbers = np.round(rng.normal(size=(n, 2)) + y[:, None], 1)
    X = (
        numbers
        if name == "third_party"
        else [[*map(int, a), *map(float, b)] for a, b in zip(nominal, numbers, strict=True)]
    )
    model = oza.NaiveBayesClassifier()
    checked = kind_of(name)._check_X(X)
    schema = kind_of(name)._infer_schema(checked, model)
    return schema, schema.encode(checked), y, rng.integers(0, 3, (n, M)).astype(float)


def new(name, schema, examples, n_models=M):
    kind = kind_of(name)
    return kind._reserve(kind._new_models(schema, np.arange(3), n_models), examples)


def classes_of(models, examples, n_models=M, by=CLASSIFY):
    return classify_every(models, n_models, examples, by)


def kinds_with(*operations):
    """The kinds that implement one of these operations, and two of others, which have its default."""
    own = {f"{state.__name__}Classifier" for operation in operations for state in operation._implementations}
    own |= {"MajorityClassifier", "GaussianNB"}
    return [name for name, kind in KINDS.items() if type(kind).__name__ in own]


@pytest.mark.parametrize("name", kinds_with(contract.learn_each))
def test_all_models_at_once_learn_as_one_by_one(name):
    schema, examples, y, weights = stream(name)
    plain, fast = (new(name, schema, examples) for _ in range(2))
    learn_every(plain, examples, y, weights)
    learn_every(fast, examples, y, weights, by=LEARN_EACH)
    np.testing.assert_array_equal(classes_of(fast, examples), classes_of(plain, examples))


@pytest.mark.parametrize("name", KINDS)
def test_a_block_is_classified_as_one_by_one(name):
    schema, examples, y, weights = stream(name)
    models = new(name, schema, examples)
    assert (classes_of(models, examples) == -1).all()
    learn_every(models, examples, y, weights)
    expected = classes_of(models, examples)
    assert (expected == y[:, None]).mean() > 0.3
    if name in kinds_with(contract.classify_each):
        np.testing.assert_array_equal(classes_of(models, examples, by=CLASSIFY_EACH), expected)
    blocks = [labels for _, labels in contract.label_blocks(models, M, examples)]
    np.testing.assert_array_equal(np.concatenate(blocks), expected)


class OneByOne:
    """A model among several that learns each example in a call of its own, by the required operations."""

    def __init__(self, models, m):
        self.models, self.m = models, m

    def classify(self, examples):
        return classes_of(self.models, examples)[:, self.m]

    def class_shares(self, examples):
        return contract.class_shares(self.models, self.m, 3, examples)

    def learn(self, examples, label, weight):
        weights = np.zeros((1, M))
        weights[0, self.m] = weight
        learn_every(self.models, examples, np.array([label]), weights)


def each_of(examples):
    for n in range(len(examples.codes)):
        yield Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])


@pytest.mark.parametrize("name", kinds_with(contract.learn_run, contract.mark_correct))
@pytest.mark.parametrize("is_long", [False, True])
def test_learning_and_testing_a_block_is_many_single_steps(name, is_long):
    schema, examples, y, weights = stream(name)
    part = slice(0, len(y) if is_long else 5)
    some = Examples(examples.codes[part], examples.numbers[part])
    plain, fast = (new(name, schema, examples) for _ in range(2))
    one, expected = OneByOne(plain, 1), []
    for example, label, weight in zip(each_of(some), y[part], weights[part, 1], strict=True):
        before = one.classify(example)[0]
        one.learn(example, label, weight)
        expected.append((before, one.classify(example)[0] == label))
    before, after = np.empty(len(y[part]), np.int32), np.empty(len(y[part]), np.bool_)
    perform(LEARN_RUN, fast, 1, some, labels=y[part], weights=weights[part], before=before, after=after)
    assert list(zip(before, after, strict=True)) == expected
    is_right = np.empty(len(y), np.bool_)
    perform(MARK_CORRECT, fast, 1, examples, labels=y, after=is_right)
    np.testing.assert_array_equal(is_right, one.classify(examples) == y)
    np.testing.assert_array_equal(classes_of(fast, examples), classes_of(plain, examples))


@pytest.mark.parametrize("kept", ["both", "nominal", "numeric"])
@pytest.mark.parametrize(
    "name", ["DecisionStumpClassifier", "HoeffdingTreeClassifier", "HoeffdingOptionTreeClassifier"]
)
def test_class_probabilities_while_learning_are_those_of_single_steps(name, kept):
    schema, examples, y, weights = stream(name, n=600)
    columns = {"both": [0, 1, 2, 3], "nominal": [0, 1], "numeric": [2, 3]}[kept]
    schema, examples = schema.of_columns(columns), schema.part_of(examples, np.array(columns))
    assert examples.codes.flags.c_contiguous  # or all kernels would be compiled again
    plain, fast = (new(name, schema, examples) for _ in range(2))
    one, expected = OneByOne(plain, 1), []
    for example, label, weight in zip(each_of(examples), y, weights[:, 1], strict=True):
        expected.append([*one.classify(example), *one.class_shares(example)[0]])
        one.learn(example, label, weight)
    before, shares = np.empty(len(y), np.int32), np.empty((len(y), 3))
    perform(LEARN_RUN, fast, 1, examples, labels=y, weights=weights, before=before, shares=shares)
    np.testing.assert_array_equal(np.column_stack([before, shares]), expected)
    without_shares, before = new(name, schema, examples), np.empty(len(y), np.int32)
    perform(LEARN_RUN, without_shares, 1, examples, labels=y, weights=weights, before=before)
    np.testing.assert_array_equal(before, np.array(expected)[:, 0])
    for models in (fast, without_shares):
        np.testing.assert_array_equal(classes_of(models, examples), classes_of(plain, examples))
    is_tree_of_both = kept == "both" and name != "DecisionStumpClassifier"
    assert len(np.unique(shares[:, 0])) > (100 if is_tree_of_both else 20)


@pytest.mark.parametrize("name", KINDS)
def test_a_model_that_is_reset_has_learned_nothing_and_learns_as_a_new_one(name):
    schema, examples, y, weights = stream(name)
    fresh, used = (new(name, schema, examples) for _ in range(2))
    learn_every(used, examples, y, weights)
    before = classes_of(used, examples)
    perform(RESET, used, 1, examples)
    after = classes_of(used, examples)
    assert (after[:, 1] == -1).all()
    np.testing.assert_array_equal(after[:, [0, 2]], before[:, [0, 2]])
    weights[:, [0, 2]] = 0.0
    for models in (fresh, used):
        learn_every(models, examples, y, weights)
    np.testing.assert_array_equal(classes_of(used, examples)[:, 1], classes_of(fresh, examples)[:, 1])


@pytest.mark.parametrize("name", [name for name in KINDS if name != "third_party"])
def test_models_can_be_taken_out_packed_and_unpacked(name):
    schema, examples, y, weights = stream(name)
    models, kind = new(name, schema, examples), kind_of(name)
    learn_every(models, examples, y, weights)
    expected = classes_of(models, examples)
    taken = kind._take(models, np.array([2, 0]))
    assert type_when_compiled(taken) == type_when_compiled(models)  # or all kernels would be compiled again
    np.testing.assert_array_equal(classes_of(taken, examples, 2), expected[:, [2, 0]])
    learn_every(taken, examples, y, weights[:, :2].copy())
    again = kind._unpack(pickle.loads(pickle.dumps(kind._pack(models))))
    np.testing.assert_array_equal(classes_of(again, examples), expected)


@pytest.mark.parametrize(  # the others without compilation, in tests/kernels/test_disabled.py
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name != "OnlineBoostingClassifier"))
        for name in ENSEMBLES
    ],
)
def test_two_operations_are_enough_for_every_ensemble(name):
    X, y = data("nominal")
    ensemble = clone(ENSEMBLES[name]).set_params(
        estimator=MajorityClassifier(), categorical_features=range(X.shape[1])
    )
    whole = clone(ensemble).fit(X, y)
    expected = whole.predict(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).predict(X), expected)
    assert len(whole.estimators_) >= 1
    if hasattr(ensemble, "partial_fit"):
        pieces = clone(ensemble)
        for part in np.array_split(np.arange(len(y)), 7):
            pieces.partial_fit(X[part], y[part])
        np.testing.assert_array_equal(pieces.predict(X), expected)
        voted = clone(ensemble)
        assert set(voted.prequential_predict(X, y, classes=[0, 1])) <= {0, 1}
        np.testing.assert_array_equal(voted.predict(X), expected)


def growth(values=(), classes=()):
    """A larger vocabulary in which the values and classes known before have these positions."""
    return contract.Growth(None, np.arange(9), np.array(values, np.int64), np.array(classes, np.int64))


def test_a_state_whose_axes_are_not_named_cannot_grow():
    class Plain(NamedTuple):
        counts: np.ndarray

    said = r"Plain.counts would grow from shape \(2, 1\) to \(3, 1\).*annotate it"
    with pytest.raises(TypeError, match=said):
        contract.transferred(Plain(np.zeros((2, 1))), Plain(np.zeros((3, 1))), growth())


class Stored(NamedTuple):
    codes: Annotated[np.ndarray, "M, W", "codes"]
    labels: Annotated[np.ndarray, "W, M", "labels"]
    shares: Annotated[np.ndarray, "K, M"]


def stored(n_classes, fill=-1):
    return Stored(np.full((1, 4), fill), np.full((4, 1), fill, np.int32), np.full((n_classes, 1), 0.5))


def test_growth_renumbers_codes_and_labels_and_moves_entries_along_axes():
    models = stored(2)
    models.codes[0, :3] = 0, 1, 0
    models.labels[:3, 0] = 1, 0, 1
    models.shares[:, 0] = 0.1, 0.2
    fresh = contract.transferred(models, stored(3), growth(values=[2, 5], classes=[0, 2]))
    assert fresh.codes.tolist() == [[2, 5, 2, -1]]
    assert fresh.labels.T.tolist() == [[2, 0, 2, -1]] and fresh.labels.dtype == np.int32
    assert fresh.shares.T.tolist() == [[0.1, 0.5, 0.2]]
    assert models.codes.tolist() == [[0, 1, 0, -1]]


def test_codes_and_labels_are_renumbered_in_states_of_ensembles_too():
    """They need no axis of models, and may be in a state inside the state."""
    examples = Examples(np.array([[0, -1], [1, 2]], np.int32), np.zeros((2, 0)))
    piece = LabelledExamples(examples, np.array([1, 0]), np.ones(2))
    found = growth(values=[1, 3, 4], classes=[1, 2]).renumbered(piece)
    assert found.examples.codes.tolist() == [[1, -1], [3, 4]]
    assert found.labels.tolist() == [2, 1]
    assert found.weights is piece.weights


@pytest.mark.parametrize("clear", [contract.clear, kernel(lambda models, m: contract.clear(models, m))])
def test_a_code_or_label_of_a_model_that_is_reset_is_none(clear):
    models = Stored(np.zeros((2, 4), int), np.zeros((4, 2), int), np.ones((3, 2)))
    clear(models, 1)
    assert models.codes.tolist() == [[0] * 4, [-1] * 4]
    assert models.labels.T.tolist() == [[0] * 4, [-1] * 4]
    assert models.shares.T.tolist() == [[1.0] * 3, [0.0] * 3]
