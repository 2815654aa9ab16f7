"""Decision stump: one test, a majority class behind each outcome (thesis section 2.1.1), as kernels."""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import (
    LONG_ENOUGH,
    class_shares,
    classify,
    classify_each,
    learn,
    learn_one_by_one,
    learn_run,
    mark_correct,
    prepare,
)
from ...kernels.arithmetic import log, x_log_x
from ...kernels.compile import copy_into, implements, kernel
from .search import ROUNDING, add_example, begin, choose, choose_column, end, most_frequent, open_of
from .state import DecisionStump, branch_of

_MORE = 1.0 + 2.0**-20  # times a sum of weights: no less than the sum is by any rounding
_UNKNOWN = np.inf  # stands for what a branch leaves open, once it has seen more


class PreparedDecisionStump(NamedTuple):
    """The test of each model, and the class behind each of at most L outcomes."""

    tests: np.ndarray  # (M,) int64: attribute
    thresholds: np.ndarray  # (M,)
    leaves: np.ndarray  # (L, M) int32
    branch_starts: np.ndarray  # (A + 1, 1) int64


@kernel
def best_test(models, m):
    """(attribute, threshold, class counts behind each outcome) of the test that leaves least open."""
    s = begin(models, m)
    choose(models, m, s)
    attribute, n_nominal = models.attributes[s.column[0]], len(models.branch_starts) - 1
    if attribute < n_nominal:
        first, stop = models.branch_starts[attribute], models.branch_starts[attribute + 1]
        return attribute, 0.0, models.branch_counts[first:stop, :, m : m + 1].copy()
    copy_into(s.groups[2:], models.missing_counts[attribute - n_nominal :, :, m : m + 1][:1])
    return attribute, s.threshold[0], s.groups


@kernel
def _leaf(examples, n, attribute, threshold, branch_starts):
    """Outcome of a test for example `n`: index of its branch, or left (0), right (1), missing (2)."""
    n_nominal = len(branch_starts) - 1
    if attribute < n_nominal:
        return branch_of(examples.codes, n, attribute, branch_starts) - branch_starts[attribute]
    x = examples.numbers[n, attribute - n_nominal]
    return 2 if np.isnan(x) else 0 if x <= threshold else 1


@kernel(counts=False, inline=True)
def _copy_counts_of(models, m, s, examples, n, counts):
    """Copy the class counts behind the outcome of example `n`, by the test of a search, into (1, K, 1)."""
    attribute, n_nominal = models.attributes[s.column[0]], len(models.branch_starts) - 1
    outcome = _leaf(examples, n, attribute, s.threshold[0], models.branch_starts)
    for c in range(counts.shape[1]):
        if attribute < n_nominal:
            counts[0, c, 0] = models.branch_counts[models.branch_starts[attribute] + outcome, c, m]
        elif outcome == 2:
            counts[0, c, 0] = models.missing_counts[attribute - n_nominal, c, m]
        else:
            counts[0, c, 0] = s.groups[outcome, c, 0]


@kernel(counts=False, inline=True)
def _answer(counts, row, class_counts, m):
    """Majority class behind an outcome, or of all examples where none had it; −1 if there are none."""
    best = most_frequent(counts, row, 0, -1)
    return best if best >= 0 else most_frequent(class_counts, 0, m, -1)


@kernel(counts=False, inline=True)
def _share(counts, row, class_counts, m, shares, n):
    """Write the class shares behind an outcome into `shares[n]`.

    Where no example had that outcome, the shares among all examples; equal shares where there are none.
    """
    is_empty = most_frequent(counts, row, 0, -1) < 0
    knows_nothing = most_frequent(class_counts, 0, m, -1) < 0
    total = 0.0
    for c in range(shares.shape[1]):
        found = class_counts[0, c, m] if is_empty else counts[row, c, 0]
        shares[n, c] = 1.0 if knows_nothing else found
        total += shares[n, c]
    for c in range(shares.shape[1]):
        shares[n, c] /= total


@implements(classify, DecisionStump)
def _classify(models, m, examples, n):
    if len(models.first_blocks) == 1:
        a = models.attributes[choose_column(models, m)]
        branch = branch_of(examples.codes, n, a, models.branch_starts)
        return most_frequent(models.branch_counts, branch, m, most_frequent(models.class_counts, 0, m, -1))
    s = begin(models, m)
    choose(models, m, s)
    end(models, m, s)
    counts = np.empty((1, models.class_counts.shape[1], 1))
    _copy_counts_of(models, m, s, examples, n, counts)
    return _answer(counts, 0, models.class_counts, m)


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
    attribute, threshold, groups = best_test(models, m)
    otherwise = most_frequent(models.class_counts, 0, m, -1)
    for leaf in range(len(groups)):
        leaves[leaf] = most_frequent(groups, leaf, 0, otherwise)
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


@implements(class_shares, DecisionStump)
def _class_shares(models, m, n_classes, examples):
    """Class shares (N, K) behind the outcome that each example has in model `m`; see `_share`."""
    attribute, threshold, groups = best_test(models, m)
    shares = np.empty((len(examples.codes), n_classes))
    for n in range(len(shares)):
        leaf = _leaf(examples, n, attribute, threshold, models.branch_starts)
        _share(groups, leaf, models.class_counts, m, shares, n)
    return shares


