"""SEA: two numbers whose sum decides, and a third that says nothing."""

from dataclasses import dataclass

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.random import draw_in_row, row_key, uniform
from .base import Attribute, Stream

_THRESHOLDS = (8.0, 9.0, 7.0, 9.5)


@dataclass(frozen=True)
class SEA(Stream):
    """SEA: class 0 where the sum of the first two of three uniform numbers is at most a threshold.

    Parameters
    ----------
    function : int, default=1
        Which of the four concepts: the threshold is 8, 9, 7 or 9.5. All have the same examples.
    noise : float, default=0.1
        Probability that a class is flipped.
    random_state : int, default=0
        Seed, 0 or greater.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float
        1 - `noise`.

    References
    ----------
    W. N. Street, Y. Kim, "A streaming ensemble algorithm (SEA) for large-scale classification", *KDD* 2001.

    Examples
    --------
    >>> from oza.streams import SEA
    >>> X, y = SEA(noise=0)[10**9 : 10**9 + 1000]
    >>> bool((y == (X[:, 0] + X[:, 1] > 8)).all())
    True
    """

    function: int = 1
    noise: float = 0.1
    random_state: int = 0

    #: Three numbers from 0 to 10.
    attributes = tuple(Attribute(f"attribute {j}") for j in (1, 2, 3))
    #: Below the threshold, and above it.
    class_names = ("group A", "group B")

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_integer("function", self.function, 1, len(_THRESHOLDS))
        check_number("noise", self.noise, 0, 1, ends="[]")
        check_integer("random_state", self.random_state, 0)

    @property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is."""
        return max(1.0 - self.noise, float(self.noise))

    def _draw(self, rows, X, y):
        _draw_sea(self._key, rows, _THRESHOLDS[self.function - 1], float(self.noise), X, y)


@kernel
def _draw_sea(key, rows, threshold, noise, X, y):
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        for j in range(3):
            X[i, j] = 10.0 * uniform(draw_in_row(row, j))
        is_flipped = uniform(draw_in_row(row, 3)) < noise
        y[i] = (X[i, 0] + X[i, 1] > threshold) != is_flipped
