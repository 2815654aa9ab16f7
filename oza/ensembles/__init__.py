"""Ensembles of base models."""

from .bagging import BaggingClassifier, OnlineBaggingClassifier

__all__ = ["BaggingClassifier", "OnlineBaggingClassifier"]
