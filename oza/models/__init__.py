"""Base models, each a classifier of its own, of which ensembles are made."""

from .decision_stump import DecisionStumpClassifier
from .decision_tree import DecisionTreeClassifier
from .hoeffding_option_tree import HoeffdingOptionTreeClassifier
from .hoeffding_tree import HoeffdingTreeClassifier
from .naive_bayes import NaiveBayesClassifier
from .neural_network import NeuralNetworkClassifier

__all__ = [
    "DecisionStumpClassifier",
    "DecisionTreeClassifier",
    "HoeffdingOptionTreeClassifier",
    "HoeffdingTreeClassifier",
    "NaiveBayesClassifier",
    "NeuralNetworkClassifier",
]
