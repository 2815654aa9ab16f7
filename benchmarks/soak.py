"""Ensembles that learn a long stream: their memory, and whether their counts are exact in the end."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oza import (
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    HoeffdingTreeClassifier,
    LeveragingBaggingClassifier,
    NaiveBayesClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
)
from oza.kernels.compile import kernel
from oza.kernels.random import poisson_each, row_key
from oza.streams import SEA, STAGGER

STATUS = Path("/proc/self/status")  # only on Linux
MILLION = 1_000_000
WARM = 5 * MILLION  # examples, after which trees with a limited number of leaves have all their nodes
CHUNK = MILLION // 2
N_MODELS = 10
TREE = HoeffdingTreeClassifier(max_leaves=50)

#: The ensemble whose counts are compared with the draws.
COUNTED = "online bagging of Naive Bayes"

#: Ensembles of ten base models, and the streams that they learn: names for Naive Bayes, numbers for ADWIN
#: bagging and trees.
ENSEMBLES: dict[str, tuple[Callable[..., Any], Any]] = {
    COUNTED: (OnlineBaggingClassifier, STAGGER()),
    "online boosting of Naive Bayes": (OnlineBoostingClassifier, STAGGER()),
    "ADWIN bagging of Naive Bayes": (partial(ADWINBaggingClassifier, NaiveBayesClassifier()), SEA()),
    "online bagging of Hoeffding trees": (partial(OnlineBaggingClassifier, TREE), SEA()),
    "leveraging bagging of Hoeffding trees": (partial(LeveragingBaggingClassifier, TREE), SEA()),
    "adaptive random forest": (partial(AdaptiveRandomForestClassifier, TREE), SEA()),
}


class Soaked(NamedTuple):
    """What an ensemble did not count of a long stream, and what else was seen."""

    n_lost: int
    text: str


def soaked(name: str, n: int) -> Soaked:
    """Let an ensemble learn n examples, in this process."""
    make, stream = ENSEMBLES[name]
    model = make(n_estimators=N_MODELS, random_state=1)
    drawn = np.zeros((N_MODELS, 2))
    memory = 0.0
    for begin in range(0, n, CHUNK):
        X, y = stream[begin : begin + CHUNK]
        model.partial_fit(X, y, classes=[0, 1])
        if name == COUNTED:
            count_copies(drawn, np.uint64(model._key), begin, y)
        if begin + CHUNK == WARM:
            memory = resident()
    n_lost = n - model._n_seen
    text = f"memory {resident() - memory:+.1f} MB after the first {WARM:,}"
    if name == COUNTED:
        counts = np.array([each.class_count_ for each in model.estimators_])
        n_exact = np.count_nonzero(counts == drawn)
        n_lost += drawn.size - n_exact
        text += f"; {n_exact} of {drawn.size} counts of a class equal the draws, counted apart"
    return Soaked(n_lost, text)


@kernel
def count_copies(drawn: Any, key: Any, n_seen: Any, y: Any) -> None:
    """Add to `drawn`, (M, K), how often online bagging lets each model learn these examples, by class."""
    copies = np.empty(len(drawn))
    for n in range(len(y)):
        poisson_each(1.0, row_key(key, n_seen + n), copies)
        for m in range(len(drawn)):
            drawn[m, y[n]] += copies[m]


def resident(field: str = "VmRSS") -> float:
    """Memory of this process, in MB of 2²⁰ bytes; "VmHWM" is its peak."""
    return int(STATUS.read_text(encoding="utf-8").partition(f"{field}:")[2].split()[0]) / 1024
