"""A hyperplane that turns."""

from dataclasses import dataclass

import numpy as np

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.draws import uniforms
from ..kernels.random import draw_in_row, row_key, uniform
from .base import Attribute, Stream, reflected


@dataclass(frozen=True)
class Hyperplane(Stream):
    r"""Rotating hyperplane: class 1 where a weighted sum of uniform numbers is at least half of the weights.

    Parameters
    ----------
    n_features : int, default=10
        Number of columns, uniform in [0, 1].
    n_drifting : int, default=2
        How many of them, the first ones, have a weight that moves.
    change : float, default=0.0
        By how much such a weight moves with each example, from 0 to 1.
    noise : float, default=0.05
        Probability that a class is flipped.
    random_state : int, default=0
        Seed, 0 or greater; also of the weights.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float
        1 - `noise`.

    Notes
    -----
    A weight begins anywhere in [0, 1], goes up or down by `change` with each example, and
    turns round at 0 and at 1, so its value at example n is known directly. MOA's weights turn round at
    random, by default at one example in ten, and can leave [0, 1].

    References
    ----------
    G. Hulten, L. Spencer, P. Domingos, "Mining time-changing data streams", *KDD* 2001.

    Examples
    --------
    >>> from oza.streams import Hyperplane
    >>> stream = Hyperplane(n_features=4, n_drifting=1, change=0.001)
    >>> stream.weights(0).round(2).tolist(), stream.weights(1000).round(2).tolist()
    ([0.32, 0.81, 0.05, 0.7], [0.68, 0.81, 0.05, 0.7])
    """

    n_features: int = 10
    n_drifting: int = 2
    change: float = 0.0
    noise: float = 0.05
    random_state: int = 0

    #: Below the hyperplane, and not below it.
    class_names = ("below", "above")

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_integer("n_features", self.n_features, 1)
        check_integer("n_drifting", self.n_drifting, 0, self.n_features)
        check_number("change", self.change, 0, 1, ends="[]")
        check_number("noise", self.noise, 0, 1, ends="[]")
        check_integer("random_state", self.random_state, 0)

    @property
    def attributes(self):
        """Numbers from 0 to 1."""
        return tuple(Attribute(f"attribute {j + 1}") for j in range(self.n_features))

    @property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is, which knows the hyperplane of every moment."""
        return max(1.0 - self.noise, float(self.noise))

    def weights(self, n: int) -> np.ndarray:
        """Weight of each column at example `n`.

        Parameters
        ----------
        n : int
            Number of the example, from 0.

        Returns
        -------
        ndarray of shape (n_features,)
        """
        found = np.empty(self.n_features)
        _weights(*self._course(), check_integer("n", n, 0), found)
        return found

    def _course(self):
        """Weights at the beginning, and how they move with each example."""
        starts, directions = uniforms((2, self.n_features), "hyperplane", self.random_state)
        is_moving = np.arange(self.n_features) < self.n_drifting
        return starts, np.where(is_moving, np.where(directions < 0.5, self.change, -self.change), 0.0)

    def _draw(self, rows, X, y):
        _draw_hyperplane(self._key, rows, *self._course(), float(self.noise), X, y)


@kernel
def _weights(starts, velocities, n, weights):
    for j in range(len(starts)):
        weights[j] = reflected(starts[j] + velocities[j] * n)


@kernel
def _draw_hyperplane(key, rows, starts, velocities, noise, X, y):
    weights = np.empty(len(starts))
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        _weights(starts, velocities, rows[i], weights)
        score = half = 0.0
        for j in range(len(weights)):
            X[i, j] = uniform(draw_in_row(row, j))
            score += weights[j] * X[i, j]
            half += 0.5 * weights[j]
        is_flipped = uniform(draw_in_row(row, len(weights))) < noise
        y[i] = (score >= half) != is_flipped
