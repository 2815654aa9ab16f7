"""The best test of a decision stump, found without evaluating every threshold.

A test is judged by what it leaves open: the sum, over its groups of examples, of

    n·H = n log n − Σ_c n_c log n_c   (in nats, n the weight of the group, n_c that of class c),

which is n times the entropy before the test minus n times the information gain, so the lowest
sum has the highest gain. Everything follows from counts: order and chunks do not matter.

What a test leaves open never falls as examples come, so what a column left open when it was evaluated is a
floor of what it leaves open later. The places where a numeric column can be divided are partitioned, and each
part has a floor too. An example raises it by the least slope of n·H at any of its places: n·H is concave,
and its slope in class c is log(n/n_c). A part whose floor lies below what the best test leaves open is
divided, and where it has few places, these are evaluated.
"""

from typing import NamedTuple

import numpy as np

from ...kernels.arithmetic import x_log_x
from ...kernels.compile import kernel
from .state import first_above, place_of

# Rounding moves a sum of n·H by less than (terms)·ROUNDING·n: |x log x| ≤ 745 x for every float,
# and the error of each term and of each addition is a few units of 2⁻⁵³.
ROUNDING = 745.0 * 2.0**-50
_MAX_PARTS = 16  # at most, of a part of several blocks
_PLACES_PER_PART = 8  # places of a part of a block
_SPARE_PARTS = 256  # parts of an attribute that are smaller than a block
_WEIGHT_AHEAD = 32.0  # weight of a class for which slopes hold, less where few examples have been learned
_LOOKED_UP = 4096


class Search(NamedTuple):
    """The best test of one model, and what the search for it has found out.

    A place divides the numbers of an attribute before one that the model has learned, or at their end.
    """

    column: np.ndarray  # (1,) int64: that is tested
    place: np.ndarray  # (1,) int64: of the first number on the right, the end if there is none, −1 if unknown
    below: np.ndarray  # (1,) int64: of the last number on the left, −1 if unknown
    part: np.ndarray  # (1,) int64: the part that the place is in, −1 if unknown
    least: np.ndarray  # (1,): what the test leaves open
    threshold: np.ndarray  # (1,)
    groups: np.ndarray  # (3, K, 1): class weights on the left, on the right, and of missing numbers
    floors: np.ndarray  # (A + D,) of the columns
    n_added: np.ndarray  # (1,): examples since the search began
    # Of numeric attributes that have been opened
    is_open: np.ndarray  # (D,) bool
    only: np.ndarray  # (D,) int64: place of the first number that was learned, −1 for none
    missing: np.ndarray  # (D,): what the examples leave open whose number is missing
    totals: np.ndarray  # (D, K, 1): class weights
    block_counts: np.ndarray  # (blocks, K, 1)
    is_block_open: np.ndarray  # (blocks,) bool: whether the counts of its numbers are known
    number_counts: np.ndarray  # (U, K, 1)
    # Parts
    n_parts: np.ndarray  # (D,) int64: of each attribute; there are none while it has one number
    room: np.ndarray  # (D,) int64: for how many parts more there is room
    firsts: np.ndarray  # (D, P) int64: the first place of each
    lasts: np.ndarray  # (D, P) int64: the last place
    before: np.ndarray  # (D, K, P): class weights on the left of the first place
    until: np.ndarray  # (D, K, P): class weights on the left of the last place, or more
    part_floors: np.ndarray  # (D, P), without the best test
    slopes: np.ndarray  # (2, D, K, P): by how much floors grow with each weight on the left, on the right
    ahead: np.ndarray  # (K,): weight of each class for which the slopes still hold
    # Buffers
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
def _open_beside(s, d, before, until, row, i):
    """n·H of what is before, and of what is not until, part `i`, in sums of whole weights."""
    n_left, n_right, left_by_class, right_by_class = 0.0, 0.0, 0.0, 0.0
    for c in range(before.shape[1]):
        x = before[row, c, i]
        n_left += x
        left_by_class += _x_log_x(s, x)
        x = s.totals[d, c, 0] - until[row, c, i]
        n_right += x
        right_by_class += _x_log_x(s, x)
    return (_x_log_x(s, n_left) - left_by_class) + (_x_log_x(s, n_right) - right_by_class)


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
    n_parts = _SPARE_PARTS
    for d in range(n_numeric):
        n_parts = max(n_parts, _SPARE_PARTS + models.first_blocks[d + 1] - models.first_blocks[d])
    s = Search(
        np.full(1, models.chosen[m]),
        np.full(1, -1),
        np.full(1, -1),
        np.full(1, -1),
        np.full(1, np.inf),
        np.full(1, models.threshold[m]),
        np.zeros((3, n_classes, 1)),
        models.floors[:, m].copy(),
        np.zeros(1),
        np.zeros(n_numeric, np.bool_),
        np.empty(n_numeric, np.int64),
        np.empty(n_numeric),
        np.zeros((n_numeric, n_classes, 1)),
        np.empty((n_blocks, n_classes, 1)),
        np.empty(n_blocks, np.bool_),
        np.empty((n_numbers, n_classes, 1)),
        np.empty(n_numeric, np.int64),
        np.empty(n_numeric, np.int64),
        np.empty((n_numeric, n_parts), np.int64),
        np.empty((n_numeric, n_parts), np.int64),
        np.empty((n_numeric, n_classes, n_parts)),
        np.empty((n_numeric, n_classes, n_parts)),
        np.empty((n_numeric, n_parts)),
        np.empty((2, n_numeric, n_classes, n_parts)),
        np.full(n_classes, 1.0),
        np.zeros((1, n_classes, 1)),
        np.full(_LOOKED_UP, -1.0),
        np.empty(_LOOKED_UP),
    )
    d = models.attributes[s.column[0]] - (len(models.branch_starts) - 1)
    if d >= 0 and s.threshold[0] < np.inf and not models.has_fractions[m]:
        _find_place(models, m, s, d)
    return s


