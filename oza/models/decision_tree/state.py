"""The state of decision trees: examples, nodes, tables of counts, and how they are allocated.

Every node keeps the class weights of its examples, and a large one also a table of them for each
attribute value. Taking an array out of a NamedTuple or a list counts a reference, which costs more
than reading a number. So arrays are made long enough before a tree changes; then the work can be
done by kernels that count no references (`counts=False`).
"""

import math
from functools import cache
from typing import Annotated, Any, NamedTuple

import numpy as np

from ...classifier.contract import reset
from ...kernels.arithmetic import log, log_of_parts
from ...kernels.compile import copy_into, implements, kernel, record_type
from ...kernels.lists import KernelList

_NODE = record_type(
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
        ("table", np.int32),  # index of its table, −1 for none
        ("n_tests", np.int32),  # tests that separate the examples
        ("changed", np.bool_),  # whether examples have come since the test was chosen
        ("decided", np.bool_),  # whether it is known if pruning makes it a leaf
        ("cut", np.bool_),  # whether it does
    ]
)
_HEADER = record_type(
    [
        ("n_nodes", np.int64),  # in use or free
        ("free_node", np.int64),  # first of the list of free nodes, −1 for none
        ("n_tables", np.int64),
        ("free_table", np.int64),
        ("has_fractions", np.bool_),  # whether a weight was not a whole number
        ("is_rounded", np.bool_),  # whether sums of weights may have been rounded
        ("key", np.uint64),  # of the draws of attributes
        ("is_stale", np.bool_),  # whether the nodes must be made anew, since sums are rounded
    ]
)
TABLE_FROM = 48  # examples of a node that gets a table; smaller ones are counted when needed
NO_BOUND = -math.inf  # a lower bound that says nothing
MOST_HANDED_UP = 64  # nodes through which a new test is moved up; see `_install`


class Memory(NamedTuple):
    """The distinct examples that any of the trees learned, with a hash table to find them."""

    codes: np.ndarray  # (N, A) int32
    columns: np.ndarray  # (A, N) int32: `codes` transposed, so that one attribute lies together
    numbers: np.ndarray  # (N, D)
    labels: np.ndarray  # (N,) int32
    slots: np.ndarray  # (power of two ≥ 2 N,) int32: example at this hash, −1 for none
    marked: np.ndarray  # (N,) bool: buffer to mark examples in, all False
    found: np.ndarray  # (2 N,) int32: buffer for the nodes of a subtree
    waiting: np.ndarray  # (2 N,) int32: buffer for the nodes that are still to be updated
    order: np.ndarray  # (D, N) int32: examples by their number, equal ones by arrival; see `rank_numbers`
    ranks: np.ndarray  # (D, N) int32: place of each example in that order
    n_ranked: np.ndarray  # (1,) int64: how many examples have their places
    words: np.ndarray  # (N / 32,) int64: buffer for a set of places, all 0


class Tree(NamedTuple):
    """One tree; its arrays are replaced by longer ones as it grows."""

    weights: np.ndarray  # (N,): weight of each example, 0 where it was not learned
    links: np.ndarray  # (N,) int32: next example of the same leaf, −1 for none
    nodes: np.ndarray  # (nodes,) of `_NODE`; the first is the root
    counts: np.ndarray  # (nodes, K): weight of each class
    tables: np.ndarray  # (tables, K, V): weight of each class among the examples with a value
    bounds: np.ndarray  # (tables, 2, V): see `best_row`
    header: np.ndarray  # (1,) of `_HEADER`


class DecisionTree(NamedTuple):
    """M decision trees, with K classes, V values of A nominal attributes, D numeric attributes."""

    memory: Any  # list of one `Memory`
    trees: Any  # list of M `Tree`s
    n_examples: Annotated[np.ndarray, "1"]  # int64: how many examples the memory holds
    order: Annotated[np.ndarray, "A + D"]  # int32: the attributes in the order of their columns
    starts: Annotated[np.ndarray, "A + 1"]  # int32: code of the first value of each nominal attribute
    logs: Annotated[np.ndarray, "65536"]  # log n
    scratch: Annotated[np.ndarray, "1, K, V"]  # buffer for the table of a node that keeps none
    scratch_bounds: Annotated[np.ndarray, "1, 2, V"]
    passing: Annotated[np.ndarray, "V"]  # buffer for the weight that passes each test
    rows: Annotated[np.ndarray, "V"]  # int32: buffer for the tests that must be scored
    queue: Annotated[np.ndarray, "nodes"]  # int32: buffer for the nodes that get a new test
    gain_ratio: bool
    prune: bool
    n_tested: int  # how many attributes, drawn at random, a node chooses its test from


class LearnedExamples(NamedTuple):
    """The examples that M trees learned, which determine the trees."""

    parameters: tuple
    codes: Annotated[np.ndarray, "N, A", "codes"]  # int32
    numbers: Annotated[np.ndarray, "N, D", "any"]
    labels: Annotated[np.ndarray, "N", "labels"]  # int32
    weights: Annotated[np.ndarray, "N, M"]
    keys: Annotated[np.ndarray, "M"]  # uint64: of the draws of attributes


