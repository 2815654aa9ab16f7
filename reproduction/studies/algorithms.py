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

#: Algorithms by name.
ALGORITHMS: dict[str, Algorithm] = (
    algorithms.ALGORITHMS
    | {
        "online_boosting_tested_before": Algorithm(
            ensemble_of(OnlineBoostingClassifier, tested="before"), is_online=True
        ),
        "online_boosting_later": Algorithm(
            ensemble_of(OnlineBoostingClassifier, weight_update="later"), is_online=True
        ),
        "os_boost": Algorithm(ensemble_of(OSBoostClassifier), is_online=True),
        "online_bbm": Algorithm(ensemble_of(OnlineBBMClassifier), is_online=True),
        "online_bbm_unscaled": Algorithm(ensemble_of(OnlineBBMClassifier, scaled=False), is_online=True),
        "adaboost_olm": Algorithm(ensemble_of(AdaBoostOLMClassifier), is_online=True),
        "bole": Algorithm(ensemble_of(BOLEClassifier), is_online=True),
        "blocked_boosting": Algorithm(ensemble_of(BlockedBoostingClassifier), is_online=True),
        "online_arc_x4": Algorithm(ensemble_of(OnlineArcX4Classifier), is_online=True),
    }
    | {
        f"fixed_fraction_bagging_{p}": Algorithm(make, is_online=True)
        for p in UPDATE_PROBABILITIES
        for make in [ensemble_of(FixedFractionBaggingClassifier, update_probability=p)]
    }
)
