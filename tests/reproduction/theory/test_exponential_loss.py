"""The exponential loss, its derivative and its minimum, and Schapire's toy example."""

from fractions import Fraction

import numpy as np
import pytest

from oza import AdaBoostClassifier, DecisionStumpClassifier, NaiveBayesClassifier
from reproduction.theory import exponential_loss

WEIGHTS = [Fraction(1, 10)] * 10
PRODUCTS = [-1] * 3 + [1] * 7


def test_the_derivative_is_that_of_the_loss():
    step = 1e-6
    slope = (
        exponential_loss.loss(WEIGHTS, PRODUCTS, step) - exponential_loss.loss(WEIGHTS, PRODUCTS, -step)
    ) / (2 * step)
    assert exponential_loss.derivative_at_zero(WEIGHTS, PRODUCTS) == Fraction(-2, 5)
    assert slope == pytest.approx(-0.4, abs=1e-8)


def test_no_other_vote_has_less_loss():
    best = exponential_loss.minimising_alpha(WEIGHTS, PRODUCTS)
    assert best == pytest.approx(exponential_loss.best_alpha(Fraction(3, 10)), abs=1e-10)
    least = exponential_loss.loss(WEIGHTS, PRODUCTS, best)
    assert least == pytest.approx(2 * np.sqrt(0.3 * 0.7))
    assert all(exponential_loss.loss(WEIGHTS, PRODUCTS, best + d) > least for d in (-0.1, -0.01, 0.01, 0.1))


@pytest.mark.parametrize("base", [DecisionStumpClassifier(), NaiveBayesClassifier()])
def test_adaboost_takes_the_minimising_steps(base):
    X, y, _ = exponential_loss.random_problem(60, "test")
    course = exponential_loss.follow(AdaBoostClassifier(base, 10).fit(X, y), X, y)
    np.testing.assert_allclose(course["vote"], course["minimising"], atol=1e-8)
    np.testing.assert_allclose(course["loss"], course["bound"], rtol=1e-8)
