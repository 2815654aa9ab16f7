"""Naive Bayes by counting (thesis Figure 2.3), as kernels."""

import math
from typing import Annotated, NamedTuple

import numpy as np

from ...classifier.contract import (
    class_shares,
    classify,
    classify_and_share_each,
    classify_each,
    learn,
    learn_each,
    prepare,
)
from ...columns.examples import Examples
from ...kernels.arithmetic import mantissa_and_exponent, power_of_two
from ...kernels.compile import copy_into, implements, kernel
from .numbers import (
    LARGE,
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


class NaiveBayes(NamedTuple):
    """Counts of M models with K classes, V values of A nominal attributes and D numeric attributes."""

    class_counts: Annotated[np.ndarray, "K, M"]
    value_counts: Annotated[np.ndarray, "V, K, M"]
    moments: Annotated[np.ndarray, "4, D, K, M", "finite"]  # see `moved`
    column_moments: Annotated[np.ndarray, "4, D, 1, M", "finite"]  # the same over all classes
    # int64: number of values of the attribute that has this value
    attribute_sizes: Annotated[np.ndarray, "V"]
    alpha: float
    var_smoothing: float


class PreparedNaiveBayes(NamedTuple):
    """The factors of the values in `score`, precomputed for M models, and buffers for the products."""

    models: NaiveBayes
    smoothing: np.ndarray  # (M,)
    priors: np.ndarray  # (K, M)
    factors: np.ndarray  # (V + 1, K, M); the last row, all ones, belongs to code −1
    most_frequent: np.ndarray  # (M,) int32
    block: int  # number of factors that can be multiplied before a product needs rescaling
    products: np.ndarray  # (K, M)
    exponents: np.ndarray  # (K, M) int64


@kernel(counts=False, inline=True)
def _learn_number(moments, d, c, m, x, w):
    """Let number `x` of attribute `d` move the moments of model `m` and class `c`, (4, D, K, M)."""
    weight, mean, low, variance = moved(
        moments[WEIGHT, d, c, m],
        moments[MEAN, d, c, m],
        moments[LOW, d, c, m],
        moments[VARIANCE, d, c, m],
        x,
        w,
    )
    moments[WEIGHT, d, c, m] = weight
    moments[MEAN, d, c, m] = mean
    moments[LOW, d, c, m] = low
    moments[VARIANCE, d, c, m] = variance


@implements(learn, NaiveBayes)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[label, m] += weight
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:
            models.value_counts[v, label, m] += weight
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        if not np.isnan(x):
            _learn_number(models.moments, d, label, m, x, weight)
            _learn_number(models.column_moments, d, 0, m, x, weight)


@implements(learn_each, NaiveBayes)
def _learn_each(models, examples, n, label, weights):
    for m in range(len(weights)):
        models.class_counts[label, m] += weights[m]
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:  # full indices: creating a reference-counted view would cost as much as this loop
            for m in range(len(weights)):
                models.value_counts[v, label, m] += weights[m]
    if examples.numbers.shape[1] > 0:
        _learn_numbers_each(models, examples.numbers, n, label, weights)


@kernel(counts=False)
def _learn_numbers_each(models, numbers, n, label, weights):
    """Train every model on the numbers of example `n`."""
    for d in range(numbers.shape[1]):
        if not np.isnan(numbers[n, d]):
            _learn_number_each(models.moments, d, label, numbers[n, d], weights)
            _learn_number_each(models.column_moments, d, 0, numbers[n, d], weights)


@kernel(counts=False)
def _learn_number_each(moments, d, c, x, weights):
    """Do as `_learn_number` for all models, which LLVM vectorises."""
    for m in range(len(weights)):
        _learn_number(moments, d, c, m, x, weights[m])


@kernel
def _prior(models, c, m):
    """Share of class `c` among the examples that model `m` has learned."""
    total = 0.0
    for other in range(models.class_counts.shape[0]):
        total += models.class_counts[other, m]
    return models.class_counts[c, m] / total


@kernel
def factor_of(models, v, c, m):
    """Share of value `v` among the examples of class `c`; 1 if the model has never seen the value."""
    total = 0.0
    for other in range(models.value_counts.shape[1]):
        total += models.value_counts[v, other, m]
    if total == 0.0:
        return 1.0
    alpha = models.alpha
    denominator = models.class_counts[c, m] + alpha * models.attribute_sizes[v]
    if denominator == 0.0:
        return 0.0
    return min((models.value_counts[v, c, m] + alpha) / denominator, 1.0)


@kernel
def smoothing_of(models, m):
    """`var_smoothing` times the largest variance of a numeric attribute over all classes."""
    largest = 0.0
    for d in range(models.column_moments.shape[1]):
        largest = max(largest, models.column_moments[VARIANCE, d, 0, m])
    return min(models.var_smoothing * largest, LARGEST_SMOOTHING)


@kernel(counts=False)
def _smooth_each(models, smoothing):
    """Write `smoothing_of` each model into `smoothing`, (M,)."""
    smoothing[:] = 0.0
    for d in range(models.column_moments.shape[1]):
        for m in range(len(smoothing)):
            smoothing[m] = max(smoothing[m], models.column_moments[VARIANCE, d, 0, m])
    for m in range(len(smoothing)):
        smoothing[m] = min(models.var_smoothing * smoothing[m], LARGEST_SMOOTHING)


@kernel
def score(models, m, c, smoothing, examples, n):
    """Prior of class `c` times the factors of example `n`, as (mantissa, exponent); see `smoothing_of`.

    The value is mantissa·2^exponent with 1/2 ≤ mantissa < 1, so that it cannot underflow, however
    many attributes there are; scaling by powers of two is exact.
    """
    product = _prior(models, c, m)
    exponent = 0
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:
            product, exponent = rescaled(product * factor_of(models, v, c, m), exponent)
    if examples.numbers.shape[1] == 0:
        return normalise(product, exponent)
    total, square, doublings = 0.0, 1.0, 0
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        variance = smoothed_variance(
            models.moments[WEIGHT, d, c, m], models.moments[VARIANCE, d, c, m], smoothing
        )
        if not np.isnan(x):
            total += squared_distance(x, models.moments[MEAN, d, c, m], variance)
            square, doublings = times_variance(square, doublings, variance)
    return times_density(product, exponent, total, *root_of(square, doublings))


@kernel
def normalise(product, exponent):
    """The same value with 1/2 ≤ mantissa < 1; zero gets the exponent `NEVER`."""
    if product == 0.0:
        return 0.0, NEVER
    mantissa, shift = mantissa_and_exponent(product)
    return mantissa, exponent + shift


@kernel
def _most_frequent(class_counts, m):
    """Class with the largest count in `class_counts`, (K, M), the first in a tie; −1 if all counts are 0."""
    best = -1
    most = 0.0
    for c in range(class_counts.shape[0]):
        if class_counts[c, m] > most:
            best = c
            most = class_counts[c, m]
    return best


@implements(classify, NaiveBayes)
def _classify(models, m, examples, n):
    label = _most_frequent(models.class_counts, m)  # stays the answer if every product is 0
    if label < 0:
        return label
    smoothing = smoothing_of(models, m)
    best, best_exponent = 0.0, NEVER
    for c in range(models.class_counts.shape[0]):
        mantissa, exponent = score(models, m, c, smoothing, examples, n)
        if is_better(mantissa, exponent, best, best_exponent):
            label, best, best_exponent = c, mantissa, exponent
    return label


@implements(prepare, NaiveBayes)
def _prepare(models):
    n_values, n_classes, n_models = models.value_counts.shape
    priors = np.empty((n_classes, n_models))
    factors = np.ones((n_values + 1, n_classes, n_models))
    most_frequent = np.empty(n_models, np.int32)
    smoothing = np.empty(n_models)
    smallest = 1.0
    _smooth_each(models, smoothing)
    for m in range(n_models):
        most_frequent[m] = _most_frequent(models.class_counts, m)
        for c in range(n_classes):
            priors[c, m] = _prior(models, c, m)
    for v in range(n_values):
        for c in range(n_classes):
            for m in range(n_models):
                factor = factor_of(models, v, c, m)
                factors[v, c, m] = factor
                if factor > 0.0:
                    smallest = min(smallest, factor)
    block = max(1, 500 // max(1, 1 - math.frexp(smallest)[1]))
    return PreparedNaiveBayes(
        models,
        smoothing,
        priors,
        factors,
        most_frequent,
        block,
        np.empty((n_classes, n_models)),
        np.empty((n_classes, n_models), np.int64),
    )


@kernel
def _multiply(prepared, c, examples, n):
    """Compute the score of class `c` for all models: `prepared.products[c]` and `prepared.exponents[c]`."""
    product = prepared.products[c]
    exponent = prepared.exponents[c]
    n_models = len(product)
    copy_into(product, prepared.priors[c])
    exponent[:] = 0
    n_nominal = examples.codes.shape[1]
    for first in range(0, n_nominal, prepared.block):
        last = min(first + prepared.block, n_nominal)
        for a in range(first, last - 1, 2):  # two at a time: half the memory traffic
            factor = prepared.factors[examples.codes[n, a], c]
            next_factor = prepared.factors[examples.codes[n, a + 1], c]
            for m in range(n_models):
                product[m] = product[m] * factor[m] * next_factor[m]
        if (last - first) % 2 == 1:
            factor = prepared.factors[examples.codes[n, last - 1], c]
            for m in range(n_models):
                product[m] *= factor[m]
        for m in range(n_models):
            if product[m] < SMALL:
                product[m] *= LARGE
                exponent[m] -= 512


@implements(classify_each, PreparedNaiveBayes)
def _classify_each(prepared, examples, n, labels):
    for c in range(prepared.products.shape[0]):
        _multiply(prepared, c, examples, n)
    copy_into(labels, prepared.most_frequent)
    products, exponents = prepared.products, prepared.exponents
    _times_densities(prepared.models, prepared.smoothing, examples.numbers, n, products, exponents)
    _choose(products, exponents, labels)


@kernel
def _times_densities(models, smoothing, numbers, n, products, exponents):
    """Multiply products·2^exponents, (K, M), by the densities of numbers, as `score` does, vectorised."""
    n_classes, n_models = products.shape
    if numbers.shape[1] == 0:
        return
    totals = np.zeros((n_classes, n_models))
    squares = np.ones((n_classes, n_models))
    doublings, raw = np.zeros((n_classes, n_models), np.int64), np.empty(n_models)
    for d in range(numbers.shape[1]):
        if not np.isnan(numbers[n, d]):
            for c in range(n_classes):
                _add_distances(
                    models.moments, d, c, numbers[n, d], smoothing, totals, squares, doublings, raw
                )
    for c in range(n_classes):
        for m in range(n_models):
            root, half = root_of(squares[c, m], doublings[c, m])
            products[c, m], exponents[c, m] = times_density(
                products[c, m], exponents[c, m], totals[c, m], root, half
            )


@kernel(counts=False)
def _add_distances(moments, d, c, x, smoothing, totals, squares, doublings, raw):
    """Do as `score` for one number and all models; `raw`, (M,), is a buffer."""
    n_extreme = 0
    for m in range(len(smoothing)):
        variance = smoothed_variance(moments[WEIGHT, d, c, m], moments[VARIANCE, d, c, m], smoothing[m])
        totals[c, m] += squared_distance(x, moments[MEAN, d, c, m], variance)
        raw[m] = times_raw_variance(squares[c, m], variance)
        n_extreme += (raw[m] <= NARROW) | (raw[m] >= WIDE)
    for m in range(len(smoothing)):
        if n_extreme == 0:
            squares[c, m] = raw[m]
        else:
            variance = smoothed_variance(moments[WEIGHT, d, c, m], moments[VARIANCE, d, c, m], smoothing[m])
            squares[c, m], doublings[c, m] = times_variance(squares[c, m], doublings[c, m], variance)


@kernel
def _choose(products, exponents, labels):
    """Replace `labels`, (M,), by the class of the highest product·2^exponent, (K, M), if any is above 0."""
    best, best_exponent = np.zeros(len(labels)), np.full(len(labels), NEVER)
    for c in range(len(products)):
        for m in range(len(labels)):
            product, exponent = products[c, m], exponents[c, m]
            better = is_better(product, exponent, best[m], best_exponent[m])
            labels[m] = c if better else labels[m]
            best[m] = product if better else best[m]
            best_exponent[m] = exponent if better else best_exponent[m]


@implements(class_shares, NaiveBayes)
def _class_shares(models, m, n_classes, examples):
    """Class probabilities by model `m`, (N, K): normalised products, or class shares if all products are 0.

    They are equal if the model has not been trained.
    """
    shares = np.empty((len(examples.codes), n_classes))
    products, exponents = np.empty(n_classes), np.empty(n_classes, np.int64)
    has_learned = _most_frequent(models.class_counts, m) >= 0
    smoothing = smoothing_of(models, m)
    for n in range(len(shares)):
        if not has_learned:
            shares[n] = 1.0 / n_classes
            continue
        for c in range(n_classes):
            products[c], exponents[c] = score(models, m, c, smoothing, examples, n)
        if not write_shares(products, exponents, shares, n):
            for c in range(n_classes):
                products[c], exponents[c] = _prior(models, c, m), 0
            write_shares(products, exponents, shares, n)
    return shares


@kernel
def write_shares(products, exponents, shares, n):
    """Write products·2^exponents, (K,) each, divided by their sum, into row `n` of `shares`, (N, K).

    Normalises both in place; returns whether any product is above 0, and else writes nothing.
    """
    highest = NEVER
    for c in range(len(products)):
        products[c], exponents[c] = normalise(products[c], exponents[c])
        highest = max(highest, exponents[c])
    if highest == NEVER:
        return False
    total = 0.0
    for c in range(len(products)):
        is_negligible = exponents[c] - highest <= -1000
        shares[n, c] = 0.0 if is_negligible else products[c] * power_of_two(exponents[c] - highest)
        total += shares[n, c]
    for c in range(len(products)):
        shares[n, c] /= total
    return True


@implements(classify_each, NaiveBayes)
def _classify_each_unprepared(models, examples, n, labels):
    products = np.empty(models.class_counts.shape)
    if not _multiply_unscaled(models, examples.codes[n], labels, products):
        for m in range(len(labels)):
            labels[m] = classify(models, m, examples, n)
    elif examples.numbers.shape[1] > 0:
        exponents, smoothing = np.zeros(products.shape, np.int64), np.empty(len(labels))
        _smooth_each(models, smoothing)
        _times_densities(models, smoothing, examples.numbers, n, products, exponents)
        _choose(products, exponents, labels)
    else:
        best = np.zeros(len(labels))
        for c in range(len(products)):
            for m in range(len(labels)):
                labels[m] = c if products[c, m] > best[m] else labels[m]
                best[m] = max(best[m], products[c, m])


@implements(classify_and_share_each, NaiveBayes)
def _classify_and_share_each(models, examples, n, labels, shares):
    """What `classify` and `class_shares` give, with the same bits, in vectors where no product is small."""
    products, exponents = np.empty(models.class_counts.shape), np.zeros(models.class_counts.shape, np.int64)
    highest, totals = np.full(len(labels), NEVER), np.zeros(len(labels))
    if _multiply_unscaled(models, examples.codes[n], labels, products):
        smoothing = np.empty(len(labels))
        _smooth_each(models, smoothing)
        _times_densities(models, smoothing, examples.numbers, n, products, exponents)
        _choose(products, exponents, labels)
        for c in range(len(products)):
            for m in range(len(labels)):
                mantissa, shift = mantissa_and_exponent(products[c, m])
                is_positive = products[c, m] > 0.0
                products[c, m] = mantissa if is_positive else 0.0
                exponents[c, m] = exponents[c, m] + shift if is_positive else NEVER
                highest[m] = max(highest[m], exponents[c, m])
        for c in range(len(products)):
            for m in range(len(labels)):
                below = max(exponents[c, m] - highest[m], -1000)
                products[c, m] = products[c, m] * power_of_two(below) if below > -1000 else 0.0
                totals[m] += products[c, m]
        for c in range(len(products)):
            for m in range(len(labels)):
                products[c, m] /= totals[m]
    one = Examples(examples.codes[n : n + 1], examples.numbers[n : n + 1])
    for m in range(len(labels)):
        if highest[m] > NEVER:
            for c in range(len(products)):
                shares[m, c] = products[c, m]
        else:  # products were small, or all are 0
            labels[m] = classify(models, m, examples, n)
            copy_into(shares[m], class_shares(models, m, len(products), one)[0])


@kernel
def _multiply_unscaled(models, codes, labels, products):
    """Multiply prior and factors of all models without rescaling; returns whether that was possible.

    `codes` (A,) are those of the example, `products` (K, M) the result; `labels` (M,) int32 becomes the most
    frequent class. If a product became so small that `score` would rescale it, the result is False.
    """
    n_classes, n_models = products.shape
    total = np.zeros(n_models)
    best = np.zeros(n_models)
    labels[:] = -1
    for c in range(n_classes):
        for m in range(n_models):
            n_c = models.class_counts[c, m]
            total[m] += n_c
            labels[m] = c if n_c > best[m] else labels[m]
            best[m] = max(best[m], n_c)
    for c in range(n_classes):
        for m in range(n_models):
            products[c, m] = models.class_counts[c, m] / total[m]
    got_small = False
    for a in range(len(codes)):
        if codes[a] >= 0:
            got_small |= _multiply_by_shares(models, codes[a], total, products)
    return not got_small


@kernel
def _multiply_by_shares(models, v, seen, products):
    """Multiply `products` (K, M) by `factor_of` value `v`, vectorised; returns whether one became small.

    `seen` (M,) is a buffer for the weight with which each model has seen the value.
    """
    got_small = False
    n_classes, n_models = products.shape
    seen[:] = 0.0
    for c in range(n_classes):
        for m in range(n_models):
            seen[m] += models.value_counts[v, c, m]
    alpha = models.alpha
    smoothing = alpha * models.attribute_sizes[v]
    for c in range(n_classes):
        for m in range(n_models):
            denominator = models.class_counts[c, m] + smoothing
            share = min((models.value_counts[v, c, m] + alpha) / denominator, 1.0)
            share = share if denominator > 0.0 else 0.0
            product = products[c, m] * (share if seen[m] > 0.0 else 1.0)
            got_small |= (product < SMALL) & (product > 0.0)
            products[c, m] = product
    return got_small
