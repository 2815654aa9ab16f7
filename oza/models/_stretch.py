"""One base model meets a stretch of examples, one after the other.

The verbs say nothing that `learn` and `classify` do not, but they let a kind keep one model at hand
for many examples.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from .._compile import kernel
from ._naive_bayes import _LARGE, _NEVER, _SMALL, NaiveBayes, _factor
from ._verbs import classify, learn

_WORTH_A_COPY = 8  # examples


def learn_and_test(models, m, examples, labels, weights, is_right):
    """Let model `m` learn each example in turn; note whether it then gets that one right."""
    raise NotImplementedError


def examine(models, m, examples, labels, is_right):
    """Note which examples model `m` gets right."""
    raise NotImplementedError


@overload(learn_and_test, jit_options={"error_model": "numpy"}, strict=False)
def _choose(models, *_):
    return _by_naive_bayes if getattr(models, "instance_class", None) is NaiveBayes else _by_any


@overload(examine, jit_options={"error_model": "numpy"}, strict=False)
def _choose_examiner(models, *_):
    return _examine_naive_bayes if getattr(models, "instance_class", None) is NaiveBayes else _examine_any


def _examine_any(models, m, examples, labels, is_right):
    for n in range(len(labels)):
        is_right[n] = classify(models, m, examples, n) == labels[n]


def _examine_naive_bayes(models, m, examples, labels, is_right):
    nothing = np.zeros(len(labels))  # weight 0 teaches nothing
    _one_naive_bayes_meets(models, m, examples, labels, nothing, is_right)


def _by_any(models, m, examples, labels, weights, is_right):
    _one_by_one(models, m, examples, labels, weights, is_right)


@kernel
def _one_by_one(models, m, examples, labels, weights, is_right):
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n])
        is_right[n] = classify(models, m, examples, n) == labels[n]


class OneNaiveBayes(NamedTuple):
    """One model over nominal attributes, with the factors that it multiplies.

    Value v has place v + 1, so that an unknown value, −1, has place 0; its factor is always 1.
    """

    class_counts: np.ndarray  # (K,)
    counts: np.ndarray  # (K, V + 1)
    factors: np.ndarray  # (K, V + 1)
    smoothing: np.ndarray  # (V + 1,) what is added to the count of a class below the line
    alpha: float
    unseen: np.ndarray  # (V,) int64 places of the values that the model has never seen
    n_unseen: np.ndarray  # (1,) int64: so many they are


def _by_naive_bayes(models, m, examples, labels, weights, is_right):
    _one_naive_bayes_meets(models, m, examples, labels, weights, is_right)


@kernel
def _one_naive_bayes_meets(models, m, examples, labels, weights, is_right):
    if examples.numbers.shape[1] > 0 or len(labels) < _WORTH_A_COPY:
        _one_by_one(models, m, examples, labels, weights, is_right)
        return
    one = _take_out(models, m)
    class_counts, counts, factors = one.class_counts, one.counts, one.factors  # no call for each example:
    alpha, smoothing, codes = one.alpha, one.smoothing, examples.codes  # it would count references
    n_classes, n_places = counts.shape
    n_nominal = codes.shape[1]
    products = np.empty(n_classes)
    for n in range(len(labels)):
        label = labels[n]
        if weights[n] > 0.0:
            class_counts[label] += weights[n]
            for a in range(n_nominal):
                counts[label, np.uint32(codes[n, a] + 1)] += weights[n]
            n_label = class_counts[label]
            for v in range(1, n_places):
                factors[label, v] = min((counts[label, v] + alpha) / (n_label + smoothing[v]), 1.0)
            if one.n_unseen[0] > 0:
                _see(one, label)
        total = 0.0
        for c in range(n_classes):
            total += class_counts[c]
        if total == 0.0:
            is_right[n] = False
            continue
        for c in range(0, n_classes, 2):  # two at a time: neither product waits for the other
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
        if highest < _SMALL:  # else what is below it cannot win, rescaled or not
            best = _classify_carefully(one, total, codes, n)
        is_right[n] = best == label
    _put_back(one, models, m)


@kernel
def _take_out(models, m):
    """Copy of model `m`."""
    n_values, n_classes, _ = models.value_counts.shape
    counts = np.zeros((n_classes, n_values + 1))
    factors = np.ones((n_classes, n_values + 1))
    smoothing = np.zeros(n_values + 1)
    unseen = np.empty(n_values, np.int64)
    n_unseen = np.zeros(1, np.int64)
    for v in range(n_values):
        smoothing[v + 1] = models.alpha * models.attribute_sizes[v, 0]
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
def _put_back(one, models, m):
    """Give model `m` the counts of its copy."""
    for c in range(len(one.class_counts)):
        models.class_counts[c, m] = one.class_counts[c]
        for v in range(len(models.value_counts)):
            models.value_counts[v, c, m] = one.counts[c, v + 1]


@kernel
def _see(one, label):
    """Take the values of an example off the list of those never seen; the others' factor is 1."""
    n_classes = len(one.class_counts)
    kept = 0
    for i in range(one.n_unseen[0]):
        place = one.unseen[i]
        if one.counts[label, place] == 0.0:
            one.factors[label, place] = 1.0
            one.unseen[kept] = place
            kept += 1
            continue
        for c in range(n_classes):
            below = one.class_counts[c] + one.smoothing[place]
            one.factors[c, place] = (
                min((one.counts[c, place] + one.alpha) / below, 1.0) if below > 0.0 else 0.0
            )
    one.n_unseen[0] = kept


@kernel
def _classify_carefully(one, total, codes, n):
    """The same with rescaled products."""
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
