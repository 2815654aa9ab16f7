"""How Hoeffding trees learn that there are more values."""

import numpy as np

from ...kernels.compile import Operation, copy_into, kernel
from .predict import keep_constants
from .split import n_branches
from .state import LEAF, Tree


@Operation
def option_of(models, tree, i):
    """The next test of the same node after test `i`; 0 for none, as in a tree without options."""
    return 0


@kernel
def _keeps_its_nodes(models, tree, former):
    """Whether `with_new_branches` would leave all nodes of a tree in their places.

    It makes new leaves where a test has a branch for each value, and puts the nodes in the order of their
    levels. `former` holds the first codes of the attributes before, (A + 1,).
    """
    starts, child = models.settings.starts, 1
    for i in range(tree.header[0].n_nodes):
        node = tree.nodes[i]
        if node.attribute != LEAF:
            if node.child != child:
                return False
            a, child = node.attribute, child + n_branches(models.settings, node.attribute, node.value)
            if (
                a < len(starts) - 1
                and node.value < 0
                and former[a + 1] - former[a] != starts[a + 1] - starts[a]
            ):
                return False
            option = option_of(models, tree, i)
            if option > 0:
                if option != child:
                    return False
                child += 1
    return True


@kernel
def add_values(models, former, values):
    """Let trees know more values, in place; where new nodes have to be made, the nodes stay as they were.

    `models` has the settings and the buffers for all values; `values` holds the code there of each value
    known before, (V before,), and `former` the first codes before, (A + 1,). Returns which trees keep their
    nodes, a mask of shape (M,). Tables get twice the width when they are too narrow.
    """
    settings, n_values = models.settings, models.values.shape[1]
    keeps_nodes = np.empty(len(models.trees), np.bool_)
    for m in range(len(models.trees)):
        tree = models.trees[m]
        keeps_nodes[m] = _keeps_its_nodes(models, tree, former)
        n_classes, n_rows = tree.counts.shape[1], tree.header[0].n_rows
        if tree.tables.shape[1] < n_values * n_classes:
            tables = np.zeros((len(tree.tables), 2 * n_values * n_classes))
            for row in range(n_rows):
                copy_into(tables[row], tree.tables[row, : len(values) * n_classes])
            models.trees[m] = tree = Tree(tree.nodes, tree.counts, tables, *tree[3:])
        for row in range(n_rows):
            _spread(tree.tables[row], values, n_values, n_classes)
            for c in range(n_classes):
                keep_constants(tree, settings, row, c)
        for i in range(tree.header[0].n_nodes if keeps_nodes[m] else 0):
            node = tree.nodes[i]
            if node.attribute != LEAF and node.value >= 0:
                node.value = values[node.value]
    return keeps_nodes


@kernel
def _spread(table, values, n_values, n_classes):
    """Move the entries of values in a row of statistics to their new codes; those of others become 0."""
    end = n_values
    for v in range(len(values) - 1, -1, -1):
        code = values[v]
        table[(code + 1) * n_classes : end * n_classes] = 0.0
        if code == v:  # so are all before it
            return
        for c in range(n_classes):
            table[code * n_classes + c] = table[v * n_classes + c]
        end = code
    table[: end * n_classes] = 0.0
