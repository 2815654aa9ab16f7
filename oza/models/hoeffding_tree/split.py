"""When a leaf of a Hoeffding tree becomes a test, and which."""

import math

from ...kernels.arithmetic import log, normal_cdf, x_log_x
from ...kernels.compile import Operation, implements, kernel
from ...kernels.random import draw_in_row, uniform
from ..class_weights import heaviest_class, is_pure, total_weight
from .state import FROZEN, LEAF, MOST_LEAVES, N_THRESHOLDS, NO_ROW, HoeffdingTree, drawn_key, release_row

_LOG_2 = 0.6931471805599453
SMALLEST_BRANCH = 0.01  # two branches need more than this share of the weight (MOA's default)


@kernel(counts=False)
def class_entropy(counts, i):
    """Entropy in bits of the classes in row `i` of `counts`, and the weight there."""
    n, by_class = 0.0, 0.0
    for c in range(counts.shape[1]):
        n += counts[i, c]
        by_class += x_log_x(counts[i, c])
    return (x_log_x(n) - by_class) / (n * _LOG_2) if n > 0.0 else 0.0, n


@kernel(counts=False)
def hoeffding_bound(weight, n_classes, log_inverse_delta):
    """With probability 1 − δ, a mean of `weight` gains in bits is less than this above its expectation."""
    gain_range = log(max(n_classes, 2)) / _LOG_2
    return math.sqrt(gain_range * gain_range * log_inverse_delta / (2.0 * weight))


@kernel(counts=False, inline=True)
def _gain(yes, yes_open, no, no_open, entropy):
    """Gain in bits of a test whose sides have weights `yes`, `no` and leave n·H open; −∞ if one is small."""
    total = yes + no
    if not (yes > SMALLEST_BRANCH * total and no > SMALLEST_BRANCH * total):
        return -math.inf
    return entropy - (yes_open + no_open) / (total * _LOG_2)


@kernel(counts=False)
def _take_logarithms(models, tree, row, first, end):
    """Write n·log n of every entry of a table into `terms`, in one loop, and for each value into `values`.

    The values are those from `first` to `end`; `values[0]` is the weight n of each value, `values[1]`
    what it leaves open, n·H.
    """
    terms, values = models.terms, models.values
    n_classes = tree.counts.shape[1]
    for j in range(first * n_classes, end * n_classes):
        terms[j] = x_log_x(tree.tables[row, j])
    for v in range(first, end):
        values[0, v] = 0.0
        values[1, v] = 0.0
        for c in range(n_classes):
            values[0, v] += tree.tables[row, v * n_classes + c]
            values[1, v] += terms[v * n_classes + c]
    for v in range(first, end):
        values[1, v] = x_log_x(values[0, v]) - values[1, v]


@kernel(counts=False)
def _best_nominal(models, tree, row, a, entropy):
    """(gain, value) of the best test of nominal attribute `a`: value −1 for a branch each, or one value.

    One value against the rest is no other test where the leaf has met only two.
    """
    starts, values = models.settings.starts, models.values
    tables, totals, n_classes = tree.tables, tree.totals, tree.counts.shape[1]
    total = 0.0
    for c in range(n_classes):
        total += totals[row, c, a]
    left_open, n_branches, n_met = 0.0, 0, 0
    for v in range(starts[a], starts[a + 1]):
        left_open += values[1, v]
        n_branches += values[0, v] > SMALLEST_BRANCH * total
        n_met += values[0, v] > 0.0
    if n_branches < 2:
        best, value = -math.inf, -1
    else:
        best, value = entropy - left_open / (total * _LOG_2), -1
    if n_met == 2:
        return best, value
    for v in range(starts[a], starts[a + 1]):
        if 0.0 < values[0, v] < total:
            rest, inside = 0.0, 0.0
            for c in range(n_classes):
                weight = totals[row, c, a] - tables[row, v * n_classes + c]
                rest += weight
                inside += x_log_x(weight)
            gain = _gain(values[0, v], values[1, v], rest, x_log_x(rest) - inside, entropy)
            if gain > best:
                best, value = gain, v
    return best, value


