"""Hoeffding option trees beside a reference implementation, Hoeffding trees and MOA's option trees."""

import pickle
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone

from oza import HoeffdingOptionTreeClassifier, HoeffdingTreeClassifier, streams
from tests import naive

LEAF_PREDICTIONS = ("majority", "naive_bayes", "adaptive")
KINDS = {
    "nominal": [3, 2, 4, 3],
    "numeric": [None, None, None],
    "mixed": [3, None, 4, None, 2],
}
#: So that a short stream leads to many tests and options.
EAGER = {"grace_period": 40, "delta": 0.05, "tie_threshold": 0.25, "option_delta": 0.5}


def stream_of(kind, seed, n):
    """Columns that tell one of three classes, first ones better at first, last ones later; with weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    columns, last = [], len(KINDS[kind]) - 1
    for j, size in enumerate(KINDS[kind]):
        is_noise = rng.random(n) < 0.3 + 0.15 * np.where(np.arange(n) < n // 2, j, last - j)
        if size is None:
            columns.append(np.round(rng.normal(size=n) + np.where(is_noise, 1, y), 2))
        else:
            columns.append(np.where(is_noise, rng.integers(0, size, n), y % size).astype(float))
        columns[-1][rng.random(n) < 0.05] = np.nan
    return np.column_stack(columns), y, rng.choice([0.0, 1.0, 1.0, 1.0, 2.0], n)


def tree_for(kind, leaf_prediction, base=HoeffdingOptionTreeClassifier, **parameters):
    sizes = KINDS[kind]
    return base(
        leaf_prediction=leaf_prediction,
        categorical_features=[j for j, size in enumerate(sizes) if size],
        categories=[range(size) if size else None for size in sizes],
        **parameters,
    )


def reference_for(kind, leaf_prediction, max_options):
    return naive.OptionTree(
        range(3),
        KINDS[kind],
        leaf_prediction,
        max_options,
        EAGER["option_delta"],
        EAGER["grace_period"],
        EAGER["delta"],
        EAGER["tie_threshold"],
    )


def rows(kind, X):
    """Examples for the reference."""
    return [
        [v if np.isnan(v) or size is None else int(v) for v, size in zip(x, KINDS[kind], strict=True)]
        for x in X.tolist()
    ]


@pytest.mark.parametrize("max_options", [1, 3, 50])
@pytest.mark.parametrize("leaf_prediction", LEAF_PREDICTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_it_equals_the_reference_example_by_example(kind, leaf_prediction, max_options):
    X, y, weights = stream_of(kind, 1, 2500)
    tree = tree_for(kind, leaf_prediction, max_options=max_options, **EAGER)
    predicted = tree.prequential_predict(X, y, classes=range(3), sample_weight=weights)
    reference = reference_for(kind, leaf_prediction, max_options)
    most = 1
    for n, x in enumerate(rows(kind, X)):
        expected, _ = reference.predict_then_shares(x)
        assert predicted[n] == (expected or 0), n
        most = max(most, len(reference.leaves(x)))
        reference.learn(x, int(y[n]), float(weights[n]))
    nodes = reference.root.below()
    n_tests = Counter(len(node.tests) for node in nodes)
    assert tree.n_leaves_ == n_tests[0]
    assert tree.n_nodes_ == n_tests[0] + sum(k * count for k, count in n_tests.items())
    assert tree.n_options_ == sum(count for k, count in n_tests.items() if k > 1)
    assert tree.n_paths_ == reference.root.n_paths()
    assert most <= tree.n_paths_ <= max_options
    if max_options > 1:
        assert most >= 3
    shares = [list(reference.predict_then_shares(x)[1].values()) for x in rows(kind, X[:300])]
    np.testing.assert_allclose(tree.predict_proba(X[:300]), shares, rtol=1e-9, atol=1e-12)
    weights_of_leaves = tree.tree_.class_weight[tree.tree_.feature < 0]
    expected_weights = [list(node.counts.values()) for node in nodes if not node.tests]
    np.testing.assert_allclose(
        sorted(weights_of_leaves.tolist()), sorted(expected_weights), rtol=1e-9, atol=1e-9
    )
