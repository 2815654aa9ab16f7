"""Grow a decision tree from a large leaf whose examples have numbers.

A gain ratio tends to split off a few examples from the rest, so a tree can be nearly as deep as it has
leaves. Then work for each node that is proportional to its examples would be quadratic in all. So the
columns are sorted once, and handed down: a few examples that are split off from the rest are taken out of
the sorted columns, where they leave gaps. Sums over blocks of a column bound the score of all tests in a
block, and blocks without a test that can be the best are passed over.

The tests are those of `choose_test`, bit for bit: class weights are exact sums, whatever the order; where
they would be rounded, nothing is grown here.
"""

from typing import NamedTuple

import numpy as np

from ...kernels.compile import kernel
from ...kernels.order import order_of
from ..class_weights import is_pure
from .restructure import divide_table, set_test
from .split import (
    best_nominal_test,
    is_certainly_worse,
    most_spread,
    numbers_of,
    score_of,
    scores_below,
    shift,
    spreads,
)
from .state import TABLE_FROM, double_capacity, has_capacity, log_of, new_leaf

GROW_FROM = 32  # examples of a leaf that is grown here
_BLOCK = 5  # 2⁵ positions are a block; 4 blocks of a level are one of the next
_FEW = 16  # a part of less than 1/16 of the positions is taken out, and sorted again if it is to be grown
_MOST_PARTS = 1024  # more than log(2³¹) / log(16/15)


class _Columns(NamedTuple):
    """Numeric columns of n examples, each in the order of its numbers; a node has a stretch of positions."""

    examples: np.ndarray  # (n,) int32: the examples, here called by their place in this array
    labels: np.ndarray  # (n,) int32
    weights: np.ndarray  # (n,)
    order: np.ndarray  # (D, n) int32: example at each position, −1 for a gap
    position: np.ndarray  # (D, n) int32: position of each example
    run: np.ndarray  # (D, n) int32: first position of the same node and number
    n_equal: np.ndarray  # (D, n) int32: at a first position, how many examples have that number
    sums: np.ndarray  # (D, blocks, K): class weights in each block of positions, all levels in a row
    first: np.ndarray  # (levels + 1,) int64: first block of each level
    passes: np.ndarray  # (n,) bool: buffer to mark examples in, all False
    left: np.ndarray  # (n,) int32: buffers
    right: np.ndarray  # (n,) int32


@kernel
def _sorted_columns(memory, tree, i):
    """The columns of the examples of leaf `i`."""
    n, n_columns = int(tree.nodes[i].n_examples), memory.numbers.shape[1]
    examples = np.empty(n, np.int32)
    e = tree.nodes[i].head
    for k in range(n):
        examples[k] = e
        e = tree.links[e]
    n_levels = 1
    while n >> (_BLOCK + 2 * n_levels) > 0:
        n_levels += 1
    first = np.zeros(n_levels + 1, np.int64)
    for level in range(n_levels):
        first[level + 1] = first[level] + (n >> (_BLOCK + 2 * level)) + 1
    columns = _Columns(
        examples,
        memory.labels[examples],
        tree.weights[examples],
        np.empty((n_columns, n), np.int32),
        np.empty((n_columns, n), np.int32),
        np.empty((n_columns, n), np.int32),
        np.empty((n_columns, n), np.int32),
        np.zeros((n_columns, first[n_levels], tree.counts.shape[1])),
        first,
        np.zeros(n, np.bool_),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
    )
    for d in range(n_columns):
        numbers = numbers_of(memory, d, examples)
        sequence = order_of(numbers)
        run = 0
        for p in range(n):
            if numbers[sequence[p]] != numbers[sequence[run]]:
                run = p
            columns.order[d, p] = sequence[p]
            columns.run[d, p] = run
    return columns


