"""Predictions of Hoeffding trees."""

import math

import numpy as np

from ...classifier.contract import class_shares, classify, classify_block
from ...kernels.arithmetic import exp_parts
from ...kernels.compile import implements, kernel
from ..class_weights import heaviest_class, total_weight
from ..naive_bayes.kernels import normalise, write_shares
from .state import LEAF, MAJORITY, NAIVE_BAYES, TOGETHER, HoeffdingTree

_SMALL, _LARGE = 2.0**-300, 2.0**300
_NARROW, _WIDE = 2.0**-200, 2.0**200
_ONE_BY_TWO_PI = 0.15915494309189535


@kernel(counts=False, inline=True)
def find_child(tree, settings, i, examples, n):
    """The child of test `i` to which it leads example `n`, uint64 as `i` is.

    A missing or unknown value follows the branch that had the most weight when the test was chosen.
    """
    node, n_nominal = tree.nodes[i], len(settings.starts) - 1
    branch = node.widest
    if node.attribute >= n_nominal:
        x = examples.numbers[n, np.uint64(node.attribute - n_nominal)]
        if not np.isnan(x):
            branch = np.int32(x > node.threshold)
    else:
        code = examples.codes[n, np.uint64(node.attribute)]
        if code >= 0:
            first = settings.starts[np.uint64(node.attribute)]
            branch = np.int32(code != node.value) if node.value >= 0 else np.int32(code - first)
    return np.uint64(node.child + branch)


@kernel(counts=False, inline=True)
def find_leaf(tree, settings, examples, n):
    """The leaf that example `n` comes to."""
    i = np.uint64(0)  # numba checks signed indices for negative ones
    while tree.nodes[i].attribute != LEAF:
        i = find_child(tree, settings, i, examples, n)
    return np.int64(i)


@kernel(counts=False)
def ancestors_majority(tree, i):
    """Majority class of the nearest ancestor of leaf `i` that has one."""
    label = -1
    while label < 0 and tree.nodes[i].parent >= 0:
        i = tree.nodes[i].parent
        label = heaviest_class(tree.counts, i)
    return label


@kernel(counts=False, inline=True)
def majority_class(tree, i):
    """Majority class of leaf `i`; that of the nearest ancestor where no example has come to it."""
    label = heaviest_class(tree.counts, i)
    return label if label >= 0 else ancestors_majority(tree, i)


# Naive Bayes multiplies the weight of a class in the leaf by factors of the values, and by a constant
# that depends on the attributes whose values are present. The constant for all attributes is kept.


@kernel(counts=False, inline=True)
def _denominator(tree, settings, row, c, g, codes, n):
    """Product over a group of nominal attributes of the weight of class `c` and α for each value, inverted.

    Attributes without a value in row `n` of `codes` are left out, unless `codes` is None.
    """
    product = 1.0
    for a in range(g * TOGETHER, min((g + 1) * TOGETHER, tree.totals.shape[2])):
        if codes is None or codes[n, a] >= 0:
            product *= tree.totals[row, c, a] + settings.smoothing[a]
    return 1.0 / product if product > 0.0 else 0.0


@kernel(counts=False)
def _height(tree, row, c, numbers, n):
    """(m, k): the product m·2^k over numeric attributes of the height of the Gaussian of class `c`.

    Attributes without a value in row `n` of `numbers` are left out, unless `numbers` is None.
    """
    square, doublings = 1.0, 0  # the product's square is square·4^doublings
    for d in range(tree.moments.shape[2]):
        if numbers is not None and np.isnan(numbers[n, d]):
            continue
        precision = tree.moments[row, c, d, 1]
        if tree.moments[row, c, d, 2] == 0.0:
            square = 0.0
        elif precision < math.inf:
            product = square * (precision * _ONE_BY_TWO_PI)
            if not _NARROW < product < _WIDE:
                mantissa, shift = math.frexp(precision * _ONE_BY_TWO_PI)
                product, more = math.frexp(square * mantissa)
                shift += more
                if shift & 1:
                    product, shift = 2.0 * product, shift - 1
                doublings += shift >> 1
            square = product
    return math.sqrt(square), doublings


