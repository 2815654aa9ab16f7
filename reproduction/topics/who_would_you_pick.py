"""The thesis's algorithms beside those of today, on the thesis's data and on drifting streams.

Every classifier predicts each example before it is trained on it. Those of MOA are run by
`benchmarks/current_peers.py`; the others are measured here.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import oza
from oza.datasets import load_dataset
from oza.evaluation import prequential
from oza.kernels.random import key_of, permutation

from ..record.bits import EXACT, OF_PROCESSOR
from ..record.study import PICKLE_SIZE, PROCESSOR_TIME, cells, study
from ..studies.streams import STREAMS

#: Data sets of the thesis, each in an order that is drawn anew for each run.
DATASETS = ("balance", "car-evaluation", "nursery", "synthetic2", "census-income", "covertype-head")

#: Streams whose concept changes; Electricity is a data set in the order in which its examples came.
DRIFTING = ("rbf-fast", "hyperplane", "sea", "led", "agrawal", "electricity")

N_MODELS, N_EXAMPLES, N_RUNS = 10, 20_000, 3


class WindowedBoosting:
    """Gradient boosting by scikit-learn, trained anew on the latest examples.

    It is trained on `window` of them, first after 100 examples, then whenever it has seen twice as many, and
    in the end after each `every` of them. Class 0 is predicted before.
    """

    def __init__(self, is_nominal: Any, random_state: int, window: int = 5000, every: int = 2500):
        self.is_nominal = is_nominal
        self.random_state = random_state
        self.window = window
        self.every = every
        self.X: Any = None
        self.y: Any = None
        self.n_seen = 0
        self.train_at = 100
        self.trained: Any = None

    def partial_fit(self, X: np.ndarray, y: np.ndarray, classes: Any = None) -> "WindowedBoosting":
        for piece in self._pieces(X, y):
            self._add(*piece)
        return self

    def prequential_predict(self, X: np.ndarray, y: np.ndarray, classes: Any = None) -> np.ndarray:
        predicted = []
        for piece in self._pieces(X, y):
            predicted.append(self.predict(piece[0]))
            self._add(*piece)
        return np.concatenate(predicted)

    def predict(self, X: np.ndarray) -> np.ndarray:
        if not hasattr(self.trained, "predict"):
            return np.full(len(X), 0 if self.trained is None else self.trained)
        return self.trained.predict(X)

    def _pieces(self, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The examples, cut where it is time to train; a piece must be added before the next is asked for."""
        while len(y):
            n = self.train_at - self.n_seen
            yield X[:n], y[:n]
            X, y = X[n:], y[n:]

    def _add(self, X: np.ndarray, y: np.ndarray) -> None:
        """Keep examples, of which only the last may be one after which to train."""
        self.n_seen += len(y)
        if self.y is not None:
            X, y = np.concatenate([self.X, X]), np.concatenate([self.y, y])
        self.X, self.y = X[-self.window :], y[-self.window :]
        if self.n_seen == self.train_at:
            self.trained = self._train()
            self.train_at += min(self.n_seen, self.every)

    def _train(self) -> Any:
        """A classifier trained on the window, or the class if there is only one."""
        if len(np.unique(self.y)) == 1:
            return self.y[0]
        from sklearn.ensemble import HistGradientBoostingClassifier  # which status and others do without

        boosting = HistGradientBoostingClassifier(
            categorical_features=self.is_nominal, random_state=self.random_state
        )
        with threadpool_limits(1):
            return boosting.fit(self.X, self.y)


def _ours(ensemble: Any, base: Any = oza.HoeffdingTreeClassifier, **parameters: Any) -> Callable[..., Any]:
    return lambda seed, columns: ensemble(base(), N_MODELS, random_state=seed, **parameters, **columns)


def _boosting(seed: int, columns: Mapping[str, Any]) -> WindowedBoosting:
    return WindowedBoosting(columns["categorical_features"], seed % 2**32)


#: Untrained classifiers by name, as functions of a seed and of what is known of the columns.
METHODS: dict[str, Callable[..., Any]] = {
    "online_bagging_nb": _ours(oza.OnlineBaggingClassifier, oza.NaiveBayesClassifier),
    "online_boosting_nb": _ours(oza.OnlineBoostingClassifier, oza.NaiveBayesClassifier),
    "online_bagging": _ours(oza.OnlineBaggingClassifier),
    "online_boosting": _ours(oza.OnlineBoostingClassifier),
    "adwin_bagging": _ours(oza.ADWINBaggingClassifier, voting="majority"),
    "leveraging_bagging": _ours(oza.LeveragingBaggingClassifier, voting="majority"),
    "adaptive_random_forest": lambda seed, columns: oza.AdaptiveRandomForestClassifier(
        n_estimators=N_MODELS, voting="majority", random_state=seed, **columns
    ),
    "gradient_boosting": _boosting,
}

#: Those of MOA by name, in its notation, with its defaults but for the number of members.
MOA = {
    "moa_adaptive_random_forest": f"meta.AdaptiveRandomForest -s {N_MODELS}",
    "moa_streaming_random_patches": f"meta.StreamingRandomPatches -s {N_MODELS}",
}


