"""One rule of the stumps for all data sets, in search of the thesis's, alone and bagged.

A rule says by which criterion a test is chosen, whether it has a branch for each value or compares with one,
whether all attributes or only the first may be tested, and whether numbers come in bins or are tested by
thresholds. Each is a rule for all data sets. The choice and the test are those of
`reproduction.studies.held_out`, over the columns Single and Bagging of Table 3.5. Online bagging is left out:
stumps are lossless, so that it is bagging with other samples. The single stumps of all rules had been seen on
each data set when this was fixed, the bags had not. If the choice passes the test, the stumps are to be grown
by that rule; if not, the present one stays.

>>> first = StumpRule("training error", only_first=True)
>>> stump_settings.measure(stump_settings.task(*first, "nursery", "single", 1, 0, 0))
stump_settings.row(n_test=2592, n_correct=1087)
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from ..record.study import study
from .accuracy import Task, numeric_columns, tried
from .algorithms import ALGORITHMS
from .held_out import DATASETS, mean_accuracies, splits
from .protocol import CORRECT, prepare

#: Criteria by which a test is chosen.
RULES = ("information gain", "gain ratio", "training error")


class RuleStump(ClassifierMixin, BaseEstimator):
    """A tree of one test, chosen by a given rule among given tests; each leaf has its majority class.

    A test of a nominal column compares with one value if `binary`, else it has a branch for each value.
    `n_columns` columns, from the first on, may be tested; None means all. `numeric` is the mask of those
    tested by thresholds.

    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("nursery", return_X_y=True)
    >>> round(RuleStump("information gain").fit(X, y).score(X, y), 4)
    0.7097
    >>> round(RuleStump("information gain", n_columns=1).fit(X, y).score(X, y), 4)
    0.419
    """

    def __init__(self, rule="information gain", binary=False, n_columns=None, numeric=None):
        self.rule = rule
        self.binary = binary
        self.n_columns = n_columns
        self.numeric = numeric

    def fit(self, X, y):
        self.classes_, labels = np.unique(y, return_inverse=True)
        of_all = np.bincount(labels)
        most = -np.inf
        for column in range(X.shape[1])[: self.n_columns]:
            codes, values = pd.factorize(X[:, column], sort=True)
            cells = np.bincount(codes * len(of_all) + labels, minlength=len(values) * len(of_all))
            counts = cells.reshape(len(values), len(of_all)).astype(float)
            for test, branches in self._tests(column, values, counts):
                score = _score(self.rule, branches)
                if score > most + 1e-12:  # smaller differences are rounding errors
                    most, self.test_, leaves = score, test, branches
        self.leaves_ = np.where(leaves.any(axis=1), leaves.argmax(axis=1), of_all.argmax())
        return self

    def predict(self, X):
        return self.classes_[self.leaves_[_branch(X, self.test_)]]

    def _tests(
        self, column: int, values: npt.NDArray[Any], counts: npt.NDArray[np.float64]
    ) -> Iterator[tuple[tuple[str, int, npt.NDArray[Any]], npt.NDArray[np.float64]]]:
        """Tests of a column, each with its counts, of shape (branches, classes)."""
        of_all = counts.sum(axis=0)
        if self.numeric is not None and self.numeric[column]:
            below = counts.cumsum(axis=0)
            for k in range(len(values) - 1):
                yield ("threshold", column, values[k : k + 1]), np.array([below[k], of_all - below[k]])
        else:
            parts = [slice(k, k + 1) for k in range(len(values))] if self.binary else [slice(None)]
            for part in parts:
                others = of_all - counts[part].sum(axis=0)
                yield ("values", column, values[part]), np.vstack([counts[part], others])


def _branch(X: npt.NDArray[Any], test: tuple[str, int, npt.NDArray[Any]]) -> npt.NDArray[np.intp]:
    """Branch number of each row; the values of a test have a branch each, and all others the last one."""
    kind, column, values = test
    found = X[:, column]
    if kind == "threshold":
        return (found > values[0]).astype(np.intp)
    place = np.minimum(np.searchsorted(values, found), len(values) - 1)
    return np.where(values[place] == found, place, len(values))


def _score(rule: str, counts: npt.NDArray[np.float64]) -> float:
    """Score of a test with these counts, of shape (branches, classes); higher is better."""
    if rule == "training error":
        return float(counts.max(axis=1).sum())
    sizes = counts.sum(axis=1)
    gain = _entropy(counts.sum(axis=0)) - sum(
        n / sizes.sum() * _entropy(row) for n, row in zip(sizes, counts, strict=True) if n
    )
    information = _entropy(sizes) if rule == "gain ratio" else 1.0
    return gain / information if information > 0 else 0.0


def _entropy(counts: npt.NDArray[np.float64]) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


class StumpRule(NamedTuple):
    """A rule for the test of a stump, on all data sets."""

    criterion: str  # one of `RULES`
    binary: bool = False  # a test compares with one value; if not, it has a branch for each value
    only_first: bool = False  # only the first attribute may be tested
    thresholds: bool = False  # numbers are tested by thresholds; if not, they come in bins

    def __str__(self) -> str:
        parts = [self.criterion, "one value" if self.binary else "each value"]
        parts += ["thresholds"] * self.thresholds + ["first attribute"] * self.only_first
        return ", ".join(parts)


#: The rule of the study of stumps.
PRESENT = StumpRule("information gain")

#: The rules, the present one first. A single test needs no criterion.
SETTINGS: tuple[StumpRule, ...] = tuple(
    rule
    for rule in map(StumpRule._make, product(RULES, (False, True), (False, True), (False, True)))
    if rule.criterion == RULES[0] or rule.binary or rule.thresholds or not rule.only_first
)


def rule_on(rule: StumpRule, dataset: str) -> StumpRule:
    """The simplest rule that is the same on a data set.

    >>> rule_on(StumpRule("gain ratio", only_first=True, thresholds=True), "mushroom")
    StumpRule(criterion='information gain', binary=False, only_first=True, thresholds=False)
    """
    numeric = numeric_columns("decision_tree", dataset)[: 1 if rule.only_first else None]
    if not numeric.any():
        rule = rule._replace(thresholds=False)
    if rule.thresholds and numeric.all():
        rule = rule._replace(binary=False)
    if rule.only_first and not rule.binary and not rule.thresholds:
        rule = rule._replace(criterion=RULES[0])
    return rule


def stump_by(rule: StumpRule, dataset: str) -> RuleStump:
    """Make an untrained stump for a data set."""
    numeric = numeric_columns("decision_tree", dataset) if rule.thresholds else None
    return RuleStump(rule.criterion, rule.binary, 1 if rule.only_first else None, numeric)


def _cells(
    rules: Iterable[StumpRule], datasets: Iterable[str] = DATASETS, n_models: int = 100
) -> list[dict[str, Any]]:
    """List the runs of rules, single and bagged; rules that are the same on a data set come once."""
    return [
        rule._asdict() | {"dataset": dataset, "algorithm": algorithm, "n_models": size} | split
        for dataset in datasets
        for rule in dict.fromkeys(rule_on(rule, dataset) for rule in rules)
        for algorithm, size in (("single", 1), ("bagging", n_models))
        for split in splits(dataset, ALGORITHMS[algorithm].is_ensemble)
    ]


@study(
    "stump-settings",
    "One rule of the stumps for all data sets, chosen on half of them",
    CORRECT,
    smoke=lambda: [cell for cell in _cells(SETTINGS[:2], ["balance"], 2) if cell["repetition"] == 0],
    thesis=lambda: _cells(SETTINGS),
    quick=lambda task: task.dataset in ("balance", "car-evaluation") and task.repetition == 0,
)
def stump_settings(
    criterion: str,
    binary: bool,
    only_first: bool,
    thresholds: bool,
    dataset: str,
    algorithm: str,
    n_models: int,
    repetition: int,
    fold: int,
) -> tuple[int, int]:
    """A rule on a split, single or bagged, with the random draws of the study of stumps."""
    place = dataset, "decision_stump", algorithm, n_models, repetition, fold
    seed = Task("decision-stumps", *place, order=0).seed
    stump = stump_by(StumpRule(criterion, binary, only_first, thresholds), dataset)
    examples = prepare(dataset, repetition, fold, with_numbers=thresholds)
    return tried(stump, algorithm, n_models, seed, dataset, examples)


def means() -> pd.DataFrame:
    """Read the mean accuracies of every rule, named in words: the `means` of `held_out.judged_cells`."""
    rules = product(SETTINGS, DATASETS)
    names = [(str(rule), dataset, *rule_on(rule, dataset)) for rule, dataset in rules]
    named = pd.DataFrame(names, columns=["setting", "dataset", *StumpRule._fields])
    return mean_accuracies(named.merge(stump_settings.recorded("thesis")))
