"""Votes of M base models, each with one vote or with a weight."""

import numpy as np

from .._compile import kernel
from ..models._verbs import classify_stretch, prepare

_STRETCH = 64  # examples that are classified together


@kernel
def count_votes(models, n_models, n_classes, examples):
    """Votes for each class, (N, K) int64; a model that has learned nothing casts none."""
    n_examples = len(examples.codes)
    votes = np.zeros((n_examples, n_classes), np.int64)
    labels = np.empty((_STRETCH, n_models), np.int32)
    prepared = prepare(models)
    for first in range(0, n_examples, _STRETCH):
        n_now = min(_STRETCH, n_examples - first)
        classify_stretch(prepared, examples, first, labels[:n_now])
        for i in range(n_now):
            for c in range(n_classes):
                for m in range(n_models):
                    votes[first + i, c] += labels[i, m] == c
    return votes


@kernel
def weigh_votes(models, n_models, weights, n_classes, examples):
    """Sum of the first models' vote weights for each class, (N, K), added up one after the other."""
    n_examples = len(examples.codes)
    votes = np.zeros((n_examples, n_classes))
    labels = np.empty((_STRETCH, n_models), np.int32)
    prepared = prepare(models)
    for first in range(0, n_examples, _STRETCH):
        n_now = min(_STRETCH, n_examples - first)
        classify_stretch(prepared, examples, first, labels[:n_now])
        for i in range(n_now):
            for m in range(len(weights)):
                if labels[i, m] >= 0:
                    votes[first + i, labels[i, m]] += weights[m]
    return votes


@kernel
def labels_of_each(models, n_models, examples):
    """Class index that each model gives to each example, (N, M) int32."""
    labels = np.empty((len(examples.codes), n_models), np.int32)
    prepared = prepare(models)
    for first in range(0, len(labels), _STRETCH):
        classify_stretch(prepared, examples, first, labels[first : first + _STRETCH])
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
