"""The mean proportions of examples in the samples of batch and online bagging (thesis section 3.4, Lemma 2).

Numbers of examples are those of `copies_of_an_example`.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
import scipy.stats

from oza.kernels.compile import kernel
from oza.kernels.random import integer_below, key_of, poisson_each, row_key

from ..claims.criteria import agreed, vanishes
from ..claims.registry import Decision, Found, claim, recorded, require
from ..printed.record import Record
from ..record.bits import close
from ..record.simulation import simulation
from ..theory import sampling
from ..theory.sampling import is_online, proportion_variance
from .copies_of_an_example import by_size


@kernel
def _mean_squared_deviations(online, n, n_models, n_repeats, key):
    """For each repetition: mean over examples of (mean proportion − 1/n)²."""
    result = np.empty(n_repeats)
    counts = np.empty(n)
    for r in range(n_repeats):
        mean = np.zeros(n)
        for m in range(n_models):
            row = row_key(key, r * n_models + m)
            if online:
                poisson_each(1.0, row, counts)
            else:
                counts[:] = 0.0
                for j in range(n):
                    counts[integer_below(n, row, j)] += 1.0
            size = counts.sum()
            for i in range(n):
                mean[i] += counts[i] / size if size > 0.0 else 1.0 / n
        result[r] = ((mean / n_models - 1.0 / n) ** 2).mean()
    return result


def simulate_proportion_variance(
    scheme: str, n: int, n_models: int, n_repeats: int, seed: int
) -> tuple[float, float]:
    """Estimate `proportion_variance` from simulated ensembles, with the ensembles' own draws.

    The entries of a vector are identically distributed, so each of `n_repeats` ensembles contributes the mean
    over its entries; estimate and standard error are those of these means.

    Examples
    --------
    >>> estimate, standard_error = simulate_proportion_variance("batch", 20, 5, 500, seed=1)
    >>> abs(estimate - proportion_variance("batch", 20, 5)) < 4 * standard_error
    True
    """
    key = np.uint64(key_of("proportion variance", scheme, n, n_models, seed))
    squares = _mean_squared_deviations(is_online(scheme), n, n_models, n_repeats, key)
    return float(squares.mean()), float(squares.std(ddof=1) / math.sqrt(n_repeats))


@simulation(small={"sizes": (5, 20), "ensembles": (1, 10), "n_repeats": 200}, bits=close(1e-9))
def proportion_variances(
    sizes: Sequence[int] = (5, 20, 100, 500),
    ensembles: Sequence[int] = (1, 10, 100),
    n_repeats: int = 2000,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare `proportion_variance` with what `simulate_proportion_variance` estimates.

    The frame has columns scheme, N, M, exact, estimate and standard_error; a row for each case.
    """
    rows = [
        (*case, proportion_variance(*case), *simulate_proportion_variance(*case, n_repeats, seed))
        for case in product(("batch", "online"), sizes, ensembles)
    ]
    return pd.DataFrame(rows, columns=["scheme", "N", "M", "exact", "estimate", "standard_error"])


@claim("C055", evidence=recorded(proportion_variances))
def mean_proportions_converge(variances: pd.DataFrame) -> Decision:
    """Judge the variance of an entry of the mean proportion vector, exact and simulated.

    The claim holds if no exact variance exceeds 1.1/(N²M), and all estimates lie within the two-sided
    normal band of the exact values that covers all of them with probability 0.999.
    """
    enough = variances["N"].nunique() >= 2 and variances["M"].nunique() >= 2
    require(enough, "needs two numbers of examples and two of models or more")
    scaled = (variances["exact"] * variances["N"] ** 2 * variances["M"]).max()
    z = (variances["estimate"] - variances["exact"]).abs() / variances["standard_error"]
    band = scipy.stats.norm.isf(0.0005 / len(variances))
    evidence = f"N²M × variance at most {scaled:.3f}; {len(z)} simulated values, largest |z| {z.max():.1f}"
    return bool(scaled <= 1.1 and z.max() <= band), evidence


def _empty_samples(record: Record) -> tuple[pd.Series, pd.Series]:
    shift = by_size(lambda n: math.exp(-n) * (1 - 1 / n))
    return by_size(lambda n: n * sampling.mean_inverse_size(n)), shift


