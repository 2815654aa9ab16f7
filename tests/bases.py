"""The lossless base models, their reference implementations, and the state that must be equal in both."""

from typing import Any, NamedTuple

import numpy as np

from oza import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier
from oza.classifier.contract import label_blocks
from oza.kernels.compile import kernel
from oza.kernels.random import key_of
from oza.models.decision_stump.kernels import best_test
from oza.models.decision_stump.search import begin, choose
from oza.models.decision_tree.predict import structure
from tests import references


class NaiveBayes(NamedTuple):
    """State: every count and every sum of numbers."""

    alpha: float = 0.0

    @property
    def model(self):
        return NaiveBayesClassifier(self.alpha)

    def reference(self, stream, classes):
        return references.NaiveBayes(classes, self.alpha, sizes=stream.n_values)

    def state(self, fitted):
        return [part.tolist() for part in fitted._models[:4]]

    def state_of_reference(self, reference, stream):
        numeric = [a for a, n in enumerate(stream.n_values) if n is None]
        values = [(a, v) for a, n in enumerate(stream.n_values) if n for v in stream.values[a]]

        def moments(classes):
            nothing = (0.0,) * 4
            found = [[reference.moments.get((c, a), nothing) for c in classes] for a in numeric]
            return [[[[each[part]] for each in of_column] for of_column in found] for part in range(4)]

        return [
            [[reference.n_c[c]] for c in reference.classes],
            [[[reference.n_cav.get((c, a, v), 0.0)] for c in reference.classes] for a, v in values],
            moments(reference.classes),
            moments([None]),
        ]


class Stump(NamedTuple):
    """State: the counts, and the best test with its remaining entropy."""

    @property
    def model(self):
        return DecisionStumpClassifier()

    def reference(self, stream, classes):
        return references.DecisionStump(classes, stream.values)

    def state(self, fitted):
        models, starts = fitted._models, fitted._models.number_starts
        counts = models.number_counts[models.rows[:-1], :, 0].tolist()
        column = np.repeat(np.flatnonzero(~fitted.is_categorical_), np.diff(starts)).tolist()
        numbers = zip(column, models.numbers.tolist(), counts, strict=True)
        return (
            models.class_counts[0, :, 0].tolist(),
            models.branch_counts[:, :, 0].tolist(),
            [number for number in numbers if any(number[2])],
            models.missing_counts[:, :, 0].tolist(),
            (best_sum(models), fitted.feature_, best_test(models, 0)[1]),
        )

    def state_of_reference(self, reference, stream):
        def counts(a, v):
            return [reference.tables[a].get(v, {}).get(c, 0.0) for c in reference.classes]

        return (
            [reference.n_c[c] for c in reference.classes],
            [counts(a, v) for a, known in enumerate(stream.values) if known for v in [*known, None]],
            [
                (a, v, counts(a, v))
                for a, known in enumerate(stream.values)
                if known is None
                for v in sorted(v for v in reference.tables[a] if v is not None)
                if any(counts(a, v))
            ],
            [counts(a, None) for a, known in enumerate(stream.values) if known is None],
            reference.best_test()[:3],
        )


@kernel
def best_sum(models):
    """Remaining entropy of the best test."""
    search = begin(models, 0)
    choose(models, 0, search)
    return search.least[0]


class Tree(NamedTuple):
    """State: every node, including those below pruned ones."""

    criterion: str = "gain_ratio"
    prune: bool = False
    max_features: float | None = None

    @property
    def model(self):
        return DecisionTreeClassifier(
            self.criterion, self.prune, max_features=self.max_features, random_state=3
        )

    def reference(self, stream, classes):
        settings = classes, self.criterion == "gain_ratio", self.prune
        if self.max_features is None:
            return references.DecisionTree(*settings)
        nominal = [n is not None for n in stream.n_values]
        columns = sorted(range(len(nominal)), key=lambda column: not nominal[column])
        n_tested = max(1, round(self.max_features * len(columns)))
        if n_tested == len(columns):
            return references.DecisionTree(*settings)
        key = key_of("attributes", key_of("random_state", 3), 0)
        return references.DecisionTree(*settings, n_tested, columns, key)

    def state(self, fitted):
        nodes, counts, _ = structure(fitted._models, 0, True)
        names = ["attribute", "value", "threshold", "yes", "no", "cut"]
        return [(*(node[name] for name in names), *count) for node, count in zip(nodes, counts, strict=True)]

    def state_of_reference(self, reference, stream):
        nominal = np.array([n is not None for n in stream.n_values])
        attribute = np.where(nominal, np.cumsum(nominal) - 1, nominal.sum() + np.cumsum(~nominal) - 1)
        start = np.concatenate([[0], np.cumsum([n or 0 for n in stream.n_values])])
        found: list[Any] = []

        def visit(node):
            k = len(found)
            found.append(None)
            if "test" in node:
                column, value = node["test"]
                if nominal[column]:
                    test = attribute[column], start[column] + stream.values[column].index(value), 0.0
                else:
                    test = attribute[column], -1, value
                branches = visit(node["yes"]), visit(node["no"])
            else:
                test, branches = (-1, -1, 0.0), (-1, -1)
            found[k] = (*test, *branches, node["cut"], *node["counts"])
            return k

        visit(reference.tree())
        return found


TREES = [
    Tree(criterion, prune) for criterion in ("gain_ratio", "information_gain") for prune in (False, True)
]
RANDOM_TREES = [Tree(max_features=0.4), Tree("information_gain", True, 0.6)]
BASES = {"naive_bayes": NaiveBayes(), "stump": Stump(), "tree": TREES[0], "pruned_tree": TREES[1]}


def classify_all(models, examples):
    """Class index of each example by one model; the first class if it has learned nothing."""
    return np.concatenate([np.maximum(labels[:, 0], 0) for _, labels in label_blocks(models, 1, examples)])
