"""Votes: error of a majority as a function of the voters' errors (thesis chapter 1), and an audience."""

import math
from bisect import bisect_left

import numpy as np
import scipy.stats

from oza.kernels.draws import uniforms


def vote_error(error: float, n_models: int, tie: float = 0.5) -> float:
    """Probability that the majority vote of independent models errs, each with probability `error`.

    `tie` is the probability that a tie is decided wrongly. With 0 the result is P(Binomial(M, error) > M/2);
    1/2 corresponds to a fixed winner of ties if both classes are equally frequent.

    >>> round(vote_error(0.3, 3), 6)
    0.216
    >>> round(vote_error(0.3, 4, tie=0), 6), round(vote_error(0.3, 4), 6)
    (0.0837, 0.216)
    """
    ties = scipy.stats.binom.pmf(n_models / 2, n_models, error) if n_models % 2 == 0 else 0.0
    return float(scipy.stats.binom.sf(n_models // 2, n_models, error) + tie * ties)


def correlated_vote_error(error: float, n_models: int, correlation: float) -> float:
    """Probability that the vote errs when any two models' errors have this correlation.

    With probability `error` an example is hard. With probability √correlation a model errs if and only
    if the example is hard; otherwise it errs independently with probability `error`. So a single model
    always errs with probability `error`.

    >>> correlated_vote_error(0.3, 101, 1.0)
    0.3
    """
    shared = math.sqrt(correlation)
    on_easy, on_hard = (1 - shared) * error, shared + (1 - shared) * error
    return (1 - error) * vote_error(on_easy, n_models) + error * vote_error(on_hard, n_models)


def simulate_wrong_votes(
    error: float, n_models: int, n_examples: int, seed: int, correlation: float = 0.0
) -> np.ndarray:
    """Number of models that err on each of many examples, correlated as in `correlated_vote_error`.

    >>> wrong = simulate_wrong_votes(0.3, 3, 20000, seed=1)
    >>> abs(float((wrong > 1.5).mean()) - 0.216) < 0.01
    True
    """
    name = error, n_models, n_examples, correlation, seed
    errs = uniforms((n_examples, n_models), "own error", *name) < error
    if correlation > 0:
        is_hard = uniforms(n_examples, "difficulty", *name) < error
        shares = uniforms((n_examples, n_models), "shared", *name) < math.sqrt(correlation)
        errs = np.where(shares, is_hard[:, None], errs)
    return errs.sum(axis=1)


def audience_vote(n_voters: int, n_knowing: int, correlation: float = 0.0, n_answers: int = 4) -> float:
    """Probability that the answer with the most votes of an audience is the right one; a tie is drawn.

    Those who know vote for the right answer, all others guess: with probability √correlation what a rumour
    says, which names each answer with the same probability, else at random. So each guess is right
    with probability 1/`n_answers`, and any two of them have this correlation.

    >>> audience_vote(1, 0), audience_vote(3, 3)
    (0.25, 1.0)
    >>> round(audience_vote(100, 10), 3), round(audience_vote(100, 10, correlation=0.1), 3)
    (0.836, 0.254)
    """
    repeats = math.sqrt(correlation)
    guesses = np.full(n_answers, (1 - repeats) / n_answers)
    says_right, says_wrong = guesses.copy(), guesses.copy()
    says_right[0] += repeats
    says_wrong[1] += repeats
    right, wrong = (_wins(n_knowing, n_voters - n_knowing, shares) for shares in (says_right, says_wrong))
    return right / n_answers + wrong * (1 - 1 / n_answers)


def knowing_to_match(friend: float, n_voters: int, correlation: float = 0.0) -> int:
    """Least number in an audience who must know the answer for the vote to match a friend.

    `friend` is the probability that the friend is right.

    >>> knowing_to_match(0.8, 100), knowing_to_match(0.8, 100, correlation=0.25)
    (10, 36)
    """
    return bisect_left(range(n_voters), friend, key=lambda n: audience_vote(n_voters, n, correlation))


def _wins(n_sure: int, n_guesses: int, shares: np.ndarray) -> float:
    """Probability that answer 0, with `n_sure` votes more, wins among guesses with these probabilities.

    Given their sum, guesses of the other answers are distributed like independent Poisson numbers: so a
    convolution for each adds up the cases in which none is ahead, by the number of ties.
    """
    numbers = np.arange(n_guesses + 1)
    means = n_guesses * shares[1:]
    pmfs = scipy.stats.poisson.pmf(numbers, means[:, None])
    sums = scipy.stats.poisson.pmf(numbers, means.sum())
    total = 0.0
    for right, p in enumerate(scipy.stats.binom.pmf(numbers, n_guesses, shares[0])):
        votes, rest = n_sure + right, n_guesses - right
        if p < 1e-18:  # too little to matter, and where sums[rest] may be 0
            continue
        if votes > rest:  # no other answer can have as many
            total += p
            continue
        ways = [np.eye(1, rest + 1)[0]]  # by number of ties: chances by number of votes for other answers
        for pmf in pmfs:
            fewer, equal = np.zeros(rest + 1), np.zeros(rest + 1)
            fewer[:votes] = pmf[: rest + 1][:votes]
            equal[votes : votes + 1] = pmf[: rest + 1][votes : votes + 1]
            without = [np.convolve(way, fewer)[: rest + 1] for way in ways]
            tied = [np.convolve(way, equal)[: rest + 1] for way in ways]
            ways = [without[0], *map(np.add, without[1:], tied[:-1]), tied[-1]]
        total += p / sums[rest] * sum(way[rest] / (ties + 1) for ties, way in enumerate(ways))
    return float(total)
