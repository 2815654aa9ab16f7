"""Exact distributions equal enumerations, closed forms and simulations."""

import math
from itertools import product

import numpy as np
import pytest
import scipy.special
import scipy.stats

from reproduction.theory.sampling import (
    count_vectors,
    majority_class_error,
    mean_inverse_size,
    probability_by_draws,
    probability_by_independent_counts,
    probability_by_separate_binomials,
    probability_by_trials,
    probability_in_turn,
    probability_of_proportions,
    proportion_variance,
    reachable_mass,
    sample_size_law,
    total_variation,
    vote_disagreement,
)


@pytest.mark.parametrize("n", [2, 3, 10, 100, 10_000])
def test_distance_from_poisson_equals_its_closed_form(n):
    closed = 1.5 / math.e * math.expm1(1 + (n - 1) * math.log1p(-1 / n))
    assert total_variation(n) == pytest.approx(closed, rel=1e-8)


def test_the_distance_of_a_group_is_that_of_its_joint_counts():
    n, group, distance = 6, 2, 0.0
    for counts in product(range(25), repeat=group):
        rest = n - sum(counts)
        batch = 0.0
        if rest >= 0:
            ways = math.factorial(n) / math.prod(map(math.factorial, (*counts, rest)))
            batch = ways * (1 / n) ** sum(counts) * (1 - group / n) ** rest
        distance += abs(batch - math.prod(math.exp(-1) / math.factorial(k) for k in counts))
    assert total_variation(n, group) == pytest.approx(distance / 2, rel=1e-12)


@pytest.mark.parametrize("n", [5, 50])
def test_the_laws_of_all_counts_agree_only_on_samples_of_n(n):
    assert total_variation(n, group=n) == pytest.approx(1 - scipy.stats.poisson.pmf(n, n))


def test_count_vectors_are_all_there_once():
    vectors = list(count_vectors(3, 4))
    assert len(vectors) == len(set(vectors)) == math.comb(6, 2)
    assert all(sum(counts) == 4 for counts in vectors)
    assert list(count_vectors(1, 5)) == [(5,)]


def test_two_stage_and_independent_counts_have_equal_probabilities():
    for total in range(7):
        for counts in count_vectors(3, total):
            assert probability_by_trials(counts) == probability_by_independent_counts(counts)


@pytest.mark.parametrize("n", [1, 7, 100, 100_000])
def test_sample_size_law_is_poisson(n):
    law = sample_size_law(n)
    assert law == pytest.approx(scipy.stats.poisson.pmf(np.arange(len(law)), n), rel=1e-7, abs=1e-300)
    assert scipy.stats.poisson.logsf(len(law) - 1, n) < -72


@pytest.mark.parametrize("n", [1, 2, 10, 100])
def test_mean_inverse_size_equals_the_exponential_integral(n):
    closed = math.exp(-n) * (scipy.special.expi(n) - np.euler_gamma - math.log(n))
    assert mean_inverse_size(n) == pytest.approx(closed, rel=1e-13)


def test_online_variance_equals_enumeration():
    n = 2
    variance = sum(
        float(probability_by_independent_counts(counts)) * (counts[0] / total - 1 / n) ** 2
        for total in range(1, 30)
        for counts in count_vectors(n, total)
    ) * math.exp(-n)
    assert proportion_variance("online", n) == pytest.approx(variance, rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_reachable_mass_equals_enumeration(n):
    mass = 1.0 + sum(
        float(probability_by_independent_counts(counts))
        for total in range(1, 22)
        for counts in count_vectors(n, total)
        if all(n * k % total == 0 for k in counts)
    )
    assert reachable_mass(n) == pytest.approx(mass * math.exp(-n), rel=1e-8)


def test_majority_of_an_online_sample_is_a_race_of_two_poisson_counts():
    n, share = 12, 0.7
    race = scipy.stats.skellam.sf(0, n * share, n * (1 - share))
    assert majority_class_error("online", n, share) == pytest.approx(1 - race, rel=1e-9)


@pytest.mark.parametrize("n_models", [1, 4, 5])
def test_vote_disagreement_equals_enumeration(n_models):
    def wrong(error):
        votes = product((False, True), repeat=n_models)  # True: the model is wrong
        return sum(
            math.prod(error if v else 1 - error for v in vote) for vote in votes if 2 * sum(vote) >= n_models
        )

    batch, online = wrong(0.3), wrong(0.4)
    expected = batch * (1 - online) + online * (1 - batch)
    assert vote_disagreement(0.3, 0.4, n_models) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_draws_in_turn_are_draws_with_replacement_and_separate_binomials_are_not(n):
    vectors = [c for total in range(2 * n + 1) for c in count_vectors(n, total)]
    assert [probability_in_turn(c) for c in vectors] == [probability_by_draws(c) for c in vectors]
    assert sum(map(probability_by_draws, vectors)) == 1
    of_size_n = sum(probability_by_separate_binomials(c) for c in vectors if sum(c) == n)
    assert float(of_size_n) == pytest.approx(scipy.stats.binom.pmf(n, n * n, 1 / n))
    assert n == 1 or of_size_n < 1


@pytest.mark.parametrize("counts", [(1, 1), (2, 1), (3, 0), (2, 4)])
def test_proportions_are_those_of_all_multiples(counts):
    vectors = [c for total in range(1, 30) for c in count_vectors(2, total)]
    alike = [c for c in vectors if c[0] * sum(counts) == counts[0] * sum(c)]
    found = math.exp(-2) * float(sum(map(probability_by_independent_counts, alike)))
    assert probability_of_proportions(counts) == pytest.approx(found, rel=1e-9)


def test_rare_disagreements_do_not_drown_in_rounding():
    assert vote_disagreement(1e-9, 1e-9, n_models=5) == pytest.approx(2e-26, rel=1e-6)
