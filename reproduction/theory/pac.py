"""PAC learning on small problems: a strong learner, edges of weak hypotheses, and the either/or of boosting.

Examples are vectors of bits, and a concept is a Boolean function of them. All inputs are listed, so errors
and edges are exact.
"""

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy.optimize

from .bayesian import small_problem
from .boosting import boost_over

Bits = np.ndarray
Flags = np.ndarray


def _literals(examples: Bits) -> Flags:
    """Truth of each bit and of each negated bit, of shape (N, 2 n_bits)."""
    return np.hstack([examples == 1, examples == 0])


def conjunction(examples: Bits, labels: Flags) -> Flags:
    """Learn a conjunction of literals: keep those that are true in every positive example (Valiant 1984).

    Says which bits, and then which negated bits, are in it: without a positive example all, and it is never
    true.

    >>> conjunction(np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]), np.array([True, True, False])).tolist()
    [True, False, False, False, False, True]
    """
    return np.asarray(_literals(examples)[labels].all(axis=0))


def examples_needed(n_bits: int, epsilon: float, delta: float) -> int:
    """Examples with which `conjunction` errs on more than ε with probability at most δ: (2n/ε) ln(2n/δ).

    A literal is dropped by a positive example in which it is false. If such examples have a probability above
    ε/2n, it survives m examples with probability below exp(−m ε/2n). There are 2n literals, and nothing is
    said about the distribution.

    >>> examples_needed(8, epsilon=0.1, delta=0.05)
    923
    """
    return math.ceil(2 * n_bits / epsilon * math.log(2 * n_bits / delta))


def conjunction_errors(
    n_bits: int, n_relevant: int, n_examples: Sequence[int], n_runs: int, seed: int
) -> pd.DataFrame:
    """Exact errors of learned conjunctions under random distributions over the inputs.

    The concept is the conjunction of the first `n_relevant` bits. A row for each run, which has a
    distribution of its own, drawn from a Dirichlet distribution; a column for each number of examples.
    """
    every = small_problem(n_bits, 2)
    concept = np.asarray(every[:, :n_relevant].all(axis=1))

    def error(n: int, generator: np.random.Generator) -> float:
        law = generator.dirichlet(np.full(len(every), 0.1))
        drawn = generator.choice(len(every), size=n, p=law)
        learned = conjunction(every[drawn], concept[drawn])
        return law[_literals(every)[:, learned].all(axis=1) != concept].sum()

    draws = {n: np.random.default_rng([seed, n]) for n in n_examples}
    found = {n: [error(n, generator) for _ in range(n_runs)] for n, generator in draws.items()}
    return pd.DataFrame(found).rename_axis(columns="examples")


def single_bits(n_bits: int) -> Bits:
    """Predictions, −1 or 1, of the stumps on all inputs: each bit, its negation, and both constants."""
    bits = 2 * small_problem(n_bits, 2).T - 1
    constant = np.ones((1, bits.shape[1]), dtype=np.int64)
    return np.vstack([bits, -bits, constant, -constant])


class Game(NamedTuple):
    """Best edge that hypotheses have under the worst distribution, and what proves it."""

    edge: float  # 1/2 minus the least error, under the distribution that makes it smallest
    distribution: np.ndarray  # no hypothesis has a larger edge under it
    votes: np.ndarray  # weights, sum 1, of a vote with a margin of at least 2 · edge everywhere


def game(hypotheses: Bits, concept: Bits) -> Game:
    """Solve the game between a distribution over inputs and a choice of hypothesis (von Neumann 1928).

    Predictions, a row for each hypothesis, and concept are −1 or 1.

    >>> majority, parity = np.array([-1, -1, -1, 1, -1, 1, 1, 1]), np.array([-1, 1, 1, -1, 1, -1, -1, 1])
    >>> [round(game(single_bits(3), concept).edge, 4) for concept in (majority, parity)]
    [0.1667, 0.0]
    """
    margins = hypotheses * concept
    n_hypotheses, n_inputs = margins.shape
    solved = scipy.optimize.linprog(
        c=[*np.zeros(n_hypotheses), -1.0],  # the largest margin v with Σ w · margins ≥ v at every input
        A_ub=np.hstack([-margins.T, np.ones((n_inputs, 1))]),
        b_ub=np.zeros(n_inputs),
        A_eq=[[*np.ones(n_hypotheses), 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * n_hypotheses + [(None, None)],
        method="highs",
    )
    # An edge of 0 is solved to about 1e-17, with either sign.
    return Game(max(0.0, round(-solved.fun / 2, 12)), -solved.ineqlin.marginals, solved.x[:-1])


def boosted_error(hypotheses: Bits, concept: Bits, n_rounds: int) -> float:
    """Share of all inputs that AdaBoost over the hypotheses misclassifies, from equal weights.

    >>> boosted_error(single_bits(3), np.array([-1, -1, -1, 1, -1, 1, 1, 1]), n_rounds=20)
    0.0
    """
    wrong = (hypotheses != concept).astype(np.int64)
    n_inputs = len(concept)
    run = boost_over(wrong, n_rounds, np.full(n_inputs, 1 / n_inputs))
    if not run.chosen:
        return 0.5
    errors = np.maximum(np.array(run.errors), 1e-12)
    votes = np.log((1 - errors) / errors) @ hypotheses[run.chosen]
    return float((votes * concept <= 1e-9).mean())


def either_or(n_bits: int, n_rounds: int) -> pd.DataFrame:
    """For every Boolean function the edge of single bits under the worst distribution, and AdaBoost's error.

    There are 2 to the power 2 ** n_bits functions, so that `n_bits` is at most 3.
    """
    hypotheses = single_bits(n_bits)
    concepts = map(np.array, product((-1, 1), repeat=2**n_bits))
    rows = [(game(hypotheses, each).edge, boosted_error(hypotheses, each, n_rounds)) for each in concepts]
    return pd.DataFrame(rows, columns=["edge", "error"])