@implements(learn_run, DecisionStump)
def _learn_run(models, m, examples, labels, weights, before, shares, after):
    is_tested = len(before) > 0
    if after is not None:
        is_tested |= len(after) > 0
    if is_tested and examples.numbers.shape[1] > 0:
        _search_and_learn(models, m, examples, labels, weights, before, shares, after)
    elif is_tested and len(labels) >= LONG_ENOUGH:
        _bound_and_learn(models, m, examples, labels, weights, before, shares, after)
    else:
        learn_one_by_one(models, m, examples, labels, weights, before, shares, after)


@kernel
def _search_and_learn(models, m, examples, labels, weights, before, shares, after):
    """Learn numbers in one search, as `learn_run`."""
    counts = np.empty((1, models.class_counts.shape[1], 1))
    s = begin(models, m)
    choose(models, m, s)
    for n in range(len(labels)):
        if len(before) > 0:
            _copy_counts_of(models, m, s, examples, n, counts)
            before[n] = _answer(counts, 0, models.class_counts, m)
            if shares is not None and len(shares) > 0:
                _share(counts, 0, models.class_counts, m, shares, n)
        if weights[n] > 0.0:
            learn(models, m, examples, n, labels[n], weights[n])
            add_example(models, m, s, examples, n, labels[n], weights[n])
            choose(models, m, s)
        if after is not None and len(after) > 0:
            _copy_counts_of(models, m, s, examples, n, counts)
            after[n] = _answer(counts, 0, models.class_counts, m) == labels[n]
    end(models, m, s)


@kernel
def _bound_and_learn(models, m, examples, labels, weights, before, shares, after):
    """Do the same for nominal attributes by one model, with a bound of what each column leaves open.

    n·H of a group is concave in its counts: each unit of weight in class c adds at most the slope
    log(n/n_c) at present, and at least the slope that there would be if all the weight of class c still
    `ahead` were in the group. The chosen column's bound grows by the first, those of the others by
    the second, and while these lie above the chosen one's, no column need be evaluated.
    """
    codes, starts = examples.codes, models.branch_starts
    class_counts = models.class_counts[:, :, m : m + 1].copy()
    counts = models.branch_counts[:, :, m : m + 1].copy()
    ahead = np.zeros(class_counts.shape[1])
    for n in range(len(labels)):
        ahead[labels[n]] += weights[n]
    ahead *= _MORE  # so that rounding never leaves less than there is
    n_terms = len(counts) + class_counts.shape[1] + 8 + len(labels)
    rounding = n_terms * ROUNDING * (class_counts.sum() + ahead.sum())
    bounds = np.full(codes.shape[1], -np.inf)
    left_open, slopes = np.empty(len(counts)), np.empty(counts.shape)
    _open_each(counts, left_open)
    for branch in range(len(counts)):
        _set_slopes(counts, branch, branch < starts[1], ahead, slopes)
    chosen = _choose_column(counts, starts, ahead, rounding, 0, bounds, left_open, slopes)
    for n in range(len(labels)):
        label, weight = labels[n], weights[n]
        if len(before) > 0:
            branch = branch_of(codes, n, chosen, starts)
            before[n] = _answer(counts, branch, class_counts, 0)
            if shares is not None and len(shares) > 0:
                _share(counts, branch, class_counts, 0, shares, n)
        if weight > 0.0:
            class_counts[0, label, 0] += weight
            ahead[label] -= weight
            for a in range(len(bounds)):
                branch = branch_of(codes, n, a, starts)
                counts[branch, label, 0] += weight
                bounds[a] += weight * slopes[branch, label, 0]
                left_open[branch] = _UNKNOWN
            stays = True
            for a in range(len(bounds)):
                stays &= (bounds[a] > bounds[chosen] + rounding) | (a == chosen)
            if not stays:
                chosen = _choose_column(counts, starts, ahead, rounding, chosen, bounds, left_open, slopes)
        if after is not None and len(after) > 0:
            after[n] = _answer(counts, branch_of(codes, n, chosen, starts), class_counts, 0) == label
    bounds[:] = -np.inf
    _open_each(counts, left_open)
    chosen = _choose_column(counts, starts, ahead, rounding, chosen, bounds, left_open, slopes)
    copy_into(models.class_counts[:, :, m : m + 1], class_counts)
    copy_into(models.branch_counts[:, :, m : m + 1], counts)
    copy_into(models.floors[:, m], bounds)
    models.chosen[m], models.threshold[m] = chosen, 0.0


@kernel
def _open_each(counts, left_open):
    """`open_of` each branch, with all logarithms in vectors."""
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
    """What attribute `a` leaves open, added up in the order of `by_branches`, with the same bits."""
    total = 0.0
    for branch in range(starts[a], starts[a + 1]):
        if left_open[branch] == _UNKNOWN:
            left_open[branch] = open_of(counts, branch, 0)
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
