"""Decision stump: one test, a majority class behind each outcome (thesis section 2.1.1), as kernels.

A test is judged by what it leaves open: the sum, over its groups of examples, of

    n·H = n log n − Σ_c n_c log n_c   (in nats, n the weight of the group, n_c that of class c),

which is n times the entropy before the test minus n times the information gain, so the lowest
sum has the highest gain. Everything follows from counts: order and chunks do not matter.
"""

from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import (
    LONG_ENOUGH,
    class_shares,
    classify,
    classify_each,
    learn,
    learn_and_test,
    learn_and_test_one_by_one,
    learn_each,
    mark_correct,
    prepare,
    test_and_learn,
)
from ...kernels.arithmetic import log, x_log_x
from ...kernels.compile import copy_into, implements, kernel

# Rounding moves a sum of n·H by less than (terms)·_ROUNDING·n: |x log x| ≤ 745 x for every float,
# and the error of each term and of each addition is a few units of 2⁻⁵³.
_ROUNDING = 745.0 * 2.0**-50
_MORE = 1.0 + 2.0**-20  # times a sum of weights: no less than the sum is by any rounding
_UNKNOWN = np.inf  # stands for what a branch leaves open, once it has learned more


class DecisionStump(NamedTuple):
    """Counts of M models, with K classes, A nominal attributes of B branches, D numeric attributes.

    A nominal attribute has a branch for each of its values and a last one for any other value;
    a numeric attribute has a row of counts for each distinct number, in order of arrival; row 0
    stays empty.
    """

    class_counts: Annotated[np.ndarray, "1, K, M"]
    branch_counts: Annotated[np.ndarray, "B, K, M"]
    number_counts: Annotated[np.ndarray, "1 + U and some room, K, M"]
    missing_counts: Annotated[np.ndarray, "D, K, M"]  # of the examples whose number is missing
    branch_starts: Annotated[np.ndarray, "A + 1"]  # int64: the first branch of each attribute, and the end
    number_starts: Annotated[np.ndarray, "D + 1"]  # int64: the same for the numbers
    numbers: Annotated[np.ndarray, "U"]  # distinct numbers, ascending for each attribute
    rows: Annotated[np.ndarray, "U + 1"]  # int64: their rows in number_counts, and 0
    attributes: Annotated[np.ndarray, "A + D"]  # int64: behind each column, nominal a or A + numeric d
    chosen: Annotated[np.ndarray, "M"]  # int64: the column that `classify` tested last
    threshold: Annotated[np.ndarray, "M"]  # its threshold
    floors: Annotated[np.ndarray, "A + D, M"]  # what each column left open when it was last evaluated
    rival: Annotated[np.ndarray, "M"]  # the lowest floor of all columns but the chosen one
    group: Annotated[np.ndarray, "1, K, 1"]  # buffers of `_by_threshold`
    right: Annotated[np.ndarray, "U"]


class PreparedDecisionStump(NamedTuple):
    """The test of each model, and the class behind each of at most L outcomes."""

    tests: np.ndarray  # (M,) int64: attribute
    thresholds: np.ndarray  # (M,)
    leaves: np.ndarray  # (L, M) int32
    branch_starts: np.ndarray  # (A + 1, 1) int64


def with_rows_for(models: DecisionStump, numbers: np.ndarray) -> DecisionStump:
    """Add a row of counts for each number that is new; twice as many rows when they run out."""
    known_numbers, rows, starts = [], [], [0]
    n_rows = 1 + len(models.numbers)
    for d, (first, end) in enumerate(pairwise(models.number_starts)):
        known = models.numbers[first:end]
        new = np.setdiff1d(numbers[~np.isnan(numbers[:, d]), d], known)
        places = np.searchsorted(known, new)
        known_numbers.append(np.insert(known, places, new))
        rows.append(np.insert(models.rows[first:end], places, n_rows + np.arange(len(new))))
        n_rows += len(new)
        starts.append(starts[-1] + len(known_numbers[-1]))
    if n_rows == 1 + len(models.numbers):
        return models
    counts = models.number_counts
    if n_rows > len(counts):
        counts = np.zeros((max(n_rows, 2 * len(counts)), *counts.shape[1:]))
        counts[: len(models.number_counts)] = models.number_counts
    return models._replace(
        number_counts=counts,
        number_starts=np.array(starts),
        numbers=np.concatenate(known_numbers),
        rows=np.concatenate([*rows, [0]]),
        right=np.zeros(n_rows - 1),
    )


