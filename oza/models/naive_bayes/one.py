"""Runs of examples by one of the models, of which a contiguous copy is made."""

from typing import NamedTuple

import numpy as np

from ...classifier.contract import learn_one_by_one, learn_run, mark_correct
from ...kernels.compile import implements, kernel
from .kernels import NaiveBayes, factor_of, smoothing_of
from .numbers import (
    LARGEST_SMOOTHING,
    LOW,
    MEAN,
    NARROW,
    NEVER,
    SMALL,
    VARIANCE,
    WEIGHT,
    WIDE,
    is_better,
    moved,
    rescaled,
    root_of,
    smoothed_variance,
    squared_distance,
    times_density,
    times_raw_variance,
    times_variance,
)


class OneNaiveBayes(NamedTuple):
    """A contiguous copy of one model, with the factors of its nominal values.

    Value v is at index v + 1, so that an unknown value, −1, is at index 0, whose factor is always 1.
    """

    class_counts: np.ndarray  # (K,)
    counts: np.ndarray  # (K, V + 1)
    factors: np.ndarray  # (K, V + 1)
    smoothing: np.ndarray  # (V + 1,) smoothing term of the denominator
    alpha: float
    unseen: np.ndarray  # (V,) int64: indices of the values that the model has never seen
    n_unseen: np.ndarray  # (1,) int64: number of entries in `unseen`
    moments: np.ndarray  # (K + 1, 4, D) of each class, the last ones over all; D rounded up to whole vectors


@implements(mark_correct, NaiveBayes)
def _mark_correct(models, m, examples, labels, is_right):
    nothing = np.zeros(len(labels))  # with weight 0 nothing is learned
    learn_run(models, m, examples, labels, nothing, np.empty(0, np.int32), None, is_right)


@implements(learn_run, NaiveBayes)
def _learn_run(models, m, examples, labels, weights, before, shares, after):
    if shares is not None and len(shares) > 0:
        learn_one_by_one(models, m, examples, labels, weights, before, shares, after)
        return
    tested = np.empty(0, np.bool_) if after is None else after
    if examples.numbers.shape[1] > 0:
        _learn_numbers_and_test(models, m, examples, labels, weights, before, tested)
    else:
        _learn_and_test(models, m, examples, labels, weights, before, tested)


@kernel
def _learn_and_test(models, m, examples, labels, weights, before, after):
    """Let one model learn nominal values, on a contiguous copy of it."""
    one = _extract(models, m)
    class_counts, counts, factors = one.class_counts, one.counts, one.factors  # unpacked once: a call for
    alpha, smoothing, codes = one.alpha, one.smoothing, examples.codes  # each example would count references
    products = np.empty(len(class_counts))
    for n in range(len(labels)):
        label, best = labels[n], -1
        if len(before) > 0:
            best, is_clear = _highest_product(class_counts, factors, codes, n, products)
            if not is_clear:
                best = _classify_carefully(one, codes, n)
            before[n] = best
        if weights[n] > 0.0:
            _learn_values(class_counts, counts, factors, alpha, smoothing, codes, n, label, weights[n])
            if one.n_unseen[0] > 0:
                _forget_unseen(one, label)
        if len(after) > 0:
            if weights[n] > 0.0 or len(before) == 0:
                best, is_clear = _highest_product(class_counts, factors, codes, n, products)
                if not is_clear:
                    best = _classify_carefully(one, codes, n)
            after[n] = best == label
    _write_back(one, models, m)


