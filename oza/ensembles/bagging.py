"""Bagging and online bagging, side by side: the classifiers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from .._base import KernelClassifier, OnlineKernelClassifier
from .._kinds import keep_room, take
from .._schema import Examples, Schema
from .._validation import EXACT_BELOW, check_choice, check_count, check_key, check_labels, encode_labels
from ..models import NaiveBayesClassifier
from ..models._foreign import AsGiven, ForeignModels, check_foreign, check_given, for_models, is_foreign
from ._bagging import (
    OutOfBag,
    bagging,
    count_out_of_samples,
    new_out_of_bag,
    online_bagging,
    online_bagging_prequential,
)
from ._voting import count_votes, labels_of_each, votes_of_the_first


class VotingEnsemble(KernelClassifier):
    """M base models of one kind that vote, each with one vote."""

    _models: Any

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

    @property
    def _negligible(self) -> float:
        return getattr(self.estimator, "_negligible", 0.0)

    @property
    def _teaching_method(self) -> str:
        """Method by which an estimator of another library learns."""
        return "partial_fit" if isinstance(self, OnlineKernelClassifier) else "fit"

    def _check_X(self, X: Any) -> Any:
        if is_foreign(self.estimator):
            check_foreign(self.estimator, self._teaching_method)
            return check_given(X, get_tags(self).input_tags)
        return super()._check_X(X)

    def _infer_schema(self, checked: Any) -> Schema:
        if is_foreign(self.estimator):
            for name in ("categorical_features", "categories"):
                if not _is_auto(getattr(self, name)):
                    raise ValueError(
                        f"{name} is only for base models of this library; got {self.estimator!r}."
                    )
            return AsGiven((None,) * checked.shape[1])
        return super()._infer_schema(checked)

    def _start(self, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        estimator = NaiveBayesClassifier() if self.estimator is None else clone(self.estimator)
        n_models = check_count("n_estimators", self.n_estimators)
        key = check_key(self.random_state)
        if not is_foreign(estimator):
            for name in ("categorical_features", "categories"):
                if not _is_auto(getattr(estimator, name)):
                    raise ValueError(
                        f"{name} is set on the estimator; set it on {type(self).__name__} instead."
                    )
            if "random_state" in estimator.get_params():
                estimator.set_params(random_state=key)
        return {
            "estimator_": estimator,
            "_models": self._models_of(estimator, schema, classes, n_models, key),
            "_n_models": n_models,
            "_key": key,
            "_n_seen": 0,
        }

    def _forget(self) -> None:
        """Begin anew with models that have learned nothing, and have room for the same examples."""
        new = self._models_of(self.estimator_, self._schema, self.classes_, self._n_models, self._key)
        self._models = keep_room(new, self._models)

    def _models_of(self, estimator: Any, schema: Schema, classes: np.ndarray, n_models: int, key: int) -> Any:
        if is_foreign(estimator):
            return ForeignModels(estimator, self._teaching_method, classes, n_models, key)
        return estimator._new_models(schema, len(classes), n_models)

    @contextmanager
    def _guarding_what_is_learned(self) -> Iterator[None]:
        """Only an estimator of another library can refuse what its ensemble has admitted."""
        if not is_foreign(self.estimator):
            yield
            return
        with self._all_or_nothing():
            learned = vars(self).keys() - self.get_params(deep=False).keys()
            for name in learned:  # go on with copies; what a list holds is never changed, but it may be long
                value = getattr(self, name)
                setattr(self, name, copy(value) if isinstance(value, list) else deepcopy(value))
            yield

    @contextmanager
    def _counting(self, labels: np.ndarray, weights: np.ndarray) -> Iterator[None]:
        """Count what is learned inside; warn when that bounds the first weights of all."""
        bounded_before = self.n_bounded_draws_
        yield
        self._n_seen += len(labels)
        self._most_learned += self._most_learned_of(weights)
        if bounded_before == 0 < self.n_bounded_draws_:
            warnings.warn(
                "an example weighed more than a base model can take of one; such weights are bounded, and "
                "n_bounded_draws_ says how many were.",
                RuntimeWarning,
                stacklevel=5,
            )

    @property
    def n_bounded_draws_(self) -> int:
        """How many weights, or numbers of copies, were bounded because a base model takes no more."""
        return int(np.sum(getattr(self._models, "n_bounded", 0)))

    def _votes(self, X: Any) -> np.ndarray:
        examples = self._encode(X)
        if isinstance(self._models, ForeignModels):
            return votes_of_the_first(self._labels_of_each(examples), self.vote_weights_, len(self.classes_))
        return self._count(examples)

    def _count(self, examples: Examples) -> np.ndarray:
        """Sum of the votes for each class, (N, K)."""
        return count_votes(self._models, self._n_models, len(self.classes_), examples)

    def _labels_of_each(self, examples: Examples) -> np.ndarray:
        """Class index by each base model, (N, M); −1 from one that has learned nothing."""
        if isinstance(self._models, ForeignModels):
            return self._models.labels_of_each(examples)
        return labels_of_each(self._models, self._n_models, examples)

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

    def predict_each(self, X):
        """Class that each base model gives to each row.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, len(estimators_))
            The first class from a base model that has learned nothing, and so casts no vote.

        Examples
        --------
        The error of each base model on examples that it did not learn:

        >>> from oza import OnlineBaggingClassifier
        >>> from oza.datasets import load_dataset
        >>> X, y = load_dataset("car-evaluation", return_X_y=True)
        >>> model = OnlineBaggingClassifier(n_estimators=5, random_state=7).fit(X[::2], y[::2])
        >>> (model.predict_each(X[1::2]) != y[1::2, None]).mean(axis=0).round(2).tolist()
        [0.13, 0.15, 0.17, 0.17, 0.16]
        """
        labels = self._labels_of_each(self._encode(X))[:, : self._n_voting]
        return self.classes_[np.maximum(labels, 0)]

    def staged_predict(self, X):
        """Predictions of the ensembles of the first base model, the first two, and so on.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Yields
        ------
        ndarray of shape (n_samples,)
            The last is what `predict` says.
        """
        labels = self._labels_of_each(self._encode(X))
        for n_models in range(1, self._n_voting + 1):
            votes = votes_of_the_first(labels, self._weights_of_the_first(n_models), len(self.classes_))
            yield self.classes_[votes.argmax(axis=1)]

    def margins(self, X, y):
        """How clearly the vote goes to the right class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The right classes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Share of the votes for the right class minus the largest share of another class, from
            −1 to 1; above 0 where the prediction is right.
        """
        shares = self.predict_proba(X)
        right = np.arange(len(shares)), encode_labels(check_labels(y, len(shares)), self.classes_)
        of_the_right = shares[right]
        shares[right] = 0.0
        return of_the_right - shares.max(axis=1)

    @property
    def vote_weights_(self) -> np.ndarray:
        """Weight of each base model's vote."""
        return self._weights_of_the_first(self._n_voting)

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        """Vote weights in the ensemble of the first `n_models` base models."""
        return np.ones(n_models)

    @property
    def estimators_(self) -> list:
        """Copies of the base models that vote, each a fitted classifier."""
        return [self._member(m) for m in range(self._n_voting)]

    @property
    def _most_copies(self) -> float:
        """Copies of one example that a base model may be given to learn."""
        source = self._models if isinstance(self._models, ForeignModels) else self.estimator_
        return getattr(source, "_most_copies", EXACT_BELOW)

    @property
    def _n_voting(self) -> int:
        """How many base models vote: the first so many."""
        return self._n_models

    def _member(self, m: int) -> Any:
        """Copy of base model `m` as a classifier of its own."""
        if isinstance(self._models, ForeignModels):
            return self._models.member(m)
        member = clone(self.estimator_)
        models = take(self._models, np.array([m]))
        member._set_state(self._schema, self.classes_, {"_models": models})
        member.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            member.feature_names_in_ = self.feature_names_in_
        return member

    def __sklearn_tags__(self):  # noqa: D105
        tags = super().__sklearn_tags__()
        if is_foreign(self.estimator):
            of_estimator = get_tags(self.estimator)
            tags.input_tags = of_estimator.input_tags
            tags.classifier_tags.multi_class = of_estimator.classifier_tags.multi_class
            tags.classifier_tags.poor_score = of_estimator.classifier_tags.poor_score
        return tags


