"""Decision trees with binary tests that batch and online learning build alike, as kernels.

Every node keeps the class weights of its examples, and a large one also a table of them for each
attribute value.  An example that arrives is counted in the nodes on its way down; nothing else is
done until a prediction is asked.  A prediction looks again at the tests on *its* way down, where
counts have changed: if another test is now the best, the examples below are gathered and divided
anew, one level at a time and only as far as the prediction goes.  So each test that is ever used
is the one that the batch learner would choose for the same examples.

To take an array out of a NamedTuple or a list counts a reference, which costs more than to read a
number. So room for new nodes and tables is made before a tree changes; then kernels that count no
references can do the work.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba.typed import List

from .._arithmetic import log
from .._compile import copy_into, implements, kernel
from .._schema import Examples
from .contract import classify, classify_block, learn, learn_each, reset

_NODE = np.dtype(
    [
        ("threshold", np.float64),  # of a numeric test
        ("at_least", np.float64),  # bounds of the description length of the subtree, in nats
        ("at_most", np.float64),
        ("attribute", np.int32),  # tested: nominal ones first, then numeric ones; −1 in a leaf
        ("value", np.int32),  # code of a nominal test
        ("yes", np.int32),  # child of the examples that pass; in a free node the next free one
        ("no", np.int32),
        ("n_examples", np.int32),  # number of distinct ones
        ("head", np.int32),  # first example of a leaf
        ("table", np.int32),  # number of its table, −1 for none
        ("n_tests", np.int32),  # tests that separate the examples
        ("changed", np.bool_),  # whether examples have come since the test was chosen
        ("decided", np.bool_),  # whether it is known if pruning makes it a leaf
        ("cut", np.bool_),  # whether it does
    ],
    align=True,
)
_N_NODES, _FREE_NODE, _N_TABLES, _FREE_TABLE, _FRACTIONS, _ROUNDED, _STALE = range(7)  # of `Tree.state`
_GRAIN = 2.0**-30  # what fractional weights are multiples of
_EXACT_BELOW = 2.0**53 * _GRAIN  # sums of such weights
_TABLE_FROM = 48  # examples of a node that gets a table; smaller ones are counted when asked
_LOG_2 = 0.6931471805599453
_SLACK = 2.0**-48  # rounding in a sum of n·log n over classes, relative, with much to spare
_ROUNDED_DOWN = 1.0 - 2.0**-52  # times a rounded sum of two: no more than the sum
_NONE = -math.inf  # a promise that says nothing
_MOST_ABOVE = 64  # nodes through which a new test is handed up
_ROUNDING = 1e-12  # a gain below this many nats for each unit of weight counts as none


class Memory(NamedTuple):
    """Distinct examples, shared by all trees, and where to find them."""

    codes: np.ndarray  # (N, A) int32
    columns: np.ndarray  # (A, N) int32: the same, for a walk through one attribute
    numbers: np.ndarray  # (N, D)
    labels: np.ndarray  # (N,) int32
    slots: np.ndarray  # (power of two ≥ 2 N,) int32: example at this hash, −1 for none
    marked: np.ndarray  # (N,) bool: a place to mark examples, all False
    found: np.ndarray  # (2 N,) int32: a place for the nodes of a subtree
    waiting: np.ndarray  # (2 N,) int32: a place for those that are still to be looked at


class Tree(NamedTuple):
    """One tree; its arrays are replaced by longer ones as it grows."""

    weights: np.ndarray  # (N,): weight of each example, 0 where it was not learned
    links: np.ndarray  # (N,) int32: next example of the same leaf, −1 for none
    nodes: np.ndarray  # (nodes,) of `_NODE`; the first is the root
    counts: np.ndarray  # (nodes, K): weight of each class
    tables: np.ndarray  # (tables, K, V): weight of each class among the examples with a value
    promises: np.ndarray  # (tables, 2, V): see `_best_row`
    state: np.ndarray  # (7,) int64


class DecisionTree(NamedTuple):
    """M decision trees, with K classes, V values of A nominal attributes, D numeric attributes."""

    memory: Any  # list of one `Memory`
    trees: Any  # list of M `Tree`s
    n_examples: np.ndarray  # (1,) int64: how many examples the memory holds
    order: np.ndarray  # (A + D,) int32: the attributes in the order of their columns
    starts: np.ndarray  # (A + 1,) int32: code of the first value of each nominal attribute
    logs: np.ndarray  # (65536,): log n
    scratch: np.ndarray  # (1, K, V): a table for nodes that have none
    scratch_promises: np.ndarray  # (1, 2, V)
    passing: np.ndarray  # (V,): a place for the weight that passes each test
    rows: np.ndarray  # (V,) int32: a place for the tests that must be looked at
    queue: np.ndarray  # int32: a place for the nodes that take over a new test
    gain_ratio: bool
    prune: bool

    def __reduce__(self):
        """Pickle what was learned; the nodes follow from it."""
        return unpack, (pack(self),)


class LearnedExamples(NamedTuple):
    """What M trees have learned, from which they follow."""

    parameters: tuple
    codes: np.ndarray  # (N, A) int32
    numbers: np.ndarray  # (N, D)
    labels: np.ndarray  # (N,) int32
    weights: np.ndarray  # (N, M)


def new_trees(order, starts, n_classes: int, gain_ratio: bool, prune: bool, n_models: int) -> DecisionTree:
    """`n_models` trees that have learned nothing."""
    order, starts = np.array(order, np.int32), np.array(starts, np.int32)
    node = np.zeros(1, _NODE)
    return _new_trees(order, starts, n_classes, gain_ratio, prune, n_models, node)


def pack(models: DecisionTree) -> LearnedExamples:
    """What the trees have learned."""
    parameters = models.order, models.starts, models.scratch.shape[1], models.gain_ratio, models.prune
    return LearnedExamples(parameters, *learned_examples(models))


def unpack(learned: LearnedExamples) -> DecisionTree:
    """Trees that have learned these examples, each with its weight in each tree."""
    order, starts, n_classes, gain_ratio, prune = learned.parameters
    models = new_trees(order, starts, n_classes, gain_ratio, prune, learned.weights.shape[1])
    copies = [np.array(part) for part in learned[1:]]  # a file's pages may be read-only
    _learn_again(models, *copies)
    return models


@kernel
def _new_trees(order, starts, n_classes, gain_ratio, prune, n_models, node):
    n_nominal = len(starts) - 1
    n_values = starts[n_nominal]
    memory = List()
    memory.append(
        Memory(
            np.empty((4, n_nominal), np.int32),
            np.empty((n_nominal, 4), np.int32),
            np.empty((4, len(order) - n_nominal)),
            np.empty(4, np.int32),
            np.full(8, -1, np.int32),
            np.zeros(4, np.bool_),
            np.empty(8, np.int32),
            np.empty(8, np.int32),
        )
    )
    trees = List()
    for _ in range(n_models):
        trees.append(_leaf_alone(np.zeros(1, node.dtype), n_classes, n_values))
    logs = np.zeros(65536)
    for n in range(2, len(logs)):
        logs[n] = log(n)
    return DecisionTree(
        memory,
        trees,
        np.zeros(1, np.int64),
        order,
        starts,
        logs,
        np.empty((1, n_classes, n_values)),
        np.empty((1, 2, n_values)),
        np.empty(n_values),
        np.empty(n_values, np.int32),
        np.empty(_MOST_ABOVE, np.int32),
        gain_ratio,
        prune,
    )


@kernel
def _leaf_alone(nodes, n_classes, n_values):
    """A tree of one leaf, its only node, that has learned nothing."""
    nodes[0].attribute = -1
    nodes[0].head = -1
    nodes[0].table = -1
    state = np.zeros(7, np.int64)
    state[_N_NODES] = 1
    state[_FREE_NODE] = -1
    state[_FREE_TABLE] = -1
    return Tree(
        np.zeros(4),
        np.empty(4, np.int32),
        nodes,
        np.zeros((1, n_classes)),
        np.empty((0, n_classes, n_values)),
        np.empty((0, 2, n_values)),
        state,
    )


@implements(reset, DecisionTree)
def _reset(models, m):
    """Put a tree of one empty leaf in the place of tree `m`; the memory keeps its examples."""
    nodes = np.zeros(1, models.trees[m].nodes.dtype)
    models.trees[m] = _leaf_alone(nodes, models.scratch.shape[1], models.scratch.shape[2])


# What was learned


@kernel(counts=False)
def _hash(codes, numbers, n, label):
    h = np.uint64(label)
    for a in range(codes.shape[1]):
        h = (h ^ np.uint64(codes[n, a])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    for d in range(numbers.shape[1]):
        x = np.inf if np.isnan(numbers[n, d]) else numbers[n, d] + 0.0  # one hash for every NaN, and for ±0
        bits = np.float64(x).view(np.uint64)
        h = (h ^ bits) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h >> np.uint64(1))


@kernel(counts=False)
def _is_example(memory, e, examples, n, label):
    if memory.labels[e] != label:
        return False
    for a in range(examples.codes.shape[1]):
        if memory.codes[e, a] != examples.codes[n, a]:
            return False
    for d in range(memory.numbers.shape[1]):
        x, y = memory.numbers[e, d], examples.numbers[n, d]
        if x != y and not (np.isnan(x) and np.isnan(y)):
            return False
    return True


@kernel(counts=False)
def _slot_of(memory, examples, n, label):
    """Where the example is, or should be."""
    last = len(memory.slots) - 1
    slot = _hash(examples.codes, examples.numbers, n, label) & last
    while memory.slots[slot] >= 0 and not _is_example(memory, memory.slots[slot], examples, n, label):
        slot = (slot + 1) & last
    return slot


@kernel
def _with_twice_the_room(memory):
    n = len(memory.labels)
    codes = np.empty((2 * n, memory.codes.shape[1]), np.int32)
    columns = np.empty((memory.codes.shape[1], 2 * n), np.int32)
    numbers = np.empty((2 * n, memory.numbers.shape[1]))
    labels = np.empty(2 * n, np.int32)
    copy_into(codes, memory.codes)
    copy_into(columns, memory.columns)
    copy_into(numbers, memory.numbers)
    copy_into(labels, memory.labels)
    slots, marked = np.full(4 * n, -1, np.int32), np.zeros(2 * n, np.bool_)
    found, waiting = np.empty(4 * n, np.int32), np.empty(4 * n, np.int32)
    larger = Memory(codes, columns, numbers, labels, slots, marked, found, waiting)
    for e in range(n):
        larger.slots[_slot_of(larger, larger, e, labels[e])] = e
    return larger


@kernel
def _remember(models, examples, n, label):
    """Number of the example among the distinct ones."""
    memory = models.memory[0]
    slot = _slot_of(memory, examples, n, label)
    if memory.slots[slot] >= 0:
        return memory.slots[slot]
    e = models.n_examples[0]
    if e == len(memory.labels):
        memory = _with_twice_the_room(memory)
        models.memory[0] = memory
        slot = _slot_of(memory, examples, n, label)
    for a in range(examples.codes.shape[1]):
        memory.codes[e, a] = memory.columns[a, e] = examples.codes[n, a]
    for d in range(examples.numbers.shape[1]):
        memory.numbers[e, d] = examples.numbers[n, d] + 0.0  # −0 and 0 are one value
    memory.labels[e] = label
    memory.slots[slot] = e
    models.n_examples[0] = e + 1
    return np.int32(e)


@kernel
def learned_examples(models):
    """Distinct examples in the order of their arrival, and their weights in each tree."""
    memory = models.memory[0]
    n = models.n_examples[0]
    weights = np.zeros((n, len(models.trees)))
    for m in range(len(models.trees)):
        copy_into(weights[:, m], models.trees[m].weights[:n])
    return memory.codes[:n].copy(), memory.numbers[:n].copy(), memory.labels[:n].copy(), weights


@kernel
def _learn_again(models, codes, numbers, labels, weights):
    examples = Examples(codes, numbers)
    for n in range(len(labels)):
        e = _remember(models, examples, n, labels[n])
        for m in range(weights.shape[1]):
            if weights[n, m] > 0.0:
                _count(models, m, e, weights[n, m])


@kernel
def _with_weights_for(tree, n):
    weights = np.zeros(n)
    links = np.empty(n, np.int32)
    copy_into(weights, tree.weights)
    copy_into(links, tree.links)
    return Tree(weights, links, tree.nodes, tree.counts, tree.tables, tree.promises, tree.state)


@kernel
def _in_grains(weight):
    """The weight as it counts: whole, or a multiple of 2⁻³⁰, so that sums below 2²³ are exact."""
    return np.rint(weight / _GRAIN) * _GRAIN if weight < _EXACT_BELOW else weight


@kernel
def _count(models, m, e, weight):
    """Add to the weight of example `e` in tree `m`, and count it on its way down."""
    memory = models.memory[0]
    tree = models.trees[m]
    if e >= len(tree.weights):
        tree = _with_weights_for(tree, len(memory.labels))
        models.trees[m] = tree
    _hand_down(memory, tree, e, weight)


@kernel(counts=False)
def _hand_down(memory, tree, e, weight):
    is_new = tree.weights[e] == 0.0
    tree.weights[e] += weight
    if weight != math.floor(weight):
        tree.state[_FRACTIONS] = 1
    if tree.state[_FRACTIONS] and _total(tree.counts, 0) + weight >= _EXACT_BELOW:
        tree.state[_ROUNDED] = 1
    if tree.state[_ROUNDED]:  # take sums in one order whenever they are needed
        tree.state[_STALE] = 1
        return
    label = memory.labels[e]
    codes, columns, numbers = memory.codes, memory.columns, memory.numbers
    nodes, counts, tables = tree.nodes, tree.counts, tree.tables
    n_nominal = codes.shape[1]
    i = 0
    while True:
        node = nodes[i]
        node.changed = True
        node.n_examples += is_new
        counts[i, label] += weight
        if node.table >= 0:
            for a in range(n_nominal):
                v = codes[e, a]
                if v >= 0:
                    tables[node.table, label, v] += weight
        if node.attribute < 0:
            break
        if node.attribute < n_nominal:
            passes = columns[node.attribute, e] == node.value
        else:
            passes = numbers[e, node.attribute - n_nominal] <= node.threshold
        i = node.yes if passes else node.no
    if is_new:
        tree.links[e] = node.head
        node.head = e


@implements(learn, DecisionTree)
def _learn(models, m, examples, n, label, weight):
    weight = _in_grains(weight)
    if weight > 0.0:
        _count(models, m, _remember(models, examples, n, label), weight)


@implements(learn_each, DecisionTree)
def _learn_each(models, examples, n, label, weights):
    e = np.int32(-1)
    for m in range(len(weights)):
        weight = _in_grains(weights[m])
        if weight > 0.0:
            if e < 0:
                e = _remember(models, examples, n, label)
            _count(models, m, e, weight)


# The best test


@kernel(counts=False)
def _log(logs, n):
    """Log n where n > 0, and some number where n = 0: for n·log n and the like."""
    k = np.int64(n)
    return logs[k] if k < len(logs) and k == n else log(n)


@kernel(inline=True, counts=False)
def _score(logs, gain_ratio, counts, i, whole, spread, total, tables, k, v):
    """Score at node `i` of test v, which examples of class weights `tables[k, :, v]` pass; its promise.

    With x(n) = n·log n, the gain times the weight is spread(all) − (spread(yes) + spread(no)), where
    spread is x(weight) − Σ x(weight of a class); the ratio divides it by x(all) − (x(yes) + x(no)).
    """
    n_classes = counts.shape[1]
    yes, no = 0.0, 0.0
    for c in range(n_classes):
        yes += tables[k, c, v]
        no += max(counts[i, c] - tables[k, c, v], 0.0)
    if not (yes > 0.0 and no > 0.0):
        return -1.0, _NONE, 0.0
    within, x_parts = 0.0, 0.0
    for part in range(2):
        inside, x = 0.0, 0.0
        for c in range(n_classes + 1):
            inside += x
            if c == n_classes:
                n = no if part else yes
            else:
                n = max(counts[i, c] - tables[k, c, v], 0.0) if part else tables[k, c, v]
            x = n * _log(logs, n)
        within += x - inside
        x_parts += x
    information = whole - x_parts if gain_ratio else 1.0
    gain = spread - within
    if gain < _ROUNDING * total:
        gain = 0.0
    return gain / information if information > 0.0 else 0.0, within, information


@kernel(counts=False)
def _best_row(logs, gain_ratio, counts, i, tables, promises, k, n_rows, chosen, passing, rows):
    """Score and number of the best test of node `i` in table `k`, and how many separate its examples.

    The promise of a test is the spread within its parts and the divisor, as they were when it was
    last looked at. Neither ever falls as examples arrive: so a test need not be looked at again
    while they show it to be worse than the test that was `chosen` before is now.
    """
    n_classes = counts.shape[1]
    total, inside = 0.0, 0.0
    for c in range(n_classes):
        total += counts[i, c]
        inside += counts[i, c] * _log(logs, counts[i, c])
    whole = total * _log(logs, total)
    spread = whole - inside
    n_tests = 0
    most, least, score_of_chosen = spread + (n_classes + 16) * _SLACK * (abs(whole) + n_classes), 0.0, -1.0
    if chosen >= 0:
        score_of_chosen, promises[k, 0, chosen], promises[k, 1, chosen] = _score(
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
            is_worse = most < promises[k, 0, v] + least * promises[k, 1, v]
            rows[n_rows] = v
            n_rows += separates & (not is_worse)
            n_tests += separates & is_worse
    best, best_row = -1.0, -1
    for r in range(n_rows):
        v = rows[r] if chosen >= 0 else r
        score = score_of_chosen
        if v != chosen:
            score, promises[k, 0, v], promises[k, 1, v] = _score(
                logs, gain_ratio, counts, i, whole, spread, total, tables, k, v
            )
        n_tests += score >= 0.0
        if score > best:
            best, best_row = score, v
    return best, best_row, n_tests


@kernel(counts=False)
def _nodes_below(nodes, i, to_tables, found):
    """Write the nodes of the subtree of node `i` into `found`; how many they are.

    `to_tables`: a node with a table stands for those below it.
    """
    found[0] = i
    n = 1
    k = 0
    while k < n:
        node = nodes[found[k]]
        k += 1
        if node.attribute >= 0 and not (to_tables and node.table >= 0):
            found[n] = node.yes
            found[n + 1] = node.no
            n += 2
    return n


@kernel(counts=False)
def _tabulate(memory, tree, i, sign, into, k):
    """Count the examples of node `i` in table `k` of `into`; a negative sign takes them out."""
    codes, labels, found = memory.codes, memory.labels, memory.found
    nodes, tables, links, weights = tree.nodes, tree.tables, tree.links, tree.weights
    for n in range(_nodes_below(nodes, i, True, found)):
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
def _cumulate(numbers, examples, labels, weights, rows, thresholds):
    """Class weights of the examples up to each number but the highest; how many numbers these are."""
    sequence = np.argsort(numbers, kind="mergesort")
    n = 0
    passing = np.zeros(rows.shape[1])
    for k in range(len(examples) - 1):
        e = examples[sequence[k]]
        passing[labels[e]] += weights[e]
        if numbers[sequence[k]] < numbers[sequence[k + 1]]:
            copy_into(rows[0, :, n], passing)
            thresholds[n] = numbers[sequence[k]]
            n += 1
    return n


@kernel(counts=False)
def _choose_test(models, memory, tree, i):
    """Attribute, value, threshold of the best test of node `i`, and how many separate its examples.

    The first of equals wins: lowest column, then lowest value or threshold; attribute −1 where
    the examples are of one class, or no test separates them.
    """
    node = tree.nodes[i]
    if _is_pure(tree.counts, i):
        return -1, -1, 0.0, 0
    n_nominal = memory.codes.shape[1]
    tables, promises, k = tree.tables, tree.promises, node.table
    chosen = np.int32(-1)
    if k >= 0:
        if 0 <= node.attribute < n_nominal:
            chosen = node.value
    elif n_nominal > 0:
        is_large = node.n_examples >= _TABLE_FROM and not tree.state[_ROUNDED]
        if is_large:
            k = _new_table(tables, tree.state)
            promises[k] = _NONE
        else:
            tables, promises, k = models.scratch, models.scratch_promises, np.int32(0)
        tables[k] = 0.0
        _tabulate(memory, tree, i, 1.0, tables, k)
        if is_large:
            node.table = k
    best, value, n_tests = _best_row(
        models.logs,
        models.gain_ratio,
        tree.counts,
        i,
        tables,
        promises,
        k,
        len(models.rows),
        chosen,
        models.passing,
        models.rows,
    )
    attribute = -1
    if value >= 0:
        attribute = 0
        while models.starts[attribute + 1] <= value:
            attribute += 1
    if len(models.order) > n_nominal:
        return _among_numeric_tests(models, memory, tree, i, best, attribute, value, n_tests)
    return attribute, value, 0.0, n_tests


@kernel
def _among_numeric_tests(models, memory, tree, i, best, best_attribute, best_value, n_tests):
    """What `_choose_test` returns, given the best nominal test."""
    nodes, counts, links, found = tree.nodes, tree.counts, tree.links, memory.found
    n_nominal = memory.codes.shape[1]
    examples = np.empty(nodes[i].n_examples, np.int32)
    n = 0
    for j in found[: _nodes_below(nodes, i, False, found)]:
        if nodes[j].attribute < 0:
            e = nodes[j].head
            while e >= 0:
                examples[n] = e
                n += 1
                e = links[e]
    rows = np.empty((1, counts.shape[1], n))
    promises = np.empty((1, 2, n))  # not kept
    thresholds = np.empty(n)
    best_threshold = 0.0
    nominal_first = False
    for attribute in models.order:
        if attribute < n_nominal:
            nominal_first |= attribute == best_attribute
            continue
        numbers = memory.numbers[:, attribute - n_nominal][examples]
        for j in range(len(numbers)):
            if np.isnan(numbers[j]):
                numbers[j] = np.inf  # above all others, as it passes no test
        n = _cumulate(numbers, examples, memory.labels, tree.weights, rows, thresholds)
        score, row, n_more = _best_row(
            models.logs,
            models.gain_ratio,
            counts,
            i,
            rows,
            promises,
            np.int32(0),
            n,
            np.int32(-1),
            models.passing,
            models.rows,
        )
        n_tests += n_more
        if score > best or (score == best and best_value >= 0 and not nominal_first):
            best, best_attribute, best_value = score, attribute, -1
            best_threshold = thresholds[row]
    return best_attribute, best_value, best_threshold, n_tests


# Growing and restructuring


@kernel(counts=False)
def _has_room(tree):
    """Whether the tree has room for what a new test of one node can need."""
    n_nodes, n_tables = tree.state[_N_NODES], tree.state[_N_TABLES]
    return n_nodes + 2 * _MOST_ABOVE <= len(tree.nodes) and n_tables + 2 * _MOST_ABOVE < len(tree.tables)


@kernel
def _make_room(models, m):
    """Make the room of tree `m` twice as large, where it is short."""
    tree = models.trees[m]
    nodes, counts, tables, promises = tree.nodes, tree.counts, tree.tables, tree.promises
    n = len(nodes)
    if tree.state[_N_NODES] + 2 * _MOST_ABOVE > n:
        nodes = np.zeros(2 * (n + _MOST_ABOVE), nodes.dtype)
        counts = np.zeros((len(nodes), counts.shape[1]))
        copy_into(nodes, tree.nodes)
        copy_into(counts, tree.counts)
    n = len(tables)
    if tree.state[_N_TABLES] + 2 * _MOST_ABOVE >= n:
        tables = np.empty((2 * (n + _MOST_ABOVE), tables.shape[1], tables.shape[2]))
        promises = np.empty((len(tables), 2, tables.shape[2]))
        copy_into(tables, tree.tables)
        copy_into(promises, tree.promises)
    models.trees[m] = Tree(tree.weights, tree.links, nodes, counts, tables, promises, tree.state)


@kernel(counts=False)
def _new_leaf(nodes, counts, state):
    """Number of a leaf without examples."""
    i = state[_FREE_NODE]
    if i >= 0:
        state[_FREE_NODE] = nodes[i].yes
    else:
        i = state[_N_NODES]
        state[_N_NODES] = i + 1
    for c in range(counts.shape[1]):
        counts[i, c] = 0.0
    node = nodes[i]
    node.attribute = -1
    node.head = -1
    node.table = -1
    node.n_examples = 0
    node.changed = True
    return np.int32(i)


@kernel(counts=False)
def _new_table(tables, state):
    """Number of a table that is still to be filled."""
    k = state[_FREE_TABLE]
    if k >= 0:
        state[_FREE_TABLE] = np.int64(tables[k, 0, 0])
    else:
        k = state[_N_TABLES]
        state[_N_TABLES] = k + 1
    return np.int32(k)


@kernel(counts=False)
def _free_table(nodes, tables, state, i):
    node = nodes[i]
    if node.table >= 0:
        tables[node.table, 0, 0] = state[_FREE_TABLE]
        state[_FREE_TABLE] = node.table
        node.table = -1


@kernel(counts=False)
def _collapse(memory, tree, i):
    """Make node `i` a leaf with all the examples below it."""
    nodes, state, links = tree.nodes, tree.state, tree.links
    found, marked = memory.found, memory.marked
    in_order = 32 * nodes[i].n_examples > len(links)  # of the memory: then they are faster to walk
    head = np.int32(-1)
    for n in range(_nodes_below(nodes, i, False, found)):
        j = found[n]
        node = nodes[j]
        if node.attribute < 0:
            e, last = node.head, node.head
            while e >= 0:
                marked[e] = in_order
                last = e
                e = links[e]
            links[last] = head
            head = node.head
        if j != i:
            _free_table(nodes, tree.tables, state, j)
            node.yes = state[_FREE_NODE]
            state[_FREE_NODE] = j
    if in_order:
        head = np.int32(-1)
        for e in range(len(links) - 1, -1, -1):
            if marked[e]:
                marked[e] = False
                links[e] = head
                head = np.int32(e)
    nodes[i].attribute = -1
    nodes[i].head = head


@kernel(counts=False)
def _divide(memory, tree, i):
    """Hand the examples of node `i` on to two new children; their order is kept."""
    columns, numbers, labels = memory.columns, memory.numbers, memory.labels
    nodes, counts, links, weights = tree.nodes, tree.counts, tree.links, tree.weights
    yes, no = _new_leaf(nodes, counts, tree.state), _new_leaf(nodes, counts, tree.state)
    node = nodes[i]
    attribute, value, threshold = node.attribute, node.value, node.threshold
    n_nominal = len(columns)
    last_yes, last_no = np.int32(-1), np.int32(-1)
    e = node.head
    while e >= 0:
        following = links[e]
        links[e] = -1
        if attribute < n_nominal:
            passes = columns[attribute, e] == value
        else:
            passes = numbers[e, attribute - n_nominal] <= threshold
        child, last = (yes, last_yes) if passes else (no, last_no)
        counts[child, labels[e]] += weights[e]
        nodes[child].n_examples += 1
        if last < 0:
            nodes[child].head = e
        else:
            links[last] = e
        if passes:
            last_yes = e
        else:
            last_no = e
        e = following
    node.head = -1
    node.yes = yes
    node.no = no


@kernel(counts=False)
def _give_tables(memory, tree, i):
    """Give the large children of node `i` their tables, if it has one itself.

    Only the examples of the smaller one are counted, and only where it has no tables below.
    """
    nodes, tables = tree.nodes, tree.tables
    node = nodes[i]
    if node.table < 0:
        return
    large, small = node.yes, node.no
    if nodes[large].n_examples < nodes[small].n_examples:
        large, small = small, large
    for j, other in ((large, small), (small, large)):
        below = nodes[j]
        if (
            below.table < 0
            and below.n_examples >= _TABLE_FROM
            and (j == large or nodes[other].table >= 0)
            and not _is_pure(tree.counts, j)
        ):
            k = _new_table(tables, tree.state)
            for c in range(tables.shape[1]):
                for v in range(tables.shape[2]):
                    tables[k, c, v] = tables[node.table, c, v]
            _tabulate(memory, tree, other, -1.0, tables, k)
            below.table = k
            _inherit_promises(nodes, tree.promises, j)


@kernel(counts=False)
def _inherit_promises(nodes, promises, i):
    """Promises of a node that may unite two others: each part keeps its own.

    What tests have within their parts, and their divisors, add up to no more than the union has.
    """
    node = nodes[i]
    k = node.table
    for v in range(promises.shape[2]):
        promises[k, 0, v] = _NONE
        promises[k, 1, v] = 0.0
    if node.attribute < 0:
        return
    for part in (nodes[node.no].table, nodes[node.yes].table):
        if part >= 0:
            for v in range(promises.shape[2]):
                is_kept = promises[part, 0, v] >= 0.0
                within = max(promises[k, 0, v], 0.0) + promises[part, 0, v]
                information = promises[k, 1, v] + promises[part, 1, v]
                promises[k, 0, v] = within * _ROUNDED_DOWN if is_kept else promises[k, 0, v]
                promises[k, 1, v] = information * _ROUNDED_DOWN if is_kept else promises[k, 1, v]


@kernel(counts=False)
def _has_test(nodes, i, attribute, value):
    return nodes[i].attribute == attribute and nodes[i].value == value


@kernel(counts=False)
def _cuts(memory, tree, attribute, value, i):
    """Whether a nominal test separates the examples of node `i`."""
    nodes, tables, links = tree.nodes, tree.tables, tree.links
    columns, found = memory.columns, memory.found
    k = nodes[i].table
    n_passing, n = 0.0, 0.0
    if k >= 0:
        for c in range(tables.shape[1]):
            n_passing += tables[k, c, value]
        return 0.0 < n_passing < _total(tree.counts, i)
    for j in range(_nodes_below(nodes, i, False, found)):
        if nodes[found[j]].attribute < 0:
            e = nodes[found[j]].head
            while e >= 0:
                n_passing += columns[attribute, e] == value
                n += 1.0
                e = links[e]
            if 0.0 < n_passing < n:
                return True
    return False


@kernel(counts=False)
def _part(nodes, columns, i, attribute, value, passes):
    """Node of the examples that pass or fail a test, below a child in `_transpose`; −1 for none."""
    node = nodes[i]
    if _has_test(nodes, i, attribute, value):
        return node.yes if passes else node.no
    while node.attribute >= 0:
        node = nodes[node.yes]
    return i if (columns[attribute, node.head] == value) == passes else np.int32(-1)


@kernel(counts=False)
def _unite(tree, spare, i, no, yes):
    """Node of two parts, one of which may be −1; the test between two is that of node `i`."""
    if no < 0 or yes < 0:
        return max(no, yes)
    nodes, counts = tree.nodes, tree.counts
    _free_table(nodes, tree.tables, tree.state, spare)
    node = nodes[spare]
    node.attribute = nodes[i].attribute
    node.value = nodes[i].value
    node.threshold = nodes[i].threshold
    node.no = no
    node.yes = yes
    node.n_examples = nodes[no].n_examples + nodes[yes].n_examples
    node.changed = True
    for c in range(counts.shape[1]):
        counts[spare, c] = counts[no, c] + counts[yes, c]
    return spare


@kernel(counts=False)
def _transpose(memory, tree, i, attribute, value):
    """Swap the test of node `i` with that of its children, where this one cuts them."""
    nodes, columns = tree.nodes, memory.columns
    node = nodes[i]
    no, yes = node.no, node.yes
    no_no = _part(nodes, columns, no, attribute, value, False)
    no_yes = _part(nodes, columns, no, attribute, value, True)
    yes_no = _part(nodes, columns, yes, attribute, value, False)
    yes_yes = _part(nodes, columns, yes, attribute, value, True)
    spare_no = no if _has_test(nodes, no, attribute, value) else yes
    spare_yes = yes if _has_test(nodes, yes, attribute, value) else no
    node.no = _unite(tree, spare_no, i, no_no, yes_no)
    node.yes = _unite(tree, spare_yes, i, no_yes, yes_yes)
    node.attribute = attribute
    node.value = value
    node.threshold = 0.0


@kernel(counts=False)
def _install(memory, tree, queue, i, attribute, value, threshold):
    """Make this test, which separates the examples of node `i`, the test of the node.

    The test goes into the nodes below first, as far as it cuts them, and into not too many; then each
    hands its old test down to its new children, which keep the subtrees that were not cut.
    """
    nodes = tree.nodes
    queue[0] = i
    length = 1
    k = 0
    while k < length:
        j = queue[k]
        k += 1
        node = nodes[j]
        if value >= 0 and node.table >= 0 and node.attribute >= 0 and 2 * k < len(queue):
            for child in (node.yes, node.no):
                if not _has_test(nodes, child, attribute, value) and _cuts(
                    memory, tree, attribute, value, child
                ):
                    queue[length] = child
                    length += 1
        else:
            if node.attribute >= 0:
                _collapse(memory, tree, j)
            node.attribute = attribute
            node.value = value
            node.threshold = threshold
            _divide(memory, tree, j)
            _give_tables(memory, tree, j)
    for k in range(length - 1, -1, -1):
        j = queue[k]
        if not _has_test(nodes, j, attribute, value):
            _transpose(memory, tree, j, attribute, value)
            _give_tables(memory, tree, j)


@kernel(counts=False)
def _examine(models, memory, tree, i):
    """Choose the test of node `i` anew; divide its examples if it is another one than before."""
    attribute, value, threshold, n_tests = _choose_test(models, memory, tree, i)
    node = tree.nodes[i]
    node.changed = False
    node.decided = False
    node.at_least = 0.0  # until it is weighed
    node.at_most = math.inf
    node.n_tests = n_tests
    if attribute == node.attribute and (
        attribute < 0 or (value == node.value and threshold == node.threshold)
    ):
        return
    if attribute < 0:
        _collapse(memory, tree, i)
    else:
        _install(memory, tree, models.queue, i, attribute, value, threshold)


@kernel(counts=False)
def _start_again(tree, memory):
    """Put every example, in the order of first arrival, into the root."""
    state = tree.state
    state[_N_NODES] = 1
    state[_FREE_NODE] = -1
    state[_N_TABLES] = 0
    state[_FREE_TABLE] = -1
    state[_STALE] = 0
    root = tree.nodes[0]
    root.attribute = -1
    root.table = -1
    root.head = -1
    root.n_examples = 0
    root.changed = True
    tree.counts[0] = 0.0
    last = np.int32(-1)
    for e in range(len(tree.weights)):
        if tree.weights[e] > 0.0:
            tree.counts[0, memory.labels[e]] += tree.weights[e]
            root.n_examples += 1
            tree.links[e] = -1
            if last < 0:
                root.head = e
            else:
                tree.links[last] = e
            last = np.int32(e)


@kernel(counts=False)
def _total(counts, i):
    total = 0.0
    for c in range(counts.shape[1]):
        total += counts[i, c]
    return total


@kernel(counts=False)
def _is_pure(counts, i):
    """Whether the examples of node `i` are of one class."""
    n_present = 0
    for c in range(counts.shape[1]):
        n_present += counts[i, c] > 0.0
    return n_present <= 1


@kernel(counts=False)
def _heaviest(counts, i):
    """Class with the largest weight, the first of equals; −1 where there is none."""
    best = -1
    most = 0.0
    for c in range(counts.shape[1]):
        if counts[i, c] > most:
            best = c
            most = counts[i, c]
    return best


@kernel(counts=False)
def _cost_of_leaf(logs, counts, i):
    """Description length in nats of a leaf: its mark, its class, and each example it gets wrong."""
    n_present = 0
    for c in range(counts.shape[1]):
        n_present += counts[i, c] > 0.0
    cost = _LOG_2
    if n_present > 1:
        total = _total(counts, i)
        cost += _log(logs, n_present)
        cost += (total - counts[i, _heaviest(counts, i)]) * (
            _log(logs, total + 1.0) + _log(logs, n_present - 1)
        )
    return cost


@kernel(counts=False)
def _weigh(logs, nodes, counts, i):
    """Bounds of the description length of what is below node `i`; whether they decide about a cut.

    A rounded sum is no smaller than one of smaller terms, so that bounds hold for rounded costs.
    """
    node = nodes[i]
    leaf = _cost_of_leaf(logs, counts, i)
    node.decided = True
    node.cut = False
    node.at_least = leaf
    node.at_most = leaf
    if node.attribute >= 0:
        for child in (node.yes, node.no):
            below = nodes[child]
            if below.changed:  # a leaf, or a test and two leaves at least
                below.at_most = _cost_of_leaf(logs, counts, child)
                below.at_least = min(below.at_most, _LOG_2 + (_LOG_2 + _LOG_2))
        yes, no = nodes[node.yes], nodes[node.no]
        test = _LOG_2 + _log(logs, node.n_tests)
        at_least = test + (yes.at_least + no.at_least)
        at_most = test + (yes.at_most + no.at_most)
        node.cut = leaf <= at_least
        node.decided = node.cut or leaf > at_most
        node.at_least = min(leaf, at_least)
        node.at_most = min(leaf, at_most)


@kernel(counts=False)
def _settle(models, memory, tree, i, everything):
    """Look at the tests below node `i`, level by level, until it is known whether it is cut.

    With `everything`, look at all of them, and decide about every node. False if there was no room
    to go on: then do it again, with more.
    """
    nodes, queue = tree.nodes, memory.waiting
    queue[0] = i
    length = 1
    enough = 1
    k = 0
    while k < length:
        node = nodes[queue[k]]
        if node.changed:
            if not _has_room(tree):
                return False
            _examine(models, memory, tree, queue[k])
        k += 1
        if node.attribute >= 0:
            for child in (node.yes, node.no):
                below = nodes[child]
                if everything or below.changed or below.at_least < below.at_most:
                    queue[length] = child
                    length += 1
        if models.prune and (k == length or (k == enough and not everything)):
            for seen in range(k - 1, -1, -1):
                _weigh(models.logs, nodes, tree.counts, queue[seen])
            if nodes[i].decided and not everything:
                return True
            enough = 2 * k + 1
    return True


@kernel
def build(models, m):
    """Bring the whole of tree `m` up to date, and prune it."""
    memory = models.memory[0]
    if models.trees[m].state[_STALE]:
        _start_again(models.trees[m], memory)
    while not _settle(models, memory, models.trees[m], np.int32(0), True):
        _make_room(models, m)


# Predictions


@kernel(counts=False)
def _walk(nodes, counts, prune, codes, numbers, n, i):
    """Go down with example `n`, from node `i` to the one that decides, or that must be looked at first."""
    n_nominal = codes.shape[1]
    while True:
        node = nodes[i]
        if node.changed or (prune and not node.decided):
            return i, False
        if node.attribute < 0 or (prune and node.cut):
            return i, True
        if node.attribute >= n_nominal:
            passes = numbers[n, node.attribute - n_nominal] <= node.threshold
        elif codes[n, node.attribute] < 0:
            passes = _total(counts, node.yes) >= _total(counts, node.no)
        else:
            passes = codes[n, node.attribute] == node.value
        i = node.yes if passes else node.no


@kernel(counts=False)
def _descend(models, memory, tree, examples, n, i):
    """Node that decides about example `n`, from node `i` on; or one to go on from, when there is room."""
    while True:
        i, decides = _walk(tree.nodes, tree.counts, models.prune, examples.codes, examples.numbers, n, i)
        if decides:
            return i, True
        if models.prune:
            if not _settle(models, memory, tree, i, False):
                return i, False
        else:
            if not _has_room(tree):
                return i, False
            _examine(models, memory, tree, i)


@kernel
def find_leaf(models, m, examples, n):
    """Tree `m`, and the node in it that decides about example `n`.

    A value unknown to the schema goes where most examples go.
    """
    memory, tree = models.memory[0], models.trees[m]
    if tree.state[_STALE]:
        _start_again(tree, memory)
    i, decides = _descend(models, memory, tree, examples, n, np.int32(0))
    while not decides:
        _make_room(models, m)
        tree = models.trees[m]
        i, decides = _descend(models, memory, tree, examples, n, i)
    return tree, i


@implements(classify, DecisionTree)
def _classify(models, m, examples, n):
    tree, leaf = find_leaf(models, m, examples, n)
    return _heaviest(tree.counts, leaf)


@implements(classify_block, DecisionTree)
def _classify_block(models, examples, first, labels):
    for m in range(
        labels.shape[1]
    ):  # one tree after the other: to take one out of the list is most of the work
        tree, leaf = find_leaf(models, m, examples, first)
        labels[0, m] = _heaviest(tree.counts, leaf)
        for i in range(1, len(labels)):
            n = first + i
            leaf, decides = _walk(
                tree.nodes, tree.counts, models.prune, examples.codes, examples.numbers, n, np.int32(0)
            )
            if not decides:
                tree, leaf = find_leaf(models, m, examples, n)
            labels[i, m] = _heaviest(tree.counts, leaf)


@kernel
def build_all(models):
    """Bring every tree up to date."""
    for m in range(len(models.trees)):
        build(models, m)


@kernel
def leaf_shares(models, m, examples):
    """Class shares in the leaf of each example in tree `m`, (N, K); equal before learning."""
    shares = np.empty((len(examples.codes), models.scratch.shape[1]))
    for n in range(len(shares)):
        tree, leaf = find_leaf(models, m, examples, n)
        counts = tree.counts
        total = _total(counts, leaf)
        for c in range(counts.shape[1]):
            shares[n, c] = counts[leaf, c] / total if total > 0.0 else 1.0 / counts.shape[1]
    return shares


@kernel
def structure(models, m, with_pruned):
    """Nodes of tree `m` in preorder, yes before no: records, class weights, depths.

    `yes` and `no` are numbers of nodes in this order, −1 in leaves.
    """
    build(models, m)
    tree = models.trees[m]
    n = tree.state[_N_NODES]
    nodes = np.zeros(n, tree.nodes.dtype)
    counts = np.zeros((n, tree.counts.shape[1]))
    depths = np.zeros(n, np.int64)
    waiting = np.zeros((n + 1, 3), np.int64)  # node, its parent's new number, whether it is a `no`
    waiting[0, 1] = -1
    height = 1
    k = 0
    while height > 0:
        height -= 1
        i, parent, is_no = waiting[height, 0], waiting[height, 1], waiting[height, 2]
        nodes[k] = tree.nodes[i]
        copy_into(counts[k], tree.counts[i])
        node = nodes[k]
        if parent >= 0:
            depths[k] = depths[parent] + 1
            if is_no:
                nodes[parent].no = k
            else:
                nodes[parent].yes = k
        if node.attribute >= 0 and (with_pruned or not node.cut):
            for child, negative in ((node.no, 1), (node.yes, 0)):
                waiting[height, 0] = child
                waiting[height, 1] = k
                waiting[height, 2] = negative
                height += 1
        else:
            node.attribute = -1
            node.value = -1
            node.threshold = 0.0
            node.yes = -1
            node.no = -1
        k += 1
    return nodes[:k].copy(), counts[:k].copy(), depths[:k].copy()
