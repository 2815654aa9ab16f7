"""Batch bagging (thesis Figures 2.6 and 3.1) and online bagging (Figure 3.3), as kernels."""

from typing import NamedTuple

import numpy as np

from .._compile import implements, kernel
from .._random import integer_below, poisson_each, row_key
from ..models.contract import classify_each, learn_batch_each, learn_each
from ..models.online import step


@kernel
def bagging(models, n_models, examples, labels, weights, key):
    """Each model learns a sample of N examples, drawn with replacement."""
    samples = np.empty((n_models, len(labels)), np.int32)
    for m in range(n_models):
        sample_with_replacement(samples[m], row_key(key, m))
    learn_batch_each(models, examples, labels, weights, samples)
    return samples


@kernel
def sample_with_replacement(sample, row):
    """List in `sample` N draws from N examples, in the order of the draws."""
    n_examples = len(sample)
    for draw in range(n_examples):
        sample[draw] = integer_below(n_examples, row, draw)


class OutOfBag(NamedTuple):
    """How M models did on examples that they were not given."""

    tested: np.ndarray  # (M,) weight of the examples that model m was not given,
    wrong: np.ndarray  # (M,) and of those that it got wrong
    voted: np.ndarray  # (K,) weight of the examples of each class on which some such model voted,
    right: np.ndarray  # (K,) and of those that their vote got right


class OnlineBagging(NamedTuple):
    """What online bagging knows of M models, and room for one example."""

    out_of_bag: OutOfBag | None  # if errors are to be measured
    copies: np.ndarray  # (M,)
    labels: np.ndarray  # (M,) int32


@implements(step, OnlineBagging)
def online_bagging(bagging, models, examples, n, label, weight, row):
    """Each model learns the arriving example k times, k drawn from Poisson(1)."""
    poisson_each(weight, row, bagging.copies)  # 1.1, for all models at once
    test_out_of_bag(models, bagging.out_of_bag, examples, n, label, weight, bagging.copies)
    learn_each(models, examples, n, label, bagging.copies)  # 1.2


def new_out_of_bag(n_models, n_classes):
    """Nothing tested yet."""
    return OutOfBag(*np.zeros((2, n_models)), *np.zeros((2, n_classes)))


@kernel
def test_out_of_bag(models, out_of_bag, examples, n, label, weight, copies):
    """Test the models that are to learn no copy of an example on it, if errors are to be measured."""
    if out_of_bag is not None:
        votes = np.empty(len(copies), np.int32)
        classify_each(models, examples, n, votes)
        count_out_of_bag(out_of_bag, votes, label, weight, copies)


@kernel
def count_out_of_bag(out_of_bag, votes, label, weight, copies):
    """Note how the models that learn no copy of an example did on it: each one, and their vote."""
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
    """The same for a training set, of which each model learned a sample."""
    is_drawn = np.zeros(votes.shape, np.bool_)
    for m in range(len(samples)):
        for n in samples[m]:
            is_drawn[n, m] = True
    for n in range(len(labels)):
        count_out_of_bag(out_of_bag, votes[n], labels[n], weights[n], is_drawn[n])
