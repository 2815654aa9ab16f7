"""The best test of a decision stump, found without evaluating every threshold.

A test is judged by what it leaves open: the sum, over its groups of examples, of

    n·H = n log n − Σ_c n_c log n_c   (in nats, n the weight of the group, n_c that of class c),

which is n times the entropy before the test minus n times the information gain, so the lowest
sum has the highest gain. Everything follows from counts: order and chunks do not matter.

What a test leaves open never falls as examples come: n·H grows by log(n/n_c) ≥ 0 for each unit of weight
in class c. So what a column left open when it was evaluated is a floor of what it leaves open later. The
same holds for each place where a numeric column can be divided, and for blocks of places and runs of blocks.
A survey evaluates the places whose floors lie at most `_HORIZON` above the best test, and lists them.
Until the best test has come up to this horizon, it is one of those on the list.
"""

from typing import NamedTuple

import numpy as np

from ...kernels.arithmetic import x_log_x
from ...kernels.compile import kernel
from .state import first_above, place_of

# Rounding moves a sum of n·H by less than (terms)·ROUNDING·n: |x log x| ≤ 745 x for every float,
# and the error of each term and of each addition is a few units of 2⁻⁵³.
ROUNDING = 745.0 * 2.0**-50
_RUN = 16  # blocks of a run
_HORIZON = 4.0  # nats; with 3 or 6 as fast, with 12 twice as slow: most places are then listed
_LISTED = 512  # places at most
_AHEAD = 32.0  # weight of a class for which slopes hold
_LOOKED_UP = 4096


class Search(NamedTuple):
    """The best test of one model, and what the search for it has found out.

    A place divides the numbers of an attribute before one that the model has learned, or at their end.
    """

    column: np.ndarray  # (1,) int64: that is tested
    place: np.ndarray  # (1,) int64: of the first number on the right, the end if there is none, −1 if unknown
    listed: np.ndarray  # (1,) int64: where the test is in the list, −1 if it is not
    least: np.ndarray  # (1,): what the test leaves open
    threshold: np.ndarray  # (1,)
    groups: np.ndarray  # (3, K, 1): class weights on the left, on the right, and of missing numbers
    floors: np.ndarray  # (A + D,) of the columns
    # Of numeric attributes that have been surveyed
    is_open: np.ndarray  # (D,) bool
    totals: np.ndarray  # (D, K, 1): class weights
    run_counts: np.ndarray  # (runs, K, 1)
    run_floors: np.ndarray  # (runs,)
    run_bases: np.ndarray  # (runs,): floors when they were surveyed
    run_then: np.ndarray  # (runs, 2, K): what was on the left and on the right of them then
    block_counts: np.ndarray  # (blocks, K, 1)
    block_floors: np.ndarray  # (blocks,)
    block_bases: np.ndarray  # (blocks,)
    block_then: np.ndarray  # (blocks, 2, K)
    is_block_open: np.ndarray  # (blocks,) bool: whether its numbers have been surveyed
    number_counts: np.ndarray  # (U, K, 1)
    number_floors: np.ndarray  # (U,) of the places before the numbers
    # The list
    horizon: np.ndarray  # (1,)
    ahead: np.ndarray  # (K,): weight of each class for which the slopes still hold
    n_listed: np.ndarray  # (1,) int64
    columns: np.ndarray  # (listed,) int64
    places: np.ndarray  # (listed,) int64
    below: np.ndarray  # (listed,) int64: the last number on the left, or the one before the first
    left: np.ndarray  # (listed, K, 1): class weights on the left
    listed_floors: np.ndarray  # (listed,)
    slopes: np.ndarray  # (listed, 2, K): by how much floors grow with each weight on the left, on the right
    # Buffers
    at: np.ndarray  # (D,) int64: places of the numbers of an example
    sums: np.ndarray  # (1, K, 1)
    xs: np.ndarray  # numbers
    xs_log_x: np.ndarray  # and x log x of each


