"""The studies of accuracies and of running times: grids with a task for each cell (`GRIDS`).

Every other study is declared in the module that measures it; `reproduction.topics.studies` lists all of them.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.compare.algorithms import ALGORITHMS_OF, ONE_PASS
from oza.datasets import DatasetInfo, dataset_info, list_datasets
from oza.kernels.random import key_of
from oza.models import DecisionTreeClassifier

from ..paths import DATA
from ..record.study import PROCESSOR_TIME, Study, n_values
from .algorithms import ALGORITHMS, BASE_MODELS, UPDATE_PROBABILITIES
from .protocol import Split, count_correct, digest, prepare

#: Studies with the results of a former setting, and those with the present one. They differ in how trees
#: treat numbers: formerly as symbols or bins.
FORMER_SETTINGS = {"decision-trees-of-symbols": "decision-trees"}

#: The study of trees that are not pruned. The thesis says of the trees of its boosting that they are pruned
#: (p. 32), and nothing of those of its bagging; those of `decision-trees` are all pruned.
UNPRUNED = "unpruned-decision-trees"

_DRAWS_OF = FORMER_SETTINGS | {UNPRUNED: "decision-trees"}


@dataclass(frozen=True, order=True)
class Task:
    """One cell of a study's grid: everything that its result depends on."""

    study: str
    dataset: str
    base_model: str  # a name in `BASE_MODELS`
    algorithm: str  # a name in `ALGORITHMS`
    n_models: int  # in the ensemble; 1 for a single model
    repetition: int  # of the cross-validation; with a supplied split, of the run
    fold: int  # number of the fold that is the test set; 0 with a supplied split
    order: int  # number of the order of the training examples

    @property
    def seed(self) -> int:
        """Key of all random draws in the estimator; other settings of trees have that of the present one."""
        return key_of(*astuple(replace(self, study=_DRAWS_OF.get(self.study, self.study))))

    @property
    def numeric(self) -> np.ndarray:
        """Mask of the columns that are numbers for the base model (see `reproduction.studies.protocol`)."""
        return numeric_columns("" if self.study in FORMER_SETTINGS else self.base_model, self.dataset)

    def examples(self) -> Split:
        return prepare(self.dataset, self.repetition, self.fold, self.order, bool(self.numeric.any()))

    def estimator(self) -> Any:
        base = DecisionTreeClassifier() if self.study == UNPRUNED else BASE_MODELS[self.base_model]()
        return declared(ALGORITHMS[self.algorithm].make(base, self.n_models, self.seed), self.numeric)

    def trained(self, X: np.ndarray, y: np.ndarray) -> Any:
        """Let a new estimator learn training examples."""
        estimator, n_classes = self.estimator(), len(dataset_info(self.dataset).classes)
        ALGORITHMS[self.algorithm].learn(estimator, X, y, n_classes)
        return estimator

    def __str__(self) -> str:
        return (
            f"{self.study}: {self.algorithm} of {self.base_model} on {self.dataset} "
            f"(models {self.n_models}, repetition {self.repetition}, fold {self.fold}, order {self.order})"
        )


def numeric_columns(base_model: str, dataset: str) -> np.ndarray:
    """Mask of the columns that are numbers for a base model: only for trees, on small data sets."""
    info = dataset_info(dataset)
    tests_thresholds = base_model == "decision_tree" and is_small(info)
    return np.array([tests_thresholds and attribute.holds_numbers for attribute in info.attributes])


def examples_for(base_model: str, dataset: str, repetition: int, fold: int) -> Split:
    """Examples as a base model gets them, in the first order."""
    return prepare(dataset, repetition, fold, 0, bool(numeric_columns(base_model, dataset).any()))


def declared(classifier: Any, numeric: np.ndarray) -> Any:
    """Declare to an untrained classifier which columns are numbers; the codes in all others are nominal."""
    return classifier.set_params(categorical_features=~numeric)


