"""Classifiers on their way through a stream: what they got right, took and held, every 500 examples."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from oza.evaluation import prequential

from ..record.study import PICKLE_SIZE, PROCESSOR_TIME, Study, grid
from .current_peers import N_EXAMPLES, PeerTask

#: One stream that stays as it is, and others that change at once, gradually, slowly, fast, or as prices did.
STREAMS = ("rbf", "sea", "agrawal", "hyperplane", "rbf-fast", "electricity")

#: Who follows them, names of `reproduction.studies.current_peers.METHODS`.
FOLLOWERS = (
    *("online_bagging", "online_boosting", "adwin_bagging"),
    *("leveraging_bagging", "adaptive_random_forest", "gradient_boosting"),
)

_EVERY = 500
_REPEATS = 3  # of which the least time counts, as the one that other work on the machine has disturbed least


@dataclass(frozen=True, order=True)
class Course:
    """A classifier on the stream of run number 0 of the study `current-peers`."""

    study: ClassVar = "stream-courses"
    dataset: str
    algorithm: str
    n_examples: int


@dataclass(frozen=True)
class Moment:
    n_seen: int
    n_correct: int  # predicted correctly before they were learned
    n_majority: int  # the same for *majority class*
    n_no_change: int  # the same for *no change*
    seconds: float  # processor time so far
    megabytes: float  # size of the classifier now


def follow(task: Course) -> list[Moment]:
    """Let a classifier predict and learn a stream, and look at it every 500 examples."""
    X, y, make = PeerTask(task.dataset, task.algorithm, task.n_examples, run=0).prepared()
    runs = [prequential({"method": make()}, (X, y), every=_EVERY, progress=False) for _ in range(_REPEATS)]
    over_all = runs[0].scores.query("over == 'all'")
    accuracies = over_all.pivot(index="n_examples", columns="model", values="accuracy")
    n_correct = accuracies.mul(accuracies.index, axis=0).round().astype(int)
    seconds = np.min([found.costs["seconds"] for found in runs], axis=0)
    counts = n_correct.reset_index()[["n_examples", "method", "majority class", "no change"]]
    moments = zip(counts.to_numpy().tolist(), seconds, runs[0].costs["bytes"], strict=True)
    return [
        Moment(seen, right, majority, no_change, float(took), float(size) / 2**20)
        for (seen, right, majority, no_change), took, size in moments
    ]


STUDY = Study.of(
    follow,
    "Classifiers of today on their way through streams",
    smoke=lambda: grid(Course, dataset="sea", algorithm=FOLLOWERS, n_examples=1000),
    thesis=lambda: grid(Course, dataset=STREAMS, algorithm=FOLLOWERS, n_examples=N_EXAMPLES),
    timed=True,
    varying={"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE},
    cost=lambda task: 4.0,
)
