"""How much sooner bagging is done with two threads, and why boosting has to wait."""

import hashlib
import time
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from oza.ensembles import AdaBoostClassifier, BaggingClassifier
from oza.models import DecisionStumpClassifier, NaiveBayesClassifier, NeuralNetworkClassifier

from ..columns import nominal_columns
from ..record.study import Study
from .protocol import prepare

#: Base models that can be trained in threads.
BASES = {
    "naive_bayes": NaiveBayesClassifier,
    "neural_network": lambda: NeuralNetworkClassifier(random_state=0),
}
_N_MODELS = 40
_REPEATS = 5


@dataclass(frozen=True, order=True)
class Threads:
    """Bagging of a base model on the first split of a data set, in this many threads."""

    dataset: str
    base_model: str
    n_jobs: int

    study: ClassVar = "times-parallel"


@dataclass(frozen=True)
class Elapsed:
    """Least elapsed time of five trainings, and a digest of the predictions of every model."""

    digest: str
    seconds: float


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
    times = []
    for _ in range(1 + _REPEATS):  # the first one loads the kernels
        start = time.perf_counter()
        model.fit(split.X_train, split.y_train)
        times.append(time.perf_counter() - start)
    predictions = model.predict_each(split.X_test)
    digest = hashlib.sha256(predictions.astype("<i8").tobytes()).hexdigest()[:16]
    return Elapsed(digest, min(times[1:]))


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
        return [Threads("balance", "naive_bayes", n) for n in (1, 2)]
    return [
        Threads(dataset, base, n) for dataset in ("synthetic2", "nursery") for base in BASES for n in (1, 2)
    ]


STUDY = Study(
    Threads.study,
    "Elapsed times of bagging in one and in two threads",
    Threads,
    Elapsed,
    _tasks,
    of_threads,
    ("Mooney's slide 18",),
    timed=True,
    varying={"seconds": "elapsed times, which differ from run to run"},
)
