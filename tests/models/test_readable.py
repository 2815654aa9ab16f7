"""A tree that is shown is the one that predicts."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from oza import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    HoeffdingOptionTreeClassifier,
    HoeffdingTreeClassifier,
)

MAJORITY = {"grace_period": 50, "tie_threshold": 0.2, "leaf_prediction": "majority"}
EAGER = {"grace_period": 40, "delta": 0.05, "tie_threshold": 0.25, "option_delta": 0.5}
TREES = {
    "tree": DecisionTreeClassifier(),
    "pruned tree": DecisionTreeClassifier(prune=True),
    "stump": DecisionStumpClassifier(),
    "Hoeffding tree": HoeffdingTreeClassifier(**MAJORITY),
    "option tree": HoeffdingOptionTreeClassifier(**EAGER, leaf_prediction="majority"),
}


def rows(n, seed=0):
    """Examples with numbers and names, some of them missing, and classes that depend on both."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"degrees": rng.normal(size=n).round(1), "sky": rng.choice(["sun", "rain", "fog"], n)})
    X["flag"] = rng.random(n) < 0.5
    y = np.where((X["degrees"] > 0.3) ^ (X["sky"] == "fog"), "out", "in")
    X["sky"] = X["sky"].where(rng.random(n) > 0.1, None)
    X.loc[rng.random(n) < 0.1, "degrees"] = np.nan
    return X, np.where(rng.random(n) < 0.1, "in", y)


X, Y = rows(400)


def fitted(name):
    return clone(TREES[name]).fit(X, Y)


def weights_in(leaf):
    return [float(weight) for weight in re.findall(r"([\d.e+-]+) (?:in|out) \(", leaf)]


@pytest.mark.parametrize("name", TREES)
def test_the_way_of_an_example_ends_in_the_leaf_that_predicts(name):
    tree, later = fitted(name), rows(40, seed=1)[0].astype(object)
    later.loc[0, "sky"] = "snow"  # not known
    for x in later.where(later.notna(), None).to_dict("records"):
        *_, last = lines = tree.decision_path_text(x).splitlines()
        leaves = [np.array(weights_in(line)) for line in lines if line.startswith("leaf")]
        if all(len(leaf) > 0 for leaf in leaves):  # an empty one answers as the node above
            expected = [*tree.predict_proba_one(x).values()]
            shares = [leaf / leaf.sum() for leaf in leaves]
            np.testing.assert_allclose(np.mean(shares, axis=0), expected, rtol=1e-4)  # six digits are shown
        assert last.startswith(f"predicted: {tree.predict_one(x)} (in ")


@pytest.mark.parametrize("name", TREES)
def test_the_leaves_of_the_text_hold_what_was_learned(name):
    tree = fitted(name)
    text = tree.export_text(show_weights=True)
    leaves = [weights_in(line) for line in text.splitlines() if "(weight" in line]
    assert len(leaves) == text.count("(weight") >= 2
    if name in ("tree", "pruned tree", "stump"):
        assert np.sum([leaf for leaf in leaves if leaf], axis=0).tolist() == [
            (c == Y).sum() for c in ("in", "out")
        ]
        assert tree.export_text(max_depth=0) == f"... (weight {len(Y)})"
    assert re.sub(r": [^()]+\(\d+%\).*\)", ")", text) == tree.export_text()


@pytest.mark.parametrize("name", TREES)
def test_graph_and_picture_have_the_nodes_of_the_text(name):
    tree = fitted(name)
    text, graph = tree.export_text(show_weights=True), tree.export_graphviz()
    n_nodes = len(re.findall(r"^\d+ \[label", graph, re.MULTILINE))
    assert graph.count("->") == n_nodes - 1 == len(text.splitlines())
    assert graph.count("(weight") == text.count("(weight")
    texts = [each.get_text() for each in tree.plot_tree().texts]
    assert len(texts) == 2 * n_nodes - 1
    assert sum("(weight" in each for each in texts) == text.count("(weight")
