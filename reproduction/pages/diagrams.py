"""Drawings of models: a decision tree (thesis Figure 2.1), a Hoeffding tree and a network (Figure 2.4)."""

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from oza.models.decision_tree import TreeStructure
from oza.models.hoeffding_tree import HoeffdingTreeClassifier

from ..figures import BAND, GROUND, GUIDE, INK, PHONE, Picture, drawing
from ..theory.id3 import Node, Tree


def _box(axes: Any, text: str, at: tuple[float, float], fill: str, style: str = "-") -> None:
    look = {"boxstyle": "round,pad=0.5", "linewidth": 1.2, "edgecolor": INK, "facecolor": fill}
    axes.annotate(text, at, ha="center", va="center", bbox=look | {"linestyle": style})


def _branch(axes: Any, ends: Any, answer: str, at: tuple[float, float]) -> None:
    """Draw a line from one box to another, with an answer upon it."""
    axes.plot(*zip(*ends, strict=True), color=GUIDE, linewidth=1, zorder=0)
    patch = {"facecolor": GROUND, "edgecolor": "none", "pad": 1}
    axes.annotate(answer, at, ha="center", va="center", bbox=patch)


def tree_diagram(
    tree: TreeStructure,
    features: Sequence[str],
    classes: Sequence[str],
    categories: Sequence[Sequence[str] | None] = (),
) -> Figure:
    """Draw a decision tree with its tests, and in each leaf its class and the weights behind it.

    The tree is the `tree_` of a `DecisionTreeClassifier`; `categories` are the values of each nominal column.
    """
    x = _places(tree)
    with drawing(105 * (int(tree.depth.max()) + 1)) as figure:
        axes = figure.subplots()
        axes.set_axis_off()
        for node, feature in enumerate(tree.feature):
            here = x[node], -tree.depth[node]
            is_leaf = feature < 0
            text = _leaf(tree, node, classes) if is_leaf else _test(tree, node, features, categories)
            _box(axes, text, here, BAND if is_leaf else GROUND)
            for answer, child in () if is_leaf else (("yes", tree.yes[node]), ("no", tree.no[node])):
                there = x[child], -tree.depth[child]
                middle = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
                _branch(axes, (here, there), answer, middle)
        axes.margins(0.12, 0.25)
    return figure


def id3_diagram(
    tree: Tree, names: Sequence[str], values: Sequence[Sequence[str]], classes: Sequence[str]
) -> Figure:
    """Draw a tree with one branch for each value, such as thesis Figure 2.1.

    `names` are what each attribute's node says, `values` what its branches say, `classes` what the leaves
    say. A tree of more than three leaves grows from left to right, so that it fits a phone.
    """
    n_leaves = _n_leaves(tree)
    is_turned = n_leaves > 3

    def place(leaf: float, level: int) -> tuple[float, float]:
        return (level, -leaf) if is_turned else (leaf, -level)

    with drawing(76 * n_leaves if is_turned else 115 * (_depth(tree) + 1), phone=True) as figure:
        axes = figure.subplots()
        axes.set_axis_off()
        boxes = [(tree, 0.0, 0)]  # a subtree, where its first leaf stands, and its depth
        while boxes:
            node, left, level = boxes.pop()
            here = place(left + (_n_leaves(node) - 1) / 2, level)
            if not isinstance(node, Node):
                _box(axes, classes[node], here, BAND)
                continue
            _box(axes, names[node.attribute], here, GROUND)
            for branch, value in zip(node.branches, values[node.attribute], strict=True):
                there = place(left + (_n_leaves(branch) - 1) / 2, level + 1)
                part = 0.5 if is_turned else 0.65
                below = here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])
                _branch(axes, (here, there), value, below)
                boxes.append((branch, left, level + 1))
                left += _n_leaves(branch)
        axes.margins(*(0.18, 0.1) if is_turned else (0.12, 0.25))
    return figure


def _n_leaves(tree: Tree) -> int:
    return sum(map(_n_leaves, tree.branches)) if isinstance(tree, Node) else 1


def _depth(tree: Tree) -> int:
    return 1 + max(map(_depth, tree.branches)) if isinstance(tree, Node) else 0


def _places(tree: TreeStructure) -> np.ndarray:
    """Horizontal place of each node: leaves side by side, a test midway between its branches."""
    x = np.zeros(len(tree.feature))
    leaves = np.flatnonzero(tree.feature < 0)  # in preorder, so from the left to the right
    x[leaves] = np.arange(len(leaves))
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:  # children stand behind their parent
        x[node] = (x[tree.yes[node]] + x[tree.no[node]]) / 2
    return x