@kernel(counts=False)
def _number_runs(columns, d, start, stop):
    """Set what follows from the order and the old runs at positions without gaps; how many runs they are."""
    order, position, run, n_equal = columns.order, columns.position, columns.run, columns.n_equal
    n_runs = 0
    old, new = np.int32(-1), np.int32(-1)
    for p in range(start, stop):
        if run[d, p] != old:
            old, new = run[d, p], np.int32(p)
            n_equal[d, new] = 0
            n_runs += 1
        run[d, p] = new
        n_equal[d, new] += 1
        position[d, order[d, p]] = p
    return n_runs


@kernel(counts=False)
def _sum_blocks(columns, d, start, stop):
    """Sum the class weights in the blocks within these positions, which have no gaps."""
    order, labels, weights = columns.order, columns.labels, columns.weights
    sums, first, n_classes = columns.sums, columns.first, columns.sums.shape[2]
    for level in range(len(first) - 1):
        shift = _BLOCK + 2 * level
        for block in range((start + (1 << shift) - 1) >> shift, stop >> shift):
            for c in range(n_classes):
                sums[d, first[level] + block, c] = 0.0
            if level == 0:
                for p in range(block << shift, (block + 1) << shift):
                    k = order[d, p]
                    sums[d, block, labels[k]] += weights[k]
            else:
                for part in range(4 * block, 4 * block + 4):
                    for c in range(n_classes):
                        sums[d, first[level] + block, c] += sums[d, first[level - 1] + part, c]


@kernel(counts=False)
def _divide_columns(columns, start, stop, n_passing):
    """Move the examples that pass to the first of these positions, the others behind them, without gaps.

    Returns how many runs of equal numbers both parts have, and where the second one ends.
    """
    order, run, passes, left, right = columns.order, columns.run, columns.passes, columns.left, columns.right
    middle = start + n_passing
    n_runs_yes, n_runs_no, end = 0, 0, middle
    for d in range(len(order)):
        n_yes, n_no = start, 0
        for p in range(start, stop):
            k = order[d, p]
            if k >= 0:
                if passes[k]:
                    order[d, n_yes] = k
                    run[d, n_yes] = run[d, p]
                    n_yes += 1
                else:
                    left[n_no] = k
                    right[n_no] = run[d, p]
                    n_no += 1
        end = middle + n_no
        for k in range(n_no):
            order[d, middle + k] = left[k]
            run[d, middle + k] = right[k]
        n_runs_yes += _number_runs(columns, d, start, middle)
        n_runs_no += _number_runs(columns, d, middle, end)
        _sum_blocks(columns, d, start, middle)
        _sum_blocks(columns, d, middle, end)
    return n_runs_yes, n_runs_no, end


@kernel(counts=False)
def _take_out(columns, part, n):
    """Leave gaps where the examples of a part are; how many runs of equal numbers vanish."""
    order, position, run, n_equal = columns.order, columns.position, columns.run, columns.n_equal
    labels, weights, sums, first = columns.labels, columns.weights, columns.sums, columns.first
    n_runs = 0
    for d in range(len(order)):
        for j in range(n):
            k = part[j]
            p = position[d, k]
            order[d, p] = -1
            n_equal[d, run[d, p]] -= 1
            n_runs += n_equal[d, run[d, p]] == 0
            for level in range(len(first) - 1):
                sums[d, first[level] + (p >> (_BLOCK + 2 * level)), labels[k]] -= weights[k]
    return n_runs