@kernel(counts=False)
def _find_place(models, m, s, d):
    """Find the place of the threshold, if it still has numbers on both sides, and set the groups."""
    _open_attribute(models, m, s, d)
    place, stop = first_above(models, d, s.threshold[0], False), models.number_starts[d + 1]
    block = models.blocks[place] if place < stop else models.first_blocks[d + 1]
    for b in range(models.first_blocks[d], block):
        _add(s.groups, 0, s.block_counts, b, 0)
    for i in range(models.block_starts[block], place):
        _add(s.groups, 0, models.number_counts, models.rows[i], m)
    for c in range(s.totals.shape[1]):
        s.groups[1, c, 0] = s.totals[d, c, 0] - s.groups[0, c, 0]
    if not (_is_empty(s.groups, 0, 0) or _is_empty(s.groups, 1, 0)):
        while _is_empty(models.number_counts, models.rows[place], m):
            place += 1
        s.place[0] = place


@kernel(counts=False)
def end(models, m, s):
    """Remember what has been found out."""
    n_nominal = len(models.branch_starts) - 1
    for j in range(len(s.floors)):
        d = models.attributes[j] - n_nominal
        if d >= 0 and s.is_open[d] and not models.has_fractions[m]:
            s.floors[j] = np.inf
            for i in range(s.n_parts[d]):
                s.floors[j] = min(s.floors[j], s.part_floors[d, i] + s.missing[d])
            if s.n_parts[d] == 0:
                s.floors[j] = open_of(s.totals, d, 0) + s.missing[d]
            if j == s.column[0]:
                s.floors[j] = min(s.floors[j], s.least[0])
        models.floors[j, m] = s.floors[j]
    models.chosen[m], models.threshold[m] = s.column[0], s.threshold[0]