def _test(
    tree: TreeStructure, node: int, features: Sequence[str], categories: Sequence[Sequence[str] | None]
) -> str:
    name = features[tree.feature[node]]
    if tree.category[node] < 0:
        return f"{name} ≤ {tree.threshold[node]:g}?"
    values = categories[tree.feature[node]]
    assert values is not None, "a nominal test, and no categories of its column"
    return f"{name} = {values[tree.category[node]]}?"


def _leaf(tree: TreeStructure, node: int, classes: Sequence[str]) -> str:
    weights = tree.class_weight[node]
    counts = ", ".join(f"{w:g} {c}" for w, c in zip(weights, classes, strict=True) if w)
    return f"{classes[int(weights.argmax())]}\n({counts})"


def hoeffding_tree_diagram(model: HoeffdingTreeClassifier, max_depth: int | None = None) -> Picture:
    """Draw a Hoeffding tree: the column that each test asks for, and the class and weight of each leaf.

    The tree grows from left to right, so that tests with many branches fit a phone. Leaves that `max_leaves`
    has frozen have a dotted border. Below `max_depth` nothing is drawn: a test there becomes a box with the
    number of leaves below it. The text is that of `export_text`.
    """
    text = model.export_text(max_depth)  # refuses a bad max_depth
    tree = model.tree_
    names = getattr(model, "feature_names_in_", [f"column {j}" for j in range(model.n_features_in_)])
    n_nodes = len(tree.parent)
    n_leaves = (tree.feature < 0).astype(np.int64)
    last = int(tree.depth.max()) if max_depth is None else max_depth
    is_drawn = tree.depth <= last
    is_end = is_drawn & ((tree.feature < 0) | (tree.depth == last))
    n_lines = is_end.astype(np.int64)  # one below another at the right ends
    for node in range(n_nodes - 1, 0, -1):  # children stand behind their parent
        n_leaves[tree.parent[node]] += n_leaves[node]
        n_lines[tree.parent[node]] += n_lines[node]
    upper = np.zeros(n_nodes)  # the first line of each node's part of the drawing
    used = np.zeros(n_nodes)  # lines of the children placed so far
    rows = []
    depth = int(tree.depth[is_drawn].max())
    with drawing(48 * n_lines[0]) as figure:
        figure.set_figwidth(PHONE / 96 * max(1, depth / 2))
        axes = figure.subplots()
        axes.set_axis_off()
        for node in np.flatnonzero(is_drawn).tolist():
            weights = tree.class_weight[node]
            label = str(model.classes_[weights.argmax()]) if weights.any() else "empty"
            box, style = names[tree.feature[node]], "-"
            if tree.feature[node] < 0:
                box, style = f"{label}\n{weights.sum():,.0f}", ":" if tree.is_frozen[node] else "-"
            elif is_end[node]:
                box = f"{n_leaves[node]} leaves"
            if node > 0:
                parent = tree.parent[node]
                upper[node] = upper[parent] + used[parent]
                used[parent] += n_lines[node]
            here = tree.depth[node], -upper[node] - (n_lines[node] - 1) / 2
            if node > 0:
                there = tree.depth[parent], -upper[parent] - (n_lines[parent] - 1) / 2
                middle = 0.52 * there[0] + 0.48 * here[0], 0.52 * there[1] + 0.48 * here[1]
                _branch(axes, (there, here), str(tree.answer[node]), middle)
            _box(axes, box, here, BAND if tree.feature[node] < 0 else GROUND, style)
            rows.append((tree.depth[node], tree.answer[node], box, weights.sum(), n_leaves[node]))
        axes.set(xlim=(-0.18, depth + 0.24), ylim=(0.5 - n_lines[0], 0.5))
    return Picture(figure, text, pd.DataFrame(rows, columns=["depth", "answer", "box", "weight", "leaves"]))


def network_diagram(layers: Sequence[int], names: Sequence[str]) -> Figure:
    """Draw a network: a column of units for each layer, inputs first, and a line for each weight."""
    with drawing(67 * max(layers) + 40, phone=True) as figure:
        axes = figure.subplots()
        axes.set_axis_off()
        heights = [np.arange(n) - (n - 1) / 2 for n in layers]
        for column, (left, right) in enumerate(pairwise(heights)):
            for a, b in product(left, right):
                axes.plot([column, column + 1], [a, b], color=GUIDE, linewidth=0.7, zorder=0)
        top = max(layers) / 2
        for column, (units, name) in enumerate(zip(heights, names, strict=True)):
            places = [column] * len(units)
            axes.plot(places, units, "o", markersize=17, color=GROUND, markeredgecolor=INK)
            axes.annotate(name, (column, top + 0.2), ha="center")
        axes.set(xlim=(-0.5, len(layers) - 0.5), ylim=(-top - 0.1, top + 0.6))
    return figure
