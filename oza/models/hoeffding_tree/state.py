"""The state of Hoeffding trees: nodes, and the statistics of the leaves that learn.

Arrays are made long enough before a tree changes, so that the work can be done by kernels that count
no references (`counts=False`).
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...classifier.contract import Growth, reset
from ...kernels.compile import copy_into, implements, kernel, record_type
from ...kernels.lists import KernelList
from ...kernels.random import row_key

LEAF = -1  # attribute of a leaf
NO_ROW = -1  # row of a leaf that has not learned since it came to be
FROZEN = -2  # row of a leaf that has lost its statistics to `max_leaves`
OPTION = -3  # row of a further test of a node, in an option tree: the node keeps the statistics
MAJORITY, NAIVE_BAYES, ADAPTIVE = range(3)  # leaf predictions
MOST_LEAVES = 10  # leaves for each that `max_leaves` lets learn: a frozen one takes little memory
N_THRESHOLDS = 10  # candidates, at equal distances between the smallest and the largest number
ROOM = 12  # for candidates in a buffer: three vectors of four
TOGETHER = 16  # nominal attributes whose factors are multiplied at once: so many weights cannot overflow

NODE = record_type(
    [
        ("threshold", np.float64),  # of a numeric test
        ("attribute", np.int32),  # tested: nominal ones first, then numeric ones; LEAF in a leaf
        ("value", np.int32),  # code of a binary nominal test; −1 in one with a branch for each value
        ("child", np.int32),  # first of its children, which lie side by side; in a leaf, see `drawn_key`
        ("widest", np.int32),  # branch that had the most weight when the test was chosen
        ("parent", np.int32),  # −1 in the root
        ("row", np.int32),  # of the statistics of a leaf
    ]
)
HEADER = record_type(
    [
        ("n_nodes", np.int64),
        ("n_rows", np.int64),  # of statistics, in use or free
        ("free_row", np.int64),  # first of the list of free rows, −1 for none
        ("n_leaves", np.int64),
        ("n_learning", np.int64),  # leaves that are not frozen
        ("key", np.uint64),  # of the draws of attributes
    ]
)


class Tree(NamedTuple):
    """One tree, with K classes, V values of A nominal attributes, D numeric attributes."""

    nodes: Annotated[np.ndarray, "nodes"]  # of NODE; the first is the root
    counts: Annotated[np.ndarray, "nodes, K"]  # class weights, with those that a leaf inherited
    # V·K and some room: weight of each value and class, learned by the leaf itself
    tables: Annotated[np.ndarray, "rows, T", "any"]
    totals: Annotated[np.ndarray, "rows, K, A", "any"]  # its sum over the values of an attribute
    # mean, 1/variance, weight, squared deviations, minimum, maximum
    moments: Annotated[np.ndarray, "rows, K, D, 6", "any"]
    constants: Annotated[np.ndarray, "rows, K, 2 + A/16", "any"]  # of Naive Bayes, see `keep_constants`
    # weight at the last try to split; right by majority, by Naive Bayes
    leaves: Annotated[np.ndarray, "rows, 3", "any"]
    header: Annotated[np.ndarray, "1"]  # of HEADER


class Settings(NamedTuple):
    """Parameters and vocabulary, which all trees share."""

    order: Annotated[np.ndarray, "A + D"]  # int32: the attributes in the order of their columns
    n_drawn: int  # how many of them, drawn at random, a leaf may test
    starts: Annotated[np.ndarray, "A + 1"]  # int32: code of the first value of each nominal attribute
    smoothing: Annotated[np.ndarray, "A"]  # α for each value of an attribute
    grace_period: float
    log_inverse_delta: float
    tie_threshold: float
    alpha: float
    leaf_prediction: int
    max_leaves: int
    max_options: int  # leaves that an example may come to: 1 in a tree without options
    log_inverse_option_delta: float
    most_new_nodes: int  # that an example may add


class HoeffdingTree(NamedTuple):
    """M Hoeffding trees."""

    trees: Any  # list of M `Tree`s
    settings: Settings
    thresholds: Annotated[np.ndarray, "12"]  # buffers: candidates of a numeric attribute,
    parts: Annotated[np.ndarray, "2, K + 1, 12"]  # class weights on both sides of each, and their sums,
    logs: Annotated[np.ndarray, "2, K + 1, 12"]  # n·log n of these,
    terms: Annotated[np.ndarray, "V·K"]  # and of a table,
    values: Annotated[np.ndarray, "2, V"]  # weight of each value, and n·H,
    candidates: Annotated[np.ndarray, "A + D"]  # int32: attributes that a node may test;
    scores: Annotated[np.ndarray, "K"]  # scores of Naive Bayes are scores·2^exponents
    exponents: Annotated[np.ndarray, "K"]  # int64


def new_trees(
    settings: Settings, n_values: int, n_numeric: int, n_classes: int, trees, node: np.dtype = NODE
) -> HoeffdingTree:
    """`Tree`s, or empty ones with the keys in an array, with buffers."""
    if isinstance(trees, np.ndarray):
        headers = np.zeros((len(trees), 1), HEADER)
        headers["key"][:, 0] = trees
        trees = [
            empty_tree(np.zeros(1, node), header.copy(), n_values, n_numeric, n_classes, settings)
            for header in headers
        ]
    models = KernelList(  # the views restore the alignment, which a file of skops does not record
        tree._replace(nodes=tree.nodes.view(node), header=tree.header.view(HEADER)) for tree in trees
    )
    return HoeffdingTree(
        models,
        settings,
        np.zeros(ROOM),
        np.empty((2, n_classes + 1, ROOM)),
        np.empty((2, n_classes + 1, ROOM)),
        np.empty(n_values * n_classes),
        np.empty((2, n_values)),
        np.empty(len(settings.order), np.int32),
        np.empty(n_classes),
        np.empty(n_classes, np.int64),
    )


@kernel
def n_constants(n_nominal):
    """Numbers that `keep_constants` keeps for a class."""
    return 2 + (n_nominal + TOGETHER - 1) // TOGETHER


@kernel
def empty_tree(nodes, header, n_values, n_numeric, n_classes, settings):
    """A tree of one empty leaf, made of a node and a header that are zero, but for the key in the header."""
    n_nominal = len(settings.starts) - 1
    nodes[0].attribute = LEAF
    nodes[0].parent = -1
    nodes[0].row = NO_ROW
    header[0].n_nodes = 1
    header[0].free_row = -1
    header[0].n_leaves = 1
    header[0].n_learning = 1
    return Tree(  # zeros: a model file of a tree that has not yet learned holds no stray bytes of memory
        nodes,
        np.zeros((1, n_classes)),
        np.zeros((1, n_values * n_classes)),
        np.zeros((1, n_classes, n_nominal)),
        np.zeros((1, n_classes, n_numeric, 6)),
        np.zeros((1, n_classes, n_constants(n_nominal))),
        np.zeros((1, 3)),
        header,
    )


@implements(reset, HoeffdingTree)
def reset_tree(models, m):
    """Make tree `m` an empty leaf."""
    tree = models.trees[m]
    n_values, n_classes = models.values.shape[1], tree.counts.shape[1]
    nodes, header = np.zeros(1, tree.nodes.dtype), np.zeros(1, tree.header.dtype)
    header[0].key = row_key(tree.header[0].key, 0)  # so that the new tree draws other attributes
    models.trees[m] = empty_tree(nodes, header, n_values, tree.moments.shape[2], n_classes, models.settings)


@kernel
def exchange(models, m, other):
    """Let two trees change places, each with the key from which the keys of its successors follow."""
    tree = models.trees[m]
    models.trees[m] = models.trees[other]
    models.trees[other] = tree


@kernel(counts=False, inline=True)
def _has_rows(tree, settings):
    """Whether each leaf that one more example may come to can get a row of statistics."""
    header = tree.header[0]
    n = min(settings.max_options, header.n_leaves)
    return header.n_rows + n <= len(tree.leaves) or (n == 1 and header.free_row >= 0)


@kernel(counts=False, inline=True)
def _has_nodes(tree, settings):
    """Whether one more example may split leaves, and add options."""
    return tree.header[0].n_nodes + settings.most_new_nodes <= len(tree.nodes)


@kernel(counts=False)
def has_capacity(tree, settings):
    """Whether the tree can hold whatever one more example may add."""
    return _has_rows(tree, settings) and _has_nodes(tree, settings)


@kernel
def double_capacity(models, m):
    """Double the arrays of tree `m` that are too short for one more example."""
    tree, settings = models.trees[m], models.settings
    nodes, counts = tree.nodes, tree.counts
    tables, totals, moments = tree.tables, tree.totals, tree.moments
    constants, leaves = tree.constants, tree.leaves
    if not _has_nodes(tree, settings):
        n = 2 * len(nodes) + settings.most_new_nodes
        nodes = np.zeros(n, tree.nodes.dtype)
        counts = np.zeros((n, counts.shape[1]))
        copy_into(nodes, tree.nodes)
        copy_into(counts, tree.counts)
    if not _has_rows(tree, settings):
        n = 2 * len(leaves)
        tables = np.empty((n, tables.shape[1]))
        totals = np.empty((n, totals.shape[1], totals.shape[2]))
        moments = np.empty((n, moments.shape[1], moments.shape[2], 6))
        constants = np.empty((n, constants.shape[1], constants.shape[2]))
        leaves = np.empty((n, 3))
        copy_into(tables, tree.tables)
        copy_into(totals, tree.totals)
        copy_into(moments, tree.moments)
        copy_into(constants, tree.constants)
        copy_into(leaves, tree.leaves)
    models.trees[m] = Tree(nodes, counts, tables, totals, moments, constants, leaves, tree.header)


@kernel(counts=False)
def drawn_key(tree, i):
    """Key of the draws of attributes in leaf `i`.

    It depends on the number that the leaf had when it came to be, which its field `child` keeps: when new
    values come, nodes get other numbers, but a leaf keeps its attributes.
    """
    return row_key(tree.header[0].key, tree.nodes[i].child)


@kernel(counts=False)
def release_row(tree, i):
    """Take its row, if it has one, from node `i`."""
    node = tree.nodes[i]
    if node.row >= 0:
        tree.leaves[node.row, 0] = tree.header[0].free_row
        tree.header[0].free_row = node.row
        node.row = NO_ROW


# Outside kernels


def trimmed(tree: Tree, n_values: int) -> Tree:
    """Copy of a tree without the capacity that it does not use."""
    n_nodes, n_rows = tree.header["n_nodes"][0], tree.header["n_rows"][0]
    statistics = tree.tables[:, : n_values * tree.counts.shape[1]], *tree[3:7]
    tables, totals, moments, constants, leaves = (part[: max(n_rows, 1)].copy() for part in statistics)
    nodes, counts = tree.nodes[:n_nodes].copy(), tree.counts[:n_nodes].copy()
    return Tree(nodes, counts, tables, totals, moments, constants, leaves, tree.header.copy())


def has_options(nodes: np.ndarray) -> bool:
    """Whether these are nodes of option trees."""
    return "option" in (nodes.dtype.names or ())


def depths(tree: Tree) -> np.ndarray:
    """Depth of each node; a child comes after its parent."""
    found = np.zeros(len(tree.nodes), np.int64)
    for i, parent in enumerate(tree.nodes["parent"].tolist()):
        if parent >= 0:
            found[i] = found[parent] + (tree.nodes[i]["row"] != OPTION)
    return found


def grown(tree: Tree, former: Settings, settings: Settings, growth: Growth) -> Tree:
    """Copy of a trimmed tree, extended to a larger vocabulary; new values get branches of their own."""
    n_values, n_classes = settings.starts[-1], len(growth.classes)
    values, classes = growth.value_positions, growth.class_positions
    n_nominal = len(settings.starts) - 1
    n_rows, _, n_numeric, _ = tree.moments.shape
    tables = np.zeros((n_rows, n_values, n_classes))
    former_tables = tree.tables.reshape(n_rows, len(values), len(classes))
    tables[np.ix_(np.arange(n_rows), values, classes)] = former_tables
    totals = np.zeros((n_rows, n_classes, n_nominal))
    totals[:, classes] = tree.totals
    moments = np.zeros((n_rows, n_classes, n_numeric, 6))
    moments[..., 1] = np.inf
    moments[:, classes] = tree.moments
    counts = np.zeros((len(tree.nodes), n_classes))
    counts[:, classes] = tree.counts
    larger = tree._replace(
        counts=counts,
        tables=tables.reshape(n_rows, n_values * n_classes),
        totals=totals,
        moments=moments,
        constants=np.empty((n_rows, n_classes, n_constants(n_nominal))),
    )
    return with_new_branches(larger, former, settings, values)


def with_new_branches(tree: Tree, former: Settings, settings: Settings, values: np.ndarray) -> Tree:
    """The tree with its nodes in the order of their levels, and a branch for each new value.

    `values` holds the new code of each value known before, (V before,).
    """
    n_nodes, header = int(tree.header["n_nodes"][0]), tree.header.copy()
    nodes, has_option = tree.nodes[:n_nodes].copy(), has_options(tree.nodes)
    options = nodes["option"].copy() if has_option else np.zeros(n_nodes, np.int32)
    order, parents = _in_levels(nodes, options, former.starts, settings.starts, values)
    is_new, n = order < 0, len(order)
    if has_option:
        nodes["option"] = options
    ordered = np.zeros(max(n, len(tree.nodes)), nodes.dtype)
    counts = np.zeros((len(ordered), tree.counts.shape[1]))
    ordered[:n][~is_new], counts[:n][~is_new] = nodes[order[~is_new]], tree.counts[order[~is_new]]
    ordered["attribute"][:n][is_new] = LEAF
    ordered["row"][:n][is_new] = NO_ROW
    ordered["parent"][:n] = parents
    ordered["child"][:n][is_new] = n_nodes + np.arange(is_new.sum())
    header["n_nodes"] = n
    header["n_leaves"] += is_new.sum()
    header["n_learning"] += is_new.sum()
    return tree._replace(nodes=ordered, counts=counts, header=header)


@kernel
def _in_levels(nodes, options, former, starts, values):
    """Earlier index of each new node, −1 for a new leaf, level by level, and the new index of its parent.

    The tests in `nodes`, and `options`, the next test of each, get the new codes and indices.
    """
    n_nominal, n = len(starts) - 1, len(nodes)
    for i in range(len(nodes)):
        a = nodes[i].attribute
        if a != LEAF and a < n_nominal and nodes[i].value < 0:
            n += starts[a + 1] - starts[a] - (former[a + 1] - former[a])
    order, parents = np.full(n, -1), np.full(n, -1)
    order[0] = 0
    end = 1  # of the nodes that have an index
    for here in range(n):
        i = order[here]
        if i < 0 or nodes[i].attribute == LEAF:
            continue
        node = nodes[i]
        a, child, n_children = node.attribute, node.child, 2
        node.child = end
        if a < n_nominal and node.value < 0:
            n_children = starts[a + 1] - starts[a]
            for j in range(former[a + 1] - former[a]):
                order[end + values[former[a] + j] - starts[a]] = child + j
            node.widest = values[former[a] + node.widest] - starts[a]
        else:
            order[end], order[end + 1] = child, child + 1
            if a < n_nominal:
                node.value = values[node.value]
        parents[end : end + n_children] = here
        end += n_children
        if options[i] > 0:
            order[end] = options[i]
            parents[end] = parents[here] if node.row == OPTION else here
            options[i] = end
            end += 1
    return order, parents