@kernel(counts=False)
def _divide_numbers(tree, row, d, thresholds, parts):
    """Estimate the class weights on both sides of each threshold, from Gaussians, into `parts`.

    The loop over thresholds has no branches, so that LLVM vectorises it.
    """
    for c in range(tree.counts.shape[1]):
        mean, weight = tree.moments[row, c, d, 0], tree.moments[row, c, d, 2]
        squares = tree.moments[row, c, d, 3]
        low, high = tree.moments[row, c, d, 4], tree.moments[row, c, d, 5]
        deviation = math.sqrt(squares / (weight - 1.0)) if weight > 1.0 else 0.0
        for j in range(parts.shape[2]):
            threshold = thresholds[j]
            below = weight if mean <= threshold else 0.0
            if deviation > 0.0:
                below = weight * normal_cdf((threshold - mean) / deviation)
            below = weight if threshold >= high else below
            below = below if threshold >= low and weight > 0.0 else 0.0
            parts[0, c, j] = below
            parts[1, c, j] = weight - below


@kernel(counts=False)
def _best_numeric(models, tree, row, d, entropy):
    """(gain, threshold) of the best of the candidate thresholds of numeric attribute `d`."""
    parts, logs, n_classes = models.parts, models.logs, tree.counts.shape[1]
    thresholds = models.thresholds
    low, high = math.inf, -math.inf
    for c in range(n_classes):
        if tree.moments[row, c, d, 2] > 0.0:
            low = min(low, tree.moments[row, c, d, 4])
            high = max(high, tree.moments[row, c, d, 5])
    if not low < high:
        return -math.inf, 0.0
    for j in range(N_THRESHOLDS):
        thresholds[j] = (high - low) / (N_THRESHOLDS + 1.0) * (j + 1.0) + low
    _divide_numbers(tree, row, d, thresholds, parts)
    for side in range(2):
        for j in range(parts.shape[2]):
            parts[side, n_classes, j] = 0.0
        for c in range(n_classes):
            for j in range(parts.shape[2]):
                parts[side, n_classes, j] += parts[side, c, j]
        for c in range(n_classes + 1):
            for j in range(parts.shape[2]):
                logs[side, c, j] = x_log_x(parts[side, c, j])
    best, best_threshold = -math.inf, 0.0
    for j in range(N_THRESHOLDS):
        inside_yes, inside_no = 0.0, 0.0
        for c in range(n_classes):
            inside_yes += logs[0, c, j]
            inside_no += logs[1, c, j]
        if low < thresholds[j] < high:
            yes, no = parts[0, n_classes, j], parts[1, n_classes, j]
            yes_open, no_open = logs[0, n_classes, j] - inside_yes, logs[1, n_classes, j] - inside_no
            gain = _gain(yes, yes_open, no, no_open, entropy)
            if gain > best:
                best, best_threshold = gain, thresholds[j]
    return best, best_threshold


@kernel(counts=False)
def best_test(models, tree, row, entropy, candidates, n):
    """(gain, second highest gain, attribute, value, threshold) of the best test of `n` candidate attributes.

    The statistics are those in `row`, the classes have an `entropy` before the test. Among equals the
    first candidate is taken, a branch for each value before a binary test, and the lowest value or threshold.
    """
    n_nominal = len(models.settings.starts) - 1
    best, second = -math.inf, -math.inf
    attribute, value, threshold = LEAF, -1, 0.0
    settings, takes_all = models.settings, n == len(models.settings.order)
    if takes_all:
        _take_logarithms(models, tree, row, 0, settings.starts[n_nominal])
    for j in range(n):
        candidate = candidates[j]
        new_value, new_threshold = -1, 0.0
        if candidate < n_nominal:
            if not takes_all:
                first, end = settings.starts[candidate], settings.starts[candidate + 1]
                _take_logarithms(models, tree, row, first, end)
            gain, new_value = _best_nominal(models, tree, row, candidate, entropy)
        else:
            gain, new_threshold = _best_numeric(models, tree, row, candidate - n_nominal, entropy)
        if gain > best:
            best, second = gain, best
            attribute, value, threshold = candidate, new_value, new_threshold
        else:
            second = max(second, gain)
    return best, second, attribute, value, threshold


@kernel(counts=False)
def _draw_candidates(models, tree, i):
    """Write the attributes that leaf `i` may test into `candidates`, in their order; returns their number.

    Going through all attributes, each is drawn with the share of those still wanted among those left, which
    makes all choices as likely (selection sampling).
    """
    settings, candidates, key = models.settings, models.candidates, drawn_key(tree, i)
    left, n = len(settings.order), 0
    for candidate in settings.order:
        if uniform(draw_in_row(key, left)) * left < settings.n_drawn - n:
            candidates[n] = candidate
            n += 1
        left -= 1
    return n


