"""BOLE, a boosting-like online ensemble, as kernels.

It is online boosting with another order of the models: an example goes on to the most accurate model left if
it has been classified correctly, and to the least accurate one otherwise.
"""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import classify, learn
from ...columns.validation import EXACT_BELOW
from ...kernels.arithmetic import log
from ...kernels.compile import implements, kernel
from ...kernels.random import poisson
from ..algorithm import step, vote_weights
from ..boosting.kernels import Boosting, copies_to_learn, count_example
from ..votes import set_equal_if_all_zero


class BOLE(NamedTuple):
    """State of BOLE, with a buffer for one example."""

    boosting: Boosting
    order: np.ndarray  # (M,) int64: indices of the models, the most accurate first
    most_copies: float  # largest number of copies of one example that a model learns
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, BOLE)
def bole(algorithm, models, examples, n, label, weight, row):
    """Train each model on the example k ~ Poisson(λ) times; its answer decides which model is next."""
    boosting, order = algorithm.boosting, algorithm.order
    sort_by_accuracy(order, boosting)
    count_example(boosting, weight)
    lam, is_right = weight, False
    best, worst = 0, len(order) - 1
    for _ in range(len(order)):
        if is_right:
            m, best = order[best], best + 1
        else:
            m, worst = order[worst], worst - 1
        drawn = poisson(min(lam, EXACT_BELOW), row, m)
        k, lam = copies_to_learn(boosting, m, lam, drawn, algorithm.most_copies)
        learn(models, m, examples, n, label, k)
        is_right = classify(models, m, examples, n) == label
        if lam > 0.0:
            sums = boosting.right if is_right else boosting.wrong
            sums[m] += lam
            lam *= boosting.seen[0] / (2.0 * sums[m])


@kernel
def sort_by_accuracy(order, boosting):
    """Sort `order`, which is nearly sorted, by insertion; equals keep their places."""
    accuracy = np.zeros(len(order))
    for m in range(len(order)):
        if boosting.right[m] > 0.0:
            accuracy[m] = boosting.right[m] / (boosting.right[m] + boosting.wrong[m])
    for i in range(1, len(order)):
        m, j = order[i], i
        while j > 0 and accuracy[order[j - 1]] < accuracy[m]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = m


@implements(vote_weights, BOLE)
def _vote_weights(algorithm, n_models):
    """Weigh by log((1 − ε)/ε) where 0 < ε ≤ 1/2; all alike if there is none."""
    weights = np.zeros(n_models)
    for m in range(n_models):
        right, wrong = algorithm.boosting.right[m], algorithm.boosting.wrong[m]
        if 0.0 < wrong <= right:
            weights[m] = log(right / wrong)
    set_equal_if_all_zero(weights)
    return weights
