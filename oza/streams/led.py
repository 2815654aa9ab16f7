"""A display of seven segments that flicker."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..columns.validation import check_choice, check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.random import draw_in_row, integer_below, key_of, row_key, uniform
from .base import Attribute, Stream

_DIGITS = (
    *("1110111", "0010010", "1011101", "1011011", "0111010"),
    *("1101011", "1101111", "1010010", "1111111", "1111011"),
)  # 0 to 9: top, upper left, upper right, middle, lower left, lower right, bottom
_SEGMENTS = np.array([[int(lit) for lit in digit] for digit in _DIGITS])
_N_BLIND = 17


@dataclass(frozen=True)
class LED(Stream):
    """LED: the digit that a display of seven segments shows, each of which may be wrong.

    Parameters
    ----------
    noise : float, default=0.1
        Probability that a segment shows the opposite.
    n_drifting : int, default=0
        How many segments have swapped their column with an irrelevant one, from 0 to 7. Without drift the
        segments are the first seven columns. Join streams with other numbers by `drift`.
    with_irrelevant : bool, default=True
        Whether 17 irrelevant columns, 0 or 1 at random, come with them.
    random_state : int, default=0
        Seed, 0 or greater.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float
        Summed over all displays: 0.7400 for a noise of 0.1.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, *Classification and Regression Trees*, 1984.

    Examples
    --------
    >>> from oza.streams import LED
    >>> stream = LED()
    >>> len(stream.attributes), round(stream.bayes_accuracy, 4)
    (24, 0.74)
    """

    noise: float = 0.1
    n_drifting: int = 0
    with_irrelevant: bool = True
    random_state: int = 0

    #: The digits.
    class_names = tuple("0123456789")

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_number("noise", self.noise, 0, 1, ends="[]")
        check_integer("n_drifting", self.n_drifting, 0, 7)
        check_choice("with_irrelevant", self.with_irrelevant, True, False)
        if self.n_drifting and not self.with_irrelevant:
            raise ValueError(
                f"n_drifting={self.n_drifting} segments change places with irrelevant columns, and "
                "with_irrelevant=False leaves none; set it to True."
            )
        check_integer("random_state", self.random_state, 0)

    @property
    def attributes(self):
        """Segments, dark or lit."""
        n = 7 + _N_BLIND * self.with_irrelevant
        return tuple(Attribute(f"segment {j + 1}", ("0", "1")) for j in range(n))

    @cached_property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is, summed over all displays."""
        displays = np.arange(128)[:, None] >> np.arange(7) & 1
        n_wrong = (displays[:, None] != _SEGMENTS).sum(axis=2)
        return float((self.noise**n_wrong * (1 - self.noise) ** (7 - n_wrong)).max(axis=1).sum() / 10)

    @property
    def columns(self) -> np.ndarray:
        """Column in which each of the seven segments stands."""
        key = key_of("led", self.random_state)
        first, blind = (int(integer_below(n, row_key(key, 0), n)) for n in (7, _N_BLIND))
        found = np.arange(7)
        for i in range(self.n_drifting):
            found[(first + i) % 7] = 7 + (blind + i) % _N_BLIND
        return found

    def _draw(self, rows, X, y):
        _draw_led(self._key, rows, _SEGMENTS, self.columns, float(self.noise), X, y)


@kernel
def _draw_led(key, rows, segments, columns, noise, X, y):
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        y[i] = integer_below(10, row, 0)
        for j in range(X.shape[1]):
            X[i, j] = draw_in_row(row, 8 + j) >> np.uint64(63)
        for j in range(7):
            is_wrong = uniform(draw_in_row(row, 1 + j)) < noise
            X[i, columns[j]] = segments[y[i], j] ^ is_wrong
