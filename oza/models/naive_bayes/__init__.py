"""The Naive Bayes classifier."""

from .classifier import NaiveBayesClassifier

__all__ = ["NaiveBayesClassifier"]
