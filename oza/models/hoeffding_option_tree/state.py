"""The state of Hoeffding option trees: that of Hoeffding trees, with more than one test at a node.

A node with several tests is a chain of records: the node itself, which has the first test and keeps
the statistics of all examples that have come to it, and one for each further test, its option. The
children of a test have its record as their parent, and a further test has the node as its parent.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...classifier.contract import reset
from ...kernels.compile import implements, kernel, record_type
from ..hoeffding_tree.grow import option_of
from ..hoeffding_tree.state import NODE, OPTION, Settings, new_trees, reset_tree

OPTION_NODE = record_type(  # without padding, whose bytes a copy would not keep
    [
        *((name, NODE[name]) for name in NODE.fields or ()),
        ("option", np.int32),  # the next test of the same node; 0 for none
        ("previous", np.int32),  # before it among the nodes that the latest example came to; −1 for none
        ("paths", np.int64),  # of a test: most leaves that an example may come to by one of its branches
    ]
)


class HoeffdingOptionTree(NamedTuple):
    """M Hoeffding option trees: the fields of `HoeffdingTree`, and more buffers."""

    trees: Any  # list of M `Tree`s, with nodes of OPTION_NODE
    settings: Settings
    thresholds: Annotated[np.ndarray, "12"]
    parts: Annotated[np.ndarray, "2, K + 1, 12"]
    logs: Annotated[np.ndarray, "2, K + 1, 12"]
    terms: Annotated[np.ndarray, "V·K"]
    values: Annotated[np.ndarray, "2, V"]
    candidates: Annotated[np.ndarray, "A + D"]
    scores: Annotated[np.ndarray, "K"]
    exponents: Annotated[np.ndarray, "K"]
    waiting: Annotated[np.ndarray, "max_options"]  # int32: tests that an example has yet to go through
    shares: Annotated[np.ndarray, "2, K"]  # class probabilities in a leaf, and their sum over leaves


def new_option_trees(settings: Settings, n_values: int, n_numeric: int, n_classes: int, trees):
    """`Tree`s, or empty ones with the keys in an array, with buffers."""
    plain = new_trees(settings, n_values, n_numeric, n_classes, trees, OPTION_NODE)
    return HoeffdingOptionTree(*plain, np.empty(settings.max_options, np.int32), np.empty((2, n_classes)))


implements(reset, HoeffdingOptionTree)(reset_tree)


@implements(option_of, HoeffdingOptionTree)
def _option_of(models, tree, i):
    return tree.nodes[i].option


@kernel(counts=False)
def _n_paths(nodes, i):
    """The most leaves that an example may come to from node `i`, a test."""
    found = nodes[i].paths
    while nodes[i].option > 0:
        i = nodes[i].option
        found += nodes[i].paths
    return found


@kernel(counts=False)
def _node_of(nodes, test):
    """The node to which a test belongs."""
    return nodes[test].parent if nodes[test].row == OPTION else test


@kernel(counts=False)
def may_have_option(tree, settings, i):
    """Whether with another test at node `i`, no example may come to more than `max_options` leaves.

    An example takes one branch of each test. So one more leaf below `i` matters to the test above only
    if no other branch of that leads to more leaves already.
    """
    nodes = tree.nodes
    while nodes[i].parent >= 0:
        above = nodes[i].parent
        if _n_paths(nodes, i) < nodes[above].paths:
            return True
        i = _node_of(nodes, above)
    return _n_paths(nodes, i) < settings.max_options


@kernel(counts=False)
def add_option(tree, i):
    """Add a record for another test of node `i`, whose `paths` become 1, and return its index."""
    header, nodes = tree.header[0], tree.nodes
    option = header.n_nodes
    header.n_nodes = option + 1
    nodes[option].parent = i
    nodes[option].row = OPTION
    nodes[option].paths = 1
    last = i
    while nodes[last].option > 0:
        last = nodes[last].option
    nodes[last].option = option
    while nodes[i].parent >= 0:
        above = nodes[i].parent
        if _n_paths(nodes, i) <= nodes[above].paths:
            break
        nodes[above].paths += 1
        i = _node_of(nodes, above)
    return option
