"""Bagging and online bagging, side by side: the classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from .._base import KernelClassifier, OnlineKernelClassifier
from .._schema import Examples, Schema
from .._validation import check_count, check_key
from ..models import NaiveBayesClassifier
from ._bagging import bagging, online_bagging
from ._voting import count_votes


class VotingEnsemble(KernelClassifier):
    """M base models of one kind that vote, each with one vote."""

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        categorical_features="auto",
        categories="auto",
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.categorical_features = categorical_features
        self.categories = categories
        self.random_state = random_state

    def _start(self, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        estimator = NaiveBayesClassifier() if self.estimator is None else clone(self.estimator)
        if not hasattr(estimator, "_new_models"):
            raise TypeError(
                "estimator must be a base model of this library, such as NaiveBayesClassifier(); "
                f"got {estimator!r}."
            )
        for name in ("categorical_features", "categories"):
            if not (isinstance(getattr(estimator, name), str) and getattr(estimator, name) == "auto"):
                raise ValueError(f"{name} is set on the estimator; set it on {type(self).__name__} instead.")
        n_models = check_count("n_estimators", self.n_estimators)
        return {
            "estimator_": estimator,
            "_models": estimator._new_models(schema, len(classes), n_models),
            "_n_models": n_models,
            "_key": check_key(self.random_state),
            "_n_seen": 0,
        }

    def _votes(self, X: Any) -> np.ndarray:
        examples = self._encode(X)
        return count_votes(self._models, self._n_models, len(self.classes_), examples)

    def predict(self, X):
        """Class with the most votes, for each row; the first of those that tie.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        winners = self._votes(X).argmax(axis=1)
        return self.classes_[winners]

    def predict_proba(self, X):
        """Share of the votes for each class, in the order of `classes_`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Equal shares where no base model has learned anything.
        """
        votes = self._votes(X).astype(np.float64)
        votes[~votes.any(axis=1)] = 1.0
        return votes / votes.sum(axis=1, keepdims=True)

    @property
    def estimators_(self) -> list:
        """Copies of the M base models, each a fitted classifier."""
        return [self._member(m) for m in range(self._n_models)]

    def _member(self, m: int) -> Any:
        """Copy of base model `m` as a classifier of its own."""
        member = clone(self.estimator_)
        member._set_state(self._schema, self.classes_, {"_models": _one_of(self._models, m, self._n_models)})
        member.n_features_in_ = self.n_features_in_
        return member


def _one_of(models: Any, m: int, n_models: int) -> Any:
    """Copy of base model `m` alone."""
    if hasattr(models, "member"):
        return models.member(m)
    arrays = {
        name: value[..., m : m + 1].copy()
        for name, value in models._asdict().items()
        if isinstance(value, np.ndarray) and value.shape[-1] == n_models
    }
    return models._replace(**arrays)


class BaggingClassifier(VotingEnsemble):
    """Bagging: each base model learns a sample of N examples drawn with replacement.

    The batch algorithm of thesis Figures 2.6 and 3.1 (Breiman 1996), with an unweighted vote.
    `sample_weight` multiplies the number of times that an example was drawn.

    Parameters
    ----------
    estimator : classifier of this library, default=None
        Base model; None means ``NaiveBayesClassifier()``. Which columns are nominal is said here,
        not there.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    categorical_features : "auto", None or array-like, default="auto"
        "auto": integer, boolean, string and categorical columns are nominal, floating-point
        columns numeric. None: all numeric. Else a boolean mask, column indices or column names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Fixes the one key from which every draw follows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model that was used, unfitted.
    estimators_ : list of M fitted classifiers
        Copies of the base models.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    See Also
    --------
    OnlineBaggingClassifier : the same idea for examples that arrive one by one.

    References
    ----------
    L. Breiman, *Bagging Predictors*, Machine Learning 24, 1996.

    Examples
    --------
    >>> from oza import BaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True)
    >>> model = BaggingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    algorithm = staticmethod(bagging)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self.algorithm(self._models, self._n_models, examples, labels, weights, self._key)


class OnlineBaggingClassifier(OnlineKernelClassifier, VotingEnsemble):
    """Online bagging: each base model learns each arriving example Poisson(1) times.

    The algorithm of thesis Figure 3.3 (Oza and Russell 2001), with an unweighted vote. Draws are
    keyed by (example number, base model): a stream cut into any calls of `partial_fit`, and `fit`
    on the whole of it, give the same models bit for bit. `sample_weight` scales the Poisson mean;
    a row of weight 0 is passed over but keeps its number.

    Parameters
    ----------
    estimator : classifier of this library, default=None
        Base model; None means ``NaiveBayesClassifier()``. Which columns are nominal is said here,
        not there.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    categorical_features : "auto", None or array-like, default="auto"
        "auto": integer, boolean, string and categorical columns are nominal, floating-point
        columns numeric. None: all numeric. Else a boolean mask, column indices or column names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Fixes the one key from which every draw follows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model that was used, unfitted.
    estimators_ : list of M fitted classifiers
        Copies of the base models.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    See Also
    --------
    BaggingClassifier : the batch algorithm to whose models these converge.

    References
    ----------
    N. C. Oza and S. Russell, *Online Bagging and Boosting*, AISTATS 2001.

    Examples
    --------
    >>> from oza import OnlineBaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True)
    >>> model = OnlineBaggingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    algorithm = staticmethod(online_bagging)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self.algorithm(self._models, self._n_models, examples, labels, weights, self._key, self._n_seen)
        self._n_seen += len(labels)
        self._weight_seen += weights.sum()
