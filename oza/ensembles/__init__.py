"""Ensembles of base models."""

from .adaptive import ADWINBaggingClassifier, ADWINBoostingClassifier, LeveragingBaggingClassifier
from .bagging import BaggingClassifier, OnlineBaggingClassifier
from .boosting import AdaBoostClassifier, OnlineBoostingClassifier, PrimedOnlineBoostingClassifier
from .earlier import BlockedBoostingClassifier, FixedFractionBaggingClassifier, OnlineArcX4Classifier

__all__ = [
    "ADWINBaggingClassifier",
    "ADWINBoostingClassifier",
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BlockedBoostingClassifier",
    "FixedFractionBaggingClassifier",
    "LeveragingBaggingClassifier",
    "OnlineArcX4Classifier",
    "OnlineBaggingClassifier",
    "OnlineBoostingClassifier",
    "PrimedOnlineBoostingClassifier",
]
