"""Running times against the number of training examples (KDD Figures 11 and 12).

The times of a study are those of whole training sets. Here the first so many examples of one are
learned, in its order number 0, and the clock is started several times. What is recorded was
measured on purpose, with nothing else running; nothing is measured because it is missing.
"""

import time
from collections.abc import Sequence

import pandas as pd

from ..datasets import dataset_info
from .extra import kept, recorded_extra
from .protocol import prepare
from .runner import warm_up, without_warnings_of_bounds
from .study import ALGORITHMS, Task

TIMED = ("single", "bagging", "online_bagging", "boosting", "online_boosting", "primed_boosting")
_BASE_MODEL = "naive_bayes"
_COLUMNS = ["dataset", "algorithm", "n_train", "repeat", "n_made", "seconds"]

#: Numbers of training examples that are recorded; the last is the whole training set.
SIZES: dict[str, tuple[int, ...]] = {
    "census-income": (1000, 2000, 5000, 10000, 20000, 50000, 100000, 199523),
    "covertype-head": (250, 500, 1000, 2000, 4000, 8000, 16000),
}


def training_times(
    dataset: str, sizes: Sequence[int], n_models: int = 100, n_repeats: int = 5
) -> pd.DataFrame:
    """Time how long ensembles of Naive Bayes take to learn the first examples of a training set.

    Parameters
    ----------
    dataset : str
        Name in the catalogue; its first split is taken.
    sizes : sequence of int
        Numbers of training examples.
    n_models : int, default=100
        Base models in an ensemble (100 in the paper).
    n_repeats : int, default=5
        How often the clock is started; online algorithms draw afresh each time.

    Returns
    -------
    DataFrame
        Columns dataset, algorithm, n_train, repeat, n_made (base models at the end) and seconds:
        processor time to learn, without loading data or compiled code and without testing.

    Raises
    ------
    DatasetUnavailableError
        If the data cannot be had.

    Examples
    --------
    >>> from oza.experiments import training_times
    >>> times = training_times("balance", [100, 400], n_models=3, n_repeats=1)
    >>> times.groupby("n_train")["algorithm"].count().to_dict()
    {100: 6, 400: 6}
    """
    n_classes = len(dataset_info(dataset).classes)
    rows = []
    for algorithm in TIMED:
        is_ensemble = ALGORITHMS[algorithm].is_ensemble
        tasks = [task_by_size(dataset, algorithm, repeat, n_models) for repeat in range(n_repeats)]
        examples = prepare(tasks[0])
        with without_warnings_of_bounds():
            warm_up(tasks[0], examples)
            for n_train in sizes:
                X, y = examples.X_train[:n_train], examples.y_train[:n_train]
                for repeat, task in enumerate(tasks):
                    model = task.estimator()
                    start = time.process_time()
                    ALGORITHMS[algorithm].learn(model, X, y, n_classes)
                    seconds = time.process_time() - start
                    n_made = len(model.estimators_) if is_ensemble else 1
                    rows.append((dataset, algorithm, len(y), repeat, n_made, seconds))
    return pd.DataFrame(rows, columns=_COLUMNS)


def task_by_size(dataset: str, algorithm: str, repeat: int, n_models: int = 100) -> Task:
    """Name the task whose training set is cut; the repeat has draws of its own."""
    is_ensemble = ALGORITHMS[algorithm].is_ensemble
    return Task(
        "times by size", dataset, _BASE_MODEL, algorithm, n_models if is_ensemble else 1, repeat, 0, 0
    )


def record_training_times(dataset: str) -> pd.DataFrame:
    """Measure and record the times of ensembles of 100, unless they are recorded.

    Parameters
    ----------
    dataset : str
        A name in `SIZES`.

    Returns
    -------
    DataFrame
        As of `training_times`; each row with what it was made with.
    """
    return kept(_name(dataset), lambda: training_times(dataset, SIZES[dataset]))


def load_training_times() -> pd.DataFrame:
    """Read all recorded times, as `training_times` gives them; no rows if there are none.

    Raises
    ------
    ValueError
        As for `check_one_sitting`.
    """
    recorded = [rows for dataset in SIZES if (rows := recorded_extra(_name(dataset))) is not None]
    if not recorded:
        return pd.DataFrame(columns=_COLUMNS)
    rows = pd.concat(recorded, ignore_index=True)
    check_one_sitting(rows, "Training times by size")
    return rows


def check_one_sitting(rows: pd.DataFrame, what: str) -> None:
    """Refuse times that cannot stand in one table.

    Times can be compared if the same sources of the library took them on the same kind of processor.

    Parameters
    ----------
    rows : DataFrame
        Times, with the columns `source` and `processor` of `Provenance` if they were recorded; times
        that were measured just now have neither.
    what : str
        What the table is called in the message.

    Raises
    ------
    ValueError
        If there is more than one source or more than one processor.

    Examples
    --------
    >>> from oza.experiments.times import check_one_sitting
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


def _name(dataset: str) -> str:
    return f"times/{dataset}-{_BASE_MODEL}"