@kernel(counts=False)
def _best_number(models, counts, i, columns, d, start, stop, least, passing, after):
    """Score of the best test of column `d` at node `i`, and the position of its threshold.

    Tests that score less than `least` need not be found.
    """
    logs, gain_ratio, n_classes = models.logs, models.gain_ratio, counts.shape[1]
    order, run, labels, weights = columns.order, columns.run, columns.labels, columns.weights
    sums, first = columns.sums, columns.first
    total, whole, spread = spreads(logs, counts, i)
    most, inside, yes, n_shifts = most_spread(whole, spread, n_classes), whole - spread, 0.0, 0
    best, best_position = -1.0, -1
    passing[:] = 0.0
    p = start
    last = -1  # position of the example before, unless that was passed over
    while p < stop:
        following = min(((p >> _BLOCK) + 1) << _BLOCK, stop)
        is_worse = False
        if least > 0.0:
            for level in range(len(first) - 2, -1, -1):
                size = 1 << (_BLOCK + 2 * level)
                if size >= n_classes and p & (size - 1) == 0 and p + size <= stop:
                    block = first[level] + (p >> (_BLOCK + 2 * level))
                    for c in range(n_classes):
                        after[0, c, 0] = passing[0, c, 0] + sums[d, block, c]
                    is_worse = is_certainly_worse(
                        logs, gain_ratio, counts, i, total, whole, spread, passing, after, least
                    )
                    if is_worse:
                        following = p + size
                        break
        if is_worse:
            inside, yes, n_shifts = 0.0, 0.0, 0
            for c in range(n_classes):
                passing[0, c, 0] = after[0, c, 0]
                no = counts[i, c] - after[0, c, 0]
                yes += after[0, c, 0]
                inside += after[0, c, 0] * log_of(logs, after[0, c, 0]) + no * log_of(logs, no)
            last = -1
        else:
            for q in range(p, following):
                k = order[d, q]
                if k < 0:
                    continue
                if (
                    last >= 0
                    and run[d, q] != run[d, last]
                    and not (
                        least > 0.0
                        and scores_below(logs, gain_ratio, total, whole, most, inside, n_shifts, yes, least)
                    )
                ):
                    score, _, _ = score_of(logs, gain_ratio, counts, i, whole, spread, total, passing, 0, 0)
                    if score > best:
                        best, best_position = score, last
                        least = max(least, best)
                inside += shift(logs, counts, i, labels[k], weights[k], passing)
                yes += weights[k]
                n_shifts += 1
                last = q
        p = following
    return best, best_position


@kernel(counts=False)
def _smaller_part(memory, columns, starts, stops, attribute, value, last_to_pass):
    """Size of the smaller part by a test, and whether it passes.

    Its examples are written into `left` if it passes, else into `right`.
    """
    order, run, left, right = columns.order, columns.run, columns.left, columns.right
    n_nominal = len(memory.columns)
    n_left, n_right = 0, 0
    if attribute < n_nominal:
        for p in range(starts[0], stops[0]):
            k = order[0, p]
            if k >= 0:
                if memory.columns[attribute, columns.examples[k]] == value:
                    left[n_left] = k
                    n_left += 1
                else:
                    right[n_right] = k
                    n_right += 1
        return min(n_left, n_right), n_left < n_right
    d = attribute - n_nominal
    p, q = starts[d], stops[d] - 1
    while True:
        while order[d, p] < 0:
            p += 1
        if run[d, p] > run[d, last_to_pass]:
            return n_left, True
        left[n_left] = order[d, p]
        n_left += 1
        p += 1
        while order[d, q] < 0:
            q -= 1
        if run[d, q] <= run[d, last_to_pass]:
            return n_right, False
        right[n_right] = order[d, q]
        n_right += 1
        q -= 1


@kernel(counts=False)
def _link(tree, columns, i, part, start, stop):
    """Give leaf `i` the examples of a part of the columns, which may have gaps."""
    node, links = tree.nodes[i], tree.links
    node.head = -1
    for p in range(stop - 1, start - 1, -1):
        if part[p] >= 0:
            e = columns.examples[part[p]]
            links[e] = node.head
            node.head = e


@kernel(counts=False)
def _choose(models, memory, tree, i, columns, starts, stops, n_runs, passing, after):
    """What `choose_test` returns, and the position of the threshold."""
    if is_pure(tree.counts, i):
        return -1, -1, 0.0, 0, -1
    n_nominal = len(memory.columns)
    best, attribute, value, n_tests = best_nominal_test(models, memory, tree, i)
    position = -1
    nominal_first = False
    for j in range(len(models.order)):
        one = models.order[j]
        if one < n_nominal:
            nominal_first |= one == attribute
            continue
        d = one - n_nominal
        while columns.order[d, starts[d]] < 0:
            starts[d] += 1
        while columns.order[d, stops[d] - 1] < 0:
            stops[d] -= 1
        score, row = _best_number(
            models, tree.counts, i, columns, d, starts[d], stops[d], best, passing, after
        )
        if score > best or (score == best and value >= 0 and not nominal_first):
            best, attribute, value, position = score, one, -1, row
    threshold = 0.0
    if position >= 0:
        d = attribute - n_nominal
        threshold = memory.numbers[columns.examples[columns.order[d, position]], d]
    return attribute, value, threshold, n_tests + n_runs - len(starts), position


