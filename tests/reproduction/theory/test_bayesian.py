"""Bayes' rule over all stumps is that of a plain reading of equation 2.2, and forecasters are cases of it."""

import math
from itertools import product

import numpy as np
import pytest

from oza import WeightedMajority
from reproduction.theory.bayesian import all_stumps, log_losses, noise_of_factor, posterior, small_problem


@pytest.fixture
def drawn():
    """Predictions of all stumps on drawn examples, and labels."""
    generator = np.random.default_rng(3)
    examples = generator.integers(4, size=(12, 3))
    return all_stumps(examples, 4), generator.integers(2, size=12)


def test_every_stump_is_there_once():
    stumps = all_stumps(small_problem(3, 4), 4)
    assert len(np.unique(stumps, axis=0)) == len(stumps) == 2 * 3 * (4 - 1)
    assert ((stumps == 0).any(axis=1) & (stumps == 1).any(axis=1)).all()


def test_posterior_and_law_are_those_of_a_plain_sum_over_models_and_noise_rates(drawn):
    """Equation 2.2 written out: P(y = 1 | T) as a sum over all pairs of a stump and a noise rate."""
    predictions, labels = drawn
    seen, noise = labels[:-1], [0.1, 0.3]
    total, one, of_models = 0.0, 0.0, np.zeros(len(predictions))
    for (h, says), eta in product(enumerate(predictions.tolist()), noise):
        likelihood = math.prod(
            1 - eta if a == b else eta for a, b in zip(says[:-1], seen.tolist(), strict=True)
        )
        total += likelihood
        of_models[h] += likelihood
        one += likelihood * (1 - eta if says[-1] == 1 else eta)
    mistakes = (predictions[:, :-1] != seen).sum(axis=1)
    found = posterior(mistakes, len(seen), noise)
    assert found.of_models == pytest.approx(of_models / total, rel=1e-12)
    assert found.law(predictions[:, -1:])[0] == pytest.approx(one / total, rel=1e-12)


def test_a_mixture_of_all_models_is_the_full_one_and_of_one_model_its_own_law(drawn):
    predictions, labels = drawn
    found = posterior((predictions != labels).sum(axis=1), len(labels), [0.1, 0.3])
    full = found.law(predictions)
    assert found.law(predictions, found.best(len(predictions))) == pytest.approx(full, rel=1e-12)
    (best,) = found.best(1)
    alone = found.law(predictions, found.best(1))
    assert alone == pytest.approx(np.abs(1 - predictions[best] - found.reliability[best]), rel=1e-12)


def test_weighted_majority_holds_the_posterior_for_a_noise_rate_of_one_third(drawn):
    predictions, labels = drawn
    forecaster = WeightedMajority().partial_fit(predictions.T, labels)
    mistakes = (predictions != labels).sum(axis=1)
    believed = posterior(mistakes, len(labels), [noise_of_factor(0.5)])
    assert forecaster.weights_ == pytest.approx(believed.of_models, rel=1e-12)
    other = posterior(mistakes, len(labels), [0.2])
    assert np.abs(forecaster.weights_ - other.of_models).max() > 0.01


@pytest.mark.parametrize("seed", range(5))
def test_the_mixture_loses_at_most_the_logarithm_of_the_number_of_models(seed):
    generator = np.random.default_rng(seed)
    stumps = all_stumps(generator.integers(4, size=(40, 3)), 4)
    mixture, best = log_losses(stumps, generator.integers(2, size=40), 0.2)
    assert mixture <= best + math.log(len(stumps))


def test_no_underflow_with_many_examples():
    found = posterior(np.array([3000, 3001, 9000]), 10_000, [0.3])
    assert found.of_models == pytest.approx([0.7, 0.3, 0])
    assert found.reliability == pytest.approx([0.7, 0.7, 0.7])
