"""ADWIN boosting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...classifier.contract import BaseModel
from ...columns.schema import Schema
from ..boosting.classifier import OnlineBoostingEnsemble
from .ensemble import AdaptiveEnsemble
from .kernels import AdaptiveBoosting, adaptive_boosting


class ADWINBoostingClassifier(AdaptiveEnsemble, OnlineBoostingEnsemble):
    """ADWIN boosting: online boosting that replaces a base model when an error has risen.

    Base models learn as in ``OnlineBoostingClassifier`` with `weight_update="thesis"`. A detector watches
    the errors of each; when one finds that the error of its base model has risen, a base model is replaced by
    a new one, with a new detector, new sums λˢᶜ and λˢʷ, and a new number N of examples.

    A base model with an error of 1/2 or more has no vote, but unlike in online boosting the later ones
    still have theirs: a base model that has just been replaced would otherwise silence the rest.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``HoeffdingTreeClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=10
        Number M of base models (10 in MOA).
    delta : float, default=0.002
        Confidence of each check of a detector, above 0 and below 1 (MOA's default).
    clock : int, default=32
        Number of examples from one check of the detectors to the next, 1 or more.
    replaced : {"worst", "triggered"}, default="worst"
        Which base model is replaced when an error has risen: the one whose detector estimates the
        highest error, the first of equals, or each one whose detector found the change. Bifet
        and others (2009) and MOA replace the worst.
    tested : {"before", "after"}, default="before"
        Whether a base model is tested before or after it is trained on the example, for its detector, its
        sums λˢᶜ and λˢʷ, and the λ that it passes on.
    voting : {"probability", "majority"}, default="probability"
        Whether the class probabilities of all base models are added up, as in MOA, or each has one vote,
        as printed.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of M fitted classifiers
        Copies of the base models.
    n_resets_ : int
        How many base models have been replaced.
    drift_history_ : ndarray of shape (n_found,) with fields
        For each time that a detector found a risen error, in order of time: `example`, its number,
        counted from 0; `member`, the index of the base model; `before` and `after`, its error by the
        detector before and after the cut; `replaced`, the index of the base model that was replaced.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Recent error of each base model by its detector; 0 if it has seen nothing. Examples are not weighted
        by λ, unlike in `vote_weights_`.
    lambda_correct_, lambda_wrong_ : ndarrays of shape (n_estimators,)
        The sums λˢᶜ and λˢʷ of each base model since it started.
    vote_weights_ : ndarray of shape (n_estimators,)
        Vote weight log((1 − ε)/ε) of each, with ε = λˢʷ/(λˢᶜ + λˢʷ), at least 1/(2N); 0 from ε = 1/2 on.
        1 each if no base model has ε below 1/2.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a model's counts would have exceeded the exact
        range, or because a network is trained on an example at most 100 times; a
        network that is replaced starts counting again.
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
    OnlineBoostingClassifier : without detectors.
    ADWINBaggingClassifier : base models are independent of each other.

    References
    ----------
    N. C. Oza and S. Russell, *Online Bagging and Boosting*, AISTATS 2001.

    A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby and R. Gavaldà, *New Ensemble Methods for Evolving Data
    Streams*, KDD 2009.

    A. Bifet, G. Holmes, R. Kirkby and B. Pfahringer, *MOA: Massive Online Analysis*, Journal of
    Machine Learning Research 11, 2010: the class `OzaBoostAdwin`. It sets the two sums of a replaced
    base model to 0, but keeps N, from which λ is computed there.

    Examples
    --------
    The concept of a stream changes at example 5,000:

    >>> from oza import ADWINBoostingClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:10_000]
    >>> model = ADWINBoostingClassifier(categories=stream.categories, random_state=0)
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> model.n_resets_, round(float(is_right[6000:].mean()), 2)
    (9, 1.0)
    """

    _seen: np.ndarray

    algorithm = staticmethod(adaptive_boosting)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"_seen": np.zeros((2, state["_n_models"]))}

    def _algorithm(self) -> AdaptiveBoosting:
        online = self._online(tests_first=not self._detectors.tests_after)
        return AdaptiveBoosting(
            detectors=self._detectors,
            online=online,
            seen=self._seen,
            codes=self._codes,
            by_shares=self.voting == "probability",
            labels=online.labels,
        )
