"""The exponential loss, its derivative and its minimum, and Schapire's toy example."""

from fractions import Fraction

import numpy as np
import pytest

from oza import AdaBoostClassifier, DecisionStumpClassifier, NaiveBayesClassifier
from reproduction.theory import exponential_loss, schapire

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


def test_weights_after_a_step_lie_half_on_the_wrong_examples():
    for new in exponential_loss.reweightings(WEIGHTS, PRODUCTS).values():
        assert sum(new) == 1 and sum(new[:3]) == Fraction(1, 2)


def test_the_failing_model_of_mooneys_form_has_a_negative_vote():
    base = NaiveBayesClassifier(categorical_features=[0])
    rows = exponential_loss.mooney_boosting(base, np.zeros((3, 1), int), [0, 1, 2], 10)
    assert len(rows) == 1
    assert rows.loc[0, "error"] == pytest.approx(2 / 3)
    assert rows.loc[0, "vote"] == pytest.approx(-np.log(2))


def test_the_toy_example_has_the_errors_of_the_slides_and_no_error_in_the_end():
    toy = schapire.run_on()
    assert toy.run.errors == [Fraction(3, 10), Fraction(3, 14), Fraction(3, 22)]
    assert (np.sign(toy.vote(schapire.POINTS)) == schapire.CLASSES).all()
    assert ((toy.says != schapire.CLASSES).sum(axis=1) == 3).all()
    missed = (toy.says != schapire.CLASSES).sum(axis=0)
    assert missed.max() == 1
    assert (schapire.CLASSES == 1).sum() == 5


def test_stumps_are_all_half_planes_with_straight_borders():
    X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 4.0]])
    assert len(exponential_loss.stumps(X)) == 2 * (2 + 1)
