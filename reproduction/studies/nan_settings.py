"""The stumps of programs in which 0·log 0 is NaN, by the whole protocol of Table 3.5.

The programs are those of `NanStumpClassifier`: the entropy is NaN for an empty cell of a class, or for an
empty branch as well; the search starts with the first attribute or with none. Each is the same for all data
sets and has no other parameter. The values of an attribute are those that the catalogue
declares, as they are for a program that reads the archive's description. Splits and orders are those of the
study of stumps, and so are the random draws of its ensembles: two programs that choose the same tests have
the same accuracies. `reproduction.printed.explained` decides what the results say of the printed cells.

The cause was found by looking at the results of Table 3.5. Before these runs single stumps and some bags by
the first of the programs had been seen on the data sets that differ, but no online bags.

>>> nan_stumps.measure(nan_stumps.task("class", True, "nursery", "single", 1, 0, 0, 0))
nan_stumps.row(n_test=2592, n_correct=1087)
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd

from oza.datasets import dataset_info
from oza.extend import (
    SingleModel,
    check_choice,
    classify,
    classify_each,
    implements,
    kernel,
    learn,
    log,
    prepare,
    x_log_x,
)

from ..record.study import cells, n_values, study
from .accuracy import GRIDS, Task, tried
from .protocol import CORRECT, Split, n_training

#: What makes the entropy of a test NaN: nothing; a class without examples in a branch that has some; or a
#: branch without examples as well.
EMPTY = ("nothing", "class", "class or branch")


class NanStumps(NamedTuple):
    """Counts of M stumps with K classes and V values of A nominal attributes."""

    class_counts: Annotated[np.ndarray, "K, M"]
    value_counts: Annotated[np.ndarray, "V, K, M"]
    starts: Annotated[np.ndarray, "A + 1"]  # int64: the first value of each attribute, and the end
    of_class: bool  # whether the entropy is NaN if a class is missing,
    of_branch: bool  # and if a branch is empty
    keeps_first: bool


class PreparedNanStumps(NamedTuple):
    models: NanStumps
    tests: np.ndarray  # (M,) int64: the attribute that each model tests


@implements(learn, NanStumps)
def _learn(models, m, examples, n, label, weight):
    models.class_counts[label, m] += weight
    for value in examples.codes[n]:
        if value >= 0:
            models.value_counts[value, label, m] += weight


@kernel
def entropy_left(models, m, attribute):
    """Entropy of the classes, in nats, that a test of an attribute leaves; 0·log 0 and 0 / 0 are NaN."""
    n_all, left = models.class_counts[:, m].sum(), 0.0
    for value in range(models.starts[attribute], models.starts[attribute + 1]):
        n = models.value_counts[value, :, m].sum()
        if n > 0.0 or models.of_branch:
            for count in models.value_counts[value, :, m]:
                share = count / n
                left -= n / n_all * (share * log(share) if models.of_class else x_log_x(share))
    return left


@kernel
def chosen_attribute(models, m):
    """The attribute with the highest gain: an earlier one stays unless the gain of a later one is higher.

    Every comparison with NaN is false, so that a NaN is never higher, and nothing is higher than a NaN.
    """
    best, least = 0, entropy_left(models, m, 0) if models.keeps_first else np.inf
    for attribute in range(len(models.starts) - 1):
        left = entropy_left(models, m, attribute)
        if left < least:
            best, least = attribute, left
    return best


@kernel
def _answer(models, m, attribute, examples, n):
    """Majority class of a branch, or of all examples if it is empty; −1 if there are none."""
    value, counts = examples.codes[n, attribute], models.class_counts[:, m]
    if value >= 0 and models.value_counts[value, :, m].max() > 0.0:
        counts = models.value_counts[value, :, m]
    return counts.argmax() if counts.max() > 0.0 else -1


@implements(classify, NanStumps)
def _classify(models, m, examples, n):
    return _answer(models, m, chosen_attribute(models, m), examples, n)


@implements(prepare, NanStumps)
def _prepare(models):
    tests = np.empty(models.class_counts.shape[1], np.int64)
    for m in range(len(tests)):
        tests[m] = chosen_attribute(models, m)
    return PreparedNanStumps(models, tests)


@implements(classify_each, PreparedNanStumps)
def _classify_each(prepared, examples, n, labels):
    for m in range(len(labels)):
        labels[m] = _answer(prepared.models, m, prepared.tests[m], examples, n)


class NanStumpClassifier(SingleModel):
    """A stump with a branch for each value of a nominal attribute, in which 0·log 0 is NaN.

    The test is the one with the highest information gain. The search starts with the first attribute or, if
    `keeps_first` is false, with none and a gain of minus infinity, and takes a later one if its gain is
    higher. `empty`, one of `EMPTY`, says which empty cells in the counts of an attribute make its gain NaN;
    with "nothing" the stump is that of the library. Values that are missing or not declared have no branch.

    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("nursery", return_X_y=True, as_frame=True)
    >>> [round(NanStumpClassifier(empty).fit(X, y).score(X, y), 4) for empty in ("nothing", "class")]
    [0.7097, 0.419]
    """

    def __init__(self, empty="class", keeps_first=True, categorical_features="auto", categories="auto"):
        self.empty = empty
        self.keeps_first = keeps_first
        self.categorical_features = categorical_features
        self.categories = categories

    def _new_models(self, schema, classes, n_models):
        if not schema.is_categorical.all():
            numeric = np.flatnonzero(~schema.is_categorical).tolist()
            raise ValueError(
                f"columns {numeric} of X are numeric; these stumps test nominal columns only. Declare them "
                "by categorical_features, or put the numbers into bins."
            )
        degree = EMPTY.index(check_choice("empty", self.empty, *EMPTY))
        starts = np.append(0, np.cumsum(schema.sizes))
        return NanStumps(
            np.zeros((len(classes), n_models)),
            np.zeros((int(starts[-1]), len(classes), n_models)),
            starts,
            of_class=degree > 0,
            of_branch=degree > 1,
            keeps_first=bool(self.keeps_first),
        )

    @property
    def entropies_left_(self) -> np.ndarray:
        """Entropy of the classes that a test of each column leaves, in nats, (n_features_in_,)."""
        return np.array([entropy_left(self._models, 0, column) for column in range(self.n_features_in_)])

    @property
    def feature_(self) -> int:
        """Column that is tested."""
        return int(chosen_attribute(self._models, 0))


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
    run = dataset, "decision_stump", algorithm, n_models, repetition, fold, order
    baseline, stump = Task("decision-stumps", *run), NanStumpClassifier(empty, keeps_first)
    examples = baseline.examples()
    values = declared_values(dataset, examples)
    return tried(stump, algorithm, n_models, baseline.seed, dataset, examples, categories=values)


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
