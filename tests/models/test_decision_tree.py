import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from oza import AdaBoostClassifier, DecisionTreeClassifier
from oza.models.decision_tree.state import MOST_HANDED_UP
from tests.bases import RANDOM_TREES, TREES
from tests.streams import random_stream, streams

settings_of_trees = st.sampled_from(TREES)
settings_of_all = st.sampled_from(TREES + RANDOM_TREES)


def new_model(stream, tree):
    return tree.model.set_params(categories=stream.values)


nodes_of, nodes_of_reference = TREES[0].state, TREES[0].state_of_reference  # the same for any setting


def taught_reference(tree, stream):
    reference = tree.reference(stream, stream.classes)
    for x, y, w in zip(stream.rows, stream.labels, stream.weights, strict=True):
        reference.learn(x, y, w)
    return reference


def heavy_and_light(n):
    return 10.0 ** np.random.default_rng(n).uniform(-12.0, 1.0, n)


@given(streams(weighted=True), st.booleans(), settings_of_all)
@settings(max_examples=150)
def test_trees_and_predictions_equal_the_reference_bit_for_bit(stream, weighted, tree):
    weights = stream.weights if weighted else [1.0] * len(stream.rows)
    if not any(weights):
        return
    model = new_model(stream, tree)
    model.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=weights)
    reference = taught_reference(tree, stream._replace(weights=weights))
    assert nodes_of(model) == nodes_of_reference(reference, stream)
    assert model.predict(stream.frame).tolist() == [reference.classify(x) for x in stream.rows]


