"""Trees that one can read: as text, as a graph, as a picture, and the way of one example through them."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..columns.examples import Examples
from ..columns.schema import Schema
from ..extras import required

_MOST_DRAWN = 1000  # nodes of a picture without a warning


class Branch(NamedTuple):
    """An answer to a test, and the node that it leads to."""

    sign: str  # "≤", ">", "=" or "≠"; "missing" for a branch that no value takes
    operand: float  # threshold, or code of a value
    child: int


class Question(NamedTuple):
    """A test of a node."""

    attribute: int  # nominal ones first, then numeric ones
    branches: list[Branch]
    otherwise: int  # the branch of an example whose value is missing or unknown

    def branch_of(self, examples: Examples) -> Branch:
        """The branch of the first example."""
        n_nominal = examples.codes.shape[1]
        nominal, a = self.attribute < n_nominal, self.attribute
        value = float(examples.codes[0, a] if nominal else examples.numbers[0, a - n_nominal])
        holds = {"≤": np.less_equal, ">": np.greater, "=": np.equal, "≠": np.not_equal}
        if not (nominal and value < 0):
            for branch in self.branches:
                if branch.sign in holds and not np.isnan(value) and holds[branch.sign](value, branch.operand):
                    return branch
        return self.branches[self.otherwise]


class Nodes(NamedTuple):
    """The nodes of a tree, of which the first is the root."""

    tests: list[list[Question]]  # of each node: none of a leaf, several of one with options
    class_weight: np.ndarray  # (nodes, K)
    is_frozen: np.ndarray  # (nodes,)


class _Line(NamedTuple):
    """A node of the tree as it is shown, where each of several tests has a line of its own."""

    above: int  # index of the line above; −1 for the root
    indent: int
    answer: str  # what leads here: "sky = sun", "option 1 of 2", "" for the root
    column: str  # the column that is tested; "" if nothing is, or several are
    leaf: str  # "yes (weight 12)"; "" of a test
    weights: np.ndarray  # (K,)


class ReadableTree:
    """A classifier by one tree; a subclass gives its `_nodes`."""

    _schema: Schema
    classes_: np.ndarray

    def _nodes(self) -> Nodes:
        raise NotImplementedError

    def _name(self, attribute: int) -> str:
        j = int(self._schema.columns[attribute])
        return str(self.feature_names_in_[j]) if hasattr(self, "feature_names_in_") else f"column {j}"

    def _answer(self, test: Question, branch: Branch) -> str:
        a = test.attribute
        if branch.sign == "missing":
            return "is missing"
        if a >= len(self._schema.sizes):
            return f"{branch.sign} {branch.operand:g}"
        values: Any = self._schema.categories[self._schema.columns[a]]
        return f"{branch.sign} {values[int(branch.operand) - self._schema.starts[a]]}"

    def _leaf(self, weights: np.ndarray, is_frozen: bool, shows_weights: bool) -> str:
        label = self.classes_[weights.argmax()] if weights.any() else "empty"
        counts = ""
        if shows_weights and weights.any():
            counts = ": " + ", ".join(
                f"{weight:g} {label} ({weight / weights.sum():.0%})"
                for weight, label in zip(weights, self.classes_, strict=True)
            )
        return f"{label} (weight {weights.sum():g}{', frozen' if is_frozen else ''}{counts})"

    def _lines(self, max_depth: Any, show_weights: bool) -> list[_Line]:
        """The lines of the tree in preorder."""
        if max_depth is not None and not (isinstance(max_depth, Integral) and int(max_depth) >= 0):
            raise ValueError(f"max_depth must be None or an integer of at least 0; got {max_depth!r}.")
        check_is_fitted(self)
        nodes, lines = self._nodes(), list[_Line]()
        # A list, not recursion: a tree may be deeper than Python's stack.
        waiting: list[tuple[int, int, int, str, int, int]] = [(-1, 0, 0, "", 0, -1)]
        while waiting:
            above, indent, depth, answer, i, option = waiting.pop()
            tests, weights, leaf, column = nodes.tests[i], nodes.class_weight[i], "", ""
            here, below = len(lines), indent + (answer != "")
            if not tests:
                leaf = self._leaf(weights, nodes.is_frozen[i], show_weights)
            elif max_depth is not None and depth >= max_depth:
                leaf = f"... (weight {weights.sum():g})"
            elif len(tests) > 1 and option < 0:
                names = [
                    (here, below, depth, f"option {k + 1} of {len(tests)}", i, k) for k in range(len(tests))
                ]
                waiting += names[::-1]
            else:
                test = tests[max(option, 0)]
                column = self._name(test.attribute)
                waiting += [
                    (here, below, depth + 1, f"{column} {self._answer(test, branch)}", branch.child, -1)
                    for branch in test.branches[::-1]
                    if branch.sign != "missing" or nodes.class_weight[branch.child].any()
                ]
            lines.append(_Line(above, indent, answer, column, leaf, weights))
        return lines

    def export_text(self, max_depth=None, show_weights=False) -> str:
        """The tests of the tree, one in a line, with the class and the weight of each leaf.

        Parameters
        ----------
        max_depth : int, default=None
            Depth below which nothing is shown; None shows the whole tree.
        show_weights : bool, default=False
            Whether to show the weight and the share of each class in a leaf.

        Returns
        -------
        str

        Examples
        --------
        >>> from oza import DecisionTreeClassifier
        >>> X = [["sun", 21.0], ["rain", 12.0], ["sun", 31.0], ["rain", 10.0]]
        >>> tree = DecisionTreeClassifier().fit(X, ["out", "in", "in", "in"])
        >>> print(tree.export_text(show_weights=True))
        column 0 = rain: in (weight 2: 2 in (100%), 0 out (0%))
        column 0 ≠ rain
            column 1 ≤ 21: out (weight 1: 0 in (0%), 1 out (100%))
            column 1 > 21: in (weight 1: 1 in (100%), 0 out (0%))
        """
        lines = self._lines(max_depth, show_weights)
        texts = ((line.indent, ": ".join(filter(None, [line.answer, line.leaf]))) for line in lines)
        return "\n".join("    " * indent + text for indent, text in texts if text)

    def export_graphviz(self, max_depth=None) -> str:
        """The tree in the language of Graphviz, whose `dot` draws it.

        Parameters
        ----------
        max_depth : int, default=None
            Depth below which nothing is shown; None shows the whole tree.

        Returns
        -------
        str

        Examples
        --------
        >>> from oza import DecisionStumpClassifier
        >>> stump = DecisionStumpClassifier().fit([[1.0], [2.0], [3.0]], ["low", "low", "high"])
        >>> print(stump.export_graphviz())
        digraph tree {
        node [shape=box];
        0 [label="column 0"];
        1 [label="low (weight 2: 0 high (0%), 2 low (100%))"];
        0 -> 1 [label="≤ 2.5"];
        2 [label="high (weight 1: 1 high (100%), 0 low (0%))"];
        0 -> 2 [label="> 2.5"];
        }
        """
        lines, found = self._lines(max_depth, True), ["digraph tree {", "node [shape=box];"]
        for i, line in enumerate(lines):
            found.append(f'{i} [label="{_quoted(line.column or line.leaf or "any of these")}"];')
            if i > 0:
                answer = line.answer.removeprefix(lines[line.above].column).strip()
                found.append(f'{line.above} -> {i} [label="{_quoted(answer)}"];')
        return "\n".join([*found, "}"])

    def plot_tree(self, max_depth=None, ax=None) -> Any:
        r"""Draw the tree, which needs matplotlib, an extra: ``oza[report]``.

        Parameters
        ----------
        max_depth : int, default=None
            Depth below which nothing is shown; None shows the whole tree.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> from oza import DecisionStumpClassifier
        >>> stump = DecisionStumpClassifier().fit([[1.0], [2.0], [3.0]], ["low", "low", "high"])
        >>> [text.get_text() for text in stump.plot_tree().texts][:3]
        ['column 0', 'low (weight 2:\n0 high (0%)\n2 low (100%))', '≤ 2.5']
        """
        pyplot = required("matplotlib.pyplot", "a picture of a tree")
        lines = self._lines(max_depth, True)
        if len(lines) > _MOST_DRAWN:
            warnings.warn(
                f"a picture of {len(lines)} nodes takes a long time and is hard to read; max_depth leaves "
                "out what is deeper, and export_text writes all of it at once.",
                UserWarning,
                stacklevel=2,
            )
        x, depth = np.full(len(lines), np.nan), np.zeros(len(lines))
        is_end = np.array([line.leaf != "" for line in lines])
        x[is_end] = np.arange(is_end.sum())
        children: list[list[int]] = [[] for _ in lines]
        for i, line in enumerate(lines[1:], 1):
            depth[i] = depth[line.above] + 1
            children[line.above].append(i)
        for i in range(len(lines) - 1, -1, -1):
            if children[i]:
                x[i] = x[children[i]].mean()
        if ax is None:
            size = 1.6 * is_end.sum() + 1, 1.1 * depth.max() + 1
            ax = pyplot.subplots(figsize=size, layout="constrained")[1]
        ax.set(xlim=(-0.6, is_end.sum() - 0.4), ylim=(-depth.max() - 0.5, 0.5))
        ax.set_axis_off()
        style = {"ha": "center", "va": "center", "fontsize": 8}
        edges = np.full((len(lines), 3, 2), np.nan)  # one line with gaps: thousands of lines take seconds
        for i, line in enumerate(lines):
            text = line.column or line.leaf.replace(": ", ":\n").replace(", ", "\n") or "any of these"
            ax.text(x[i], -depth[i], text, bbox={"boxstyle": "round", "fc": "white", "ec": "grey"}, **style)
            if i > 0:
                edges[i, :2] = [x[line.above], -depth[line.above]], [x[i], -depth[i]]
                answer = line.answer.removeprefix(lines[line.above].column).strip()
                ax.text(*edges[i, :2].mean(axis=0), answer, backgroundcolor="white", **style)
        ax.plot(*edges.reshape(-1, 2).T, color="grey", lw=1, zorder=0)
        return ax

    def decision_path_text(self, x) -> str:
        """Why an example gets its class: the answers on its way, the leaf and the probabilities.

        Parameters
        ----------
        x : dict, or sequence of n_features values
            As in `predict_one`.

        Returns
        -------
        str
            A line for each answer, one for the leaf, and one for the class; where a node has several
            tests, the paths through all of them. A leaf of a Hoeffding tree that asks Naive Bayes may
            give a class other than its most frequent one, and an empty leaf gives that of a node above.

        Examples
        --------
        >>> from oza import DecisionTreeClassifier
        >>> X = [["sun", 21.0], ["rain", 12.0], ["sun", 31.0], ["rain", 10.0]]
        >>> tree = DecisionTreeClassifier().fit(X, ["out", "in", "in", "in"])
        >>> print(tree.decision_path_text(["sun", 25.0]))
        column 0 ≠ rain
        column 1 > 21
        leaf: in (weight 1: 1 in (100%), 0 out (0%))
        predicted: in (in 1, out 0)
        """
        examples, nodes, found = self._encode_example(x), self._nodes(), []  # type: ignore[attr-defined]
        waiting = [(0, "")]
        while waiting:
            i, answer = waiting.pop()
            if answer:
                found.append(answer)
            if not nodes.tests[i]:
                found.append(f"leaf: {self._leaf(nodes.class_weight[i], nodes.is_frozen[i], True)}")
            for test in nodes.tests[i][::-1]:
                branch = test.branch_of(examples)
                waiting.append((branch.child, f"{self._name(test.attribute)} {self._answer(test, branch)}"))
        shares = self.predict_proba_one(x)  # type: ignore[attr-defined]
        said = ", ".join(f"{label} {share:.2g}" for label, share in shares.items())
        found.append(f"predicted: {self.predict_one(x)} ({said})")  # type: ignore[attr-defined]
        return "\n".join(found)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
