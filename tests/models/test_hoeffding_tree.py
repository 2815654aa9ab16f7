"""Hoeffding trees: equal to MOA's where the two are comparable, and what else they promise."""

import json
import pickle
import sys

import numpy as np
import pytest
from sklearn.base import clone

from benchmarks.hoeffding import (
    LEAVES,
    N_EXAMPLES,
    NUMERIC,
    RECORD,
    STREAMS,
    TWO_COLUMNS_RECORD,
    examples,
    moa_answers,
    two_columns,
    unpacked,
)
from benchmarks.peers import Missing
from oza import HoeffdingTreeClassifier, streams


def tree_for(sizes, **parameters):
    """A tree for columns with these numbers of values, 0 for numeric ones."""
    return HoeffdingTreeClassifier(
        categorical_features=[size > 0 for size in sizes],
        categories=[list(range(size)) if size else None for size in sizes],
        **parameters,
    )


def predictions(name, leaf_prediction):
    """Prequential predictions for a stream, the tree then, and the labels."""
    X, y, sizes, n_classes = examples(name)
    tree = tree_for(sizes, leaf_prediction=leaf_prediction)
    return tree.prequential_predict(X, y, classes=range(n_classes)), tree, y


def least_equal(name, leaf_prediction):
    """The share of predictions that must be equal to MOA's."""
    if leaf_prediction == "adaptive":
        return 0.99
    return 0.9999 if name in NUMERIC else 1.0


@pytest.mark.parametrize("leaf_prediction", LEAVES)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.archive if STREAMS[n] is None else ()) for n in STREAMS]
)
def test_a_tree_predicts_what_moas_tree_predicts(name, leaf_prediction):
    ours, tree, y = predictions(name, leaf_prediction)
    with np.load(RECORD) as record:
        theirs = unpacked(record[f"{name}/{leaf_prediction}"], len(y))
        assert tree.n_leaves_ == record[f"{name}/{leaf_prediction}/leaves"]
    assert (ours == theirs).mean() >= least_equal(name, leaf_prediction)
    assert abs((ours == y).mean() - (theirs == y).mean()) <= 0.005


@pytest.mark.long
def test_the_record_is_what_moa_answers():
    try:
        predicted, n_leaves, _ = moa_answers("agrawal-1", "adaptive")
    except Missing as missing:
        pytest.skip(str(missing))
    with np.load(RECORD) as record:
        assert (predicted == unpacked(record["agrawal-1/adaptive"], N_EXAMPLES)).all()
        assert n_leaves == record["agrawal-1/adaptive/leaves"]


def test_constant_columns_are_not_tested_as_they_are_by_moa_at_a_tie():
    recorded = json.loads(TWO_COLUMNS_RECORD.read_text(encoding="utf-8"))["leaves"]
    for n, theirs in recorded[""].items():
        X, y = two_columns(int(n))
        tree = HoeffdingTreeClassifier(leaf_prediction="majority", categories=[range(2)] * 2)
        predicted = tree.prequential_predict(X, y, classes=range(2))
        assert tree.n_leaves_ == recorded["-t 0"][n]["leaves"] == 4
        assert int(predicted.sum()) == theirs["ones"] == recorded["-t 0"][n]["ones"]
    assert [each["leaves"] for each in recorded[""].values()] == [4, 8, 32, 89]


def learned(stream, n, **parameters):
    """A tree that has learned the first `n` examples of a stream."""
    X, y = stream[:n]
    tree = HoeffdingTreeClassifier(
        categorical_features=stream.categorical_features, categories=stream.categories, **parameters
    )
    return tree.partial_fit(X, y, classes=stream.classes), X, y


def state(tree, X):
    return tree.export_text(), tree.predict_proba(X).tolist()


def test_a_limited_number_of_leaves_learns_whatever_the_calls():
    stream = streams.Agrawal(function=7)
    parameters = {"max_leaves": 5, "grace_period": 100, "leaf_prediction": "adaptive"}
    tree, X, y = learned(stream, 30_000, **parameters)
    assert tree.n_leaves_ - tree.n_frozen_ == 5
    assert tree.n_frozen_ > 0
    pieces = clone(tree)
    for part in np.split(np.arange(len(y)), [1, 2, 500, 501, 9_999]):
        pieces.partial_fit(X[part], y[part], classes=stream.classes)
    assert state(pieces, X[:500]) == state(tree, X[:500])
    assert state(pickle.loads(pickle.dumps(tree)), X[:500]) == state(tree, X[:500])
    unlimited, *_ = learned(stream, 30_000, **parameters | {"max_leaves": None})
    assert tree.memory_bytes_ < unlimited.memory_bytes_


def test_a_value_that_comes_late_gets_a_branch_of_its_own():
    rng = np.random.default_rng(0)
    X = rng.choice(["a", "c"], (2000, 2))
    y = (X[:, 0] == "a").astype(int)
    tree = HoeffdingTreeClassifier().partial_fit(X, y)
    assert tree.n_leaves_ == 2
    tree.partial_fit(np.full((50, 2), "b"), np.ones(50, int))
    assert tree.n_leaves_ == 3
    assert tree.predict([["b", "a"]]) == [1]
    assert [line.split(":")[0] for line in tree.export_text().splitlines()] == [
        "column 0 = a",
        "column 0 = b",
        "column 0 = c",
    ]


