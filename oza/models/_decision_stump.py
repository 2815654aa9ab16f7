"""Decision stump: one test, a majority class behind each outcome (thesis section 2.1.1), as kernels.

A test is judged by what it leaves open: the sum, over its groups of examples, of

    n·H = n log n − Σ_c n_c log n_c   (in nats, n the weight of the group, n_c that of class c),

which is n times the entropy before the test minus n times the information gain, so the lowest
sum has the highest gain. Everything follows from counts: order and chunks do not matter.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._arithmetic import log
from .._compile import kernel, verb_for
from ._verbs import classify, classify_each, learn, learn_each, make_room, prepare

# Rounding moves a sum of n·H by less than (terms)·_ROUNDING·n: |x log x| ≤ 745 x for every float,
# and the error of each term and of each addition is a few units of 2⁻⁵³.
_ROUNDING = 745.0 * 2.0**-50


class DecisionStump(NamedTuple):
    """Counts of M models, with K classes, A nominal attributes of B branches, D numeric attributes.

    A nominal attribute has a branch for each of its values and a last one for any other value;
    a numeric attribute has a row of counts for each distinct number, in order of arrival. The
    model index comes last; that axis has length 1 where the models share an array.
    """

    class_counts: np.ndarray  # (K, M)
    branch_counts: np.ndarray  # (B, K, M)
    number_counts: np.ndarray  # (U and some room, K, M)
    branch_starts: np.ndarray  # (A + 1, 1) int64: the first branch of each attribute, and the end
    number_starts: np.ndarray  # (D + 1, 1) int64: the same for the numbers
    numbers: np.ndarray  # (U, 1): distinct numbers, ascending for each attribute
    rows: np.ndarray  # (U, 1) int64: their rows in number_counts
    attributes: np.ndarray  # (A + D, 1) int64: behind each column, nominal a or A + numeric d
    chosen: np.ndarray  # (M,) int64: the column that `classify` tested last,
    floors: np.ndarray  # (A + D, M): what each column left open when it was last looked at,
    rival: np.ndarray  # (M,): and the lowest of these but for the chosen one


class PreparedDecisionStump(NamedTuple):
    """The test of each model, and the class behind each of at most L outcomes."""

    tests: np.ndarray  # (M,) int64: attribute
    thresholds: np.ndarray  # (M,)
    leaves: np.ndarray  # (L, M) int32
    branch_starts: np.ndarray  # (A + 1, 1) int64


@make_room.register
def _make_room(models: DecisionStump, examples) -> DecisionStump:
    """Add a row of counts for each number that is new; twice as many rows when they run out."""
    numbers, rows, starts = [], [], [0]
    n_rows = len(models.numbers)
    for d, (first, end) in enumerate(pairwise(models.number_starts[:, 0])):
        known = models.numbers[first:end, 0]
        new = np.setdiff1d(examples.numbers[:, d], known)
        places = np.searchsorted(known, new)
        numbers.append(np.insert(known, places, new))
        rows.append(np.insert(models.rows[first:end, 0], places, n_rows + np.arange(len(new))))
        n_rows += len(new)
        starts.append(starts[-1] + len(numbers[-1]))
    if n_rows == len(models.numbers):
        return models
    counts = models.number_counts
    if n_rows > len(counts):
        counts = np.zeros((max(n_rows, 2 * len(counts)), *counts.shape[1:]))
        counts[: len(models.number_counts)] = models.number_counts
    return models._replace(
        number_counts=counts,
        number_starts=np.array(starts)[:, None],
        numbers=np.concatenate(numbers)[:, None],
        rows=np.concatenate(rows)[:, None],
    )


@kernel
def _row_of(models, examples, n, d):
    """Row of counts of the number that example `n` has for numeric attribute `d`."""
    x = examples.numbers[n, d]
    low, high = models.number_starts[d, 0], models.number_starts[d + 1, 0]
    while low < high:
        middle = (low + high) // 2
        if models.numbers[middle, 0] < x:
            low = middle + 1
        else:
            high = middle
    if low == models.number_starts[d + 1, 0] or models.numbers[low, 0] != x:
        raise ValueError("a number without a row of counts: call make_room before learning")
    return models.rows[low, 0]


@kernel
def _leaf(branch_starts, attribute, threshold, examples, n):
    """Which outcome of the test example `n` has: place of its value, or left (0) or right (1)."""
    n_nominal = len(branch_starts) - 1
    if attribute >= n_nominal:
        return 0 if examples.numbers[n, attribute - n_nominal] <= threshold else 1
    v = examples.codes[n, attribute]
    first, end = branch_starts[attribute, 0], branch_starts[attribute + 1, 0]
    return v + attribute - first if v >= 0 else end - 1 - first


@verb_for(learn, DecisionStump)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[label, m] += weight
    for a in range(examples.codes.shape[1]):
        branch = models.branch_starts[a, 0] + _leaf(models.branch_starts, a, 0.0, examples, n)
        models.branch_counts[branch, label, m] += weight
    for d in range(examples.numbers.shape[1]):
        models.number_counts[_row_of(models, examples, n, d), label, m] += weight


@verb_for(learn_each, DecisionStump)
def _learn_each(models, examples, n, label, weights):
    counts = models.class_counts[label]
    for m in range(len(weights)):
        counts[m] += weights[m]
    for a in range(examples.codes.shape[1]):
        branch = models.branch_starts[a, 0] + _leaf(models.branch_starts, a, 0.0, examples, n)
        counts = models.branch_counts[branch, label]
        for m in range(len(weights)):
            counts[m] += weights[m]
    for d in range(examples.numbers.shape[1]):
        counts = models.number_counts[_row_of(models, examples, n, d), label]
        for m in range(len(weights)):
            counts[m] += weights[m]


@kernel
def _x_log_x(x):
    return x * log(x) if x > 0.0 else 0.0


@kernel
def _open(counts, m):
    """n·H of one group of examples, from its class counts (K, M)."""
    n, by_class = 0.0, 0.0
    for c in range(counts.shape[0]):
        n += counts[c, m]
        by_class += _x_log_x(counts[c, m])
    return _x_log_x(n) - by_class


@kernel
def _most_frequent(counts, m, otherwise):
    """Class with the largest count, the first of equals; `otherwise` for an empty group."""
    best, most = otherwise, 0.0
    for c in range(counts.shape[0]):
        if counts[c, m] > most:
            best, most = c, counts[c, m]
    return best


@kernel
def _add(group, counts, m):
    for c in range(counts.shape[0]):
        group[c, 0] += counts[c, m]


@kernel
def _between(low, high):
    """Midpoint of two numbers; the lower one where no number lies between them."""
    middle = 0.5 * low + 0.5 * high  # halves first: the sum of large numbers is infinite
    return middle if low <= middle < high else low


@kernel
def _left_open(models, m, attribute):
    """(n·H summed over the groups of the test, threshold) for the best test of one attribute."""
    n_nominal = len(models.branch_starts) - 1
    if attribute >= n_nominal:
        return _left_open_by_threshold(models, m, attribute - n_nominal)
    total = 0.0
    for branch in range(models.branch_starts[attribute, 0], models.branch_starts[attribute + 1, 0]):
        total += _open(models.branch_counts[branch], m)
    return total, 0.0


@kernel
def _left_open_by_threshold(models, m, d):
    """The same for a numeric attribute: the lowest of the best thresholds.

    A threshold lies midway between neighbours among the numbers that model `m` has learned;
    an attribute of one number has the threshold ∞, behind which there is nothing.
    """
    first, end = models.number_starts[d, 0], models.number_starts[d + 1, 0]
    group = np.zeros((models.class_counts.shape[0], 1))
    right = np.zeros(end - first)
    for i in range(end - 1, first - 1, -1):
        counts = models.number_counts[models.rows[i, 0]]
        if _most_frequent(counts, m, -1) >= 0:
            _add(group, counts, m)
            right[i - first] = _open(group, 0)
    group[:] = 0.0
    best, threshold, below = np.inf, np.inf, -1
    for i in range(first, end):
        counts = models.number_counts[models.rows[i, 0]]
        if _most_frequent(counts, m, -1) >= 0:
            if below >= 0:
                total = _open(group, 0) + right[i - first]
                if total < best:
                    best, threshold = total, _between(models.numbers[below, 0], models.numbers[i, 0])
            _add(group, counts, m)
            below = i
    return (best, threshold) if best < np.inf else (_open(group, 0), threshold)


@kernel
def best_test(models, m):
    """(attribute, threshold) of the test that leaves least open, the first column of equals."""
    best, threshold, least = 0, 0.0, np.inf
    for j in range(len(models.attributes)):
        total, t = _left_open(models, m, models.attributes[j, 0])
        if total < least:
            best, threshold, least = models.attributes[j, 0], t, total
    return best, threshold


@kernel
def _best_test_again(models, m):
    """What `best_test` says, looking only at those columns that may have become the best.

    One more example never lowers what a test leaves open: n·H grows by log(n/n_c) ≥ 0 for each
    unit of weight in class c, and a new number only adds thresholds that split no group better
    than the old ones. So what a column left open when it was last looked at is a floor for what
    it leaves open now, and a column whose floor lies above the chosen one's sum can wait.
    """
    best = models.chosen[m]
    least, threshold = _left_open(models, m, models.attributes[best, 0])
    n_classes = models.class_counts.shape[0]
    n = 0.0
    for c in range(n_classes):
        n += models.class_counts[c, m]
    rounding = (len(models.branch_counts) + len(models.numbers) + n_classes + 8) * _ROUNDING * n
    if least + rounding < models.rival[m]:
        return models.attributes[best, 0], threshold
    models.floors[best, m] = least
    for j in range(len(models.attributes)):
        if j != models.chosen[m] and models.floors[j, m] <= least + rounding:
            total, t = _left_open(models, m, models.attributes[j, 0])
            models.floors[j, m] = total
            if total < least or (total == least and j < best):
                best, threshold, least = j, t, total
    models.chosen[m] = best
    models.rival[m] = np.inf
    for j in range(len(models.attributes)):
        if j != best:
            models.rival[m] = min(models.rival[m], models.floors[j, m])
    return models.attributes[best, 0], threshold


@kernel
def _groups(models, m, attribute, threshold):
    """Class counts (L, K, 1) behind each outcome of a test of model `m`."""
    n_classes = models.class_counts.shape[0]
    n_nominal = len(models.branch_starts) - 1
    if attribute < n_nominal:
        first, end = models.branch_starts[attribute, 0], models.branch_starts[attribute + 1, 0]
        return models.branch_counts[first:end, :, m : m + 1].copy()
    groups = np.zeros((2, n_classes, 1))
    first, end = (
        models.number_starts[attribute - n_nominal, 0],
        models.number_starts[attribute - n_nominal + 1, 0],
    )
    i = first
    while i < end and models.numbers[i, 0] <= threshold:
        _add(groups[0], models.number_counts[models.rows[i, 0]], m)
        i += 1
    for other in range(end - 1, i - 1, -1):  # from the far end, as when the threshold was chosen
        _add(groups[1], models.number_counts[models.rows[other, 0]], m)
    return groups


@verb_for(classify, DecisionStump)
def _classify(models, m, examples, n):
    attribute, threshold = _best_test_again(models, m)
    leaf = _leaf(models.branch_starts, attribute, threshold, examples, n)
    if attribute < len(models.branch_starts) - 1:
        label = _most_frequent(models.branch_counts[models.branch_starts[attribute, 0] + leaf], m, -1)
    else:
        label = _most_frequent(_groups(models, m, attribute, threshold)[leaf], 0, -1)
    return label if label >= 0 else _most_frequent(models.class_counts, m, -1)


@verb_for(prepare, DecisionStump)
def _prepare(models):
    n_models = models.class_counts.shape[1]
    n_leaves = 2
    for a in range(len(models.branch_starts) - 1):
        n_leaves = max(n_leaves, models.branch_starts[a + 1, 0] - models.branch_starts[a, 0])
    tests = np.empty(n_models, np.int64)
    thresholds = np.empty(n_models)
    leaves = np.empty((n_leaves, n_models), np.int32)
    for m in range(n_models):
        tests[m], thresholds[m] = best_test(models, m)
        groups = _groups(models, m, tests[m], thresholds[m])
        most_frequent = _most_frequent(models.class_counts, m, -1)
        for leaf in range(len(groups)):
            leaves[leaf, m] = _most_frequent(groups[leaf], 0, most_frequent)
    return PreparedDecisionStump(tests, thresholds, leaves, models.branch_starts)


@verb_for(classify_each, PreparedDecisionStump)
def _classify_each(prepared, examples, n, labels):
    for m in range(len(labels)):
        leaf = _leaf(prepared.branch_starts, prepared.tests[m], prepared.thresholds[m], examples, n)
        labels[m] = prepared.leaves[leaf, m]


@kernel
def class_shares(models, examples):
    """Class shares (N, K) behind the outcome that each example has, for one model.

    Where no example had that outcome, the shares among all examples; equal shares where the
    model has learned nothing.
    """
    attribute, threshold = best_test(models, 0)
    groups = _groups(models, 0, attribute, threshold)
    shares = np.ones((len(examples.codes), models.class_counts.shape[0]))
    for n in range(len(shares)):
        counts = groups[_leaf(models.branch_starts, attribute, threshold, examples, n)]
        if _most_frequent(counts, 0, -1) < 0:
            counts = models.class_counts
        if _most_frequent(counts, 0, -1) >= 0:
            shares[n] = counts[:, 0]
        total = 0.0
        for c in range(shares.shape[1]):
            total += shares[n, c]
        shares[n] /= total
    return shares
