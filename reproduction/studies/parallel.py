"""How much sooner bagging is done with two threads, and why boosting has to wait."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar
from unittest import mock

import pandas as pd

from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.ensembles.bagging import classifier as bagging
from oza.models import DecisionStumpClassifier, NaiveBayesClassifier, NeuralNetworkClassifier

from ..columns import nominal_columns
from ..record.study import PROCESSOR_TIME, cells, study
from .protocol import digest, prepare

#: Base models that can be trained in threads.
BASES: dict[str, Callable[[], Any]] = {
    "naive_bayes": NaiveBayesClassifier,
    "decision_stump": DecisionStumpClassifier,
    "neural_network": lambda: NeuralNetworkClassifier(random_state=0),
}


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


@study(
    "times-parallel",
    "Times of bagging in one and in two threads",
    {
        "digest": str,  # of the predictions of every model
        "seconds": float,  # elapsed, which depends on what else the machine does
        "cpu": float,  # processor time of all threads together
        "critical": float,  # of the main thread and of the slowest other one: time if each has a processor
    },
    smoke=lambda: cells(dataset="balance", base_model="naive_bayes", n_jobs=(1, 2), repetition=0),
    thesis=lambda: cells(
        dataset=("nursery", "chess", "synthetic2"), base_model=BASES, n_jobs=(1, 2), repetition=range(10)
    ),
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 18",),
    timed=True,
    varying={
        "seconds": "elapsed times, which differ from run to run",
        "cpu": PROCESSOR_TIME,
        "critical": PROCESSOR_TIME,
    },
)
def times_parallel(
    dataset: str, base_model: str, n_jobs: int, repetition: int
) -> tuple[str, float, float, float]:
    """Bagging on the first split of a data set, in this many threads."""
    split = prepare(dataset)
    nominal = {"categorical_features": nominal_columns(split.X_train)}
    model = BaggingClassifier(BASES[base_model](), 40, random_state=0, n_jobs=n_jobs, **nominal)
    model.fit(split.X_train[:100], split.y_train[:100])  # loads the kernels
    _ClockedThreads.spent.clear()
    with mock.patch.object(bagging, "ThreadPoolExecutor", _ClockedThreads):
        start = time.perf_counter(), time.process_time(), time.thread_time()
        model.fit(split.X_train, split.y_train)
        end = time.perf_counter(), time.process_time(), time.thread_time()
    seconds, cpu, main = (after - before for before, after in zip(start, end, strict=True))
    slowest = max(_ClockedThreads.spent, default=0.0)
    return digest(model.predict_each(split.X_test)), seconds, cpu, main + slowest


def speed_up(times: pd.DataFrame) -> pd.DataFrame:
    """Compare one thread with two, for each dataset and base model.

    `critical` is how many times as fast two threads are that each have a processor, by the medians of
    `critical` over the repetitions, `elapsed` the same by the medians of the elapsed time; `at_once` says
    whether in some repetition two threads took less elapsed than processor time, so that they ran at the same
    time, `same` whether all predictions are the same in one thread and in two, `repetitions` the least number
    of them.
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

    Counts of `models` after the first, and of those `changed`.
    """
    split = prepare(dataset)
    X, y = split.X_train, split.y_train
    stump, nominal = DecisionStumpClassifier(), {"categorical_features": nominal_columns(X)}
    boosted = AdaBoostClassifier(stump, n_models, **nominal).fit(X, y).predict_each(X)
    trained_first = DecisionStumpClassifier(**nominal).fit(X, y).predict(X)[:, None]
    bag = BaggingClassifier(stump, n_models, random_state=0, **nominal)
    in_turn = bag.fit(X, y).predict_each(X)
    together = bag.set_params(n_jobs=2).fit(X, y).predict_each(X)
    found = {"boosting": (boosted, trained_first), "bagging": (in_turn, together)}
    rows = [
        (name, one.shape[1] - 1, int((one != other).any(axis=0)[1:].sum()))
        for name, (one, other) in found.items()
    ]
    return pd.DataFrame(rows, columns=["algorithm", "models", "changed"])
