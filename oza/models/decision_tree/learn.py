"""What decision trees learn: distinct examples with a weight in each tree."""

import copyreg
import math

import numpy as np

from ...classifier.contract import learn, learn_each
from ...columns.examples import Examples
from ...kernels.compile import copy_into, implements, kernel
from ..class_weights import total_weight
from .state import DecisionTree, LearnedExamples, Memory, Tree, new_trees

QUANTUM = 2.0**-30  # fractional weights are rounded to multiples of this
_EXACT_BELOW = 2.0**53 * QUANTUM  # sums of such weights


def pack(models: DecisionTree) -> LearnedExamples:
    """The examples that the trees learned."""
    n_classes = models.scratch.shape[1]
    parameters = models.order, models.starts, n_classes, models.gain_ratio, models.prune, models.n_tested
    return LearnedExamples(parameters, *learned_examples(models))


def unpack(learned: LearnedExamples) -> DecisionTree:
    """Trees trained on these examples, each with its weight in each tree."""
    order, starts, n_classes, gain_ratio, prune, n_tested = learned.parameters
    models = new_trees(order, starts, n_classes, gain_ratio, prune, n_tested, np.array(learned.keys))
    copies = [np.array(part) for part in learned[1:-1]]  # a file's pages may be read-only
    _learn_again(models, *copies)
    return models


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
    """Slot of the hash table where the example is, or belongs."""
    last = len(memory.slots) - 1
    slot = _hash(examples.codes, examples.numbers, n, label) & last
    while memory.slots[slot] >= 0 and not _is_example(memory, memory.slots[slot], examples, n, label):
        slot = (slot + 1) & last
    return slot


@kernel
def _with_twice_the_capacity(memory):
    """The same examples in arrays of twice the length."""
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
    order = np.empty((memory.numbers.shape[1], 2 * n), np.int32)
    ranks, words = np.empty(order.shape, np.int32), np.zeros(2 * n // 32 + 1, np.int64)
    copy_into(order, memory.order)
    copy_into(ranks, memory.ranks)
    sorted_ = order, ranks, memory.n_ranked, words
    larger = Memory(codes, columns, numbers, labels, slots, marked, found, waiting, *sorted_)
    for e in range(n):
        larger.slots[_slot_of(larger, larger, e, labels[e])] = e
    return larger


@kernel
def _remember(models, examples, n, label):
    """Index of the example among the distinct ones, to which it is added if it is new."""
    memory = models.memory[0]
    slot = _slot_of(memory, examples, n, label)
    if memory.slots[slot] >= 0:
        return memory.slots[slot]
    e = models.n_examples[0]
    if e == len(memory.labels):
        memory = _with_twice_the_capacity(memory)
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
    """Distinct examples in the order of their arrival, their weights in each tree, and its key."""
    memory = models.memory[0]
    n = models.n_examples[0]
    weights = np.zeros((n, len(models.trees)))
    keys = np.empty(len(models.trees), np.uint64)
    for m in range(len(models.trees)):
        copy_into(weights[:, m], models.trees[m].weights[:n])
        keys[m] = models.trees[m].header[0].key
    return memory.codes[:n].copy(), memory.numbers[:n].copy(), memory.labels[:n].copy(), weights, keys


@kernel
def _learn_again(models, codes, numbers, labels, weights):
    """Train new trees on these distinct examples, (N, A), (N, D), (N,), with weights (N, M)."""
    examples = Examples(codes, numbers)
    for n in range(len(labels)):
        e = _remember(models, examples, n, labels[n])
        for m in range(weights.shape[1]):
            if weights[n, m] > 0.0:
                _count(models, m, e, weights[n, m])


@kernel
def _with_weights_for(tree, n):
    """The same tree, able to give weights to `n` examples."""
    weights = np.zeros(n)
    links = np.empty(n, np.int32)
    copy_into(weights, tree.weights)
    copy_into(links, tree.links)
    return Tree(weights, links, tree.nodes, tree.counts, tree.tables, tree.bounds, tree.header)


@kernel
def _quantised(weight):
    """The weight, rounded to a multiple of 2⁻³⁰ where it is not whole, so that sums below 2²³ are exact."""
    return np.rint(weight / QUANTUM) * QUANTUM if weight < _EXACT_BELOW else weight


@kernel
def _count(models, m, e, weight):
    """Let tree `m` learn `weight` more copies of distinct example `e`."""
    memory = models.memory[0]
    tree = models.trees[m]
    if e >= len(tree.weights):
        tree = _with_weights_for(tree, len(memory.labels))
        models.trees[m] = tree
    _hand_down(memory, tree, e, weight)


@kernel(counts=False)
def _hand_down(memory, tree, e, weight):
    """Count `weight` copies of example `e` in the nodes and tables on its way to a leaf."""
    is_new = tree.weights[e] == 0.0
    tree.weights[e] += weight
    if weight != math.floor(weight):
        tree.header[0].has_fractions = True
    if tree.header[0].has_fractions and total_weight(tree.counts, 0) + weight >= _EXACT_BELOW:
        tree.header[0].is_rounded = True
    if tree.header[0].is_rounded:  # sums are then taken in the order of arrival, by `start_again`
        tree.header[0].is_stale = True
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
    weight = _quantised(weight)
    if weight > 0.0:
        _count(models, m, _remember(models, examples, n, label), weight)


@implements(learn_each, DecisionTree)
def _learn_each(models, examples, n, label, weights):
    e = np.int32(-1)
    for m in range(len(weights)):
        weight = _quantised(weights[m])
        if weight > 0.0:
            if e < 0:
                e = _remember(models, examples, n, label)
            _count(models, m, e, weight)


copyreg.pickle(DecisionTree, lambda models: (unpack, (pack(models),)))  # the nodes follow from the examples
