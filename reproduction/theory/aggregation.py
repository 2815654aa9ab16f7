"""The gain of aggregation (thesis equation 3.1, after Breiman 1996), by enumeration of training sets."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy.stats

from .sampling import count_vectors


class Aggregation(NamedTuple):
    """Results of a learner over all training sets, in exact fractions."""

    q: np.ndarray  # Q(j|x), shape (n_classes, n_inputs): how often a model predicts j at x
    single: Fraction  # mean accuracy of such a model
    aggregated: Fraction  # accuracy of the vote of all models
    gain: Fraction  # by equation 3.1, a sum over inputs
    instability: Fraction  # mean over x of 1 − max Q(j|x): how often a model differs from the vote


def all_training_sets(law: np.ndarray, n_examples: int) -> Iterator[tuple[np.ndarray, Fraction]]:
    """All training sets of `n_examples`, as counts of each cell of `law`, with their probabilities.

    `law` holds the probability of each class together with each input, shape (n_classes, n_inputs), in
    fractions.

    >>> law = np.full((2, 1), Fraction(1, 2))
    >>> [(counts.ravel().tolist(), str(p)) for counts, p in all_training_sets(law, 2)]
    [([0, 2], '1/4'), ([1, 1], '1/2'), ([2, 0], '1/4')]
    """
    flat = law.ravel()
    for counts in count_vectors(flat.size, n_examples):
        probability = Fraction(math.factorial(n_examples))
        for p, k in zip(flat, counts, strict=True):
            probability *= p**k / math.factorial(k)
        if probability:
            yield np.array(counts).reshape(law.shape), probability


def aggregate(learn: Callable[[np.ndarray], np.ndarray], law: np.ndarray, n_examples: int) -> Aggregation:
    """Let a learner learn from every possible training set.

    It takes the counts of a training set, and returns the class that its model gives to each input.

    >>> law = np.array([[Fraction(1, 3)], [Fraction(2, 3)]])
    >>> result = aggregate(lambda counts: counts.argmax(axis=0), law, 3)
    >>> str(result.single), str(result.aggregated), str(result.gain)
    ('47/81', '2/3', '7/81')
    """
    inputs = np.arange(law.shape[1])
    q = np.full(law.shape, Fraction(0))
    single = Fraction(0)
    for counts, probability in all_training_sets(law, n_examples):
        predictions = learn(counts)
        q[predictions, inputs] += probability
        single += probability * law[predictions, inputs].sum()
    voted = q.argmax(axis=0)
    p_input = law.sum(axis=0)
    return Aggregation(
        q,
        single,
        law[voted, inputs].sum(),
        (law[voted, inputs] - (q * law).sum(axis=0)).sum(),
        (p_input * (1 - q[voted, inputs])).sum(),
    )


def vote_accuracy(q: np.ndarray, law: np.ndarray, n_models: int) -> float:
    """Accuracy of a vote of `n_models` independent models on two classes; a tie is class 0.

    Each model has its own training set; `q` and `law` are those of `Aggregation` and `aggregate`.

    >>> law = np.array([[Fraction(1, 3)], [Fraction(2, 3)]])
    >>> round(vote_accuracy(law, law, 1), 4), round(vote_accuracy(law, law, 101), 4)
    (0.5556, 0.6666)
    """
    says_1 = scipy.stats.binom.sf(n_models // 2, n_models, q[1].astype(float))
    correct = law[1].astype(float) * says_1 + law[0].astype(float) * (1 - says_1)
    return float(correct.sum())