@kernel(counts=False)
def _open_attribute(models, m, s, d):
    """Sum up the counts of the blocks of a numeric attribute, and make its places one part."""
    first, stop = models.first_blocks[d], models.first_blocks[d + 1]
    for c in range(s.totals.shape[1]):
        s.totals[d, c, 0] = 0.0
    s.only[d] = -1
    for b in range(first, stop):
        for c in range(s.totals.shape[1]):
            count = models.block_counts[models.block_rows[b], c, m]
            s.block_counts[b, c, 0] = count
            s.totals[d, c, 0] += count
        s.is_block_open[b] = False
        if s.only[d] < 0 and not _is_empty(s.block_counts, b, 0):
            s.only[d] = models.block_starts[b]
            while _is_empty(models.number_counts, models.rows[s.only[d]], m):
                s.only[d] += 1
    s.is_open[d] = True
    s.missing[d] = open_of(models.missing_counts, d, m)
    s.n_parts[d], s.room[d] = 0, _SPARE_PARTS
    is_divided = False
    for c in range(s.totals.shape[1]):
        s.before[d, c, 0], s.until[d, c, 0] = 0.0, s.totals[d, c, 0]
        if s.only[d] >= 0:
            is_divided |= models.number_counts[models.rows[s.only[d]], c, m] < s.totals[d, c, 0]
    if is_divided:
        s.n_parts[d] = 1
        s.firsts[d, 0], s.lasts[d, 0] = models.number_starts[d], models.number_starts[d + 1] - 1
        s.part_floors[d, 0] = -np.inf
        _set_slopes(s, d, 0, 1)


@kernel(counts=False)
def _open_block(models, m, s, b):
    s.is_block_open[b] = True
    for i in range(models.block_starts[b], models.block_starts[b + 1]):
        for c in range(s.totals.shape[1]):
            s.number_counts[i, c, 0] = models.number_counts[models.rows[i], c, m]


@kernel(counts=False)
def _last_below(models, m, place):
    """The last number of an attribute before `place` that model `m` has learned."""
    i = place - 1
    while _is_empty(models.number_counts, models.rows[i], m):
        b = models.blocks[i]
        is_free = _is_empty(models.block_counts, models.block_rows[b], m)
        i = models.block_starts[b] - 1 if is_free else i - 1
    return i


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
def _offer(models, s, total, column, place, part):
    """Take a test if it leaves less open than the best so far, of equals the first; whether it is best."""
    least = s.least[0]
    if column == s.column[0] and place == s.place[0] and total == least:
        s.part[0] = part
        return True
    is_first = column < s.column[0] or (column == s.column[0] and place < s.place[0])
    if not (total < least or (total == least and is_first)):
        return False
    if s.part[0] >= 0:  # the best test so far is now one of the others
        d = models.attributes[s.column[0]] - (len(models.branch_starts) - 1)
        s.part_floors[d, s.part[0]] = min(s.part_floors[d, s.part[0]], least - s.missing[d])
    s.least[0], s.column[0], s.place[0], s.part[0], s.below[0] = total, column, place, part, -1
    return True


@kernel
def choose(models, m, s):
    """Find the test of model `m` that leaves least open: of equals the first column, the lowest threshold."""
    n_nominal = len(models.branch_starts) - 1
    has_fractions = models.has_fractions[m]
    rounding = _rounding(models, m, len(models.numbers) if has_fractions else s.n_added[0])
    column, d = s.column[0], models.attributes[s.column[0]] - n_nominal
    s.least[0] = np.inf
    if d < 0:
        s.floors[column] = s.least[0] = by_branches(models, m, d + n_nominal)
    elif has_fractions:
        s.place[0] = s.part[0] = s.below[0] = -1
        _choose_threshold_by_all(models, m, s, column, d)
    elif s.place[0] >= 0:
        s.least[0] = _open_beside(s, d, s.groups, s.groups, 0, 0) + s.missing[d]
    for j in range(len(models.attributes)):
        d = models.attributes[j] - n_nominal
        if d >= 0 and not has_fractions:
            n_possible, highest = 0, (s.least[0] + rounding) - s.missing[d]
            if s.is_open[d]:
                for i in range(s.n_parts[d]):
                    n_possible += s.part_floors[d, i] <= highest
            if n_possible > 0 or not s.is_open[d] or s.n_parts[d] == 0:
                _choose_threshold(models, m, s, j, d, rounding)
        elif j != column and s.floors[j] <= s.least[0] + rounding:
            if d >= 0:
                _choose_threshold_by_all(models, m, s, j, d)
            else:
                s.floors[j] = by_branches(models, m, d + n_nominal)
                _offer(models, s, s.floors[j], j, -1, -1)
    _set_outcomes(models, m, s)


