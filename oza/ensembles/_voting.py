"""Votes of M base models, each with one vote or with a weight."""

import numpy as np

from .._compile import kernel
from ..models._verbs import classify_each, prepare


@kernel
def count_votes(models, n_models, n_classes, examples):
    """Votes for each class, (N, K) int64; a model that has learned nothing casts none."""
    n_examples = len(examples.codes)
    votes = np.zeros((n_examples, n_classes), np.int64)
    labels = np.empty(n_models, np.int32)
    prepared = prepare(models)
    for n in range(n_examples):
        classify_each(prepared, examples, n, labels)
        for c in range(n_classes):
            for m in range(n_models):
                votes[n, c] += labels[m] == c
    return votes


@kernel
def weigh_votes(models, n_models, weights, n_classes, examples):
    """Sum of the first models' vote weights for each class, (N, K), added up one after the other."""
    n_examples = len(examples.codes)
    votes = np.zeros((n_examples, n_classes))
    labels = np.empty(n_models, np.int32)
    prepared = prepare(models)
    for n in range(n_examples):
        classify_each(prepared, examples, n, labels)
        for m in range(len(weights)):
            if labels[m] >= 0:
                votes[n, labels[m]] += weights[m]
    return votes


@kernel
def labels_of_each(models, n_models, examples):
    """Class index that each model gives to each example, (N, M) int32."""
    labels = np.empty((len(examples.codes), n_models), np.int32)
    prepared = prepare(models)
    for n in range(len(labels)):
        classify_each(prepared, examples, n, labels[n])
    return labels


@kernel
def votes_of_the_first(labels, weights, n_classes):
    """The sums of `weigh_votes` from labels already known."""
    votes = np.zeros((len(labels), n_classes))
    for n in range(len(labels)):
        for m in range(len(weights)):
            if labels[n, m] >= 0:
                votes[n, labels[n, m]] += weights[m]
    return votes
