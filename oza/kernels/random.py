"""Counter-based random numbers: a draw depends on its key and indices, never on when it is made.

`draw(key, i, j)` is a 64-bit number determined by its three arguments. So the draws do not depend on
how a stream is divided into chunks, on the order of loops or on the number of workers.
"""

import hashlib
import math
from decimal import Decimal, localcontext

import numpy as np
from numba import int64, uint64

from .arithmetic import exp, exp_parts, log, log_poisson, power_of_two
from .compile import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SILVER = np.uint64(0xD1B54A32D192ED03)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_2_53 = 2.0**-53


def key_of(*parts) -> int:
    """Key in 0 ≤ key < 2⁶³: a hash of the parts as text, joined by NUL.

    Examples
    --------
    >>> key_of("Car Evaluation", "fold", 3) == key_of("Car Evaluation", "fold", 3)
    True
    """
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


@kernel
def mix(z):
    """Scatter the bits of a 64-bit number (the finaliser of SplitMix64)."""
    z = uint64(z)
    z = (z ^ (z >> uint64(30))) * _MIX_1
    z = (z ^ (z >> uint64(27))) * _MIX_2
    return z ^ (z >> uint64(31))


@kernel
def row_key(key, i):
    """Key of all draws for row `i` (an example number, say)."""
    return mix(uint64(key) + (uint64(i) + uint64(1)) * _GOLDEN)


@kernel
def draw_in_row(row, j):
    """The 64-bit number at index `j` of a row, given the key `row` of that row."""
    return mix(uint64(row) + (uint64(j) + uint64(1)) * _SILVER)


@kernel
def second_draw_in_row(row, j):
    """Another number at index `j` of a row, independent of `draw_in_row`, on which `poisson` depends."""
    return draw_in_row(mix(uint64(row) ^ _GOLDEN), j)


@kernel
def draw(key, i, j):
    """The 64-bit number for (`key`, `i`, `j`)."""
    return draw_in_row(row_key(key, i), j)


@kernel
def uniform(bits):
    """Uniform number in [0, 1) from the upper 53 bits of a draw."""
    return float(uint64(bits) >> uint64(11)) * _2_53


@kernel
def normal(bits):
    """Normal number of a draw (Marsaglia): a point of the unit disc, its radius made normal."""
    while True:
        u = 2.0 * uniform(bits) - 1.0
        bits = mix(bits + uint64(1))
        v = 2.0 * uniform(bits) - 1.0
        bits = mix(bits + uint64(1))
        square = u * u + v * v
        if 0.0 < square < 1.0:
            return u * math.sqrt(-2.0 * log(square) / square)


@kernel
def integer_below(n, row, j):
    """Exactly uniform integer in 0 ≤ r < `n`: draws in the incomplete last cycle are rejected."""
    n = uint64(n)
    bits = draw_in_row(row, j)
    surplus = (uint64(0) - n) % n  # 2⁶⁴ mod n
    while bits < surplus:
        bits = mix(bits + _GOLDEN)
    return int64(bits % n)


@kernel
def permutation(n, key):
    """Permutation of 0..`n`−1, an int64 array: Fisher and Yates with counter-based draws."""
    order = np.arange(n)
    row = row_key(key, 0)
    for i in range(n - 1, 0, -1):
        j = integer_below(i + 1, row, i)
        order[i], order[j] = order[j], order[i]
    return order


def _poisson_1_thresholds():
    """2⁶⁴·P(K ≤ k) for K ~ Poisson(1) and k = 0, 1, ... as long as it stays below 2⁶⁴."""
    thresholds = []
    with localcontext(prec=60):
        term = cumulative = Decimal(-1).exp()
        while (threshold := round(cumulative * 2**64)) < 2**64:
            thresholds.append(threshold)
            term /= len(thresholds)
            cumulative += term
    return np.array(thresholds, dtype=np.uint64)