@kernel
def _row_of(x, d, number_starts, numbers, rows):
    """Row of counts of number `x` of numeric attribute `d`, which `with_rows_for` has added.

    A number without a row is not refused here: an exception would make numba count references in
    every loop around it, which would cost more than all the rest of learning.
    """
    low, high = number_starts[d], number_starts[d + 1]
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < x:
            low = middle + 1
        else:
            high = middle
    return rows[low]


@kernel
def _branch(codes, n, a, branch_starts):
    """Branch of nominal attribute `a` that example `n` takes: that of its value, or the last one."""
    v = codes[n, a]
    return v + a if v >= 0 else branch_starts[a + 1] - 1


@implements(learn, DecisionStump)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[0, label, m] += weight
    codes, branch_starts, branch_counts = examples.codes, models.branch_starts, models.branch_counts
    for a in range(codes.shape[1]):
        branch_counts[_branch(codes, n, a, branch_starts), label, m] += weight
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if np.isnan(x):
            models.missing_counts[d, label, m] += weight
        else:
            row = _row_of(x, d, models.number_starts, models.numbers, models.rows)
            models.number_counts[row, label, m] += weight


@implements(learn_each, DecisionStump)
def _learn_each(models, examples, n, label, weights):
    counts = models.class_counts[0, label]
    for m in range(len(weights)):
        counts[m] += weights[m]
    for a in range(examples.codes.shape[1]):
        counts = models.branch_counts[_branch(examples.codes, n, a, models.branch_starts), label]
        for m in range(len(weights)):
            counts[m] += weights[m]
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        counts = models.missing_counts[d, label]
        if not np.isnan(x):
            row = _row_of(x, d, models.number_starts, models.numbers, models.rows)
            counts = models.number_counts[row, label]
        for m in range(len(weights)):
            counts[m] += weights[m]


# Groups of examples are rows of class counts, (rows, K, M). A row is passed as an array and an index,
# because numba would count a reference to a slice, which takes longer than the work.


@kernel(counts=False, inline=True)
def _open(counts, row, m):
    """n·H of one group of examples."""
    n, by_class = 0.0, 0.0
    for c in range(counts.shape[1]):
        n += counts[row, c, m]
        by_class += x_log_x(counts[row, c, m])
    return x_log_x(n) - by_class


@kernel
def _most_frequent(counts, row, m, otherwise):
    """Class with the largest count, the first of equals; `otherwise` for an empty group."""
    best, most = otherwise, 0.0
    for c in range(counts.shape[1]):
        if counts[row, c, m] > most:
            best, most = c, counts[row, c, m]
    return best


@kernel
def _add(group, counts, row, m):
    for c in range(counts.shape[1]):
        group[0, c, 0] += counts[row, c, m]


@kernel
def _between(low, high):
    """Midpoint of two numbers; the lower one where no number lies between them."""
    middle = 0.5 * low + 0.5 * high  # halves first: the sum of large numbers is infinite
    return middle if low <= middle < high else low


@kernel
def _left_open(models, m, attribute, group, right):
    """(n·H summed over the groups of the test, threshold) for the best test of one attribute."""
    starts = models.branch_starts
    if attribute < len(starts) - 1:
        return _by_branches(models.branch_counts, starts[attribute], starts[attribute + 1], m), 0.0
    d = attribute - (len(starts) - 1)
    first, end = models.number_starts[d], models.number_starts[d + 1]
    total, threshold = _by_threshold(
        models.number_counts, models.numbers, models.rows, first, end, m, group, right
    )
    return total + _open(models.missing_counts, d, m), threshold


