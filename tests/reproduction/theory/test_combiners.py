"""Combiners do what their definitions say, and the theory of correlated errors predicts an average."""

import math

import numpy as np
import pytest

from reproduction.theory import combiners
from reproduction.theory.correlation import averaged_error


@pytest.fixture
def outputs():
    """Seven models' outputs for 50 examples of four classes."""
    return np.random.default_rng(2).dirichlet(np.ones(4), size=(7, 50))


def test_majority_and_borda_agree_with_counting(outputs):
    majority, borda = combiners.majority(outputs), combiners.borda(outputs)
    for i, example in enumerate(outputs.transpose(1, 0, 2).tolist()):
        for c in range(4):
            assert majority[i, c] == sum(model[c] == max(model) for model in example)
            assert borda[i, c] == sum(other < model[c] for model in example for other in model)


def test_trimming_ends_in_the_median_and_ignores_extreme_models(outputs):
    assert combiners.trimmed_mean(outputs, 3) == pytest.approx(np.median(outputs, axis=0))
    assert combiners.trimmed_mean(outputs, 0) == pytest.approx(outputs.mean(axis=0))
    spoilt = outputs.copy()
    spoilt[0] = 1e9
    assert combiners.trimmed_mean(spoilt, 1).max() <= outputs.max()
    with pytest.raises(ValueError, match="8 of 7"):
        combiners.trimmed_mean(outputs, 4)


def test_dempsters_rule_is_commutative_and_associative_and_refuses_full_conflict():
    a, b, ab, abc = frozenset([0]), frozenset([1]), frozenset([0, 1]), frozenset([0, 1, 2])
    one, two, three = {a: 0.5, abc: 0.5}, {b: 0.3, ab: 0.7}, {ab: 0.2, a: 0.4, abc: 0.4}
    assert combiners.dempster(one, two) == pytest.approx(combiners.dempster(two, one))
    left = combiners.dempster(combiners.dempster(one, two), three)
    right = combiners.dempster(one, combiners.dempster(two, three))
    assert left == pytest.approx(right) and math.fsum(left.values()) == pytest.approx(1)
    with pytest.raises(ValueError, match="nothing in common"):
        combiners.dempster({a: 1.0}, {b: 1.0})


def test_with_equal_variances_the_formula_is_exact(outputs):
    labels = np.random.default_rng(5).integers(4, size=50)
    errors = outputs - np.eye(4)[labels]
    sizes = np.sqrt((errors**2).mean(axis=(1, 2), keepdims=True))
    equal = errors / sizes * 0.1 + np.eye(4)[labels]
    alone, together = combiners.combined_error(equal, labels)
    rho = combiners.output_correlation(equal, labels)
    assert together / alone == pytest.approx(averaged_error(7, rho))