@dataclass(frozen=True)
class Result:
    """Measurements of a task: equal digests, equal predictions."""

    n_train: int
    n_test: int
    n_correct: int
    digest: str
    train_seconds: float  # processor times, the only values that may differ between runs
    test_seconds: float


_WARM_UP = 20  # examples; enough to load every kernel before timing starts


def compute(task: Task) -> Result:
    """Train and test one classifier.

    >>> result = compute(Task("naive-bayes", "balance", "naive_bayes", "single", 1, 0, 0, 0))
    >>> result.n_train, result.n_test, result.n_correct, result.digest
    (500, 125, 117, '...')
    """
    examples = task.examples()
    learn = ALGORITHMS[task.algorithm].learn
    n_classes = len(dataset_info(task.dataset).classes)
    if task.study in GRIDS and GRIDS[task.study].timed:
        warm_up(task, examples)
    estimator = task.estimator()
    start = time.process_time()
    learn(estimator, examples.X_train, examples.y_train, n_classes)
    trained = time.process_time()
    predicted = estimator.predict(examples.X_test)
    tested = time.process_time()
    return Result(
        n_train=len(examples.y_train),
        n_test=len(examples.y_test),
        n_correct=int(np.sum(predicted == examples.y_test)),
        digest=digest(predicted),
        train_seconds=trained - start,
        test_seconds=tested - trained,
    )


def warm_up(task: Task, examples: Split) -> None:
    """Load every kernel that a task needs, so that loading is not timed."""
    few = slice(_WARM_UP)
    task.trained(examples.X_train[few], examples.y_train[few]).predict(examples.X_test[few])


def tried(
    base: Any, algorithm: str, n_models: int, seed: int, dataset: str, examples: Split, /, **columns: Any
) -> tuple[int, int]:
    """Train an algorithm over a base model on a split of a data set, and count what it classifies correctly.

    `columns` are parameters of the classifier that say what its columns are.

    >>> from oza.models import NaiveBayesClassifier
    >>> examples = prepare("balance")
    >>> tried(NaiveBayesClassifier(), "single", 1, 0, "balance", examples, categorical_features=range(4))
    (125, 117)
    """
    chosen = ALGORITHMS[algorithm]
    classifier = chosen.make(base, n_models, seed).set_params(**columns)
    chosen.learn(classifier, examples.X_train, examples.y_train, len(dataset_info(dataset).classes))
    return count_correct(classifier, examples)


@dataclass(frozen=True)
class Grid:
    """Extent of a grid in a profile."""

    n_models: int
    repetitions: int
    folds: int
    orders: int  # of each training set, for online algorithms
    batch_orders: int = 1  # for the others
    wants: Callable[[DatasetInfo], bool] = lambda info: True  # whether a data set is included


#: Largest number of examples of the data sets on which the thesis runs decision trees.
SMALL = 13_000


def is_small(info: DatasetInfo) -> bool:
    """Whether the thesis runs decision trees on a data set (KDD adds Soybean-Large)."""
    return info.n_train + info.n_test <= SMALL


def _is_tiny_and_generated(info: DatasetInfo) -> bool:
    return info.generated and info.n_train + info.n_test < 2_000  # primed trees on Nursery take a minute


def _is_available(info: DatasetInfo) -> bool:
    return info.name != "covertype"  # only `covertype-head` is available


#: Profiles of an accuracy study. `thesis` is the protocol of its section 3.5.1, `quick` a part of it. In
#: `thesis`, cells that take long have as many repetitions as `precision.repetitions_needed` requires.
_ACCURACY = {
    "smoke": Grid(10, repetitions=1, folds=2, orders=2, wants=_is_tiny_and_generated),
    "quick": Grid(100, repetitions=1, folds=5, orders=1, wants=_is_available),
    "thesis": Grid(100, repetitions=10, folds=5, orders=5),
}

