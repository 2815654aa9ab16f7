"""What the parts of an adaptive random forest do, and how forests pass through a change."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pandas as pd

from oza.ensembles import (
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    LeveragingBaggingClassifier,
    OnlineBaggingClassifier,
)
from oza.models import HoeffdingTreeClassifier
from oza.streams import RandomRBF, drift

from ..record.simulation import simulation
from ..studies.streams import STREAMS, accuracies_along

#: An adaptive random forest without one of its parts. A detector of so small a δ never raises an alarm.
WITHOUT: dict[str, dict[str, Any]] = {
    "nothing": {},
    "drawn columns": {"max_features": None},
    "the weight λ = 6": {"lam": 1},
    "background trees": {"delta_warning": 1e-300},
    "new trees at all": {"delta_warning": 1e-300, "delta": 1e-300},
}


@simulation(small={"n_examples": 1000, "n_seeds": 1})
def parts_of_the_forest(
    streams: Sequence[str] = ("rbf-fast", "hyperplane", "sea", "led", "agrawal"),
    n_examples: int = 20_000,
    n_seeds: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare an adaptive random forest with forests that lack one of its parts, on drifting streams.

    The frame has accuracies by stream and seed, with a column for what is missing.
    """
    accuracies = {}
    for name, s in product(streams, range(seed, seed + n_seeds)):
        stream = STREAMS[name](n_examples, s)
        known = {"categories": stream.categories, "random_state": s}
        forests = {part: AdaptiveRandomForestClassifier(**known, **given) for part, given in WITHOUT.items()}
        accuracies[name, s] = accuracies_along(forests, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "seed"], columns="without")


@simulation(small={"n_examples": 1000, "n_models": 2})
def passage_of_clouds(n_examples: int = 20_000, n_models: int = 10, seed: int = 1) -> pd.DataFrame:
    """Train four ensembles of Hoeffding trees on clouds of points that are exchanged half way.

    The frame says whether an ensemble is right about an example before training on it, with a column for
    each.
    """
    stream = drift(RandomRBF(random_state=1), RandomRBF(random_state=2), n_examples // 2)
    X, y = stream[:n_examples]
    known: dict[str, Any] = {"n_estimators": n_models, "random_state": seed}
    ensembles = {
        "online bagging": OnlineBaggingClassifier(HoeffdingTreeClassifier(), **known),
        "ADWIN bagging": ADWINBaggingClassifier(**known),
        "leveraging bagging": LeveragingBaggingClassifier(**known),
        "adaptive random forest": AdaptiveRandomForestClassifier(**known),
    }
    classes = stream.classes
    is_right = {name: it.prequential_predict(X, y, classes=classes) == y for name, it in ensembles.items()}
    return pd.DataFrame(is_right)
