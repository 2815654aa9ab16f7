"""One rule of the stumps for all data sets, in search of the thesis's, alone and bagged.

The rules are those of `reproduction.studies.stump_rules`: the criterion, a branch for each value or a test
of one value, all attributes or the first, numbers in bins or tested by thresholds. Each is a rule for all
data sets. The choice and the test are those of `reproduction.studies.held_out`, over the columns Single and
Bagging of Table 3.5. Online bagging is left out: stumps are lossless, so that it is bagging with other
samples. The single stumps of all rules had been seen on each data set when this was fixed, the bags had
not. If the choice passes the test, the stumps are to be grown by that rule; if not, the present one stays.

>>> first = StumpRule("training error", only_first=True)
>>> stump_settings.measure(stump_settings.task(*first, "nursery", "single", 1, 0, 0))
stump_settings.row(n_test=2592, n_correct=1087)
"""

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from ..record.study import study
from .accuracy import Task, numeric_columns
from .algorithms import ALGORITHMS
from .held_out import DATASETS, mean_accuracies, splits
from .protocol import CORRECT, count_correct, prepare
from .stump_rules import RULES, RuleStump


class StumpRule(NamedTuple):
    """A rule for the test of a stump, on all data sets."""

    criterion: str  # one of `stump_rules.RULES`
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
    classifier = ALGORITHMS[algorithm].make(stump, n_models, seed)
    return count_correct(classifier.fit(examples.X_train, examples.y_train), examples)


def means() -> pd.DataFrame:
    """Read the mean accuracies of every rule, named in words: the `means` of `held_out.judged_cells`."""
    rows = stump_settings.recorded("thesis")
    found = dict(iter(rows.groupby(["dataset", *StumpRule._fields], sort=False)))
    parts = [
        found[dataset, *rule_on(rule, dataset)].assign(setting=str(rule))
        for rule, dataset in product(SETTINGS, rows["dataset"].unique())
        if (dataset, *rule_on(rule, dataset)) in found
    ]
    return mean_accuracies(pd.concat(parts, ignore_index=True))
