"""Exponential, sigmoid, logarithm and exact sums that give the same bits on every processor.

The C library's `exp` and `log` choose a code path by processor, so their last bit differs between
machines.  The functions here use only addition, multiplication, division and square root, which
IEEE 754 rounds correctly, in a fixed order.  Errors stay below 2 units in the last place.
"""

import math

import numpy as np
from numba import int64

from .compile import kernel

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01  # ln 2 to 33 bits: products with |k| < 2²⁰ are exact
_LN2_LOW = 1.90821492927058770002e-10
_HALF_LOG_2PI = 0.9189385332046727
_SQRT_HALF = 0.7071067811865476
_SMALLEST_NORMAL = 2.0**-1022
_TWO_54 = 2.0**54
_MANTISSA = 2**52 - 1  # this and the next two: bit patterns of a float64
_HALF = 1022 << 52
_TWO_52 = 1075 << 52  # 2⁵²; an exponent put into its last bits is added to the value
_TWO_52_BIASED = 2.0**52 + 1022.0
_TO_INTEGER = (
    6755399441055744.0  # 1.5·2⁵²: one unit in the last place is 1, so adding it rounds to an integer
)
_TO_INTEGER_BITS = int(np.float64(_TO_INTEGER).view(np.int64))


@kernel
def power_of_two(k):
    """2^`k` for −1022 ≤ k ≤ 1023, built from its bit pattern."""
    return np.int64((k + 1023) << 52).view(np.float64)


@kernel
def mantissa_and_exponent(x):
    """(m, k) with `x` = m·2^k and 1/2 ≤ m < 1, for a finite `x` > 0; as `math.frexp`, without a call."""
    is_small = x < _SMALLEST_NORMAL
    bits = np.float64(x * _TWO_54 if is_small else x).view(np.int64)
    k = (bits >> 52) - 1022 - (54 if is_small else 0)
    return np.int64((bits & _MANTISSA) | _HALF).view(np.float64), k


@kernel
def exp_parts(x):
    """(m, k) with e^`x` = m·2^k and m near 1, for |x| < 10¹⁵; without calls, so that LLVM vectorises it."""
    shifted = x * _LOG2_E + 0.5
    k = (shifted + _TO_INTEGER) - _TO_INTEGER
    k = k - 1.0 if k > shifted else k  # rounded down
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    m = 1.0 / 6227020800.0  # 1/13!
    m = m * r + 1.0 / 479001600.0
    m = m * r + 1.0 / 39916800.0
    m = m * r + 1.0 / 3628800.0
    m = m * r + 1.0 / 362880.0
    m = m * r + 1.0 / 40320.0
    m = m * r + 1.0 / 5040.0
    m = m * r + 1.0 / 720.0
    m = m * r + 1.0 / 120.0
    m = m * r + 1.0 / 24.0
    m = m * r + 1.0 / 6.0
    m = m * r + 0.5
    m = m * r + 1.0
    m = m * r + 1.0
    return m, np.float64(k + _TO_INTEGER).view(np.int64) - _TO_INTEGER_BITS


@kernel
def exp_parts_in_vectors(x):
    """The same without calls, so that LLVM vectorises loops over it, and with another last bit.

    The polynomial is that of `exp_parts`, evaluated in pairs, which halves the chain of dependencies.
    """
    shifted = x * _LOG2_E + _TO_INTEGER
    k = shifted - _TO_INTEGER
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6.0))
    middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0))
    high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + r2 * (1.0 / 3628800.0 + r * (1.0 / 39916800.0))
    highest = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    m = low + r4 * (middle + r4 * (high + r4 * highest))
    return m, np.float64(shifted).view(np.int64) - _TO_INTEGER_BITS  # the last bits hold k


@kernel
def exp(x):
    """e^`x`; 0 below −745, infinity above 709.8; without branches and calls, so that LLVM vectorises it."""
    bounded = -746.0 if x < -746.0 else x  # NaN stays
    m, k = exp_parts(710.0 if bounded > 710.0 else bounded)
    half = k >> 1  # scaled in two steps, since 2^k may not be a normal number
    return m * power_of_two(half) * power_of_two(k - half)


@kernel
def sigmoid(x):
    """1/(1 + e^−`x`), never NaN; without branches and calls, so that LLVM vectorises loops over it."""
    t = -x if x < 700.0 else -700.0
    m, k = exp_parts_in_vectors(t if t < 700.0 else 700.0)
    return 1.0 / (1.0 + m * power_of_two(k))


@kernel
def log(x):
    """Natural logarithm of a finite `x` ≥ 0; without calls, so that LLVM vectorises loops over it."""
    if x == 0.0:
        return -math.inf
    is_small = x < _SMALLEST_NORMAL
    bits = np.float64(x * _TWO_54 if is_small else x).view(np.int64)
    m = np.int64((bits & _MANTISSA) | _HALF).view(np.float64)  # x = m·2^k, 1/2 ≤ m < 1
    k = np.int64((bits >> 52) | _TWO_52).view(np.float64) - (_TWO_52_BIASED + (54.0 if is_small else 0.0))
    is_low = m < _SQRT_HALF
    return log_of_parts(2.0 * m if is_low else m, k - 1.0 if is_low else k)


