"""Clouds of points around centres, which may move."""

from dataclasses import dataclass

import numpy as np

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.draws import uniforms
from ..kernels.random import draw_in_row, normal, row_key, uniform
from .base import Attribute, Stream, reflected


@dataclass(frozen=True)
class RandomRBF(Stream):
    """Random radial basis functions: each example lies around one of many centres, and has its class.

    A centre has a place in the unit cube, a class, a weight and a spread, all drawn at random. An example
    goes from a centre, chosen by weight, in a random direction, over a distance that is normal with
    that spread.

    Parameters
    ----------
    n_centres : int, default=50
        Number of centres.
    n_features : int, default=10
        Number of columns.
    n_classes : int, default=2
        Number of classes; a class without a centre never occurs.
    speed : float, default=0.0
        How far a moving centre goes with each example, from 0 to 1.
    n_moving : int or None, default=None
        How many centres move; None stands for all.
    random_state : int, default=0
        Seed, 0 or greater; also of the centres.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : None
        Not known.

    Notes
    -----
    A moving centre goes straight on and turns round at the walls of the unit cube, each
    coordinate separately, so its place at example n is known directly. In MOA a centre that would leave
    the cube stops at the wall until the next example, so the two diverge by up to `speed` with each
    turn.

    References
    ----------
    A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby, R. Gavaldà, "New ensemble methods for evolving data
    streams", *KDD* 2009.

    Examples
    --------
    >>> from oza.streams import RandomRBF
    >>> stream = RandomRBF(n_features=2, speed=0.001)
    >>> X, y = stream[10**9 : 10**9 + 1000]
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 2), [0, 1])
    """

    n_centres: int = 50
    n_features: int = 10
    n_classes: int = 2
    speed: float = 0.0
    n_moving: int | None = None
    random_state: int = 0

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_integer("n_centres", self.n_centres, 1)
        check_integer("n_features", self.n_features, 1)
        check_integer("n_classes", self.n_classes, 2)
        check_number("speed", self.speed, 0, 1, ends="[]")
        if self.n_moving is not None:
            check_integer("n_moving", self.n_moving, 0, self.n_centres)
        check_integer("random_state", self.random_state, 0)

    @property
    def attributes(self):
        """Numbers, mostly from 0 to 1."""
        return tuple(Attribute(f"attribute {j + 1}") for j in range(self.n_features))

    @property
    def class_names(self):
        """Their numbers."""
        return tuple(f"class {c + 1}" for c in range(self.n_classes))

    def centres(self, n: int) -> np.ndarray:
        """Place of each centre at example `n`.

        Parameters
        ----------
        n : int
            Number of the example, from 0.

        Returns
        -------
        ndarray of shape (n_centres, n_features)
        """
        starts, velocities, *_ = self._law()
        found = np.empty(starts.shape)
        for c in range(self.n_centres):
            _place(starts, velocities, c, check_integer("n", n, 0), found[c])
        return found

    def _law(self):
        """Places, velocities, spreads, weights summed up, and classes of the centres."""
        shape = self.n_centres, self.n_features
        name = "random rbf", self.random_state
        starts, directions = uniforms(shape, *name, "places"), uniforms(shape, *name, "directions")
        velocities = self.speed * directions / np.sqrt((directions**2).sum(axis=1, keepdims=True))
        n_moving = self.n_centres if self.n_moving is None else self.n_moving
        velocities[n_moving:] = 0.0
        spreads, weights, classes = uniforms((3, self.n_centres), *name, "others")
        labels = np.minimum((classes * self.n_classes).astype(np.int64), self.n_classes - 1)
        return starts, velocities, spreads, np.cumsum(weights), labels

    def _draw(self, rows, X, y):
        _draw_rbf(self._key, rows, *self._law(), X, y)


@kernel
def _place(starts, velocities, c, n, place):
    for j in range(len(place)):
        place[j] = reflected(starts[c, j] + velocities[c, j] * n)


@kernel
def _draw_rbf(key, rows, starts, velocities, spreads, weights, labels, X, y):
    n_features = starts.shape[1]
    direction, place = np.empty(n_features), np.empty(n_features)
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        c, point = 0, uniform(draw_in_row(row, 0)) * weights[-1]
        while weights[c] <= point:
            c += 1
        square = 0.0
        for j in range(n_features):
            direction[j] = 2.0 * uniform(draw_in_row(row, 2 + j)) - 1.0
            square += direction[j] * direction[j]
        distance = normal(draw_in_row(row, 1)) * spreads[c] / np.sqrt(square)
        _place(starts, velocities, c, rows[i], place)
        for j in range(n_features):
            X[i, j] = place[j] + distance * direction[j]
        y[i] = labels[c]
