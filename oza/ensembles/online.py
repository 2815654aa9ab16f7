"""Common base of the ensembles that are written as a step for one example."""

from ..classifier.base import OnlineKernelClassifier
from .voting import VotingEnsemble


class OnlineEnsemble(OnlineKernelClassifier, VotingEnsemble):
    """M base models of one type that learn example by example.

    A subclass passes the state of its algorithm to the kernels, by `_algorithm`; the step of the algorithm
    is registered for this state with `implements(step, State)`. What the algorithm remembers is created by
    `_start` and extended to new classes by `_grow`. All else is inherited: validation, learning in any
    chunks, prequential prediction, and the vote.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``.
    n_estimators : int, default=100
        Number M of base models.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": integer, boolean, string and categorical columns are nominal, floating-point
        columns numeric. None: all numeric. Else a boolean mask, column indices or column names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the data.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.
    """
