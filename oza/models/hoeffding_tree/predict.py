"""Predictions of Hoeffding trees."""

import math

import numpy as np

from ..._arithmetic import exp_parts, power_of_two
from ..._compile import implements, kernel
from .._naive_bayes import normalise
from ..contract import class_shares, classify
from .state import LEAF, MAJORITY, NAIVE_BAYES, HoeffdingTree, majority, weight_of

_SMALL, _LARGE = 2.0**-300, 2.0**300
_TOGETHER = 16  # values whose shares are divided at once: so many weights below 2⁵³ cannot overflow
_TWO_PI = 6.283185307179586
_NARROW, _WIDE = 2.0**-50, 2.0**50


@kernel(counts=False, inline=True)
def find_leaf(tree, settings, examples, n):
    """The leaf that example `n` comes to.

    A missing or unknown value follows the branch that had the most weight when the test was chosen.
    """
    nodes, n_nominal = tree.nodes, len(settings.starts) - 1
    i = 0
    while nodes[i].attribute != LEAF:
        node = nodes[i]
        branch = node.widest
        if node.attribute >= n_nominal:
            x = examples.numbers[n, node.attribute - n_nominal]
            if not np.isnan(x):
                branch = np.int32(x > node.threshold)
        else:
            code = examples.codes[n, node.attribute]
            if code >= 0:
                first = settings.starts[node.attribute]
                branch = np.int32(code != node.value) if node.value >= 0 else np.int32(code - first)
        i = node.child + branch
    return i


@kernel(counts=False)
def majority_class(tree, i):
    """Majority class of leaf `i`; that of the nearest ancestor where no example has come to it."""
    label = majority(tree.counts, i)
    while label < 0 and tree.nodes[i].parent >= 0:
        i = tree.nodes[i].parent
        label = majority(tree.counts, i)
    return label


@kernel(counts=False)
def _naive_bayes_scores(tree, i, models, examples, n):
    """Prior times the factors of example `n` for each class in leaf `i`, into `products` and `exponents`.

    The score of class c is products[0, c]·2^exponents[c].
    """
    settings, products, exponents = models.settings, models.products, models.exponents
    row, n_classes = np.uint64(tree.nodes[i].row), tree.counts.shape[1]
    alpha, starts, tables, totals = settings.alpha, settings.starts, tree.tables, tree.totals
    weight, n_nominal = weight_of(tree.counts, i), examples.codes.shape[1]
    for c in range(n_classes):
        products[0, c] = tree.counts[i, c] / weight
        exponents[c] = 0
    for first in range(0, n_nominal, _TOGETHER):
        largest = 0.0
        for c in range(n_classes):
            shares, denominator = products[0, c], 1.0
            for a in range(first, min(first + _TOGETHER, n_nominal)):
                v = examples.codes[n, a]
                if v >= 0:
                    shares *= tables[row, np.uint64(v), c] + alpha
                    denominator *= totals[row, a, c] + alpha * (starts[a + 1] - starts[a])
            products[0, c] = shares / denominator if denominator > 0.0 else 0.0
            largest = max(largest, products[0, c])
        if largest < _SMALL:
            for c in range(n_classes):
                products[0, c] *= _LARGE  # of all classes: their order stays
    if examples.numbers.shape[1] > 0:
        _multiply_densities(tree, row, products, exponents, examples, n)