@kernel(counts=False)
def _set_outcomes(models, m, s):
    """Set the threshold midway between neighbours among the numbers that the model learned.

    An attribute of one number has the threshold ∞, behind which there is nothing. Groups of rounded sums are
    added up from the outer end, as in `_choose_threshold_by_all`, for the same bits.
    """
    d, place = models.attributes[s.column[0]] - (len(models.branch_starts) - 1), s.place[0]
    if d < 0:
        s.threshold[0] = 0.0
        return
    first, stop = models.number_starts[d], models.number_starts[d + 1]
    if models.has_fractions[m]:
        for c in range(s.totals.shape[1]):
            s.groups[0, c, 0] = s.groups[1, c, 0] = 0.0
        for i in range(first, place):
            _add(s.groups, 0, models.number_counts, models.rows[i], m)
        for i in range(stop - 1, place - 1, -1):
            _add(s.groups, 1, models.number_counts, models.rows[i], m)
    if s.below[0] < 0:
        s.threshold[0] = np.inf
        if place < stop:
            s.below[0] = _last_below(models, m, place)
            s.threshold[0] = _between(models.numbers[s.below[0]], models.numbers[place])


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
                _offer(models, s, total, column, i, -1)
            _add(group, 0, counts, rows[i], m)
    if least == np.inf:
        least = open_of(group, 0, 0) + missing
        _offer(models, s, least, column, stop, -1)
    s.floors[column] = least


@kernel(counts=False)
def _choose_threshold(models, m, s, column, d, rounding):
    """Offer the thresholds of numeric attribute `d` that may be the best, where sums of weights are exact."""
    if not s.is_open[d]:
        if s.floors[column] > s.least[0] + rounding:
            return
        _open_attribute(models, m, s, d)
    missing = s.missing[d]
    if s.n_parts[d] == 0:
        total = open_of(s.totals, d, 0) + missing
        if _offer(models, s, total, column, models.number_starts[d + 1], -1):
            for c in range(s.totals.shape[1]):
                s.groups[0, c, 0], s.groups[1, c, 0] = s.totals[d, c, 0], 0.0
        return
    if s.least[0] <= 0.0 and column > s.column[0]:
        return
    i = 0
    while i < s.n_parts[d]:
        is_possible = s.part_floors[d, i] <= (s.least[0] + rounding) - missing
        if s.least[0] <= 0.0 and column == s.column[0]:  # no later place leaves less open
            is_possible &= s.firsts[d, i] <= s.place[0]
        if not is_possible:
            i += 1
        elif (
            models.blocks[s.firsts[d, i]] < models.blocks[s.lasts[d, i]]
            and _weight_of(s, d, i) > 2 * _PLACES_PER_PART
        ):
            _divide(models, s, d, i)
        else:
            _evaluate(models, m, s, column, d, i)
            i += 1


@kernel(counts=False)
def _weight_of(s, d, i):
    """Weight of the examples between the first and the last place of part `i`, or more."""
    weight = 0.0
    for c in range(s.totals.shape[1]):
        weight += s.until[d, c, i] - s.before[d, c, i]
    return weight


