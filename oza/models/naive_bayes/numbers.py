"""Numeric attributes: moments in order of arrival, and products of densities of any size."""

import math

from ...kernels.arithmetic import exp_parts_in_vectors, mantissa_and_exponent, two_sum
from ...kernels.compile import kernel

SMALL = 2.0**-512
LARGE = 2.0**512
_TWO_PI = 6.283185307179586
NEVER = -(2**62)  # exponent that stands for a product of zero
NARROW, WIDE = 2.0**-400, 2.0**400
_FAR = 2e12  # squared distance from which on a density counts as zero
LARGEST_NUMBER = 1e145  # the square of twice that is still finite, and a variance times 2π
LARGEST_SMOOTHING = 1e300  # far above every variance of such numbers
WEIGHT, MEAN, LOW, VARIANCE = range(4)  # of numbers: their weight, mean in double-double, and variance


@kernel(counts=False, inline=True)
def moved(weight, mean, low, variance, x, w):
    """The weight, mean (its sum with its low part) and variance of numbers, and of `x` with weight `w`.

    These are kept in the order of arrival (West 1979): a weight of 0 changes no bit, and one sum over all
    models costs little more than one addition, where sums that are exact in any order took 25 times as long.
    """
    weight = weight + w
    share = w / weight if weight > 0.0 else 0.0
    deviation = (x - mean) - low
    mean, low = two_sum(mean, low + share * deviation)
    return weight, mean, low, variance + share * ((1.0 - share) * (deviation * deviation) - variance)


# A Gaussian density is e^(−distance/2)/√(2π·variance). The distances of the numeric attributes are added up,
# and their variances multiplied, so that a class needs one exponential and one root. A variance of 0 says
# nothing: the density is 1.


@kernel(counts=False, inline=True)
def smoothed_variance(weight, variance, smoothing):
    """The smoothed variance of numbers of this weight; 0 without any."""
    return variance + smoothing if weight > 0.0 else 0.0


@kernel(counts=False, inline=True)
def squared_distance(x, mean, variance):
    """Squared distance of `x` from the mean, in variances; 0 if the variance is 0 or `x` missing."""
    distance = (x - mean) * (x - mean) / variance
    return distance if (variance > 0.0) & (x == x) else 0.0


@kernel(counts=False, inline=True)
def rescaled(product, exponent):
    """The same product·2^exponent, far above the smallest number."""
    is_small = product < SMALL
    return product * LARGE if is_small else product, exponent - 512 if is_small else exponent


@kernel(counts=False, inline=True)
def times_variance(square, doublings, variance):
    """square·2^doublings times 2π·variance, as such a pair."""
    mantissa, shift = mantissa_and_exponent(_TWO_PI * variance if variance > 0.0 else 1.0)
    return rescaled(square * mantissa, doublings + shift)


@kernel(counts=False, inline=True)
def times_raw_variance(square, variance):
    """The same as one number: a third of the work, and between `NARROW` and `WIDE` the same bits."""
    return square * (_TWO_PI * variance if variance > 0.0 else 1.0)


@kernel(counts=False, inline=True)
def root_of(square, doublings):
    """The root of square·2^doublings, as such a pair."""
    return math.sqrt(2.0 * square if doublings & 1 else square), doublings >> 1


@kernel(counts=False, inline=True)
def times_density(product, exponent, distance, root, doublings):
    """(m, k): product·2^exponent times the density e^(−distance/2)/(root·2^doublings), 1/2 ≤ m < 1."""
    height, shift = exp_parts_in_vectors(-0.5 * (distance if distance < _FAR else _FAR))
    product = product * (height / root)
    mantissa, more = mantissa_and_exponent(product)
    is_positive = (product > 0.0) & (distance < _FAR)
    exponent = exponent + shift - doublings + more
    return mantissa if is_positive else 0.0, exponent if is_positive else NEVER


@kernel(counts=False, inline=True)
def is_better(product, exponent, best, best_exponent):
    """Whether product·2^exponent is above 0 and best·2^best_exponent."""
    is_higher = (exponent > best_exponent) | ((exponent == best_exponent) & (product > best))
    return (product > 0.0) & is_higher
