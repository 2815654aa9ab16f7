"""Active learning: an ensemble chooses the examples whose labels it wants to know."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ..columns.table import as_rows, joined_rows
from ..columns.validation import as_array, check_choice, check_count, check_order
from ..kernels.entropy import entropies
from ..kernels.exclusive import Exclusive
from .bagging.classifier import BaggingClassifier
from .boosting.classifier import AdaBoostClassifier
from .decorate.classifier import DecorateClassifier

__all__ = ["ActiveLearner", "active_decorate", "query_by_bagging", "query_by_boosting"]

_UTILITIES = "margin", "vote_entropy", "jensen_shannon"


class ActiveLearner(Exclusive, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier that chooses which examples of a pool it wants to be labelled next.

    `teach` adds labelled examples and trains the ensemble anew on all of them; `query` names the
    examples of a pool with the largest utility, which is some disagreement of the base models. With
    bagging this is *query by bagging*, with AdaBoost *query by boosting* (Abe and Mamitsuka 1998), with
    DECORATE *Active-DECORATE* (Melville and Mooney 2004); `query_by_bagging`, `query_by_boosting` and
    `active_decorate` make them.

    Parameters
    ----------
    estimator : classifier, default=None
        None means ``DecorateClassifier()``. Any classifier with `predict_proba` will do; except with
        the utility "margin", it must be an ensemble, with `estimators_`.
    utility : {"margin", "vote_entropy", "jensen_shannon"}, default="margin"
        "margin": 1 minus the difference of the two largest class probabilities. "vote_entropy": entropy of
        the shares of the votes, each base model voting for one class with its weight.
        "jensen_shannon": entropy of the mean of the class probabilities by the base models, minus the
        mean of their entropies. Entropies are in nats.
    batch_size : int, default=1
        Number of examples that a query names.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels known so far, sorted.
    estimator_ : classifier
        Fitted to all labelled examples.
    X_, y_ : array or DataFrame, ndarray
        The labelled examples, in the order in which they came.
    n_features_in_ : int
        Number of columns.

    References
    ----------
    N. Abe and H. Mamitsuka, *Query Learning Strategies Using Boosting and Bagging*, ICML 1998.

    P. Melville and R. J. Mooney, *Diverse Ensembles for Active Learning*, ICML 2004.

    Examples
    --------
    >>> from oza import ActiveLearner, BaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("balance", return_X_y=True, as_frame=True)
    >>> learner = ActiveLearner(BaggingClassifier(n_estimators=15, random_state=7), batch_size=5)
    >>> learner.teach(X[:400:40], y[:400:40]).query(X[400:])
    array([75, 76, 77, 78, 79])
    """

    def __init__(self, estimator=None, utility="margin", batch_size=1):
        self.estimator = estimator
        self.utility = utility
        self.batch_size = batch_size

    def fit(self, X, y):
        """Forget all labelled examples, and train on these.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self
        """
        check_choice("utility", self.utility, *_UTILITIES)
        check_count("batch_size", self.batch_size)
        estimator = DecorateClassifier() if self.estimator is None else clone(self.estimator)
        learned = {"estimator_": estimator.fit(X, y), "X_": as_rows(X).copy(), "y_": as_array("y", y).copy()}
        names = "classes_", "n_features_in_", "feature_names_in_"
        learned |= {name: getattr(estimator, name) for name in names if hasattr(estimator, name)}
        kept = {name: value for name, value in vars(self).items() if not name.endswith("_")}
        self.__dict__ = kept | learned  # all at once
        return self

    def teach(self, X, y):
        """Add labelled examples, and train the ensemble anew on all of them.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A DataFrame if the examples before were one.
        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        self
        """
        if not hasattr(self, "X_"):
            return self.fit(X, y)
        check_order(X, y=y)
        X = as_rows(X, getattr(self.X_, "columns", None))
        if hasattr(self.X_, "iloc") != hasattr(X, "iloc"):
            raise TypeError(
                f"X is of the type {type(X).__name__} and the examples before were of the type "
                f"{type(self.X_).__name__}; teach either DataFrames or arrays."
            )
        return self.fit(joined_rows([self.X_, X]), joined_rows([self.y_, as_array("y", y)]))

    def query(self, X):
        """Name the examples of a pool with the largest utility; ties go to the first.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_pool, n_features)
            The pool; it is not changed.

        Returns
        -------
        ndarray of shape (batch_size,)
            Row numbers, the largest utility first.

        Raises
        ------
        ValueError
            If the pool has fewer than `batch_size` examples.
        """
        n_pool = X.shape[0] if hasattr(X, "shape") else len(X)
        if n_pool < (size := check_count("batch_size", self.batch_size)):
            raise ValueError(f"the pool is exhausted: X has {n_pool} rows, fewer than batch_size={size}.")
        return (-self.utilities(X)).argsort(kind="stable")[:size]

    def utilities(self, X):
        """Utility of the label of each example.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Rounded to 12 decimals, so that utilities that are equal but for rounding errors are ties.
        """
        check_is_fitted(self)
        if check_choice("utility", self.utility, *_UTILITIES) == "margin":
            found = margin_utility(self.estimator_.predict_proba(X))
        else:
            members = getattr(self.estimator_, "estimators_", None)
            if members is None:
                raise TypeError(
                    f'utility="{self.utility}" needs an ensemble, with estimators_; got '
                    f'{type(self.estimator_).__name__}. Choose utility="margin".'
                )
            if self.utility == "vote_entropy":
                weights = getattr(self.estimator_, "vote_weights_", np.ones(len(members)))
                found = vote_entropy([each.predict(X) for each in members], weights)
            else:
                found = jensen_shannon(np.array([each.predict_proba(X) for each in members]))
        return np.round(found, 12)

    def predict(self, X):
        """Predict the class of each row by the ensemble.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.estimator_.predict(X)

    def predict_proba(self, X):
        """Class probabilities by the ensemble, in the order of `classes_`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_estimator = get_tags(DecorateClassifier() if self.estimator is None else self.estimator)
        tags.input_tags = of_estimator.input_tags
        tags.classifier_tags = of_estimator.classifier_tags
        return tags


