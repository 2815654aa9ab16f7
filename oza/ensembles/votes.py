"""Votes of M base models, counted from their class indices."""

import numpy as np

from ..kernels.compile import kernel


@kernel
def count_votes(labels, n_classes):
    """Number of votes for each class, (N, K); a label of −1 is no vote. `labels` has shape (N, M)."""
    n_examples, n_models = labels.shape
    votes = np.zeros((n_examples, n_classes))
    for n in range(n_examples):
        for c in range(n_classes):
            count = 0
            for m in range(n_models):
                count += labels[n, m] == c
            votes[n, c] = count
    return votes


@kernel
def weigh_votes(labels, weights, n_classes):
    """Sum of the vote weights for each class, (N, K); `labels` is (N, M), `weights` of the first m models."""
    votes = np.zeros((len(labels), n_classes))
    for n in range(len(labels)):
        for m in range(len(weights)):
            if labels[n, m] >= 0:
                votes[n, labels[n, m]] += weights[m]
    return votes