@kernel(counts=False, inline=True)
def keep_constants(tree, settings, row, c):
    """Compute the constant of class `c` in a row of statistics, for all attributes."""
    for g in range(tree.constants.shape[2] - 2):
        tree.constants[row, c, 2 + g] = _denominator(tree, settings, row, c, g, None, 0)
    if tree.moments.shape[2] > 0:
        mantissa, exponent = _height(tree, row, c, None, 0)
        tree.constants[row, c, 0] = mantissa
        tree.constants[row, c, 1] = exponent


@kernel
def keep_all_constants(models, m):
    """Compute all constants of tree `m`."""
    tree = models.trees[m]
    for row in range(tree.header[0].n_rows):
        for c in range(tree.counts.shape[1]):
            keep_constants(tree, models.settings, row, c)


@kernel(counts=False, inline=True)
def _scores_of_two(tree, settings, i, row, c, d, examples, n):
    """(m, k) for each of the classes `c` and `d`: its weight in leaf `i` times the factors is m·2^k.

    Two at a time, since their chains of products do not wait for each other.
    """
    codes, tables = examples.codes, tree.tables
    c, d, n_classes = np.uint64(c), np.uint64(d), np.uint64(tree.counts.shape[1])
    score_c, exponent_c = tree.counts[i, c], 0
    score_d, exponent_d = tree.counts[i, d], 0
    for g in range(tree.constants.shape[2] - 2):
        is_complete = True
        for a in range(g * TOGETHER, min((g + 1) * TOGETHER, codes.shape[1])):
            v = codes[n, a]
            if v >= 0:
                score_c *= tables[row, np.uint64(v) * n_classes + c] + settings.alpha
                score_d *= tables[row, np.uint64(v) * n_classes + d] + settings.alpha
            else:
                is_complete = False
        if is_complete:
            score_c *= tree.constants[row, c, 2 + g]
            score_d *= tree.constants[row, d, 2 + g]
        else:
            score_c *= _denominator(tree, settings, row, c, g, codes, n)
            score_d *= _denominator(tree, settings, row, d, g, codes, n)
        if score_c < _SMALL:
            score_c, exponent_c = score_c * _LARGE, exponent_c - 300
        if score_d < _SMALL:
            score_d, exponent_d = score_d * _LARGE, exponent_d - 300
    if examples.numbers.shape[1] > 0:
        score_c, exponent_c = _times_density(score_c, exponent_c, tree, row, c, examples.numbers, n)
        score_d, exponent_d = _times_density(score_d, exponent_d, tree, row, d, examples.numbers, n)
    return score_c, exponent_c, score_d, exponent_d


@kernel(counts=False, inline=True)
def _times_density(score, exponent, tree, row, c, numbers, n):
    """(m, k): score·2^exponent times the Gaussian densities of class `c` at row `n` of `numbers`.

    The density is 0 where the leaf has learned no number of the class; where all were equal, it is 1
    at that number and 0 elsewhere, as in MOA.
    """
    distance, is_complete = 0.0, True
    for d in range(numbers.shape[1]):
        x = numbers[n, d]
        if np.isnan(x):
            is_complete = False
            continue
        deviation = x - tree.moments[row, c, d, 0]
        precision = tree.moments[row, c, d, 1]
        if precision < math.inf:
            distance += deviation * deviation * precision
        elif deviation != 0.0:
            distance = math.inf
    height, doublings = tree.constants[row, c, 0], np.int64(tree.constants[row, c, 1])
    if not is_complete:
        height, doublings = _height(tree, row, c, numbers, n)
    if not distance < 1e12:
        return 0.0, 0
    mantissa, shift = exp_parts(-0.5 * distance)
    return score * height * mantissa, exponent + doublings + shift


@kernel(counts=False, inline=True)
def _is_higher(score, exponent, other, others_exponent):
    """Whether score·2^exponent is above other·2^others_exponent."""
    if exponent != others_exponent:
        score, exponent = normalise(score, exponent)
        other, others_exponent = normalise(other, others_exponent)
    return exponent > others_exponent or (exponent == others_exponent and score > other)


