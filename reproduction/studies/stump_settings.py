"""One rule of the stumps for all data sets, in search of the thesis's, alone and bagged.

The rules are those of `reproduction.studies.stump_rules`: the criterion, a branch for each value or a test
of one value, all attributes or the first, numbers in bins or tested by thresholds. Each is a rule for all
data sets. The choice and the test are those of `reproduction.studies.held_out`, over the columns Single and
Bagging of Table 3.5. Online bagging is left out: stumps are lossless, so that it is bagging with other
samples. The single stumps of all rules had been seen on each data set when this was fixed, the bags had
not. If the choice passes the test, the stumps are to be grown by that rule; if not, the present one stays.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd

from ..record.study import Study
from .accuracy import Task, numeric_columns
from .algorithms import ALGORITHMS
from .held_out import DATASETS, mean_accuracies, splits
from .protocol import Correct, prepare
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
    numeric = _numeric(dataset)[: 1 if rule.only_first else None]
    if not numeric.any():
        rule = rule._replace(thresholds=False)
    if rule.thresholds and numeric.all():
        rule = rule._replace(binary=False)
    if rule.only_first and not rule.binary and not rule.thresholds:
        rule = rule._replace(criterion=RULES[0])
    return rule


@dataclass(frozen=True, order=True)
class StumpTrial:
    """A rule on a split, single or bagged; an ensemble has `n_models` stumps."""

    study: ClassVar = "stump-settings"
    criterion: str
    binary: bool
    only_first: bool
    thresholds: bool
    dataset: str
    algorithm: str
    n_models: int
    repetition: int
    fold: int

    @property
    def rule(self) -> StumpRule:
        return StumpRule(self.criterion, self.binary, self.only_first, self.thresholds)


def classify(trial: StumpTrial) -> Correct:
    """Train and test one classifier, with the random draws of the study of stumps.

    >>> classify(StumpTrial("training error", False, True, False, "nursery", "single", 1, 0, 0))
    Correct(n_test=2592, n_correct=1087)
    """
    place = trial.repetition, trial.fold
    of_model = "decision-stumps", trial.dataset, "decision_stump"
    usual = Task(*of_model, trial.algorithm, trial.n_models, *place, order=0)
    numeric = _numeric(trial.dataset) if trial.thresholds else None
    stump = RuleStump(trial.criterion, trial.binary, 1 if trial.only_first else None, numeric)
    examples = prepare(trial.dataset, *place, with_numbers=trial.thresholds)
    classifier = ALGORITHMS[trial.algorithm].make(stump, trial.n_models, usual.seed)
    classifier.fit(examples.X_train, examples.y_train)
    n_correct = int(np.sum(classifier.predict(examples.X_test) == examples.y_test))
    return Correct(len(examples.y_test), n_correct)


def _numeric(dataset: str) -> np.ndarray:
    return numeric_columns("decision_tree", dataset)


def trials(
    rules: Iterable[StumpRule], datasets: Iterable[str] = DATASETS, n_models: int = 100
) -> list[StumpTrial]:
    """List the runs of rules on data sets, single and bagged; rules that are the same there come once."""
    every = (
        StumpTrial(*rule_on(rule, dataset), dataset, algorithm, size, repetition, fold)
        for dataset, rule in product(datasets, rules)
        for algorithm, size in (("single", 1), ("bagging", n_models))
        for repetition, fold in splits(dataset, ALGORITHMS[algorithm].is_ensemble)
    )
    return list(dict.fromkeys(every))


def means() -> pd.DataFrame:
    """Read the mean accuracies of every rule, named in words: the `means` of `held_out.judged_cells`."""
    rows = STUDY.recorded("thesis")
    rules = [trial.rule for trial in STUDY.tasks_in(rows)]
    parts = []
    for rule in SETTINGS:
        same = {dataset: rule_on(rule, dataset) for dataset in rows["dataset"].unique()}
        is_it = [rules[place] == same[dataset] for place, dataset in enumerate(rows["dataset"])]
        parts.append(rows[is_it].assign(setting=str(rule)))
    return mean_accuracies(pd.concat(parts, ignore_index=True))


STUDY = Study.of(
    classify,
    "One rule of the stumps for all data sets, chosen on half of them",
    smoke=lambda: [trial for trial in trials(SETTINGS[:2], ["balance"], 2) if trial.repetition == 0],
    thesis=lambda: trials(SETTINGS),
    quick=lambda trial: trial.dataset in ("balance", "car-evaluation") and trial.repetition == 0,
)
