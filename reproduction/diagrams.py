"""Drawings of models: decision trees (thesis Figure 2.1) and a Hoeffding tree."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from oza.models.decision_tree import TreeStructure
from oza.models.hoeffding_tree import HoeffdingTreeClassifier

from .figures import BAND, GROUND, GUIDE, INK, Picture, drawing
from .theory.id3 import Node, Tree


class _Box(NamedTuple):
    """A node of a drawn tree, and below it the boxes to which the answers lead."""

    text: str
    branches: Sequence[tuple[str, "_Box"]] = ()
    fill: str = GROUND
    border: str = "-"

    @property
    def n_leaves(self) -> int:
        return sum(below.n_leaves for _, below in self.branches) or 1

    @property
    def depth(self) -> int:
        return 1 + max((below.depth for _, below in self.branches), default=-1)


def _draw(
    axes: Any, box: _Box, part: float, is_turned: bool = False, left: float = 0.0, level: int = 0
) -> None:
    """Draw a tree from above, or from the left if it is turned; boxes stand in the middle of their leaves.

    An answer stands at a part of the line from its box to the next.
    """

    def middle(of: _Box, left: float, level: int) -> Any:
        leaf = left + (of.n_leaves - 1) / 2
        return np.array((level, -leaf) if is_turned else (leaf, -level))

    here = middle(box, left, level)
    for answer, below in box.branches:
        there = middle(below, left, level + 1)
        axes.plot(*zip(here, there, strict=True), color=GUIDE, linewidth=1, zorder=0)
        patch = {"facecolor": GROUND, "edgecolor": "none", "pad": 1}
        axes.annotate(answer, here + part * (there - here), ha="center", va="center", bbox=patch)
        _draw(axes, below, part, is_turned, left, level + 1)
        left += below.n_leaves
    look = {"boxstyle": "round,pad=0.5", "linewidth": 1.2, "edgecolor": INK, "facecolor": box.fill}
    axes.annotate(box.text, here, ha="center", va="center", bbox=look | {"linestyle": box.border})


def _drawn(
    box: _Box,
    height: float,
    part: float,
    margins: tuple[float, float] = (0, 0),
    is_turned: bool = False,
    phone: float = 0,
) -> Figure:
    with drawing(height, phone=phone) as figure:
        axes = figure.subplots()
        axes.set_axis_off()
        _draw(axes, box, part, is_turned)
        axes.margins(*margins)
    return figure


def tree_diagram(tree: TreeStructure, features: Sequence[str], classes: Sequence[str]) -> Figure:
    """Draw a decision tree with its tests of numbers, and in each leaf its class and the weights behind it.

    The tree is the `tree_` of a `DecisionTreeClassifier`.
    """

    def boxed(node: int) -> _Box:
        if tree.feature[node] < 0:
            weights = tree.class_weight[node]
            counts = ", ".join(f"{w:g} {c}" for w, c in zip(weights, classes, strict=True) if w)
            return _Box(f"{classes[int(weights.argmax())]}\n({counts})", fill=BAND)
        below = ("yes", boxed(tree.yes[node])), ("no", boxed(tree.no[node]))
        return _Box(f"{features[tree.feature[node]]} ≤ {tree.threshold[node]:g}?", below)

    return _drawn(boxed(0), 105 * (int(tree.depth.max()) + 1), 0.5, (0.12, 0.25))


def id3_diagram(
    tree: Tree, names: Sequence[str], values: Sequence[Sequence[str]], classes: Sequence[str]
) -> Figure:
    """Draw a tree with one branch for each value, such as thesis Figure 2.1.

    `names` are what each attribute's node says, `values` what its branches say, `classes` what the leaves
    say. A tree of more than three leaves grows from left to right, so that it fits a phone.
    """

    def boxed(node: Tree) -> _Box:
        if not isinstance(node, Node):
            return _Box(classes[node], fill=BAND)
        below = zip(values[node.attribute], map(boxed, node.branches), strict=True)
        return _Box(names[node.attribute], list(below))

    root = boxed(tree)
    if root.n_leaves > 3:
        return _drawn(root, 76 * root.n_leaves, 0.5, (0.18, 0.1), is_turned=True, phone=1)
    return _drawn(root, 115 * (root.depth + 1), 0.65, (0.12, 0.25), phone=1)


def hoeffding_tree_diagram(model: HoeffdingTreeClassifier, max_depth: int | None = None) -> Picture:
    """Draw a Hoeffding tree: the column that each test asks for, and the class and weight of each leaf.

    The tree grows from left to right, so that tests with many branches fit a phone. Leaves that `max_leaves`
    has frozen have a dotted border. Below `max_depth` nothing is drawn: a test there becomes a box with the
    number of leaves below it. The text is that of `export_text`.
    """
    text = model.export_text(max_depth)  # refuses a bad max_depth
    tree = model.tree_
    names = getattr(model, "feature_names_in_", [f"column {j}" for j in range(model.n_features_in_)])
    n_leaves = (tree.feature < 0).astype(np.int64)
    for node in range(len(tree.parent) - 1, 0, -1):  # children stand behind their parent
        n_leaves[tree.parent[node]] += n_leaves[node]
    last = int(tree.depth.max()) if max_depth is None else max_depth

    def boxed(node: int) -> _Box:
        if tree.feature[node] < 0:
            weights = tree.class_weight[node]
            label = str(model.classes_[weights.argmax()]) if weights.any() else "empty"
            border = ":" if tree.is_frozen[node] else "-"
            return _Box(f"{label}\n{weights.sum():,.0f}", fill=BAND, border=border)
        if tree.depth[node] == last:
            return _Box(f"{n_leaves[node]} leaves")
        below = np.flatnonzero(tree.parent == node).tolist()
        return _Box(names[tree.feature[node]], [(str(tree.answer[child]), boxed(child)) for child in below])

    root = boxed(0)
    figure = _drawn(root, 48 * root.n_leaves, 0.48, is_turned=True, phone=max(1, root.depth / 2))
    figure.axes[0].set(xlim=(-0.18, root.depth + 0.24), ylim=(0.5 - root.n_leaves, 0.5))
    rows = [
        (tree.depth[node], tree.answer[node], boxed(node).text, tree.class_weight[node].sum(), n_leaves[node])
        for node in np.flatnonzero(tree.depth <= last).tolist()
    ]
    return Picture(figure, text, pd.DataFrame(rows, columns=["depth", "answer", "box", "weight", "leaves"]))
