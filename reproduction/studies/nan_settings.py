"""The stumps of programs in which 0·log 0 is NaN, by the whole protocol of Table 3.5.

The programs are those of `reproduction.studies.nan_stump`: the entropy is NaN for an empty cell of a
class, or for an empty branch as well; the search starts with the first attribute or with none. Each is the
same for all data sets and has no other parameter. The values of an attribute are those that the catalogue
declares, as they are for a program that reads the archive's description. Splits and orders are those of the
study of stumps, and so are the random draws of its ensembles: two programs that choose the same tests have
the same accuracies. `reproduction.printed.explained` decides what the results say of the printed cells.

The cause was found by looking at the results of Table 3.5. Before these runs single stumps and some bags by
the first of the programs had been seen on the data sets that differ, but no online bags.

>>> nan_stumps.measure(nan_stumps.task("class", True, "nursery", "single", 1, 0, 0, 0))
nan_stumps.row(n_test=2592, n_correct=1087)
"""

from typing import Any

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..record.study import cells, n_values, study
from .accuracy import GRIDS, Task
from .algorithms import ALGORITHMS
from .nan_stump import EMPTY, NanStumpClassifier
from .protocol import CORRECT, Split, count_correct, n_training, prepare

#: The data sets on which such stumps had been seen before: those whose printed cells differ from ours. Of
#: Census Income the share of the largest class had been compared, which is the accuracy of such a stump.
SEEN = ("promoters", "breast-cancer", "chess", "mushroom", "nursery", "census-income")

_COLUMNS = ("single", "bagging", "online_bagging")


def _cells(profile: str) -> list[dict[str, Any]]:
    """List the runs of all programs on the splits and orders of a profile of the study of stumps."""
    fields = ("dataset", "algorithm", "n_models", "repetition", "fold", "order")
    baseline = [
        {name: getattr(task, name) for name in fields}
        for task in GRIDS["decision-stumps"].tasks(profile)
        if task.algorithm in _COLUMNS and task.dataset != "covertype"  # which is not available
    ]
    return cells(*baseline, empty=EMPTY[1:], keeps_first=(True, False))


@study(
    "nan-stumps",
    "Decision stumps of a program in which 0 log 0 is NaN",
    CORRECT,
    smoke=lambda: _cells("smoke"),
    thesis=lambda: _cells("thesis"),
    quick=lambda task: task.repetition == task.order == 0,
    exhibits=("Table 3.5",),
    cost=lambda task: 0.005 + 3e-9 * n_values(task.dataset) * task.n_models,
)
def nan_stumps(
    empty: str,  # which empty cells make an entropy NaN
    keeps_first: bool,  # whether the search starts with the first attribute
    dataset: str,
    algorithm: str,
    n_models: int,
    repetition: int,
    fold: int,
    order: int,
) -> tuple[int, int]:
    """The stumps of a program on a split, with the random draws of the study of stumps."""
    place = dataset, "decision_stump", algorithm, n_models, repetition, fold, order
    seed = Task("decision-stumps", *place).seed
    classifier = ALGORITHMS[algorithm].make(NanStumpClassifier(empty, keeps_first), n_models, seed)
    examples = prepare(dataset, repetition, fold, order)
    classifier.set_params(categories=declared_values(dataset, examples))
    return count_correct(classifier.fit(examples.X_train, examples.y_train), examples)


def declared_values(dataset: str, examples: Split) -> list[Any]:
    """The values of each column as codes: those that are declared, and all bins of numbers."""
    declared = [len(attribute.values or ()) for attribute in dataset_info(dataset).attributes]
    return [np.arange(size) for size in np.maximum(declared, examples.X_train.max(axis=0) + 1)]


def program_name(empty: str, keeps_first: bool) -> str:
    """Name a program in words.

    >>> program_name("class", True)
    'NaN for an empty class, first attribute kept'
    """
    return f"NaN for an empty {empty}, {'first attribute kept' if keeps_first else 'no attribute kept'}"


def by_program(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Give the recorded rows of each program, by its name, as the rows of a study of accuracies."""
    n_train = [*map(n_training, rows["dataset"], rows["fold"])]
    rows = rows.assign(base_model="decision_stump", n_train=n_train)
    names = list(map(program_name, rows["empty"], rows["keeps_first"]))
    return {str(name): part for name, part in rows.groupby(names, sort=False)}