@kernel(counts=False)
def _divide(models, s, d, i):
    """Divide part `i`, of several blocks, into smaller ones."""
    first, stop = models.blocks[s.firsts[d, i]], models.blocks[s.lasts[d, i]] + 1
    n_parts = min(_MAX_PARTS, int(_weight_of(s, d, i)) // _PLACES_PER_PART)
    length = (stop - first + n_parts - 1) // n_parts
    for c in range(s.totals.shape[1]):
        s.sums[0, c, 0] = s.before[d, c, i]
    for start in range(first, stop, length):
        end_of_part = min(start + length, stop)
        if start > first:
            i = _new_part(s, d, models.block_starts[start])
        s.lasts[d, i] = models.block_starts[end_of_part] - 1
        for b in range(start, end_of_part):
            _add(s.sums, 0, s.block_counts, b, 0)
        _close_part(s, d, i)
        s.part_floors[d, i] = _open_beside(s, d, s.before, s.until, d, i)
        for c in range(s.totals.shape[1]):
            between = s.until[d, c, i] - s.before[d, c, i]
            s.part_floors[d, i] += between * min(s.slopes[0, d, c, i], s.slopes[1, d, c, i])


@kernel(counts=False)
def _new_part(s, d, first):
    """Index of a new part, from a place on with `sums` on the left."""
    i = s.n_parts[d]
    s.n_parts[d] = i + 1
    s.firsts[d, i] = first
    for c in range(s.totals.shape[1]):
        s.before[d, c, i] = s.sums[0, c, 0]
    return i


@kernel(counts=False)
def _close_part(s, d, i):
    """Note that there is no more than `sums` on the left of the last place of part `i`."""
    for c in range(s.totals.shape[1]):
        s.until[d, c, i] = s.sums[0, c, 0]
    _set_slopes(s, d, i, i + 1)


@kernel(counts=False)
def _evaluate(models, m, s, column, d, i):
    """Offer all places of part `i`, and divide it if these are many."""
    counts, first, last = s.number_counts, s.firsts[d, i], s.lasts[d, i]
    n_learned, n = 0, 0
    if models.blocks[first] == models.blocks[last] and s.is_block_open[models.blocks[first]]:
        for k in range(first, last + 1):
            n_learned += not _is_empty(counts, k, 0)
    is_divided = 2 * _PLACES_PER_PART < n_learned <= s.room[d]
    for c in range(s.totals.shape[1]):
        s.sums[0, c, 0] = s.before[d, c, i]
    s.part_floors[d, i] = np.inf
    for b in range(models.blocks[first], models.blocks[last] + 1):
        if _is_empty(s.block_counts, b, 0) and b < models.blocks[last]:
            continue
        if not s.is_block_open[b]:
            _open_block(models, m, s, b)
        for k in range(max(first, models.block_starts[b]), min(last + 1, models.block_starts[b + 1])):
            is_learned = not _is_empty(counts, k, 0)
            if not (is_learned or k == last):  # examples may still come to the places before the last one
                continue
            if is_divided and n == _PLACES_PER_PART:
                s.lasts[d, i] = k - 1
                _close_part(s, d, i)
                i, n = _new_part(s, d, k), 0
                s.room[d] -= 1
                s.lasts[d, i], s.part_floors[d, i] = last, np.inf
            total = _open_beside(s, d, s.sums, s.sums, 0, 0)
            is_proper = is_learned and not _is_empty(s.sums, 0, 0)
            if not (is_proper and _offer(models, s, total + s.missing[d], column, k, i)):
                s.part_floors[d, i] = min(s.part_floors[d, i], total)
            elif s.below[0] < 0:
                for c in range(s.totals.shape[1]):
                    s.groups[0, c, 0] = s.sums[0, c, 0]
                    s.groups[1, c, 0] = s.totals[d, c, 0] - s.sums[0, c, 0]
            _add(s.sums, 0, counts, k, 0)
            n += 1
    if is_divided:
        _close_part(s, d, i)


@kernel(counts=False)
def _set_slopes(s, d, first, stop):
    """By how much n·H on each side of parts grows at least with each unit of a class, while `ahead` holds."""
    n, totals, before, until, slopes = 0.0, s.totals, s.before, s.until, s.slopes
    for c in range(totals.shape[1]):
        n += totals[d, c, 0]
    for c in range(totals.shape[1]):
        total, ahead = totals[d, c, 0], s.ahead[c]
        for k in range(stop - first):
            i = first + k
            others_before, others_until = 0.0, 0.0
            for other in range(totals.shape[1]):
                others_before += before[d, other, i] if other != c else 0.0
                others_until += until[d, other, i] if other != c else 0.0
            most = until[d, c, i] + ahead
            slopes[0, d, c, i] = log_from_below(others_before + most, most)
            most = (total - before[d, c, i]) + ahead
            slopes[1, d, c, i] = log_from_below(((n - total) - others_until) + most, most)


@kernel(counts=False, inline=True)
def log_from_below(p, q):
    """A bound of log(p/q) for p ≥ q, a Padé approximant."""
    return 3.0 * (p - q) * (p + q) / (p * p + 4.0 * p * q + q * q)


@kernel(counts=False)
def add_example(models, m, s, examples, n, label, weight):
    """Add an example, which model `m` has just learned, to what the search knows."""
    if models.has_fractions[m]:
        return
    s.n_added[0] += 1.0
    if s.ahead[label] < weight:
        s.ahead[:] = max(1.0, min(_WEIGHT_AHEAD, models.class_counts[0, :, m].sum() / 32.0))
        for d in range(len(s.is_open)):
            if s.is_open[d]:
                _set_slopes(s, d, 0, s.n_parts[d])
    growth = weight if weight <= s.ahead[label] else 0.0
    s.ahead[label] = max(s.ahead[label] - weight, 0.5)  # less than any weight
    tested = models.attributes[s.column[0]] - (len(models.branch_starts) - 1)
    for d in range(len(s.is_open)):
        x = examples.numbers[n, d]
        if not s.is_open[d]:
            continue
        if np.isnan(x):
            s.missing[d] = open_of(models.missing_counts, d, m)
            continue
        i = place_of(models, n, d, x)
        b = models.blocks[i]
        s.totals[d, label, 0] += weight
        s.block_counts[b, label, 0] += weight
        if s.is_block_open[b]:
            s.number_counts[i, label, 0] += weight
        if s.n_parts[d] == 0:
            if i != s.only[d]:
                s.is_open[d] = False
                if d == tested:
                    s.place[0] = s.below[0] = -1
            elif d == tested:
                s.groups[0, label, 0] += weight
            continue
        if d == tested and s.place[0] >= 0:
            _add_to_best(models, s, d, i, label, weight)
        _add_to_parts(s, d, i, label, weight, growth)


@kernel(counts=False)
def _add_to_best(models, s, d, i, label, weight):
    """Add an example with number `i` of the tested attribute to the groups of the test."""
    place, part = s.place[0], s.part[0]
    if part >= 0 and s.below[0] < i < place:  # a new number: it divides what was one place
        s.part_floors[d, part] = min(s.part_floors[d, part], s.least[0] - s.missing[d])
    if 0 <= s.below[0] < i < place:
        s.below[0] = i
        s.threshold[0] = _between(models.numbers[i], models.numbers[place])
    s.groups[0 if i < place else 1, label, 0] += weight


@kernel(counts=False, inline=True)
def _add_to_parts(s, d, place, label, weight, growth):
    """Add an example with number `place` of attribute `d` to its parts, in vectors."""
    n_parts, firsts, lasts = s.n_parts[d], s.firsts, s.lasts
    for i in range(n_parts):
        left, right = s.slopes[0, d, label, i], s.slopes[1, d, label, i]
        slope = left if place < firsts[d, i] else min(left, right)
        s.part_floors[d, i] += growth * (right if place >= lasts[d, i] else slope)
    for i in range(n_parts):
        s.before[d, label, i] += weight if place < firsts[d, i] else 0.0
    for i in range(n_parts):
        s.until[d, label, i] += weight if place < lasts[d, i] else 0.0
