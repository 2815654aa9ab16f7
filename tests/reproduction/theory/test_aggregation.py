"""Aggregation, by listing every training set."""

from fractions import Fraction

import numpy as np

from reproduction.theory.aggregation import aggregate, all_training_sets

LAW = np.array([[1, 3], [2, 1]]) * Fraction(1, 7)


def test_all_training_sets_have_probability_one_together():
    assert sum(probability for _, probability in all_training_sets(LAW, 4)) == 1


def test_a_fixed_rule_gains_nothing():
    result = aggregate(lambda counts: np.array([1, 0]), LAW, 3)
    assert (result.gain, result.instability) == (0, 0)
    assert result.single == result.aggregated == Fraction(5, 7)