@kernel(counts=False)
def try_to_split(models, tree, i):
    """Make leaf `i` a test if one is better than the second best by the Hoeffding bound, or all are alike.

    As in MOA, the entropy before the test is that of all class weights of the leaf, inherited ones
    included, so that a gain can be negative; and not splitting does not compete.
    """
    settings, row = models.settings, tree.nodes[i].row
    if is_pure(tree.counts, i):
        return
    candidates, n = settings.order, len(settings.order)
    if settings.n_drawn < n:
        candidates, n = models.candidates, _draw_candidates(models, tree, i)
    entropy, weight = class_entropy(tree.counts, i)
    best, second, attribute, value, threshold = best_test(models, tree, row, entropy, candidates, n)
    bound = hoeffding_bound(weight, tree.counts.shape[1], settings.log_inverse_delta)
    if attribute != LEAF and (best - second > bound or bound < settings.tie_threshold):
        split_leaf(models, tree, i, attribute, value, threshold)


@Operation
def split_leaf(models, tree, i, attribute, value, threshold):
    """Make leaf `i` this test."""
    raise NotImplementedError


@implements(split_leaf, HoeffdingTree, counts=False)
def _split(models, tree, i, attribute, value, threshold):
    """As `split_leaf`; a no-op if the tree may not have so many leaves."""
    settings, header = models.settings, tree.header[0]
    n_children = n_branches(settings, attribute, value)
    if 0 < settings.max_leaves * MOST_LEAVES < header.n_leaves + n_children - 1:
        return
    header.n_leaves += n_children - 1
    header.n_learning += n_children - 1
    branch(models, tree, i, tree.nodes[i].row, attribute, value, threshold)
    release_row(tree, i)
    if settings.max_leaves > 0:
        _freeze(tree, settings.max_leaves)


@kernel(counts=False, inline=True)
def n_branches(settings, attribute, value):
    """Number of branches of a test."""
    if value >= 0 or attribute >= len(settings.starts) - 1:
        return 2
    return settings.starts[attribute + 1] - settings.starts[attribute]


@kernel(counts=False)
def branch(models, tree, i, row, attribute, value, threshold):
    """Make node `i` a test, whose children are leaves that inherit the weights of branches in `row`."""
    settings, header, nodes, counts = models.settings, tree.header[0], tree.nodes, tree.counts
    n_nominal, n_classes = len(settings.starts) - 1, counts.shape[1]
    n_children = n_branches(settings, attribute, value)
    first = settings.starts[attribute] if attribute < n_nominal else 0
    child = header.n_nodes
    header.n_nodes = child + n_children
    if attribute >= n_nominal:
        models.thresholds[0] = threshold
        _divide_numbers(tree, row, attribute - n_nominal, models.thresholds, models.parts)
    for j in range(n_children):
        for c in range(n_classes):
            if attribute >= n_nominal:
                counts[child + j, c] = models.parts[j, c, 0]
            elif value < 0:
                counts[child + j, c] = tree.tables[row, (first + j) * n_classes + c]
            elif j == 0:
                counts[child, c] = tree.tables[row, value * n_classes + c]
            else:
                counts[child + 1, c] = (
                    tree.totals[row, c, attribute] - tree.tables[row, value * n_classes + c]
                )
        node = nodes[child + j]
        node.attribute = LEAF
        node.parent = i
        node.row = NO_ROW
        node.child = child + j
    node = nodes[i]
    node.attribute = attribute
    node.value = value
    node.threshold = threshold
    node.child = child
    widest, most = 0, 0.0
    for j in range(n_children):
        weight = total_weight(counts, child + j)
        if weight > most:
            widest, most = j, weight
    node.widest = widest


@kernel(counts=False)
def _errors(counts, i):
    """Weight in leaf `i` of other classes than the majority's."""
    label = heaviest_class(counts, i)
    return total_weight(counts, i) - counts[i, label] if label >= 0 else 0.0


@kernel(counts=False)
def _freeze(tree, max_leaves):
    """Let the `max_leaves` leaves with the most errors learn, the oldest of equals, and freeze the others."""
    header, nodes = tree.header[0], tree.nodes
    while True:
        least, most = math.inf, -1.0
        learning, frozen = -1, -1
        for i in range(header.n_nodes):
            if nodes[i].attribute == LEAF:
                errors = _errors(tree.counts, i)
                if nodes[i].row == FROZEN:
                    if errors > most:
                        frozen, most = i, errors
                elif errors <= least:
                    learning, least = i, errors
        swaps = header.n_learning == max_leaves and most > least
        if header.n_learning <= max_leaves and not swaps:
            return
        release_row(tree, learning)
        nodes[learning].row = FROZEN
        header.n_learning -= 1
        if swaps:
            nodes[frozen].row = NO_ROW
            header.n_learning += 1
