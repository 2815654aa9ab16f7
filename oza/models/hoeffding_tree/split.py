"""When a leaf of a Hoeffding tree becomes a test, and which."""

import math

from ..._arithmetic import log, normal_cdf, x_log_x
from ..._compile import kernel
from .._class_weights import heaviest_class, is_pure, total_weight
from .state import FROZEN, LEAF, NO_ROW, release_row

_LOG_2 = 0.6931471805599453
_SMALLEST_BRANCH = 0.01  # two branches need more than this share of the weight (MOA's default)
_N_THRESHOLDS = 10  # candidates, at equal distances between the smallest and the largest number


@kernel(counts=False)
def _entropy(counts, i):
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


@kernel(counts=False)
def _gain_of_two(parts, entropy):
    """Gain in bits of a test with class weights `parts`, (2, K), on its sides; −∞ if one is too small."""
    yes, no = 0.0, 0.0
    inside_yes, inside_no = 0.0, 0.0
    for c in range(parts.shape[1]):
        yes += parts[0, c]
        no += parts[1, c]
        inside_yes += x_log_x(parts[0, c])
        inside_no += x_log_x(parts[1, c])
    total = yes + no
    if not (yes > _SMALLEST_BRANCH * total and no > _SMALLEST_BRANCH * total):
        return -math.inf
    left_open = (x_log_x(yes) - inside_yes) + (x_log_x(no) - inside_no)
    return entropy - left_open / (total * _LOG_2)


@kernel(counts=False)
def _best_nominal(models, tree, row, a, entropy):
    """(gain, value) of the best test of nominal attribute `a`: value −1 for a branch each, or one value."""
    starts, terms, parts = models.settings.starts, models.terms, models.parts
    tables, totals = tree.tables, tree.totals
    n_classes = tables.shape[2]
    total = 0.0
    for c in range(n_classes):
        total += totals[row, a, c]
    left_open, n_branches = 0.0, 0
    for v in range(starts[a], starts[a + 1]):
        terms[v, n_classes] = 0.0
        for c in range(n_classes):
            terms[v, c] = x_log_x(tables[row, v, c])
            terms[v, n_classes] += tables[row, v, c]
    for v in range(starts[a], starts[a + 1]):
        inside = 0.0
        for c in range(n_classes):
            inside += terms[v, c]
        left_open += x_log_x(terms[v, n_classes]) - inside
        n_branches += terms[v, n_classes] > _SMALLEST_BRANCH * total
    if n_branches < 2:
        best, value = -math.inf, -1
    else:
        best, value = entropy - left_open / (total * _LOG_2), -1
    for v in range(starts[a], starts[a + 1]):
        if 0.0 < terms[v, n_classes] < total:
            for c in range(n_classes):
                parts[0, c] = tables[row, v, c]
                parts[1, c] = totals[row, a, c] - tables[row, v, c]
            gain = _gain_of_two(parts, entropy)
            if gain > best:
                best, value = gain, v
    return best, value


@kernel(counts=False)
def _divide_numbers(tree, row, d, threshold, parts):
    """Estimate the class weights on both sides of a threshold, from Gaussians, into `parts`, (2, K)."""
    for c in range(parts.shape[1]):
        weight, mean = tree.moments[row, d, 0, c], tree.moments[row, d, 1, c]
        below = 0.0
        if weight > 0.0 and threshold >= tree.moments[row, d, 4, c]:
            below = weight
        elif weight > 0.0 and threshold >= tree.moments[row, d, 3, c]:
            variance = tree.moments[row, d, 2, c] / (weight - 1.0) if weight > 1.0 else 0.0
            if variance > 0.0:
                below = weight * normal_cdf((threshold - mean) / math.sqrt(variance))
            elif mean <= threshold:
                below = weight
        parts[0, c] = below
        parts[1, c] = weight - below


@kernel(counts=False)
def _best_numeric(models, tree, row, d, entropy):
    """(gain, threshold) of the best of the candidate thresholds of numeric attribute `d`."""
    low, high = math.inf, -math.inf
    for c in range(tree.moments.shape[3]):
        if tree.moments[row, d, 0, c] > 0.0:
            low = min(low, tree.moments[row, d, 3, c])
            high = max(high, tree.moments[row, d, 4, c])
    best, best_threshold = -math.inf, 0.0
    for j in range(_N_THRESHOLDS):
        threshold = (high - low) / (_N_THRESHOLDS + 1.0) * (j + 1.0) + low
        if low < threshold < high:
            _divide_numbers(tree, row, d, threshold, models.parts)
            gain = _gain_of_two(models.parts, entropy)
            if gain > best:
                best, best_threshold = gain, threshold
    return best, best_threshold


@kernel(counts=False)
def try_to_split(models, tree, i):
    """Make leaf `i` a test if one is better than the second best by the Hoeffding bound, or all are alike.

    Among equals the lowest column is taken, a branch for each value before a binary test, and the
    lowest value or threshold. As in MOA, the entropy before the test is that of all class weights of
    the leaf, inherited ones included, so that a gain can be negative; and to split nowhere is no rival.
    """
    settings, row = models.settings, tree.nodes[i].row
    if is_pure(tree.counts, i):
        return
    n_nominal = len(settings.starts) - 1
    entropy, weight = _entropy(tree.counts, i)
    best, second = -math.inf, -math.inf
    attribute, value, threshold = LEAF, -1, 0.0
    for candidate in settings.order:
        new_value, new_threshold = -1, 0.0
        if candidate < n_nominal:
            gain, new_value = _best_nominal(models, tree, row, candidate, entropy)
        else:
            gain, new_threshold = _best_numeric(models, tree, row, candidate - n_nominal, entropy)
        if gain > best:
            best, second = gain, best
            attribute, value, threshold = candidate, new_value, new_threshold
        else:
            second = max(second, gain)
    bound = hoeffding_bound(weight, tree.counts.shape[1], settings.log_inverse_delta)
    if attribute != LEAF and (best - second > bound or bound < settings.tie_threshold):
        _split(models, tree, i, attribute, value, threshold)


@kernel(counts=False)
def _split(models, tree, i, attribute, value, threshold):
    """Make leaf `i` a test; each child inherits the class weights of its branch."""
    settings, header, nodes, counts = models.settings, tree.header[0], tree.nodes, tree.counts
    row, n_nominal, n_classes = nodes[i].row, len(settings.starts) - 1, counts.shape[1]
    first, n_children = 0, 2
    if attribute < n_nominal and value < 0:
        first = settings.starts[attribute]
        n_children = settings.starts[attribute + 1] - first
    child = header.n_nodes
    header.n_nodes = child + n_children
    header.n_leaves += n_children - 1
    header.n_learning += n_children - 1
    if attribute >= n_nominal:
        _divide_numbers(tree, row, attribute - n_nominal, threshold, models.parts)
    for j in range(n_children):
        for c in range(n_classes):
            if attribute >= n_nominal:
                counts[child + j, c] = models.parts[j, c]
            elif value < 0:
                counts[child + j, c] = tree.tables[row, first + j, c]
            elif j == 0:
                counts[child, c] = tree.tables[row, value, c]
            else:
                counts[child + 1, c] = tree.totals[row, attribute, c] - tree.tables[row, value, c]
        node = nodes[child + j]
        node.attribute = LEAF
        node.parent = i
        node.row = NO_ROW
    release_row(tree, i)
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
    if settings.max_leaves > 0:
        _freeze(tree, settings.max_leaves)


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