def margin_utility(shares: np.ndarray) -> np.ndarray:
    """1 minus the difference of the two largest of the class probabilities (N, K); 0 for a single class."""
    ordered = np.sort(np.column_stack([np.zeros(len(shares)), shares]), axis=1)
    return 1.0 - (ordered[:, -1] - ordered[:, -2])


def vote_entropy(votes: Any, weights: Any) -> np.ndarray:
    """Entropy of the vote shares, (N,), given the class that each of M models votes for, (M, N)."""
    classes, places = np.unique(np.array(votes), return_inverse=True)
    total = np.zeros((places.shape[-1], len(classes)))
    for place, weight in zip(places.reshape(len(votes), -1), weights, strict=True):
        total[np.arange(len(total)), place] += weight
    return entropies(total / total.sum(axis=1, keepdims=True))


def jensen_shannon(shares: np.ndarray) -> np.ndarray:
    """Jensen-Shannon divergence, (N,), of the class probabilities by M models, (M, N, K)."""
    mean = shares.sum(axis=0) / len(shares)
    each = entropies(np.ascontiguousarray(shares).reshape(-1, shares.shape[2])).reshape(shares.shape[:2])
    return entropies(mean) - each.sum(axis=0) / len(shares)


def query_by_bagging(estimator=None, n_estimators=15, batch_size=1, random_state=None) -> ActiveLearner:
    """Query by bagging: an active learner whose ensemble is made by bagging.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means Naive Bayes.
    n_estimators : int, default=15
        Number of base models, as in DECORATE.
    batch_size : int, default=1
        Number of examples that a query names.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the random draws.

    Returns
    -------
    ActiveLearner
        With the margin of the votes as utility.

    Examples
    --------
    >>> from oza.ensembles.active import query_by_bagging
    >>> query_by_bagging(n_estimators=4).teach([[0.0], [1.0]], ["a", "b"]).query([[0.1], [0.5]]).shape
    (1,)
    """
    ensemble = BaggingClassifier(estimator, n_estimators, random_state=random_state)
    return ActiveLearner(ensemble, "margin", batch_size)


def query_by_boosting(estimator=None, n_estimators=15, batch_size=1, random_state=None) -> ActiveLearner:
    """Query by boosting: an active learner whose ensemble is made by AdaBoost, with its weighted votes.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means Naive Bayes.
    n_estimators : int, default=15
        Largest number of base models, as in DECORATE.
    batch_size : int, default=1
        Number of examples that a query names.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the random draws.

    Returns
    -------
    ActiveLearner
        With the margin of the weighted votes as utility.

    Examples
    --------
    >>> from oza.ensembles.active import query_by_boosting
    >>> query_by_boosting(n_estimators=4).teach([[0.0], [1.0]], ["a", "b"]).query([[0.1], [0.5]]).shape
    (1,)
    """
    ensemble = AdaBoostClassifier(estimator, n_estimators, random_state=random_state)
    return ActiveLearner(ensemble, "margin", batch_size)


def active_decorate(estimator=None, n_estimators=15, batch_size=1, random_state=None) -> ActiveLearner:
    """Active-DECORATE: an active learner whose ensemble is made by DECORATE.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means Naive Bayes.
    n_estimators : int, default=15
        Largest number of base models.
    batch_size : int, default=1
        Number of examples that a query names.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the random draws.

    Returns
    -------
    ActiveLearner
        With the margin of the averaged class probabilities as utility.

    Examples
    --------
    >>> from oza.ensembles.active import active_decorate
    >>> active_decorate(n_estimators=4).teach([[0.0], [1.0]], ["a", "b"]).query([[0.1], [0.5]]).shape
    (1,)
    """
    ensemble = DecorateClassifier(estimator, n_estimators, random_state=random_state)
    return ActiveLearner(ensemble, "margin", batch_size)
