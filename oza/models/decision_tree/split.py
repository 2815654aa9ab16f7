"""The best test of a node of a decision tree."""

import math

import numpy as np

from ...kernels.compile import copy_into, kernel
from ...kernels.order import order_of
from ...kernels.random import permutation, row_key
from ..class_weights import is_pure
from .state import NO_BOUND, TABLE_FROM, log_of, new_table, nodes_below

_SLACK = 2.0**-48  # more than the relative rounding error of a sum of n·log n over classes
_LEAST_GAIN = 1e-12  # a gain below this many nats for each unit of weight counts as none


@kernel(inline=True, counts=False)
def spreads(logs, counts, i):
    """Total weight of node `i`, x(total), and the spread of all its examples; see `score_of`."""
    total, inside = 0.0, 0.0
    for c in range(counts.shape[1]):
        total += counts[i, c]
        inside += counts[i, c] * log_of(logs, counts[i, c])
    whole = total * log_of(logs, total)
    return total, whole, whole - inside


@kernel(inline=True, counts=False)
def most_spread(whole, spread, n_classes):
    """A spread within parts that is larger than this, by computation, is larger than `spread` in truth."""
    return spread + (n_classes + 16) * _SLACK * (abs(whole) + n_classes)


@kernel(inline=True, counts=False)
def score_of(logs, gain_ratio, counts, i, whole, spread, total, tables, k, v):
    """Score at node `i` of test v, which examples of class weights `tables[k, :, v]` pass; its two bounds.

    With x(n) = n·log n, the gain times the weight is spread(all) − (spread(yes) + spread(no)), where
    spread is x(weight) − Σ x(weight of a class); the ratio divides it by x(all) − (x(yes) + x(no)).
    """
    n_classes = counts.shape[1]
    yes, no = 0.0, 0.0
    for c in range(n_classes):
        yes += tables[k, c, v]
        no += max(counts[i, c] - tables[k, c, v], 0.0)
    if not (yes > 0.0 and no > 0.0):
        return -1.0, NO_BOUND, 0.0
    within, x_parts = 0.0, 0.0
    for part in range(2):
        inside, x = 0.0, 0.0
        for c in range(n_classes + 1):
            inside += x
            if c == n_classes:
                n = no if part else yes
            else:
                n = max(counts[i, c] - tables[k, c, v], 0.0) if part else tables[k, c, v]
            x = n * log_of(logs, n)
        within += x - inside
        x_parts += x
    information = whole - x_parts if gain_ratio else 1.0
    gain = spread - within
    if gain < _LEAST_GAIN * total:
        gain = 0.0
    return gain / information if information > 0.0 else 0.0, within, information


@kernel(counts=False)
def best_row(models, counts, i, tables, bounds, k, n_rows, chosen):
    """Score and number of the best test of node `i` in table `k`, and how many separate its examples.

    The bounds of a test are the spread within its parts and the divisor, as they were when it was
    last scored. Neither ever falls as examples arrive: so a test need not be scored again while its
    bounds show it to be worse than the test that was `chosen` before is now.
    """
    logs, gain_ratio, passing, rows = models.logs, models.gain_ratio, models.passing, models.rows
    n_classes = counts.shape[1]
    total, whole, spread = spreads(logs, counts, i)
    n_tests = 0
    most, least, score_of_chosen = most_spread(whole, spread, n_classes), 0.0, -1.0
    if chosen >= 0:
        score_of_chosen, bounds[k, 0, chosen], bounds[k, 1, chosen] = score_of(
            logs, gain_ratio, counts, i, whole, spread, total, tables, k, chosen
        )
        if score_of_chosen > 0.0:
            least = min(score_of_chosen, 1.0) if gain_ratio else score_of_chosen  # more is due to rounding
        else:
            most = math.inf
        passing[:] = 0.0
        for c in range(n_classes):
            for v in range(n_rows):
                passing[v] += tables[k, c, v]
        n_rows = 0
        for v in range(len(passing)):
            separates = (passing[v] > 0.0) & (passing[v] < total)
            is_worse = most < bounds[k, 0, v] + least * bounds[k, 1, v]
            rows[n_rows] = v
            n_rows += separates & (not is_worse)
            n_tests += separates & is_worse
    best, best_row = -1.0, -1
    for r in range(n_rows):
        v = rows[r] if chosen >= 0 else r
        score = score_of_chosen
        if v != chosen:
            score, bounds[k, 0, v], bounds[k, 1, v] = score_of(
                logs, gain_ratio, counts, i, whole, spread, total, tables, k, v
            )
        n_tests += score >= 0.0
        if score > best:
            best, best_row = score, v
    return best, best_row, n_tests


