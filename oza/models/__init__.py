"""Base models."""

from .decision_stump import DecisionStumpClassifier
from .naive_bayes import NaiveBayesClassifier
from .neural_network import NeuralNetworkClassifier

__all__ = [
    "DecisionStumpClassifier",
    "NaiveBayesClassifier",
    "NeuralNetworkClassifier",
]
