"""Measures of diversity against their definitions."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from oza.diversity import disagreement, double_fault, kappa, kappa_error, q_statistic


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 500)
    said = np.where(rng.random((500, 4)) < 0.6, y[:, None], rng.integers(0, 3, (500, 4)))
    return np.array(["a", "b", "c"])[said], np.array(["a", "b", "c"])[y]


def test_kappa_is_cohens(predictions):
    said, _ = predictions
    for i in range(4):
        for j in range(4):
            assert kappa(said[:, i], said[:, j]) == pytest.approx(cohen_kappa_score(said[:, i], said[:, j]))
    assert kappa(["a", "a"], ["a", "a"]) == 1.0


def test_q_is_zero_for_independent_errors_and_one_if_errors_coincide():
    truth = np.zeros(16, int)
    first, second = np.repeat([0, 1], 8), np.tile([0, 0, 1, 1], 4)
    assert q_statistic(first, second, truth) == 0.0
    assert q_statistic(first, first, truth) == 1.0
    assert q_statistic(first, 1 - first, truth) == -1.0
    assert np.isnan(q_statistic(truth, first, truth))


def test_disagreement_and_double_fault_count_examples(predictions):
    said, y = predictions
    wrong = said != y[:, None]
    assert disagreement(said[:, 0], said[:, 1]) == np.mean(said[:, 0] != said[:, 1])
    assert double_fault(said[:, 0], said[:, 1], y) == np.mean(wrong[:, 0] & wrong[:, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kappa([1, 2], [1]), r"of one length, at least 1; got the shape \(1,\) beside 2"),
        (lambda: disagreement([], []), r"at least 1; got the shape \(0,\)"),
        (lambda: double_fault([1], [1], [1, 2]), r"got the shape \(2,\) beside 1"),
        (lambda: kappa(["0", "1"], [0, 1]), "a list of predictions or classes holds 0 and held '0' before"),
        (lambda: disagreement([0.0, np.nan], [0.0, 1.0]), "has a missing value in row 1; leave the row out"),
        (lambda: kappa_error([[1], [2]], [1, 2]), r"two or more classifiers; got the shape \(2, 1\)"),
    ],
)
def test_predictions_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