# Groups of examples are rows of class counts, (rows, K, M). A row is passed as an array and an index,
# because numba would count a reference to a slice, which takes longer than the work.


@kernel(counts=False, inline=True)
def open_of(counts, row, m):
    """n·H of one group of examples."""
    n, by_class = 0.0, 0.0
    for c in range(counts.shape[1]):
        n += counts[row, c, m]
        by_class += x_log_x(counts[row, c, m])
    return x_log_x(n) - by_class


@kernel(counts=False, inline=True)
def _x_log_x(s, x):
    """The same as `x_log_x`, looked up where it was computed before: most are of few numbers."""
    k = int(x) & (_LOOKED_UP - 1)
    if s.xs[k] != x:
        s.xs[k] = x
        s.xs_log_x[k] = x_log_x(x)
    return s.xs_log_x[k]


@kernel(counts=False, inline=True)
def _open_at(s, d, left, row):
    """n·H of what is on the left and what is on the right of a place, where exact sums are on the left."""
    n_left, n_right, left_by_class, right_by_class = 0.0, 0.0, 0.0, 0.0
    for c in range(left.shape[1]):
        x = left[row, c, 0]
        n_left += x
        left_by_class += _x_log_x(s, x)
        x = s.totals[d, c, 0] - x
        n_right += x
        right_by_class += _x_log_x(s, x)
    return (_x_log_x(s, n_left) - left_by_class) + (_x_log_x(s, n_right) - right_by_class)


@kernel(counts=False, inline=True)
def _growth(s, d, counts, then, k):
    """By how much n·H has grown at least at all places in block or run `k`, `sums[0]` being on its left now.

    n·H of two groups together is no less than the sum of both, so what has come on either side adds its own.
    """
    n_left, n_right, left_by_class, right_by_class = 0.0, 0.0, 0.0, 0.0
    for c in range(counts.shape[1]):
        x = s.sums[0, c, 0] - then[k, 0, c]
        n_left += x
        left_by_class += _x_log_x(s, x)
        x = s.totals[d, c, 0] - s.sums[0, c, 0] - counts[k, c, 0] - then[k, 1, c]
        n_right += x
        right_by_class += _x_log_x(s, x)
    return (_x_log_x(s, n_left) - left_by_class) + (_x_log_x(s, n_right) - right_by_class)


@kernel(counts=False, inline=True)
def _note_sides(s, d, counts, then, k):
    for c in range(counts.shape[1]):
        then[k, 0, c] = s.sums[0, c, 0]
        then[k, 1, c] = s.totals[d, c, 0] - s.sums[0, c, 0] - counts[k, c, 0]


@kernel
def most_frequent(counts, row, m, otherwise):
    """Class with the largest count, the first of equals; `otherwise` for an empty group."""
    best, most = otherwise, 0.0
    for c in range(counts.shape[1]):
        if counts[row, c, m] > most:
            best, most = c, counts[row, c, m]
    return best


@kernel(counts=False, inline=True)
def _is_empty(counts, row, m):
    n = 0.0
    for c in range(counts.shape[1]):
        n += counts[row, c, m]
    return not n > 0.0


@kernel(counts=False, inline=True)
def _add(group, g, counts, row, m):
    for c in range(counts.shape[1]):
        group[g, c, 0] += counts[row, c, m]


@kernel(counts=False)
def _between(low, high):
    """Midpoint of two numbers; the lower one where no number lies between them."""
    middle = 0.5 * low + 0.5 * high  # halves first: the sum of large numbers is infinite
    return middle if low <= middle < high else low


