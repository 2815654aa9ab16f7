"""Drawn distributions of a class and of two-valued attributes."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt


def random_law(number: int, n_attributes: int) -> npt.NDArray[np.float64]:
    """Draw the probabilities of two classes together with all inputs of two-valued attributes.

    Parameters
    ----------
    number : int
        Seed of the law.
    n_attributes : int
        Attributes, each with an axis of the result.
    """
    law = np.random.default_rng(number).gamma(0.7, size=(2, *[2] * n_attributes)) + 0.02
    return law / law.sum()


def law_stream(
    law: npt.NDArray[np.float64], n_examples: int, seed: Sequence[int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Draw examples (X, y) from a law; fewer of them are the first of more."""
    cells = np.array(list(product(range(2), repeat=law.ndim)))
    z = cells[np.random.default_rng(seed).choice(len(cells), n_examples, p=law.ravel())]
    return z[:, 1:], z[:, 0]