@kernel(inline=True, counts=False)
def is_certainly_worse(logs, gain_ratio, counts, i, total, whole, spread, before, after, least):
    """Whether all tests passed by at least `before` and at most `after` certainly score below `least`.

    Both are class weights, `[0, :, 0]`, and `least` is above 0. The spread of a part is no less than
    that of fewer examples; the information in the answer is least at one of the ends.
    """
    n_classes = counts.shape[1]
    yes, no, yes_after = 0.0, 0.0, 0.0
    inside = 0.0
    for c in range(n_classes):
        n = before[0, c, 0]
        yes += n
        inside += n * log_of(logs, n)
        yes_after += after[0, c, 0]
        n = counts[i, c] - after[0, c, 0]
        no += n
        inside += n * log_of(logs, n)
    x_yes, x_no = yes * log_of(logs, yes), no * log_of(logs, no)
    within = (x_yes + x_no) - inside
    if gain_ratio:
        rest = total - yes
        x_before = x_yes + rest * log_of(logs, rest)
        x_after = x_no + yes_after * log_of(logs, yes_after)
        within += min(least, 1.0) * (whole - max(x_before, x_after))
    else:
        within += least
    return most_spread(whole, spread, n_classes) < within


@kernel(counts=False)
def tabulate(memory, tree, i, sign, into, k):
    """Count the examples of node `i` in table `k` of `into`; a negative sign takes them out."""
    codes, labels, found = memory.codes, memory.labels, memory.found
    nodes, tables, links, weights = tree.nodes, tree.tables, tree.links, tree.weights
    for n in range(nodes_below(nodes, i, True, found)):
        node = nodes[found[n]]
        if node.table >= 0:
            for c in range(tables.shape[1]):
                for v in range(tables.shape[2]):
                    into[k, c, v] += sign * tables[node.table, c, v]
        elif node.attribute < 0:
            e = node.head
            while e >= 0:
                label = labels[e]
                weight = sign * weights[e]
                for a in range(codes.shape[1]):
                    v = codes[e, a]
                    if v >= 0:
                        into[k, label, v] += weight
                e = links[e]


@kernel
def rank_numbers(memory, n):
    """Give the first `n` examples their places in the order of each numeric attribute.

    All trees share these, so that no node has to compare numbers to sort its examples.
    """
    known, order, ranks = memory.n_ranked[0], memory.order, memory.ranks
    memory.n_ranked[0] = n
    for d in range(len(order)):
        if 16 * (n - known) > n:
            in_order = order_of(numbers_of(memory, d, np.arange(n)))
            for place in range(n):
                order[d, place] = in_order[place]
                ranks[d, in_order[place]] = place
        else:
            for e in range(known, n):
                _insert(memory, d, e)


@kernel
def _insert(memory, d, e):
    """Give example `e` its place in the order of numeric attribute `d` among those before it."""
    order, ranks, numbers = memory.order[d], memory.ranks[d], memory.numbers
    low, high = 0, e
    while low < high:
        middle = (low + high) // 2
        if numbers[e, d] < numbers[order[middle], d] or np.isnan(numbers[order[middle], d]):
            high = middle
        else:
            low = middle + 1
    if np.isnan(numbers[e, d]):
        low = e
    copy_into(order[low + 1 : e + 1], order[low:e].copy())
    order[low] = e
    for k in range(e):
        ranks[k] += ranks[k] >= low
    ranks[e] = low


@kernel
def _sort(memory, d, examples, found):
    """Write examples into `found`, int32, in the order of numeric attribute `d`."""
    order, ranks, words = memory.order[d], memory.ranks[d], memory.words
    n_words = memory.n_ranked[0] // 32 + 1
    if 16 * len(examples) < n_words:
        for k, i in enumerate(order_of(ranks[examples].astype(np.float64))):
            found[k] = examples[i]
        return
    for e in examples:
        words[ranks[e] >> 5] |= np.int64(1) << (ranks[e] & 31)  # NumPy's int32 has no bit for 31
    n = 0
    for w in range(n_words):
        bits, words[w] = words[w], 0
        while bits > 0:
            lowest = bits & -bits
            exponent = (np.float64(lowest).view(np.int64) >> 52) - 1023
            found[n] = order[(w << 5) + exponent]
            n += 1
            bits ^= lowest