@kernel
def _learn_numbers_and_test(models, m, examples, labels, weights, before, after):
    """The same with numeric attributes, whose terms are computed in vectors."""
    one, codes, numbers = _extract(models, m), examples.codes, examples.numbers
    class_counts, counts, factors = one.class_counts, one.counts, one.factors
    moments, n_numeric = one.moments, numbers.shape[1]
    row, terms = np.full(moments.shape[2], np.nan), np.empty((2, moments.shape[2]))
    smoothing = smoothing_of(models, m)
    for n in range(len(labels)):
        label, best = labels[n], -1
        for d in range(n_numeric):
            row[d] = numbers[n, d]
        for is_later in range(2):  # before and after learning, at one place: what is inlined is compiled once
            if is_later and weights[n] > 0.0:
                _learn_values(
                    class_counts, counts, factors, one.alpha, one.smoothing, codes, n, label, weights[n]
                )
                if one.n_unseen[0] > 0:
                    _forget_unseen(one, label)
                _learn_numbers(moments, label, row, weights[n])
                _learn_numbers(moments, len(class_counts), row, weights[n])
                smoothing = _smoothing_of_one(moments, n_numeric, models.var_smoothing)
            is_tested = len(after) > 0 if is_later else len(before) > 0
            if is_tested and not (is_later and weights[n] == 0.0 and len(before) > 0):
                best = _classify_row(
                    class_counts, factors, codes, n, moments, smoothing, row, n_numeric, terms
                )
            if is_tested and is_later:
                after[n] = best == label
            elif is_tested:
                before[n] = best
    _write_back(one, models, m)


@kernel(counts=False, inline=True)
def _learn_values(class_counts, counts, factors, alpha, smoothing, codes, n, label, weight):
    """Let the nominal values of example `n` move the counts and factors of its class."""
    class_counts[label] += weight
    for a in range(codes.shape[1]):
        counts[label, np.uint32(codes[n, a] + 1)] += weight
    n_label = class_counts[label]
    for v in range(1, counts.shape[1]):
        factors[label, v] = min((counts[label, v] + alpha) / (n_label + smoothing[v]), 1.0)


@kernel(counts=False, inline=True)
def _learn_numbers(moments, c, row, w):
    """Let numbers, (D,), move the moments of class `c`, (K + 1, 4, D), as `_learn_number` does."""
    for d in range(len(row)):
        x, weight, mean = row[d], moments[c, WEIGHT, d], moments[c, MEAN, d]
        low, variance = moments[c, LOW, d], moments[c, VARIANCE, d]
        new = moved(weight, mean, low, variance, x, w)
        moments[c, WEIGHT, d] = new[0] if x == x else weight
        moments[c, MEAN, d] = new[1] if x == x else mean
        moments[c, LOW, d] = new[2] if x == x else low
        moments[c, VARIANCE, d] = new[3] if x == x else variance


@kernel(counts=False, inline=True)
def _smoothing_of_one(moments, n_numeric, var_smoothing):
    """`smoothing_of` the model with these moments, (K + 1, 4, D)."""
    largest = np.int64(0)
    for d in range(n_numeric):  # by bit patterns, which LLVM compares in vectors
        largest = max(largest, np.float64(moments[len(moments) - 1, VARIANCE, d]).view(np.int64))
    return min(var_smoothing * np.int64(largest).view(np.float64), LARGEST_SMOOTHING)


@kernel(counts=False, inline=True)
def _classify_row(class_counts, factors, codes, n, moments, smoothing, row, n_numeric, terms):
    """Class of example `n` with the numbers `row`, (D,), by `score`; `terms` is a buffer, (2, D)."""
    label, most, total = -1, 0.0, 0.0
    for c in range(len(class_counts)):
        total += class_counts[c]
        if class_counts[c] > most:
            label, most = c, class_counts[c]
    best, best_exponent = 0.0, NEVER
    for c in range(len(class_counts)):
        product, exponent = class_counts[c] / total, 0
        for a in range(codes.shape[1]):
            product, exponent = rescaled(product * factors[c, np.uint32(codes[n, a] + 1)], exponent)
        for d in range(len(row)):
            variance = smoothed_variance(moments[c, WEIGHT, d], moments[c, VARIANCE, d], smoothing)
            terms[0, d] = squared_distance(row[d], moments[c, MEAN, d], variance)
            terms[1, d] = variance if row[d] == row[d] else 0.0
        distance, square, doublings = 0.0, 1.0, 0
        for d in range(n_numeric):
            distance += terms[0, d]
            raw = times_raw_variance(square, terms[1, d])
            if NARROW < raw < WIDE:
                square = raw
            else:
                square, doublings = times_variance(square, doublings, terms[1, d])
        root, half = root_of(square, doublings)
        product, exponent = times_density(product, exponent, distance, root, half)
        better = is_better(product, exponent, best, best_exponent)
        label = c if better else label
        best = product if better else best
        best_exponent = exponent if better else best_exponent
    return label