@kernel
def _by_branches(branch_counts, first, end, m):
    total = 0.0
    for branch in range(first, end):
        total += _open(branch_counts, branch, m)
    return total


@kernel
def _by_threshold(counts, numbers, rows, first, end, m, group, right):
    """The lowest of the best thresholds.

    A threshold lies midway between neighbours among the numbers that model `m` has learned;
    an attribute of one number has the threshold ∞, behind which there is nothing.
    """
    group[:] = 0.0
    for i in range(end - 1, first - 1, -1):
        if _most_frequent(counts, rows[i], m, -1) >= 0:
            _add(group, counts, rows[i], m)
            right[i] = _open(group, 0, 0)
    group[:] = 0.0
    best, threshold, below = np.inf, np.inf, -1
    for i in range(first, end):
        if _most_frequent(counts, rows[i], m, -1) >= 0:
            if below >= 0:
                total = _open(group, 0, 0) + right[i]
                if total < best:
                    best, threshold = total, _between(numbers[below], numbers[i])
            _add(group, counts, rows[i], m)
            below = i
    return (best, threshold) if best < np.inf else (_open(group, 0, 0), threshold)


@kernel
def best_test(models, m):
    """(attribute, threshold) of the test that leaves least open, the first column of equals."""
    group, right = np.zeros(models.group.shape), np.zeros(models.right.shape)  # models may be read-only
    best, threshold, least = 0, 0.0, np.inf
    for j in range(len(models.attributes)):
        total, t = _left_open(models, m, models.attributes[j], group, right)
        if total < least:
            best, threshold, least = models.attributes[j], t, total
    return best, threshold


@kernel
def _rounding(models, n, n_steps=0):
    """Bound of the rounding error in what one test leaves open, after `n_steps` additions, at weight `n`."""
    n_terms = len(models.branch_counts) + len(models.numbers) + models.class_counts.shape[1] + 8
    return (n_terms + n_steps) * _ROUNDING * n


@kernel
def _weight(models, m):
    """Total weight of the examples that model `m` learned."""
    n = 0.0
    for c in range(models.class_counts.shape[1]):
        n += models.class_counts[0, c, m]
    return n


@kernel
def _choose_again(models, m):
    """Choose what `best_test` would, but evaluate only columns that may have become the best.

    One more example never lowers what a test leaves open: n·H grows by log(n/n_c) ≥ 0 for each
    unit of weight in class c, and a new number only adds thresholds that split no group better
    than the old ones. So what a column left open when it was last evaluated is a floor of what
    it leaves open now, and a column whose floor lies above the best sum so far need not be evaluated.
    """
    attributes, floors = models.attributes, models.floors
    best = models.chosen[m]
    least, threshold = _left_open(models, m, attributes[best], models.group, models.right)
    rounding = _rounding(models, _weight(models, m))
    floors[best, m] = least
    for j in range(len(attributes)):
        if j != models.chosen[m] and floors[j, m] <= least + rounding:
            total, t = _left_open(models, m, attributes[j], models.group, models.right)
            floors[j, m] = total
            if total < least or (total == least and j < best):
                best, threshold, least = j, t, total
    rival = np.inf
    for j in range(len(attributes)):
        if j != best:
            rival = min(rival, floors[j, m])
    models.chosen[m], models.threshold[m], models.rival[m] = best, threshold, rival


