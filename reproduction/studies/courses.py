"""Accuracy, time and memory of classifiers along a stream, every 500 examples."""

from typing import Any

import numpy as np

from oza.evaluation import prequential

from ..record.study import PICKLE_SIZE, PROCESSOR_TIME, cells, study
from .current_peers import N_EXAMPLES, prepared

#: One stream that stays as it is, and others that change at once, gradually, slowly, fast, or as prices did.
STREAMS = ("rbf", "sea", "agrawal", "hyperplane", "rbf-fast", "electricity")

#: Names of `reproduction.studies.current_peers.METHODS`.
ALGORITHMS = (
    *("online_bagging", "online_boosting", "adwin_bagging"),
    *("leveraging_bagging", "adaptive_random_forest", "gradient_boosting"),
)

_REPEATS = 3  # of which the least time counts, as the one that other work on the machine has disturbed least


@study(
    "stream-courses",
    "Classifiers of today on their way through streams",
    {
        "n_seen": int,
        "n_correct": int,  # predicted correctly before they were learned
        "n_majority": int,  # the same for *majority class*
        "n_no_change": int,  # the same for *no change*
        "seconds": float,  # processor time so far
        "megabytes": float,  # size of the classifier now
    },
    smoke=lambda: cells(dataset="sea", algorithm=ALGORITHMS, n_examples=1000),
    thesis=lambda: cells(dataset=STREAMS, algorithm=ALGORITHMS, n_examples=N_EXAMPLES),
    timed=True,
    varying={"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE},
    cost=lambda task: 4.0,
)
def stream_courses(dataset: str, algorithm: str, n_examples: int) -> list[tuple[Any, ...]]:
    """Predict and learn the stream of run number 0 of the study `current-peers`."""
    X, y, make = prepared(dataset, algorithm, n_examples, 0)
    runs = [prequential({"method": make()}, (X, y), every=500, progress=False) for _ in range(_REPEATS)]
    over_all = runs[0].scores.query("over == 'all'")
    accuracies = over_all.pivot(index="n_examples", columns="model", values="accuracy")
    n_correct = accuracies.mul(accuracies.index, axis=0).round().astype(int)
    seconds = np.min([found.costs["seconds"] for found in runs], axis=0)
    counts = n_correct.reset_index()[["n_examples", "method", "majority class", "no change"]]
    rows = zip(counts.to_numpy().tolist(), seconds, runs[0].costs["bytes"], strict=True)
    return [(*counted, float(took), float(size) / 2**20) for counted, took, size in rows]
