"""Votes: the sum for each class of what the base models give to it, and the winner, the first in a tie.

A base model votes for its class index, and one that has not been trained, −1, does not vote. Votes are
counted, one for each model, or weighed. With output codes, (M, K), a model classifies one bit and votes for
every class that has this bit in its code; without, `codes` is empty.
"""

import numpy as np

from ..kernels.compile import kernel


@kernel
def count_votes(labels, n_classes):
    """Number of votes for each class, (N, K); `labels` has shape (N, M)."""
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
def count_winner(labels, n_classes):
    """Class with the most votes; `labels` has shape (M,)."""
    winning = 0
    most = 0
    for c in range(n_classes):
        count = 0
        for m in range(len(labels)):
            count += labels[m] == c
        if count > most:
            winning, most = c, count
    return winning


@kernel
def weigh_votes(labels, weights, codes, n_classes):
    """Sum of the vote weights for each class, (N, K); `labels` is (N, M), `weights` of the first m models.

    Votes that all count 1 are counted, which gives the same sums up to four times as fast.
    """
    if len(weights) == labels.shape[1] and len(codes) == 0 and np.all(weights == 1.0):
        return count_votes(labels, n_classes)
    votes = np.zeros((len(labels), n_classes))
    for n in range(len(labels)):
        for m in range(len(weights)):
            add_vote(votes[n], weights[m], labels[n, m], codes, m)
    return votes


@kernel
def weigh_winner(labels, weights, n_classes):
    """Class with the largest sum of vote weights; `labels` and `weights` have shape (M,)."""
    votes = np.zeros(n_classes)
    for m in range(len(weights)):
        if labels[m] >= 0:
            votes[labels[m]] += weights[m]
    return votes.argmax()


@kernel
def add_vote(votes, weight, label, codes, m):
    """Add the vote of model `m` to `votes`, (K,)."""
    if len(codes) == 0:
        if label >= 0:
            votes[label] += weight
        return
    for c in range(len(votes)):
        if codes[m, c] == label:
            votes[c] += weight


@kernel
def add_shares(votes, weight, shares, codes, m):
    """Add the class probabilities `shares` of model `m` to `votes`, (K,); with codes, those of its bits."""
    for c in range(len(votes)):
        votes[c] += weight * shares[c if len(codes) == 0 else codes[m, c]]


@kernel
def set_equal_if_all_zero(weights):
    """Let all models vote alike where no vote weight is positive."""
    if not weights.any():
        weights[:] = 1.0