#: Tasks of an algorithm.
TASKS = {"dataset": (*DATASETS, *DRIFTING), "n_examples": N_EXAMPLES, "run": range(N_RUNS)}


def stream_of_run(
    dataset: str, n_examples: int, run: int
) -> tuple[np.ndarray, np.ndarray, list[Any], np.ndarray]:
    """Give examples (X, y), the values that each column can take or None, and the classes."""
    if dataset in STREAMS:
        stream = STREAMS[dataset](n_examples, run)
        return *stream[:n_examples], list(stream.categories), np.array(stream.classes)
    data = load_dataset(dataset)
    X, y = np.asarray(data.data, float), np.asarray(data.target)
    if dataset in DATASETS:
        order = permutation(len(y), key_of("order", dataset, run))
        X, y = X[order], y[order]
    values = [None if known is None else np.arange(len(known)) for known in data.categories]
    return X[:n_examples], y[:n_examples], values, np.arange(len(data.target_names))


def prepared(
    dataset: str, algorithm: str, n_examples: int, run: int
) -> tuple[np.ndarray, np.ndarray, Callable[[], Any]]:
    """Give the examples, and how to make the classifier, whose kernels are loaded."""
    X, y, values, _ = stream_of_run(dataset, n_examples, run)
    is_nominal = np.array([known is not None for known in values])
    # The first word is the name that the study had when its draws were recorded.
    seed = key_of("today", dataset, algorithm, n_examples, run)
    make = partial(METHODS[algorithm], seed, {"categorical_features": is_nominal, "categories": values})
    prequential({"few": make()}, (X[:500], y[:500]), progress=False)
    return X, y, make


@study(
    "current-peers",
    "The thesis's algorithms beside those of today, on its data and on drifting streams",
    {
        "n_seen": int,
        "n_correct": int,  # predicted correctly before they were learned
        "seconds": float,  # processor time
        "megabytes": float,  # size of the classifier at the end: of its pickle, or of MOA's on the heap
        "version": str,  # of MOA, or "" of this library's classifiers and scikit-learn's
    },
    smoke=lambda: cells(dataset="sea", algorithm=METHODS, n_examples=2000, run=0),
    thesis=lambda: cells({"algorithm": METHODS} | TASKS),
    quick=lambda task: task.run == 0,
    timed=True,
    varying={"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE},
    computed_by=lambda task: f"run by MOA: {MOA[task.algorithm]}" if task.algorithm in MOA else "",
    bits=lambda task: OF_PROCESSOR if task.algorithm == "gradient_boosting" else EXACT,
    cost=lambda task: 4.0,
)
def current_peers(dataset: str, algorithm: str, n_examples: int, run: int) -> tuple[Any, ...]:
    """Predict a stream and train on it."""
    X, y, make = prepared(dataset, algorithm, n_examples, run)
    found = prequential({"method": make()}, (X, y), every=len(y), progress=False).summary()
    scores = found.loc["method"].to_dict()
    n_correct = round(scores["accuracy"] * len(y))
    return len(y), n_correct, float(scores["seconds"]), float(scores["bytes"]) / 2**20, ""


#: Streams on which methods are followed, by name, and how they change.
FOLLOWED_ON = {
    "rbf": "no drift (RBF)",
    "sea": "three sudden drifts (SEA)",
    "agrawal": "three gradual drifts (Agrawal)",
    "hyperplane": "slow drift all the time (hyperplane)",
    "rbf-fast": "fast drift all the time (RBF)",
    "electricity": "prices of electricity",
}

#: Methods that are followed.
FOLLOWED = {
    "online_bagging": "online bagging",
    "online_boosting": "online boosting",
    "adwin_bagging": "ADWIN bagging",
    "leveraging_bagging": "leveraging bagging",
    "adaptive_random_forest": "adaptive forest",
    "gradient_boosting": "gradient boosting",
}

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
    smoke=lambda: cells(dataset="sea", algorithm=FOLLOWED, n_examples=1000),
    thesis=lambda: cells(dataset=FOLLOWED_ON, algorithm=FOLLOWED, n_examples=N_EXAMPLES),
    timed=True,
    varying={"seconds": PROCESSOR_TIME, "megabytes": PICKLE_SIZE},
    cost=lambda task: 4.0,
)
def stream_courses(dataset: str, algorithm: str, n_examples: int) -> list[tuple[Any, ...]]:
    """Predict and train on the stream of run number 0 of the study `current-peers`."""
    X, y, make = prepared(dataset, algorithm, n_examples, 0)
    runs = [prequential({"method": make()}, (X, y), every=500, progress=False) for _ in range(_REPEATS)]
    over_all = runs[0].scores.query("over == 'all'")
    accuracies = over_all.pivot(index="n_examples", columns="model", values="accuracy")
    n_correct = accuracies.mul(accuracies.index, axis=0).round().astype(int)
    seconds = np.min([found.costs["seconds"] for found in runs], axis=0)
    counts = n_correct.reset_index()[["n_examples", "method", "majority class", "no change"]]
    rows = zip(counts.to_numpy().tolist(), seconds, runs[0].costs["bytes"], strict=True)
    return [(*counted, float(took), float(size) / 2**20) for counted, took, size in rows]