def new_trees(
    order, starts, n_classes: int, gain_ratio: bool, prune: bool, n_tested: int, keys: np.ndarray
) -> DecisionTree:
    """Trees that have not been trained, one for each key, uint64 of shape (M,)."""
    order, starts = np.array(order, np.int32), np.array(starts, np.int32)
    n_nominal, n_values = len(starts) - 1, int(starts[-1])
    n_numeric = len(order) - n_nominal
    memory = Memory(
        np.empty((4, n_nominal), np.int32),
        np.empty((n_nominal, 4), np.int32),
        np.empty((4, n_numeric)),
        np.empty(4, np.int32),
        np.full(8, -1, np.int32),
        np.zeros(4, np.bool_),
        np.empty(8, np.int32),
        np.empty(8, np.int32),
        np.empty((n_numeric, 4), np.int32),
        np.empty((n_numeric, 4), np.int32),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )
    headers = np.zeros((len(keys), 1), _HEADER)
    headers["key"][:, 0] = keys
    return DecisionTree(
        KernelList([memory]),
        KernelList(
            _single_leaf(np.zeros(1, _NODE), header.copy(), n_classes, n_values) for header in headers
        ),
        np.zeros(1, np.int64),
        order,
        starts,
        _logs(),
        np.empty((1, n_classes, n_values)),
        np.empty((1, 2, n_values)),
        np.empty(n_values),
        np.empty(n_values, np.int32),
        np.empty(MOST_HANDED_UP, np.int32),
        gain_ratio,
        prune,
        n_tested,
    )


@cache
def _logs() -> np.ndarray:
    """The logarithms of small whole numbers, which all trees share, as `log` gives them."""
    m, k = np.frexp(np.arange(1.0, 65536))
    is_low = m < math.sqrt(0.5)
    return np.append(0.0, log_of_parts.py_func(m * (1 + is_low), k - is_low))


@kernel
def _single_leaf(nodes, header, n_classes, n_values):
    """A tree of one empty leaf, made of one node and a header that are all zero, but for the key."""
    nodes[0].attribute = -1
    nodes[0].head = -1
    nodes[0].table = -1
    header[0].n_nodes = 1
    header[0].free_node = -1
    header[0].free_table = -1
    return Tree(
        np.zeros(4),
        np.empty(4, np.int32),
        nodes,
        np.zeros((1, n_classes)),
        np.empty((0, n_classes, n_values)),
        np.empty((0, 2, n_values)),
        header,
    )


@implements(reset, DecisionTree)
def _reset(models, m):
    """Replace tree `m` by a single empty leaf; the memory keeps the examples."""
    tree = models.trees[m]
    nodes, header = np.zeros(1, tree.nodes.dtype), np.zeros(1, tree.header.dtype)
    header[0].key = tree.header[0].key
    models.trees[m] = _single_leaf(nodes, header, models.scratch.shape[1], models.scratch.shape[2])


@kernel(counts=False)
def has_capacity(tree):
    """Whether the tree can hold all nodes and tables that a new test of one node may need."""
    n_nodes, n_tables = tree.header[0].n_nodes, tree.header[0].n_tables
    return n_nodes + 2 * MOST_HANDED_UP <= len(tree.nodes) and n_tables + 2 * MOST_HANDED_UP < len(
        tree.tables
    )


@kernel
def double_capacity(models, m):
    """Double the arrays of tree `m` that are too short for another `update_test`."""
    tree = models.trees[m]
    nodes, counts, tables, bounds = tree.nodes, tree.counts, tree.tables, tree.bounds
    n = len(nodes)
    if tree.header[0].n_nodes + 2 * MOST_HANDED_UP > n:
        nodes = np.zeros(2 * (n + MOST_HANDED_UP), nodes.dtype)
        counts = np.zeros((len(nodes), counts.shape[1]))
        copy_into(nodes, tree.nodes)
        copy_into(counts, tree.counts)
    n = len(tables)
    if tree.header[0].n_tables + 2 * MOST_HANDED_UP >= n:
        tables = np.empty((2 * (n + MOST_HANDED_UP), tables.shape[1], tables.shape[2]))
        bounds = np.empty((len(tables), 2, tables.shape[2]))
        copy_into(tables, tree.tables)
        copy_into(bounds, tree.bounds)
    models.trees[m] = Tree(tree.weights, tree.links, nodes, counts, tables, bounds, tree.header)


@kernel(counts=False)
def new_leaf(nodes, counts, header):
    """Index of a new leaf without examples."""
    i = header[0].free_node
    if i >= 0:
        header[0].free_node = nodes[i].yes
    else:
        i = header[0].n_nodes
        header[0].n_nodes = i + 1
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
def new_table(tables, header):
    """Index of a new table, whose contents are undefined."""
    k = header[0].free_table
    if k >= 0:
        header[0].free_table = np.int64(tables[k, 0, 0])
    else:
        k = header[0].n_tables
        header[0].n_tables = k + 1
    return np.int32(k)


@kernel(counts=False)
def free_table(nodes, tables, header, i):
    """Release the table of node `i`, if it has one."""
    node = nodes[i]
    if node.table >= 0:
        tables[node.table, 0, 0] = header[0].free_table
        header[0].free_table = node.table
        node.table = -1


@kernel(counts=False)
def nodes_below(nodes, i, to_tables, found):
    """Write the nodes of the subtree of node `i`, itself first, into `found`; return their number.

    With `to_tables`, do not descend below a node that has a table.
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
def has_test(nodes, i, attribute, value):
    """Whether the test of node `i` is this nominal one."""
    return nodes[i].attribute == attribute and nodes[i].value == value


@kernel(counts=False)
def log_of(logs, n):
    """Logarithm of n ≥ 0, from a table for small whole numbers; finite at 0, so that n·log n is 0 there."""
    k = np.int64(n)
    return logs[k] if k < len(logs) and k == n else log(n)