@kernel(counts=False)
def _multiply_densities(tree, row, products, exponents, examples, n):
    """Multiply the scores by the Gaussian densities of the numbers of example `n`.

    A class of which the leaf has learned no such number has density 0; where all numbers were
    equal, it is 1 at that number and 0 elsewhere, as in MOA.
    """
    for c in range(tree.counts.shape[1]):
        distance, spread, halvings = 0.0, 1.0, 0  # the product of 2π times the variances is spread·4^halvings
        for d in range(examples.numbers.shape[1]):
            x = examples.numbers[n, d]
            if np.isnan(x):
                continue
            weight = tree.moments[row, d, 0, c]
            deviation = x - tree.moments[row, d, 1, c]
            variance = tree.moments[row, d, 2, c] / (weight - 1.0) if weight > 1.0 else 0.0
            if variance > 0.0:
                distance += deviation * deviation / (2.0 * variance)
                spread *= _TWO_PI * variance
                if spread < _NARROW or spread > _WIDE:
                    spread, shift = math.frexp(spread)
                    if shift & 1:
                        spread, shift = 2.0 * spread, shift - 1
                    halvings += shift >> 1
            elif weight == 0.0 or deviation != 0.0:
                products[0, c] = 0.0
        if distance > 1e12:
            products[0, c] = 0.0
            distance = 0.0
        mantissa, shift = exp_parts(-distance)
        products[0, c] *= mantissa / math.sqrt(spread)
        exponents[c] = shift - halvings


@kernel(counts=False)
def naive_bayes_class(tree, i, models, examples, n):
    """Class of the highest score in leaf `i`, the first of equals; the majority class where all are 0."""
    _naive_bayes_scores(tree, i, models, examples, n)
    label, best, best_exponent = -1, 0.0, 0
    for c in range(tree.counts.shape[1]):
        mantissa, exponent = models.products[0, c], 0
        if examples.numbers.shape[1] > 0:
            mantissa, exponent = normalise(mantissa, models.exponents[c])
        if mantissa > 0.0 and (
            label < 0 or exponent > best_exponent or (exponent == best_exponent and mantissa > best)
        ):
            label, best, best_exponent = c, mantissa, exponent
    return label if label >= 0 else majority_class(tree, i)


@kernel(counts=False)
def uses_naive_bayes(tree, i, settings):
    """Whether leaf `i` predicts by Naive Bayes."""
    row = tree.nodes[i].row
    if row < 0 or settings.leaf_prediction == MAJORITY or weight_of(tree.counts, i) == 0.0:
        return False
    return settings.leaf_prediction == NAIVE_BAYES or tree.leaves[row, 1] <= tree.leaves[row, 2]


@implements(classify, HoeffdingTree)
def _classify(models, m, examples, n):
    tree = models.trees[m]
    i = find_leaf(tree, models.settings, examples, n)
    if uses_naive_bayes(tree, i, models.settings):
        return naive_bayes_class(tree, i, models, examples, n)
    return majority_class(tree, i)


@kernel
@implements(class_shares, HoeffdingTree)
def leaf_shares(models, m, n_classes, examples):
    """Class probabilities (N, K) of tree `m`; equal before learning."""
    tree = models.trees[m]
    shares = np.zeros((len(examples.codes), n_classes))
    for n in range(len(shares)):
        i = find_leaf(tree, models.settings, examples, n)
        if uses_naive_bayes(tree, i, models.settings):
            _naive_bayes_scores(tree, i, models, examples, n)
            highest = -(2**62)
            for c in range(n_classes):
                if models.products[0, c] > 0.0:
                    mantissa, exponent = normalise(models.products[0, c], models.exponents[c])
                    models.products[0, c], models.exponents[c] = mantissa, exponent
                    highest = max(highest, exponent)
            for c in range(n_classes):
                if models.products[0, c] > 0.0 and models.exponents[c] - highest > -1000:
                    shares[n, c] = models.products[0, c] * power_of_two(models.exponents[c] - highest)
        if shares[n].sum() == 0.0:
            while tree.nodes[i].parent >= 0 and weight_of(tree.counts, i) == 0.0:
                i = tree.nodes[i].parent
            for c in range(n_classes):
                shares[n, c] = tree.counts[i, c] if weight_of(tree.counts, i) > 0.0 else 1.0
        total = shares[n].sum()
        for c in range(n_classes):
            shares[n, c] /= total
    return shares
