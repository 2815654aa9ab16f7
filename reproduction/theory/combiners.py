"""Ways to combine the predictions of base models (thesis section 2.2.2).

The outputs of M base models for n examples and C classes are an array of shape (M, n, C): the probability
that each model gives to each class of each example. A combiner returns a support for every class, of shape
(n, C), and the class with the largest support is predicted, the first one in a tie.
"""

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.stats

Numbers = np.ndarray
#: A belief: mass by set of classes; the masses sum to 1.
Masses = Mapping[frozenset[int], float]

#: Supports that differ by less are equal: the difference comes from rounding.
_TIE = 1e-12


def choose(support: Numbers) -> np.ndarray:
    """Class with the largest support for each example, the first one in a tie.

    >>> choose(np.array([[0.2, 0.8], [0.5, 0.5]])).tolist()
    [1, 0]
    """
    top = support.max(axis=-1, keepdims=True)
    return np.asarray((support >= top - _TIE * np.maximum(1.0, np.abs(top))).argmax(axis=-1))


def majority(outputs: Numbers) -> Numbers:
    """Number of models that vote for each class, that is, find it most probable.

    >>> majority(np.array([[[0.6, 0.4]], [[0.6, 0.4]], [[0.0, 1.0]]])).tolist()
    [[2.0, 1.0]]
    """
    return np.asarray(np.eye(outputs.shape[2])[choose(outputs)].sum(axis=0))


def borda(outputs: Numbers) -> Numbers:
    """Borda count: how many classes each class precedes in the models' rankings (Ho, Hull and Srihari 1994).

    Each model ranks the classes by its outputs; of two equally probable ones each precedes the other by half.

    >>> borda(np.array([[[0.5, 0.4, 0.1]], [[0.1, 0.5, 0.4]]])).tolist()
    [[2.0, 3.0, 1.0]]
    """
    ranks = scipy.stats.rankdata(outputs.round(12), axis=2)  # 1 is the least probable class
    return np.asarray((ranks - 1).sum(axis=0))


def trimmed_mean(outputs: Numbers, n_trimmed: int) -> Numbers:
    """Mean of the outputs for each class without the `n_trimmed` smallest and largest ones.

    >>> trimmed_mean(np.array([[[0.0]], [[0.5]], [[0.7]], [[1.0]]]), 1).tolist()
    [[0.6]]
    """
    m = len(outputs)
    if not 0 <= 2 * n_trimmed < m:
        raise ValueError(f"{2 * n_trimmed} of {m} outputs cannot be left out")
    return np.asarray(np.sort(outputs, axis=0)[n_trimmed : m - n_trimmed].mean(axis=0))


def dempster(first: Masses, second: Masses) -> dict[frozenset[int], float]:
    """Dempster's rule: multiply masses, give each product to the intersection, and scale away the conflict.

    Sets of classes that are not named have mass 0.

    Zadeh's example: both nearly exclude class 2, for different reasons, and together they are sure of it.

    >>> a, b, c = (frozenset([k]) for k in range(3))
    >>> dempster({a: 0.99, c: 0.01}, {b: 0.99, c: 0.01}) == {c: 1.0}
    True
    """
    products: dict[frozenset[int], list[float]] = {}
    for one, mass in first.items():
        for other, weight in second.items():
            if one & other:
                products.setdefault(one & other, []).append(mass * weight)
    masses = {common: math.fsum(parts) for common, parts in products.items()}
    agreed = math.fsum(masses.values())
    if agreed == 0.0:
        raise ValueError("the two beliefs have nothing in common")
    return {common: mass / agreed for common, mass in masses.items()}


def dempster_shafer(outputs: Numbers, reliability: npt.ArrayLike) -> Numbers:
    """Belief in each class, of votes by models of known reliability (Xu, Krzyżak and Suen 1992).

    A model that is right with probability r and votes for a class gives the mass r to this class and 1 − r to
    the set of all others. The masses of all models are combined by Dempster's rule.

    >>> dempster_shafer(np.array([[[0.6, 0.4]], [[0.2, 0.8]]]), [0.75, 0.5]).tolist()
    [[0.75, 0.25]]
    """
    n_classes = outputs.shape[2]
    frame = frozenset(range(n_classes))
    patterns, which = np.unique(choose(outputs), axis=1, return_inverse=True)
    supports = []
    for pattern in patterns.T.tolist():
        belief: Masses = {frame: 1.0}
        for vote, r in zip(pattern, np.asarray(reliability).tolist(), strict=True):
            mine = frozenset([vote])
            belief = dempster(belief, {mine: r, frame - mine: 1 - r})
        supports.append([belief.get(frozenset([c]), 0.0) for c in range(n_classes)])
    return np.array(supports)[which.ravel()]


#: Combiners that nothing has to be learned for.
FIXED: dict[str, Callable[[Numbers], Any]] = {
    "majority vote": majority,
    "average": lambda outputs: outputs.mean(axis=0),
    "median": lambda outputs: trimmed_mean(outputs, (len(outputs) - 1) // 2),
    "trimmed mean": lambda outputs: trimmed_mean(outputs, (len(outputs) - 1) // 4),
    "maximum": lambda outputs: outputs.max(axis=0),
    "minimum": lambda outputs: outputs.min(axis=0),
    "Borda count": borda,
}


def output_correlation(outputs: Numbers, labels: np.ndarray) -> float:
    """Mean correlation of the errors of two models' outputs, over all pairs, examples and classes.

    The error of an output is its difference from 1 for the class of the example, from 0 for others: the
    labels are taken to be certain. It is the ρ of Tumer and Ghosh (1996). The correlation with an error that
    is 0 everywhere counts as 0.

    >>> outputs = np.array([[[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [0.5, 0.5]]])
    >>> output_correlation(outputs, np.array([0, 0]))
    0.0
    """
    errors = (outputs - np.eye(outputs.shape[2])[labels]).reshape(len(outputs), -1)
    sizes = np.sqrt((errors**2).sum(axis=1))
    units = errors / np.where(sizes > 0, sizes, 1.0)[:, None]  # each has mean 0, as an example's errors have
    return float(np.mean([(a * b).sum() for a, b in combinations(units, 2)]))


def combined_error(outputs: Numbers, labels: np.ndarray) -> tuple[float, float]:
    """Mean square of the outputs' errors: the mean over the models, and that of their average.

    >>> outputs = np.array([[[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [0.5, 0.5]]])
    >>> combined_error(outputs, np.array([0, 0]))
    (0.125, 0.0625)
    """
    errors = outputs - np.eye(outputs.shape[2])[labels]
    return float((errors**2).mean()), float((errors.mean(axis=0) ** 2).mean())
