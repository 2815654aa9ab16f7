"""Online ensembles, exact and fast: the algorithms of N. C. Oza's *Online Ensemble Learning*.

Base models and ensembles follow scikit-learn's conventions. `oza.datasets` holds the thesis's data sets,
`oza.streams` generated streams, `oza.evaluation` test-then-train evaluation and tests of significance,
`oza.compare` the comparison on your own data, and `oza.extend` what base models and ensembles of your own are
made of.
"""

from importlib.metadata import PackageNotFoundError, version

from .ensembles import (
    AccuracyWeightedEnsembleClassifier,
    ActiveLearner,
    AdaBoostClassifier,
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    ADWINBoostingClassifier,
    BaggingClassifier,
    BlockedBoostingClassifier,
    DecorateClassifier,
    FixedFractionBaggingClassifier,
    InputDecimationClassifier,
    LeveragingBaggingClassifier,
    OnlineArcX4Classifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    OutputCodeClassifier,
    PrimedOnlineBoostingClassifier,
    RandomForestClassifier,
    RandomSubspaceClassifier,
    RestrictedTreesClassifier,
)
from .experts import UniversalLinearPredictor, WeightedMajority, Winnow
from .model_files import load, save
from .models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    HoeffdingOptionTreeClassifier,
    HoeffdingTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

try:
    __version__ = version("oza")
except PackageNotFoundError:  # imported from a source tree that is not installed
    __version__ = "0+unknown"

__all__ = [
    "ADWINBaggingClassifier",
    "ADWINBoostingClassifier",
    "AccuracyWeightedEnsembleClassifier",
    "ActiveLearner",
    "AdaBoostClassifier",
    "AdaptiveRandomForestClassifier",
    "BaggingClassifier",
    "BlockedBoostingClassifier",
    "DecisionStumpClassifier",
    "DecisionTreeClassifier",
    "DecorateClassifier",
    "FixedFractionBaggingClassifier",
    "HoeffdingOptionTreeClassifier",
    "HoeffdingTreeClassifier",
    "InputDecimationClassifier",
    "LeveragingBaggingClassifier",
    "NaiveBayesClassifier",
    "NeuralNetworkClassifier",
    "OnlineArcX4Classifier",
    "OnlineBaggingClassifier",
    "OnlineBoostingClassifier",
    "OutputCodeClassifier",
    "PrimedOnlineBoostingClassifier",
    "RandomForestClassifier",
    "RandomSubspaceClassifier",
    "RestrictedTreesClassifier",
    "UniversalLinearPredictor",
    "WeightedMajority",
    "Winnow",
    "load",
    "save",
]
