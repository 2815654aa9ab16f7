"""Ensembles of base models."""

from .accuracy_weighted import AccuracyWeightedEnsembleClassifier
from .active import ActiveLearner
from .adaptive.bagging import ADWINBaggingClassifier
from .adaptive.boosting import ADWINBoostingClassifier
from .adaptive.leveraging import LeveragingBaggingClassifier
from .adaptive_forest.classifier import AdaptiveRandomForestClassifier
from .bagging.classifier import BaggingClassifier, OnlineBaggingClassifier
from .bole.classifier import BOLEClassifier
from .boosting.classifier import AdaBoostClassifier, OnlineBoostingClassifier
from .boosting.primed import PrimedOnlineBoostingClassifier
from .decorate.classifier import DecorateClassifier
from .earlier.classifier import (
    BlockedBoostingClassifier,
    FixedFractionBaggingClassifier,
    OnlineArcX4Classifier,
)
from .forest import RandomForestClassifier
from .output_codes import OutputCodeClassifier
from .restricted.classifier import RestrictedTreesClassifier
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