@kernel
def begin(models, m):
    """A search that knows of model `m` what was found out before."""
    n_classes, n_blocks, n_numbers = models.class_counts.shape[1], len(models.block_rows), len(models.numbers)
    n_numeric = len(models.first_blocks) - 1
    n_runs = n_blocks // _RUN + n_numeric
    s = Search(
        np.full(1, models.chosen[m]),
        np.full(1, -1),
        np.full(1, -1),
        np.full(1, np.inf),
        np.full(1, models.threshold[m]),
        np.zeros((3, n_classes, 1)),
        models.floors[:, m].copy(),
        np.zeros(n_numeric, np.bool_),
        np.zeros((n_numeric, n_classes, 1)),
        np.empty((n_runs, n_classes, 1)),
        np.empty(n_runs),
        np.empty(n_runs),
        np.empty((n_runs, 2, n_classes)),
        np.empty((n_blocks, n_classes, 1)),
        np.empty(n_blocks),
        np.empty(n_blocks),
        np.empty((n_blocks, 2, n_classes)),
        np.empty(n_blocks, np.bool_),
        np.empty((n_numbers, n_classes, 1)),
        np.empty(n_numbers),
        np.full(1, -np.inf),
        np.zeros(n_classes),
        np.zeros(1, np.int64),
        np.empty(_LISTED, np.int64),
        np.empty(_LISTED, np.int64),
        np.empty(_LISTED, np.int64),
        np.empty((_LISTED, n_classes, 1)),
        np.empty(_LISTED),
        np.empty((_LISTED, 2, n_classes)),
        np.empty(n_numeric, np.int64),
        np.zeros((1, n_classes, 1)),
        np.full(_LOOKED_UP, -1.0),
        np.empty(_LOOKED_UP),
    )
    d = models.attributes[s.column[0]] - (len(models.branch_starts) - 1)
    if d >= 0 and s.threshold[0] < np.inf and not models.has_fractions[m]:
        s.place[0] = first_above(models, d, s.threshold[0], False)
        _set_groups(models, m, s)
        if _is_empty(s.groups, 0, 0) or _is_empty(s.groups, 1, 0):
            s.place[0] = -1
        else:
            while _is_empty(models.number_counts, models.rows[s.place[0]], m):
                s.place[0] += 1
    return s


@kernel(counts=False)
def end(models, m, s):
    """Remember what has been found out."""
    models.chosen[m], models.threshold[m] = s.column[0], s.threshold[0]
    for j in range(len(s.floors)):
        models.floors[j, m] = s.floors[j]


@kernel(counts=False)
def _run_of(models, d, b):
    """The run that block `b` of numeric attribute `d` is in; no two attributes share one."""
    first = models.first_blocks[d]
    return first // _RUN + d + (b - first) // _RUN


@kernel(counts=False)
def _open_attribute(models, m, s, d):
    """Sum up the counts of the blocks of a numeric attribute."""
    s.is_open[d] = True
    first, stop = models.first_blocks[d], models.first_blocks[d + 1]
    for b in range(first, stop):
        r = _run_of(models, d, b)
        if (b - first) % _RUN == 0:
            s.run_counts[r] = 0.0
            s.run_then[r] = 0.0
            s.run_bases[r], s.run_floors[r] = 0.0, -np.inf
        for c in range(s.totals.shape[1]):
            count = models.block_counts[models.block_rows[b], c, m]
            s.block_counts[b, c, 0] = count
            s.run_counts[r, c, 0] += count
            s.totals[d, c, 0] += count
        s.block_then[b] = 0.0
        s.block_bases[b], s.block_floors[b] = 0.0, -np.inf
        s.is_block_open[b] = False


@kernel(counts=False)
def _open_block(models, m, s, b):
    s.is_block_open[b] = True
    for i in range(models.block_starts[b], models.block_starts[b + 1]):
        s.number_floors[i] = -np.inf
        for c in range(s.totals.shape[1]):
            s.number_counts[i, c, 0] = models.number_counts[models.rows[i], c, m]