@kernel(inline="always")  # else LLVM would not vectorise loops over `log`
def log_of_parts(m, k):
    """Natural logarithm of m·2^k, where m is near 1; of arrays of these, where it is not compiled."""
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    t = 1.0 / 25.0
    t = t * s + 1.0 / 23.0
    t = t * s + 1.0 / 21.0
    t = t * s + 1.0 / 19.0
    t = t * s + 1.0 / 17.0
    t = t * s + 1.0 / 15.0
    t = t * s + 1.0 / 13.0
    t = t * s + 1.0 / 11.0
    t = t * s + 1.0 / 9.0
    t = t * s + 1.0 / 7.0
    t = t * s + 1.0 / 5.0
    t = t * s + 1.0 / 3.0
    return k * _LN2_HIGH + (2.0 * f + (2.0 * f * s * t + k * _LN2_LOW))


@kernel
def x_log_x(x):
    """x·log `x`; 0 for x = 0."""
    return x * log(x) if x > 0.0 else 0.0


# Coefficients of the rational approximations of erf and erfc in S. L. Moshier, *Methods and Programs
# for Mathematical Functions*, 1989, the highest power first; those of highest power 1 are omitted.
_ERF = (
    9.60497373987051638749,
    90.0260197203842689217,
    2232.00534594684319226,
    7003.32514112805075473,
    55592.3013010394962768,
)
_ERF_BELOW = (
    33.5617141647503099647,
    521.357949780152679795,
    4594.32382970980127987,
    22629.0000613890934246,
    49267.3942608635921086,
)
_ERFC = (
    2.46196981473530512524e-10,
    0.564189564831068821977,
    7.46321056442269912687,
    48.6371970985681366614,
    196.520832956077098242,
    526.445194995477358631,
    934.528527171957607540,
    1027.55188689515710272,
    557.535335369399327526,
)
_ERFC_BELOW = (
    13.2281951154744992508,
    86.7072140885989742329,
    354.937778887819891062,
    975.708501743205489753,
    1823.90916687909736289,
    2246.33760818710981792,
    1656.66309194161350182,
    557.535340817727675546,
)
_FAR = (
    0.564189583547755073984,
    1.27536670759978104416,
    5.01905042251180477414,
    6.16021097993053585195,
    7.40974269950448939160,
    2.97886665372100240670,
)
_FAR_BELOW = (
    2.26052863220117276590,
    9.39603524938001434673,
    12.0489539808096656605,
    17.0814450747565897222,
    9.60896809063285878198,
    3.36907645100081516050,
)


@kernel
def _polynomial(first, coefficients, x):
    """Polynomial in `x` by Horner's rule; `first` is the coefficient of the highest power."""
    total = first
    for j in range(len(coefficients)):
        total = total * x + coefficients[j]
    return total


@kernel
def normal_cdf(z):
    """Probability that a standard normal variable is at most `z`; absolute error below 1e-15.

    All approximations are evaluated, and one is chosen, so that LLVM vectorises loops over it.
    """
    x = z * _SQRT_HALF
    size = abs(x)
    square = x * x
    erf = x * _polynomial(0.0, _ERF, square) / _polynomial(1.0, _ERF_BELOW, square)
    density = exp(-size * size)
    ratio = _polynomial(0.0, _ERFC, size) / _polynomial(1.0, _ERFC_BELOW, size)
    far = 0.5 * (density * _polynomial(0.0, _FAR, size) / _polynomial(1.0, _FAR_BELOW, size))
    tail = 0.5 * (density * ratio) if size < 8.0 else far
    tail = 0.5 * (1.0 - abs(erf)) if size < 1.0 else tail
    tail = 1.0 - tail if x > 0.0 else tail
    return 0.5 + 0.5 * erf if size < _SQRT_HALF else tail


@kernel
def _stirling_error(k):
    """Log k! − log(√(2πk) (k/e)^k) for `k` ≥ 16."""
    s = 1.0 / (k * k)
    return (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - s / 1188.0) * s) * s) * s) / k


@kernel
def _deviance(k, mean):
    """k·log(k/mean) + mean − k, without cancellation when `k` is near `mean` (Loader 2000)."""
    if abs(k - mean) < 0.1 * (k + mean):
        v = (k - mean) / (k + mean)
        total = (k - mean) * v
        term = 2.0 * k * v
        for j in range(1, 1000):
            term = term * v * v
            larger = total + term / (2 * j + 1)
            if larger == total:
                break
            total = larger
        return total
    return k * log(k / mean) + mean - k


@kernel
def log_poisson(k, mean):
    """Logarithm of the Poisson probability of `k` = 0, 1, ... (a float) for `mean` > 0."""
    if k < 16.0:
        factorial = 1.0
        for j in range(2, int64(k) + 1):
            factorial = factorial * j
        return k * log(mean) - mean - log(factorial)
    return -_deviance(k, mean) - _HALF_LOG_2PI - 0.5 * log(k) - _stirling_error(k)


@kernel
def two_sum(a, b):
    """(s, r) with s = fl(a + b) and s + r = a + b exactly (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel
def add_exactly(high, low, a, a_low):
    """Add (a, a_low) to a sum in double-double precision, (high, low)."""
    s, r = two_sum(high, a)
    return two_sum(s, r + (low + a_low))
