"""Online ensembles, exact and fast: the algorithms of N. C. Oza's *Online Ensemble Learning*.

Base models and ensembles follow scikit-learn's conventions; `oza.datasets` holds the thesis's
data sets, `oza.experiments` its protocol, `oza.exhibits` its tables and figures.
"""

from importlib.metadata import PackageNotFoundError, version

from .ensembles import BaggingClassifier, OnlineBaggingClassifier
from .models import DecisionTreeClassifier, NaiveBayesClassifier

try:
    __version__ = version("oza")
except PackageNotFoundError:  # imported from a source tree that is not installed
    __version__ = "0+unknown"

__all__ = [
    "BaggingClassifier",
    "DecisionTreeClassifier",
    "NaiveBayesClassifier",
    "OnlineBaggingClassifier",
]
