"""Plain reference implementations of the kernels: Python, one model and one example at a time.

They import from the library only the arithmetic and the random draws, which determine the bits. An
example is a list of values: strings, integers and booleans are nominal, floats numeric. None is a
missing or unknown nominal value, NaN a missing number.
"""

from .drift import Adwin, EveryCut
from .ensembles import (
    Forest,
    OutOfBag,
    Replaced,
    adaboost,
    adaptive,
    arc_x4,
    bagging,
    blocked,
    bole,
    bole_votes,
    boosting_votes,
    fixed_fraction,
    online_bagging,
    online_boosting,
    primed,
    vote,
    weighted_vote,
)
from .experts import UniversalLinearPredictor, WeightedMajority, Winnow, power
from .models import DecisionStump, DecisionTree, NaiveBayes, NeuralNetwork, OptionTree

__all__ = [
    "Adwin",
    "DecisionStump",
    "DecisionTree",
    "EveryCut",
    "Forest",
    "NaiveBayes",
    "NeuralNetwork",
    "OptionTree",
    "OutOfBag",
    "Replaced",
    "UniversalLinearPredictor",
    "WeightedMajority",
    "Winnow",
    "adaboost",
    "adaptive",
    "arc_x4",
    "bagging",
    "blocked",
    "bole",
    "bole_votes",
    "boosting_votes",
    "fixed_fraction",
    "online_bagging",
    "online_boosting",
    "power",
    "primed",
    "vote",
    "weighted_vote",
]