_POISSON_1 = _poisson_1_thresholds()
_FEW = 8  # P(K ≥ 8) is 1.0e-5
_BLOCK = 64


@kernel
def poisson(mean, row, j):
    """Poisson(`mean`) count, a float, from draw `j` of a row.

    It depends on `draw_in_row(row, j)`; `second_draw_in_row` is another draw for the same `j`.
    Mean 1 compares 64 bits with exact thresholds, a small mean inverts the distribution function,
    a large one uses transformed rejection (Hörmann 1993, PTRS), at a cost that does not grow.
    """
    bits = draw_in_row(row, j)
    if mean == 1.0:
        k = 0
        while k < len(_POISSON_1) and bits >= _POISSON_1[k]:
            k += 1
        return float(k)
    if mean < 10.0:
        return _poisson_by_inversion(mean, uniform(bits))
    return _poisson_by_rejection(mean, bits)


@kernel
def _poisson_by_inversion(mean, u):
    probability = exp(-mean)
    cumulative = probability
    k = 0.0
    while u >= cumulative and probability > 0.0:
        k += 1.0
        probability = probability * mean / k
        cumulative += probability
    return k


@kernel
def _poisson_by_rejection(mean, bits):
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    v_r = 0.9277 - 3.6224 / (b - 2.0)
    log_inverse_alpha = log(1.1239 + 1.1328 / (b - 3.4))
    while True:
        u = uniform(bits) - 0.5
        bits = mix(bits + _GOLDEN)
        v = uniform(bits)
        bits = mix(bits + _GOLDEN)
        distance = 0.5 - abs(u)
        k = math.floor((2.0 * a / distance + b) * u + mean + 0.43)
        if distance >= 0.07 and v <= v_r:
            return float(k)
        if k < 0.0 or (distance < 0.013 and v > distance):
            continue
        if log(v) + log_inverse_alpha - log(a / (distance * distance) + b) <= log_poisson(k, mean):
            return float(k)


@kernel
def poisson_each(mean, row, counts):
    """Fill `counts[j]` with `poisson(mean, row, j)` for each j; `counts` has shape (M,)."""
    if mean == 1.0:
        beyond = False
        for j in range(len(counts)):  # the first thresholds only, so that LLVM vectorises the loop
            bits = draw_in_row(row, j)
            k = 0
            for threshold in range(_FEW):
                k += bits >= _POISSON_1[threshold]
            counts[j] = k
            beyond |= k == _FEW
        if not beyond:
            return
    for j in range(len(counts)):
        counts[j] = poisson(mean, row, j)


@kernel
def poisson_of_rows(means, rows, j, counts):
    """Fill `counts[n]` with `poisson(means[n], rows[n], j)` for each n; loops over small means vectorise.

    Shapes: `means`, `rows` and `counts` (N,).
    """
    u = np.empty(_BLOCK)
    mean = np.empty(_BLOCK)
    probability = np.empty(_BLOCK)
    cumulative = np.empty(_BLOCK)
    count = np.empty(_BLOCK)
    for first in range(0, len(means), _BLOCK):
        size = min(_BLOCK, len(means) - first)
        for i in range(size):
            u[i] = uniform(draw_in_row(rows[first + i], j))
            mean[i] = means[first + i] if means[first + i] < 10.0 else 0.0
            m, k = exp_parts(-mean[i])
            probability[i] = m * power_of_two(k)
            cumulative[i] = probability[i]
            count[i] = 0.0
        k = 0.0
        n_rising = size
        while n_rising > 0:
            k += 1.0
            n_rising = 0
            for i in range(size):
                rising = (u[i] >= cumulative[i]) & (probability[i] > 0.0)
                count[i] += rising
                n_rising += rising
                probability[i] = probability[i] * mean[i] / k
                cumulative[i] += probability[i]
        for i in range(size):
            if means[first + i] == 1.0 or means[first + i] >= 10.0:
                counts[first + i] = poisson(means[first + i], rows[first + i], j)
            else:
                counts[first + i] = count[i]