@kernel(counts=False)
def _last_below(models, m, d, place):
    """The last number of attribute `d` before `place` that model `m` has learned, or one before the first."""
    i = place - 1
    while i >= models.number_starts[d] and _is_empty(models.number_counts, models.rows[i], m):
        i -= 1
    return i


@kernel(counts=False)
def _set_groups(models, m, s):
    """Set the groups of a numeric test by its place.

    Rounded sums are added up from the outer end, as in `_choose_threshold_by_all`, for the same bits.
    """
    d, place, k = models.attributes[s.column[0]] - (len(models.branch_starts) - 1), s.place[0], s.listed[0]
    first, stop = models.number_starts[d], models.number_starts[d + 1]
    for c in range(s.totals.shape[1]):
        s.groups[0, c, 0] = s.groups[1, c, 0] = 0.0
    if models.has_fractions[m]:
        for i in range(first, place):
            _add(s.groups, 0, models.number_counts, models.rows[i], m)
        for i in range(stop - 1, place - 1, -1):
            _add(s.groups, 1, models.number_counts, models.rows[i], m)
    elif k >= 0:
        for c in range(s.totals.shape[1]):
            s.groups[0, c, 0] = s.left[k, c, 0]
            s.groups[1, c, 0] = s.totals[d, c, 0] - s.left[k, c, 0]
    else:
        if not s.is_open[d]:
            _open_attribute(models, m, s, d)
        block = models.blocks[place] if place < stop else models.first_blocks[d + 1]
        for b in range(models.first_blocks[d], block):
            _add(s.groups, 0, s.block_counts, b, 0)
        for i in range(models.block_starts[block], place):
            _add(s.groups, 0, models.number_counts, models.rows[i], m)
        for c in range(s.totals.shape[1]):
            s.groups[1, c, 0] = s.totals[d, c, 0] - s.groups[0, c, 0]


@kernel(counts=False)
def by_branches(models, m, a):
    """What nominal attribute `a` leaves open."""
    total = 0.0
    for branch in range(models.branch_starts[a], models.branch_starts[a + 1]):
        total += open_of(models.branch_counts, branch, m)
    return total


@kernel(counts=False)
def _rounding(models, m, n_terms):
    """Bound of the rounding error in what a test of so many groups and steps leaves open."""
    n = 0.0
    for c in range(models.class_counts.shape[1]):
        n += models.class_counts[0, c, m]
    return (n_terms + len(models.branch_counts) + 4 * models.class_counts.shape[1] + 8) * ROUNDING * n


@kernel(counts=False)
def choose_column(models, m):
    """The column that leaves least open, the first of equals, where all are nominal; sets the floors."""
    best = models.chosen[m]
    least = models.floors[best, m] = by_branches(models, m, models.attributes[best])
    highest = least + _rounding(models, m, 0)
    for j in range(len(models.attributes)):
        if j != models.chosen[m] and models.floors[j, m] <= highest:
            total = models.floors[j, m] = by_branches(models, m, models.attributes[j])
            if total < least or (total == least and j < best):
                best, least = j, total
    models.chosen[m] = best
    return best


@kernel(counts=False)
def _offer(s, total, column, place, k):
    """Take a test if it leaves less open than the best so far; of equals the first. Place `k` of the list."""
    least = s.least[0]
    is_first = column < s.column[0] or (column == s.column[0] and place <= s.place[0])
    if total < least or (total == least and is_first):
        s.least[0], s.column[0], s.place[0], s.listed[0] = total, column, place, k


