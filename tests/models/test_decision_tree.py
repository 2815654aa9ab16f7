import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from oza import DecisionTreeClassifier, OnlineBaggingClassifier
from oza._compile import kernel
from oza.models._decision_tree import _MOST_ABOVE, _N_NODES, _N_TABLES, structure
from oza.models._verbs import classify, learn
from tests import naive
from tests.streams import Stream, streams

SETTINGS = [
    {"criterion": criterion, "prune": prune}
    for criterion in ("gain_ratio", "information_gain")
    for prune in (False, True)
]
settings_of_trees = st.sampled_from(SETTINGS)


def new_model(stream, parameters):
    categories = [None if n is None else [f"v{v}" for v in range(n)] for n in stream.n_values]
    return DecisionTreeClassifier(categories=categories, **parameters)


def new_twin(stream, parameters):
    return naive.DecisionTree(
        stream.classes, gain_ratio=parameters["criterion"] == "gain_ratio", prune=parameters["prune"]
    )


def nodes_of(model):
    """Every node, also those that pruning hides."""
    nodes, counts, _ = structure(model._models, 0, True)
    names = ["attribute", "value", "threshold", "yes", "no", "cut"]
    return [(*(node[name] for name in names), *count) for node, count in zip(nodes, counts, strict=True)]


def nodes_of_twin(twin, stream):
    """The same of a twin."""
    nominal = [n is not None for n in stream.n_values]
    attribute = np.where(nominal, np.cumsum(nominal) - 1, sum(nominal) + np.cumsum(~np.array(nominal)) - 1)
    start = np.concatenate([[0], np.cumsum([n or 0 for n in stream.n_values])])
    found = []

    def visit(node):
        k = len(found)
        found.append(None)
        if "test" in node:
            column, value = node["test"]
            if nominal[column]:
                test = attribute[column], start[column] + int(value[1:]), 0.0
            else:
                test = attribute[column], -1, value
            branches = visit(node["yes"]), visit(node["no"])
        else:
            test, branches = (-1, -1, 0.0), (-1, -1)
        found[k] = (*test, *branches, node["cut"], *node["counts"])
        return k

    visit(twin.tree())
    return found


def heavy_and_light(n):
    return 10.0 ** np.random.default_rng(n).uniform(-12.0, 1.0, n)


@given(streams(weighted=True), st.booleans(), settings_of_trees)
@settings(max_examples=200)
def test_trees_and_predictions_equal_the_twin_bit_for_bit(stream, weighted, parameters):
    weights = stream.weights if weighted else [1.0] * len(stream.rows)
    if not any(weights):
        return
    model = new_model(stream, parameters)
    model.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=weights)
    twin = new_twin(stream, parameters)
    for x, y, w in zip(stream.rows, stream.labels, weights, strict=True):
        twin.learn(x, y, w)
    assert nodes_of(model) == nodes_of_twin(twin, stream)
    assert model.predict(stream.frame).tolist() == [twin.classify(x) for x in stream.rows]


