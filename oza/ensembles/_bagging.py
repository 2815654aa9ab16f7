"""Batch bagging (thesis Figures 2.6 and 3.1) and online bagging (Figure 3.3), as kernels."""

import numpy as np

from .._compile import kernel
from .._random import integer_below, poisson_each, row_key
from ..models._verbs import classify_now_each, learn_batch_each, learn_each


@kernel
def bagging(models, n_models, examples, labels, weights, key):
    """Each model learns a sample of N examples, drawn with replacement."""
    samples = np.empty((n_models, len(labels)), np.int32)
    for m in range(n_models):
        sample_with_replacement(samples[m], row_key(key, m))
    learn_batch_each(models, examples, labels, weights, samples)


@kernel
def sample_with_replacement(sample, row):
    """List in `sample` N draws from N examples, in the order of the draws."""
    n_examples = len(sample)
    for draw in range(n_examples):
        sample[draw] = integer_below(n_examples, row, draw)


@kernel
def online_bagging(models, n_models, examples, labels, means, key, n_seen):
    """Each model learns each arriving example k times, k drawn from Poisson(1)."""
    copies = np.empty(n_models)
    for n in range(len(labels)):
        poisson_each(means[n], row_key(key, n_seen + n), copies)
        learn_each(models, examples, n, labels[n], copies)


@kernel
def online_bagging_prequential(models, n_models, n_classes, examples, labels, means, key, n_seen):
    """Online bagging that votes on each arriving example before its models learn it."""
    predicted = np.empty(len(labels), np.int64)
    votes = np.empty(n_models, np.int32)
    copies = np.empty(n_models)
    for n in range(len(labels)):
        classify_now_each(models, examples, n, votes)
        predicted[n] = most_voted(votes, n_classes)
        poisson_each(means[n], row_key(key, n_seen + n), copies)
        learn_each(models, examples, n, labels[n], copies)
    return predicted


@kernel
def most_voted(votes, n_classes):
    """Class with the most votes, the first of those that tie."""
    winner = 0
    most = 0
    for c in range(n_classes):
        count = 0
        for m in range(len(votes)):
            count += votes[m] == c
        if count > most:
            winner, most = c, count
    return winner