@kernel
def choose(models, m, s):
    """Find the test of model `m` that leaves least open: of equals the first column, the lowest threshold."""
    n_nominal = len(models.branch_starts) - 1
    rounding = _rounding(models, m, len(models.numbers) if models.has_fractions[m] else 8 * _AHEAD)
    column, a = s.column[0], models.attributes[s.column[0]]
    s.least[0] = np.inf
    if a < n_nominal:
        s.floors[column] = s.least[0] = by_branches(models, m, a)
    if models.has_fractions[m]:
        s.place[0] = -1
        if a >= n_nominal:
            _choose_threshold_by_all(models, m, s, column, a - n_nominal)
        for j in range(len(models.attributes)):
            if models.attributes[j] >= n_nominal and j != column and s.floors[j] <= s.least[0] + rounding:
                _choose_threshold_by_all(models, m, s, j, models.attributes[j] - n_nominal)
    elif len(s.is_open) > 0:
        if a >= n_nominal and s.place[0] >= 0:
            _set_groups(models, m, s)
            total = open_of(s.groups, 0, 0) + open_of(s.groups, 1, 0)
            s.least[0] = total + open_of(models.missing_counts, a - n_nominal, m)
        if s.least[0] + rounding > s.horizon[0]:
            _survey(models, m, s, rounding)
        else:
            for k in range(s.n_listed[0]):
                if s.listed_floors[k] <= s.least[0] + rounding:
                    d = models.attributes[s.columns[k]] - n_nominal
                    total = _open_at(s, d, s.left, k) + open_of(models.missing_counts, d, m)
                    s.listed_floors[k] = total
                    if s.places[k] < models.number_starts[d + 1] and not _is_empty(s.left, k, 0):
                        _offer(s, total, s.columns[k], s.places[k], k)
    for j in range(len(models.attributes)):
        a = models.attributes[j]
        if a < n_nominal and j != column and s.floors[j] <= s.least[0] + rounding:
            s.floors[j] = by_branches(models, m, a)
            _offer(s, s.floors[j], j, -1, -1)
    _set_outcomes(models, m, s)


@kernel(counts=False)
def _set_outcomes(models, m, s):
    """Set the groups, and the threshold midway between neighbours among the numbers that the model learned.

    An attribute of one number has the threshold ∞, behind which there is nothing.
    """
    d, place, k = models.attributes[s.column[0]] - (len(models.branch_starts) - 1), s.place[0], s.listed[0]
    if d < 0:
        s.threshold[0] = 0.0
        return
    _set_groups(models, m, s)
    if place < models.number_starts[d + 1]:
        below = s.below[k] if k >= 0 else _last_below(models, m, d, place)
        s.threshold[0] = _between(models.numbers[below], models.numbers[place])
    else:
        s.threshold[0] = np.inf
        s.place[0] = s.listed[0] = -1


@kernel
def _choose_threshold_by_all(models, m, s, column, d):
    """Offer the best threshold of numeric attribute `d`, and set the floor of its column."""
    counts, rows, group = models.number_counts, models.rows, s.sums
    first, stop = models.number_starts[d], models.number_starts[d + 1]
    missing = open_of(models.missing_counts, d, m)
    right = np.empty(stop - first)
    group[0] = 0.0
    for i in range(stop - 1, first - 1, -1):
        _add(group, 0, counts, rows[i], m)
        right[i - first] = open_of(group, 0, 0)
    group[0] = 0.0
    least = np.inf
    for i in range(first, stop):
        if not _is_empty(counts, rows[i], m):
            if not _is_empty(group, 0, 0):
                total = (open_of(group, 0, 0) + right[i - first]) + missing
                least = min(least, total)
                _offer(s, total, column, i, -1)
            _add(group, 0, counts, rows[i], m)
    if least == np.inf:
        least = open_of(group, 0, 0) + missing
        _offer(s, least, column, stop, -1)
    s.floors[column] = least


