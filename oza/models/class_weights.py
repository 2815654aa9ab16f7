"""Rows of class weights, (rows, K), one for each node of a tree.

A row is passed as an array and an index: numba would count a reference to a slice.
"""

from ..kernels.compile import kernel


@kernel(counts=False, inline=True)
def total_weight(counts, i):
    """Sum of row `i`."""
    total = 0.0
    for c in range(counts.shape[1]):
        total += counts[i, c]
    return total


@kernel(counts=False, inline=True)
def heaviest_class(counts, i):
    """Class with the largest weight in row `i`, the first of equals; −1 where there is none."""
    best, most = -1, 0.0
    for c in range(counts.shape[1]):
        if counts[i, c] > most:
            best, most = c, counts[i, c]
    return best


@kernel(counts=False)
def is_pure(counts, i):
    """Whether row `i` has the weight of at most one class."""
    n_present = 0
    for c in range(counts.shape[1]):
        n_present += counts[i, c] > 0.0
    return n_present <= 1
