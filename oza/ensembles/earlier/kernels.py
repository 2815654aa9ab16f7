"""Earlier ensembles for examples that arrive one by one, as kernels.

Arc-x4 and boosting in blocks (thesis Figure 2.9) are Breiman's; Fern and Givan made Arc-x4 online (2.16).
"""

from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import classify, learn_batch, learn_scaled, reset
from ...columns.examples import Examples
from ...columns.validation import EXACT_BELOW
from ...kernels.compile import implements, kernel
from ...kernels.random import draw_in_row, uniform
from ..algorithm import settle, step, winner, winner_by_count
from ..votes import count_winner


class Arcing(NamedTuple):
    """Statistics of online Arc-x4 about M models."""

    learned: np.ndarray  # (M,) weight of the examples that model m learned
    bounded: np.ndarray  # (M,) int64: number of these weights that were bounded
    tested: np.ndarray  # (1,) weight of the examples so far, not multiplied by 1 + e⁴
    wrong: np.ndarray  # (M,) and of those that model m misclassified


class OnlineArcX4(NamedTuple):
    """State of online Arc-x4 of M models, with a buffer for one example."""

    arcing: Arcing
    tests_first: bool
    most_copies: float
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, OnlineArcX4)
def online_arc_x4(algorithm, models, examples, n, label, weight, row):
    """Train each model on the example with weight 1 + e⁴, where e of the models before it are wrong."""
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


implements(winner, OnlineArcX4)(winner_by_count)


class Blocks(NamedTuple):
    """State of boosting in blocks, with the block of up to B examples that is being filled."""

    n_full: np.ndarray  # (1,) int64: number of models that have been trained on their block
    met: np.ndarray  # (M,) int64: number of examples that arrived while the block of model m was filled
    wrong: np.ndarray  # (M,) int64: of these, the number that the vote of the earlier models misclassified
    n_learned: np.ndarray  # (M,) int64: of these, the number in the block of model m
    error: np.ndarray  # (M,) share that the vote misclassified, smoothed from block to block
    tested: np.ndarray  # (M,) weight of the examples after the block of model m
    missed: np.ndarray  # (M,) and of those that model m misclassified
    codes: Annotated[np.ndarray, "B, A", "codes"]  # int32: the examples of the block,
    numbers: Annotated[np.ndarray, "B, D", "any"]
    block_labels: Annotated[np.ndarray, "B", "labels"]  # int64: their classes
    weights: Annotated[np.ndarray, "B"]  # and weights
    labels: Annotated[np.ndarray, "M", "buffer"]  # int32
    n_classes: int


@implements(step, Blocks)
def blocked_boosting(blocks, models, examples, n, label, weight, row):
    """Add the example to the block of the next model, or skip it; train on the block when it is full."""
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
        is_wrong = count_winner(blocks.labels[:m], blocks.n_classes) != label
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
            learn_boosting_block(models, m, blocks)
            blocks.n_full[0] += 1


implements(winner, Blocks)(winner_by_count)


@implements(settle, Blocks)
def _settle(blocks, models):
    """While the first block is not full, train the first model on what it holds so far."""
    if blocks.n_full[0] == 0:
        learn_boosting_block(models, 0, blocks)


@kernel
def learn_boosting_block(models, m, blocks):
    """Reset model `m`, and train it on the examples of its block so far."""
    reset(models, m)
    n = blocks.n_learned[m]
    examples = Examples(blocks.codes[:n], blocks.numbers[:n])
    everything = np.arange(n, dtype=np.int32)
    learn_batch(models, m, examples, blocks.block_labels[:n], blocks.weights[:n], everything)
