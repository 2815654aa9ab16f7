"""AdaBoost.M1 and online boosting: the classifiers."""

from __future__ import annotations

from dataclasses import KW_ONLY
from itertools import pairwise
from typing import Any

import numpy as np

from ...classifier.contract import BaseModel
from ...classifier.online import at_once
from ...classifier.parameters import parameters
from ...columns.examples import Examples
from ...columns.schema import Schema
from ...columns.validation import check_choice
from ..algorithm import vote_weights
from ..voting import OnlineEnsemble, VotingEnsemble
from .kernels import Boosting, OnlineBoosting, Trace, adaboost, error, new_boosting, online_boosting, trace


class BoostingEnsemble(VotingEnsemble):
    """M base models of one type, weighted in the vote by their errors."""

    _boosting: Boosting
    _models: Any
    _n_models: int

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"_boosting": new_boosting(state["_n_models"])}

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Share ε of its weight that each base model misclassified; 1/2 if it had none."""
        return np.array([error(self._boosting, m) for m in range(self._n_voting)])

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        return vote_weights(self._boosting, n_models)

    def _boost(
        self, boost: Any, n_models: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> int:
        """Let `boost`, which is AdaBoost.M1, make at most `n_models` base models; returns their number."""
        rows = examples, labels, weights.copy(), bool(self.resample)
        return boost(self._models, n_models, self._boosting, *rows, self._key)


@parameters
class AdaBoostClassifier(BoostingEnsemble):
    """AdaBoost.M1: each base model learns from the examples weighted by the errors of its predecessors.

    The batch algorithm of thesis Figures 2.7 and 4.1 (Freund and Schapire 1997). After each model,
    the weights are changed so that the examples that it classified correctly have half of the total
    weight, and the others the other half. Boosting stops before a model whose error is 1/2 or more,
    and after one without error; if the first model has an error of 1/2 or more, the ensemble consists
    of that model alone. Errors are sums of floats, and one that is less than 1/2 by at most 2⁻³⁰ counts
    as 1/2, which is the error of a model that equals its predecessor. Weights have mean 1, or the mean
    of `sample_weight`.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives the
        columns unchanged and is much slower.
    n_estimators : int, default=100
        Largest number M of base models (100 in all experiments of the thesis, section 3.5).
    resample : bool, default=False
        Whether each base model is trained on N examples drawn with replacement according to the weights,
        as the thesis does for learners without weights, instead of weighted examples. A network that is
        trained on weighted examples makes longer steps for heavier ones, at most 100 times as long.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws; without `resample` there are none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models, at most M.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        Weighted training error ε of each.
    vote_weights_ : ndarray of shape (len(estimators_),)
        Vote weight log((1 − ε)/ε) of each; ε is taken to be at least 1/(2N).
    n_bounded_draws_ : int
        Number of weights that were bounded, because a network is trained on an example at most 100 times.
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
    OnlineBoostingClassifier : the online algorithm.

    References
    ----------
    Y. Freund and R. E. Schapire, *A Decision-Theoretic Generalization of On-Line Learning and an
    Application to Boosting*, Journal of Computer and System Sciences 55, 1997.

    Examples
    --------
    >>> from oza import AdaBoostClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=25).fit(X, y)
    >>> bool(model.score(X, y) > model.estimators_[0].score(X, y))
    True
    """

    _: KW_ONLY
    resample: Any = False

    algorithm = staticmethod(adaboost)

    def _check_choices(self) -> None:
        check_choice("resample", self.resample, True, False)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._n_made = self._boost(self.algorithm, self._n_models, examples, labels, weights)
        self._has_learned(len(labels))

    @property
    def _n_voting(self) -> int:
        return self._n_made


class OnlineBoostingEnsemble(OnlineEnsemble, BoostingEnsemble):
    """Boosting example by example."""

    @property
    def lambda_correct_(self) -> np.ndarray:
        """Total weight λˢᶜ that each base model classified correctly."""
        return self._boosting.right.copy()

    @property
    def lambda_wrong_(self) -> np.ndarray:
        """Total weight λˢʷ that each base model misclassified."""
        return self._boosting.wrong.copy()

    def _count_bounded(self) -> int:
        return super()._count_bounded() + int(self._boosting.bounded.sum())

    def _online(self, tests_first: bool, uses_later_update: bool = False) -> OnlineBoosting:
        """State of online boosting, with new buffers."""
        return OnlineBoosting(
            boosting=self._boosting,
            uses_later_update=uses_later_update,
            tests_first=tests_first,
            most_copies=self._kind._most_copies,
            labels=np.empty(self._n_models, np.int32),
            lam=np.empty(self._n_models),
            is_right=np.empty(self._n_models, np.bool_),
        )


@parameters
class OnlineBoostingClassifier(OnlineBoostingEnsemble):
    """Online boosting: each model trains more often on the examples that its predecessors misclassify.

    It learns as in thesis Figure 4.3 and votes by the first-L rule of Oza and Russell (KDD 2001, section
    4.4); in the figure all models vote. Base model m is trained on an example k
    times, k drawn from Poisson(λ); then λ increases for the next model if this one misclassifies the
    example, and decreases otherwise, so that both kinds of examples have half of the weight each.
    Draws are keyed by (example number, base model): however a stream is divided into calls of
    `partial_fit`, the models are the same, bit for bit, as by `fit` on all of it. `sample_weight` is
    the λ for the first base model; a row of weight 0 is skipped but keeps its number.

    Of six other ways to boost online that the book compares with this one, ``BOLEClassifier`` is the one that
    met all conditions of a class in the library.

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
        the book, not of the thesis). A model that has not been trained counts as wrong.
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
    AdaBoostClassifier : the batch algorithm.
    PrimedOnlineBoostingClassifier : starts with batch boosting.
    BOLEClassifier : the models learn in the order of their accuracy.

    References
    ----------
    N. C. Oza and S. Russell, *Online Bagging and Boosting*, AISTATS 2001;
    *Experimental Comparisons of Online and Batch Versions of Bagging and Boosting*, KDD 2001.

    Examples
    --------
    >>> from oza import OnlineBoostingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = OnlineBoostingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    weight_update: Any = "thesis"
    tested: Any = "after"

    algorithm = staticmethod(online_boosting)
    _read_at_every_call = ("weight_update", "tested")

    def _check_choices(self) -> None:
        check_choice("weight_update", self.weight_update, "thesis", "later")
        check_choice("tested", self.tested, "after", "before")

    def _prefers_blocks(self, is_tested: bool) -> bool:
        return True

    def _algorithm(self) -> OnlineBoosting:
        return self._online(self.tested == "before", self.weight_update == "later")

    def trace(self, X, y, classes=None, sample_weight=None):
        """Learn like `partial_fit`, and record how each example passes through the base models.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            As in `partial_fit`.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), default=None
            As in `partial_fit`.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0; None stands for 1 each.

        Returns
        -------
        Trace
            Arrays of shape (n_samples, n_estimators): `lam`, the λ with which an example reached a
            model; `is_right`, whether the model classified it correctly when it was tested; `error`,
            the model's ε afterwards.

        Examples
        --------
        >>> from oza import OnlineBoostingClassifier
        >>> from oza.datasets import load_dataset
        >>> X, y = load_dataset("balance", return_X_y=True, as_frame=True)
        >>> model = OnlineBoostingClassifier(n_estimators=2, random_state=1)
        >>> model.trace(X[:3], y[:3], classes=[0, 1, 2]).lam[:, 0]
        array([1., 1., 1.])
        """
        with self._rollback_on_error():
            chunk = self._validate_chunk(X, y, classes, sample_weight)
            starts = sorted({0, *chunk.new_at.tolist(), len(chunk.labels)})
            pieces = []
            for start, stop in pairwise(starts):
                with at_once(chunk):
                    self._grow_to(chunk, start)
                    pieces.append(self._trace(*self._rows(chunk, start, stop)))
        self._warn_of_identifiers()
        return Trace(*map(np.concatenate, zip(*pieces, strict=True)))

    def _trace(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> Trace:
        found = trace(self._algorithm(), self._models, examples, labels, weights, self._key, self._counted)
        self._has_learned()
        return found