#: Profiles of a timing study: one split, and an order for each measurement.
_TIMES = {
    "smoke": Grid(10, 1, 1, orders=1, wants=_is_tiny_and_generated),
    "quick": Grid(100, 1, 1, orders=1, wants=_is_available),
    "thesis": Grid(100, 1, 1, orders=5, batch_orders=5),
}

#: Nanoseconds per value and base model in online bagging.
_PACE = {
    "naive_bayes": 0.1,
    "decision_stump": 0.1,
    "neural_network": 2.0,
    "neural_network_10": 13.0,
    "decision_tree": 20.0,
}

#: Relative cost of other algorithms.
_EFFORT = {"online_arc_x4": 10.0} | dict.fromkeys(
    ("online_boosting", "online_boosting_tested_before", "primed_boosting", "blocked_boosting"), 5.0
)


def cost(task: Task) -> float:
    pace = 1e-9 * _PACE[task.base_model] * _EFFORT.get(task.algorithm, 3.0)
    return 0.005 + n_values(task.dataset) * (1e-8 + pace * task.n_models)


@dataclass(frozen=True, eq=False)
class GridStudy(Study):
    """A study of accuracies or of times, with a task for each cell of a grid."""

    task: type = Task
    row: type = Result
    tasks: Callable[[str], Iterable[Any]] = field(init=False)
    measure: Callable[[Any], Any] = compute
    varying: Mapping[str, str] = field(
        default_factory=lambda: dict.fromkeys(("train_seconds", "test_seconds"), PROCESSOR_TIME)
    )
    cost: Callable[[Any], float] = cost
    algorithms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # run over each base model
    only_small: bool = False  # the large data sets are excluded
    large_once: bool = False  # large data sets are run with one repetition and one order of every algorithm
    once: bool = False  # all data sets are run this way

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", self._tasks)

    def _tasks(self, profile: str) -> list[Task]:
        return sorted(self.cells(profile, fewer_repetitions() if profile == "thesis" else {}))

    def grid(self, profile: str, info: DatasetInfo) -> Grid | None:
        """Extent of the study on a data set in a profile; None if it is excluded."""
        grid = (_TIMES if self.timed else _ACCURACY)[profile]
        small = is_small(info)
        if not grid.wants(info) or (self.only_small and not small):
            return None
        if self.name in FORMER_SETTINGS and not any(column.holds_numbers for column in info.attributes):
            return None  # nothing differs from the present setting
        once = self.once or (self.large_once and not small)
        return replace(grid, repetitions=1, orders=1, batch_orders=1) if once else grid

    def cells(self, profile: str, fewer: Mapping[tuple[str, str, str, str], int]) -> Iterator[Task]:
        """Yield the tasks; the cells in `fewer` have the number of repetitions given there."""
        for info in map(dataset_info, list_datasets()):
            grid = self.grid(profile, info)
            if grid is None:
                continue
            folds = grid.folds if info.split == "five-fold" else 1
            for base_model, names in self.algorithms.items():
                for name in names:
                    algorithm = ALGORITHMS[name]
                    n_models = grid.n_models if algorithm.is_ensemble else 1
                    repetitions = grid.repetitions
                    orders = grid.orders if algorithm.is_online else grid.batch_orders
                    if (self.name, info.name, base_model, name) in fewer:
                        repetitions, orders = fewer[self.name, info.name, base_model, name], 1
                    for repetition, fold, order in product(range(repetitions), range(folds), range(orders)):
                        yield Task(self.name, info.name, base_model, name, n_models, repetition, fold, order)