def _is_auto(declaration: Any) -> bool:
    return isinstance(declaration, str) and declaration == "auto"


def error_shares(wrong: np.ndarray, tested: np.ndarray) -> np.ndarray:
    """Share of the weight on which each model was tested that it got wrong; 1/2 where there was none."""
    return np.divide(wrong, tested, out=np.full(len(wrong), 0.5), where=tested > 0.0)


class BaggingEnsemble(VotingEnsemble):
    """M base models of one kind, each of which is not given some of the examples: they are out of its bag."""

    _out_of_bag: OutOfBag | None

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        oob_score=False,
        categorical_features="auto",
        categories="auto",
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, categorical_features, categories, random_state)
        self.oob_score = oob_score

    def _check_choices(self) -> None:
        check_choice("oob_score", self.oob_score, True, False)

    def _start(self, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(schema, classes)
        measured = new_out_of_bag(state["_n_models"], len(classes)) if self.oob_score else None
        return state | {"_out_of_bag": measured}

    def _measured(self) -> OutOfBag:
        measured = getattr(self, "_out_of_bag", None)
        if measured is None:
            raise AttributeError(
                f"{type(self).__name__} measures errors only when it is made with oob_score=True and fitted; "
                "predict_each gives every base model's prediction of any examples."
            )
        return measured

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Share of the weight of the examples not given to it that each got wrong; 1/2 where it had none."""
        tested, wrong, _, _ = self._measured()
        return error_shares(wrong, tested)

    @property
    def oob_score_(self) -> float:
        """Accuracy of the vote of the base models that were not given an example; NaN where none voted."""
        _, _, voted, right = self._measured()
        return float(right.sum() / voted.sum()) if voted.any() else np.nan


class BaggingClassifier(BaggingEnsemble):
    """Bagging: each base model learns a sample of N examples drawn with replacement.

    The batch algorithm of thesis Figures 2.6 and 3.1 (Breiman 1996), with an unweighted vote.
    `sample_weight` multiplies the number of times that an example was drawn.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. One of this library, for which it is said
        here which columns are nominal; or any scikit-learn classifier with `fit`, which gets the
        columns as they are, and takes much longer.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    oob_score : bool, default=False
        Whether to test each base model on the examples that it was not given, which are out of its
        bag, about 37 % of them. Learning then takes several times as long.
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
    estimator_errors_ : ndarray of shape (n_estimators,)
        With `oob_score`: share of the `sample_weight` of the examples that each was not given, which
        it got wrong; 1/2 where there was none.
    oob_score_ : float
        With `oob_score`: accuracy of the votes on each example by the base models that were not given
        it, where there was such a vote; NaN where there was none.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has learned nothing casts no vote.
    n_bounded_draws_ : int
        How many weights or draws were bounded, because a network is given an example at most 100 times.
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
    L. Breiman, *Out-of-Bag Estimation*, Technical report, Statistics Department, Berkeley, 1996.

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

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return len(weights) * weights.max()  # if every draw were the heaviest example

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        with self._counting(labels, weights):
            samples = for_models(self.algorithm, self._models)(
                self._models, self._n_models, examples, labels, weights, self._key
            )
        if self._out_of_bag is not None:
            count_out_of_samples(self._out_of_bag, self._labels_of_each(examples), labels, weights, samples)


class OnlineBaggingClassifier(OnlineKernelClassifier, BaggingEnsemble):
    """Online bagging: each base model learns each arriving example Poisson(1) times.

    The algorithm of thesis Figure 3.3 (Oza and Russell 2001), with an unweighted vote. Draws are
    keyed by (example number, base model): a stream cut into any calls of `partial_fit`, and `fit`
    on the whole of it, give the same models bit for bit. `sample_weight` scales the Poisson mean;
    a row of weight 0 is passed over but keeps its number.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. One of this library, for which it is said
        here which columns are nominal; or any scikit-learn classifier with `partial_fit`, which gets the
        columns as they are, and takes much longer.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    oob_score : bool, default=False
        Whether to test each base model on each arriving example that it is not given, which is out
        of its bag, about 37 % of them. Learning then takes several times as long.
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
    estimator_errors_ : ndarray of shape (n_estimators,)
        With `oob_score`: share of the `sample_weight` of the examples that each was not given, which
        it got wrong when they arrived; 1/2 where there was none.
    oob_score_ : float
        With `oob_score`: accuracy of the votes on each example, when it arrives, by the base models that
        are not given it, where there is such a vote; NaN where there was none.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has learned nothing casts no vote.
    n_bounded_draws_ : int
        How many weights or draws were bounded, because a network is given an example at most 100 times.
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

    Errors measured as the examples arrive, on those that a model is not given:

    >>> model.set_params(oob_score=True).fit(X, y).estimator_errors_[:5].round(2).tolist()
    [0.21, 0.18, 0.17, 0.14, 0.18]
    >>> round(model.oob_score_, 2)
    0.82
    """

    algorithm = staticmethod(online_bagging)

    def _most_learned_of(self, weights: np.ndarray) -> float:
        drawn = weights + 16.0 * np.sqrt(weights) + 200.0  # a larger draw has a probability below 10⁻⁵⁰
        return drawn[weights > 0.0].sum()

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        with self._counting(labels, weights):
            for_models(self.algorithm, self._models)(
                self._models,
                self._n_models,
                self._out_of_bag,
                examples,
                labels,
                weights,
                self._key,
                self._n_seen,
            )

    def _predict_then_learn(
        self, X: Any, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        with self._counting(labels, weights):
            predicted = for_models(online_bagging_prequential, self._models)(
                self._models,
                self._n_models,
                len(self.classes_),
                self._out_of_bag,
                examples,
                labels,
                weights,
                self._key,
                self._n_seen,
            )
        return self.classes_[predicted]
