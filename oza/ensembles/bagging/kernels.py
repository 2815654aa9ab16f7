"""Batch bagging (thesis Figures 2.6, 3.1), online (3.3) and fixed-fraction bagging (2.13), as kernels."""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import classify_each, learn_batch_each, learn_each, learn_run
from ...kernels.compile import Operation, implements, kernel
from ...kernels.random import draw_in_row, integer_below, poisson_each, row_key, uniform
from ..algorithm import step, winner, winner_by_count
from ..blocks import close_block, learn_block, open_block


@kernel
def bagging(models, n_models, examples, labels, weights, key):
    """Train each model on N examples drawn with replacement; returns the samples, int32 (M, N)."""
    samples = draw_samples(n_models, len(labels), key)
    learn_batch_each(models, examples, labels, weights, samples)
    return samples


@kernel
def draw_samples(n_models, n_examples, key):
    """Indices of the examples that each model learns, int32 (M, N)."""
    samples = np.empty((n_models, n_examples), np.int32)
    for m in range(n_models):
        sample_with_replacement(samples[m], row_key(key, m))
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


class FixedFractionBagging(NamedTuple):
    """State of fixed-fraction bagging of M models, with buffers for one example."""

    out_of_bag: OutOfBag | None  # None if errors are not measured
    copies: np.ndarray  # (M,) buffer
    labels: np.ndarray  # (M,) int32: buffer
    probability: float


@Operation
def draw_copies(bagging, weight, row):
    """Draw into `bagging.copies` how often each model trains on an example; `row` is the key of the draws."""
    raise NotImplementedError


@implements(draw_copies, OnlineBagging)
def draw_poisson_copies(bagging, weight, row):
    """Draw the number of copies for each model from a Poisson distribution whose mean is the weight."""
    poisson_each(weight, row, bagging.copies)


@implements(draw_copies, FixedFractionBagging)
def draw_or_skip(bagging, weight, row):
    """Train each model on the example with the same probability."""
    for m in range(len(bagging.copies)):
        bagging.copies[m] = weight if uniform(draw_in_row(row, m)) < bagging.probability else 0.0


@implements(step, FixedFractionBagging)
@implements(step, OnlineBagging)
def learn_copies(bagging, models, examples, n, label, weight, row):
    """Train each model k times on the arriving example, k drawn for each."""
    draw_copies(bagging, weight, row)
    test_out_of_bag(models, bagging.out_of_bag, examples, n, label, weight, bagging.copies)
    learn_each(models, examples, n, label, bagging.copies)


implements(winner, FixedFractionBagging)(winner_by_count)
implements(winner, OnlineBagging)(winner_by_count)


# The same in blocks


class BaggedBlock(NamedTuple):
    """Buffers for N examples."""

    copies: np.ndarray  # (M, N) how often each model trains on each example
    before: np.ndarray  # (M, N) int32: class indices by each model before each; (M, 0) without votes


@implements(open_block, FixedFractionBagging)
@implements(open_block, OnlineBagging)
def _open_block(bagging, n_classes, weights, key, n_seen):
    copies = np.empty((len(bagging.copies), len(weights)))
    for n in range(len(weights)):
        draw_copies(bagging, weights[n], row_key(key, n_seen + n))
        for m in range(len(copies)):
            copies[m, n] = bagging.copies[m]
    return BaggedBlock(copies, np.empty((len(copies), len(weights) if n_classes > 0 else 0), np.int32))


@implements(learn_block, FixedFractionBagging)
@implements(learn_block, OnlineBagging)
def _learn_block(bagging, models, first, end, examples, labels, weights, block):
    for m in range(first, end):
        learn_run(models, m, examples, labels, block.copies[m], block.before[m], None, None)


@implements(close_block, FixedFractionBagging)
@implements(close_block, OnlineBagging)
def _close_block(bagging, models, n_classes, examples, labels, weights, block, n_seen, predicted):
    for n in range(len(predicted)):
        for m in range(len(block.before)):
            bagging.labels[m] = block.before[m, n]
        predicted[n] = winner(bagging, bagging.labels, n_classes)


# Out-of-bag errors


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
