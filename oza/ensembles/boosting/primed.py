"""Primed online boosting."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from ...classifier.contract import BaseModel, Growth, reset_all
from ...classifier.parameters import parameters
from ...columns.examples import Examples, LabelledExamples, joined, rows_of
from ...columns.schema import Schema
from ...columns.validation import check_choice, check_integer
from ..algorithm import empty_predictions
from .classifier import OnlineBoostingClassifier
from .kernels import Trace, adaboost, error, new_boosting


@parameters
class PrimedOnlineBoostingClassifier(OnlineBoostingClassifier):
    """Primed online boosting: learns from the first examples by AdaBoost.M1, from the others online.

    Thesis sections 2.4 and 4.4 (Oza and Russell, KDD 2001, section 4.3), which do not say how the models that
    AdaBoost made are handed over; that is a choice of this library. Online boosting estimates the errors of
    its base models badly while they have seen few examples; priming starts it with good estimates. The sums
    λˢᶜ and λˢʷ of each model that AdaBoost made start as the weights that it classified correctly and wrongly
    there; models that AdaBoost did not make start empty. `partial_fit` stores the first `n_prime`
    examples; until it has all of them, the ensemble has not been trained.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    weight_update : {"thesis", "later"}, default="thesis"
        The factor of λ after a correct and after a wrong classification. Let λˢᶜ and λˢʷ be the total
        weights that a model has classified correctly and wrongly so far, and ε = λˢʷ/(λˢᶜ + λˢʷ). In the
        thesis the factors are 1/(2(1 − ε)) and 1/(2ε). The later ones, n/(2λˢᶜ) and n/(2λˢʷ) with n the
        weight of all examples so far, are MOA's. The two agree if the weights that reach a model sum to n.
    tested : {"after", "before"}, default="after"
        Whether a base model is tested after or before it is trained on the example. The thesis tests it
        after. A model that memorises, such as a decision tree, is then often right only because it
        has just learned from the example, so its ε is too low and its vote weight too high (a finding of
        the book, not of the thesis). A model that has not been trained counts as wrong. The
        first examples, learned by AdaBoost.M1, are not affected.
    n_prime : int, default=None
        Number P of first examples, for AdaBoost.M1. None means a fifth of the examples and at most 10,000
        (thesis section 2.4), and is possible only for `fit`; `partial_fit` requires a number.
    resample : bool, default=False
        As for ``AdaBoostClassifier``.
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
    lambda_correct_, lambda_wrong_ : ndarrays of shape (n_estimators,)
        The sums λˢᶜ and λˢʷ of each base model.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Share ε of its weight that each misclassified; 1/2 if it had none.
    vote_weights_ : ndarray of shape (n_estimators,)
        Vote weight log((1 − ε)/ε) of each; ε is taken to be at least 1/(2N). From the first model with
        ε > 1/2 on the vote weights are 0 (the first-L rule of Oza and Russell), but the very first
        model always votes.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a model's counts would have exceeded the exact range
        or because a network is trained on an example at most 100 times.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    Warns
    -----
    RuntimeWarning
        The first time that a draw is bounded. If later base models are wrong on more than half of their
        weight, λ grows without limit; a model learns at most 2**53 copies in all.

    See Also
    --------
    AdaBoostClassifier : the batch algorithm; with `n_prime` of at least N the two are the same.
    OnlineBoostingClassifier : starts online.

    References
    ----------
    N. C. Oza and S. Russell, *Experimental Comparisons of Online and Batch Versions of Bagging and
    Boosting*, KDD 2001.

    Examples
    --------
    >>> from oza import PrimedOnlineBoostingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = PrimedOnlineBoostingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    n_prime: Any = None
    resample: Any = False
    _waiting: list[LabelledExamples] = field(init=False)

    @available_if(lambda self: self.n_prime is not None)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Train on the examples of `X` and `y` one by one, after all earlier ones.

        Available only if `n_prime` is given. See `OnlineBoostingClassifier.partial_fit`
        for the parameters.
        """
        return super().partial_fit(X, y, classes, sample_weight)

    @available_if(lambda self: self.n_prime is not None)
    def prequential_predict(self, X, y, classes=None, sample_weight=None):
        """Predict each example, then train on it, before the next one is predicted.

        Available only if `n_prime` is given. See
        `OnlineBoostingClassifier.prequential_predict` for the parameters.
        """
        return super().prequential_predict(X, y, classes, sample_weight)

    def _check_choices(self) -> None:
        super()._check_choices()
        check_choice("resample", self.resample, True, False)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        n_prime = self.n_prime
        if n_prime is not None:
            check_integer("n_prime, if it is not None,", n_prime, 0)
        return super()._start(kind, schema, classes) | {"_n_prime": n_prime, "_waiting": []}

    def _learn_batch(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        wanted = min(len(labels) // 5, 10_000) if self.n_prime is None else self.n_prime
        self._n_prime = min(wanted, len(labels))  # fit gets all examples at once
        self._learn(examples, labels, weights)

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        n_first = self._keep_for_priming(examples, labels, weights)
        predicted = empty_predictions(len(labels), n_classes)
        predicted[:n_first] = 0  # the first class while nothing has been learned
        if n_first < len(labels):
            later = _from(n_first, examples, labels, weights)
            predicted[n_first:] = super()._learn_in_order(n_classes, *later)
        return predicted

    @available_if(lambda self: self.n_prime is not None)
    def trace(self, X, y, classes=None, sample_weight=None):
        """Learn like `partial_fit`, and record how each example passes through the base models.

        Available only if `n_prime` is given. See `OnlineBoostingClassifier.trace`; an
        example that AdaBoost.M1 learns from has the λ NaN.
        """
        return super().trace(X, y, classes, sample_weight)

    def _trace(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> Trace:
        n_first = self._keep_for_priming(examples, labels, weights)
        shape = n_first, self._n_models
        errors = np.broadcast_to([error(self._boosting, m) for m in range(self._n_models)], shape)
        batch = Trace(np.full(shape, np.nan), np.zeros(shape, bool), errors)
        online = super()._trace(*_from(n_first, examples, labels, weights))
        return Trace(*map(np.concatenate, zip(batch, online, strict=True)))

    def _keep_for_priming(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> int:
        """Store the examples that priming still needs, and prime when there are all; returns their number."""
        n_first = min(max(self._n_prime - self._n_seen, 0), len(labels))
        if n_first:
            first = rows_of(examples, slice(n_first))
            waiting = [*self._waiting, LabelledExamples(first, labels[:n_first], weights[:n_first])]
            found = {"_waiting": waiting, "_counted": self._counted + n_first}
            if found["_counted"][0] == self._n_prime:
                found |= {"_waiting": [], **self._primed(waiting)}
            self.__dict__.update(found)  # all at once
            self._has_learned()
        return n_first

    def _grow(self, growth: Growth) -> None:
        super()._grow(growth)
        self._waiting = [growth.renumbered(piece) for piece in self._waiting]

    def _primed(self, waiting: list[LabelledExamples]) -> dict[str, Any]:
        """State after the stored examples have been learned by AdaBoost.M1."""
        first = joined(waiting)
        n_models, primed = self._n_models, object.__new__(type(self))
        primed.__dict__ = self.__dict__.copy()
        primed._models = self._kind._take(self._models, np.arange(n_models))
        primed._boosting = new_boosting(n_models)
        if first[-1].any() and (n_made := primed._boost(adaboost, n_models, *first)) < n_models:
            reset_all(primed._models, n_models)  # repeat without the model that AdaBoost dropped
            primed._boosting = new_boosting(n_models)
            primed._boost(adaboost, n_made, *first)
        return {"_models": primed._models, "_boosting": primed._boosting}


def _from(
    start: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
) -> tuple[Examples, np.ndarray, np.ndarray]:
    """The examples from index `start` on."""
    return rows_of(examples, slice(start, None)), labels[start:], weights[start:]
