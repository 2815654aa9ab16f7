"""ID3 as the thesis prints it (Figure 2.2): attribute set, default class, one branch for each value.

Examples are rows of codes 0, 1, … of nominal attributes, and may have weights, so that a tree is grown
from a probability distribution just as from a sample.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.special import xlogy

Codes = np.ndarray
Numbers = np.ndarray


class Node(NamedTuple):
    """A nonterminal node: the attribute that is tested, and a subtree for each of its values."""

    attribute: int
    branches: tuple[Tree, ...]


#: A tree is a node or, in a leaf, a class.
Tree: TypeAlias = Node | int


def gains(examples: Codes, labels: Codes, weights: Numbers, attributes: Collection[int]) -> dict[int, float]:
    """Information gain, in nats, of each attribute: the mutual information of its value and the class.

    `weights` are copies or probabilities of the examples.

    >>> examples, labels = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> {a: round(gain, 4) for a, gain in gains(examples, labels, np.ones(4), [0, 1]).items()}
    {0: 0.6931, 1: 0.0}
    """
    columns = list(attributes)
    values = examples[:, columns]
    shape = len(columns), int(values.max(initial=0)) + 1, int(labels.max()) + 1
    cells = np.ravel_multi_index((np.arange(len(columns)), values, labels[:, None]), shape)
    joint = np.bincount(cells.ravel(), np.repeat(weights, len(columns)), np.prod(shape)).reshape(shape)
    shares = joint / weights.sum()
    of_values, of_classes = shares.sum(axis=2), shares.sum(axis=1)
    information = xlogy(shares, shares).sum(axis=(1, 2))
    for each in (of_values, of_classes):
        information -= xlogy(each, each).sum(axis=1)
    # Rounded, so that gains which are equal but for rounding errors are a tie.
    return dict(zip(columns, np.maximum(information, 0).round(12).tolist(), strict=True))


def id3(
    examples: Codes,
    labels: Codes,
    weights: Numbers,
    n_values: tuple[int, ...],
    attributes: frozenset[int] | None = None,
    default: int = 0,
    depth: int | None = None,
) -> Tree:
    """Grow a tree as in Figure 2.2 of the thesis.

    Without examples it is a leaf of the default class; if all are of one class, a leaf of that class; without
    attributes, a leaf of their most frequent class. Else the attribute with the largest information gain is
    tested, and each of its values gets the tree that is grown from the examples with this value, without the
    attribute, and with the most frequent class here as default. Of equal gains the first attribute wins, of
    equally frequent classes the first. `depth` limits the number of tests on a path: 1 makes a decision
    stump.

    >>> examples, labels = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
    >>> id3(examples, labels, np.ones(4), (2, 2))
    Node(attribute=0, branches=(0, Node(attribute=1, branches=(0, 1))))
    """
    here = weights > 0
    examples, labels, weights = examples[here], labels[here], weights[here]
    if not len(labels):
        return default
    attributes = frozenset(range(len(n_values))) if attributes is None else attributes
    majority = int(np.bincount(labels, weights).argmax())
    if (labels == labels[0]).all() or not attributes or depth == 0:
        return majority
    found = gains(examples, labels, weights, sorted(attributes))
    best = max(found, key=found.__getitem__)
    others, below = attributes - {best}, None if depth is None else depth - 1
    parts = (examples[:, best] == value for value in range(n_values[best]))
    branches = (
        id3(examples[part], labels[part], weights[part], n_values, others, majority, below) for part in parts
    )
    return Node(best, tuple(branches))


def classify(tree: Tree, example: Any) -> int:
    """Class that a tree gives to an example.

    >>> classify(Node(0, (1, 0)), [1])
    0
    """
    while isinstance(tree, Node):
        tree = tree.branches[int(example[tree.attribute])]
    return tree
