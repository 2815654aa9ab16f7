"""Running times against the number of training examples (KDD Figures 11 and 12).

The times of a study are those of whole training sets. Here the first `n_train` examples of a training
set are learned, in its order number 0, and each measurement is repeated. Recorded times were measured
with nothing else running.
"""

import time
from collections.abc import Mapping
from typing import Any

import pandas as pd

from oza.datasets import dataset_info

from ..record.study import PROCESSOR_TIME, cells, study
from .accuracy import Task, warm_up
from .algorithms import ALGORITHMS
from .protocol import prepare

_TIMED = ("single", "bagging", "online_bagging", "boosting", "online_boosting", "primed_boosting")

#: Numbers of training examples that are recorded; the last is the whole training set.
SIZES: dict[str, tuple[int, ...]] = {
    "census-income": (1000, 2000, 5000, 10000, 20000, 50000, 100000, 199523),
    "covertype-head": (250, 500, 1000, 2000, 4000, 8000, 16000),
}


def _cells(sizes: Mapping[str, tuple[int, ...]], n_models: int, n_repeats: int) -> list[dict[str, Any]]:
    grids = ({"dataset": name, "algorithm": _TIMED, "n_train": some} for name, some in sizes.items())
    of_algorithm = {name: n_models if ALGORITHMS[name].is_ensemble else 1 for name in _TIMED}
    listed = cells(*grids, repeat=range(n_repeats))
    return [cell | {"n_models": of_algorithm[cell["algorithm"]]} for cell in listed]


@study(
    "times-by-size",
    "Running times of ensembles of Naive Bayes by the number of training examples",
    {
        "n_made": int,  # base models made
        "seconds": float,  # processor time to learn, without loading data or compiled code
    },
    smoke=lambda: _cells({"balance": (50,)}, 3, 1),
    thesis=lambda: _cells(SIZES, 100, 5),
    quick=lambda task: task.repeat == 0 and task.n_train <= 5000,
    exhibits=("KDD Figures 11, 12",),
    timed=True,
    varying={"seconds": PROCESSOR_TIME},
)
def times_by_size(
    dataset: str, algorithm: str, n_models: int, n_train: int, repeat: int
) -> tuple[int, float]:
    """Train on the first `n_train` examples; each repeat has its own draws, all have one order."""
    task = Task("times by size", dataset, "naive_bayes", algorithm, n_models, repeat, 0, 0)
    examples = prepare(dataset)
    X, y = examples.X_train[:n_train], examples.y_train[:n_train]
    warm_up(task, examples)
    model = task.estimator()
    start = time.process_time()
    ALGORITHMS[algorithm].learn(model, X, y, len(dataset_info(dataset).classes))
    seconds = time.process_time() - start
    return len(model.estimators_) if ALGORITHMS[algorithm].is_ensemble else 1, seconds


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
