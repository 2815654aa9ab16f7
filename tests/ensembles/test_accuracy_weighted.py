"""The accuracy weighted ensemble beside a reference implementation, and what it promises."""

import pickle
from math import fsum

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier as ScikitTree

from oza import (
    AccuracyWeightedEnsembleClassifier,
    DecisionTreeClassifier,
    HoeffdingTreeClassifier,
    NaiveBayesClassifier,
)
from oza.kernels.random import key_of, permutation

CLASSES = ["ant", "bee", "cow"]
BASES = {
    "Naive Bayes": NaiveBayesClassifier(),
    "smoothed": NaiveBayesClassifier(alpha=0.5),
    "tree": DecisionTreeClassifier(),
    "Hoeffding tree": HoeffdingTreeClassifier(),
}


def stream_of(seed, n):
    """Examples with a nominal column and a numeric one, with weights; the classes change places halfway."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    nominal = np.where(rng.random(n) < 0.6, y, rng.integers(0, 4, n))
    X = np.column_stack([nominal, np.round(rng.normal(size=n) + y, 2)])
    y[n // 2 :] = (y[n // 2 :] + 1) % 3
    weights = np.where(rng.random(n) < 0.2, 0.0, rng.choice([1.0, 1.0, 2.0, 0.5], n))
    return X, np.array(CLASSES)[y], weights if seed % 2 else np.ones(n)


class Reference:
    """The algorithm for one example after the other, with a classifier for each chunk."""

    def __init__(self, model):
        self.model = model
        self.key = key_of("random_state", model.random_state)
        self.stored = []  # (error, −number of the chunk, classifier)
        self.chunk = []
        self.n_chunks = 0

    def trained(self, rows):
        X, y, weights = (np.array(part) for part in zip(*rows, strict=True))
        base = clone(self.model.estimator).set_params(
            categorical_features=[0], categories=self.model.categories
        )
        return base.partial_fit(X, y, classes=CLASSES, sample_weight=weights)

    def error(self, given):
        weights = [weight for _, _, weight in self.chunk]
        return fsum(w * (1.0 - g) ** 2 for w, g in zip(weights, given, strict=True)) / fsum(weights)

    def given(self, classifier, row):
        x, label, _ = row
        return float(classifier.predict_proba([x])[0][CLASSES.index(label)])

    def learn(self, x, label, weight):
        if weight == 0.0:
            return
        self.chunk.append((x, label, weight))
        if len(self.chunk) < self.model.chunk_size:
            return
        fold = permutation(len(self.chunk), key_of("folds", self.key, self.n_chunks)) % self.model.n_folds
        given = []
        for n, row in enumerate(self.chunk):
            others = [each for i, each in enumerate(self.chunk) if fold[i] != fold[n]]
            given.append(self.given(self.trained(others), row))
        tested = [(c, number) for _, number, c in self.stored]
        self.stored = [
            (self.error([self.given(c, row) for row in self.chunk]), number, c) for c, number in tested
        ]
        self.stored.append((self.error(given), -self.n_chunks, self.trained(self.chunk)))
        self.stored = sorted(self.stored, key=lambda each: each[:2])[: self.model.n_stored]
        total = fsum(weight for _, _, weight in self.chunk)
        self.shares = [fsum(w for _, label, w in self.chunk if label == c) / total for c in CLASSES]
        self.random_error = fsum(p * (1.0 - p) ** 2 for p in self.shares)
        self.chunk = []
        self.n_chunks += 1

    def voting(self):
        """Classifiers that vote, their weights, errors and chunks."""
        if self.n_chunks == 0:
            return [(self.trained(self.chunk), 1.0, np.nan, 0)] if self.chunk else []
        best = self.stored[: self.model.n_estimators]
        return [(c, max(self.random_error - error, 0.0), error, -number) for error, number, c in best]

    def votes(self, x):
        votes = np.zeros(len(CLASSES))
        for classifier, weight, _, _ in self.voting():
            shares = classifier.predict_proba([x])[0]
            if self.model.voting == "majority":
                shares = np.eye(len(CLASSES))[CLASSES.index(classifier.predict([x])[0])]
            votes += weight * shares
        if not votes.any() and self.n_chunks > 0:
            votes[:] = self.shares
        return votes


def learn_in_pieces(model, X, y, weights, seed):
    """Learn in random pieces, by `partial_fit` or `prequential_predict`; what the latter predicted."""
    rng = np.random.default_rng(seed)
    start, predicted = 0, {}
    while start < len(y):
        part = slice(start, start + int(rng.choice([1, 2, 7, 40])))
        given = {"classes": CLASSES, "sample_weight": weights[part]}
        if rng.random() < 0.5:
            said = model.prequential_predict(X[part], y[part], **given)
            predicted |= dict(enumerate(said.tolist(), start))
        else:
            model.partial_fit(X[part], y[part], **given)
        start = part.stop
    return predicted


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(4))
def test_it_equals_the_reference_bit_for_bit_in_any_pieces(base, seed):
    X, y, weights = stream_of(seed, 130)
    model = AccuracyWeightedEnsembleClassifier(
        BASES[base],
        chunk_size=[12, 20][seed // 2],
        n_stored=4,
        n_estimators=3,
        n_folds=3,
        voting=["majority", "probability"][seed % 2],
        categorical_features=[0],
        categories=[range(4), None],
        random_state=seed,
    )
    reference = Reference(model)
    predicted = learn_in_pieces(model, X, y, weights, seed)
    for n, example in enumerate(zip(X, y, weights, strict=True)):
        if n in predicted:
            assert predicted[n] == CLASSES[int(np.argmax(reference.votes(X[n])))]
        reference.learn(*example)
    members = reference.voting()
    assert model.vote_weights_.tolist() == [weight for _, weight, _, _ in members]
    assert model.estimator_errors_.tolist() == [error for _, _, error, _ in members]
    assert model.chunk_numbers_.tolist() == [number for _, _, _, number in members]
    assert model.random_error_ == reference.random_error
    votes = np.array([reference.votes(x) for x in X])
    np.testing.assert_array_equal(model.predict_proba(X), votes / votes.sum(axis=1, keepdims=True))
    for ours, (theirs, *_) in zip(model.estimators_, members, strict=True):
        np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("base", [*BASES.values(), ScikitTree(random_state=0)])
def test_pieces_change_no_bit_with_values_and_classes_that_come_later(base):
    """Also across a pickle, and with threads."""
    X, y, weights = stream_of(2, 150)
    is_ours = not isinstance(base, ScikitTree)
    model = AccuracyWeightedEnsembleClassifier(
        base,
        3,
        chunk_size=25,
        n_stored=4,
        n_folds=5,
        random_state=1,
        categorical_features=[0] if is_ours else "auto",
    )
    classes = {} if is_ours else {"classes": CLASSES}
    whole = clone(model).partial_fit(X, y, **classes, sample_weight=weights)
    rows = clone(model).set_params(n_jobs=2)
    for n in range(len(y)):
        part = slice(n, n + 1)
        rows.partial_fit(X[part], y[part], **classes, sample_weight=weights[part])
        if n == 60:
            rows = pickle.loads(pickle.dumps(rows))
    np.testing.assert_array_equal(whole.predict_proba(X), rows.predict_proba(X))
    np.testing.assert_array_equal(whole.vote_weights_, rows.vote_weights_)
    fitted = clone(model).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(fitted.chunk_numbers_, whole.chunk_numbers_)


def test_where_no_model_has_learned_there_is_none_to_predict():
    model = AccuracyWeightedEnsembleClassifier().partial_fit([[1.0]], ["a"], ["a", "b"], sample_weight=[0.0])
    assert model.predict_each([[1.0], [2.0]]).shape == (2, 0)
    assert model.predict([[1.0], [2.0]]).tolist() == ["a", "a"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"chunk_size": 0}, "chunk_size must be an integer of at least 1; got 0"),
        ({"n_stored": 1.5}, "n_stored must be an integer of at least 1; got 1.5"),
        ({"n_folds": 1}, "n_folds must be at least 2 and at most chunk_size=500; got 1"),
        ({"n_folds": 11, "chunk_size": 10}, "n_folds must be at least 2 and at most chunk_size=10; got 11"),
        ({"voting": "mean"}, 'voting must be "majority" or "probability"; got \'mean\''),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        AccuracyWeightedEnsembleClassifier(**parameters).fit([[0], [1]], [0, 1])
