"""Checks of the claims about sampling and convergence (thesis chapter 1 and section 3.4).

Series of evidence are indexed by the number of training examples, in rising order.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
import pandas as pd
import scipy.stats

from ..printed.record import Record
from ..simulations.learners import changed_by_copies
from ..simulations.resampling import proportion_variances
from ..theory import sampling
from .criteria import names, vanishes
from .registry import Decision, Found, claim, recorded, require

#: Numbers of training examples for which exact laws are compared.
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000)
_VOTERS = 100
_POSITIVE_SHARE = 0.6  # of the majority class

#: The learners that claim C008 names.
PROPORTIONAL_LEARNERS = ("Naive Bayes", "decision stump", "decision tree")


def _by_size(value: Callable[[int], float]) -> pd.Series:
    return pd.Series([value(n) for n in SIZES], index=pd.Index(SIZES, name="N"))


def _samples(record: Record) -> tuple[pd.DataFrame, pd.Series]:
    """Evidence: the sum of the variances of all proportions, and the distance of laws of whole samples."""

    def of(scheme: str) -> pd.Series:
        return _by_size(lambda n: n * sampling.proportion_variance(scheme, n))

    variances = pd.DataFrame({"batch": of("batch"), "online": of("online")})
    return variances, _by_size(lambda n: sampling.total_variation(n, n))


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


def _duplicated(record: Record) -> tuple[dict, dict]:
    changed, control = changed_by_copies((2, 3, 10), stride=7, seed=1)
    return changed.max(axis=1).to_dict(), control.min(axis=1).to_dict()


@claim("C008", evidence=_duplicated)
def duplicates_change_nothing(changed: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge how many predictions change when every training example is duplicated.

    None may change for Naive Bayes, stumps and unpruned trees: the thesis prunes trees for boosting and
    Arc-x4 only. A change for one of these learners refutes the claim; it holds only if all three were tried.
    The evidence also reports pruned trees.

    Parameters
    ----------
    changed : mapping
        Number of changed predictions of each learner tried that the thesis calls proportional, and of
        pruned trees.
    control : mapping
        The same for learners that are not proportional. If nothing changes for one of them either,
        the comparison could not have seen a change.
    """
    require(control and all(control.values()), "no control shows that a change would have been seen")
    evidence = "; ".join(f"{name}: {count} changed" for name, count in {**changed, **control}.items())
    if refuting := [name for name in PROPORTIONAL_LEARNERS if changed.get(name)]:
        unchanged = [name for name in PROPORTIONAL_LEARNERS if changed.get(name) == 0]
        return False, f"{evidence}; so it holds for {names(unchanged)} and not for {names(refuting)}"
    missing = [name for name in PROPORTIONAL_LEARNERS if name not in changed]
    return (None, f"{evidence}; not tried: {', '.join(missing)}") if missing else (True, evidence)


@claim("C053", evidence=lambda record: (_by_size(sampling.total_variation),))
def copies_tend_to_poisson(distance: pd.Series) -> Decision:
    """Judge the distance of Binomial(N, 1/N) from Poisson(1), for N of at least 2, against 3/(4eN)."""
    enough = len(distance) >= 2 and distance.index.min() >= 2
    require(enough, "needs two numbers of examples or more, none below 2")
    n = distance.index.to_numpy(dtype=float)
    scaled, limit = n * distance.to_numpy(), 3 / (4 * math.e)
    holds = (scaled >= limit) & (scaled <= limit * (1 + 1 / n))
    return bool(holds.all()), f"N × distance = {scaled[-1]:.4f} at N = {n[-1]:g}; limit {limit:.4f}"


def _count_vectors(record: Record) -> tuple[dict, dict]:
    vectors = [counts for total in range(13) for counts in sampling.count_vectors(4, total)]
    laws = (sampling.probability_by_trials, sampling.probability_by_independent_counts)
    by_trials, independent = ({counts: law(counts) for counts in vectors} for law in laws)
    return by_trials, independent


@claim("C054", evidence=_count_vectors)
def trials_are_independent_counts(
    trials: Mapping[tuple[int, ...], Fraction], independent: Mapping[tuple[int, ...], Fraction]
) -> Decision:
    """Judge the exact probabilities of count vectors under the two descriptions of Lemma 1."""
    require(trials, "no count vector")
    unequal = sum(independent.get(counts) != p for counts, p in trials.items())
    return unequal == 0 and len(trials) == len(independent), f"{len(trials)} count vectors, {unequal} unequal"


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
    shift = _by_size(lambda n: math.exp(-n) * (1 - 1 / n))
    return _by_size(lambda n: n * sampling.mean_inverse_size(n)), shift


