"""ADWIN on an exponential histogram: windows of recent values, cut where their two parts differ.

A window is a row of buckets for each power of two: a bucket of row r stands for 2ʳ values in a row and
keeps their sum and the sum of their squares. The sums of a window are made of those of its buckets before
each check, so that no rounding error outlives the values that it came from; sums of zeros and ones
are whole numbers, and exact.
"""

from typing import Annotated, NamedTuple

import numpy as np

from ..kernels.arithmetic import log
from ..kernels.compile import kernel, typed_once

MOST_BUCKETS = 5  # a row that holds more hands two of them, as one, to the next row
SHORTEST = 7  # values on either side of a cut
_TAKEN_OFF = 4.0  # of the number of values on either side, in the bound
_PLACES = 8  # of a row, a ring
_LAST = _PLACES - 1
_ROWS = 51  # for 2⁵³ values: as many as float64 counts
_NEARLY = 1.0 - 1e-9


@typed_once
class Windows(NamedTuple):
    """The windows of M streams of values in [0, 1]."""

    sums: Annotated[np.ndarray, "M, R, B, 2"]  # of values, and of squares, for each place of a row
    oldest: Annotated[np.ndarray, "M, R", "index B"]  # place of the oldest bucket of each row
    sizes: Annotated[np.ndarray, "M, R", f"index {MOST_BUCKETS + 1}"]  # buckets in each row
    n_rows: np.ndarray  # rows in use
    widths: np.ndarray  # values in each window
    totals: np.ndarray  # their sums
    n_seen: np.ndarray  # values seen since the start, or a reset


def new_windows(n_models: int) -> Windows:
    """Empty windows of `n_models` streams."""
    return Windows(
        sums=np.zeros((n_models, _ROWS, _PLACES, 2)),
        oldest=np.zeros((n_models, _ROWS), np.int64),
        sizes=np.zeros((n_models, _ROWS), np.int64),
        n_rows=np.zeros(n_models, np.int64),
        widths=np.zeros(n_models, np.int64),
        totals=np.zeros(n_models),
        n_seen=np.zeros(n_models, np.int64),
    )


@kernel
def reset_window(windows, m):
    """Empty window `m`."""
    windows.sums[m] = 0.0
    windows.oldest[m] = windows.sizes[m] = 0
    windows.n_rows[m] = windows.widths[m] = windows.n_seen[m] = 0
    windows.totals[m] = 0.0


@kernel
def mean_of(windows, m):
    """Mean of window `m`, 0 where it is empty."""
    return windows.totals[m] / max(windows.widths[m], 1)


@kernel(inline=True, counts=False)
def observe(windows, m, value, delta, clock):
    """Add a value to window `m`, and say whether it was cut: every `clock` values it is checked."""
    insert(windows, m, value)
    return windows.n_seen[m] % clock == 0 and shrink(windows, m, delta)


@kernel
def observe_block(windows, m, values, delta, clock, is_cut):
    """Add values to window `m` one by one; note in `is_cut`, a bool array, at which of them it was cut."""
    for n in range(len(values)):
        is_cut[n] = observe(windows, m, values[n], delta, clock)


@kernel(inline=True, counts=False)
def insert(windows, m, value):
    """Add a bucket of one value; where a row has one too many, its two oldest become one of the next."""
    windows.n_seen[m] += 1
    windows.widths[m] += 1
    windows.totals[m] += value
    first, second, row = value, value * value, 0
    while True:
        oldest, n = windows.oldest[m, row], windows.sizes[m, row]
        place = (oldest + n) & _LAST
        windows.sums[m, row, place, 0] = first
        windows.sums[m, row, place, 1] = second
        if n < MOST_BUCKETS:
            windows.sizes[m, row] = n + 1
            break
        next_oldest = (oldest + 1) & _LAST
        first = windows.sums[m, row, oldest, 0] + windows.sums[m, row, next_oldest, 0]
        second = windows.sums[m, row, oldest, 1] + windows.sums[m, row, next_oldest, 1]
        windows.oldest[m, row] = (oldest + 2) & _LAST
        windows.sizes[m, row] = n - 1
        row += 1
    windows.n_rows[m] = max(windows.n_rows[m], row + 1)


@kernel(counts=False)
def shrink(windows, m, delta):
    """Drop the oldest bucket of window `m` as long as any cut shows a change; whether one did."""
    is_cut = False
    while _has_changed(windows, m, delta):
        row = windows.n_rows[m] - 1
        windows.widths[m] -= 1 << row
        windows.oldest[m, row] = (windows.oldest[m, row] + 1) & _LAST
        windows.sizes[m, row] -= 1
        windows.n_rows[m] = row + (windows.sizes[m, row] > 0)
        is_cut = True
    return is_cut


@kernel(counts=False)
def _has_changed(windows, m, delta):
    """Whether the two sides of a cut between two buckets of window `m` differ by more than the bound."""
    total = square = 0.0
    for row in range(windows.n_rows[m] - 1, -1, -1):
        for i in range(windows.sizes[m, row]):
            place = (windows.oldest[m, row] + i) & _LAST
            total += windows.sums[m, row, place, 0]
            square += windows.sums[m, row, place, 1]
    windows.totals[m] = total
    n = float(windows.widths[m])
    if n < 2 * SHORTEST:
        return False
    doubt = log(2.0 * log(n) / delta)
    variance = max((square - total * total / n) / n, 0.0)
    least = 2.0 * variance * doubt * (n - 2.0 * _TAKEN_OFF) * _NEARLY
    before = sum_before = 0.0
    for row in range(windows.n_rows[m] - 1, -1, -1):
        for i in range(windows.sizes[m, row]):
            place = (windows.oldest[m, row] + i) & _LAST
            before += float(1 << row)
            sum_before += windows.sums[m, row, place, 0]
            after = n - before
            if before < SHORTEST or after < SHORTEST:
                continue
            gap = sum_before * n - total * before  # difference of the means, times before · after
            room = (before - _TAKEN_OFF) * (after - _TAKEN_OFF)
            product = before * after
            if gap * gap * room > least * product * product:  # without a division, and hardly ever
                share = 1.0 / (before - _TAKEN_OFF) + 1.0 / (after - _TAKEN_OFF)
                bound = np.sqrt(2.0 * share * variance * doubt) + 2.0 / 3.0 * doubt * share
                if abs(sum_before / before - (total - sum_before) / after) > bound:
                    return True
    return False
