"""One stream that turns into another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..columns.validation import check_integer, check_number
from ..kernels.arithmetic import sigmoid
from ..kernels.compile import kernel
from ..kernels.random import draw, uniform
from .base import Stream


@dataclass(frozen=True)
class DriftingStream(Stream):
    """A stream that `drift` makes of two.

    Parameters
    ----------
    before, after : Stream
        Where the examples come from, with the same columns and classes.
    position : int
        Number of the example in the middle of the change.
    width : float
        How many examples the change takes, about; with 0 it comes at once.
    random_state : int, default=0
        Seed, 0 or greater, of which stream an example comes from.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float or None
        Accuracy of the best classifier that also knows which of the streams each example comes from, where it
        is the same in both.

    Examples
    --------
    >>> from oza.streams import SEA, drift
    >>> drift(SEA(1), SEA(4), position=5000).bayes_accuracy
    0.9
    """

    before: Stream
    after: Stream
    position: int
    width: float = 0.0
    random_state: int = 0

    def __post_init__(self):
        """Refuse parameters out of range."""
        for name in ("before", "after"):
            if not isinstance(getattr(self, name), Stream):
                raise ValueError(f"{name} must be a stream of oza.streams; got {getattr(self, name)!r}.")
        for what in ("attributes", "class_names"):
            first, second = getattr(self.before, what), getattr(self.after, what)
            if first != second:
                raise ValueError(
                    f"before and after must have the same {what}; got {first!r} and {second!r}. Join streams "
                    "of one kind."
                )
        check_integer("position", self.position, 0)
        check_number("width", self.width, 0, ends="[)", reason="of examples")
        check_integer("random_state", self.random_state, 0)

    @property
    def attributes(self):
        """Those of both streams."""
        return self.before.attributes

    @property
    def class_names(self):
        """Those of both streams."""
        return self.before.class_names

    @property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is, where it is the same before and after."""
        accuracy = self.before.bayes_accuracy
        return accuracy if accuracy == self.after.bayes_accuracy else None

    def _draw(self, rows, X, y):
        is_after = np.empty(len(rows), np.bool_)
        _choose(self._key, rows, self.position, float(self.width), is_after)
        for source, chosen in ((self.before, ~is_after), (self.after, is_after)):
            if chosen.any():
                X[chosen], y[chosen] = source.take(rows[chosen])


@kernel
def _choose(key, rows, position, width, is_after):
    for i in range(len(rows)):
        distance = float(rows[i] - position)
        if width == 0.0:
            is_after[i] = distance >= 0.0
        else:
            is_after[i] = uniform(draw(key, rows[i], 0)) < sigmoid(4.0 * distance / width)


def drift(before: Stream, after: Stream, position: int, width: float = 0.0, random_state: int = 0) -> Any:
    """Let a stream turn into another: example n keeps its number in either.

    Parameters
    ----------
    before, after : Stream
        Streams with the same columns and classes; each may drift itself.
    position : int
        Number of the example in the middle of the change.
    width : float, default=0.0
        How many examples the change takes, about: example n comes from `after` with the probability
        1 / (1 + exp(-4 (n - position) / width)). With 0 the change comes at once.
    random_state : int, default=0
        Seed, 0 or greater, of which stream an example comes from.

    Returns
    -------
    DriftingStream

    Examples
    --------
    Two changes, at 1,000 and slowly around 5,000:

    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(drift(STAGGER(1), STAGGER(2), 1000), STAGGER(3), 5000, width=500)
    >>> [round(float(stream[n : n + 500][1].mean()), 1) for n in (0, 2000, 9000)]
    [0.1, 0.6, 0.7]
    """
    return DriftingStream(before, after, position, width, random_state)
