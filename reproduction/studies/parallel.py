"""How much sooner bagging is done with two threads, and why boosting has to wait."""

import hashlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar
from unittest import mock

import pandas as pd

from oza.ensembles import AdaBoostClassifier, BaggingClassifier, bagging
from oza.models import DecisionStumpClassifier, NaiveBayesClassifier, NeuralNetworkClassifier

from ..columns import nominal_columns
from ..record.study import PROCESSOR_TIME, Study
from .protocol import prepare

#: Base models that can be trained in threads.
BASES: dict[str, Callable[[], Any]] = {
    "naive_bayes": NaiveBayesClassifier,
    "decision_stump": DecisionStumpClassifier,
    "neural_network": lambda: NeuralNetworkClassifier(random_state=0),
}
_N_MODELS, _REPETITIONS = 40, 10


@dataclass(frozen=True, order=True)
class Threads:
    """Bagging of a base model on the first split of a data set, in this many threads."""

    dataset: str
    base_model: str
    n_jobs: int
    repetition: int

    study: ClassVar = "times-parallel"


@dataclass(frozen=True)
class Elapsed:
    """What one training took.

    Attributes
    ----------
    digest : str
        Of the predictions of every model.
    seconds : float
        Elapsed time, which depends on what else the machine does.
    cpu : float
        Processor time of all threads together.
    critical : float
        Processor time of the main thread and of the slowest other one: the time that passes if each thread
        has a processor for itself.
    """

    digest: str
    seconds: float
    cpu: float
    critical: float


class _ClockedThreads(ThreadPoolExecutor):
    """Threads that note the processor time of each piece of work in `spent`."""

    spent: ClassVar[list[float]] = []

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        def clocked() -> Any:
            start = time.thread_time()
            try:
                return work(*arguments, **named)
            finally:
                self.spent.append(time.thread_time() - start)

        return super().submit(clocked)


def of_threads(task: Threads) -> Elapsed:
    """Train and time an ensemble."""
    split = prepare(task.dataset)
    model = BaggingClassifier(
        BASES[task.base_model](),
        _N_MODELS,
        random_state=0,
        n_jobs=task.n_jobs,
        categorical_features=nominal_columns(split.X_train),
    )
    model.fit(split.X_train[:100], split.y_train[:100])  # loads the kernels
    _ClockedThreads.spent.clear()
    with mock.patch.object(bagging, "ThreadPoolExecutor", _ClockedThreads):
        start = time.perf_counter(), time.process_time(), time.thread_time()
        model.fit(split.X_train, split.y_train)
        end = time.perf_counter(), time.process_time(), time.thread_time()
    seconds, cpu, main = (after - before for before, after in zip(start, end, strict=True))
    predictions = model.predict_each(split.X_test)
    digest = hashlib.sha256(predictions.astype("<i8").tobytes()).hexdigest()[:16]
    return Elapsed(digest, seconds, cpu, main + max(_ClockedThreads.spent, default=0.0))


def speed_up(times: pd.DataFrame) -> pd.DataFrame:
    """Compare one thread with two, case by case.

    Parameters
    ----------
    times : DataFrame
        Results of the study.

    Returns
    -------
    DataFrame
        A row for each dataset and base_model, with the columns

        - `critical`: how many times as fast two threads are that each have a processor, by the medians of
          `critical` over the repetitions,
        - `elapsed`: the same by the medians of the elapsed time,
        - `at_once`: whether in some repetition two threads took less elapsed than processor time, so that
          they ran at the same time,
        - `same`: whether all predictions are the same in one thread and in two,
        - `repetitions`: the least number of them.
    """
    case = ["dataset", "base_model"]
    medians = times.groupby([*case, "n_jobs"])[["critical", "seconds"]].median().unstack("n_jobs")
    two = times[times["n_jobs"] == 2]
    return pd.DataFrame(
        {
            "critical": medians["critical"][1] / medians["critical"][2],
            "elapsed": medians["seconds"][1] / medians["seconds"][2],
            "at_once": (two["seconds"] < two["cpu"]).groupby([two[name] for name in case]).any(),
            "same": times.groupby(case)["digest"].nunique() == 1,
            "repetitions": times.groupby([*case, "n_jobs"]).size().groupby(case).min(),
        }
    )


def waiting(dataset: str, n_models: int = 20) -> pd.DataFrame:
    """Count the models that training without waiting for the predecessors would change.

    Model number m of an ensemble needs what its predecessors did if it is another one when it is trained
    first: for boosting with the weights of the start, for bagging as it is, from its own sample.

    Parameters
    ----------
    dataset : str
        Name of a data set.
    n_models : int, default=20
        Models in the ensemble.

    Returns
    -------
    DataFrame
        Columns algorithm, models (after the first) and changed.
    """
    split = prepare(dataset)
    X, y = split.X_train, split.y_train
    boosted = (
        AdaBoostClassifier(DecisionStumpClassifier(), n_models, categorical_features=nominal_columns(X))
        .fit(X, y)
        .predict_each(X)
    )
    trained_first = (
        DecisionStumpClassifier(categorical_features=nominal_columns(X)).fit(X, y).predict(X)[:, None]
    )
    bag = BaggingClassifier(
        DecisionStumpClassifier(), n_models, random_state=0, categorical_features=nominal_columns(X)
    )
    in_turn = bag.fit(X, y).predict_each(X)
    together = bag.set_params(n_jobs=2).fit(X, y).predict_each(X)
    found = {"boosting": (boosted, trained_first), "bagging": (in_turn, together)}
    rows = []
    for name, (one, other) in found.items():
        rows.append((name, one.shape[1] - 1, int((one != other).any(axis=0)[1:].sum())))
    return pd.DataFrame(rows, columns=["algorithm", "models", "changed"])


def _tasks(profile: str) -> list[Threads]:
    if profile == "smoke":
        return [Threads("balance", "naive_bayes", n, 0) for n in (1, 2)]
    return [
        Threads(dataset, base, n_jobs, repetition)
        for dataset in ("nursery", "chess", "synthetic2")
        for base in BASES
        for n_jobs in (1, 2)
        for repetition in range(_REPETITIONS if profile == "thesis" else 1)
    ]


STUDY = Study(
    Threads.study,
    "Times of bagging in one and in two threads",
    Threads,
    Elapsed,
    _tasks,
    of_threads,
    ("Mooney's slide 18",),
    timed=True,
    varying={
        "seconds": "elapsed times, which differ from run to run",
        "cpu": PROCESSOR_TIME,
        "critical": PROCESSOR_TIME,
    },
)
