"""Naive Bayes by counting (thesis Figure 2.3), as kernels."""

import math
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
)
from ...kernels.arithmetic import add_exactly, exp_parts, mantissa_and_exponent, power_of_two, two_product
from ...kernels.compile import copy_into, implements, kernel

_SMALL = 2.0**-512
_LARGE = 2.0**512
_TWO_PI = 6.283185307179586
_NEVER = -(2**62)  # exponent that stands for a product of zero
LARGEST_NUMBER = 1e145  # its square times 2⁵³, the largest weight, can still be split exactly (`two_product`)
_LARGEST_SMOOTHING = 1e300  # far above every variance of such numbers


class NaiveBayes(NamedTuple):
    """Counts of M models with K classes, V values of A nominal attributes and D numeric attributes."""

    class_counts: Annotated[np.ndarray, "K, M"]
    value_counts: Annotated[np.ndarray, "V, K, M"]
    moments: Annotated[
        np.ndarray, "D, K, 5, M"
    ]  # double-double sums of x and of x², (high, low) each, and of weights
    attribute_sizes: Annotated[
        np.ndarray, "V"
    ]  # int64: number of values of the attribute that has this value
    alpha: float
    var_smoothing: float


class PreparedNaiveBayes(NamedTuple):
    """The factors of `score`, precomputed for M models, and buffers for the products."""

    priors: np.ndarray  # (K, M)
    factors: np.ndarray  # (V + 1, K, M); the last row, all ones, belongs to code −1
    means: np.ndarray  # (D, K, M)
    variances: np.ndarray  # (D, K, M)
    most_frequent: np.ndarray  # (M,) int32
    block: int  # number of factors that can be multiplied before a product needs rescaling
    products: np.ndarray  # (K, M)
    exponents: np.ndarray  # (K, M) int64
    best: np.ndarray  # (M,)
    best_exponent: np.ndarray  # (M,) int64


@kernel
def _add_moments(moments, d, label, m, x, weight):
    """Add number `x` of attribute `d` to the sums of its class, (D, K, 5, M), unless it is missing."""
    if np.isnan(x):
        return
    square, square_low = two_product(x, x)
    for part, (v, v_low) in enumerate(((x, 0.0), (square, square_low))):
        high, low = two_product(weight, v)
        low = low + weight * v_low
        sums = moments[d, label, 2 * part, m], moments[d, label, 2 * part + 1, m]
        high, low = add_exactly(sums[0], sums[1], high, low)
        moments[d, label, 2 * part, m] = high
        moments[d, label, 2 * part + 1, m] = low
    moments[d, label, 4, m] += weight


@implements(learn, NaiveBayes)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[label, m] += weight
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:
            models.value_counts[v, label, m] += weight
    for d in range(examples.numbers.shape[1]):
        _add_moments(models.moments, d, label, m, examples.numbers[n, d], weight)


@implements(learn_each, NaiveBayes)
def _learn_each(models, examples, n, label, weights):
    for m in range(len(weights)):
        models.class_counts[label, m] += weights[m]
    for a in range(examples.codes.shape[1]):
        v = examples.codes[n, a]
        if v >= 0:  # full indices: creating a reference-counted view would cost as much as this loop
            for m in range(len(weights)):
                models.value_counts[v, label, m] += weights[m]
    for d in range(examples.numbers.shape[1]):
        for m in range(len(weights)):
            _add_moments(models.moments, d, label, m, examples.numbers[n, d], weights[m])


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
def _mean_and_variance(models, d, c, m):
    """Mean and unsmoothed variance of numeric attribute `d` in class `c`, rounded once.

    If the class has had no number, the variance is −∞, which marks that there is no density.
    """
    n = models.moments[d, c, 4, m]
    if n == 0.0:
        return 0.0, -np.inf
    return _ratio_and_spread(
        models.moments[d, c, 0, m],
        models.moments[d, c, 1, m],
        models.moments[d, c, 2, m],
        models.moments[d, c, 3, m],
        n,
    )


@kernel
def _ratio_and_spread(s, s_low, q, q_low, n):
    """Mean s/n and variance q/n − (s/n)² from double-double sums."""
    mean = s / n
    p, r = two_product(mean, n)
    mean_low = (((s - p) - r) + s_low) / n
    square = q / n
    p, r = two_product(square, n)
    square_low = (((q - p) - r) + q_low) / n
    p, r = two_product(mean, mean)
    high, low = add_exactly(square, square_low, -p, -(r + 2.0 * mean * mean_low))
    return mean + mean_low, max(high + low, 0.0)


