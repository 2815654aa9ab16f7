"""BOLE: the order of its models, its sums and its votes, on examples that are computed by hand."""

import numpy as np
import pytest

from oza import BOLEClassifier, NeuralNetworkClassifier
from reproduction.simulations.coins import CoinClassifier


def test_an_answer_decides_which_model_is_next():
    model = BOLEClassifier(CoinClassifier(1), 3, categorical_features=None, random_state=0)
    found = []
    for answers in ([1, 1, 0], [0, 1, 1], [1, 1, 1]):  # the class is 1
        model.partial_fit([answers], [1], classes=[0, 1])
        found.append([model.lambda_correct_.tolist(), model.lambda_wrong_.tolist()])
    assert found[0] == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]  # models 2, 1, 0 with λ = 1, 1/2, 1/2
    assert found[1] == [[0.5, 1.5, 1.0], [1.0, 0.0, 1.0]]  # models 2, 0, 1 with λ = 1, 1, 1
    assert found[2] == [[1.5, 2.5, 1.6], [1.0, 0.0, 1.0]]  # models 0, 1, 2 with λ = 1, 1, 3/5
    assert model._order.tolist() == [1, 2, 0]  # before the third example, with 1, 1/2 and 1/3 correct
    expected = np.log([1.5, 1.0, 1.6])  # model 1, which has never erred, has no vote
    np.testing.assert_allclose(model.vote_weights_, expected, rtol=1e-15)


def test_all_vote_alike_if_none_errs_sometimes_and_at_most_half():
    model = BOLEClassifier(CoinClassifier(4), 2, categorical_features=None, random_state=0)
    model.partial_fit([[1, 0]] * 4, [1] * 4, classes=[0, 1])
    assert model.estimator_errors_.tolist() == [0.0, 1.0]
    assert model.vote_weights_.tolist() == [1.0, 1.0]


def test_many_copies_are_bounded_counted_and_reported():
    model = BOLEClassifier(NeuralNetworkClassifier(hidden_units=2), n_estimators=3, random_state=0)
    with pytest.warns(RuntimeWarning, match="n_bounded_draws_ says how many"):
        model.fit([[0.0], [1.0]] * 5, [0, 1] * 5, sample_weight=np.full(10, 200.0))
    assert model.n_bounded_draws_ > 0


def test_no_weight_exceeds_half_of_what_was_seen():
    """Since the λ that a model passes on is divided by twice a sum to which it has just been added."""
    draws = np.random.default_rng(0)
    answers = (draws.random((500, 20)) < 0.97).astype(int)  # of class 1, so that errors are rare
    base = CoinClassifier(1)
    model = BOLEClassifier(base, 20, categorical_features=None, random_state=0)
    largest = []
    for n, row in enumerate(answers, 1):
        before = model.lambda_correct_ + model.lambda_wrong_ if n > 1 else 0.0
        model.partial_fit([row], [1], classes=[0, 1])
        largest.append((model.lambda_correct_ + model.lambda_wrong_ - before).max())
        assert largest[-1] <= max(n / 2, 1.0) * (1 + 1e-9)  # rounding
    assert max(largest) > 50.0
