"""Linear predictors of all orders, by recursion over orders and by refitting each (thesis section 2.3).

Both give the same predictions but differ in the number of operations, which is counted by passing
numbers that count operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..exact import total


def lattice(x: Sequence[Any], order: int, ridge: float) -> list[list[Any]]:
    """Errors of the least-squares predictors of the orders 1 to p, each predicting before it learns.

    The least-squares lattice with error feedback: the errors of order m follow from the forward
    and backward prediction errors of order m − 1.

    Samples before the first are 0; `ridge` times the sum of the squared coefficients is added to the squared
    error. For each sample a list of the errors by order.

    >>> errors = lattice([1.0, 1.0, 1.0], order=2, ridge=1.0)
    >>> [[round(e, 3) for e in row] for row in errors]
    [[1.0, 1.0], [1.0, 1.0], [0.5, 0.5]]
    """
    forward_gain, backward_gain = [0.0] * order, [0.0] * order
    forward_energy, backward_energy = [ridge] * order, [ridge] * order
    backward_before, likelihood_before = [0.0] * order, [1.0] * order
    errors = []
    for sample in x:
        forward, backward, likelihood = sample, sample, 1.0
        row, backward_now, likelihood_now = [], [], []
        for m in range(order):
            backward_now.append(backward)
            likelihood_now.append(likelihood)
            before, share = backward_before[m], likelihood_before[m]
            forward_energy[m] = forward_energy[m] + share * forward * forward
            next_forward = forward - forward_gain[m] * before
            next_backward = before - backward_gain[m] * forward
            forward_gain[m] = forward_gain[m] + share * before * next_forward / backward_energy[m]
            backward_gain[m] = backward_gain[m] + share * forward * next_backward / forward_energy[m]
            backward_energy[m] = backward_energy[m] + likelihood * backward * backward
            likelihood = likelihood - likelihood * backward * (likelihood * backward) / backward_energy[m]
            forward, backward = next_forward, next_backward
            row.append(forward)
        backward_before, likelihood_before = backward_now, likelihood_now
        errors.append(row)
    return errors


def afresh(x: Sequence[Any], order: int, ridge: float) -> list[list[Any]]:
    """The errors of `lattice`, by fitting each predictor to the whole past before each sample."""
    padded = [0.0] * order + list(x)
    errors = []
    for t in range(len(x)):
        row = []
        for k in range(1, order + 1):
            pasts = [[padded[order + s - j - 1] for j in range(k)] for s in range(t)]
            moments = [[_dot(a, b) for b in zip(*pasts, strict=True)] for a in zip(*pasts, strict=True)]
            moments = moments or [[0.0] * k for _ in range(k)]
            for j in range(k):
                moments[j][j] = moments[j][j] + ridge
            targets = [_dot(a, x[:t]) for a in zip(*pasts, strict=True)] or [0.0] * k
            past = [padded[order + t - j - 1] for j in range(k)]
            row.append(x[t] - _dot(past, _solved(moments, targets)))
        errors.append(row)
    return errors


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return 0.0 + total(p * q for p, q in zip(a, b, strict=True))


def _solved(matrix: list[list[Any]], right: list[Any]) -> list[Any]:
    n = len(right)
    for j in range(n):
        for i in range(j + 1, n):
            factor = matrix[i][j] / matrix[j][j]
            for k in range(j + 1, n):
                matrix[i][k] = matrix[i][k] - factor * matrix[j][k]
            right[i] = right[i] - factor * right[j]
    solution: list[Any] = [0.0] * n
    for j in reversed(range(n)):
        rest = right[j] - _dot(matrix[j][j + 1 :], solution[j + 1 :])
        solution[j] = rest / matrix[j][j]
    return solution


class _Counting(float):
    """A number that counts the multiplications and divisions with it."""

    count = 0

    def __mul__(self, other: float) -> _Counting:
        _Counting.count += 1
        return _Counting(float(self) * float(other))

    def __truediv__(self, other: float) -> _Counting:
        _Counting.count += 1
        return _Counting(float(self) / float(other))

    def __add__(self, other: float) -> _Counting:
        return _Counting(float(self) + float(other))

    def __sub__(self, other: float) -> _Counting:
        return _Counting(float(self) - float(other))

    def __rsub__(self, other: float) -> _Counting:
        return _Counting(float(other) - float(self))

    __rmul__, __radd__ = __mul__, __add__


def operations(predict: Callable[..., Any], x: Sequence[float], order: int) -> int:
    """Count the multiplications and divisions of `lattice` or `afresh` on a signal.

    >>> operations(lattice, [1.0] * 10, order=2), operations(lattice, [1.0] * 20, order=2)
    (316, 636)
    """
    before = _Counting.count
    predict([_Counting(value) for value in x], order, 1e-3)
    return _Counting.count - before
