"""The learner of the Calendar Apprentice (thesis section 3.5.4): a tree each night, and the rules in it.

The thesis leaves open in which order preconditions are tried, what the accuracy of a rule is that fires on
none of the recent appointments, which of two equally accurate rules comes first, and what is suggested if
no rule fires. Here: from the last test of a path to the first; 0; the rule that fires more often, then the
older one; the most frequent value among the recent appointments.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .id3 import Codes, Node, Tree, id3

#: Value in a rule of an attribute that it does not test.
ANY = -1


class Rule(NamedTuple):
    """If each attribute in `tests` has its value, the class is `label`."""

    tests: tuple[tuple[int, int], ...]  # in the order of the path
    label: int


def rules_of(tree: Tree, tests: tuple[tuple[int, int], ...] = ()) -> Iterator[Rule]:
    """Turn each path of a tree into a rule; `tests`, the path to the tree, are preconditions of all.

    >>> for rule in rules_of(Node(1, (0, Node(0, (0, 1))))):
    ...     print(rule)
    Rule(tests=((1, 0),), label=0)
    Rule(tests=((1, 1), (0, 0)), label=0)
    Rule(tests=((1, 1), (0, 1)), label=1)
    """
    if isinstance(tree, Node):
        for value, branch in enumerate(tree.branches):
            yield from rules_of(branch, (*tests, (tree.attribute, value)))
    else:
        yield Rule(tests, tree)


def simplified(rules: Sequence[Rule], X: Codes, y: Codes) -> list[Rule]:
    """Remove each precondition without which its rule is at least as accurate, from the last to the first.

    `X` and `y` are the recent appointments, and their classes.

    >>> X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> simplified([Rule(((0, 1), (1, 1)), 1)], X, y)
    [Rule(tests=((0, 1),), label=1)]
    """
    depth = max(len(rule.tests) for rule in rules)
    fails = np.zeros((depth, len(rules), len(y)), dtype=bool)
    for i, rule in enumerate(rules):
        for place, (attribute, value) in enumerate(rule.tests):
            fails[place, i] = X[:, attribute] != value
    is_right = np.array([rule.label for rule in rules])[:, None] == y

    def accuracy(n_failed: Codes) -> np.ndarray:
        fires = n_failed == 0
        return np.count_nonzero(fires & is_right, axis=1) / np.maximum(np.count_nonzero(fires, axis=1), 1)

    n_failed = fails.sum(axis=0)
    is_removed = np.zeros((depth, len(rules)), dtype=bool)
    for place in reversed(range(depth)):
        fewer = n_failed - fails[place]
        is_removed[place] = accuracy(fewer) >= accuracy(n_failed)
        n_failed[is_removed[place]] = fewer[is_removed[place]]
    return [
        Rule(tuple(test for test, removed in zip(rule.tests, gone, strict=False) if not removed), rule.label)
        for rule, gone in zip(rules, is_removed.T, strict=True)
    ]


class RuleList:
    """All rules found so far, sorted each night by their accuracy on the recent appointments.

    Rules of former nights stay in the list if it `keeps` them, as in the thesis.
    """

    def __init__(self, n_values: tuple[int, ...], keeps: bool = True) -> None:
        self._n_values, self._keeps = n_values, keeps
        self._clear()

    def _clear(self) -> None:
        self._known: set[tuple[frozenset[tuple[int, int]], int]] = set()
        self._required = np.empty((0, len(self._n_values)), dtype=np.int64)
        self._labels = np.empty(0, dtype=np.int64)
        self._fired = np.empty((0, 0), dtype=bool)  # on which of the last appointments each rule fires

    def learn(self, X: Codes, y: Codes, drawn: np.ndarray) -> None:
        """Spend a night: grow a tree, add its rules, and sort them all.

        The tree is trained on those of the recent appointments that are `drawn`. Those since the last night
        have been suggested.
        """
        if not self._keeps:
            self._clear()
        self._fired = self._fired[:, -len(y) :] if self._known else np.empty((0, len(y)), dtype=bool)
        tree = id3(X[drawn], y[drawn], np.ones(len(drawn)), self._n_values)
        found = []
        for rule in simplified(list(rules_of(tree)), X, y):
            identity = frozenset(rule.tests), rule.label
            if identity not in self._known:
                self._known.add(identity)
                found.append(rule)
        if found:
            attributes = range(len(self._n_values))
            required = np.array([[dict(rule.tests).get(a, ANY) for a in attributes] for rule in found])
            self._fired = np.vstack([self._fired, _fires(required, X)])
            self._required = np.vstack([self._required, required])
            self._labels = np.append(self._labels, [rule.label for rule in found])
        n_fired = np.count_nonzero(self._fired, axis=1)
        n_right = np.count_nonzero(self._fired & (self._labels[:, None] == y), axis=1)
        self._order = np.lexsort((-n_fired, -n_right / np.maximum(n_fired, 1)))
        self._default = int(np.bincount(y).argmax())

    def suggest(self, X: Codes) -> Codes:
        """Give the class of the first rule that fires on each new appointment."""
        fires = _fires(self._required, X)
        self._fired = np.hstack([self._fired, fires])
        in_order = fires[self._order]
        first = self._labels[self._order][in_order.argmax(axis=0)]
        return np.where(in_order.any(axis=0), first, self._default)


def _fires(required: Codes, X: Codes) -> np.ndarray:
    """Which rules fire on which appointments, of shape (n_rules, n)."""
    fires = np.ones((len(required), len(X)), dtype=bool)
    for values, column in zip(required.T, X.T, strict=True):
        tested = np.flatnonzero(values != ANY)
        fires[tested] &= values[tested, None] == column
    return fires


def suggestions(
    X: Codes,
    y: Codes,
    n_values: tuple[int, ...],
    seed: int,
    window: int,
    per_day: int = 3,
    keeps: bool = True,
) -> Codes:
    """Suggest the class of each appointment of a stream, as the Calendar Apprentice did; at first 0.

    `window` appointments count as recent, at the beginning fewer; a tree learns two thirds of them. With
    three `per_day`, the 1790 of the thesis take the 625 working days of two years.

    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> found = suggestions(X, X[:, 0], (2, 2), seed=0, window=9, per_day=2)
    >>> found[-8:].tolist() == X[-8:, 0].tolist()
    True
    """
    draws = np.random.default_rng(seed)
    rules = RuleList(n_values, keeps)
    suggested = np.zeros(len(y), dtype=np.int64)
    for night in range(per_day, len(y), per_day):
        recent, tomorrow = slice(max(0, night - window), night), slice(night, night + per_day)
        n_recent = min(night, window)
        n_drawn = max(1, n_recent * (window * 2 // 3) // window)
        rules.learn(X[recent], y[recent], draws.choice(n_recent, n_drawn, replace=False))
        suggested[tomorrow] = rules.suggest(X[tomorrow])
    return suggested