@kernel
def grow(models, m, leaf):
    """Grow the subtree of a leaf of tree `m`; leaves of few examples stay to be updated."""
    memory, tree = models.memory[0], models.trees[m]
    n_classes, n_columns = tree.counts.shape[1], memory.numbers.shape[1]
    waiting = np.empty(tree.nodes[leaf].n_examples // GROW_FROM + 1, np.int32)
    waiting[0] = leaf
    n_waiting = 1
    parts = np.empty((_MOST_PARTS, 4), np.int32)  # node, its positions from and to, runs of equal numbers
    starts, stops = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64)
    passing, after = np.empty((1, n_classes, 1)), np.empty((1, n_classes, 1))
    while n_waiting > 0:
        n_waiting -= 1
        i = waiting[n_waiting]
        columns = _sorted_columns(memory, tree, i)
        start = 0
        _, n_runs, stop = _divide_columns(columns, start, len(columns.examples), 0)
        n_parts = 0
        while True:
            starts[:] = start
            stops[:] = stop
            while True:
                if not has_capacity(tree):
                    double_capacity(models, m)
                    tree = models.trees[m]
                nodes, counts = tree.nodes, tree.counts
                attribute, value, threshold, n_tests, position = _choose(
                    models, memory, tree, i, columns, starts, stops, n_runs, passing, after
                )
                set_test(nodes, i, attribute, value, threshold, n_tests)
                if attribute < 0:
                    _link(tree, columns, i, columns.order[0], starts[0], stops[0])
                    break
                n, passes = _smaller_part(memory, columns, starts, stops, attribute, value, position)
                part = columns.left if passes else columns.right
                small, large = new_leaf(nodes, counts, tree.header), new_leaf(nodes, counts, tree.header)
                nodes[i].yes, nodes[i].no = (small, large) if passes else (large, small)
                nodes[i].head = -1
                nodes[small].n_examples = n
                nodes[large].n_examples = nodes[i].n_examples - n
                for j in range(n):
                    counts[small, columns.labels[part[j]]] += columns.weights[part[j]]
                for c in range(n_classes):
                    counts[large, c] = counts[i, c] - counts[small, c]
                _link(tree, columns, small, part, 0, n)
                is_few = _FEW * n < stop - start
                if is_few:
                    n_runs -= _take_out(columns, part, n)
                    if 2 * nodes[large].n_examples < stop - start:
                        _, n_runs, stop = _divide_columns(columns, start, stop, 0)
                        starts[:] = start
                        stops[:] = stop
                    if n >= GROW_FROM:
                        waiting[n_waiting] = small
                        n_waiting += 1
                else:
                    for j in range(n):
                        columns.passes[part[j]] = True
                    small_runs, n_runs, stop = _divide_columns(columns, start, stop, n)
                    for p in range(start, start + n):
                        columns.passes[columns.order[0, p]] = False
                    parts[n_parts, 0] = small
                    parts[n_parts, 1] = start
                    parts[n_parts, 2] = start + n
                    parts[n_parts, 3] = small_runs
                    n_parts += 1
                    start += n
                    starts[:] = start
                    stops[:] = stop
                if len(memory.columns) > 0:
                    if nodes[large].n_examples < TABLE_FROM:
                        _link(tree, columns, large, columns.order[0], starts[0], stops[0])
                    divide_table(memory, tree, i, large, small)
                i = large
            if n_parts == 0:
                break
            n_parts -= 1
            i = parts[n_parts, 0]
            start, stop, n_runs = parts[n_parts, 1], parts[n_parts, 2], parts[n_parts, 3]
