"""Base models."""

from .decision_stump import DecisionStumpClassifier
from .naive_bayes import NaiveBayesClassifier

__all__ = ["DecisionStumpClassifier", "NaiveBayesClassifier"]
