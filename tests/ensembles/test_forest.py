"""The random forest beside bagging, its reference, and scikit-learn's."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from oza import RandomForestClassifier
from oza.datasets import load_dataset
from oza.kernels.random import integer_below, key_of, row_key
from tests import references
from tests.bases import TREES
from tests.streams import random_stream

state, state_of_reference = TREES[0].state, TREES[0].state_of_reference


@pytest.mark.parametrize("seed", range(30))
def test_trees_equal_the_reference_bit_for_bit(seed):
    stream = random_stream(np.random.default_rng(seed), 40, n_numeric=seed % 3)
    share, gain_ratio = [0.3, 0.6][seed % 2], seed // 2 % 2 == 0
    model = RandomForestClassifier(
        4,
        max_features=share,
        criterion="gain_ratio" if gain_ratio else "information_gain",
        categories=stream.values,
        random_state=seed,
    )
    model.fit(stream.frame, stream.labels, sample_weight=stream.weights)
    key = key_of("random_state", seed)
    nominal = [n is not None for n in stream.n_values]
    columns = sorted(range(len(nominal)), key=lambda column: not nominal[column])
    n_tested = max(1, round(share * len(columns)))
    for m, tree in enumerate(model.estimators_):
        of_tree = key_of("attributes", key_of("random_state", key_of("member", key, m)), 0)
        settings = [model.classes_.tolist(), gain_ratio, False]
        if n_tested < len(columns):
            settings += [n_tested, columns, of_tree]
        reference = references.DecisionTree(*settings)
        sample = [integer_below(40, row_key(key, m), draw) for draw in range(40)]
        for n in sorted(sample):
            reference.learn(stream.rows[n], stream.labels[n], stream.weights[n])
        assert state(tree) == state_of_reference(reference, stream)


def test_threads_and_pickles_change_no_bit():
    X, y = load_dataset("balance", return_X_y=True)
    one = RandomForestClassifier(10, random_state=4, voting="probability", categorical_features=range(4))
    one.fit(X, y)
    two = clone(one).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).predict_proba(X), one.predict_proba(X))


def test_votes_and_probabilities_are_those_of_the_trees():
    X, y = load_dataset("balance", return_X_y=True)
    y = np.where(np.arange(len(y)) % 5 == 0, y[::-1], y)
    by_votes = RandomForestClassifier(9, random_state=1, categorical_features=range(4)).fit(X[::2], y[::2])
    votes = by_votes.predict_each(X)[:, :, None] == by_votes.classes_
    np.testing.assert_allclose(by_votes.predict_proba(X), votes.mean(axis=1), rtol=1e-12)
    np.testing.assert_array_equal(by_votes.predict(X), list(by_votes.staged_predict(X))[-1])
    by_shares = clone(by_votes).set_params(voting="probability").fit(X[::2], y[::2])
    shares = np.mean([tree.predict_proba(X) for tree in by_shares.estimators_], axis=0)
    np.testing.assert_allclose(by_shares.predict_proba(X), shares, rtol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_features": 0}, "max_features must be None"),
        ({"criterion": "gini"}, "criterion must be"),
        ({"voting": "mean"}, 'voting must be "majority" or "probability"'),
        ({"n_estimators": 0}, "n_estimators must be an integer of at least 1; got 0"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        RandomForestClassifier(**parameters).fit([[0], [1]], [0, 1])
