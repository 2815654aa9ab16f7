"""Six methods on drifting streams: accuracy and memory-hours, example by example."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from oza.datasets import load_dataset
from oza.ensembles import ADWINBaggingClassifier, LeveragingBaggingClassifier, OnlineBaggingClassifier
from oza.evaluation import prequential
from oza.kernels.random import key_of
from oza.models import HoeffdingTreeClassifier

from ..record.study import PICKLE_SIZE, PROCESSOR_TIME, cells, study
from .streams import STREAMS

#: Lengths of the drawn streams: of a quick look, of a longer one, and of the runs that are judged.
SHORT, MEDIUM, LONG = 20_000, 100_000, 1_000_000

#: Recorded streams, in the order in which their examples came; no more than `MEDIUM` of them are used.
RECORDED = ("electricity", "covertype-head")

_leveraging_bagging = partial(LeveragingBaggingClassifier, HoeffdingTreeClassifier(), voting="majority")

#: The methods of the lecture's table, in its order, as functions of the number of trees, of the seed of the
#: draws, and of what is declared about the columns. Each tree has one vote, as printed.
METHODS: dict[str, Callable[..., Any]] = {
    "hoeffding_tree": lambda n_estimators, random_state, **columns: HoeffdingTreeClassifier(**columns),
    "online_bagging": partial(OnlineBaggingClassifier, HoeffdingTreeClassifier()),
    "adwin_bagging": partial(ADWINBaggingClassifier, HoeffdingTreeClassifier(), voting="majority"),
    "leveraging_bagging": _leveraging_bagging,
    "leveraging_bagging_mc": partial(_leveraging_bagging, output_codes=True),
    "leveraging_bagging_me": partial(_leveraging_bagging, variant="me"),
}

_RUNS = {"algorithm": METHODS, "n_models": 10, "run": range(10)}  # streams, orders and draws of runs differ

#: Microseconds for each example of a stream with ten attributes and ten trees.
_PACE = {"hoeffding_tree": 0.5, "online_bagging": 5.0, "adwin_bagging": 5.0, "leveraging_bagging_me": 4.0}

#: What the studies of these methods measure, and how.
MEASURED = {
    "n_seen": int,
    "n_correct": int,  # predicted correctly before they were learned
    "n_majority": int,  # the same for *majority class*
    "n_no_change": int,  # the same for *no change*
    "n_resets": int,  # members replaced
    "seconds": float,  # processor time
    "megabytes": float,  # size of the classifier at the end
    "ram_hours": float,  # gigabytes times hours
}
MEASURING: dict[str, Any] = {
    "smoke": lambda: cells(dataset="sea", algorithm=METHODS, n_models=2, n_examples=1000, run=0),
    "timed": True,
    "varying": {"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE, "ram_hours": PROCESSOR_TIME},
    "cost": lambda task: 0.1 + 1e-7 * _PACE.get(task.algorithm, 10.0) * task.n_models * task.n_examples,
}


def measurements(new_classifier: Callable[[], Any], stream: Any, length: int) -> tuple[Any, ...]:
    """Let a new classifier predict and train on the first `length` examples of a stream."""
    prequential({"few": new_classifier()}, stream, stop=500, progress=False)  # so that loading is not timed
    classifier = new_classifier()
    found = prequential({"method": classifier}, stream, stop=length, every=-(-length // 20), progress=False)
    ends = found.summary()
    n_correct = (ends["accuracy"] * length).round().astype(int)
    mine = ends.loc["method"].to_dict()
    return (
        length,
        *(int(n_correct[name]) for name in ("method", "majority class", "no change")),
        getattr(classifier, "n_resets_", 0),
        float(mine["seconds"]),
        float(mine["bytes"]) / 2**20,
        float(mine["ram_hours"]),
    )


def untrained(algorithm: str, n_models: int, seed: int, is_nominal: np.ndarray) -> Any:
    """Make the classifier of a method; a single Hoeffding tree takes no draws."""
    columns = is_nominal if np.any(is_nominal) else None
    return METHODS[algorithm](n_estimators=n_models, random_state=seed, categorical_features=columns)


@study(
    "stream-ensembles",
    "Six methods of the lecture on stream ensembles, on drifting streams",
    MEASURED,
    thesis=lambda: cells(
        {"n_examples": (SHORT, MEDIUM), "dataset": (*STREAMS, *RECORDED)} | _RUNS,
        {"n_examples": LONG, "dataset": STREAMS} | _RUNS,
    ),
    quick=lambda task: task.n_examples == SHORT,
    **MEASURING,
)
def stream_ensembles(
    dataset: str, algorithm: str, n_models: int, n_examples: int, run: int
) -> tuple[Any, ...]:
    """Predict a stream and train on it."""
    seed = key_of("stream-ensembles", dataset, algorithm, n_models, n_examples, run)
    if dataset in STREAMS:
        described = stream = STREAMS[dataset](n_examples, run)
    else:
        described = load_dataset(dataset)
        stream, n_examples = (described.data, described.target), min(n_examples, len(described.target))
    make = partial(untrained, algorithm, n_models, seed, described.categorical_features)
    return measurements(make, stream, n_examples)


def tasks_of_length(n_examples: int = LONG) -> list[Any]:
    """List the recorded runs of the six methods on streams of one length: `SHORT`, `MEDIUM` or `LONG`.

    >>> rows = stream_ensembles.recorded(tasks_of_length(SHORT))
    >>> sorted(rows["dataset"].unique())[:3]
    ['agrawal', 'covertype-head', 'electricity']
    """
    recorded = {"dataset": RECORDED, "n_examples": min(n_examples, MEDIUM)}
    listed = cells({"dataset": STREAMS, "n_examples": n_examples}, recorded, **_RUNS)
    return [stream_ensembles.task(**cell) for cell in listed]