@kernel(counts=False)
def _survey(models, m, s, rounding):
    """Offer the best threshold of every numeric attribute, and list all places up to a horizon."""
    n_nominal = len(models.branch_starts) - 1
    s.n_listed[0], s.horizon[0], s.listed[0] = 0, np.inf, -1
    s.ahead[:] = _AHEAD
    chosen = s.column[0]
    if models.attributes[chosen] >= n_nominal:  # first, so that others are compared with it
        _survey_column(models, m, s, chosen, models.attributes[chosen] - n_nominal, rounding)
    for j in range(len(models.attributes)):
        if models.attributes[j] >= n_nominal and j != chosen:
            if s.floors[j] > s.least[0] + _HORIZON:
                continue
            if s.least[0] <= 0.0 and j > s.column[0]:
                s.horizon[0] = 0.0
            else:
                _survey_column(models, m, s, j, models.attributes[j] - n_nominal, rounding)
    s.horizon[0] = min(s.horizon[0], s.least[0] + _HORIZON)
    for k in range(s.n_listed[0]):
        if s.columns[k] == s.column[0] and s.places[k] == s.place[0]:
            s.listed[0] = k
    if s.listed[0] < 0 and models.attributes[s.column[0]] >= n_nominal:
        s.horizon[0] = -np.inf  # the list was full


@kernel(counts=False)
def _survey_column(models, m, s, column, d, rounding):
    """Do so for one attribute, where sums of weights are exact, and set the floor of its column."""
    if not s.is_open[d]:
        _open_attribute(models, m, s, d)
    missing = open_of(models.missing_counts, d, m)
    reach = rounding + _HORIZON - missing
    least = s.least
    s.sums[:] = 0.0
    is_divided = False
    floor = np.inf
    first, stop = models.first_blocks[d], models.first_blocks[d + 1]
    for first_of_run in range(first, stop, _RUN):
        r = _run_of(models, d, first_of_run)
        if s.run_floors[r] <= least[0] + reach:
            s.run_floors[r] = s.run_bases[r] + _growth(s, d, s.run_counts, s.run_then, r)
        is_worse = s.run_floors[r] > least[0] + reach
        if is_worse or _is_empty(s.run_counts, r, 0):
            is_divided |= is_worse
            floor = min(floor, s.run_floors[r])
            _add(s.sums, 0, s.run_counts, r, 0)
            continue
        _note_sides(s, d, s.run_counts, s.run_then, r)
        s.run_bases[r] = np.inf
        for b in range(first_of_run, min(first_of_run + _RUN, stop)):
            if s.block_floors[b] <= least[0] + reach:
                s.block_floors[b] = s.block_bases[b] + _growth(s, d, s.block_counts, s.block_then, b)
            is_worse = s.block_floors[b] > least[0] + reach
            if is_worse or _is_empty(s.block_counts, b, 0):
                is_divided |= is_worse
                _add(s.sums, 0, s.block_counts, b, 0)
            else:
                _note_sides(s, d, s.block_counts, s.block_then, b)
                is_divided |= _survey_block(models, m, s, column, d, b, missing, reach)
                if least[0] <= 0.0 and s.column[0] == column and s.place[0] < models.block_starts[b + 1]:
                    s.run_floors[r] = s.run_bases[r] = s.floors[column] = 0.0
                    s.horizon[0] = 0.0  # nothing leaves less open
                    return
            s.run_bases[r] = min(s.run_bases[r], s.block_floors[b])
        s.run_floors[r] = s.run_bases[r]
        floor = min(floor, s.run_bases[r])
    total = open_of(s.sums, 0, 0)
    if total <= least[0] + reach:
        place = models.number_starts[d + 1]
        _list(models, m, s, column, place, _last_below(models, m, d, place), s.sums, total + missing)
        if not is_divided:
            _offer(s, total + missing, column, place, -1)
    s.floors[column] = floor + missing


