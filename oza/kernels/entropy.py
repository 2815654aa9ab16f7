"""Entropies of rows of shares, with the same bits on every processor."""

import numpy as np

from .arithmetic import log
from .compile import kernel


@kernel
def entropies(shares):
    """Entropy in nats of each row of `shares`, an array (N, K); returns (N,)."""
    found = np.zeros(len(shares))
    for n in range(len(shares)):
        for c in range(shares.shape[1]):
            if shares[n, c] > 0.0:
                found[n] -= shares[n, c] * log(shares[n, c])
    return found
