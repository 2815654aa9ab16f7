"""Ensembles of base models."""

from .accuracy_weighted import AccuracyWeightedEnsembleClassifier
from .active import ActiveLearner
from .adaptive import ADWINBaggingClassifier, ADWINBoostingClassifier, LeveragingBaggingClassifier
from .adaptive_forest import AdaptiveRandomForestClassifier
from .bagging import BaggingClassifier, OnlineBaggingClassifier
from .boosting import (
    AdaBoostClassifier,
    BOLEClassifier,
    OnlineBoostingClassifier,
    PrimedOnlineBoostingClassifier,
)
from .decorate import DecorateClassifier
from .earlier import BlockedBoostingClassifier, FixedFractionBaggingClassifier, OnlineArcX4Classifier
from .forest import RandomForestClassifier
from .output_codes import OutputCodeClassifier
from .restricted import RestrictedTreesClassifier
from .subspaces import InputDecimationClassifier, RandomSubspaceClassifier

__all__ = [
    "ADWINBaggingClassifier",
    "ADWINBoostingClassifier",
    "AccuracyWeightedEnsembleClassifier",
    "ActiveLearner",
    "AdaBoostClassifier",
    "AdaptiveRandomForestClassifier",
    "BOLEClassifier",
    "BaggingClassifier",
    "BlockedBoostingClassifier",
    "DecorateClassifier",
    "FixedFractionBaggingClassifier",
    "InputDecimationClassifier",
    "LeveragingBaggingClassifier",
    "OnlineArcX4Classifier",
    "OnlineBaggingClassifier",
    "OnlineBoostingClassifier",
    "OutputCodeClassifier",
    "PrimedOnlineBoostingClassifier",
    "RandomForestClassifier",
    "RandomSubspaceClassifier",
    "RestrictedTreesClassifier",
]
