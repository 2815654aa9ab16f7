"""Batch bagging (thesis Figures 2.6 and 3.1) and online bagging (Figure 3.3), as kernels."""

from typing import NamedTuple

import numpy as np

from .._compile import implements, kernel
from .._random import integer_below, poisson_each, row_key
from ..models.contract import classify_each, learn_batch_each, learn_each
from ..models.online import step


@kernel
def bagging(models, n_models, examples, labels, weights, key):
    """Let each model learn N examples drawn with replacement; returns the samples, int32 (M, N)."""
    samples = np.empty((n_models, len(labels)), np.int32)
    for m in range(n_models):
        sample_with_replacement(samples[m], row_key(key, m))
    learn_batch_each(models, examples, labels, weights, samples)
    return samples


@kernel
def sample_with_replacement(sample, row):
    """Fill `sample`, int32 of shape (N,), with N draws from N examples; `row` is the key of the draws."""
    n_examples = len(sample)
    for draw in range(n_examples):
        sample[draw] = integer_below(n_examples, row, draw)


class OutOfBag(NamedTuple):
    """Results of M models on their out-of-bag examples."""

    tested: np.ndarray  # (M,) weight of the examples that are out of bag for model m,
    wrong: np.ndarray  # (M,) and of those that it misclassified
    voted: np.ndarray  # (K,) by class, weight of the examples with at least one out-of-bag vote,
    right: np.ndarray  # (K,) and of those that this vote classified correctly


class OnlineBagging(NamedTuple):
    """State of online bagging of M models, with buffers for one example."""

    out_of_bag: OutOfBag | None  # None if errors are not measured
    copies: np.ndarray  # (M,) buffer
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, OnlineBagging)
def online_bagging(bagging, models, examples, n, label, weight, row):
    """Let each model learn the arriving example k times, k drawn from Poisson(1)."""
    poisson_each(weight, row, bagging.copies)  # 1.1, for all models at once
    test_out_of_bag(models, bagging.out_of_bag, examples, n, label, weight, bagging.copies)
    learn_each(models, examples, n, label, bagging.copies)  # 1.2


def new_out_of_bag(n_models, n_classes):
    """Initial state: nothing has been tested."""
    return OutOfBag(*np.zeros((2, n_models)), *np.zeros((2, n_classes)))


@kernel
def test_out_of_bag(models, out_of_bag, examples, n, label, weight, copies):
    """Test the models that learn no copy of an example on it; a no-op if `out_of_bag` is None."""
    if out_of_bag is not None:
        votes = np.empty(len(copies), np.int32)
        classify_each(models, examples, n, votes)
        count_out_of_bag(out_of_bag, votes, label, weight, copies)


@kernel
def count_out_of_bag(out_of_bag, votes, label, weight, copies):
    """Count the results of the models that learn no copy of an example: of each, and of their vote.

    `votes` are their class indices, (M,), −1 for none, `copies` (M,) what each model learns.
    """
    tested, wrong, voted, right = out_of_bag
    n_votes = np.zeros(len(voted), np.int64)
    for m in range(len(tested)):
        if not copies[m]:
            tested[m] += weight
            if votes[m] != label:
                wrong[m] += weight
            if votes[m] >= 0:
                n_votes[votes[m]] += 1
    if n_votes.any():
        voted[label] += weight
        if n_votes.argmax() == label:
            right[label] += weight


@kernel
def count_out_of_samples(out_of_bag, votes, labels, weights, samples):
    """Count out-of-bag results on a training set; `votes` is (N, M), `samples` (M, N) as by `bagging`."""
    is_drawn = np.zeros(votes.shape, np.bool_)
    for m in range(len(samples)):
        for n in samples[m]:
            is_drawn[n, m] = True
    for n in range(len(labels)):
        count_out_of_bag(out_of_bag, votes[n], labels[n], weights[n], is_drawn[n])
