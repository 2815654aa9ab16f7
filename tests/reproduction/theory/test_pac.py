"""Conjunctions are learned as promised, and edges and votes of weak hypotheses prove each other."""

import numpy as np
import pytest

from reproduction.theory.bayesian import small_problem
from reproduction.theory.pac import conjunction, either_or, game, single_bits


def test_a_conjunction_is_found_from_all_inputs_and_never_errs_on_negative_ones():
    every = small_problem(4, 2)
    concept = (every[:, 0] == 1) & (every[:, 2] == 0)
    assert np.flatnonzero(conjunction(every, concept)).tolist() == [0, 6]
    none = conjunction(every[:1], np.array([False]))
    assert none.all()


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