@pytest.mark.parametrize("parameters", SETTINGS)
@pytest.mark.parametrize("draw", [np.ones, np.random.default_rng(1).random, heavy_and_light])
def test_large_trees_answer_as_the_twin_before_and_after_they_are_built(parameters, draw):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        frame, labels, classes = random_stream(rng, int(rng.integers(60, 300)), seed % 3 // 2)
        weights = draw(len(labels))
        model = DecisionTreeClassifier(**parameters)
        for part in np.array_split(np.arange(len(labels)), 1 + 8 * (seed % 2)):
            model.partial_fit(frame.iloc[part], labels[part], classes=classes, sample_weight=weights[part])
            answers = model.predict(frame).tolist()
        n_values = [len(c.cat.categories) if c.dtype == "category" else None for _, c in frame.items()]
        rows = [
            [v if n is None else f"v{v}" for v, n in zip(row, n_values, strict=True)]
            for row in frame.itertuples(index=False, name=None)
        ]
        stream = Stream(rows, labels.tolist(), weights.tolist(), n_values, len(classes))
        twin = new_twin(stream, parameters)
        for x, y, w in zip(stream.rows, stream.labels, stream.weights, strict=True):
            twin.learn(x, y, w)
        assert answers == [twin.classify(x) for x in rows]
        assert nodes_of(model) == nodes_of_twin(twin, stream)
        assert answers == model.predict(frame).tolist()


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
@settings(max_examples=200)
def test_lossless_any_order_chunks_and_questions_give_what_fit_gives(stream, random, cuts, parameters):
    frame, labels = stream.frame, np.array(stream.labels)
    weights = np.array(stream.weights)
    if not weights.any():
        return
    order = list(range(len(labels)))
    random.shuffle(order)
    online = new_model(stream, parameters)
    asked = itertools.chain((asks for _, asks in cuts), itertools.repeat(True))
    for part in cut_at(0, [size for size, _ in cuts], len(order)):
        rows = order[part]
        online.partial_fit(
            frame.iloc[rows], labels[rows], classes=stream.classes, sample_weight=weights[rows]
        )
        if next(asked):
            online.predict(frame)
    batch = new_model(stream, parameters).partial_fit(
        frame, labels, classes=stream.classes, sample_weight=weights
    )
    assert nodes_of(online) == nodes_of(batch)
    repeated = np.repeat(order, weights[order].astype(int) % 40)
    if (weights < 40).all() and (weights == np.floor(weights)).all():
        copies = new_model(stream, parameters)
        copies.partial_fit(frame.iloc[repeated], labels[repeated], classes=stream.classes)
        assert nodes_of(copies) == nodes_of(batch)


@given(streams(weighted=True), st.lists(st.integers(1, 10), max_size=10), settings_of_trees)
@settings(max_examples=100)
def test_with_fractional_weights_chunks_and_questions_change_nothing(stream, cuts, parameters):
    online = new_model(stream, parameters)
    for part in cut_at(0, cuts, len(stream.rows)):
        online.partial_fit(
            stream.frame.iloc[part],
            stream.labels[part],
            classes=stream.classes,
            sample_weight=stream.weights[part],
        )
        online.predict(stream.frame)
    whole = new_model(stream, parameters)
    whole.partial_fit(stream.frame, stream.labels, classes=stream.classes, sample_weight=stream.weights)
    assert nodes_of(online) == nodes_of(whole)


def test_fractional_weights_lose_nothing_until_their_sum_is_large():
    rng = np.random.default_rng(5)
    frame, labels, classes = random_stream(rng, 300, n_numeric=1)
    weights = rng.random(300) ** 3 / 7.0
    weights[::50] = 2.0**-31 * np.array([0.9, 1.1] * 3)  # just too light, and just not

    def grown(order, n_asked, factor=1.0):
        model = DecisionTreeClassifier()
        for part in np.array_split(order, n_asked):
            chosen = factor * weights[part]
            model.partial_fit(frame.iloc[part], labels[part], classes=classes, sample_weight=chosen)
            model.predict(frame)
        return model

    there, back = grown(np.arange(300), 5), grown(np.arange(300)[::-1], 7)
    assert nodes_of(there) == nodes_of(back)
    twin = naive.DecisionTree(classes)
    for x, y, w in zip(frame.itertuples(index=False, name=None), labels, weights, strict=True):
        twin.learn(x, y, w)
    learned = there._models.trees[0].weights
    assert sorted(learned[learned > 0]) == sorted(twin.weights.values())
    assert sum(twin.weights.values()) == there.tree_.class_weight[0].sum() < weights.sum()
    assert nodes_of(grown(np.arange(300), 5, 2.0**24)) == nodes_of(grown(np.arange(300), 1, 2.0**24))


def random_stream(rng, n_rows, n_numeric=0):
    """Rows that follow no rule for long, so that the best tests change often."""
    n_columns = int(rng.integers(1, 6))
    n_values = int(rng.integers(2, 5))
    n_classes = int(rng.integers(2, 4))
    codes = rng.integers(0, n_values, (n_rows, n_columns))
    labels = (codes @ rng.integers(0, 3, n_columns) + (rng.random(n_rows) < 0.2)) % n_classes
    frame = pd.DataFrame(
        {f"c{a}": pd.Categorical(codes[:, a], categories=range(n_values)) for a in range(n_columns)}
    )
    for d in range(n_numeric):
        frame.insert(
            int(rng.integers(0, n_columns)), f"x{d}", np.round(rng.normal(labels), int(rng.integers(0, 3)))
        )
    return frame, labels, list(range(n_classes))


@kernel
def ask_after_each(models, examples, labels, weights):
    """Learn one by one, and ask after each example about another one."""
    for n in range(len(labels)):
        learn(models, 0, examples, n, labels[n], weights[n])
        classify(models, 0, examples, (7 * n) % len(labels))


@kernel
def forget_to_look_again(models, examples, labels, weights):
    """The same with a planted fault: now and then a node is not told that its counts have changed."""
    for n in range(len(labels)):
        learn(models, 0, examples, n, labels[n], weights[n])
        if n % 3 == 2:
            models.trees[0].nodes[0].changed = False
        classify(models, 0, examples, (7 * n) % len(labels))


@kernel
def promise_too_much(models, examples, labels, weights):
    """The same with another: now and then tests are said to be worse than they are."""
    for n in range(len(labels)):
        learn(models, 0, examples, n, labels[n], weights[n])
        if n % 3 == 2:
            models.trees[0].promises[:] += 0.5
        classify(models, 0, examples, (7 * n) % len(labels))


def n_numeric(seed):
    """How many numeric columns a random stream has."""
    return (1, 0, 2, 0, 1, 0, 2, 0, 1)[seed % 9]


def differs(seed, n_rows, learner=ask_after_each):
    """Whether online and batch learning of a random stream give different trees or answers."""
    rng = np.random.default_rng(seed)
    frame, labels, classes = random_stream(rng, n_rows, n_numeric(seed))
    weights = rng.integers(0, 4, n_rows).astype(float) if seed % 2 else np.ones(n_rows)
    weights[0] = 1.0
    model = DecisionTreeClassifier(**SETTINGS[seed // 2 % 4])
    batch = clone(model).partial_fit(frame, labels, classes=classes, sample_weight=weights)
    online = clone(model).partial_fit(frame, labels, classes=classes, sample_weight=np.zeros(n_rows))
    learner(online._models, online._schema.encode(frame), labels, weights)
    answers = online.predict(frame).tolist()  # before the whole tree is built
    return nodes_of(online) != nodes_of(batch) or answers != batch.predict(frame).tolist()


def test_lossless_on_thousands_of_random_streams():
    assert not any(differs(seed, 2 + seed % 23) for seed in range(2000))
    assert not any(differs(seed, 50 + seed % 50) for seed in range(500))


@pytest.mark.slow
def test_lossless_on_ten_thousand_random_streams():
    streams = [(seed, 50 + seed % 50) for seed in range(3000, 9000)]
    streams += [(seed, 2 + seed % 48) for seed in range(9000, 13000)]
    assert sum(n_rows >= 50 and n_numeric(seed) > 0 for seed, n_rows in streams) >= 0.3 * len(streams)
    assert not any(differs(seed, n_rows) for seed, n_rows in streams)


def test_lossless_where_large_nodes_hand_a_new_test_up_through_several_levels():
    assert not any(differs(seed, 300 + 5 * seed) for seed in range(160))


def test_planted_faults_are_caught():
    assert sum(differs(seed, 30, forget_to_look_again) for seed in range(200)) > 20
    assert sum(differs(seed, 400, promise_too_much) for seed in range(80)) > 8


def leave_room(models, n):
    """Take away the room of the first tree but for what its next tests need, and for `n` nodes more."""
    tree = models.trees[0]
    n_nodes, n_tables = (
        tree.state[_N_NODES] + 2 * _MOST_ABOVE + n,
        tree.state[_N_TABLES] + 2 * _MOST_ABOVE + n,
    )
    models.trees[0] = tree._replace(
        nodes=tree.nodes[:n_nodes],
        counts=tree.counts[:n_nodes],
        tables=tree.tables[:n_tables],
        promises=tree.promises[:n_tables],
    )


def test_pruning_goes_on_with_more_room_as_if_it_had_been_there():
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
                leave_room(asked._models, int(rng.integers(1, 30)))
                assert asked.predict([x]) == built.predict([x])


def test_lossless_in_every_order_of_a_small_stream():
    frame = pd.DataFrame(
        {"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 0, 1, 0, 1], "x": [0.5, 1.5, 0.5, 2.5, 1.5, 2.5]}
    )
    labels = np.array([0, 1, 1, 0, 1, 1])
    expected = nodes_of(DecisionTreeClassifier().fit(frame, labels))
    for order in itertools.permutations(range(6)):
        model = DecisionTreeClassifier().partial_fit(frame, labels, classes=[0, 1], sample_weight=np.zeros(6))
        rows = list(order)
        ask_after_each(model._models, model._schema.encode(frame.iloc[rows]), labels[rows], np.ones(6))
        assert nodes_of(model) == expected


@given(streams(weighted=True), settings_of_trees)
@settings(max_examples=60)
def test_a_pickle_goes_on_as_if_nothing_had_happened(stream, parameters):
    half = slice(0, (len(stream.rows) + 1) // 2)
    model = new_model(stream, parameters)
    model.partial_fit(
        stream.frame[half], stream.labels[half], classes=stream.classes, sample_weight=stream.weights[half]
    )
    again = pickle.loads(pickle.dumps(model))
    for each in (model, again):
        each.partial_fit(stream.frame, stream.labels, sample_weight=stream.weights)
    assert nodes_of(again) == nodes_of(model)


def test_consistent_examples_are_learned_by_heart():
    rng = np.random.default_rng(0)
    X = np.unique(rng.integers(0, 3, (500, 6)), axis=0)
    y = rng.integers(0, 4, len(X))
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1.0


def test_a_test_without_gain_is_taken_where_no_other_separates():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    model = DecisionTreeClassifier().fit(X, [0, 1, 1, 0])
    assert model.score(X, [0, 1, 1, 0]) == 1.0
    assert model.tree_.feature.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert model.tree_.category[[0, 1, 4]].tolist() == [0, 0, 0]


def test_examples_that_cannot_be_told_apart_share_a_leaf():
    model = DecisionTreeClassifier().fit([[1], [1], [1]], [0, 1, 1])
    assert model.get_n_leaves() == 1
    np.testing.assert_allclose(model.predict_proba([[1]]), [[1 / 3, 2 / 3]])


def test_a_threshold_is_a_value_and_belongs_to_the_yes_branch():
    model = DecisionTreeClassifier().fit([[1.0], [2.0], [5.0]], [0, 0, 1])
    assert model.tree_.threshold[0] == 2.0
    assert model.predict([[2.0], [2.0000001]]).tolist() == [0, 1]


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
    full, pruned = (DecisionTreeClassifier(prune=prune).fit(X, y) for prune in (False, True))
    assert full.get_n_leaves() > 3 * pruned.get_n_leaves()
    small = DecisionTreeClassifier(prune=True).partial_fit(X[:3], [0, 0, 1], classes=[0, 1])
    assert small.get_n_leaves() == 1
    assert small.partial_fit(X, y).get_n_leaves() > 1


def test_information_gain_and_its_ratio_may_disagree():
    # Column 0 sets one example apart for sure; column 1 tells more, at the price of a whole bit.
    X = np.array([[0, 0], [1, 0], [1, 0], [1, 0], [1, 0], [1, 1], [1, 1], [1, 1]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    assert DecisionTreeClassifier("information_gain").fit(X, y).tree_.feature[0] == 1
    X = np.array([[0, 0], [1, 0], [1, 0], [1, 1], [1, 0], [1, 1], [1, 1], [1, 1]])
    assert DecisionTreeClassifier("information_gain").fit(X, y).tree_.feature[0] == 1
    assert DecisionTreeClassifier("gain_ratio").fit(X, y).tree_.feature[0] == 0


@pytest.mark.parametrize(("name", "value"), [("criterion", "gini"), ("criterion", None), ("prune", "yes")])
def test_bad_parameters_name_themselves(name, value):
    with pytest.raises(ValueError, match=name):
        DecisionTreeClassifier(**{name: value}).fit([[1]], [0])


def test_trees_of_an_ensemble_are_copies():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 3, (50, 3)), rng.integers(0, 2, 50)
    ensemble = OnlineBaggingClassifier(DecisionTreeClassifier(), n_estimators=3, random_state=0).fit(X, y)
    before = ensemble.predict_proba(X)
    for member in ensemble.estimators_:
        member.partial_fit(X, 1 - y, sample_weight=np.full(50, 99.0))
    np.testing.assert_array_equal(ensemble.predict_proba(X), before)
