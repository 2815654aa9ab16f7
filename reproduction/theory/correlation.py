"""Error of an average of correlated models: Tumer and Ghosh's formula (thesis section 2.2.1)."""

import math

import numpy as np
import numpy.typing as npt

from oza.kernels.draws import normals


def averaged_error(n_models: int, correlation: float) -> float:
    """Added error of the average of M models, in units of that of one model: (1 + ρ(M − 1))/M.

    The errors of any two have the correlation ρ, from −1/(M − 1) to 1.

    >>> averaged_error(5, 1), averaged_error(5, 0), averaged_error(5, -1 / 4)
    (1.0, 0.2, 0.0)
    """
    total = 1 + correlation * (n_models - 1)
    if not -1e-12 <= total <= n_models:
        raise ValueError(f"{n_models} errors cannot have the correlation {correlation} with one another")
    return max(total, 0.0) / n_models


def simulate_averaged_error(
    n_models: int, correlation: float, n_draws: int, seed: int
) -> tuple[float, float]:
    """Mean square of the average of M normal errors of variance 1, and its standard error.

    Equal seeds give the same normal numbers whatever the correlation.

    >>> estimate, standard_error = simulate_averaged_error(5, 0.5, 4000, seed=1)
    >>> abs(estimate - averaged_error(5, 0.5)) < 4 * standard_error
    True
    """
    z = normals((n_draws, n_models), "added errors", n_models, n_draws, seed)
    errors = np.einsum("ni,mi->nm", z, _root(n_models, correlation))
    squares = errors.mean(axis=1) ** 2
    return float(squares.mean()), float(squares.std(ddof=1) / math.sqrt(n_draws))


def _root(n_models: int, correlation: float) -> npt.NDArray[np.float64]:
    """Cholesky factor of the correlation matrix, which may be singular."""
    wanted = np.full((n_models, n_models), float(correlation))
    np.fill_diagonal(wanted, 1.0)
    root = np.zeros_like(wanted)
    for j in range(n_models):
        rest = wanted[j:, j] - (root[j:, :j] * root[j, :j]).sum(axis=1)
        if rest[0] > 1e-12:
            root[j:, j] = rest / math.sqrt(rest[0])
    return root