@claim("C056", evidence=_empty_samples)
def empty_sample_does_not_matter(ratio: pd.Series, shift: pd.Series) -> Decision:
    """Judge the ratio of the online to the batch variance, and how far the empty sample can shift the mean.

    The choice "would not matter in the long run", for a reason that is illegible in our copy. Lemma 2 speaks
    of N and/or M, so both are judged, and where they disagree the claim is undecided. To hold for N, the
    ratio lies within 4/N² of 1 + 1/N, and the choice of the empty sample's vector shifts the mean of an entry
    by at most e⁻ᴺ. To hold for M alone, with N fixed, it does not shift the mean at all, because no number of
    models removes a shift.

    Parameters
    ----------
    ratio : Series
        N·E[1/K; K > 0] with K ~ Poisson(N).
    shift : Series
        Largest distance of the mean of an entry from 1/N, for an empty sample of which one example gets all.
    """
    require(len(ratio) >= 2, "needs two numbers of examples or more")
    n = ratio.index.to_numpy(dtype=float)
    close = np.abs(ratio.to_numpy() - 1 - 1 / n) <= 4 / n**2
    small = shift.to_numpy() <= np.exp(-n)
    for_n = bool(close.all() and small.all())
    return agreed([for_n, for_n and not shift.any()]), (
        f"ratio {ratio.iloc[-1]:.5f} at N = {n[-1]:g}; the mean is shifted by up to {shift.iloc[0]:.4f} at "
        f"N = {n[0]:g}, whatever M is, and by up to {shift.iloc[1]:.1g} at N = {n[1]:g}"
    )


def _copies(record: Record) -> tuple[pd.Series, pd.Series, float]:
    def worst_gap(n: int) -> float:
        k = np.arange(n + 20)
        return np.abs(scipy.stats.binom.pmf(k, n, 1 / n) - scipy.stats.poisson.pmf(k, 1)).max()

    limit_mass = scipy.stats.poisson.pmf(range(30), 1).sum()
    return by_size(worst_gap), by_size(sampling.total_variation), limit_mass


@claim("C057", evidence=_copies)
def pointwise_limits_are_total_limits(
    pointwise: pd.Series, distance: pd.Series, limit_mass: Found[float]
) -> Decision:
    """Judge Scheffé's implication on one sequence of laws.

    Parameters
    ----------
    pointwise : Series
        Largest difference between a probability and its limit.
    distance : Series
        Total-variation distance from the limit.
    limit_mass : float
        Sum of the pointwise limits; the theorem speaks only of limits that sum to 1.
    """
    premise = vanishes(pointwise) and abs(limit_mass - 1) <= 1e-9
    require(premise, "the premise is missing: a pointwise limit that sums to 1")
    last = f"at N = {pointwise.index[-1]:g}"
    return vanishes(distance), f"pointwise {pointwise.iloc[-1]:.2g}, total {distance.iloc[-1]:.2g} {last}"


@claim("C058", evidence=lambda record: (by_size(lambda n: sampling.sample_size_law(n)[n]),))
def sample_size_rarely_n(probability: pd.Series) -> Decision:
    """Judge P(K = N) for K ~ Poisson(N) against Stirling: √(2πN)·P lies between e^(−1/(12N)) and 1."""
    require(len(probability) >= 2, "needs two numbers of examples or more")
    n = probability.index.to_numpy(dtype=float)
    scaled = probability.to_numpy() * np.sqrt(2 * np.pi * n)
    stirling = (np.exp(-1 / (12 * n)) - 1e-9 <= scaled) & (scaled <= 1)
    evidence = f"P = {probability.iloc[-1]:.4f}, √(2πN) P = {scaled[-1]:.5f} at N = {n[-1]:g}"
    return bool(stirling.all()) and vanishes(probability), evidence


def _unreachable(record: Record) -> tuple[pd.Series, pd.Series]:
    return 1 - by_size(sampling.reachable_mass), by_size(lambda n: (math.e - 1) * math.exp(-n))


@claim("C060", evidence=_unreachable)
def unreachable_vectors_keep_mass(unreachable: pd.Series, largest_single: pd.Series) -> Decision:
    """Judge the mass of the proportion vectors that only the online sampling can reach.

    The claim holds if their total probability tends to 1, so that a learner that answers otherwise on them
    keeps the ensembles apart, and if the probability of each one vanishes, at least as fast as N to the power
    −1/4. Which condition on the learner is needed is not judged here.

    Parameters
    ----------
    unreachable : Series
        Their total probability. If it vanished, no learner could break convergence through them.
    largest_single : Series
        A bound on the probability of any one of them.
    """
    require(len(unreachable) >= 2, "needs two numbers of examples or more")
    last = largest_single[largest_single > 0]  # beyond it the bound is below the smallest number
    return vanishes(largest_single) and vanishes(1 - unreachable), (
        f"total mass {unreachable.iloc[-1]:.3f} at N = {unreachable.index[-1]:g}, each vector at most "
        f"{last.iloc[-1]:.1g} at N = {last.index[-1]:g}"
    )
