"""Copies and weights, how much sooner bagging is done with two threads, and why boosting has to wait."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.base import clone

import oza
from oza.ensembles.bagging import classifier as bagging

from ..claims.criteria import above, every, nothing_differs
from ..claims.registry import Decision, claim, require
from ..columns import nominal_columns
from ..printed.record import Record
from ..record.study import PROCESSOR_TIME, cells, study
from ..statistics import mean_against_zero
from ..studies.halves import random_half
from ..studies.protocol import digest, prepare

#: Base models that can be trained in threads.
BASES: dict[str, Callable[[], Any]] = {
    "naive_bayes": oza.NaiveBayesClassifier,
    "decision_stump": oza.DecisionStumpClassifier,
    "neural_network": lambda: oza.NeuralNetworkClassifier(random_state=0),
}
#: The learners that claim C135 speaks of.
COUNTING_LEARNERS = ("Naive Bayes", "decision stump", "decision tree", "pruned decision tree")


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
    model = oza.BaggingClassifier(BASES[base_model](), 40, random_state=0, n_jobs=n_jobs, **nominal)
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
    stump, nominal = oza.DecisionStumpClassifier(), {"categorical_features": nominal_columns(X)}
    boosted = oza.AdaBoostClassifier(stump, n_models, **nominal).fit(X, y).predict_each(X)
    trained_first = oza.DecisionStumpClassifier(**nominal).fit(X, y).predict(X)[:, None]
    bag = oza.BaggingClassifier(stump, n_models, random_state=0, **nominal)
    in_turn = bag.fit(X, y).predict_each(X)
    together = bag.set_params(n_jobs=2).fit(X, y).predict_each(X)
    found = {"boosting": (boosted, trained_first), "bagging": (in_turn, together)}
    rows = [
        (name, one.shape[1] - 1, int((one != other).any(axis=0)[1:].sum()))
        for name, (one, other) in found.items()
    ]
    return pd.DataFrame(rows, columns=["algorithm", "models", "changed"])


@claim("C128", evidence=lambda record: (speed_up(record.recorded(times_parallel)), waiting("balance")))
def bagging_is_parallel_and_boosting_waits(speed: pd.DataFrame, waiting: pd.DataFrame) -> Decision:
    """Judge times of bagging in one and in two threads, and the effect of not waiting.

    Each case is timed ten times. The measure is processor time: that of one thread beside that of the main
    thread and of the slowest other one. The claim holds if two threads are at least 1.5 times as fast in the
    geometric mean over the cases, with the whole 95 % interval over the cases; if all models predict the
    same; if no model of a bag changes when the models do not wait for each other; and if at least half of the
    boosted models after the first do change. It fails if the interval lies below 1.5 or one of the other
    conditions is not met. It is undecided unless the threads of each case were seen to run at the same time,
    which a busy machine cannot show.
    """
    enough = len(speed) >= 3 and speed["repetitions"].min() >= 10
    require(enough, "needs three cases or more, each timed ten times")
    ratios = np.log(speed["critical"])
    found = mean_against_zero(ratios)
    low, high = (np.exp(found.difference + sign * found.half_width) for sign in (-1, 1))
    elapsed = float(np.exp(np.log(speed["elapsed"]).mean()))
    shares = waiting.set_index("algorithm")
    changed = shares["changed"] / shares["models"]
    parts = [
        above(ratios, np.log(1.5)),
        bool(speed["at_once"].all()) or None,
        bool(speed["same"].all()),
        bool(changed["bagging"] == 0 and changed["boosting"] >= 0.5),
    ]
    return every(parts), (
        f"two threads {np.exp(found.difference):.2f} ({low:.2f} to {high:.2f}, 95 % interval over "
        f"{len(speed)} cases) times as fast by processor time, {elapsed:.2f} times by elapsed time; "
        f"predictions {'equal' if parts[2] else 'different'}; without waiting {changed['bagging']:.0%} of "
        f"the bagged and {changed['boosting']:.0%} of the boosted models change"
    )


def _replicated(record: Record) -> tuple[dict[str, int], dict[str, int]]:
    """Evidence: the predicted probabilities that differ between copies of examples and their weights."""
    learners: dict[str, Callable[[], Any]] = {
        "Naive Bayes": oza.NaiveBayesClassifier,
        "decision stump": oza.DecisionStumpClassifier,
        "decision tree": oza.DecisionTreeClassifier,
        "pruned decision tree": lambda: oza.DecisionTreeClassifier(prune=True),
        "neural network": lambda: oza.NeuralNetworkClassifier(random_state=0, hidden_units=4),
    }
    half = random_half("balance", 0, 60, seed=1)
    columns = nominal_columns(half.X)
    copies = np.array([(10, 100, 1, 0, 3)[n % 5] for n in range(len(half.y))])
    changed = {}
    for name, make in learners.items():
        learner = make().set_params(categorical_features=columns)
        weighted = clone(learner).fit(half.X, half.y, sample_weight=copies)
        repeated = learner.fit(np.repeat(half.X, copies, axis=0), np.repeat(half.y, copies))
        differs = weighted.predict_proba(half.X_test) != repeated.predict_proba(half.X_test)
        changed[name] = int(differs.any(axis=1).sum())
    return {name: changed[name] for name in COUNTING_LEARNERS}, {"neural network": changed["neural network"]}


@claim("C135", evidence=_replicated)
def copies_are_weights(changed: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge whether copies of examples give the same class probabilities as weights, bit for bit.

    They must be the same on test examples for Naive Bayes, stumps and trees, unpruned and pruned. One learner
    with a difference refutes the claim; it holds only if all four were tried.

    Parameters
    ----------
    changed : mapping
        Number of test examples whose probabilities differ, for each learner that counts.
    control : mapping
        The same for a learner that does not count; if nothing differs there either, the comparison could
        not have seen a difference.
    """
    require(control and all(control.values()), "no control shows that a difference would have been seen")
    summary = "; ".join(f"{name}: {count} differ" for name, count in {**changed, **control}.items())
    return nothing_differs(changed, COUNTING_LEARNERS, summary)
