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
    learn_one_by_one,
    learn_run,
    mark_correct,
    prepare,
)
from ...columns.examples import Examples
from ...kernels.arithmetic import exp_parts_in_vectors, mantissa_and_exponent, power_of_two, two_sum
from ...kernels.compile import copy_into, implements, kernel

_SMALL = 2.0**-512
_LARGE = 2.0**512
_TWO_PI = 6.283185307179586
_NEVER = -(2**62)  # exponent that stands for a product of zero
_NARROW, _WIDE = 2.0**-400, 2.0**400
_FAR = 2e12  # squared distance from which on a density counts as zero
LARGEST_NUMBER = 1e145  # the square of twice that is still finite, and a variance times 2π
_LARGEST_SMOOTHING = 1e300  # far above every variance of such numbers
WEIGHT, MEAN, LOW, VARIANCE = range(4)  # of numbers: their weight, mean in double-double, and variance


class NaiveBayes(NamedTuple):
    """Counts of M models with K classes, V values of A nominal attributes and D numeric attributes."""

    class_counts: Annotated[np.ndarray, "K, M"]
    value_counts: Annotated[np.ndarray, "V, K, M"]
    moments: Annotated[np.ndarray, "4, D, K, M", "finite"]  # see `_moved`
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
def _moved(weight, mean, low, variance, x, w):
    """The weight, mean (its sum with its low part) and variance of numbers, and of `x` with weight `w`.

    These are kept in the order of arrival (West 1979): a weight of 0 changes no bit, and one sum over all
    models costs little more than one addition, where sums that are exact in any order took 25 times as long.
    """
    weight = weight + w
    share = w / weight if weight > 0.0 else 0.0
    deviation = (x - mean) - low
    mean, low = two_sum(mean, low + share * deviation)
    return weight, mean, low, variance + share * ((1.0 - share) * (deviation * deviation) - variance)


