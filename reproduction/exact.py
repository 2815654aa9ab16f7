"""Functions of arrays that give the same bits on every x86-64 processor, for what is recorded as exact.

NumPy's and the C library's `exp`, `log`, `arctanh`, `power` and the like, and BLAS (`@`, `dot`, `polyfit`),
choose their code by processor, and their last bit with it. What feeds trees or decides ties must not.
"""

import functools
import operator
from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from oza.extend import kernel
from oza.kernels import arithmetic


@kernel
def _fill(function, x, out):
    for i in range(len(x)):
        out[i] = function(x[i])


def _of_each(function: Any, x: npt.ArrayLike) -> Any:
    given = np.array(x, dtype=float)  # contiguous
    out = np.empty(given.shape)
    _fill(function, given.ravel(), out.ravel())
    return out[()]


def exp(x: npt.ArrayLike) -> Any:
    """Give e to the power of each number.

    >>> exp([0.0, 1.0]).round(6).tolist()
    [1.0, 2.718282]
    """
    return _of_each(arithmetic.exp, x)


def log(x: npt.ArrayLike) -> Any:
    """Give the natural logarithm of each number, of which none is negative.

    >>> log([1.0, 2.0]).round(6).tolist()
    [0.0, 0.693147]
    """
    return _of_each(arithmetic.log, x)


def normal_cdf(z: npt.ArrayLike) -> Any:
    """Give the probability that a standard normal variable is at most each number.

    >>> normal_cdf([0.0, 1.0]).round(6).tolist()
    [0.5, 0.841345]
    """
    return _of_each(arithmetic.normal_cdf, z)


def artanh(x: float) -> float:
    """Give the inverse of the hyperbolic tangent.

    >>> round(artanh(0.5), 12)
    0.549306144334
    """
    return 0.5 * float(arithmetic.log((1.0 + x) / (1.0 - x)))


def dot(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> Any:
    """Sum products along the last axis, in NumPy's fixed order.

    >>> dot(np.array([1.0, 2.0]), np.array([[3.0, 4.0], [5.0, 6.0]])).tolist()
    [11.0, 17.0]
    """
    return (a * b).sum(axis=-1)


def slope(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Any:
    """Fit lines by least squares to values at the places `x`, of shape (N,); the last axis of `y` is theirs.

    >>> float(slope(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0])))
    2.0
    """
    away = x - x.mean()
    return dot(y, away) / dot(away, away)


def total(values: Iterable[Any]) -> Any:
    """Add from left to right, and round each time; `sum` of floats compensates from Python 3.12 on.

    >>> total([1.0, 1e-16, 1e-16])
    1.0
    """
    return functools.reduce(operator.add, values, 0)


def at_most(k: int, n: int, p: float) -> float:
    """Give the probability of at most k successes in n trials, correctly rounded.

    >>> at_most(1, 3, 0.5)
    0.5
    """
    share = Fraction(p)
    return float(sum(comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(k + 1)))
