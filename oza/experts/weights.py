"""Multiplicative weights that cannot underflow.

A float64 weight reaches 0 after about a thousand halvings and never recovers, which violates the
mistake bounds on long streams: an expert with a tiny weight may become the best one again. So a
weight is stored as mantissa·2^exponent; scaling by powers of two is exact.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from ..kernels.arithmetic import add_exactly
from ..kernels.compile import kernel

_VANISHES = -2000  # 2^−2000 is 0 in float64


class Weights(NamedTuple):
    """Weight mantissas[i]·2^exponents[i] of each of M experts, with 1/2 ≤ mantissa < 1."""

    mantissas: Annotated[np.ndarray, "M"]
    exponents: Annotated[np.ndarray, "M", "any"]  # int64


def ones(n_experts: int) -> Weights:
    """Weight 1 for each expert."""
    return Weights(np.full(n_experts, 0.5), np.ones(n_experts, np.int64))


@kernel
def multiply(weights, i, factor):
    """Multiply weight `i` by `factor`, a pair (mantissa, exponent)."""
    mantissa, shift = math.frexp(weights.mantissas[i] * factor[0])
    weights.mantissas[i] = mantissa
    weights.exponents[i] += shift + factor[1]


@kernel
def value(weights, i, unit):
    """Weight `i` in units of 2^`unit`, as one float64."""
    return math.ldexp(weights.mantissas[i], int(max(weights.exponents[i] - unit, _VANISHES)))


@kernel
def total(weights, bits, wanted, unit):
    """Sum of the weights whose bit in `bits`, (M,), is `wanted`, in units of 2^`unit`.

    It is a double-double sum, so that the order of the experts does not decide a tie.
    """
    high, low = 0.0, 0.0
    for i in range(len(bits)):
        if bits[i] == wanted:
            high, low = add_exactly(high, low, value(weights, i, unit), 0.0)
    return high


@kernel
def values(weights, unit):
    """All weights in units of 2^`unit`, shape (M,)."""
    plain = np.empty(len(weights.mantissas))
    for i in range(len(plain)):
        plain[i] = value(weights, i, unit)
    return plain
