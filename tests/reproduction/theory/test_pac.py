"""Conjunctions are learned as promised, and edges and votes of weak hypotheses prove each other."""

import numpy as np
import pytest

from reproduction.theory.bayesian import small_problem
from reproduction.theory.pac import (
    boosted_error,
    conjunction,
    conjunction_errors,
    either_or,
    examples_needed,
    game,
    single_bits,
)


def test_a_conjunction_is_found_from_all_inputs_and_never_errs_on_negative_ones():
    every = small_problem(4, 2)
    concept = (every[:, 0] == 1) & (every[:, 2] == 0)
    assert np.flatnonzero(conjunction(every, concept)).tolist() == [0, 6]
    none = conjunction(every[:1], np.array([False]))
    assert none.all()


def test_more_examples_than_the_bound_err_no_more_often_than_allowed():
    enough = examples_needed(5, 0.1, 0.1)
    errors = conjunction_errors(5, 2, [3, enough], n_runs=200, seed=1)
    assert (errors[enough] > 0.1).mean() <= 0.1 < (errors[3] > 0.1).mean()


@pytest.mark.parametrize("seed", range(10))
def test_distribution_and_votes_of_a_game_prove_its_edge(seed):
    concept = np.random.default_rng(seed).choice([-1, 1], size=8)
    hypotheses = single_bits(3)
    edge, distribution, votes = game(hypotheses, concept)
    assert distribution.sum() == pytest.approx(1) and votes.sum() == pytest.approx(1)
    assert (distribution >= -1e-12).all() and (votes >= -1e-12).all()
    assert (hypotheses * concept @ distribution).max() / 2 == pytest.approx(edge, abs=1e-9)
    assert (concept * (votes @ hypotheses)).min() / 2 == pytest.approx(edge, abs=1e-9)


def test_the_learnable_functions_of_two_bits_are_the_threshold_functions():
    """All but two of the sixteen: exclusive or, and its negation."""
    functions = either_or(2, n_rounds=60)
    assert (functions["edge"] > 0).sum() == 14
    assert ((functions["error"] == 0) == (functions["edge"] > 0)).all()


def test_too_few_rounds_are_not_enough():
    majority = np.array([-1, -1, -1, 1, -1, 1, 1, 1])
    assert boosted_error(single_bits(3), majority, n_rounds=1) == 0.25
    assert boosted_error(single_bits(3), majority, n_rounds=20) == 0.0
