"""Common base of all ensembles: M base models of one type, and their vote."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy, deepcopy
from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from ..classifier.base import KernelClassifier
from ..classifier.contract import BLOCK, LONG_ENOUGH, BaseModel, label_blocks
from ..classifier.online import OnlineKernelClassifier
from ..classifier.parameters import parameters
from ..classifier.third_party import ThirdParty, check_classifier
from ..columns.examples import Examples, rows_of
from ..columns.kinds import is_auto
from ..columns.schema import Schema
from ..columns.validation import check_count, check_key, check_labels, check_order, encode_labels
from ..kernels.compile import check_implemented
from ..models import NaiveBayesClassifier
from .algorithm import empty_predictions, learn_in_turn, step, vote_weights
from .blocks import learn_in_blocks, learn_in_threads
from .threads import check_n_jobs, for_threads
from .votes import weigh_votes


@parameters
class VotingEnsemble(KernelClassifier):
    """M base models of one type, by default with one vote each."""

    estimator: Any = None
    n_estimators: Any = 100
    random_state: Any = field(default=None, kw_only=True)

    _default_estimator: ClassVar[Any] = NaiveBayesClassifier
    _warned_of_bounds = False
    _codes = np.zeros((0, 0), np.int64)  # output codes, if there are any: the bit of each class
    _part: range | None = field(default=None, init=False)  # the base models here, if machines divide them
    _undivided: ClassVar[Any] = "what one of them learns depends on the others"  # why not; "" if they can

    def _new_kind(self) -> BaseModel:
        if self.estimator is None:
            return self._default_estimator()
        if not isinstance(self.estimator, BaseModel):
            check_classifier(self.estimator, self._method)
            return ThirdParty(self.estimator, self._method, get_tags(self).input_tags)
        for name in ("categorical_features", "categories"):
            if not is_auto(getattr(self.estimator, name)):
                raise ValueError(f"{name} is set on the estimator; set it on {type(self).__name__} instead.")
        return clone(self.estimator)

    @property
    def _method(self) -> str:
        """By which method classifiers of other libraries learn."""
        return "partial_fit" if isinstance(self, OnlineKernelClassifier) else "fit"

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        n_models = check_count("n_estimators", self.n_estimators)
        key = check_key(self.random_state)
        kind._set_key(key)
        return {
            "_kind": kind,
            "_models": kind._begun(schema, classes, n_models),
            "_n_models": n_models,
            "_key": key,
            "_counted": np.zeros(1, np.int64),
            "_warned_of_bounds": False,
        }

    @property
    def estimator_(self) -> Any:
        """The base model, unfitted."""
        return self._kind.estimator if isinstance(self._kind, ThirdParty) else self._kind

    @property
    def _members(self) -> range:
        """The base models that learn here: all of them, or a part."""
        return range(self._n_models) if self._part is None else self._part

    def _take_over(self, part: VotingEnsemble) -> None:
        """Replace base models by those of another machine, trained on the same examples."""
        members = np.array(part._members)
        self._kind._put(self._models, members, self._kind._take(part._models, members))

    def _rollback_on_error(self) -> AbstractContextManager[None]:
        """Roll back if a classifier of another library refuses input that has passed validation."""
        kind = getattr(self, "_kind", None) or self._new_kind()
        return self._restored() if isinstance(kind, ThirdParty) else nullcontext()

    @contextmanager
    def _restored(self) -> Iterator[None]:
        """Learn with copies of all that was learned, and restore that if an exception is raised inside."""
        with self._atomic():
            for name in vars(self).keys() - self.get_params(deep=False).keys() - {"_lock"}:
                value = getattr(self, name)  # items of lists are never changed, and lists can be long
                setattr(self, name, copy(value) if isinstance(value, list) else deepcopy(value))
            yield

    def _has_learned(self, n_examples: int = 0) -> None:
        """Count examples that no kernel has counted; warn when weights are bounded for the first time."""
        self._counted[0] += n_examples
        if not self._warned_of_bounds and self._count_bounded() > 0:
            self._warned_of_bounds = True
            warnings.warn(
                "an example weighed more than a base model accepts; such weights are bounded, and "
                "n_bounded_draws_ says how many were.",
                RuntimeWarning,
                stacklevel=6,
            )

    @property
    def n_bounded_draws_(self) -> int:
        """Number of weights, or numbers of copies, that were bounded to what a base model can learn."""
        return self._count_bounded()

    def _count_bounded(self) -> int:
        return int(self._models.n_bounded.sum()) if hasattr(self._models, "n_bounded") else 0

    def _labels(self, examples: Examples) -> np.ndarray:
        """Class index of each example by each base model, (N, M); −1 if that has not been trained."""
        return np.concatenate([labels for _, labels in label_blocks(self._models, self._n_models, examples)])

    def _votes(self, examples: Examples) -> np.ndarray:
        """Sum of the votes for each class, (N, K)."""
        weights, n_classes = self.vote_weights_, len(self.classes_)
        blocks = label_blocks(self._models, self._n_models, examples)
        return np.concatenate([weigh_votes(labels, weights, self._codes, n_classes) for _, labels in blocks])

    def _predict_encoded(self, examples: Examples) -> np.ndarray:
        return self._votes(examples).argmax(axis=1)

    def predict_proba(self, X):
        """Share of the votes for each class, in the order of `classes_`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Equal if no base model has learned anything.
        """
        return self._probabilities_of(self._encode(X))

    def decision_function(self, X):
        """Margin of the votes, of which `predict` takes the sign, or the largest.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes the share of the votes for the second minus that for the first, from −1 to 1;
            otherwise the share for each class.

        Examples
        --------
        >>> from oza import OnlineBaggingClassifier
        >>> model = OnlineBaggingClassifier(n_estimators=10, random_state=0)
        >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]] * 5, [0, 0, 1, 1] * 5)
        >>> model.decision_function([[0.0], [9.0]]).tolist(), model.predict([[0.0], [9.0]]).tolist()
        ([-1.0, 1.0], [0, 1])
        """
        shares = self.predict_proba(X)
        return shares[:, 1] - shares[:, 0] if len(self.classes_) == 2 else shares

    def _probabilities_of(self, examples: Examples) -> np.ndarray:
        votes = self._votes(examples)
        votes[~votes.any(axis=1)] = 1.0
        return votes / votes.sum(axis=1, keepdims=True)

    def predict_each(self, X):
        """Predict the class of each row with each base model.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, len(estimators_))
            The first class for a base model that has not been trained, which does not vote.

        Examples
        --------
        The error of each base model on test examples:

        >>> from oza import OnlineBaggingClassifier
        >>> from oza.datasets import load_dataset
        >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
        >>> model = OnlineBaggingClassifier(n_estimators=5, random_state=7).fit(X[::2], y[::2])
        >>> (model.predict_each(X[1::2]) != y.to_numpy()[1::2, None]).mean(axis=0).round(2).tolist()
        [0.13, 0.15, 0.17, 0.17, 0.16]
        """
        labels = self._labels(self._encode(X))[:, : self._n_voting]
        return self._member_classes[np.maximum(labels, 0)]

    def staged_predict(self, X):
        """Predictions of the ensembles of the first base model, the first two, and so on.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        iterator of ndarrays of shape (n_samples,)
            The last one is the result of `predict`. All are computed at once, so that what is learned
            meanwhile does not change them.
        """
        return iter([self.classes_[votes.argmax(axis=1)] for votes in self._staged_votes(self._encode(X))])

    def _staged_votes(self, examples: Examples) -> Iterator[np.ndarray]:
        """Sum of the votes for each class, (N, K), of the first model, the first two, and so on."""
        labels = self._labels(examples)
        for n_models in range(1, self._n_voting + 1):
            yield weigh_votes(labels, self._weights_of_the_first(n_models), self._codes, len(self.classes_))

    def margins(self, X, y):
        """Margin of the vote for the true class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The true classes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Share of the votes for the true class minus the largest share of another class, from
            −1 to 1; positive if the prediction is correct.
        """
        check_order(X, y=y)
        shares = self.predict_proba(X)
        right = np.arange(len(shares)), encode_labels(check_labels(y, len(shares)), self.classes_)
        true_class_share = shares[right]
        shares[right] = 0.0
        return true_class_share - shares.max(axis=1)

    @property
    def vote_weights_(self) -> np.ndarray:
        """Weight of each base model's vote."""
        return self._weights_of_the_first(self._n_voting)

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        """Vote weights in the ensemble of the first `n_models` base models."""
        return np.ones(n_models)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean of the importances of the columns for the base models that vote, as shares of the whole.

        Only where the base model has them: trees, and classifiers of other libraries with the attribute.
        """
        found = np.zeros(self.n_features_in_)
        for m, member in enumerate(self.estimators_):
            found[self._columns_of(m)] += member.feature_importances_
        return found / found.sum() if found.any() else found

    def _columns_of(self, m: int) -> Any:
        """Index of the columns that base model `m` sees."""
        return slice(None)

    def _schema_of(self, m: int) -> Schema:
        """Schema of what base model `m` sees."""
        return self._schema

    def _classes_of(self, m: int) -> np.ndarray:
        """Classes that base model `m` tells apart."""
        return self._member_classes

    @property
    def estimators_(self) -> list:
        """Copies of the base models that vote, each a fitted classifier."""
        return [self._member(m) for m in range(self._n_voting)]

    @property
    def _n_voting(self) -> int:
        """Number of base models that vote, which are the first ones."""
        return self._n_models

    def _member(self, m: int) -> Any:
        """Copy of base model `m` as a fitted classifier."""
        models, place, schema = *self._place_of(m), self._schema_of(m)
        if isinstance(self._kind, ThirdParty):
            return models.member(place)
        member = clone(self._kind)
        state = {"_kind": self._kind, "_models": self._kind._take(models, np.array([place]))}
        member._set_state(schema, self._classes_of(m), state | {"_counted": np.zeros(1, np.int64)})
        member.n_features_in_ = schema.n_columns
        if hasattr(self, "feature_names_in_"):
            member.feature_names_in_ = self.feature_names_in_[self._columns_of(m)]
        return member

    def _place_of(self, m: int) -> tuple[Any, int]:
        """The state that base model `m` is in, and its number there."""
        return self._models, m

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.estimator is not None and not isinstance(self.estimator, BaseModel):
            of_estimator = get_tags(self.estimator)
            tags.input_tags = of_estimator.input_tags
            tags.classifier_tags.multi_class = of_estimator.classifier_tags.multi_class
            tags.classifier_tags.poor_score = of_estimator.classifier_tags.poor_score
        return tags


class OnlineEnsemble(OnlineKernelClassifier, VotingEnsemble):
    """An ensemble that is trained example by example, as the `step` of its algorithm says.

    A subclass passes the state of its algorithm to the kernels, by `_algorithm`; the step of the algorithm
    is registered for this state with `implements(step, State)`, and so is `vote_weights` where the votes do
    not count alike. What the algorithm remembers is created by `_start` and extended to new classes by
    `_grow`. All else is inherited: validation, learning in any chunks, prequential prediction, and the vote.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``.
    n_estimators : int, default=100
        Number M of base models.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the data.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.

    Notes
    -----
    In which order the two loops run, over the examples and over the base models, is decided in
    `_learn_piece`; it changes nothing but the speed.
    """

    _key: int
    _max_per_call = 4 * BLOCK  # examples that a kernel learns in one call; Ctrl-C waits until it returns

    def _algorithm(self) -> Any:
        """State of the online algorithm, with buffers and the parameters that are read at every call."""
        raise NotImplementedError

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        algorithm = self._algorithm()
        if vote_weights.is_implemented_for(type(algorithm)):
            return vote_weights(algorithm, n_models)
        return super()._weights_of_the_first(n_models)

    def _n_threads(self) -> int:
        """Number of threads in which base models learn."""
        return check_n_jobs(getattr(self, "n_jobs", None))

    def _prefers_blocks(self, is_tested: bool) -> bool:
        """Whether the algorithm is faster block by block; `is_tested`: if it also votes on each example."""
        return False

    def _begin(self, kind: BaseModel, schema: Schema, classes: np.ndarray, X: Any) -> None:
        super()._begin(kind, schema, classes, X)
        check_implemented(self._algorithm(), step)

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        if len(labels) <= self._max_per_call:
            return self._learn_piece(n_classes, examples, labels, weights)
        predicted = empty_predictions(len(labels), n_classes)
        for first in range(0, len(labels), self._max_per_call):
            rows = slice(first, first + self._max_per_call)
            piece = rows_of(examples, rows), labels[rows], weights[rows]
            predicted[rows] = self._learn_piece(n_classes, *piece)
        return predicted

    def _learn_piece(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """The same for at most `_max_per_call` examples."""
        algorithm, models = self._algorithm(), self._models
        rows = n_classes, examples, labels, weights, self._key, self._counted
        states = [models]
        if len(labels) >= 2 * LONG_ENOUGH:  # shorter chunks are learned in one thread
            states = for_threads(self._kind, models, len(self._members), self._n_threads())
        if len(states) > 1 or self._part is not None:
            predicted = learn_in_threads(states, self._members, algorithm, *rows)
        elif len(labels) >= LONG_ENOUGH and self._prefers_blocks(is_tested=n_classes > 0):
            predicted = learn_in_blocks(algorithm, models, *rows)
        else:
            predicted = learn_in_turn(algorithm, models, *rows)
        self._has_learned()
        return predicted


def error_shares(wrong: np.ndarray, tested: np.ndarray) -> np.ndarray:
    """Share of the tested weight that each model misclassified, (M,); 1/2 if there was none."""
    return np.divide(wrong, tested, out=np.full(len(wrong), 0.5), where=tested > 0.0)
