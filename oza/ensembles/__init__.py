"""Ensembles of base models."""

from .bagging import BaggingClassifier, OnlineBaggingClassifier
from .boosting import AdaBoostClassifier, OnlineBoostingClassifier, PrimedOnlineBoostingClassifier
from .earlier import BlockedBoostingClassifier, FixedFractionBaggingClassifier, OnlineArcX4Classifier

__all__ = [
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BlockedBoostingClassifier",
    "FixedFractionBaggingClassifier",
    "OnlineArcX4Classifier",
    "OnlineBaggingClassifier",
    "OnlineBoostingClassifier",
    "PrimedOnlineBoostingClassifier",
]