@kernel
def _groups(models, m, attribute, threshold):
    """Class counts (L, K, 1) behind each outcome of a test of model `m`."""
    n_classes = models.class_counts.shape[1]
    n_nominal = len(models.branch_starts) - 1
    if attribute < n_nominal:
        first, end = models.branch_starts[attribute], models.branch_starts[attribute + 1]
        return models.branch_counts[first:end, :, m : m + 1].copy()
    d = attribute - n_nominal
    groups = np.zeros((3, n_classes, 1))
    for side in range(2):
        _gather(models, m, d, threshold, side == 0, groups[side : side + 1])
    copy_into(groups[2:], models.missing_counts[d : d + 1, :, m : m + 1])
    return groups


@kernel
def _gather(models, m, d, threshold, goes_left, group):
    """Put in `group` the class counts on one side of a threshold of model `m`.

    Added up from the outer end, as `_by_threshold` does, for the same bits.
    """
    group[:] = 0.0
    first, end = models.number_starts[d], models.number_starts[d + 1]
    step = 1 if goes_left else -1
    i = first if goes_left else end - 1
    while first <= i < end and (models.numbers[i] <= threshold) == goes_left:
        _add(group, models.number_counts, models.rows[i], m)
        i += step


@kernel
def _leaf(examples, n, attribute, threshold, branch_starts):
    """Outcome of a test for example `n`: index of its branch, or left (0), right (1), missing (2)."""
    n_nominal = len(branch_starts) - 1
    if attribute < n_nominal:
        return _branch(examples.codes, n, attribute, branch_starts) - branch_starts[attribute]
    x = examples.numbers[n, attribute - n_nominal]
    return 2 if np.isnan(x) else 0 if x <= threshold else 1


@implements(classify, DecisionStump)
def _classify(models, m, examples, n):
    attributes, starts, counts = models.attributes, models.branch_starts, models.branch_counts
    n_nominal = len(starts) - 1
    attribute = attributes[models.chosen[m]]
    stays = False
    if attribute < n_nominal:
        least = _by_branches(counts, starts[attribute], starts[attribute + 1], m)
        stays = least + _rounding(models, _weight(models, m)) < models.rival[m]
    if not stays:
        _choose_again(models, m)
        attribute = attributes[models.chosen[m]]
    if attribute < n_nominal:
        label = _most_frequent(counts, _branch(examples.codes, n, attribute, starts), m, -1)
    else:
        d, threshold = attribute - n_nominal, models.threshold[m]
        x = examples.numbers[n, d]
        if np.isnan(x):
            label = _most_frequent(models.missing_counts, d, m, -1)
        else:
            _gather(models, m, d, threshold, x <= threshold, models.group)
            label = _most_frequent(models.group, 0, 0, -1)
    return label if label >= 0 else _most_frequent(models.class_counts, 0, m, -1)


@kernel
def _most_outcomes(models):
    """The largest number of outcomes of any test."""
    most = 3
    for a in range(len(models.branch_starts) - 1):
        most = max(most, models.branch_starts[a + 1] - models.branch_starts[a])
    return most


@kernel
def _decide(models, m, leaves):
    """(attribute, threshold) of the best test of model `m`; the class of each outcome goes to `leaves`."""
    attribute, threshold = best_test(models, m)
    groups = _groups(models, m, attribute, threshold)
    most_frequent = _most_frequent(models.class_counts, 0, m, -1)
    for leaf in range(len(groups)):
        leaves[leaf] = _most_frequent(groups, leaf, 0, most_frequent)
    return attribute, threshold


@implements(mark_correct, DecisionStump)
def _mark_correct(models, m, examples, labels, is_right):
    leaves, starts = np.empty(_most_outcomes(models), np.int32), models.branch_starts
    attribute, threshold = _decide(models, m, leaves)
    for n in range(len(labels)):
        is_right[n] = leaves[_leaf(examples, n, attribute, threshold, starts)] == labels[n]


@implements(prepare, DecisionStump)
def _prepare(models):
    n_models = models.class_counts.shape[2]
    tests = np.empty(n_models, np.int64)
    thresholds = np.empty(n_models)
    leaves = np.empty((_most_outcomes(models), n_models), np.int32)
    for m in range(n_models):
        tests[m], thresholds[m] = _decide(models, m, leaves[:, m])
    return PreparedDecisionStump(tests, thresholds, leaves, models.branch_starts)


