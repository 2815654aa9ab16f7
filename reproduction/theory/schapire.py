"""Schapire's toy example: ten points, three half-planes, and a vote that is right on all points.

The slides print errors and votes; our transcript does not have the picture with the points. The points
here are our own. They have the printed errors because of how the half-planes fit them: each of the
three is wrong on three points, and no point is missed twice.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .boosting import Boosted, boost_over
from .exponential_loss import best_alpha, borders, stumps

#: The ten points: five of class +1, then five of class −1.
POINTS = np.array([[1, 6], [2, 3], [4, 8], [8, 10], [7, 5], [6, 2], [5, 4], [3, 1], [9, 7], [10, 9]])
CLASSES = np.array([1, 1, 1, 1, 1, -1, -1, -1, -1, -1])


class Toy(NamedTuple):
    """A run of AdaBoost over all half-planes with a vertical or horizontal border."""

    run: Boosted  # chosen half-planes, errors and weights, in exact fractions
    says: np.ndarray  # prediction ±1 of each chosen half-plane
    borders: list[tuple[int, float, int]]  # axis, threshold, and the sign above it
    alphas: list[float]  # vote ½ ln((1 − ε)/ε) of each

    def vote(self, points: npt.ArrayLike, n_rounds: int | None = None) -> np.ndarray:
        """Weighted vote Σ α h at any points, of the first `n_rounds` half-planes."""
        at = np.asarray(points, float)
        total = np.zeros(at.shape[:-1])
        for alpha, (axis, threshold, sign) in list(zip(self.alphas, self.borders, strict=True))[:n_rounds]:
            total += alpha * sign * np.where(at[..., axis] > threshold, 1, -1)
        return total


def run_on(points: npt.ArrayLike = POINTS, n_rounds: int = 3) -> Toy:
    """Boost half-planes on ten points, whose classes are `CLASSES`; of equally good ones the first is chosen.

    >>> toy = run_on()
    >>> [str(error) for error in toy.run.errors]
    ['3/10', '3/14', '3/22']
    >>> [round(alpha, 2) for alpha in toy.alphas]
    [0.42, 0.65, 0.92]
    """
    at, n = np.asarray(points, float), len(CLASSES)
    every = stumps(at)
    run = boost_over((every != CLASSES).astype(np.int64), n_rounds, np.full(n, Fraction(1, n)))
    alphas = [best_alpha(error if error > 0 else Fraction(1, 2 * n)) for error in run.errors]
    return Toy(run, every[run.chosen], [borders(at)[i] for i in run.chosen], alphas)