@kernel(inline=True, counts=False)
def shift(logs, counts, i, c, weight, passing):
    """Let an example of class `c` pass; by how much that raises Σ x(weight of a class) of both parts."""
    yes, no = passing[0, c, 0], max(counts[i, c] - passing[0, c, 0], 0.0)
    passing[0, c, 0] = yes + weight
    gone = yes * log_of(logs, yes) + no * log_of(logs, no)
    yes, no = yes + weight, max(no - weight, 0.0)
    return (yes * log_of(logs, yes) + no * log_of(logs, no)) - gone


@kernel(inline=True, counts=False)
def scores_below(logs, gain_ratio, total, whole, most, inside, n_shifts, yes, least):
    """Whether a test certainly scores below `least`, which is above 0.

    What passes weighs `yes`; `inside` is Σ x(weight of a class) of both parts, after so many shifts. Then
    a score takes the same time for any number of classes.
    """
    x_parts = yes * log_of(logs, yes) + (total - yes) * log_of(logs, total - yes)
    within = x_parts - inside
    within += min(least, 1.0) * (whole - x_parts) if gain_ratio else least
    return most + n_shifts * _SLACK * (whole + 1.0) < within


@kernel
def _best_number(models, memory, tree, i, d, examples, least, passing):
    """Score and threshold of the best test of numeric attribute `d`, and how many separate the examples.

    These are sorted. Tests that score less than `least` need not be found. A missing number passes no test.
    """
    logs, gain_ratio, counts, weights = models.logs, models.gain_ratio, tree.counts, tree.weights
    numbers, labels = memory.numbers, memory.labels
    total, whole, spread = spreads(logs, counts, i)
    most, inside = most_spread(whole, spread, counts.shape[1]), whole - spread
    can_skip = not tree.header[0].is_rounded
    best, threshold, n_tests, yes = -1.0, 0.0, 0, 0.0
    passing[:] = 0.0
    for k in range(len(examples) - 1):
        e = examples[k]
        inside += shift(logs, counts, i, labels[e], weights[e], passing)
        yes += weights[e]
        x, following = numbers[e, d], numbers[examples[k + 1], d]
        if np.isnan(x):
            break
        if x < following or np.isnan(following):
            if (
                can_skip
                and least > 0.0
                and scores_below(logs, gain_ratio, total, whole, most, inside, k, yes, least)
            ):
                n_tests += 1
                continue
            score, _, _ = score_of(logs, gain_ratio, counts, i, whole, spread, total, passing, 0, 0)
            n_tests += score >= 0.0
            if score > best:
                best, threshold = score, x
                least = max(least, best)
    return best, threshold, n_tests


@kernel(counts=False)
def _score_now(models, tree, i, passing):
    """Score of the test of node `i`; `passing` is a buffer, (1, K, 1). Not positive where it has none."""
    node = tree.nodes[i]
    if node.attribute < 0 or tree.header[0].is_rounded:
        return 0.0
    for c in range(tree.counts.shape[1]):
        passing[0, c, 0] = tree.counts[node.yes, c]
    total, whole, spread = spreads(models.logs, tree.counts, i)
    score, _, _ = score_of(
        models.logs, models.gain_ratio, tree.counts, i, whole, spread, total, passing, 0, 0
    )
    return score


@kernel(counts=False)
def choose_test(models, memory, tree, i):
    """Attribute, value, threshold of the best test of node `i`, and how many separate its examples.

    The first of equals wins: lowest column, then lowest value or threshold; attribute −1 where
    the examples are of one class, or no test separates them.
    """
    if is_pure(tree.counts, i):
        return -1, -1, 0.0, 0
    if models.n_tested < len(models.order):
        return _among_drawn_attributes(models, memory, tree, i)
    best, attribute, value, n_tests = best_nominal_test(models, memory, tree, i)
    if len(models.order) > len(memory.columns):
        return _among_numeric_tests(models, memory, tree, i, best, attribute, value, n_tests)
    return attribute, value, 0.0, n_tests


@kernel(counts=False)
def best_nominal_test(models, memory, tree, i):
    """Score, attribute and value of the best nominal test of node `i`, and how many separate its examples."""
    node = tree.nodes[i]
    n_nominal = len(memory.columns)
    tables, bounds, k = tree.tables, tree.bounds, node.table
    chosen = np.int32(-1)
    if k >= 0:
        if 0 <= node.attribute < n_nominal:
            chosen = node.value
    elif n_nominal > 0:
        is_large = node.n_examples >= TABLE_FROM and not tree.header[0].is_rounded
        if is_large:
            k = new_table(tables, tree.header)
            bounds[k] = NO_BOUND
        else:
            tables, bounds, k = models.scratch, models.scratch_bounds, np.int32(0)
        tables[k] = 0.0
        tabulate(memory, tree, i, 1.0, tables, k)
        if is_large:
            node.table = k
    best, value, n_tests = best_row(models, tree.counts, i, tables, bounds, k, len(models.rows), chosen)
    attribute = -1
    if value >= 0:
        attribute = 0
        while models.starts[attribute + 1] <= value:
            attribute += 1
    return best, attribute, value, n_tests


