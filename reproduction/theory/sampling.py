"""Exact distributions of batch bagging's bootstrap samples and online bagging's Poisson counts.

The functions compute the quantities of section 3.4 of the thesis exactly; one simulation checks the
exact values. `n` is the number of training
examples. A *scheme* is "batch" (`n` draws with replacement) or "online" (one Poisson(1) count for
each example).
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import scipy.stats

from ..exact import total


def is_online(scheme: str) -> bool:
    if scheme not in ("batch", "online"):
        raise ValueError(f"scheme must be 'batch' or 'online', got {scheme!r}")
    return scheme == "online"


def total_variation(n: int, group: int = 1) -> float:
    """Total-variation distance between the copies that a group of examples gets in batch and online.

    The copies of `group` examples are jointly distributed as Multinomial counts in batch mode, and as
    independent Poisson(1) counts online. Given their sum, both distributions are the same multinomial, so the
    distance is that between the distributions of the sum: Binomial(`n`, `group`/`n`) and Poisson(`group`). A
    group of 1 gives equation 3.2 of the thesis.

    >>> round(total_variation(100), 6)
    0.002775
    >>> round(total_variation(100, group=100), 3)
    0.96
    """
    if not 1 <= group <= n:
        raise ValueError(f"group must be between 1 and n = {n}, got {group}")
    k = np.arange(n + 1)
    batch = scipy.stats.binom.pmf(k, n, group / n)
    online = scipy.stats.poisson.pmf(k, group)
    beyond = scipy.stats.poisson.sf(n, group)
    return float(np.abs(batch - online).sum() + beyond) / 2


def count_vectors(n: int, total: int) -> Iterator[tuple[int, ...]]:
    """All vectors of `n` counts with sum `total`, in lexicographic order.

    >>> list(count_vectors(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    for bars in combinations(range(total + n - 1), n - 1):
        edges = (-1, *bars, total + n - 1)
        yield tuple(right - left - 1 for left, right in pairwise(edges))


def probability_by_trials(counts: Sequence[int]) -> Fraction:
    """Probability of these counts if each of a Poisson(N) number of trials picks one of N examples.

    Returned as the exact rational factor of e⁻ᴺ, with N the length of `counts`.

    >>> probability_by_trials([2, 0, 1])
    Fraction(1, 2)
    """
    n, total = len(counts), sum(counts)
    return Fraction(n**total, math.factorial(total)) * Fraction(_orders(counts), n**total)


def _orders(counts: Sequence[int]) -> int:
    """Number of orders of so many copies of each example."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def probability_by_independent_counts(counts: Sequence[int]) -> Fraction:
    """Probability of these counts if each of N examples has an independent Poisson(1) count.

    Returned as the exact rational factor of e⁻ᴺ, with N the length of `counts`.

    >>> probability_by_independent_counts([2, 0, 1])
    Fraction(1, 2)
    """
    return math.prod((Fraction(1, math.factorial(k)) for k in counts), start=Fraction(1))


def probability_by_draws(counts: Sequence[int]) -> Fraction:
    """Probability of these counts in a bootstrap sample: N draws with replacement from N examples.

    N is the length of `counts`; the probability is 0 unless they sum to N.

    >>> probability_by_draws([2, 0, 1])
    Fraction(1, 9)
    """
    n = len(counts)
    return Fraction(_orders(counts), n**n) if sum(counts) == n else Fraction(0)


def _binomial(k: int, n: int, p: Fraction) -> Fraction:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k) if k <= n else Fraction(0)


def probability_by_separate_binomials(counts: Sequence[int]) -> Fraction:
    """Probability of these counts if each of N examples has its own Binomial(N, 1/N) count (equation 3.2).

    >>> probability_by_separate_binomials([1, 1]), probability_by_separate_binomials([2, 2])
    (Fraction(1, 4), Fraction(1, 16))
    """
    n = len(counts)
    return math.prod((_binomial(k, n, Fraction(1, n)) for k in counts), start=Fraction(1))


def probability_in_turn(counts: Sequence[int]) -> Fraction:
    """Probability of these counts if each example gets a share of the draws that those before it left.

    With i of N examples and s of N draws gone, the next example has Binomial(N − s, 1/(N − i)) copies. That
    is one pass with one example in memory, for a known N.

    >>> probability_in_turn([2, 0, 1]) == probability_by_draws([2, 0, 1])
    True
    """
    left, probability = len(counts), Fraction(1)
    for i, k in enumerate(counts):
        probability *= _binomial(k, left, Fraction(1, len(counts) - i))
        left -= k
    return probability if left == 0 else Fraction(0)


def probability_of_proportions(counts: Sequence[int]) -> float:
    """Probability that an online sample has the proportions of these counts, whatever its size.

    Samples with the same proportions are multiples of the smallest of them.

    >>> round(probability_of_proportions([1, 1]), 4)
    0.1732
    """
    divisor = math.gcd(*counts)
    smallest = [k // divisor for k in counts]
    # Further multiples have a probability below 1/170!.
    multiples = range(1, 170 // max(smallest) + 1)
    terms = (math.prod(1 / math.factorial(g * k) for k in smallest) for g in multiples)
    return math.exp(-len(counts)) * total(terms)


def sample_size_law(n: int) -> np.ndarray:
    """Probabilities of the sizes 0, 1, 2, ... of an online sample: the distribution Poisson(`n`).

    They are computed outwards from the mode and then normalised, which avoids the cancellation in
    exp(k ln n − n − ln k!). The array ends at n + 12√n + 40; by Bernstein's inequality the mass beyond is
    less than e⁻⁷².

    >>> law = sample_size_law(100)
    >>> round(float(law[100]), 5)
    0.03986
    """
    last = n + math.ceil(12 * math.sqrt(n)) + 40
    up = np.cumprod(n / np.arange(n + 1, last + 1))
    down = np.cumprod(np.arange(n, 0, -1) / n)[::-1]
    law = np.concatenate([down, [1.0], up])
    return law / law.sum()


def mean_inverse_size(n: int) -> float:
    """Mean of 1/K over the non-empty online samples, E[1/K; K > 0] with K ~ Poisson(`n`).

    The tail that `sample_size_law` omits changes it by less than e⁻⁷².

    >>> round(mean_inverse_size(100), 7)
    0.0101021
    """
    law = sample_size_law(n)
    return float((law[1:] / np.arange(1, len(law))).sum())


def proportion_variance(scheme: str, n: int, n_models: int = 1) -> float:
    """Exact variance of one entry of the mean proportion vector of `n_models` samples (Lemma 2).

    An empty online sample counts as the uniform vector.

    >>> round(proportion_variance("online", 100) / proportion_variance("batch", 100), 4)
    1.0102
    """
    inverse_size = mean_inverse_size(n) if is_online(scheme) else 1 / n
    return (1 / n) * (1 - 1 / n) * inverse_size / n_models


def _power_coefficients(step: int, n: int) -> np.ndarray:
    """Coefficients of degree 0..n of (Σᵢ zⁱ/(step·i)!)ⁿ, by the recurrence for powers of a series."""
    degrees = np.arange(n + 1)
    series = np.array([1 / math.factorial(step * i) if step * i < 171 else 0.0 for i in degrees])
    power = np.zeros(n + 1)
    power[0] = 1.0
    for j in range(1, n + 1):
        i = degrees[1 : j + 1]
        power[j] = ((i * n - (j - i)) * series[i] * power[j - i]).sum() / j
    return power


def reachable_mass(n: int) -> float:
    """Probability that an online sample has a proportion vector that a bootstrap sample can have.

    Such a vector has only multiples of 1/`n` as entries. Write the counts as g times a vector whose
    entries have no common divisor and sum to s: the proportions are multiples of 1/n exactly
    when s divides n. Möbius inversion counts the vectors without a common divisor; the sum over g
    stops at 40, since counts with common divisor g carry a factor 1/g!. The empty sample has the
    uniform vector, which is reachable.

    Beyond n = 500 the result is P(K = n) with K ~ Poisson(n), which is all of the mass but e⁻⁷⁰.

    >>> round(reachable_mass(2), 6)
    0.773597
    """
    if n > 500:
        return float(sample_size_law(n)[n])
    largest_gcd = 40
    powers: dict[int, np.ndarray] = {}
    total = 1.0  # the empty sample
    for s in _divisors(n):
        for d in _divisors(s):
            if mobius := _mobius(d):
                for g in range(1, largest_gcd + 1):
                    if g * d not in powers:
                        powers[g * d] = _power_coefficients(g * d, n)
                    total += mobius * powers[g * d][s // d]
    return float(total * math.exp(-n))


def _divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def _mobius(n: int) -> int:
    primes = [p for p in _divisors(n) if len(_divisors(p)) == 2]
    return 0 if any(n % (p * p) == 0 for p in primes) else (-1) ** len(primes)


def majority_class_error(scheme: str, n: int, positive_share: float) -> float:
    """Probability that the positive class is not the majority class of a sample; a tie is negative.

    The learner that always predicts the majority class of its sample is the simplest proportional
    learner, and its distribution can be computed: given the size of the sample, the number of
    positive examples in it is binomial (for the online sample by Lemma 1).

    >>> round(majority_class_error("batch", 100, 0.6), 4)
    0.0271
    """
    if not is_online(scheme):
        return float(scipy.stats.binom.cdf(n // 2, n, positive_share))
    law = sample_size_law(n)
    sizes = np.arange(len(law))
    return float((law * scipy.stats.binom.cdf(sizes // 2, sizes, positive_share)).sum())


def vote_disagreement(error_batch: float, error_online: float, n_models: int) -> float:
    """Probability that two independent ensembles of two-class models disagree on a positive example.

    The errors are the probabilities that one model of either classifies it as negative; so is a tie of the
    votes.

    >>> vote_disagreement(0.0, 1.0, n_models=5)
    1.0
    """
    errors_needed = n_models - n_models // 2
    wrong = scipy.stats.binom.sf(errors_needed - 1, n_models, [error_batch, error_online])
    right = scipy.stats.binom.cdf(errors_needed - 1, n_models, [error_batch, error_online])
    return float(wrong[0] * right[1] + right[0] * wrong[1])
