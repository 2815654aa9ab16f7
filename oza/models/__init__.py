"""Base models."""

from .naive_bayes import NaiveBayesClassifier
from .neural_network import NeuralNetworkClassifier

__all__ = ["NaiveBayesClassifier", "NeuralNetworkClassifier"]
