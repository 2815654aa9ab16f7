"""The decision stump classifier."""

from .classifier import DecisionStumpClassifier

__all__ = ["DecisionStumpClassifier"]