@kernel(inline=True, counts=False)
def _highest_product(class_counts, factors, codes, n, products):
    """(class of the highest product of nominal factors, whether the class is certain).

    The class is −1 if nothing was learned. It is uncertain if the highest product is so small that
    rescaling may change the result. `products` (K,) is a buffer.
    """
    n_classes, n_nominal = len(class_counts), codes.shape[1]
    total = 0.0
    for c in range(n_classes):
        total += class_counts[c]
    if total == 0.0:
        return -1, True
    for c in range(0, n_classes, 2):  # two at a time: independent chains of products
        d = min(c + 1, n_classes - 1)
        product = class_counts[c] / total
        product_d = class_counts[d] / total
        for a in range(n_nominal):
            place = np.uint32(codes[n, a] + 1)
            product *= factors[c, place]
            product_d *= factors[d, place]
        products[c] = product
        products[d] = product_d
    best, highest = 0, products[0]
    for c in range(1, n_classes):
        better = products[c] > highest
        best = c if better else best
        highest = products[c] if better else highest
    return best, highest >= SMALL  # then no smaller product can win, rescaled or not


@kernel
def _extract(models, m):
    """Contiguous copy of model `m`."""
    n_values, n_classes, _ = models.value_counts.shape
    counts = np.zeros((n_classes, n_values + 1))
    factors = np.ones((n_classes, n_values + 1))
    smoothing = np.zeros(n_values + 1)
    unseen = np.empty(n_values, np.int64)
    n_unseen = np.zeros(1, np.int64)
    for v in range(n_values):
        smoothing[v + 1] = models.alpha * models.attribute_sizes[v]
        seen = False
        for c in range(n_classes):
            counts[c, v + 1] = models.value_counts[v, c, m]
            factors[c, v + 1] = factor_of(models, v, c, m)
            seen |= counts[c, v + 1] > 0.0
        if not seen:
            unseen[n_unseen[0]] = v + 1
            n_unseen[0] += 1
    n_numeric = models.moments.shape[1]
    moments = np.zeros((n_classes + 1, 4, (n_numeric + 7) // 8 * 8))
    for d in range(n_numeric):
        for part in range(4):
            for c in range(n_classes):
                moments[c, part, d] = models.moments[part, d, c, m]
            moments[n_classes, part, d] = models.column_moments[part, d, 0, m]
    return OneNaiveBayes(
        models.class_counts[:, m].copy(),
        counts,
        factors,
        smoothing,
        models.alpha,
        unseen,
        n_unseen,
        moments,
    )


@kernel
def _write_back(one, models, m):
    """Write the counts of the copy back to model `m`."""
    for c in range(len(one.class_counts)):
        models.class_counts[c, m] = one.class_counts[c]
        for v in range(len(models.value_counts)):
            models.value_counts[v, c, m] = one.counts[c, v + 1]
    for d in range(models.moments.shape[1]):
        for part in range(4):
            for c in range(len(one.class_counts)):
                models.moments[part, d, c, m] = one.moments[c, part, d]
            models.column_moments[part, d, 0, m] = one.moments[len(one.class_counts), part, d]


@kernel
def _forget_unseen(one, label):
    """Remove the values just learned with class `label` from `unseen`; the factors of the others stay 1."""
    n_classes = len(one.class_counts)
    n_remaining = 0
    for i in range(one.n_unseen[0]):
        place = one.unseen[i]
        if one.counts[label, place] == 0.0:
            one.factors[label, place] = 1.0
            one.unseen[n_remaining] = place
            n_remaining += 1
            continue
        for c in range(n_classes):
            denominator = one.class_counts[c] + one.smoothing[place]
            one.factors[c, place] = (
                min((one.counts[c, place] + one.alpha) / denominator, 1.0) if denominator > 0.0 else 0.0
            )
    one.n_unseen[0] = n_remaining


@kernel
def _classify_carefully(one, codes, n):
    """Class of example `n`, without numbers, by rescaled products."""
    nothing = np.empty((2, 0))
    return _classify_row(one.class_counts, one.factors, codes, n, one.moments, 0.0, nothing[0], 0, nothing)
