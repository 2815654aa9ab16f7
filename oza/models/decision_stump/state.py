"""The state of decision stumps: counts, and how they are allocated and counted."""

import math
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import BLOCK, learn, learn_each
from ...kernels.compile import implements, kernel

_FULL = 64  # numbers of a block that is cut;
_CUT = 32  # numbers of each part


class DecisionStump(NamedTuple):
    """Counts of M models, with K classes, A nominal attributes of B branches, D numeric attributes.

    A nominal attribute has a branch for each of its values and a last one for any other value;
    a numeric attribute has a row of counts for each distinct number, in order of arrival; row 0
    stays empty. Blocks of neighbouring numbers have rows of counts too.
    """

    class_counts: Annotated[np.ndarray, "1, K, M"]
    branch_counts: Annotated[np.ndarray, "B, K, M"]
    number_counts: Annotated[np.ndarray, "R, K, M"]  # R: 1 + U and some room
    block_counts: Annotated[np.ndarray, "blocks and some room, K, M"]
    missing_counts: Annotated[np.ndarray, "D, K, M"]  # of the examples whose number is missing
    has_fractions: Annotated[np.ndarray, "M"]  # bool: whether a weight was not a whole number
    branch_starts: Annotated[np.ndarray, "A + 1"]  # int64: the first branch of each attribute, and the end
    number_starts: Annotated[np.ndarray, "D + 1"]  # int64: the same for the numbers
    numbers: Annotated[np.ndarray, "U", "finite"]  # distinct numbers, ascending for each attribute
    rows: Annotated[np.ndarray, "U + 1", "index R"]  # int64: their rows in number_counts, and 0
    blocks: Annotated[np.ndarray, "U + 1"]  # int64: the block of each number, and 0
    block_starts: Annotated[np.ndarray, "blocks + 1"]  # int64: the first number of each block, and the end
    block_rows: Annotated[np.ndarray, "blocks"]  # int64: their rows in block_counts
    first_blocks: Annotated[np.ndarray, "D + 1"]  # int64: the first block of each attribute, and the end
    attributes: Annotated[np.ndarray, "A + D"]  # int64: behind each column, nominal a or A + numeric d
    chosen: Annotated[np.ndarray, "M", "index A + D"]  # int64: the column that was tested last
    threshold: Annotated[np.ndarray, "M", "any"]  # its threshold
    floors: Annotated[np.ndarray, "A + D, M", "any"]  # what each column left open when it was last evaluated
    sought: Annotated[np.ndarray, "N, D"]  # buffers, N a power of two: numbers of the last examples learned,
    places: Annotated[np.ndarray, "N, D"]  # int64: and where they are in `numbers`


def with_rows_for(models: DecisionStump, numbers: np.ndarray) -> DecisionStump:
    """Add a row of counts for each number that is new; twice as many rows when they run out."""
    known_numbers, rows, starts, sizes = [], [], [0], []
    n_known = n_rows = 1 + len(models.numbers)
    for d, (first, end) in enumerate(pairwise(models.number_starts)):
        known = models.numbers[first:end]
        given = numbers[~np.isnan(numbers[:, d]), d] + 0.0  # of 0 and -0, processors keep different ones
        new = np.setdiff1d(given, known)
        places = np.searchsorted(known, new)
        known_numbers.append(np.insert(known, places, new))
        rows.append(np.insert(models.rows[first:end], places, n_rows + np.arange(len(new))))
        n_rows += len(new)
        starts.append(starts[-1] + len(known_numbers[-1]))
        blocks = models.block_starts[models.first_blocks[d] : models.first_blocks[d + 1] + 1]
        into = np.maximum(np.searchsorted(blocks[:-1] - first, places, "right") - 1, 0)
        sizes.append(np.diff(blocks) + np.bincount(into, minlength=len(blocks) - 1))
    n_sought = max(len(models.sought), 1 << (min(len(numbers), BLOCK) - 1).bit_length())
    if n_rows == n_known and (n_sought == len(models.sought) or numbers.shape[1] == 0):
        return models
    larger = models._replace(
        number_counts=_with_rows(models.number_counts, n_rows),
        number_starts=np.array(starts),
        numbers=np.concatenate(known_numbers),
        rows=np.concatenate([*rows, [0]]),
        sought=np.full((n_sought, numbers.shape[1]), np.nan),
        places=np.zeros((n_sought, numbers.shape[1]), np.int64),
    )
    return _with_blocks(larger, np.concatenate(sizes), n_known)


