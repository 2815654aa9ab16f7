"""Restricted Hoeffding trees beside a reference implementation of trees, detectors and perceptrons."""

import pickle
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone

from oza import HoeffdingTreeClassifier, RestrictedTreesClassifier
from oza.drift import ADWIN
from oza.kernels.arithmetic import log, sigmoid

CLASSES = ["ant", "bee", "cow"]
CATEGORIES = [range(3), None, range(4), None]


def stream_of(seed, n):
    """Two nominal columns and two numeric ones, of which some change their meaning halfway; with weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    shown = np.where(np.arange(n) < n // 2, y, (y + 1) % 3)
    X = np.column_stack(
        [
            np.where(rng.random(n) < 0.9, shown, rng.integers(0, 3, n)),
            np.round(rng.normal(size=n) + y, 2),
            np.where(rng.random(n) < 0.5, y, rng.integers(0, 4, n)),
            np.round(rng.normal(size=n) + 2 * shown, 2),
        ]
    )
    weights = np.where(rng.random(n) < 0.1, 0.0, rng.choice([1.0, 1.0, 3.0], n))
    return X, np.array(CLASSES)[y], weights if seed % 2 else np.ones(n)


class Reference:
    """The algorithm for one example after the other."""

    def __init__(self, size, delta, clock):
        self.subsets = list(combinations(range(4), size))
        self.delta, self.clock = delta, clock
        self.trees = [self.new_tree(columns) for columns in self.subsets]
        self.detectors = [self.new_detector() for _ in self.subsets]
        n = len(self.subsets)
        self.weights = [[1.0 / n] * n + [0.0] for _ in CLASSES]
        self.n_seen, self.n_resets = 10, 0

    def new_tree(self, columns):
        tree = HoeffdingTreeClassifier(
            categorical_features=[j for j, column in enumerate(columns) if column in (0, 2)],
            categories=[CATEGORIES[column] for column in columns],
        )
        none = np.array([[0.0] * len(columns)]), CLASSES[:1]
        return tree.partial_fit(*none, classes=CLASSES, sample_weight=[0.0])

    def new_detector(self):
        return ADWIN(delta=self.delta, clock=self.clock)

    def log_odds(self, x):
        shares = [
            tree.predict_proba([x[list(columns)]])[0]
            for tree, columns in zip(self.trees, self.subsets, strict=True)
        ]
        odds = [[log((p + 0.001) / (1.0 - p + 2 * 0.001)) for p in share.tolist()] for share in shares]
        return shares, odds  # of three classes

    def outputs(self, odds):
        found = []
        for c in range(len(CLASSES)):
            total = self.weights[c][-1]
            for t, of_tree in enumerate(odds):
                total += self.weights[c][t] * of_tree[c]
            found.append(sigmoid(total))
        return found

    def predict_then_learn(self, x, label, weight):
        shares, odds = self.log_odds(x)
        predicted = CLASSES[int(np.argmax(self.outputs(odds)))]
        if weight == 0.0:
            return predicted
        for t, columns in enumerate(self.subsets):
            detector = self.detectors[t]
            before = detector.mean_ if detector.width_ else 0.0
            detector.update(float(CLASSES[int(np.argmax(shares[t]))] != label))
            if detector.drift_detected_:
                self.n_seen = 10
            if detector.drift_detected_ and detector.mean_ > before:
                self.trees[t], self.detectors[t] = self.new_tree(columns), self.new_detector()
                self.n_resets += 1
                for c in range(len(CLASSES)):
                    self.weights[c][t] = 0.0
        rate = 2.0 / (self.n_seen + len(self.subsets) + 2.0)
        for c, output in enumerate(self.outputs(odds)):
            step = rate * (float(CLASSES[c] == label) - output) * output * (1.0 - output)
            for t, of_tree in enumerate(odds):
                self.weights[c][t] += step * of_tree[c]
            self.weights[c][-1] += step
        self.n_seen += 1
        for tree, columns in zip(self.trees, self.subsets, strict=True):
            tree.partial_fit([x[list(columns)]], [label], sample_weight=[weight])
        return predicted


@pytest.mark.parametrize(("size", "seed"), [(1, 0), (2, 1), (2, 2), (3, 3), (4, 4)])
def test_it_equals_the_reference_bit_for_bit_in_any_pieces(size, seed):
    X, y, weights = stream_of(seed, 500)
    model = RestrictedTreesClassifier(
        size, delta=0.1, clock=5, categorical_features=[0, 2], categories=CATEGORIES
    )
    reference = Reference(size, 0.1, 5)
    expected = [reference.predict_then_learn(*example) for example in zip(X, y, weights, strict=True)]
    rng, start = np.random.default_rng(seed), 0
    while start < len(y):
        part = slice(start, start + int(rng.choice([1, 3, 50])))
        given = {"classes": CLASSES, "sample_weight": weights[part]}
        if rng.random() < 0.5:
            assert model.prequential_predict(X[part], y[part], **given).tolist() == expected[part]
        else:
            model.partial_fit(X[part], y[part], **given)
        start = part.stop
    assert model.n_resets_ == reference.n_resets > 0
    np.testing.assert_array_equal(model.coef_, np.array(reference.weights)[:, :-1])
    np.testing.assert_array_equal(model.intercept_, np.array(reference.weights)[:, -1])
    found = np.array([reference.outputs(reference.log_odds(x)[1]) for x in X[:50]])
    np.testing.assert_array_equal(model.predict_proba(X[:50]), found / found.sum(axis=1, keepdims=True))
    for columns, ours, theirs in zip(reference.subsets, model.estimators_, reference.trees, strict=True):
        seen = X[:50][:, columns]
        np.testing.assert_array_equal(ours.predict_proba(seen), theirs.predict_proba(seen))


def test_pieces_threads_and_pickles_change_no_bit_with_values_and_classes_that_come_later():
    X, y, weights = stream_of(1, 300)
    y[:100] = np.where(y[:100] == "cow", "ant", y[:100])
    model = RestrictedTreesClassifier(categorical_features=[0, 2])
    whole = clone(model).partial_fit(X, y, sample_weight=weights)
    rows = clone(model).set_params(n_jobs=2)
    for n in range(len(y)):
        part = slice(n, n + 1)
        rows.partial_fit(X[part], y[part], sample_weight=weights[part])
        if n == 150:
            rows = pickle.loads(pickle.dumps(rows))
    np.testing.assert_array_equal(whole.predict_proba(X), rows.predict_proba(X))
    np.testing.assert_array_equal(whole.coef_, rows.coef_)


def test_stages_end_in_the_prediction():
    X, y, _ = stream_of(0, 200)
    model = RestrictedTreesClassifier(categorical_features=[0, 2]).fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == len(model.estimators_) == len(model.vote_weights_) == 6
    np.testing.assert_array_equal(stages[-1], model.predict(X))
    assert model.predict_each(X).shape == (200, 6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"subset_size": 0}, "subset_size must be an integer of at least 1; got 0"),
        ({"delta": 1.0}, "delta must be"),
        ({"clock": 0}, "clock must be"),
        ({"subset_size": 15}, "subset_size=15 of 30 columns makes 155117520 trees; at most 10000"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        RestrictedTreesClassifier(**parameters).fit(np.zeros((2, 30)), [0, 1])