@kernel(counts=False, inline=True)
def naive_bayes_class(models, tree, i, examples, n):
    """Class of the highest score in leaf `i`, the first of equals; the majority class where all are 0.

    Writes the scores into `models.scores` and `models.exponents`.
    """
    row, n_classes = np.uint64(tree.nodes[i].row), tree.counts.shape[1]
    label, best, best_exponent = -1, 0.0, 0
    for c in range(0, n_classes, 2):
        d = min(c + 1, n_classes - 1)
        score_c, exponent_c, score_d, exponent_d = _scores_of_two(
            tree, models.settings, i, row, c, d, examples, n
        )
        models.scores[c], models.exponents[c] = score_c, exponent_c
        models.scores[d], models.exponents[d] = score_d, exponent_d
        if _is_higher(score_c, exponent_c, best, best_exponent):
            label, best, best_exponent = c, score_c, exponent_c
        if _is_higher(score_d, exponent_d, best, best_exponent):
            label, best, best_exponent = d, score_d, exponent_d
    return label if label >= 0 else majority_class(tree, i)


@kernel(counts=False, inline=True)
def uses_naive_bayes(tree, row, settings):
    """Whether a leaf with this row of statistics predicts by Naive Bayes."""
    if row < 0 or settings.leaf_prediction == MAJORITY:
        return False
    return settings.leaf_prediction == NAIVE_BAYES or tree.leaves[row, 1] <= tree.leaves[row, 2]


@kernel(counts=False, inline=True)
def class_in_leaf(models, tree, i, examples, n):
    """Class that leaf `i` predicts for example `n`."""
    if uses_naive_bayes(tree, tree.nodes[i].row, models.settings):
        return naive_bayes_class(models, tree, i, examples, n)
    return majority_class(tree, i)


@implements(classify, HoeffdingTree)
def _classify(models, m, examples, n):
    tree = models.trees[m]
    return class_in_leaf(models, tree, find_leaf(tree, models.settings, examples, n), examples, n)


@implements(classify_block, HoeffdingTree)
def _classify_block(models, examples, first, labels):
    """Tree by tree, so that one stays in the cache: twice as fast with 100 trees."""
    for m in range(labels.shape[1]):
        tree = models.trees[m]
        for i in range(len(labels)):
            leaf = find_leaf(tree, models.settings, examples, first + i)
            labels[i, m] = class_in_leaf(models, tree, leaf, examples, first + i)


@kernel(counts=False, inline=True)
def write_scored_shares(models, shares, k):
    """Write the class probabilities by the scores of `naive_bayes_class` into row `k` of `shares`, (rows, K).

    Changes the scores; returns whether one is above 0, and else writes nothing.
    """
    return write_shares(models.scores, models.exponents, shares, k)


@kernel(counts=False, inline=True)
def write_counted_shares(tree, i, shares, k):
    """Write the class shares in leaf `i`, or in its nearest ancestor with a weight, into row `k`."""
    n_classes = tree.counts.shape[1]
    while tree.nodes[i].parent >= 0 and total_weight(tree.counts, i) == 0.0:
        i = tree.nodes[i].parent
    total = total_weight(tree.counts, i)
    for c in range(n_classes):
        shares[k, c] = tree.counts[i, c] / total if total > 0.0 else 1.0 / n_classes


@kernel(counts=False, inline=True)
def write_leaf_shares(models, tree, i, examples, n, shares, k):
    """Write the class probabilities of example `n` in leaf `i` into row `k` of `shares`, (rows, K)."""
    if uses_naive_bayes(tree, tree.nodes[i].row, models.settings):
        naive_bayes_class(models, tree, i, examples, n)
        if write_scored_shares(models, shares, k):
            return
    write_counted_shares(tree, i, shares, k)


@implements(class_shares, HoeffdingTree)
def _class_shares(models, m, n_classes, examples):
    """Class probabilities (N, K) of tree `m`; equal before learning."""
    tree = models.trees[m]
    shares = np.empty((len(examples.codes), n_classes))
    for n in range(len(shares)):
        i = find_leaf(tree, models.settings, examples, n)
        write_leaf_shares(models, tree, i, examples, n, shares, n)
    return shares