@implements(classify_each, PreparedDecisionStump)
def _classify_each(prepared, examples, n, labels):
    for m in range(len(labels)):
        leaf = _leaf(examples, n, prepared.tests[m], prepared.thresholds[m], prepared.branch_starts)
        labels[m] = prepared.leaves[leaf, m]


@kernel
@implements(class_shares, DecisionStump)
def outcome_shares(models, m, n_classes, examples):
    """Class shares (N, K) behind the outcome that each example has in model `m`.

    Where no example had that outcome, the shares among all examples; equal shares where the
    model has learned nothing.
    """
    attribute, threshold = best_test(models, m)
    groups = _groups(models, m, attribute, threshold)
    shares = np.ones((len(examples.codes), n_classes))
    for n in range(len(shares)):
        leaf = _leaf(examples, n, attribute, threshold, models.branch_starts)
        if _most_frequent(groups, leaf, 0, -1) >= 0:
            copy_into(shares[n], groups[leaf, :, 0])
        elif _most_frequent(models.class_counts, 0, m, -1) >= 0:
            copy_into(shares[n], models.class_counts[0, :, m])
        total = 0.0
        for c in range(shares.shape[1]):
            total += shares[n, c]
        shares[n] /= total
    return shares


@implements(learn_and_test, DecisionStump)
def _learn_and_test(models, m, examples, labels, weights, before, after):
    """Learn nominal attributes by one model, with a bound of what each column leaves open.

    n·H of a group is concave in its counts: each unit of weight in class c adds at most the slope
    log(n/n_c) at present, and at least the slope that there would be if all the weight of class c still
    `ahead` were in the group. The chosen column's bound grows by the first, those of the others by
    the second, and while these lie above the chosen one's, no column need be evaluated.
    """
    codes, starts = examples.codes, models.branch_starts
    if examples.numbers.shape[1] > 0 or len(labels) < LONG_ENOUGH:
        learn_and_test_one_by_one(models, m, examples, labels, weights, before, after)
        return
    class_counts = models.class_counts[:, :, m : m + 1].copy()
    counts = models.branch_counts[:, :, m : m + 1].copy()
    ahead = np.zeros(class_counts.shape[1])
    for n in range(len(labels)):
        ahead[labels[n]] += weights[n]
    ahead *= _MORE  # so that rounding never leaves less than there is
    rounding = _rounding(models, class_counts.sum() + ahead.sum(), len(labels))
    bounds = np.full(codes.shape[1], -np.inf)
    left_open, slopes = np.empty(len(counts)), np.empty(counts.shape)
    _open_each(counts, left_open)
    for branch in range(len(counts)):
        _set_slopes(counts, branch, branch < starts[1], ahead, slopes)
    chosen = _choose_column(counts, starts, ahead, rounding, 0, bounds, left_open, slopes)
    for n in range(len(labels)):
        label, weight = labels[n], weights[n]
        if len(before) > 0:
            before[n] = _answer(counts, class_counts, _branch(codes, n, chosen, starts))
        if weight > 0.0:
            class_counts[0, label, 0] += weight
            ahead[label] -= weight
            for a in range(len(bounds)):
                branch = _branch(codes, n, a, starts)
                counts[branch, label, 0] += weight
                bounds[a] += weight * slopes[branch, label, 0]
                left_open[branch] = _UNKNOWN
            stays = True
            for a in range(len(bounds)):
                stays &= (bounds[a] > bounds[chosen] + rounding) | (a == chosen)
            if not stays:
                chosen = _choose_column(counts, starts, ahead, rounding, chosen, bounds, left_open, slopes)
        after[n] = _answer(counts, class_counts, _branch(codes, n, chosen, starts)) == label
    bounds[:] = -np.inf
    _open_each(counts, left_open)
    chosen = _choose_column(counts, starts, ahead, rounding, chosen, bounds, left_open, slopes)
    copy_into(models.class_counts[:, :, m : m + 1], class_counts)
    copy_into(models.branch_counts[:, :, m : m + 1], counts)
    copy_into(models.floors[:, m], bounds)
    bounds[chosen] = np.inf
    models.chosen[m], models.threshold[m], models.rival[m] = chosen, 0.0, bounds.min()