@kernel
def _examples_of(memory, tree, i):
    """Indices of the examples of node `i`, int32, in the order in which the leaves hold them."""
    nodes, links, found = tree.nodes, tree.links, memory.found
    examples = np.empty(nodes[i].n_examples, np.int32)
    n = 0
    for j in found[: nodes_below(nodes, i, False, found)]:
        if nodes[j].attribute < 0:
            e = nodes[j].head
            while e >= 0:
                examples[n] = e
                n += 1
                e = links[e]
    return examples


@kernel
def numbers_of(memory, d, examples):
    """Values of numeric attribute `d` of some examples; infinite where missing, as that passes no test."""
    numbers = memory.numbers[:, d][examples]
    for j in range(len(numbers)):
        if np.isnan(numbers[j]):
            numbers[j] = np.inf
    return numbers


@kernel
def _among_drawn_attributes(models, memory, tree, i):
    """What `choose_test` returns if a node chooses its test from some attributes, drawn at random.

    If no test of these separates its examples, further ones are drawn until one does. The draws are keyed by
    the tree and the set of examples, so they do not depend on the order in which nodes get their tests.
    The first of equals wins, in the order of the draws.
    """
    counts, labels, columns = tree.counts, memory.labels, memory.columns
    n_nominal = len(columns)
    examples = _examples_of(memory, tree, i)
    rank_numbers(memory, models.n_examples[0])
    drawn, found = np.uint64(0), np.empty(len(examples), np.int32)
    for e in examples:
        drawn += row_key(tree.header[0].key, e)
    rows = np.empty((1, counts.shape[1], len(models.passing)))
    passing = np.empty((1, counts.shape[1], 1))
    bounds = np.empty((1, 2, len(models.passing)))  # discarded
    n_tests = 0
    best, best_attribute, best_value, best_threshold = -1.0, -1, -1, 0.0
    attributes = permutation(len(models.order), drawn)
    for j in range(len(attributes)):
        if j >= models.n_tested and best >= 0.0:
            break
        attribute = attributes[j]
        first = 0
        if attribute < n_nominal:
            first = int(models.starts[attribute])
            n_rows = int(models.starts[attribute + 1]) - first
            rows[0, :, :n_rows] = 0.0
            for e in examples:
                v = columns[attribute, e]
                if v >= 0:
                    rows[0, labels[e], v - first] += tree.weights[e]
            score, row, n_more = best_row(models, counts, i, rows, bounds, np.int32(0), n_rows, np.int32(-1))
            value, threshold = first + row, 0.0
        else:
            d = attribute - n_nominal
            _sort(memory, d, examples, found)
            score, threshold, n_more = _best_number(models, memory, tree, i, d, found, best, passing)
            value = -1
        n_tests += n_more
        if score > best:
            best, best_attribute, best_value, best_threshold = score, attribute, value, threshold
    return best_attribute, best_value, best_threshold, n_tests


@kernel
def _among_numeric_tests(models, memory, tree, i, best, best_attribute, best_value, n_tests):
    """What `choose_test` returns, given the best nominal test."""
    n_nominal = memory.codes.shape[1]
    examples = _examples_of(memory, tree, i)
    rank_numbers(memory, models.n_examples[0])
    found = np.empty(len(examples), np.int32)
    passing = np.empty((1, tree.counts.shape[1], 1))
    least = _score_now(models, tree, i, passing)
    best_threshold = 0.0
    nominal_first = False
    for attribute in models.order:
        if attribute < n_nominal:
            nominal_first |= attribute == best_attribute
            continue
        d = attribute - n_nominal
        _sort(memory, d, examples, found)
        score, threshold, n_more = _best_number(models, memory, tree, i, d, found, max(best, least), passing)
        n_tests += n_more
        if score > best or (score == best and best_value >= 0 and not nominal_first):
            best, best_attribute, best_value, best_threshold = score, attribute, -1, threshold
    return best_attribute, best_value, best_threshold, n_tests
