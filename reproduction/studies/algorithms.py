"""Base models and algorithms of the studies, by name: those of `oza.compare`, and more of the thesis."""

from collections.abc import Callable
from typing import Any

from oza.compare import algorithms
from oza.compare.algorithms import Algorithm, ensemble_of
from oza.ensembles import (
    BlockedBoostingClassifier,
    BOLEClassifier,
    FixedFractionBaggingClassifier,
    OnlineArcX4Classifier,
    OnlineBoostingClassifier,
)
from oza.models import NeuralNetworkClassifier

from .online_boosters import AdaBoostOLMClassifier, OnlineBBMClassifier, OSBoostClassifier

#: Factories of untrained base models, by name.
BASE_MODELS: dict[str, Callable[[], Any]] = algorithms.BASE_MODELS | {
    "neural_network_10": lambda: NeuralNetworkClassifier(updates=10)
}

#: Update probabilities of Fern and Givan's bagging; the thesis takes that of their best results, which is
#: illegible in our copy.
UPDATE_PROBABILITIES = (0.1, 0.3, 0.5, 0.7, 0.9)


def _online(kind: type, **parameters: Any) -> Algorithm:
    return Algorithm(ensemble_of(kind, **parameters), is_online=True)


#: Algorithms by name.
ALGORITHMS: dict[str, Algorithm] = {
    **algorithms.ALGORITHMS,
    "online_boosting_tested_before": _online(OnlineBoostingClassifier, tested="before"),
    "online_boosting_later": _online(OnlineBoostingClassifier, weight_update="later"),
    "os_boost": _online(OSBoostClassifier),
    "online_bbm": _online(OnlineBBMClassifier),
    "online_bbm_unscaled": _online(OnlineBBMClassifier, scaled=False),
    "adaboost_olm": _online(AdaBoostOLMClassifier),
    "bole": _online(BOLEClassifier),
    "blocked_boosting": _online(BlockedBoostingClassifier),
    "online_arc_x4": _online(OnlineArcX4Classifier),
    **{
        f"fixed_fraction_bagging_{p}": _online(FixedFractionBaggingClassifier, update_probability=p)
        for p in UPDATE_PROBABILITIES
    },
}
