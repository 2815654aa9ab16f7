"""The thesis's chains of attributes, without an end."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..columns.validation import check_choice, check_integer
from ..datasets import dataset_info
from ..datasets.generate import chain_parameters, draw_chain
from ..kernels.random import key_of
from .base import Attribute, Stream

_NAMES = ("synthetic1", "synthetic2", "synthetic3")
_limits: dict[str, float] = {}


@dataclass(frozen=True)
class Chain(Stream):
    """Synthetic-1, -2 or -3 of the thesis, going on for ever: 20 binary attributes, each drawn by the next.

    Parameters
    ----------
    name : {"synthetic1", "synthetic2", "synthetic3"}, default="synthetic2"
        Which row of probabilities of Table 3.2.
    random_state : int, default=0
        Seed, 0 or greater. The first 100,000 examples are those of ``load_dataset(name,
        random_state=random_state)``.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float
        Summed over all 2²⁰ examples.

    References
    ----------
    N. C. Oza (2001), Online Ensemble Learning, Table 3.2.

    Examples
    --------
    >>> from oza.datasets import load_dataset
    >>> from oza.streams import Chain
    >>> stream = Chain("synthetic2")
    >>> round(stream.bayes_accuracy, 4)
    0.8617
    >>> X, y = stream[:100_000]
    >>> bool((X == load_dataset("synthetic2").data).all())
    True
    """

    name: str = "synthetic2"
    random_state: int = 0

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_choice("name", self.name, *_NAMES)
        check_integer("random_state", self.random_state, 0)

    @property
    def attributes(self):
        """Attributes 1 to 20, of which the last is drawn first."""
        return tuple(Attribute(a.name, a.values) for a in dataset_info(self.name).attributes)

    @property
    def class_names(self):
        """The two classes."""
        return dataset_info(self.name).classes

    @property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is."""
        if self.name not in _limits:  # it takes a second
            prior, first, step = chain_parameters(dataset_info(self.name).thesis_name)
            shares = np.array([prior, 1 - prior])[:, None] * joint(first, step, len(self.attributes))
            _limits[self.name] = float(shares.max(axis=0).sum())
        return _limits[self.name]

    @property
    def _key(self):
        return np.uint64(key_of("synthetic", self.name, self.random_state))

    def _draw(self, rows, X, y):
        draw_chain(self._key, rows, *chain_parameters(dataset_info(self.name).thesis_name), X, y)


def joint(first: npt.NDArray, step: npt.NDArray, n_attributes: int) -> npt.NDArray:
    """P(example | class), the examples as binary numbers whose first digit is the last attribute."""
    law = np.stack([first, 1 - first], axis=1)
    move = np.stack([step, 1 - step], axis=2)[:, None]  # class, any prefix, value before, value after
    for _ in range(n_attributes - 1):
        law = (law.reshape(2, -1, 2, 1) * move).reshape(2, -1)
    return law
