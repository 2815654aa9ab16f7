"""Artificial examples for DECORATE, as kernels."""

import numpy as np

from ...kernels.compile import kernel
from ...kernels.random import draw_in_row, normal, row_key, uniform


@kernel
def draw_examples(shares, starts, means, deviations, key, codes, numbers):
    """Fill `codes` and `numbers` with artificial examples; attributes are drawn independently.

    A nominal attribute a has the codes from ``starts[a]`` on, with the probabilities `shares`; a numeric
    one is drawn from the normal distribution with its mean and deviation.
    """
    n_nominal = codes.shape[1]
    for n in range(len(codes)):
        row = row_key(key, n)
        for a in range(n_nominal):
            codes[n, a] = -1
            if starts[a + 1] > starts[a]:
                within = shares[starts[a] : starts[a + 1]]
                codes[n, a] = starts[a] + index_of(within, uniform(draw_in_row(row, a)))
        for d in range(numbers.shape[1]):
            numbers[n, d] = means[d] + deviations[d] * normal(draw_in_row(row, n_nominal + d))


@kernel
def index_of(weights, u):
    """Index drawn in proportion to `weights`, given a uniform number."""
    total = 0.0
    for weight in weights:
        total += weight
    below = 0.0
    for i in range(len(weights) - 1):
        below += weights[i]
        if u * total < below:
            return i
    return len(weights) - 1


@kernel
def label_against(probabilities, smallest, key, labels):
    """Fill `labels` with classes drawn in proportion to 1/P, where P is at least `smallest`."""
    inverse = np.empty(probabilities.shape[1])
    for n in range(len(labels)):
        for c in range(len(inverse)):
            inverse[c] = 1.0 / max(probabilities[n, c], smallest)
        labels[n] = index_of(inverse, uniform(draw_in_row(row_key(key, n), 0)))