def test_a_missing_value_follows_the_heavier_branch():
    rng = np.random.default_rng(1)
    X = np.where(rng.random((3000, 1)) < 0.7, 1.0, -1.0) + rng.normal(0, 0.1, (3000, 1))
    tree = HoeffdingTreeClassifier(leaf_prediction="majority").fit(X, (X[:, 0] > 0).astype(int))
    assert tree.n_leaves_ > 1
    assert tree.predict([[np.nan]]) == [1]
    assert tree.predict([[-1.0]]) == [0]


def test_an_empty_leaf_predicts_as_its_nearest_ancestor():
    X = np.repeat([[0], [1]], 1000, axis=0)[np.random.default_rng(0).permutation(2000)]
    tree = HoeffdingTreeClassifier(categorical_features=[0], categories=[[0, 1, 2]])
    tree.partial_fit(X, 1 - X[:, 0], classes=[0, 1])
    assert tree.n_leaves_ == 3
    n_ones = (X == 0).sum()
    assert tree.predict([[2]]) == [int(n_ones > 1000)]


def test_a_tree_deeper_than_the_stack_of_python_is_written():
    tree, *_ = learned(streams.STAGGER(), 100)
    depth = sys.getrecursionlimit() + 50
    inner = tree._models.trees[0]
    nodes = np.zeros(2 * depth + 1, inner.nodes.dtype)
    nodes[0]["parent"] = -1
    for level in range(depth):  # a chain of binary tests
        nodes[2 * level]["child"] = 2 * level + 1
        for child in (2 * level + 1, 2 * level + 2):
            nodes[child]["attribute"] = -1
            nodes[child]["parent"] = 2 * level
        if level:
            nodes[2 * level]["attribute"] = 0
    header = inner.header.copy()
    header["n_nodes"], header["n_leaves"] = len(nodes), depth + 1
    counts = np.ones((len(nodes), 2))
    tree._models.trees[0] = inner._replace(nodes=nodes, counts=counts, header=header)
    assert tree.depth_ == depth
    assert tree.export_text().count("\n") == 2 * depth - 1
    assert tree.export_text(max_depth=1).count("\n") == 1


class TestDrawnColumns:
    """A leaf may test only columns that were drawn when it came to be."""

    def drawing_from_codes(self, n_columns, random_state):
        """A tree of nominal columns, each of whose leaves may test three tenths of them."""
        tree = HoeffdingTreeClassifier(50, 0.01, max_features=0.3, random_state=random_state)
        return tree.set_params(categorical_features=range(n_columns))

    def test_chunks_change_nothing_and_pickles_go_on(self):
        X, y = streams.LED()[:6000]
        X = X.astype(int)
        X[:, 0] += np.arange(6000) // 1000  # values that come late
        tree = self.drawing_from_codes(X.shape[1], random_state=4)
        whole = clone(tree).partial_fit(X, y, classes=range(10))
        for cut in range(0, 6000, 173):
            tree.partial_fit(X[cut : cut + 173], y[cut : cut + 173], classes=range(10))
            tree = pickle.loads(pickle.dumps(tree))
        assert whole.n_leaves_ > 20 and state(tree, X[:200]) == state(whole, X[:200])

    def test_a_leaf_keeps_its_columns_when_a_value_comes(self):
        X, y = streams.LED()[:6000]
        tree = self.drawing_from_codes(X.shape[1], random_state=1)
        tree.partial_fit(X.astype(int), y, classes=range(10))
        before = self.numbers_of_leaves(tree)
        tree.partial_fit(np.full((1, X.shape[1]), 2), [0])
        after = self.numbers_of_leaves(tree)
        assert set(before) < set(after) and len(set(after)) == len(after) == tree.n_leaves_

    def numbers_of_leaves(self, tree):
        """The numbers by which the columns of the leaves are drawn."""
        nodes = tree._tree.nodes
        return nodes["child"][nodes["attribute"] < 0].tolist()


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("grace_period", 0, r"grace_period must be a number above 0 and finite; got 0\."),
        ("delta", 1.0, r"delta must be a number above 0 and below 1; got 1\.0\."),
        ("tie_threshold", -0.1, r"tie_threshold must be a number at least 0 and finite; got -0\.1\."),
        ("alpha", "1", r"alpha must be a number at least 0 and finite; got '1'\."),
        ("max_leaves", 0, r"max_leaves must be None or an integer of at least 1; got 0\."),
        ("leaf_prediction", "bayes", "leaf_prediction"),
        ("max_features", 0.0, 'max_features must be None, "sqrt" or a share of the columns.*got 0.0'),
        ("max_features", 2, 'max_features must be None, "sqrt" or a share of the columns.*got 2'),
    ],
)
def test_bad_parameters_are_named(parameter, value, message):
    with pytest.raises(ValueError, match=message):
        HoeffdingTreeClassifier(**{parameter: value}).fit([["a"], ["b"]], [0, 1])