def with_block_counts(models: DecisionStump) -> DecisionStump:
    """Give the numbers of each attribute blocks, from nothing but the counts of the numbers."""
    return _with_blocks(models, np.diff(models.number_starts), len(models.rows), True)


def _with_rows(counts: np.ndarray, n_rows: int) -> np.ndarray:
    """Counts of at least `n_rows` rows, the further ones 0."""
    if n_rows <= len(counts):
        return counts
    larger = np.zeros((max(n_rows, 2 * len(counts)), *counts.shape[1:]))
    larger[: len(counts)] = counts
    return larger


def _with_blocks(
    models: DecisionStump, sizes: np.ndarray, n_known: int, recounts: bool = False
) -> DecisionStump:
    """Give the blocks these sizes, and cut full ones; the first `n_known` rows of numbers have counts."""
    n_parts = np.where(sizes > _FULL, -(-sizes // _CUT), 1)
    block_rows, n, whole = (np.repeat(each, n_parts) for each in (models.block_rows, n_parts, sizes))
    part = np.arange(len(n)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
    parts = (part + 1) * whole // n - part * whole // n
    block_rows[part > 0] = np.arange(len(sizes), len(n))
    block_starts = np.append(0, np.cumsum(parts))
    counts = _with_rows(models.block_counts, len(n))
    for b in np.flatnonzero((n > 1) | recounts):
        rows = models.rows[block_starts[b] : block_starts[b + 1]]
        counts[block_rows[b]] = models.number_counts[rows[rows < n_known]].sum(axis=0)
    return models._replace(
        block_counts=counts,
        blocks=np.append(np.repeat(np.arange(len(n)), parts), 0),
        block_starts=block_starts,
        block_rows=block_rows,
        first_blocks=np.append(0, np.cumsum(n_parts))[models.first_blocks],
    )


@kernel(counts=False, inline=True)
def place_of(models, n, d, x):
    """Where `x`, numeric attribute `d` of example `n`, is in `numbers`; `with_rows_for` has put it there.

    All models of an ensemble learn from the same examples, so the place is remembered. A number that is not
    there is not refused: an exception would make numba count references in every loop around it, which
    would cost more than all the rest of learning.
    """
    slot = n & (len(models.sought) - 1)
    if models.sought[slot, d] != x:
        models.sought[slot, d] = x
        models.places[slot, d] = first_above(models, d, x, True)
    return models.places[slot, d]


@kernel(counts=False)
def first_above(models, d, x, or_equal):
    """Place of the first number of attribute `d` that is above `x`, or equal; the end if there is none."""
    low, high = models.number_starts[d], models.number_starts[d + 1]
    while low < high:
        middle = (low + high) // 2
        if models.numbers[middle] < x or (models.numbers[middle] == x and not or_equal):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def branch_of(codes, n, a, branch_starts):
    """Branch of nominal attribute `a` that example `n` takes: that of its value, or the last one."""
    v = codes[n, a]
    return v + a if v >= 0 else branch_starts[a + 1] - 1


@implements(learn, DecisionStump)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[0, label, m] += weight
    models.has_fractions[m] |= weight != math.floor(weight)
    for a in range(examples.codes.shape[1]):
        models.branch_counts[branch_of(examples.codes, n, a, models.branch_starts), label, m] += weight
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if np.isnan(x):
            models.missing_counts[d, label, m] += weight
        else:
            i = place_of(models, n, d, x)
            models.number_counts[models.rows[i], label, m] += weight
            models.block_counts[models.block_rows[models.blocks[i]], label, m] += weight


@implements(learn_each, DecisionStump)
def _learn_each(models, examples, n, label, weights):
    _add_each(models.class_counts, 0, label, weights)
    for m in range(len(weights)):
        models.has_fractions[m] |= weights[m] != math.floor(weights[m])
    for a in range(examples.codes.shape[1]):
        branch = branch_of(examples.codes, n, a, models.branch_starts)
        _add_each(models.branch_counts, branch, label, weights)
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if np.isnan(x):
            _add_each(models.missing_counts, d, label, weights)
        else:
            i = place_of(models, n, d, x)
            _add_each(models.number_counts, models.rows[i], label, weights)
            _add_each(models.block_counts, models.block_rows[models.blocks[i]], label, weights)


@kernel(inline=True)
def _add_each(counts, row, label, weights):
    for m in range(len(weights)):
        counts[row, label, m] += weights[m]
