"""Earlier ensembles for examples that arrive one by one, as kernels.

Fixed-fraction bagging (thesis Figure 2.13) and online Arc-x4 (Figure 2.16) by Fern and Givan, and
boosting in blocks (Figure 2.9) by Breiman.
"""

from typing import NamedTuple

import numpy as np

from .._compile import kernel
from .._random import draw, draw_in_row, row_key, uniform
from .._schema import Examples
from .._validation import EXACT_BELOW
from ..models._verbs import classify, learn_batch, learn_each, learn_scaled
from ._bagging import most_voted, test_out_of_bag


@kernel
def fixed_fraction_bagging(models, n_models, out_of_bag, examples, labels, weights, probability, key, n_seen):
    """Each model learns each arriving example with the same probability."""
    shares = np.empty(n_models)
    for n in range(len(labels)):
        row = row_key(key, n_seen + n)
        for m in range(n_models):
            shares[m] = weights[n] if uniform(draw_in_row(row, m)) < probability else 0.0
        if out_of_bag is not None:
            test_out_of_bag(models, out_of_bag, examples, n, labels[n], weights[n], shares)
        learn_each(models, examples, n, labels[n], shares)


@kernel
def online_arc_x4(models, arcing, examples, labels, weights, test_first, most_copies):
    """Each model learns each example with weight 1 + e⁴, e of the models before it being wrong."""
    for n in range(len(labels)):
        errors = 0.0
        arcing.tested[0] += weights[n]
        for m in range(len(arcing.learned)):
            wanted = weights[n] * (1.0 + errors * errors * errors * errors)
            weight = min(wanted, min(most_copies, EXACT_BELOW - arcing.learned[m]))
            arcing.learned[m] += weight
            arcing.bounded[m] += weight < wanted
            before = classify(models, m, examples, n) if test_first else -1
            learn_scaled(models, m, examples, n, labels[n], weight)
            label = before if test_first else classify(models, m, examples, n)
            is_wrong = label != labels[n]
            errors += is_wrong
            arcing.wrong[m] += weights[n] * is_wrong


class Arcing(NamedTuple):
    """What online Arc-x4 knows of M models."""

    learned: np.ndarray  # (M,) weight of the examples that model m learned
    bounded: np.ndarray  # (M,) int64: how many of these weights were bounded
    tested: np.ndarray  # (1,) weight, before it was multiplied, of the examples so far
    wrong: np.ndarray  # (M,) that of those which model m got wrong


@kernel
def blocked_boosting(models, blocks, n_classes, examples, labels, weights, key, n_seen):
    """Each model learns a block of the next examples, half of them wrong by the vote of the earlier."""
    votes = np.empty(len(blocks.met), np.int32)
    for n in range(len(labels)):
        m = blocks.n_full[0]
        if m == len(blocks.met):
            return
        if weights[n] == 0.0:
            continue
        blocks.met[m] += 1
        keep = True
        if m > 0:
            for earlier in range(m):
                votes[earlier] = classify(models, earlier, examples, n)
                blocks.tested[earlier] += weights[n]
                blocks.missed[earlier] += weights[n] * (votes[earlier] != labels[n])
            is_wrong = most_voted(votes[:m], n_classes) != labels[n]
            blocks.wrong[m] += is_wrong
            e = blocks.wrong[m] / blocks.met[m]
            if m > 1:
                e = 0.75 * blocks.error[m - 1] + 0.25 * e
            blocks.error[m] = e
            keep = is_wrong or uniform(draw(key, n_seen + n, m)) < e / (1.0 - e)
        if keep:
            place = blocks.kept[m]
            blocks.codes[place] = examples.codes[n]
            blocks.numbers[place] = examples.numbers[n]
            blocks.labels[place] = labels[n]
            blocks.weights[place] = weights[n]
            blocks.kept[m] += 1
            if blocks.kept[m] == len(blocks.labels):
                learn_block(models, m, blocks)
                blocks.n_full[0] += 1
    m = blocks.n_full[0]
    if m == 0:
        learn_block(models, m, blocks)


@kernel
def learn_block(models, m, blocks):
    """Let model `m`, which has learned nothing yet, learn what its block holds so far."""
    n = blocks.kept[m]
    examples = Examples(blocks.codes[:n], blocks.numbers[:n])
    learn_batch(models, m, examples, blocks.labels[:n], blocks.weights[:n], np.arange(n, dtype=np.int32))


class Blocks(NamedTuple):
    """How far boosting in blocks has come, and the block of N examples that is being filled."""

    n_full: np.ndarray  # (1,) int64: how many models have learned their block
    met: np.ndarray  # (M,) int64: examples that came by while model m's block was filled
    wrong: np.ndarray  # (M,) int64: those of them that the earlier models' vote got wrong
    kept: np.ndarray  # (M,) int64: those that model m learned
    error: np.ndarray  # (M,) share that the vote got wrong, smoothed from block to block
    tested: np.ndarray  # (M,) weight of the examples that came after model m's block
    missed: np.ndarray  # (M,) that of those which model m got wrong
    codes: np.ndarray  # (N, A) int32: the examples,
    numbers: np.ndarray  # (N, D)
    labels: np.ndarray  # (N,) int64: their classes
    weights: np.ndarray  # (N,) and weights
