"""Give a node of a decision tree another test, and keep of its subtree what the test leaves whole.

An example that arrives is counted in the nodes on its way down; nothing else is done until a
prediction is asked. A prediction chooses the tests on *its* way down again, where counts have
changed: if another test is now the best, the examples below are divided anew, one level at a time
and only as far as the prediction goes. So every test that is ever used is the one that the batch
learner would choose for the same examples.
"""

import math

import numpy as np

from ...kernels.compile import kernel
from ..class_weights import is_pure, total_weight
from .split import choose_test, tabulate
from .state import NO_BOUND, TABLE_FROM, free_table, has_test, new_leaf, new_table, nodes_below

_ROUNDED_DOWN = 1.0 - 2.0**-52  # times a rounded sum of two: no more than the exact sum


@kernel(counts=False)
def _collapse(memory, tree, i):
    """Make node `i` a leaf of all examples below it, in the order in which the leaves hold them."""
    nodes, header, links = tree.nodes, tree.header, tree.links
    found, marked = memory.found, memory.marked
    in_order = 32 * nodes[i].n_examples > len(links)  # of the memory: then they are faster to walk
    head = np.int32(-1)
    for n in range(nodes_below(nodes, i, False, found)):
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
            free_table(nodes, tree.tables, header, j)
            node.yes = header[0].free_node
            header[0].free_node = j
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
    """Divide the examples of node `i`, a leaf until now, between two new children, in the same order."""
    columns, numbers, labels = memory.columns, memory.numbers, memory.labels
    nodes, counts, links, weights = tree.nodes, tree.counts, tree.links, tree.weights
    yes, no = new_leaf(nodes, counts, tree.header), new_leaf(nodes, counts, tree.header)
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
    """Give the large children of node `i` their tables, if it has one itself."""
    nodes = tree.nodes
    large, small = nodes[i].yes, nodes[i].no
    if nodes[large].n_examples < nodes[small].n_examples:
        large, small = small, large
    divide_table(memory, tree, i, large, small)


@kernel(counts=False)
def divide_table(memory, tree, i, large, small):
    """The same, given which child is the larger one.

    Only the examples of the smaller one are counted, and only where it has no tables below.
    """
    nodes, tables = tree.nodes, tree.tables
    node = nodes[i]
    if node.table < 0:
        return
    for j, other in ((large, small), (small, large)):
        below = nodes[j]
        if (
            below.table < 0
            and below.n_examples >= TABLE_FROM
            and (j == large or nodes[other].table >= 0)
            and not is_pure(tree.counts, j)
        ):
            k = new_table(tables, tree.header)
            for c in range(tables.shape[1]):
                for v in range(tables.shape[2]):
                    tables[k, c, v] = tables[node.table, c, v]
            tabulate(memory, tree, other, -1.0, tables, k)
            below.table = k
            _inherit_bounds(nodes, tree.bounds, j)


@kernel(counts=False)
def _inherit_bounds(nodes, bounds, i):
    """Set the bounds of tests at node `i` to the sums of the bounds at its children.

    The spreads of a test within its parts, and its divisors, at two nodes add up to no more than
    those at their union.
    """
    node = nodes[i]
    k = node.table
    for v in range(bounds.shape[2]):
        bounds[k, 0, v] = NO_BOUND
        bounds[k, 1, v] = 0.0
    if node.attribute < 0:
        return
    for part in (nodes[node.no].table, nodes[node.yes].table):
        if part >= 0:
            for v in range(bounds.shape[2]):
                is_known = bounds[part, 0, v] >= 0.0
                within = max(bounds[k, 0, v], 0.0) + bounds[part, 0, v]
                information = bounds[k, 1, v] + bounds[part, 1, v]
                bounds[k, 0, v] = within * _ROUNDED_DOWN if is_known else bounds[k, 0, v]
                bounds[k, 1, v] = information * _ROUNDED_DOWN if is_known else bounds[k, 1, v]


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
        return 0.0 < n_passing < total_weight(tree.counts, i)
    for j in range(nodes_below(nodes, i, False, found)):
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
    if has_test(nodes, i, attribute, value):
        return node.yes if passes else node.no
    while node.attribute >= 0:
        node = nodes[node.yes]
    return i if (columns[attribute, node.head] == value) == passes else np.int32(-1)


@kernel(counts=False)
def _unite(tree, reused, i, no, yes):
    """Node whose children are two parts, divided by the test of node `i`; the other part where one is −1.

    Node `reused` becomes that node.
    """
    if no < 0 or yes < 0:
        return max(no, yes)
    nodes, counts = tree.nodes, tree.counts
    free_table(nodes, tree.tables, tree.header, reused)
    node = nodes[reused]
    node.attribute = nodes[i].attribute
    node.value = nodes[i].value
    node.threshold = nodes[i].threshold
    node.no = no
    node.yes = yes
    node.n_examples = nodes[no].n_examples + nodes[yes].n_examples
    node.changed = True
    for c in range(counts.shape[1]):
        counts[reused, c] = counts[no, c] + counts[yes, c]
    return reused


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
    reused_no = no if has_test(nodes, no, attribute, value) else yes
    reused_yes = yes if has_test(nodes, yes, attribute, value) else no
    node.no = _unite(tree, reused_no, i, no_no, yes_no)
    node.yes = _unite(tree, reused_yes, i, no_yes, yes_yes)
    node.attribute = attribute
    node.value = value
    node.threshold = 0.0


@kernel(counts=False)
def _install(memory, tree, queue, i, attribute, value, threshold):
    """Make this test, which separates the examples of node `i`, the test of the node.

    The test is installed in the nodes below first, as far as it separates their examples and in at
    most half as many as `queue` holds. Then, from the lowest node up, each swaps it with its old test
    (`_transpose`), and the subtrees that the test does not cut stay as they are.
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
                if not has_test(nodes, child, attribute, value) and _cuts(
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
        if not has_test(nodes, j, attribute, value):
            _transpose(memory, tree, j, attribute, value)
            _give_tables(memory, tree, j)


@kernel(counts=False)
def set_test(nodes, i, attribute, value, threshold, n_tests):
    """Note the test of node `i`, and that pruning is still to decide."""
    node = nodes[i]
    node.attribute = attribute
    node.value = value
    node.threshold = threshold
    note_choice(nodes, i, n_tests)


@kernel(counts=False)
def note_choice(nodes, i, n_tests):
    """Note that the test of node `i` has been chosen, and how many tests separate its examples."""
    node = nodes[i]
    node.changed = False
    node.decided = False
    node.at_least = 0.0  # until pruning computes it
    node.at_most = math.inf
    node.n_tests = n_tests


@kernel(counts=False)
def update_test(models, memory, tree, i):
    """Choose the test of node `i` again, and restructure its subtree if it is another test than before."""
    attribute, value, threshold, n_tests = choose_test(models, memory, tree, i)
    note_choice(tree.nodes, i, n_tests)
    node = tree.nodes[i]
    if attribute == node.attribute and (
        attribute < 0 or (value == node.value and threshold == node.threshold)
    ):
        return
    if attribute < 0:
        _collapse(memory, tree, i)
    else:
        _install(memory, tree, models.queue, i, attribute, value, threshold)


@kernel(counts=False)
def start_again(tree, memory):
    """Make the tree one leaf of all its examples, in the order of their first arrival."""
    header = tree.header
    header[0].n_nodes = 1
    header[0].free_node = -1
    header[0].n_tables = 0
    header[0].free_table = -1
    header[0].is_stale = False
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