@claim("C056", evidence=_empty_samples)
def empty_sample_does_not_matter(ratio: pd.Series, shift: pd.Series) -> Decision:
    """Judge the ratio of the online to the batch variance, and how far the empty sample can shift the mean.

    Lemma 2 speaks of N and/or M. To hold for N, the ratio lies within 4/N² of 1 + 1/N, and the choice of the
    empty sample's vector shifts the mean of an entry by at most e⁻ᴺ. To hold for M alone, with N fixed, it
    does not shift the mean at all, because no number of models removes a shift.

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
    return bool(close.all() and small.all() and not shift.any()), (
        f"ratio {ratio.iloc[-1]:.5f} at N = {n[-1]:g}; the mean is shifted by up to {shift.iloc[0]:.4f} at "
        f"N = {n[0]:g}, whatever M is, and by up to {shift.iloc[1]:.1g} at N = {n[1]:g}"
    )


def _copies(record: Record) -> tuple[pd.Series, pd.Series, float]:
    def worst_gap(n: int) -> float:
        k = np.arange(n + 20)
        return np.abs(scipy.stats.binom.pmf(k, n, 1 / n) - scipy.stats.poisson.pmf(k, 1)).max()

    limit_mass = scipy.stats.poisson.pmf(range(30), 1).sum()
    return _by_size(worst_gap), _by_size(sampling.total_variation), limit_mass


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


@claim("C058", evidence=lambda record: (_by_size(lambda n: sampling.sample_size_law(n)[n]),))
def sample_size_rarely_n(probability: pd.Series) -> Decision:
    """Judge P(K = N) for K ~ Poisson(N) against Stirling: √(2πN)·P lies between e^(−1/(12N)) and 1."""
    require(len(probability) >= 2, "needs two numbers of examples or more")
    n = probability.index.to_numpy(dtype=float)
    scaled = probability.to_numpy() * np.sqrt(2 * np.pi * n)
    stirling = (np.exp(-1 / (12 * n)) - 1e-9 <= scaled) & (scaled <= 1)
    evidence = f"P = {probability.iloc[-1]:.4f}, √(2πN) P = {scaled[-1]:.5f} at N = {n[-1]:g}"
    return bool(stirling.all()) and vanishes(probability), evidence


def _majority_class(record: Record) -> tuple[pd.Series, pd.Series]:
    """Evidence: errors of the base models together, and how often the ensembles disagree."""

    def errors(n: int) -> tuple[float, float]:
        batch, online = (
            sampling.majority_class_error(scheme, n, _POSITIVE_SHARE) for scheme in ("batch", "online")
        )
        return batch, online

    disagreement = _by_size(lambda n: sampling.vote_disagreement(*errors(n), _VOTERS))
    return _by_size(lambda n: sum(errors(n))), disagreement


def _null_and_majority(record: Record) -> tuple[pd.Series, pd.Series]:
    def disagreement(n: int) -> float:
        return sampling.vote_disagreement(0.0, 1 - sampling.sample_size_law(n)[n], _VOTERS)

    return _by_size(disagreement), _majority_class(record)[1]


@claim("C059", evidence=_null_and_majority)
def null_hypotheses_break_convergence(null: pd.Series, proportional: pd.Series) -> Decision:
    """Judge the disagreement of the two ensembles, for the null learner and for a proportional one.

    The claim holds if that of the null learner rises above one half while the other vanishes. The thesis
    requires proportional learners for its proof. Convergence itself does not need them, as the stronger
    version of Theorem 2 shows, and the claim does not say so.
    """
    premise = len(null) >= 2 and vanishes(proportional)
    require(premise, "the ensembles of the proportional learner do not agree either")
    return bool(null.iloc[-1] > 0.5 and null.is_monotonic_increasing), (
        f"null learner {null.iloc[-1]:.4f}, proportional learner {proportional.iloc[-1]:.2g} "
        f"at N = {null.index[-1]:g}"
    )


def _unreachable(record: Record) -> tuple[pd.Series, pd.Series]:
    return 1 - _by_size(sampling.reachable_mass), _by_size(lambda n: (math.e - 1) * math.exp(-n))


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


@claim("C061", evidence=_majority_class)
def base_convergence_carries_over(base: pd.Series, ensemble: pd.Series) -> Decision:
    """Judge the bound that the proof gives, where it can be computed exactly.

    The claim is proved on the page on the convergence of bagging, with less than it assumes and with a bound
    on the disagreement of the ensembles: twice the probability that a base model differs from its limit. It
    fails if the disagreement of ensembles of a learner that converges exceeds this bound, or does not vanish
    at least as fast as N to the power −1/4.

    Parameters
    ----------
    base : Series
        P(batch base model ≠ limit) + P(online base model ≠ limit).
    ensemble : Series
        Probability that the two ensembles disagree.
    """
    require(vanishes(base), "the premise is missing: base models that converge to one classifier")
    holds = vanishes(ensemble) and bool((ensemble <= 2 * base).all())
    evidence = f"base models {base.iloc[-1]:.2g}, ensembles {ensemble.iloc[-1]:.2g} at N = {base.index[-1]:g}"
    return holds, evidence
