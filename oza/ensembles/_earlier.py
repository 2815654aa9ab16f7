"""Earlier ensembles for examples that arrive one by one, as kernels.

Fixed-fraction bagging (thesis Figure 2.13) and online Arc-x4 (Figure 2.16) by Fern and Givan, and
boosting in blocks (Figure 2.9) by Breiman.
"""

from typing import NamedTuple

import numpy as np

from .._compile import implements, kernel
from .._random import draw_in_row, uniform
from .._schema import Examples
from .._validation import EXACT_BELOW
from ..models.contract import classify, learn_batch, learn_each, learn_scaled, reset
from ..models.online import most_voted, settle, step
from ._bagging import OutOfBag, test_out_of_bag


class FixedFractionBagging(NamedTuple):
    """What fixed-fraction bagging knows of M models, and room for one example."""

    out_of_bag: OutOfBag | None  # if errors are to be measured
    probability: float
    shares: np.ndarray  # (M,)
    labels: np.ndarray  # (M,) int32


@implements(step, FixedFractionBagging)
def fixed_fraction_bagging(bagging, models, examples, n, label, weight, row):
    """Each model learns the arriving example with the same probability."""
    for m in range(len(bagging.shares)):
        bagging.shares[m] = weight if uniform(draw_in_row(row, m)) < bagging.probability else 0.0
    test_out_of_bag(models, bagging.out_of_bag, examples, n, label, weight, bagging.shares)
    learn_each(models, examples, n, label, bagging.shares)


class Arcing(NamedTuple):
    """What online Arc-x4 knows of M models."""

    learned: np.ndarray  # (M,) weight of the examples that model m learned
    bounded: np.ndarray  # (M,) int64: how many of these weights were bounded
    tested: np.ndarray  # (1,) weight, before it was multiplied, of the examples so far
    wrong: np.ndarray  # (M,) that of those which model m got wrong


class OnlineArcX4(NamedTuple):
    """Online Arc-x4 of M models."""

    arcing: Arcing
    tests_first: bool
    most_copies: float
    labels: np.ndarray  # (M,) int32: room for one example


@implements(step, OnlineArcX4)
def online_arc_x4(algorithm, models, examples, n, label, weight, row):
    """Each model learns the example with weight 1 + e⁴, e of the models before it being wrong."""
    arcing = algorithm.arcing
    errors = 0.0  # 1
    arcing.tested[0] += weight
    for m in range(len(arcing.learned)):  # 2
        wanted = weight * (1.0 + errors * errors * errors * errors)
        bounded = min(wanted, min(algorithm.most_copies, EXACT_BELOW - arcing.learned[m]))
        arcing.learned[m] += bounded
        arcing.bounded[m] += bounded < wanted
        before = classify(models, m, examples, n) if algorithm.tests_first else -1
        learn_scaled(models, m, examples, n, label, bounded)  # 2.1
        answer = before if algorithm.tests_first else classify(models, m, examples, n)
        is_wrong = answer != label
        errors += is_wrong  # 2.2
        arcing.wrong[m] += weight * is_wrong


class Blocks(NamedTuple):
    """How far boosting in blocks has come, and the block of N examples that is being filled."""

    n_full: np.ndarray  # (1,) int64: how many models have learned their block
    met: np.ndarray  # (M,) int64: examples that came by while model m's block was filled
    wrong: np.ndarray  # (M,) int64: those of them that the earlier models' vote got wrong
    n_learned: np.ndarray  # (M,) int64: those that model m learned
    error: np.ndarray  # (M,) share that the vote got wrong, smoothed from block to block
    tested: np.ndarray  # (M,) weight of the examples that came after model m's block
    missed: np.ndarray  # (M,) that of those which model m got wrong
    codes: np.ndarray  # (N, A) int32: the examples,
    numbers: np.ndarray  # (N, D)
    block_labels: np.ndarray  # (N,) int64: their classes
    weights: np.ndarray  # (N,) and weights
    labels: np.ndarray  # (M,) int32: room for one example
    n_classes: int


@implements(step, Blocks)
def blocked_boosting(blocks, models, examples, n, label, weight, row):
    """Each model learns a block of the next examples, half of them wrong by the vote of the earlier."""
    m = blocks.n_full[0]
    if m == len(blocks.met) or weight == 0.0:
        return
    blocks.met[m] += 1
    keep = True
    if m > 0:
        for earlier in range(m):
            blocks.labels[earlier] = classify(models, earlier, examples, n)
            blocks.tested[earlier] += weight
            blocks.missed[earlier] += weight * (blocks.labels[earlier] != label)
        is_wrong = most_voted(blocks.labels[:m], blocks.n_classes) != label
        blocks.wrong[m] += is_wrong
        e = blocks.wrong[m] / blocks.met[m]
        if m > 1:
            e = 0.75 * blocks.error[m - 1] + 0.25 * e
        blocks.error[m] = e
        keep = is_wrong or uniform(draw_in_row(row, m)) < e / (1.0 - e)
    if keep:
        place = blocks.n_learned[m]
        blocks.codes[place] = examples.codes[n]
        blocks.numbers[place] = examples.numbers[n]
        blocks.block_labels[place] = label
        blocks.weights[place] = weight
        blocks.n_learned[m] += 1
        if blocks.n_learned[m] == len(blocks.block_labels):
            learn_block(models, m, blocks)
            blocks.n_full[0] += 1


@implements(settle, Blocks)
def _settle(blocks, models):
    """Learn what there is of the first block as though it were all, as long as it is not full."""
    if blocks.n_full[0] == 0:
        learn_block(models, 0, blocks)


@kernel
def learn_block(models, m, blocks):
    """Let model `m` begin anew and learn what its block holds so far."""
    reset(models, m)
    n = blocks.n_learned[m]
    examples = Examples(blocks.codes[:n], blocks.numbers[:n])
    everything = np.arange(n, dtype=np.int32)
    learn_batch(models, m, examples, blocks.block_labels[:n], blocks.weights[:n], everything)
