"""STAGGER: things of three sizes, colours and shapes."""

from dataclasses import dataclass

from ..columns.validation import check_integer
from ..kernels.compile import kernel
from ..kernels.random import integer_below, row_key
from .base import Attribute, Stream


@dataclass(frozen=True)
class STAGGER(Stream):
    """STAGGER: a simple rule about the size, the colour and the shape of a thing.

    Parameters
    ----------
    function : int, default=1
        Which rule decides: 1, small and red; 2, green or a circle; 3, medium or large. All have the same
        examples.
    random_state : int, default=0
        Seed, 0 or greater.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float
        1.

    References
    ----------
    J. C. Schlimmer, R. H. Granger, "Incremental learning from noisy data", *Machine Learning* 1, 1986.

    Examples
    --------
    >>> from oza.streams import STAGGER
    >>> X, y = STAGGER(function=3)[:1000]
    >>> bool((y == (X[:, 0] > 0)).all())
    True
    """

    function: int = 1
    random_state: int = 0

    #: Size, colour and shape.
    attributes = (
        Attribute("size", ("small", "medium", "large")),
        Attribute("colour", ("red", "green", "blue")),
        Attribute("shape", ("circle", "square", "triangle")),
    )
    #: Whether the rule holds.
    class_names = ("false", "true")
    #: Accuracy of the best classifier there is.
    bayes_accuracy = 1.0

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_integer("function", self.function, 1, 3)
        check_integer("random_state", self.random_state, 0)

    def _draw(self, rows, X, y):
        _draw_stagger(self._key, rows, self.function, X, y)


@kernel
def _draw_stagger(key, rows, function, X, y):
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        for j in range(3):
            X[i, j] = integer_below(3, row, j)
        size, colour, shape = X[i, 0], X[i, 1], X[i, 2]
        if function == 1:
            y[i] = size == 0 and colour == 0
        elif function == 2:
            y[i] = colour == 1 or shape == 0
        else:
            y[i] = size > 0
