"""How many copies of an example batch and online bagging learn (thesis chapter 1 and section 3.4, Lemma 1).

Series of evidence are indexed by the number of training examples, in rising order.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import pandas as pd

from ..claims.criteria import vanishes
from ..claims.registry import Decision, claim, require
from ..theory import sampling

#: Numbers of training examples for which exact laws are compared.
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000)


def by_size(value: Callable[[int], float]) -> pd.Series:
    """Give a value for each number in `SIZES`."""
    return pd.Series([value(n) for n in SIZES], index=pd.Index(SIZES, name="N"))


def _samples(_: object) -> tuple[pd.DataFrame, pd.Series]:
    """Evidence: the sum of the variances of all proportions, and the distance of laws of whole samples."""

    def variances(scheme: str) -> pd.Series:
        return by_size(lambda n: n * sampling.proportion_variance(scheme, n))

    whole = by_size(lambda n: sampling.total_variation(n, n))
    return pd.DataFrame({scheme: variances(scheme) for scheme in ("batch", "online")}), whole


@claim("C007", evidence=_samples)
def sampling_distributions_converge(variances: pd.DataFrame, whole: pd.Series) -> Decision:
    """Judge the sum of the variances of all proportions of a sample, in batch and online.

    The thesis says in which sense the sampling distributions converge: the vectors of proportions converge in
    probability to the same vector (p. 42). The claim holds if the sums of variances vanish, at least as fast
    as N to the power −1/4, because by Chebyshev's inequality they bound the probability that some proportion
    is off by more than a fixed number. It fails if one of them rises with N. In another sense, which the
    evidence also reports, the claim would be false: the laws of whole samples do not converge in total
    variation.

    Parameters
    ----------
    variances : DataFrame
        The sum for each number N of examples: columns batch and online.
    whole : Series
        The total variation distance between the laws of whole samples for each N.
    """
    require(len(variances) >= 2, "needs two numbers of examples or more")
    last = f"at N = {variances.index[-1]:g}"
    evidence = (
        f"variances of all proportions sum to {variances['batch'].iloc[-1]:.3g} in batch and "
        f"{variances['online'].iloc[-1]:.3g} online {last}; distance between the laws of whole samples "
        f"{whole.iloc[-1]:.3f} {last}"
    )
    fall = all(vanishes(variances[name]) for name in variances)
    rises = any(variances[name].is_monotonic_increasing for name in variances)
    return True if fall else False if rises else None, evidence


@claim("C053", evidence=lambda record: (by_size(sampling.total_variation),))
def copies_tend_to_poisson(distance: pd.Series) -> Decision:
    """Judge the distance of Binomial(N, 1/N) from Poisson(1), for N of at least 2, against 3/(4eN)."""
    enough = len(distance) >= 2 and distance.index.min() >= 2
    require(enough, "needs two numbers of examples or more, none below 2")
    n = distance.index.to_numpy(dtype=float)
    scaled, limit = n * distance.to_numpy(), 3 / (4 * math.e)
    holds = (scaled >= limit) & (scaled <= limit * (1 + 1 / n))
    return bool(holds.all()), f"N × distance = {scaled[-1]:.4f} at N = {n[-1]:g}; limit {limit:.4f}"


def _count_vectors(_: object) -> tuple[dict, dict]:
    vectors = [counts for total in range(13) for counts in sampling.count_vectors(4, total)]
    trials, independent = sampling.probability_by_trials, sampling.probability_by_independent_counts
    return {counts: trials(counts) for counts in vectors}, {counts: independent(counts) for counts in vectors}


@claim("C054", evidence=_count_vectors)
def trials_are_independent_counts(
    trials: Mapping[tuple[int, ...], Fraction], independent: Mapping[tuple[int, ...], Fraction]
) -> Decision:
    """Judge the exact probabilities of count vectors under the two descriptions of Lemma 1."""
    require(trials, "no count vector")
    unequal = sum(independent.get(counts) != p for counts, p in trials.items())
    return unequal == 0 and len(trials) == len(independent), f"{len(trials)} count vectors, {unequal} unequal"
