"""The neural network classifier."""

from .classifier import NeuralNetworkClassifier

__all__ = ["NeuralNetworkClassifier"]
