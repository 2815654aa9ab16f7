"""Ensembles of base models."""

from .bagging import BaggingClassifier, OnlineBaggingClassifier
from .boosting import AdaBoostClassifier, OnlineBoostingClassifier

__all__ = ["AdaBoostClassifier", "BaggingClassifier", "OnlineBaggingClassifier", "OnlineBoostingClassifier"]
