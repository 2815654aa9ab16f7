"""Best possible accuracies on the Synthetic sets (thesis section 3.5.1), summed over all examples."""

from typing import NamedTuple

import numpy as np

from oza.datasets import dataset_info
from oza.datasets.generate import chain_parameters
from oza.streams.chain import joint


class Limits(NamedTuple):
    """Exact accuracies on a Synthetic set.

    Attributes
    ----------
    bayes : float
        Accuracy of the Bayes classifier.
    naive_bayes : float
        Accuracy of Naive Bayes with each attribute's true distribution given the class; an example on
        which its two classes tie counts as correct.
    n_crossed : int
        Number of the examined pairs of pairs of examples which prove that the Bayes classifier is no
        threshold on a weighted sum of the attributes, as every Naive Bayes model is.
    """

    bayes: float
    naive_bayes: float
    n_crossed: int


_TIE = 1e-12  # relative difference of two products that rounding can cause


def chain_limits(dataset: str) -> Limits:
    """Enumerate all 2²⁰ examples of a Synthetic set with their probabilities.

    Two examples that the Bayes classifier assigns to class 0, and two that it assigns to class 1,
    *cross* if the vectors of the first two have the same sum as those of the others: then no weights
    and no threshold separate the pairs. Examined are, for each value of attribute 20, the examples that
    repeat one value from attribute 19 down to 1 against those that alternate.

    Parameters
    ----------
    dataset : {"synthetic1", "synthetic2", "synthetic3"}

    Returns
    -------
    Limits

    Examples
    --------
    >>> limits = chain_limits("synthetic2")
    >>> round(limits.bayes, 4), round(limits.naive_bayes, 4), limits.n_crossed
    (0.8617, 0.7809, 1)
    """
    info = dataset_info(dataset)
    prior, first, step = chain_parameters(info.thesis_name)
    n_attributes = len(info.attributes)
    shares = np.array([prior, 1 - prior])[:, None]
    true = shares * joint(first, step, n_attributes)
    blind = shares * _product(first, step, n_attributes)
    says_1 = true[1] > true[0]
    at_tie = np.abs(blind[1] - blind[0]) <= _TIE * blind[0]
    blindly = np.where(blind[1] > blind[0], true[1], true[0])
    return Limits(
        bayes=float(true.max(axis=0).sum()),
        naive_bayes=float(np.where(at_tie, true.max(axis=0), blindly).sum()),
        n_crossed=sum(_is_crossed(says_1, last, n_attributes) for last in (0, 1)),
    )


def _product(first: np.ndarray, step: np.ndarray, n_attributes: int) -> np.ndarray:
    """Product over the attributes of P(value | class), in the same order of examples."""
    zero, law = first, np.ones((2, 1))
    for _ in range(n_attributes):
        values = np.stack([zero, 1 - zero], axis=1)
        law = (law[:, :, None] * values[:, None]).reshape(2, -1)
        zero = zero * step[:, 0] + (1 - zero) * step[:, 1]
    return law


def _is_crossed(says_1: np.ndarray, last: int, n_attributes: int) -> bool:
    """Whether repeating and alternating examples that have `last` as attribute 20 cross."""
    chain = np.arange(n_attributes - 1)
    weights = 1 << chain[::-1]
    start = last << (n_attributes - 1)
    repeat = says_1[[start, start + weights.sum()]]
    alternate = says_1[[start + weights[chain % 2 == 0].sum(), start + weights[chain % 2 == 1].sum()]]
    return bool((repeat.all() and not alternate.any()) or (alternate.all() and not repeat.any()))