@kernel(counts=False)
def _survey_block(models, m, s, column, d, b, missing, reach):
    """Do so for one block; returns whether it has a number with others on its left."""
    if not s.is_block_open[b]:
        _open_block(models, m, s, b)
    is_divided = False
    floor = np.inf
    below = np.int64(-1)
    for i in range(models.block_starts[b], models.block_starts[b + 1]):
        if not _is_empty(s.number_counts, i, 0):
            is_proper = not _is_empty(s.sums, 0, 0)
            is_divided |= is_proper
            if s.number_floors[i] <= s.least[0] + reach:
                s.number_floors[i] = _open_at(s, d, s.sums, 0)
                if s.number_floors[i] <= s.least[0] + reach:
                    total = s.number_floors[i] + missing
                    if below < 0:
                        below = _last_below(models, m, d, i)
                    _list(models, m, s, column, i, below, s.sums, total)
                    if is_proper:
                        _offer(s, total, column, i, -1)
            floor = min(floor, s.number_floors[i])
            _add(s.sums, 0, s.number_counts, i, 0)
            below = np.int64(i)
    floor = min(floor, _open_at(s, d, s.sums, 0))
    s.block_floors[b] = s.block_bases[b] = floor
    return is_divided


@kernel(counts=False)
def _list(models, m, s, column, place, below, left, total):
    """Put a place on the list; if that is full, its horizon comes nearer."""
    k = s.n_listed[0]
    if k == len(s.places):
        s.horizon[0] = min(s.horizon[0], total)
        return
    s.n_listed[0] = k + 1
    s.columns[k], s.places[k], s.below[k], s.listed_floors[k] = column, place, below, total
    for c in range(left.shape[1]):
        s.left[k, c, 0] = left[0, c, 0]
    _set_slopes(models, s, k)


@kernel(counts=False)
def _set_slopes(models, s, k):
    """By how much n·H on each side grows at least with each unit of a class, while `_AHEAD` of it comes.

    n·H is concave: with more of class c its slope log(n/n_c) falls, and with more of others it grows.
    """
    d = models.attributes[s.columns[k]] - (len(models.branch_starts) - 1)
    for side in range(2):
        n = 0.0
        for c in range(s.totals.shape[1]):
            n += s.totals[d, c, 0] - s.left[k, c, 0] if side else s.left[k, c, 0]
        for c in range(s.totals.shape[1]):
            n_c = s.totals[d, c, 0] - s.left[k, c, 0] if side else s.left[k, c, 0]
            s.slopes[k, side, c] = log_from_below(n + _AHEAD, n_c + _AHEAD)


@kernel(counts=False, inline=True)
def log_from_below(p, q):
    """A bound of log(p/q) for p ≥ q, a Padé approximant."""
    return 3.0 * (p - q) * (p + q) / (p * p + 4.0 * p * q + q * q)


@kernel(counts=False)
def add_example(models, m, s, examples, n, label, weight):
    """Add an example, which model `m` has just learned, to what the search knows."""
    n_nominal = len(models.branch_starts) - 1
    for d in range(len(s.is_open)):
        x = examples.numbers[n, d]
        s.at[d] = -1
        if s.is_open[d] and not np.isnan(x):
            i = place_of(models, n, d, x)
            b = models.blocks[i]
            s.at[d] = i
            s.totals[d, label, 0] += weight
            s.run_counts[_run_of(models, d, b), label, 0] += weight
            s.block_counts[b, label, 0] += weight
            if s.is_block_open[b]:
                s.number_counts[i, label, 0] += weight
    s.ahead[label] -= weight
    if s.ahead[label] < 0.0:
        s.horizon[0] = -np.inf
    n_before = s.n_listed[0]
    for k in range(n_before):
        i = s.at[models.attributes[s.columns[k]] - n_nominal]
        if i >= s.places[k]:
            s.listed_floors[k] += weight * s.slopes[k, 1, label]
        elif i >= 0:
            if i > s.below[k]:  # a new number: it divides what was one place
                if s.n_listed[0] == len(s.places):
                    s.horizon[0] = -np.inf
                else:
                    _list(models, m, s, s.columns[k], i, s.below[k], s.left[k : k + 1], s.listed_floors[k])
                s.below[k] = i
            s.left[k, label, 0] += weight
            s.listed_floors[k] += weight * s.slopes[k, 0, label]
