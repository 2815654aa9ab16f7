"""Base models."""

from .naive_bayes import NaiveBayesClassifier

__all__ = ["NaiveBayesClassifier"]
