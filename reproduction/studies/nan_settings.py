"""The stumps of programs in which 0·log 0 is NaN, by the whole protocol of Table 3.5.

The programs are those of `reproduction.studies.nan_stump`: the entropy is NaN for an empty cell of a
class, or for an empty branch as well; the search starts with the first attribute or with none. Each is the
same for all data sets and has no other parameter. The values of an attribute are those that the catalogue
declares, as they are for a program that reads the archive's description. Splits and orders are those of the
study of stumps, and so are the random draws of its ensembles: two programs that choose the same tests have
the same accuracies. `reproduction.tables.explained` decides what the results say of the printed cells.

The cause was found by looking at the results of Table 3.5. Before these runs single stumps and some bags by
the first of the programs had been seen on the data sets that differ, but no online bags.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..record.study import Study, n_values
from .accuracy import GRIDS, Task
from .algorithms import ALGORITHMS
from .nan_stump import EMPTY, NanStumpClassifier
from .protocol import Correct, Split, n_training, prepare

#: The programs: which empty cells make an entropy NaN, and whether the search starts with the first
#: attribute.
PROGRAMS = tuple(product(EMPTY[1:], (True, False)))

#: The data sets on which such stumps had been seen before: those whose printed cells differ from ours. Of
#: Census Income the share of the largest class had been compared, which is the accuracy of such a stump.
SEEN = ("promoters", "breast-cancer", "chess", "mushroom", "nursery", "census-income")

_COLUMNS = ("single", "bagging", "online_bagging")


@dataclass(frozen=True, order=True)
class NanTrial:
    """The stumps of a program on a split, single or in an ensemble of `n_models`."""

    study: ClassVar = "nan-stumps"
    empty: str
    keeps_first: bool
    dataset: str
    algorithm: str
    n_models: int
    repetition: int
    fold: int
    order: int

    @property
    def usual(self) -> Task:
        """The task of the study of stumps that has the same split, order and random draws."""
        place = self.algorithm, self.n_models, self.repetition, self.fold, self.order
        return Task("decision-stumps", self.dataset, "decision_stump", *place)

    def __str__(self) -> str:
        return f"{program_name(self.empty, self.keeps_first)}: {self.usual}"


def program_name(empty: str, keeps_first: bool) -> str:
    """Name a program in words.

    >>> program_name("class", True)
    'NaN for an empty class, first attribute kept'
    """
    return f"NaN for an empty {empty}, {'first attribute kept' if keeps_first else 'no attribute kept'}"


def classify(trial: NanTrial) -> Correct:
    """Train and test one classifier.

    >>> classify(NanTrial("class", True, "nursery", "single", 1, 0, 0, 0))
    Correct(n_test=2592, n_correct=1087)
    """
    examples = prepare(trial.dataset, trial.repetition, trial.fold, trial.order)
    stump = NanStumpClassifier(trial.empty, trial.keeps_first)
    classifier = ALGORITHMS[trial.algorithm].make(stump, trial.n_models, trial.usual.seed)
    classifier.set_params(categories=declared_values(trial.dataset, examples))
    classifier.fit(examples.X_train, examples.y_train)
    n_correct = int(np.sum(classifier.predict(examples.X_test) == examples.y_test))
    return Correct(len(examples.y_test), n_correct)


def declared_values(dataset: str, examples: Split) -> list[Any]:
    """The values of each column as codes: those that are declared, and all bins of numbers."""
    declared = [len(attribute.values or ()) for attribute in dataset_info(dataset).attributes]
    return [np.arange(size) for size in np.maximum(declared, examples.X_train.max(axis=0) + 1)]


def trials(tasks: Iterable[Task]) -> list[NanTrial]:
    """List the runs of all programs on the splits and orders of tasks of the study of stumps."""
    return [
        NanTrial(
            empty, first, task.dataset, task.algorithm, task.n_models, task.repetition, task.fold, task.order
        )
        for task in tasks
        if task.algorithm in _COLUMNS and task.dataset != "covertype"  # which is not available
        for empty, first in PROGRAMS
    ]


def by_program(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Give the recorded rows of each program, by its name, as the rows of a study of accuracies."""
    places = zip(rows["dataset"], rows["fold"], strict=True)
    rows = rows.assign(base_model="decision_stump", n_train=[n_training(*place) for place in places])
    names = list(map(program_name, rows["empty"], rows["keeps_first"]))
    return {str(name): part for name, part in rows.groupby(names, sort=False)}


def _of_profile(profile: str) -> list[NanTrial]:
    return trials(GRIDS["decision-stumps"].tasks(profile))


@cache
def _usual_quick() -> frozenset[Task]:
    return frozenset(GRIDS["decision-stumps"].tasks("quick"))


STUDY = Study.of(
    classify,
    "Decision stumps of a program in which 0 log 0 is NaN",
    smoke=lambda: _of_profile("smoke"),
    thesis=lambda: _of_profile("thesis"),
    quick=lambda trial: trial.usual in _usual_quick(),
    exhibits=("Table 3.5",),
    cost=lambda trial: 0.005 + 3e-9 * n_values(trial.dataset) * trial.n_models,
)