@pytest.mark.parametrize("tree", TREES + RANDOM_TREES)
@pytest.mark.parametrize("draw", [np.ones, np.random.default_rng(1).random, heavy_and_light])
def test_large_trees_answer_as_the_reference_before_and_after_they_are_built(tree, draw):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        stream = random_stream(rng, int(rng.integers(60, 300)), seed % 3 // 2)
        stream = stream._replace(weights=draw(len(stream.rows)).tolist())
        model, frame = new_model(stream, tree), stream.frame
        for part in cut_at(0, [25] * 8 * (seed % 2), len(stream.rows)):
            model.partial_fit(frame[part], stream.labels[part], stream.classes, stream.weights[part])
            answers = model.predict(frame).tolist()
        reference = taught_reference(tree, stream)
        assert answers == [reference.classify(x) for x in stream.rows]
        assert nodes_of(model) == nodes_of_reference(reference, stream)
        assert answers == model.predict(frame).tolist()


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("draw", [np.ones, np.random.default_rng(2).random])
def test_a_tree_grown_at_once_is_the_one_that_grows_along_the_way_of_each_example(tree, draw):
    for seed in range(16):
        rng = np.random.default_rng(seed)
        n, levels = (64, 128, 256, 257)[seed % 4], (2, 8, 10**9)[seed % 3]
        X = pd.DataFrame({f"x{d}": rng.integers(0, levels, n) / 8.0 for d in range(1 + seed % 3)})
        noisy = rng.random(n) < 0.1
        y = ((X["x0"] > X["x0"].median()).to_numpy() ^ noisy) * rng.integers(1, (2, 60)[seed % 4 // 3], n)
        if seed % 2:
            X["nominal"] = np.array(list("abcd"))[rng.integers(0, 4, n)]
        X["halves"] = np.arange(n) % 2 + 0.5  # parts of equal size
        X = X.mask(rng.random(X.shape) < 0.05 * (seed % 5 == 0))
        weights = draw(n)
        at_once = tree.model.fit(X, y, sample_weight=weights)
        along = tree.model.partial_fit(X, y, classes=np.unique(y), sample_weight=weights)
        answers = [along.predict_one(x) for x in X.to_dict("records")]
        assert answers == at_once.predict(X).tolist()
        assert all(map(np.array_equal, nodes_of(along), nodes_of(at_once)))


def test_one_warning_where_each_prediction_of_a_stream_goes_through_many_numbers():
    rng = np.random.default_rng(0)
    X, y = rng.random((420, 50)), rng.integers(0, 2, 420)
    model = DecisionTreeClassifier().partial_fit(X[:390], y[:390])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(model).partial_fit(X, y).predict(X)  # in one block
        for n in range(390, 399):
            model.partial_fit(X[n : n + 1], y[n : n + 1]).predict(X[:1])
    with pytest.warns(UserWarning, match="399 examples in 50 numeric columns") as caught:
        for n in range(399, 420):
            model.partial_fit(X[n : n + 1], y[n : n + 1]).predict(X[:1])
    assert [warning.filename for warning in caught] == [__file__]


def cut_at(position, sizes, n):
    """Slices of a stream."""
    for size in [*sizes, n]:
        yield slice(position, min(position + size, n))
        position += size
        if position >= n:
            return


@given(
    streams(weighted=True),
    st.randoms(use_true_random=False),
    st.lists(st.tuples(st.integers(1, 10), st.booleans()), max_size=10),
    settings_of_trees,
)
@settings(max_examples=100)
def test_lossless_any_order_chunks_and_questions_give_what_fit_gives(stream, random, cuts, tree):
    frame, labels = stream.frame, np.array(stream.labels)
    weights = np.array(stream.weights)
    if not weights.any():
        return
    order = list(range(len(labels)))
    random.shuffle(order)
    online = new_model(stream, tree)
    asked = itertools.chain((asks for _, asks in cuts), itertools.repeat(True))
    for part in cut_at(0, [size for size, _ in cuts], len(order)):
        rows = order[part]
        online.partial_fit(
            frame.iloc[rows], labels[rows], classes=stream.classes, sample_weight=weights[rows]
        )
        if next(asked):
            online.predict(frame)
    batch = new_model(stream, tree).partial_fit(frame, labels, classes=stream.classes, sample_weight=weights)
    assert nodes_of(online) == nodes_of(batch)
    repeated = np.repeat(order, weights[order].astype(int) % 40)
    if (weights < 40).all() and (weights == np.floor(weights)).all():
        copies = new_model(stream, tree)
        copies.partial_fit(frame.iloc[repeated], labels[repeated], classes=stream.classes)
        assert nodes_of(copies) == nodes_of(batch)


@given(streams(weighted=True), st.lists(st.integers(1, 10), max_size=10), settings_of_all)
@settings(max_examples=75)
def test_with_fractional_weights_chunks_and_questions_change_nothing(stream, cuts, tree):
    online = new_model(stream, tree)
    for part in cut_at(0, cuts, len(stream.rows)):
        online.partial_fit(
            stream.frame.iloc[part],
            stream.labels[part],
            classes=stream.classes,
            sample_weight=stream.weights[part],
        )
        online.predict(stream.frame)
    whole = new_model(stream, tree)
    whole.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=stream.weights)
    assert nodes_of(online) == nodes_of(whole)


def test_fractional_weights_lose_nothing_until_their_sum_is_large():
    rng = np.random.default_rng(5)
    stream = random_stream(rng, 300, n_numeric=1)
    frame, labels = stream.frame, np.array(stream.labels)
    weights = rng.random(300) ** 3 / 7.0
    weights[::50] = 2.0**-31 * np.array([0.9, 1.1] * 3)  # just too light, and just not

    def grown(order, n_asked, factor=1.0):
        model = DecisionTreeClassifier()
        for part in np.array_split(order, n_asked):
            model.partial_fit(frame.iloc[part], labels[part], stream.classes, factor * weights[part])
            model.predict(frame)
        return model

    there, back = grown(np.arange(300), 5), grown(np.arange(300)[::-1], 7)
    assert nodes_of(there) == nodes_of(back)
    reference = taught_reference(TREES[0], stream._replace(weights=weights))
    learned = there._models.trees[0].weights
    assert sorted(learned[learned > 0]) == sorted(reference.weights.values())
    assert sum(reference.weights.values()) == there.tree_.class_weight[0].sum() < weights.sum()
    assert nodes_of(grown(np.arange(300), 5, 2.0**24)) == nodes_of(grown(np.arange(300), 1, 2.0**24))


def test_weights_too_light_to_count_are_refused_and_nothing_is_lost():
    for model in (DecisionTreeClassifier(), AdaBoostClassifier(DecisionTreeClassifier(), 3)):
        model.fit([["a"], ["b"]], [0, 1])
        said = r"counts as zero in every row, .* is 4.66e-10; .* above 4.66e-10"
        with pytest.raises(ValueError, match=said):
            model.fit([["a"], ["b"]], [1, 0], sample_weight=[2.0**-31, 0.0])
        assert model.predict([["a"], ["b"]]).tolist() == [0, 1]
    assert model.fit([["a"], ["b"]], [1, 0], [2.0**-30] * 2).predict([["a"], ["b"]]).tolist() == [1, 0]


def shorten_arrays(models, n):
    """Shorten the arrays of the first tree to what its next tests need, and `n` nodes more."""
    tree = models.trees[0]
    n_nodes, n_tables = (tree.header[field][0] + 2 * MOST_HANDED_UP + n for field in ("n_nodes", "n_tables"))
    models.trees[0] = tree._replace(
        nodes=tree.nodes[:n_nodes],
        counts=tree.counts[:n_nodes],
        tables=tree.tables[:n_tables],
        bounds=tree.bounds[:n_tables],
    )


def test_pruning_with_arrays_that_must_grow_equals_pruning_with_long_ones():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 4, (400, 8))
        y = np.where(rng.random(400) < 0.4, rng.integers(0, 2, 400), (X[:, 0] + X[:, 1] * X[:, 2]) % 2)
        asked, built = (DecisionTreeClassifier(prune=True, categories=[range(4)] * 8) for _ in range(2))
        for part in np.array_split(np.arange(400), 20):
            for model in (asked, built):
                model.partial_fit(X[part], y[part], classes=[0, 1])
            built.get_n_leaves()
            for x in X[rng.integers(0, 400, 10)]:
                shorten_arrays(asked._models, int(rng.integers(1, 30)))
                assert asked.predict([x]) == built.predict([x])


@given(streams(weighted=True), settings_of_trees)
@settings(max_examples=60)
def test_a_pickle_continues_learning_as_the_original(stream, tree):
    half = slice(0, (len(stream.rows) + 1) // 2)
    model = new_model(stream, tree)
    model.partial_fit(
        stream.frame[half], stream.labels[half], classes=stream.classes, sample_weight=stream.weights[half]
    )
    again = pickle.loads(pickle.dumps(model))
    for each in (model, again):
        each.partial_fit(stream.frame, stream.labels, sample_weight=stream.weights)
    assert nodes_of(again) == nodes_of(model)


def test_an_unknown_value_follows_the_heavier_branch():
    X, y = [["a"], ["b"], ["b"], ["c"]], [0, 1, 1, 2]
    model = DecisionTreeClassifier().fit(X, y)
    assert model.tree_.class_weight[0].tolist() == [1, 2, 1]
    assert model.predict([["zebra"]]) == [1]
    heavier = DecisionTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 9])
    assert heavier.predict([["zebra"]]) == [2]


def test_pruning_hides_what_noise_has_grown_and_brings_back_what_proves_itself():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (400, 5))
    y = np.where(rng.random(400) < 0.1, rng.integers(0, 2, 400), X[:, 2] == 1).astype(int)
    full, pruned, small = (
        DecisionTreeClassifier(prune=prune, categorical_features=range(5)) for prune in (False, True, True)
    )
    full.fit(X, y), pruned.fit(X, y)
    assert full.get_n_leaves() > 3 * pruned.get_n_leaves()
    small.partial_fit(X[:3], [0, 0, 1], classes=[0, 1])
    assert small.get_n_leaves() == 1
    assert small.partial_fit(X, y).get_n_leaves() > 1


@pytest.mark.parametrize(("name", "value"), [("criterion", "gini"), ("criterion", None), ("prune", "yes")])
def test_bad_tree_are_named_in_the_message(name, value):
    with pytest.raises(ValueError, match=name):
        DecisionTreeClassifier(**{name: value}).fit([[1]], [0])