@implements(test_and_learn, DecisionStump)
def _test_and_learn(models, m, examples, labels, weights, before):
    if len(before) > 0:
        learn_and_test(models, m, examples, labels, weights, before, np.empty(len(labels), np.bool_))
    else:
        for n in range(len(labels)):
            learn(models, m, examples, n, labels[n], weights[n])


@kernel(counts=False, inline=True)
def _answer(counts, class_counts, branch):
    """Majority class of a branch, or of all examples where none came to the branch."""
    best = _most_frequent(counts, branch, 0, -1)
    return best if best >= 0 else _most_frequent(class_counts, 0, 0, -1)


@kernel
def _open_each(counts, left_open):
    """`_open` of each branch, with all logarithms in vectors."""
    n_classes, flat = counts.shape[1], counts.reshape(counts.size)
    terms, by_class = np.empty(len(flat)), np.zeros(len(left_open))
    for i in range(len(flat)):
        terms[i] = x_log_x(flat[i])
    left_open[:] = 0.0
    for branch in range(len(left_open)):
        for c in range(n_classes):
            left_open[branch] += flat[branch * n_classes + c]
            by_class[branch] += terms[branch * n_classes + c]
    for branch in range(len(left_open)):
        left_open[branch] = x_log_x(left_open[branch]) - by_class[branch]


@kernel(counts=False)
def _choose_column(counts, starts, ahead, rounding, chosen, bounds, left_open, slopes):
    """The column that leaves least open, the first of equals; evaluates only those whose bounds allow it."""
    least = _evaluate(counts, starts, chosen, True, ahead, left_open, slopes)
    best, bounds[chosen] = chosen, least
    for a in range(len(bounds)):
        if a != chosen and not bounds[a] > least + rounding:
            bounds[a] = _evaluate(counts, starts, a, False, ahead, left_open, slopes)
            if bounds[a] < least or (bounds[a] == least and a < best):
                best, least = a, bounds[a]
    if best != chosen:
        for a in (best, chosen):
            for branch in range(starts[a], starts[a + 1]):
                _set_slopes(counts, branch, a == best, ahead, slopes)
    return best


@kernel(counts=False, inline=True)
def _evaluate(counts, starts, a, is_chosen, ahead, left_open, slopes):
    """What attribute `a` leaves open, added up in the order of `_by_branches`, with the same bits."""
    total = 0.0
    for branch in range(starts[a], starts[a + 1]):
        if left_open[branch] == _UNKNOWN:
            left_open[branch] = _open(counts, branch, 0)
            _set_slopes(counts, branch, is_chosen, ahead, slopes)
        total += left_open[branch]
    return total


@kernel(counts=False, inline=True)
def _set_slopes(counts, branch, is_chosen, ahead, slopes):
    """The slope of n·H for each class, from above for the chosen column, from below for any other."""
    n = 0.0
    for c in range(counts.shape[1]):
        n += counts[branch, c, 0]
    for c in range(counts.shape[1]):
        n_c = counts[branch, c, 0]
        if is_chosen:
            slopes[branch, c, 0] = log(n / n_c) if n_c > 0.0 else np.inf
        else:  # log(p/q) ≥ 3(p² − q²)/(p² + 4pq + q²) for p ≥ q, a Padé approximant
            p, q = n + ahead[c], n_c + ahead[c]
            slopes[branch, c, 0] = 3.0 * (p - q) * (p + q) / (p * p + 4.0 * p * q + q * q)
