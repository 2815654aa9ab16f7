"""Base models."""

from .decision_tree import DecisionTreeClassifier
from .naive_bayes import NaiveBayesClassifier

__all__ = ["DecisionTreeClassifier", "NaiveBayesClassifier"]
