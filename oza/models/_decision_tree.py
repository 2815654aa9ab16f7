"""Decision trees with binary tests that batch and online learning build alike, as kernels.

Every node keeps the class weights of its examples, and a large one also a table of them for each
attribute value.  An example that arrives is counted in the nodes on its way down; nothing else is
done until a prediction is asked.  A prediction looks again at the tests on *its* way down, where
counts have changed: if another test is now the best, the examples below are gathered and divided
anew, one level at a time and only as far as the prediction goes.  So each test that is ever used
is the one that the batch learner would choose for the same examples.

To take an array out of a NamedTuple counts a reference, which costs more than to read a number:
so arrays have names of their own wherever a loop reads them.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba.typed import List

from .._arithmetic import log
from .._compile import kernel, verb_for
from .._kinds import take
from ._verbs import classify, classify_each, learn, learn_each, prepare

_NODE = np.dtype(
    [
        ("threshold", np.float64),  # of a numeric test
        ("at_least", np.float64),  # bounds of the description length of the subtree, in nats
        ("at_most", np.float64),
        ("attribute", np.int32),  # tested: nominal ones first, then numeric ones; −1 in a leaf
        ("value", np.int32),  # code of a nominal test
        ("yes", np.int32),  # child of the examples that pass; in a free node the next free one
        ("no", np.int32),
        ("size", np.int32),  # number of distinct examples
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


class Tree(NamedTuple):
    """One tree; its arrays are replaced by longer ones as it grows."""

    weights: np.ndarray  # (N,): weight of each example, 0 where it was not learned
    links: np.ndarray  # (N,) int32: next example of the same leaf, −1 for none
    nodes: np.ndarray  # (nodes,) of `_NODE`; the first is the root
    counts: np.ndarray  # (nodes, K): weight of each class
    tables: np.ndarray  # (tables, V, K): weight of each class among the examples with a value
    promises: np.ndarray  # (tables, V, 2): see `_best_row`
    state: np.ndarray  # (7,) int64


class DecisionTree(NamedTuple):
    """M decision trees, with K classes, V values of A nominal attributes, D numeric attributes."""

    memory: Any  # list of one `Memory`
    trees: Any  # list of M `Tree`s
    n_examples: np.ndarray  # (1,) int64: how many examples the memory holds
    order: np.ndarray  # (A + D,) int32: the attributes in the order of their columns
    starts: np.ndarray  # (A + 1,) int32: code of the first value of each nominal attribute
    n_log_n: np.ndarray  # (65536,): n·log n
    scratch: np.ndarray  # (V, K)
    scratch_promises: np.ndarray  # (V, 2): a place to write to for nodes without a table
    gain_ratio: bool
    prune: bool

    def __reduce__(self):
        """Pickle what was learned; the nodes follow from it."""
        parameters = self.order, self.starts, self.scratch.shape[1], self.gain_ratio, self.prune
        return _remembering, (parameters, *learned_examples(self))


@take.register
def _take(models: DecisionTree, members) -> DecisionTree:
    restore, (parameters, codes, numbers, labels, weights) = models.__reduce__()
    return restore(parameters, codes, numbers, labels, weights[:, members])


def new_trees(order, starts, n_classes: int, gain_ratio: bool, prune: bool, n_models: int) -> DecisionTree:
    """`n_models` trees that have learned nothing."""
    order, starts = np.array(order, np.int32), np.array(starts, np.int32)
    node = np.zeros(1, _NODE)
    return _new_trees(order, starts, n_classes, gain_ratio, prune, n_models, node)


def _remembering(parameters, codes, numbers, labels, weights) -> DecisionTree:
    """Trees that have learned these examples, each with its weight in each tree."""
    order, starts, n_classes, gain_ratio, prune = parameters
    models = new_trees(order, starts, n_classes, gain_ratio, prune, weights.shape[1])
    copies = [np.array(a) for a in (codes, numbers, labels, weights)]  # a file's pages may be read-only
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
        )
    )
    trees = List()
    for _ in range(n_models):
        nodes = np.zeros(1, node.dtype)
        nodes[0].attribute = -1
        nodes[0].head = -1
        nodes[0].table = -1
        state = np.zeros(7, np.int64)
        state[_N_NODES] = 1
        state[_FREE_NODE] = -1
        state[_FREE_TABLE] = -1
        trees.append(
            Tree(
                np.zeros(4),
                np.empty(4, np.int32),
                nodes,
                np.zeros((1, n_classes)),
                np.empty((0, n_values, n_classes)),
                np.empty((0, n_values, 2)),
                state,
            )
        )
    n_log_n = np.zeros(65536)
    for n in range(2, len(n_log_n)):
        n_log_n[n] = n * log(n)
    scratch = np.empty((n_values, n_classes))
    return DecisionTree(
        memory,
        trees,
        np.zeros(1, np.int64),
        order,
        starts,
        n_log_n,
        scratch,
        np.empty((n_values, 2)),
        gain_ratio,
        prune,
    )


# What was learned


@kernel
def _hash(codes, numbers, n, label):
    h = np.uint64(label)
    for a in range(codes.shape[1]):
        h = (h ^ np.uint64(codes[n, a])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    for d in range(numbers.shape[1]):
        bits = np.float64(numbers[n, d] + 0.0).view(np.uint64)
        h = (h ^ bits) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h >> np.uint64(1))


@kernel
def _is_example(memory, e, examples, n, label):
    if memory.labels[e] != label:
        return False
    for a in range(examples.codes.shape[1]):
        if memory.codes[e, a] != examples.codes[n, a]:
            return False
    for d in range(memory.numbers.shape[1]):  # noqa: SIM110 (numba compiles no `all`)
        if memory.numbers[e, d] != examples.numbers[n, d]:
            return False
    return True


@kernel
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
    codes[:n] = memory.codes
    columns[:, :n] = memory.columns
    numbers[:n] = memory.numbers
    labels[:n] = memory.labels
    larger = Memory(codes, columns, numbers, labels, np.full(4 * n, -1, np.int32))
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
    memory.codes[e] = examples.codes[n]
    memory.columns[:, e] = examples.codes[n]
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
        known = models.trees[m].weights[:n]
        weights[: len(known), m] = known
    return memory.codes[:n].copy(), memory.numbers[:n].copy(), memory.labels[:n].copy(), weights


@kernel
def _learn_again(models, codes, numbers, labels, weights):
    examples = Memory(codes, codes, numbers, labels, labels)
    for n in range(len(labels)):
        e = _remember(models, examples, n, labels[n])
        for m in range(weights.shape[1]):
            if weights[n, m] > 0.0:
                _count(models, m, e, weights[n, m])


@kernel
def _with_weights_for(tree, n):
    weights = np.zeros(n)
    links = np.empty(n, np.int32)
    weights[: len(tree.weights)] = tree.weights
    links[: len(tree.links)] = tree.links
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
    is_new = tree.weights[e] == 0.0
    tree.weights[e] += weight
    if weight != math.floor(weight):
        tree.state[_FRACTIONS] = 1
    if tree.state[_FRACTIONS] and _total(tree.counts[0]) + weight >= _EXACT_BELOW:
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
        node.size += is_new
        counts[i, label] += weight
        if node.table >= 0:
            for a in range(n_nominal):
                v = codes[e, a]
                if v >= 0:
                    tables[node.table, v, label] += weight
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


@verb_for(learn, DecisionTree)
def _learn(models, m, examples, n, label, weight):
    weight = _in_grains(weight)
    if weight > 0.0:
        _count(models, m, _remember(models, examples, n, label), weight)


@verb_for(learn_each, DecisionTree)
def _learn_each(models, examples, n, label, weights):
    e = np.int32(-1)
    for m in range(len(weights)):
        weight = _in_grains(weights[m])
        if weight > 0.0:
            if e < 0:
                e = _remember(models, examples, n, label)
            _count(models, m, e, weight)


# The best test


@kernel
def _n_log_n(known, n):
    k = np.int64(n)
    if k < len(known) and k == n:
        return known[k]
    return n * log(n)


@kernel
def _best_row(known, gain_ratio, counts, i, whole, spread, total, table, promises, chosen):
    """Score and number of the best of some tests at node `i`, and how many of them separate its examples.

    Examples of class weights `table[v]` pass test v. With x(n) = n·log n, the gain times the weight
    is spread(all) − (spread(yes) + spread(no)), where spread is x(weight) − Σ x(weight of a class);
    the ratio divides it by x(all) − (x(yes) + x(no)).

    `promises[v]` keeps the spread within the parts and the divisor, as they were when the test was
    last looked at. Neither ever falls as examples arrive: so a test need not be looked at again
    while they show it to be worse than the test that was `chosen` before is now.
    """
    n_classes = counts.shape[1]
    most, least = math.inf, 0.0
    best, best_row, n_tests = -1.0, -1, 0
    for turn in range(-1 if chosen >= 0 else 0, len(table)):
        v = turn if turn >= 0 else chosen
        if most < promises[v, 0] + least * promises[v, 1]:
            n_tests += 1
            continue
        yes, no = 0.0, 0.0
        for c in range(n_classes):
            yes += table[v, c]
            no += max(counts[i, c] - table[v, c], 0.0)
        score, within, information = -1.0, _NONE, 0.0
        if yes > 0.0 and no > 0.0:
            within, x_parts = 0.0, 0.0
            for part in range(2):
                inside, x = 0.0, 0.0
                for c in range(n_classes + 1):
                    inside += x
                    if c == n_classes:
                        n = no if part else yes
                    else:
                        n = max(counts[i, c] - table[v, c], 0.0) if part else table[v, c]
                    k = np.int64(n)  # the table is read here: handing it on costs more
                    x = known[k] if k < len(known) and k == n else n * log(n)
                within += x - inside
                x_parts += x
            information = whole - x_parts if gain_ratio else 1.0
            gain = spread - within
            if gain < _ROUNDING * total:
                gain = 0.0
            score = gain / information if information > 0.0 else 0.0
        if turn < 0:
            if score > 0.0:
                least = min(score, 1.0) if gain_ratio else score  # a larger ratio is due to rounding
                most = spread + (n_classes + 16) * _SLACK * (abs(whole) + n_classes)
            continue
        promises[v, 0] = within
        promises[v, 1] = information
        n_tests += score >= 0.0
        if score > best:
            best, best_row = score, v
    return best, best_row, n_tests


@kernel
def _examples_below(tree, i):
    """Distinct examples of node `i`; the order within a leaf is kept."""
    nodes, links = tree.nodes, tree.links
    found = np.empty(nodes[i].size, np.int32)
    n = 0
    stack = np.empty(nodes[i].size + 1, np.int32)
    stack[0] = i
    height = 1
    while height > 0:
        height -= 1
        node = nodes[stack[height]]
        if node.attribute >= 0:
            stack[height] = node.yes
            stack[height + 1] = node.no
            height += 2
        else:
            e = node.head
            while e >= 0:
                found[n] = e
                n += 1
                e = links[e]
    return found


@kernel
def _tabulate(memory, tree, found, table):
    codes, labels, weights = memory.codes, memory.labels, tree.weights
    table[:] = 0.0
    for e in found:
        label = labels[e]
        weight = weights[e]
        for a in range(codes.shape[1]):
            v = codes[e, a]
            if v >= 0:
                table[v, label] += weight


@kernel
def _cumulate(numbers, found, labels, weights, rows, thresholds):
    """Class weights of the examples up to each number but the highest; how many numbers these are."""
    sequence = np.argsort(numbers, kind="mergesort")
    n = 0
    passing = np.zeros(rows.shape[1])
    for k in range(len(found) - 1):
        e = found[sequence[k]]
        passing[labels[e]] += weights[e]
        if numbers[sequence[k]] < numbers[sequence[k + 1]]:
            rows[n] = passing
            thresholds[n] = numbers[sequence[k]]
            n += 1
    return n


@kernel
def _with_room_for_table(models, m, i):
    """Give node `i` a table that is still to be filled."""
    tree = models.trees[m]
    state = tree.state
    if state[_FREE_TABLE] >= 0:
        tree.nodes[i].table = state[_FREE_TABLE]
        state[_FREE_TABLE] = np.int64(tree.tables[tree.nodes[i].table, 0, 0])
        tree.promises[tree.nodes[i].table] = _NONE
        return tree
    n, n_values, n_classes = tree.tables.shape
    if state[_N_TABLES] == n:
        tables = np.empty((2 * n + 1, n_values, n_classes))
        tables[:n] = tree.tables
        promises = np.empty((2 * n + 1, n_values, 2))
        promises[:n] = tree.promises
        tree = Tree(tree.weights, tree.links, tree.nodes, tree.counts, tables, promises, state)
        models.trees[m] = tree
    tree.nodes[i].table = state[_N_TABLES]
    tree.promises[state[_N_TABLES]] = _NONE
    state[_N_TABLES] += 1
    return tree


@kernel
def _choose_test(models, m, i):
    """Attribute, value, threshold of the best test of node `i`, and how many separate its examples.

    The first of equals wins: lowest column, then lowest value or threshold; attribute −1 where
    the examples are of one class, or no test separates them.
    """
    memory = models.memory[0]
    tree = models.trees[m]
    counts = tree.counts[i]
    known = models.n_log_n
    gain_ratio = models.gain_ratio
    best_attribute, best_value, best_threshold, n_tests = -1, -1, 0.0, 0
    total, inside, n_present = 0.0, 0.0, 0
    for c in range(len(counts)):
        total += counts[c]
        inside += _n_log_n(known, counts[c])
        n_present += counts[c] > 0.0
    if n_present <= 1:
        return best_attribute, best_value, best_threshold, n_tests
    whole = _n_log_n(known, total)
    spread = whole - inside
    n_nominal = memory.codes.shape[1]
    table, promises = models.scratch, models.scratch_promises
    found = np.empty(0, np.int32)
    chosen = np.int32(-1)
    node = tree.nodes[i]
    if node.table >= 0:
        table, promises = tree.tables[node.table], tree.promises[node.table]
        if 0 <= node.attribute < n_nominal:
            chosen = node.value
    elif n_nominal > 0:
        found = _examples_below(tree, i)
        if node.size >= _TABLE_FROM and not tree.state[_ROUNDED]:
            tree = _with_room_for_table(models, m, i)
            node = tree.nodes[i]
            table, promises = tree.tables[node.table], tree.promises[node.table]
        _tabulate(memory, tree, found, table)
    best, best_value, n_tests = _best_row(
        known, gain_ratio, tree.counts, i, whole, spread, total, table, promises, chosen
    )
    if best_value >= 0:
        best_attribute = np.searchsorted(models.starts, best_value, "right") - 1
    if len(models.order) > n_nominal:
        if len(found) == 0:
            found = _examples_below(tree, i)
        rows = np.empty((len(found), len(counts)))
        thresholds = np.empty(len(found))
        nominal_first = False
        for attribute in models.order:
            if attribute < n_nominal:
                nominal_first |= attribute == best_attribute
                continue
            numbers = memory.numbers[:, attribute - n_nominal][found]
            n = _cumulate(numbers, found, memory.labels, tree.weights, rows, thresholds)
            score, row, n_more = _best_row(
                known, gain_ratio, tree.counts, i, whole, spread, total, rows[:n], np.empty((n, 2)), -1
            )
            n_tests += n_more
            if score > best or (score == best and best_value >= 0 and not nominal_first):
                best, best_attribute, best_value = score, attribute, -1
                best_threshold = thresholds[row]
    return best_attribute, best_value, best_threshold, n_tests


# Growing and restructuring


@kernel
def _with_a_child(models, m):
    """Return the tree, and the number of a new leaf in it without examples."""
    tree = models.trees[m]
    state = tree.state
    i = state[_FREE_NODE]
    if i >= 0:
        state[_FREE_NODE] = tree.nodes[i].yes
    else:
        i = state[_N_NODES]
        n = len(tree.nodes)
        if i == n:
            nodes = np.zeros(2 * n, tree.nodes.dtype)
            counts = np.zeros((2 * n, tree.counts.shape[1]))
            nodes[:n] = tree.nodes
            counts[:n] = tree.counts
            tree = Tree(tree.weights, tree.links, nodes, counts, tree.tables, tree.promises, state)
            models.trees[m] = tree
        state[_N_NODES] = i + 1
    tree.counts[i] = 0.0
    node = tree.nodes[i]
    node.attribute = -1
    node.head = -1
    node.table = -1
    node.size = 0
    node.changed = True
    return tree, i


@kernel
def _free_table(tree, i):
    node = tree.nodes[i]
    if node.table >= 0:
        tree.tables[node.table, 0, 0] = tree.state[_FREE_TABLE]
        tree.state[_FREE_TABLE] = node.table
        node.table = -1


@kernel
def _free(tree, i):
    _free_table(tree, i)
    node = tree.nodes[i]
    node.yes = tree.state[_FREE_NODE]
    tree.state[_FREE_NODE] = i


@kernel
def _collapse(tree, i):
    """Make node `i` a leaf with all the examples below it."""
    found = _examples_below(tree, i)
    nodes, links = tree.nodes, tree.links
    stack = np.empty(len(found) + 1, np.int32)
    stack[0] = i
    height = 1
    while height > 0:
        height -= 1
        j = stack[height]
        node = nodes[j]
        if node.attribute >= 0:
            stack[height] = node.yes
            stack[height + 1] = node.no
            height += 2
        if j != i:
            _free(tree, j)
    if 32 * len(found) > len(links):  # in the order of the memory they are faster to walk
        marked = np.zeros(len(links), np.bool_)
        for e in found:
            marked[e] = True
        k = 0
        for e in range(len(marked)):
            if marked[e]:
                found[k] = e
                k += 1
    node = nodes[i]
    node.attribute = -1
    node.head = -1
    for k in range(len(found) - 1, -1, -1):
        links[found[k]] = node.head
        node.head = found[k]


@kernel
def _share_out(
    is_nominal, column, value, numbers, threshold, e, links, labels, weights, no, yes, heads, sizes
):
    """Link the examples from `e` on into two lists, those that fail a test and those that pass it.

    Plain arrays instead of the trees: each look into a NamedTuple costs more than the work here.
    """
    last_no, last_yes = np.int32(-1), np.int32(-1)
    while e >= 0:
        following = links[e]
        links[e] = -1
        if (column[e] == value) if is_nominal else (numbers[e] <= threshold):
            yes[labels[e]] += weights[e]
            sizes[1] += 1
            if last_yes < 0:
                heads[1] = e
            else:
                links[last_yes] = e
            last_yes = e
        else:
            no[labels[e]] += weights[e]
            sizes[0] += 1
            if last_no < 0:
                heads[0] = e
            else:
                links[last_no] = e
            last_no = e
        e = following


@kernel
def _divide(models, m, i):
    """Hand the examples of node `i` on to two new children."""
    tree, yes = _with_a_child(models, m)
    tree, no = _with_a_child(models, m)
    memory = models.memory[0]
    node = tree.nodes[i]
    n_nominal = len(memory.columns)
    is_nominal = node.attribute < n_nominal
    column, numbers = np.empty(0, np.int32), np.empty((0, 1))[:, 0]
    if is_nominal:
        column = memory.columns[node.attribute]
    else:
        numbers = memory.numbers[:, node.attribute - n_nominal]
    heads = np.full(2, -1, np.int32)
    sizes = np.zeros(2, np.int32)
    _share_out(
        is_nominal,
        column,
        node.value,
        numbers,
        node.threshold,
        node.head,
        tree.links,
        memory.labels,
        tree.weights,
        tree.counts[no],
        tree.counts[yes],
        heads,
        sizes,
    )
    for j, side in ((no, 0), (yes, 1)):
        tree.nodes[j].head = heads[side]
        tree.nodes[j].size = sizes[side]
    node.head = -1
    node.yes = yes
    node.no = no
    _give_tables(models, m, i)


@kernel
def _give_tables(models, m, i):
    """Give the large children of node `i` their tables, if it has one itself.

    Only the examples of the smaller one are counted, and only where it has no tables below.
    """
    tree = models.trees[m]
    node = tree.nodes[i]
    if node.table < 0:
        return
    large, small = node.yes, node.no
    if tree.nodes[large].size < tree.nodes[small].size:
        large, small = small, large
    for j, other in ((large, small), (small, large)):
        if _needs_table(tree, j) and (j == large or tree.nodes[other].table >= 0):
            tree = _with_room_for_table(models, m, j)
            tables = tree.tables
            node, below = tree.nodes[i], tree.nodes[j]
            for v in range(tables.shape[1]):
                for c in range(tables.shape[2]):
                    tables[below.table, v, c] = tables[node.table, v, c]
            _withdraw(models.memory[0], tree, other, below.table)
            if below.attribute >= 0:
                _inherit_promises(tree, below.table, tree.nodes[below.no].table, tree.nodes[below.yes].table)


@kernel
def _needs_table(tree, i):
    if tree.nodes[i].table >= 0 or tree.nodes[i].size < _TABLE_FROM:
        return False
    n_present = 0
    for n in tree.counts[i]:
        n_present += n > 0.0
    return n_present > 1


@kernel
def _inherit_promises(tree, k, no, yes):
    """Promises of a node that unites two others: each part keeps its own.

    What tests have within their parts, and their divisors, add up to no more than the union has.
    """
    promises = tree.promises
    for v in range(promises.shape[1]):
        within, information = _NONE, 0.0
        for part in (no, yes):
            if part >= 0 and promises[part, v, 0] >= 0.0:
                within = max(within, 0.0) + promises[part, v, 0]
                information += promises[part, v, 1]
        promises[k, v, 0] = within * _ROUNDED_DOWN
        promises[k, v, 1] = information * _ROUNDED_DOWN


@kernel
def _withdraw(memory, tree, i, k):
    """Take the examples of node `i` out of table `k`."""
    codes, labels = memory.codes, memory.labels
    nodes, links, weights, tables = tree.nodes, tree.links, tree.weights, tree.tables
    stack = np.empty(nodes[i].size + 1, np.int32)
    stack[0] = i
    height = 1
    while height > 0:
        height -= 1
        node = nodes[stack[height]]
        if node.table >= 0:
            for v in range(tables.shape[1]):
                for c in range(tables.shape[2]):
                    tables[k, v, c] -= tables[node.table, v, c]
        elif node.attribute >= 0:
            stack[height] = node.yes
            stack[height + 1] = node.no
            height += 2
        else:
            e = node.head
            while e >= 0:
                label = labels[e]
                weight = weights[e]
                for a in range(codes.shape[1]):
                    v = codes[e, a]
                    if v >= 0:
                        tables[k, v, label] -= weight
                e = links[e]


@kernel
def _install(models, m, i, attribute, value, threshold):
    """Make this test, which separates the examples of node `i`, the test of the node.

    The test goes into the nodes below first, as far as it cuts them, and into not too many; then each
    hands its old test down to its new children, which keep the subtrees that were not cut.
    """
    queue = np.empty(_MOST_ABOVE, np.int32)
    queue[0] = i
    length = 1
    k = 0
    while k < length:
        j = queue[k]
        k += 1
        tree = models.trees[m]
        node = tree.nodes[j]
        if value >= 0 and node.table >= 0 and node.attribute >= 0 and 2 * k < len(queue):
            for child in (node.yes, node.no):
                below = tree.nodes[child]
                if not (below.attribute == attribute and below.value == value) and _cuts(
                    models.memory[0], tree, attribute, value, child
                ):
                    queue[length] = child
                    length += 1
        else:
            if node.attribute >= 0:
                _collapse(tree, j)
            node.attribute = attribute
            node.value = value
            node.threshold = threshold
            _divide(models, m, j)
    for k in range(length - 1, -1, -1):
        node = models.trees[m].nodes[queue[k]]
        if node.attribute != attribute or node.value != value:
            _transpose(models, m, queue[k], attribute, value)


@kernel
def _cuts(memory, tree, attribute, value, i):
    """Whether a nominal test separates examples of node `i`."""
    node = tree.nodes[i]
    if node.table >= 0:
        passing = _total(tree.tables[node.table, value])
        return 0.0 < passing < _total(tree.counts[i])
    found = _examples_below(tree, i)
    column = memory.columns[attribute]
    n = 0
    for e in found:
        n += column[e] == value
    return 0 < n < len(found)


@kernel
def _transpose(models, m, i, attribute, value):
    """Swap the test of node `i` with that of its children, where this one cuts them."""
    tree = models.trees[m]
    nodes, counts = tree.nodes, tree.counts
    node = nodes[i]
    parts = np.full((2, 2), -1, np.int32)  # by answers to the old and to the new test
    spare = np.full(2, -1, np.int32)
    n_spare = 0
    for old in range(2):
        child = node.yes if old else node.no
        below = nodes[child]
        if below.attribute == attribute and below.value == value:
            parts[old, 0] = below.no
            parts[old, 1] = below.yes
            spare[n_spare] = child
            n_spare += 1
        else:
            while below.attribute >= 0:
                below = nodes[below.yes]
            passes = models.memory[0].columns[attribute, below.head] == value
            parts[old, 1 if passes else 0] = child
    for new in range(2):
        no, yes = parts[0, new], parts[1, new]
        child = max(no, yes)
        if no >= 0 and yes >= 0:
            n_spare -= 1
            child = spare[n_spare]
            _free_table(tree, child)
            below = nodes[child]
            below.attribute = node.attribute
            below.value = node.value
            below.threshold = node.threshold
            below.no = no
            below.yes = yes
            below.size = nodes[no].size + nodes[yes].size
            below.changed = True
            for c in range(counts.shape[1]):
                counts[child, c] = counts[no, c] + counts[yes, c]
        parts[0, new] = child
    node.attribute = attribute
    node.value = value
    node.threshold = 0.0
    node.no = parts[0, 0]
    node.yes = parts[0, 1]
    _give_tables(models, m, i)


@kernel
def _examine(models, m, i):
    """Choose the test of node `i` anew; divide its examples if it is another one than before."""
    attribute, value, threshold, n_tests = _choose_test(models, m, i)
    tree = models.trees[m]
    node = tree.nodes[i]
    node.changed = False
    node.n_tests = n_tests
    if attribute == node.attribute and (
        attribute < 0 or (value == node.value and threshold == node.threshold)
    ):
        return
    if attribute < 0:
        _collapse(tree, i)
    else:
        _install(models, m, i, attribute, value, threshold)


@kernel
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
    root.size = 0
    root.changed = True
    tree.counts[0] = 0.0
    last = np.int32(-1)
    for e in range(len(tree.weights)):
        if tree.weights[e] > 0.0:
            tree.counts[0, memory.labels[e]] += tree.weights[e]
            root.size += 1
            tree.links[e] = -1
            if last < 0:
                root.head = e
            else:
                tree.links[last] = e
            last = np.int32(e)


@kernel
def _total(counts):
    total = 0.0
    for c in range(len(counts)):
        total += counts[c]
    return total


@kernel
def _heaviest(counts):
    """Class with the largest weight, the first of equals; −1 where there is none."""
    best = -1
    most = 0.0
    for c in range(len(counts)):
        if counts[c] > most:
            best = c
            most = counts[c]
    return best


@kernel
def _cost_of_leaf(counts):
    """Description length in nats of a leaf: its mark, its class, and each example it gets wrong."""
    total = _total(counts)
    n_present = 0
    for c in range(len(counts)):
        n_present += counts[c] > 0.0
    cost = _LOG_2
    if n_present > 1:
        cost += log(n_present)
        cost += (total - counts[_heaviest(counts)]) * (log(total + 1.0) + log(n_present - 1))
    return cost


@kernel
def _weigh(tree, i):
    """Bounds of the description length of what is below node `i`; whether they decide about a cut.

    A rounded sum is no smaller than one of smaller terms, so that bounds hold for rounded costs.
    """
    nodes, counts = tree.nodes, tree.counts
    node = nodes[i]
    leaf = _cost_of_leaf(counts[i])
    node.decided = True
    node.cut = False
    node.at_least = leaf
    node.at_most = leaf
    if node.attribute >= 0:
        for child in (node.yes, node.no):
            below = nodes[child]
            if below.changed:  # a leaf, or a test and two leaves at least
                below.at_most = _cost_of_leaf(counts[child])
                below.at_least = min(below.at_most, _LOG_2 + (_LOG_2 + _LOG_2))
        yes, no = nodes[node.yes], nodes[node.no]
        test = _LOG_2 + log(node.n_tests)
        at_least = test + (yes.at_least + no.at_least)
        at_most = test + (yes.at_most + no.at_most)
        node.cut = leaf <= at_least
        node.decided = node.cut or leaf > at_most
        node.at_least = min(leaf, at_least)
        node.at_most = min(leaf, at_most)


@kernel
def _settle(models, m, i, everything):
    """Look at the tests below node `i`, level by level, until it is known whether it is cut.

    With `everything`, look at all of them, and decide about every node.
    """
    queue = np.empty(64, np.int32)
    queue[0] = i
    length = 1
    enough = 1
    k = 0
    while k < length:
        j = queue[k]
        k += 1
        if models.trees[m].nodes[j].changed:
            _examine(models, m, j)
        tree = models.trees[m]
        if tree.nodes[j].attribute >= 0:
            if length + 2 > len(queue):
                longer = np.empty(2 * len(queue), np.int32)
                longer[:length] = queue[:length]
                queue = longer
            for child in (tree.nodes[j].yes, tree.nodes[j].no):
                below = tree.nodes[child]
                if everything or below.changed or below.at_least < below.at_most:
                    queue[length] = child
                    length += 1
        if models.prune and (k == length or (k == enough and not everything)):
            for seen in range(k - 1, -1, -1):
                _weigh(tree, queue[seen])
            if tree.nodes[i].decided and not everything:
                return
            enough = 2 * k + 1


@kernel
def build(models, m):
    """Bring the whole of tree `m` up to date, and prune it."""
    if models.trees[m].state[_STALE]:
        _start_again(models.trees[m], models.memory[0])
    _settle(models, m, 0, True)


# Predictions


@kernel
def find_leaf(models, m, examples, n):
    """Node of tree `m` that decides about example `n`; a value unknown to the schema goes with most."""
    if models.trees[m].state[_STALE]:
        _start_again(models.trees[m], models.memory[0])
    codes, numbers, nodes = examples.codes, examples.numbers, models.trees[m].nodes
    prune = models.prune
    n_nominal = codes.shape[1]
    i = 0
    while True:
        node = nodes[i]
        if node.changed or (prune and not node.decided):
            if prune:
                _settle(models, m, i, False)
            else:
                _examine(models, m, i)
            nodes = models.trees[m].nodes
            node = nodes[i]
        if node.attribute < 0 or (prune and node.cut):
            return i
        if node.attribute >= n_nominal:
            passes = numbers[n, node.attribute - n_nominal] <= node.threshold
        elif codes[n, node.attribute] < 0:
            counts = models.trees[m].counts
            passes = _total(counts[node.yes]) >= _total(counts[node.no])
        else:
            passes = codes[n, node.attribute] == node.value
        i = node.yes if passes else node.no


@verb_for(classify, DecisionTree)
def _classify(models, m, examples, n):
    leaf = find_leaf(models, m, examples, n)
    return _heaviest(models.trees[m].counts[leaf])


@verb_for(prepare, DecisionTree)
def _prepare(models):
    return models


@verb_for(classify_each, DecisionTree)
def _classify_each(models, examples, n, labels):
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)


@kernel
def build_all(models):
    """Bring every tree up to date."""
    for m in range(len(models.trees)):
        build(models, m)


@kernel
def leaf_shares(models, examples):
    """Class shares in the leaf of each example in the first tree, (N, K); equal before learning."""
    shares = np.empty((len(examples.codes), models.scratch.shape[1]))
    for n in range(len(shares)):
        leaf = find_leaf(models, 0, examples, n)
        counts = models.trees[0].counts[leaf]
        total = _total(counts)
        for c in range(len(counts)):
            shares[n, c] = counts[c] / total if total > 0.0 else 1.0 / len(counts)
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
        counts[k] = tree.counts[i]
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