@kernel
def smoothing_of(models, m):
    """`var_smoothing` times the largest variance of a numeric attribute over all classes."""
    largest = 0.0
    for d in range(models.moments.shape[0]):
        n, s, s_low, q, q_low = 0.0, 0.0, 0.0, 0.0, 0.0
        for c in range(models.moments.shape[1]):
            n += models.moments[d, c, 4, m]
            s, s_low = add_exactly(s, s_low, models.moments[d, c, 0, m], models.moments[d, c, 1, m])
            q, q_low = add_exactly(q, q_low, models.moments[d, c, 2, m], models.moments[d, c, 3, m])
        if n > 0.0:
            largest = max(largest, _ratio_and_spread(s, s_low, q, q_low, n)[1])
    return min(models.var_smoothing * largest, _LARGEST_SMOOTHING)


@kernel
def _density(x, mean, variance):
    """Gaussian density as (m, k), which stands for m·2^k; 1 if the variance is ≤ 0 or x is missing."""
    if variance <= 0.0 or np.isnan(x):
        return 1.0, 0
    t = -0.5 * ((x - mean) * (x - mean)) / variance
    if t < -1e12:
        return 0.0, 0
    m, k = exp_parts(t)
    return m / math.sqrt(_TWO_PI * variance), k


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
            product *= _factor(models, v, c, m)
            if product < _SMALL:
                product *= _LARGE
                exponent -= 512
    for d in range(examples.numbers.shape[1]):
        mean, variance = _mean_and_variance(models, d, c, m)
        density, k = _density(examples.numbers[n, d], mean, variance + smoothing)
        product, shift = math.frexp(product * density)
        exponent += shift + k
    return normalise(product, exponent)


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
        if exponent > best_exponent or (exponent == best_exponent and mantissa > best):
            label, best, best_exponent = c, mantissa, exponent
    return label