#: By study of accuracies: the algorithms over each base model, and what accuracies and times are shown in.
_MAIN: dict[str, tuple[dict[str, tuple[str, ...]], tuple[str, ...], tuple[str, ...]]] = {
    "naive-bayes": (
        {"naive_bayes": ALGORITHMS_OF["naive_bayes"]},
        ("Tables 3.4, 4.2", "Figures 3.5, 4.7, 4.13, 4.14", "KDD Figures 3, 4, 7"),
        ("Tables 3.9, 4.8", "KDD Figures 11, 12"),
    ),
    "decision-stumps": (
        {"decision_stump": ALGORITHMS_OF["decision_stump"]},
        ("Tables 3.5, 4.3", "Figures 3.6, 4.8, 4.15, 4.16"),
        ("Tables 3.10, 4.9",),
    ),
    "neural-networks": (
        {"neural_network": ALGORITHMS_OF["neural_network"], "neural_network_10": ONE_PASS},
        ("Tables 3.6, 3.7, 4.4-4.6", "Figures 3.7-3.10, 4.9, 4.10, 4.17-4.20"),
        ("Tables 3.11, 4.10-4.12",),
    ),
    "decision-trees": (
        {"decision_tree": ALGORITHMS_OF["decision_tree"]},
        ("Tables 3.3, 4.1", "Figures 3.4, 4.6, 4.11, 4.12", "KDD Figures 3, 4, 7"),
        ("Tables 3.8, 4.7",),
    ),
}

#: The studies of accuracies and of times by name, those that cost least first.
GRIDS: dict[str, GridStudy] = {
    study.name: study
    for study in (
        *(
            GridStudy(
                name,
                f"Accuracy of ensembles of {name.replace('-', ' ')}",
                exhibits=exhibits,
                algorithms=algorithms,
                large_once=name == "decision-trees",
            )
            for name, (algorithms, exhibits, _) in _MAIN.items()
        ),
        GridStudy(
            "decision-trees-of-symbols",
            "Former setting: decision trees to which all numbers are symbols or bins",
            exhibits=("Tables 3.3, 4.1",),
            algorithms=_MAIN["decision-trees"][0],
            only_small=True,
        ),
        GridStudy(
            UNPRUNED,
            "Accuracy of bagged decision trees that are not pruned",
            algorithms={"decision_tree": ("single", "bagging", "online_bagging")},
            large_once=True,
        ),
        GridStudy(
            "earlier-ensembles",
            "Accuracy of earlier online ensembles of decision trees",
            exhibits=("Figures 2.10-2.12, 2.14, 2.15, 2.17-2.19",),
            algorithms={
                "decision_tree": (
                    "blocked_boosting",
                    "online_arc_x4",
                    *(f"fixed_fraction_bagging_{p}" for p in UPDATE_PROBABILITIES),
                )
            },
            only_small=True,
        ),
        GridStudy(
            "boosting-tested-before",
            "Accuracy of online boosting whose models are tested before they learn",
            algorithms={base_model: ("online_boosting_tested_before",) for base_model in BASE_MODELS},
            once=True,
        ),
        *(
            GridStudy(
                f"times-{name}",
                f"Running times of ensembles of {name.replace('-', ' ')}",
                exhibits=exhibits,
                timed=True,
                algorithms=algorithms,
                only_small=name == "decision-trees",
                large_once=name == "neural-networks",  # one run of each takes eight minutes in all
            )
            for name, (algorithms, _, exhibits) in _MAIN.items()
        ),
    )
}


@cache
def fewer_repetitions() -> dict[tuple[str, str, str, str], int]:
    """Repetitions of the cells that `thesis` does not run in full, from `data/reference`.

    The keys are study, data set, base model and algorithm. These are the cells of which the missing
    runs would have taken more than a minute of a core when the table was made; they have one order.
    """
    table = pd.read_csv(DATA / "reference" / "repetitions.csv")
    return {tuple(cell): repetitions for *cell, repetitions in table.itertuples(index=False)}


def size_of_protocol(study: str) -> int:
    """Count the runs of the thesis's protocol, those included that `fewer_repetitions` leaves out.

    >>> from reproduction.topics import tasks
    >>> size_of_protocol("neural-networks") > len(tasks("neural-networks", "thesis"))
    True
    """
    return sum(1 for _ in GRIDS[study].cells("thesis", {}))
