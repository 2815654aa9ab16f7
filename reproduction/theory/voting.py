"""Error of a majority vote as a function of the errors of the voters (thesis chapter 1)."""

import math

import numpy as np
import numpy.typing as npt
import scipy.stats

from oza.kernels.draws import uniforms

__all__ = ["correlated_vote_error", "simulate_wrong_votes", "vote_error"]


def vote_error(error: float, n_models: int, tie: float = 0.5) -> float:
    """Probability that the majority vote of independent models errs.

    Parameters
    ----------
    error : float
        Probability that one model errs.
    n_models : int
        Number M of models.
    tie : float, default 0.5
        Probability that a tie is decided wrongly. With 0 the result is P(Binomial(M, error) > M/2);
        1/2 corresponds to a fixed winner of ties if both classes are equally frequent. No effect for
        odd M.

    Examples
    --------
    >>> round(vote_error(0.3, 3), 6)
    0.216
    >>> round(vote_error(0.3, 4, tie=0), 6), round(vote_error(0.3, 4), 6)
    (0.0837, 0.216)
    """
    ties = scipy.stats.binom.pmf(n_models / 2, n_models, error) if n_models % 2 == 0 else 0.0
    return float(scipy.stats.binom.sf(n_models // 2, n_models, error) + tie * ties)


def correlated_vote_error(error: float, n_models: int, correlation: float, tie: float = 0.5) -> float:
    """Probability that the vote errs when any two models' errors have this correlation.

    With probability `error` an example is hard. With probability √correlation a model errs if and only
    if the example is hard; otherwise it errs independently with probability `error`. So a single model
    always errs with probability `error`.

    Parameters
    ----------
    error, n_models, tie
        As in `vote_error`.
    correlation : float
        Correlation of the errors of two models, from 0 to 1.

    Examples
    --------
    >>> correlated_vote_error(0.3, 101, 1.0)
    0.3
    """
    shared = math.sqrt(correlation)
    on_easy, on_hard = (1 - shared) * error, shared + (1 - shared) * error
    return (1 - error) * vote_error(on_easy, n_models, tie) + error * vote_error(on_hard, n_models, tie)


def simulate_wrong_votes(
    error: float, n_models: int, n_examples: int, seed: int, correlation: float = 0.0
) -> npt.NDArray[np.int64]:
    """Number of models that err on each of many examples.

    Parameters
    ----------
    error, n_models, correlation
        As in `correlated_vote_error`.
    n_examples : int
        Number of examples.
    seed : int
        Seed.

    Returns
    -------
    int64 array of shape (n_examples,)

    Examples
    --------
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
