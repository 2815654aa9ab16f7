"""Running times against the number of training examples (KDD Figures 11 and 12).

The times of a study are those of whole training sets. Here the first `n_train` examples of a training
set are learned, in its order number 0, and each measurement is repeated. Recorded times were measured
with nothing else running.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import pandas as pd

from oza.datasets import dataset_info

from ..record.study import PROCESSOR_TIME, Study
from .accuracy import Task, warm_up
from .algorithms import ALGORITHMS
from .protocol import prepare

TIMED = ("single", "bagging", "online_bagging", "boosting", "online_boosting", "primed_boosting")

#: Numbers of training examples that are recorded; the last is the whole training set.
SIZES: dict[str, tuple[int, ...]] = {
    "census-income": (1000, 2000, 5000, 10000, 20000, 50000, 100000, 199523),
    "covertype-head": (250, 500, 1000, 2000, 4000, 8000, 16000),
}


@dataclass(frozen=True, order=True)
class Timing:
    """Measurement number `repeat` of an ensemble of Naive Bayes that learns the first `n_train` examples."""

    study: ClassVar = "times-by-size"
    dataset: str
    algorithm: str
    n_models: int
    n_train: int
    repeat: int


@dataclass(frozen=True)
class Learned:
    """Number of base models made, and processor time to learn, without loading data or compiled code."""

    n_made: int
    seconds: float


def learn(timing: Timing) -> Learned:
    task = task_by_size(timing.dataset, timing.algorithm, timing.repeat, timing.n_models)
    algorithm = ALGORITHMS[timing.algorithm]
    examples = prepare(timing.dataset)  # one order for all repeats
    X, y = examples.X_train[: timing.n_train], examples.y_train[: timing.n_train]
    warm_up(task, examples)
    model = task.estimator()
    start = time.process_time()
    algorithm.learn(model, X, y, len(dataset_info(timing.dataset).classes))
    seconds = time.process_time() - start
    return Learned(len(model.estimators_) if algorithm.is_ensemble else 1, seconds)


def task_by_size(dataset: str, algorithm: str, repeat: int, n_models: int = 100) -> Task:
    """Task whose training set is truncated; each repeat has its own draws."""
    n_models = n_models if ALGORITHMS[algorithm].is_ensemble else 1
    return Task("times by size", dataset, "naive_bayes", algorithm, n_models, repeat, 0, 0)


def check_one_sitting(rows: pd.DataFrame, what: str) -> None:
    """Refuse to mix times that are not comparable.

    Times are comparable if they were measured with the same sources of the library on the same processor.
    `what` is the name of the table in the message.

    >>> rows = pd.DataFrame({"source": ["1f", "2a"], "processor": "AMD EPYC"})
    >>> check_one_sitting(rows, "Table 3.9")
    Traceback (most recent call last):
    ...
    ValueError: Table 3.9: times were measured with different sources of the library (1f, 2a); measure...
    """
    for column, kind in (("source", "sources of the library"), ("processor", "processors")):
        found = sorted(rows[column].unique()) if column in rows else []
        if len(found) > 1:
            raise ValueError(
                f"{what}: times were measured with different {kind} ({', '.join(found)}); measure all of "
                "them anew, in one sitting: make times"
            )


def timings(dataset: str, sizes: Sequence[int], n_models: int = 100, n_repeats: int = 5) -> list[Timing]:
    """List measurements of every algorithm on the first examples of the first training set.

    >>> from reproduction.studies import STUDIES, timings
    >>> times = STUDIES["times-by-size"].compute(timings("balance", [100, 400], 3, 1))
    >>> times.groupby("n_train")["algorithm"].count().to_dict()
    {100: 6, 400: 6}
    """
    sizes_of = {algorithm: n_models if ALGORITHMS[algorithm].is_ensemble else 1 for algorithm in TIMED}
    cells = product(sizes_of.items(), sizes, range(n_repeats))
    return [Timing(dataset, *ensemble, n_train, repeat) for ensemble, n_train, repeat in cells]


STUDY = Study.of(
    learn,
    "Running times of ensembles of Naive Bayes by the number of training examples",
    smoke=lambda: timings("balance", (50,), 3, 1),
    thesis=lambda: [timing for dataset, sizes in SIZES.items() for timing in timings(dataset, sizes)],
    quick=lambda timing: timing.repeat == 0 and timing.n_train <= 5000,
    exhibits=("KDD Figures 11, 12",),
    timed=True,
    varying={"seconds": PROCESSOR_TIME},
)
