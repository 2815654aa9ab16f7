"""Six methods on drifting streams: accuracy and memory-hours, example by example."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from functools import partial
from itertools import product
from typing import Any, ClassVar

import numpy as np

from oza.datasets import load_dataset
from oza.ensembles import ADWINBaggingClassifier, LeveragingBaggingClassifier, OnlineBaggingClassifier
from oza.evaluation import prequential
from oza.kernels.random import key_of
from oza.models import HoeffdingTreeClassifier

from ..record.study import PICKLE_SIZE, PROCESSOR_TIME, Study
from ..simulations.streams import STREAMS

#: Lengths of the drawn streams: of a quick look, of a longer one, and of the runs that are judged.
SHORT, MEDIUM, LONG = 20_000, 100_000, 1_000_000

#: Runs of each method on each stream; streams, orders and draws differ.
N_RUNS = 10


#: Recorded streams, in the order in which their examples came.
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


@dataclass(frozen=True, order=True)
class StreamTask:
    """A method on a stream; a single Hoeffding tree takes no draws, and still has its `n_models`."""

    study: ClassVar = "stream-ensembles"
    dataset: str
    algorithm: str
    n_models: int
    n_examples: int
    run: int

    def examples(self) -> Any:
        """The stream, and how many of its examples are used."""
        if self.dataset in STREAMS:
            return STREAMS[self.dataset](self.n_examples, self.run), self.n_examples
        X, y = load_dataset(self.dataset, return_X_y=True)
        return (X, y), min(self.n_examples, len(y))

    def columns(self) -> dict[str, Any]:
        described = STREAMS[self.dataset](1, 0) if self.dataset in STREAMS else load_dataset(self.dataset)
        is_nominal = described.categorical_features
        return {"categorical_features": is_nominal if np.any(is_nominal) else None}

    def estimator(self) -> Any:
        seed = key_of(self.study, *astuple(self))
        return METHODS[self.algorithm](n_estimators=self.n_models, random_state=seed, **self.columns())


@dataclass(frozen=True)
class Prequential:
    """What a method has made of a stream."""

    n_seen: int
    n_correct: int  # predicted correctly before they were learned
    n_majority: int  # the same for *majority class*
    n_no_change: int  # the same for *no change*
    n_resets: int  # members replaced
    seconds: float  # processor time
    megabytes: float  # size of the classifier at the end
    ram_hours: float  # gigabytes times hours


def follow(task: StreamTask) -> Prequential:
    stream, length = task.examples()
    few = task.estimator()
    prequential({"few": few}, stream, stop=500, progress=False)  # so that loading kernels is not timed
    classifier = task.estimator()
    found = prequential({"method": classifier}, stream, stop=length, every=-(-length // 20), progress=False)
    ends = found.summary()
    n_correct = (ends["accuracy"] * length).round().astype(int)
    mine = ends.loc["method"].to_dict()
    return Prequential(
        n_seen=length,
        n_correct=int(n_correct["method"]),
        n_majority=int(n_correct["majority class"]),
        n_no_change=int(n_correct["no change"]),
        n_resets=getattr(classifier, "n_resets_", 0),
        seconds=float(mine["seconds"]),
        megabytes=float(mine["bytes"]) / 2**20,
        ram_hours=float(mine["ram_hours"]),
    )


def tasks_of_length(n_examples: int = LONG) -> list[StreamTask]:
    """List the recorded runs of the six methods on streams of one length: `SHORT`, `MEDIUM` or `LONG`.

    Of the recorded streams no more than 100,000 examples are used.

    >>> from reproduction.studies import STUDIES
    >>> rows = STUDIES["stream-ensembles"].recorded(tasks_of_length(20_000))
    >>> sorted(rows["dataset"].unique())[:3]
    ['agrawal', 'covertype-head', 'electricity']
    """
    lengths = dict.fromkeys(STREAMS, n_examples) | dict.fromkeys(RECORDED, min(n_examples, MEDIUM))
    return stream_tasks(lengths, N_RUNS)


def stream_tasks(lengths: Mapping[str, int], n_runs: int, n_models: int = 10) -> list[StreamTask]:
    """List runs of the six methods on streams, each with its number of examples."""
    cells = product(lengths.items(), METHODS, range(n_runs))
    return [StreamTask(stream, method, n_models, length, run) for (stream, length), method, run in cells]


def _tasks() -> list[StreamTask]:
    every = [task for length in (SHORT, MEDIUM, LONG) for task in tasks_of_length(length)]
    return list(dict.fromkeys(every))


#: Microseconds for each example of a stream with ten attributes and ten trees.
_PACE = {"hoeffding_tree": 0.5, "online_bagging": 5.0, "adwin_bagging": 5.0, "leveraging_bagging_me": 4.0}


def cost_of_stream(task: StreamTask) -> float:
    return 0.1 + 1e-7 * _PACE.get(task.algorithm, 10.0) * task.n_models * task.n_examples


#: Measurements that are not reproducible, with the reason.
VARYING = {"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE, "ram_hours": PROCESSOR_TIME}

STUDY = Study.of(
    follow,
    "Six methods of the lecture on stream ensembles, on drifting streams",
    smoke=lambda: [StreamTask("sea", method, 2, 1000, 0) for method in METHODS],
    thesis=_tasks,
    quick=lambda task: task.n_examples == SHORT,
    timed=True,
    varying=VARYING,
    cost=cost_of_stream,
)
