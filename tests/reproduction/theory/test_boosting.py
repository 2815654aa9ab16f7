"""The theory of boosting: exact constructions, and limits that runs come near."""

from fractions import Fraction

import numpy as np
import pytest

from oza import AdaBoostClassifier, OnlineBoostingClassifier
from oza.datasets import load_dataset
from reproduction.theory import boosting


def test_every_weighting_leaves_some_attribute_the_promised_edge():
    wrong = boosting.majority_votes(5)
    for seed in range(20):
        weights = np.random.default_rng(seed).dirichlet(np.full(wrong.shape[1], 0.2))
        assert (wrong @ weights).min() <= 0.5 - 1 / 10 + 1e-12


def test_three_hypotheses_of_equal_errors_meet_the_map_exactly():
    e = Fraction(2, 5)
    for b in (Fraction(1, 5), e, Fraction(3, 5)):  # share of the first one's errors that the second shares
        a = 2 * e - b
        both, differ = e * b, (1 - e) * a + e * (1 - b)
        assert both + e * differ == boosting.schapire_error(e)


def test_adaboost_over_a_list_stops_at_one_half_and_after_zero():
    half = boosting.boost_over(np.array([[1, 0]]), 5, np.full(2, Fraction(1, 2)))
    assert half.chosen == []
    perfect = boosting.boost_over(np.array([[1, 0], [0, 0]]), 5, np.full(2, Fraction(1, 2)))
    assert (perfect.chosen, perfect.errors) == ([1], [0])


def test_boost_by_majority_keeps_its_promise_for_an_edge_that_is_there():
    wrong = boosting.majority_votes(5)
    assert boosting.boost_by_majority(wrong, 0.1, 51) <= boosting.promised_error(0.1, 51)


def test_weights_of_a_run_halve_right_and_wrong():
    X, y = load_dataset("balance", return_X_y=True)
    model = AdaBoostClassifier(n_estimators=5, categorical_features=range(4)).fit(X, y)
    weights = boosting.example_weights(model, X, y)
    for m, member in enumerate(model.estimators_[: len(weights) - 1]):
        is_wrong = member.predict(X) != y
        assert weights[m][is_wrong].sum() / len(y) == pytest.approx(model.estimator_errors_[m])
        assert weights[m + 1][is_wrong].sum() / len(y) == pytest.approx(0.5)


def test_an_example_passes_on_what_the_update_says():
    X, y = load_dataset("balance", return_X_y=True, as_frame=True)
    model = OnlineBoostingClassifier(n_estimators=3, random_state=1)
    passage = model.trace(X[:40], y[:40], [0, 1, 2])
    factor = np.where(passage.is_right, 2 * (1 - passage.error), 2 * passage.error)
    assert passage.lam[:, 1:] == pytest.approx((passage.lam / factor)[:, :-1])