@kernel(counts=False, inline=True)
def _learn_number(moments, d, c, m, x, w):
    """Let number `x` of attribute `d` move the moments of model `m` and class `c`, (4, D, K, M)."""
    weight, mean, low, variance = _moved(
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
    """Let every model learn the numbers of example `n`."""
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
def _factor(models, v, c, m):
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
    return min(models.var_smoothing * largest, _LARGEST_SMOOTHING)


@kernel(counts=False)
def _smooth_each(models, smoothing):
    """Write `smoothing_of` each model into `smoothing`, (M,)."""
    smoothing[:] = 0.0
    for d in range(models.column_moments.shape[1]):
        for m in range(len(smoothing)):
            smoothing[m] = max(smoothing[m], models.column_moments[VARIANCE, d, 0, m])
    for m in range(len(smoothing)):
        smoothing[m] = min(models.var_smoothing * smoothing[m], _LARGEST_SMOOTHING)


# A Gaussian density is e^(−distance/2)/√(2π·variance). The distances of the numeric attributes are added up,
# and their variances multiplied, so that a class needs one exponential and one root. A variance of 0 says
# nothing: the density is 1.


@kernel(counts=False, inline=True)
def _smoothed(weight, variance, smoothing):
    """The smoothed variance of numbers of this weight; 0 without any."""
    return variance + smoothing if weight > 0.0 else 0.0


@kernel(counts=False, inline=True)
def _distance(x, mean, variance):
    """Squared distance of `x` from the mean, in variances; 0 if the variance is 0 or `x` missing."""
    distance = (x - mean) * (x - mean) / variance
    return distance if (variance > 0.0) & (x == x) else 0.0


@kernel(counts=False, inline=True)
def _rescaled(product, exponent):
    """The same product·2^exponent, far above the smallest number."""
    is_small = product < _SMALL
    return product * _LARGE if is_small else product, exponent - 512 if is_small else exponent


@kernel(counts=False, inline=True)
def _times(square, doublings, variance):
    """square·2^doublings times 2π·variance, as such a pair."""
    mantissa, shift = mantissa_and_exponent(_TWO_PI * variance if variance > 0.0 else 1.0)
    return _rescaled(square * mantissa, doublings + shift)


@kernel(counts=False, inline=True)
def _raw_times(square, variance):
    """The same as one number: a third of the work, and between `_NARROW` and `_WIDE` the same bits."""
    return square * (_TWO_PI * variance if variance > 0.0 else 1.0)


@kernel(counts=False, inline=True)
def _root(square, doublings):
    """The root of square·2^doublings, as such a pair."""
    return math.sqrt(2.0 * square if doublings & 1 else square), doublings >> 1


@kernel(counts=False, inline=True)
def _times_density(product, exponent, distance, root, doublings):
    """(m, k): product·2^exponent times the density e^(−distance/2)/(root·2^doublings), 1/2 ≤ m < 1."""
    height, shift = exp_parts_in_vectors(-0.5 * (distance if distance < _FAR else _FAR))
    product = product * (height / root)
    mantissa, more = mantissa_and_exponent(product)
    is_positive = (product > 0.0) & (distance < _FAR)
    exponent = exponent + shift - doublings + more
    return mantissa if is_positive else 0.0, exponent if is_positive else _NEVER


@kernel(counts=False, inline=True)
def _is_better(product, exponent, best, best_exponent):
    """Whether product·2^exponent is above 0 and best·2^best_exponent."""
    is_higher = (exponent > best_exponent) | ((exponent == best_exponent) & (product > best))
    return (product > 0.0) & is_higher


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
            product, exponent = _rescaled(product * _factor(models, v, c, m), exponent)
    if examples.numbers.shape[1] == 0:
        return normalise(product, exponent)
    total, square, doublings = 0.0, 1.0, 0
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        variance = _smoothed(models.moments[WEIGHT, d, c, m], models.moments[VARIANCE, d, c, m], smoothing)
        if not np.isnan(x):
            total += _distance(x, models.moments[MEAN, d, c, m], variance)
            square, doublings = _times(square, doublings, variance)
    return _times_density(product, exponent, total, *_root(square, doublings))


@kernel
def normalise(product, exponent):
    """The same value with 1/2 ≤ mantissa < 1; zero gets the exponent `_NEVER`."""
    if product == 0.0:
        return 0.0, _NEVER
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
    best, best_exponent = 0.0, _NEVER
    for c in range(models.class_counts.shape[0]):
        mantissa, exponent = score(models, m, c, smoothing, examples, n)
        if _is_better(mantissa, exponent, best, best_exponent):
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
                factor = _factor(models, v, c, m)
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
            if product[m] < _SMALL:
                product[m] *= _LARGE
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
            root, half = _root(squares[c, m], doublings[c, m])
            products[c, m], exponents[c, m] = _times_density(
                products[c, m], exponents[c, m], totals[c, m], root, half
            )


@kernel(counts=False)
def _add_distances(moments, d, c, x, smoothing, totals, squares, doublings, raw):
    """Do as `score` for one number and all models; `raw`, (M,), is a buffer."""
    n_extreme = 0
    for m in range(len(smoothing)):
        variance = _smoothed(moments[WEIGHT, d, c, m], moments[VARIANCE, d, c, m], smoothing[m])
        totals[c, m] += _distance(x, moments[MEAN, d, c, m], variance)
        raw[m] = _raw_times(squares[c, m], variance)
        n_extreme += (raw[m] <= _NARROW) | (raw[m] >= _WIDE)
    for m in range(len(smoothing)):
        if n_extreme == 0:
            squares[c, m] = raw[m]
        else:
            variance = _smoothed(moments[WEIGHT, d, c, m], moments[VARIANCE, d, c, m], smoothing[m])
            squares[c, m], doublings[c, m] = _times(squares[c, m], doublings[c, m], variance)


@kernel
def _choose(products, exponents, labels):
    """Replace `labels`, (M,), by the class of the highest product·2^exponent, (K, M), if any is above 0."""
    best, best_exponent = np.zeros(len(labels)), np.full(len(labels), _NEVER)
    for c in range(len(products)):
        for m in range(len(labels)):
            product, exponent = products[c, m], exponents[c, m]
            better = _is_better(product, exponent, best[m], best_exponent[m])
            labels[m] = c if better else labels[m]
            best[m] = product if better else best[m]
            best_exponent[m] = exponent if better else best_exponent[m]


@implements(class_shares, NaiveBayes)
def _class_shares(models, m, n_classes, examples):
    """Class probabilities by model `m`, (N, K): normalised products, or class shares if all products are 0.

    They are equal if the model has learned nothing.
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
    highest = _NEVER
    for c in range(len(products)):
        products[c], exponents[c] = normalise(products[c], exponents[c])
        highest = max(highest, exponents[c])
    if highest == _NEVER:
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
    highest, totals = np.full(len(labels), _NEVER), np.zeros(len(labels))
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
                exponents[c, m] = exponents[c, m] + shift if is_positive else _NEVER
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
        if highest[m] > _NEVER:
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
    """Multiply `products` (K, M) by `_factor` of value `v`, vectorised; returns whether one became small.

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
            got_small |= (product < _SMALL) & (product > 0.0)
            products[c, m] = product
    return got_small


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
        new = _moved(weight, mean, low, variance, x, w)
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
    return min(var_smoothing * np.int64(largest).view(np.float64), _LARGEST_SMOOTHING)


@kernel(counts=False, inline=True)
def _classify_row(class_counts, factors, codes, n, moments, smoothing, row, n_numeric, terms):
    """Class of example `n` with the numbers `row`, (D,), by `score`; `terms` is a buffer, (2, D)."""
    label, most, total = -1, 0.0, 0.0
    for c in range(len(class_counts)):
        total += class_counts[c]
        if class_counts[c] > most:
            label, most = c, class_counts[c]
    best, best_exponent = 0.0, _NEVER
    for c in range(len(class_counts)):
        product, exponent = class_counts[c] / total, 0
        for a in range(codes.shape[1]):
            product, exponent = _rescaled(product * factors[c, np.uint32(codes[n, a] + 1)], exponent)
        for d in range(len(row)):
            variance = _smoothed(moments[c, WEIGHT, d], moments[c, VARIANCE, d], smoothing)
            terms[0, d] = _distance(row[d], moments[c, MEAN, d], variance)
            terms[1, d] = variance if row[d] == row[d] else 0.0
        distance, square, doublings = 0.0, 1.0, 0
        for d in range(n_numeric):
            distance += terms[0, d]
            raw = _raw_times(square, terms[1, d])
            if _NARROW < raw < _WIDE:
                square = raw
            else:
                square, doublings = _times(square, doublings, terms[1, d])
        root, half = _root(square, doublings)
        product, exponent = _times_density(product, exponent, distance, root, half)
        better = _is_better(product, exponent, best, best_exponent)
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
    return best, highest >= _SMALL  # then no smaller product can win, rescaled or not


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
            factors[c, v + 1] = _factor(models, v, c, m)
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