@implements(prepare, NaiveBayes)
def _prepare(models):
    n_values, n_classes, n_models = models.value_counts.shape
    n_numeric = models.moments.shape[0]
    priors = np.empty((n_classes, n_models))
    factors = np.ones((n_values + 1, n_classes, n_models))
    means = np.empty((n_numeric, n_classes, n_models))
    variances = np.empty((n_numeric, n_classes, n_models))
    most_frequent = np.empty(n_models, np.int32)
    smallest = 1.0
    for m in range(n_models):
        most_frequent[m] = _most_frequent(models.class_counts, m)
        smoothing = smoothing_of(models, m)
        for c in range(n_classes):
            priors[c, m] = _prior(models, c, m)
            for d in range(n_numeric):
                means[d, c, m], variance = _mean_and_variance(models, d, c, m)
                variances[d, c, m] = variance + smoothing
    for v in range(n_values):
        for c in range(n_classes):
            for m in range(n_models):
                factor = _factor(models, v, c, m)
                factors[v, c, m] = factor
                if factor > 0.0:
                    smallest = min(smallest, factor)
    block = max(1, 500 // max(1, 1 - math.frexp(smallest)[1]))
    return PreparedNaiveBayes(
        priors,
        factors,
        means,
        variances,
        most_frequent,
        block,
        np.empty((n_classes, n_models)),
        np.empty((n_classes, n_models), np.int64),
        np.empty(n_models),
        np.empty(n_models, np.int64),
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
    for d in range(examples.numbers.shape[1]):
        x = examples.numbers[n, d]
        for m in range(n_models):
            density, k = _density(x, prepared.means[d, c, m], prepared.variances[d, c, m])
            product[m], shift = math.frexp(product[m] * density)
            exponent[m] += shift + k


@implements(classify_each, PreparedNaiveBayes)
def _classify_each(prepared, examples, n, labels):
    for c in range(prepared.products.shape[0]):
        _multiply(prepared, c, examples, n)
    copy_into(labels, prepared.most_frequent)
    best = prepared.best
    best_exponent = prepared.best_exponent
    best[:] = 0.0
    best_exponent[:] = _NEVER
    for c in range(prepared.products.shape[0]):
        product = prepared.products[c]
        exponent = prepared.exponents[c]
        for m in range(len(labels)):
            better = (product[m] > 0.0) & (
                (exponent[m] > best_exponent[m])
                | ((exponent[m] == best_exponent[m]) & (product[m] > best[m]))
            )
            labels[m] = c if better else labels[m]
            best[m] = product[m] if better else best[m]
            best_exponent[m] = exponent[m] if better else best_exponent[m]


@kernel
@implements(class_shares, NaiveBayes)
def product_shares(models, m, n_classes, examples):
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
    nominal = examples.numbers.shape[1] == 0
    if not (nominal and _classify_unscaled(models, examples.codes[n], labels)):
        for m in range(len(labels)):
            labels[m] = classify(models, m, examples, n)


@kernel
def _classify_unscaled(models, codes, labels):
    """Classify one example by all models without rescaling; returns whether that was possible.

    `codes` (A,) are those of the example, `labels` (M,) int32 is the result. If a product became so
    small that `classify` would rescale it, the result is False and `labels` must not be used.
    """
    n_classes, n_models = models.class_counts.shape
    products = np.zeros((n_classes, n_models))
    total = np.zeros(n_models)
    best = np.zeros(n_models)
    labels[:] = -1
    for c in range(n_classes):
        for m in range(n_models):
            n_c = models.class_counts[c, m]
            total[m] += n_c
            labels[m] = c if n_c > best[m] else labels[m]  # stays the answer if every product is 0
            best[m] = max(best[m], n_c)
    for c in range(n_classes):
        for m in range(n_models):
            products[c, m] = models.class_counts[c, m] / total[m]
    got_small = False
    for a in range(len(codes)):
        if codes[a] >= 0:
            got_small |= _multiply_by_shares(models, codes[a], total, products)
    best[:] = 0.0
    for c in range(n_classes):
        for m in range(n_models):
            labels[m] = c if products[c, m] > best[m] else labels[m]
            best[m] = max(best[m], products[c, m])
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
    """A contiguous copy of one model over nominal attributes, with its factors.

    Value v is at index v + 1, so that an unknown value, −1, is at index 0, whose factor is always 1.
    """

    class_counts: np.ndarray  # (K,)
    counts: np.ndarray  # (K, V + 1)
    factors: np.ndarray  # (K, V + 1)
    smoothing: np.ndarray  # (V + 1,) smoothing term of the denominator
    alpha: float
    unseen: np.ndarray  # (V,) int64: indices of the values that the model has never seen
    n_unseen: np.ndarray  # (1,) int64: number of entries in `unseen`


@implements(mark_correct, NaiveBayes)
def _mark_correct(models, m, examples, labels, is_right):
    nothing = np.zeros(len(labels))  # with weight 0 nothing is learned
    learn_and_test(models, m, examples, labels, nothing, np.empty(0, np.int32), is_right)


@implements(learn_and_test, NaiveBayes)
def _learn_and_test(models, m, examples, labels, weights, before, after):
    if examples.numbers.shape[1] > 0 or len(labels) < LONG_ENOUGH:
        learn_and_test_one_by_one(models, m, examples, labels, weights, before, after)
        return
    one = _extract(models, m)
    class_counts, counts, factors = one.class_counts, one.counts, one.factors  # unpacked once: a call for
    alpha, smoothing, codes = one.alpha, one.smoothing, examples.codes  # each example would count references
    n_places = counts.shape[1]
    products = np.empty(len(class_counts))
    for n in range(len(labels)):
        label = labels[n]
        if len(before) > 0:
            best, total, is_clear = _highest_product(class_counts, factors, codes, n, products)
            before[n] = best if is_clear else _classify_carefully(one, total, codes, n)
        if weights[n] > 0.0:
            class_counts[label] += weights[n]
            for a in range(codes.shape[1]):
                counts[label, np.uint32(codes[n, a] + 1)] += weights[n]
            n_label = class_counts[label]
            for v in range(1, n_places):
                factors[label, v] = min((counts[label, v] + alpha) / (n_label + smoothing[v]), 1.0)
            if one.n_unseen[0] > 0:
                _see(one, label)
        best, total, is_clear = _highest_product(class_counts, factors, codes, n, products)
        if not is_clear:
            best = _classify_carefully(one, total, codes, n)
        after[n] = best == label
    _write_back(one, models, m)


@kernel(inline=True, counts=False)
def _highest_product(class_counts, factors, codes, n, products):
    """(class of the highest product, total weight learned, whether the class is certain).

    The class is −1 if nothing was learned. It is uncertain if the highest product is so small that
    rescaling may change the result. `products` (K,) is a buffer.
    """
    n_classes, n_nominal = len(class_counts), codes.shape[1]
    total = 0.0
    for c in range(n_classes):
        total += class_counts[c]
    if total == 0.0:
        return -1, total, True
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
    return best, total, highest >= _SMALL  # then no smaller product can win, rescaled or not


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
    class_counts = models.class_counts[:, m].copy()
    return OneNaiveBayes(class_counts, counts, factors, smoothing, models.alpha, unseen, n_unseen)


@kernel
def _write_back(one, models, m):
    """Write the counts of the copy back to model `m`."""
    for c in range(len(one.class_counts)):
        models.class_counts[c, m] = one.class_counts[c]
        for v in range(len(models.value_counts)):
            models.value_counts[v, c, m] = one.counts[c, v + 1]


@kernel
def _see(one, label):
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
def _classify_carefully(one, total, codes, n):
    """Class of example `n` by rescaled products; `total` is the weight that the model has learned."""
    label = -1
    most = 0.0
    for c in range(len(one.class_counts)):
        if one.class_counts[c] > most:
            label, most = c, one.class_counts[c]
    best, best_exponent = 0.0, _NEVER
    for c in range(len(one.class_counts)):
        product = one.class_counts[c] / total
        exponent = 0
        for a in range(codes.shape[1]):
            product *= one.factors[c, np.uint32(codes[n, a] + 1)]
            if product < _SMALL:
                product *= _LARGE
                exponent -= 512
        if product > 0.0 and (exponent > best_exponent or (exponent == best_exponent and product > best)):
            label, best, best_exponent = c, product, exponent
    return label
