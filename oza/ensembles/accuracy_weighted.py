"""The accuracy weighted ensemble: one base model for each chunk of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, field
from math import fsum
from typing import Annotated, Any

import numpy as np

from ..classifier.contract import BaseModel, Growth, class_shares, learn_run
from ..classifier.online import OnlineKernelClassifier
from ..classifier.parameters import parameters
from ..columns.examples import Examples, LabelledExamples, joined, rows_of
from ..columns.schema import Schema
from ..columns.validation import check_count
from ..kernels.random import key_of, permutation
from ..models import HoeffdingTreeClassifier
from .averaging import AveragingEnsemble


@parameters
class AccuracyWeightedEnsembleClassifier(OnlineKernelClassifier, AveragingEnsemble):
    """Accuracy weighted ensemble: one base model for each chunk, weighted by its error on the latest one.

    The stream is cut into chunks of `chunk_size` examples (Wang, Fan, Yu and Han 2003). When a chunk is
    full, a new base model is trained on it, and every stored one is tested on it:

        MSE_i = mean over the chunk of (1 − probability that model i gives to the true class)²
        MSE_r = Σ_c p(c) (1 − p(c))²

    MSE_r is the same error of a model that always gives p(c), the share of class c in the chunk. The
    weight of model i is MSE_r − MSE_i, or 0 where that is negative. The error of the new model is found
    by cross-validation in the chunk. The `n_stored` models with the smallest errors are kept, and the
    best `n_estimators` of these vote. However a stream is divided into calls of `partial_fit`, the
    result is the same, bit for bit.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``HoeffdingTreeClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives the
        columns unchanged; one without `predict_proba` counts as certain of its class.
    chunk_size : int, default=500
        Number of examples in a chunk (500 in MOA).
    n_stored : int, default=30
        Largest number of base models that are kept (30 in MOA).
    n_estimators : int, default=15
        Largest number of base models that vote (15 in MOA).
    n_folds : int, default=10
        Number of parts in cross-validation, from 2 to `chunk_size` (10 in MOA, which divides the error of a
        part by the size of the chunk, so that more parts give the newest model more weight).
    voting : {"probability", "majority"}, default="probability"
        Whether each base model gives its weight to all classes in proportion to the probabilities that
        it gives them, as in MOA, or to one class.
    n_jobs : int or None, default=None
        Number of threads in which the new base model and those of the cross-validation are trained, as in
        scikit-learn; the result is the same.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws: of the parts for cross-validation, keyed by the number of
        the chunk, and of the base models.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models that vote, the one with the smallest error first.
    vote_weights_ : ndarray of shape (len(estimators_),)
        Weight of each.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        MSE_i of each on the latest full chunk; NaN before there is one.
    chunk_numbers_ : ndarray of shape (len(estimators_),), int
        Number of the chunk that each was trained on, counted from 0.
    random_error_ : float
        MSE_r of the latest full chunk; NaN before there is one.
    n_bounded_draws_ : int
        Number of weights that were bounded in the stored base models, because a network is trained on an
        example at most 100 times.
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
    ADWINBaggingClassifier : base models that learn from every example, and detectors of change.

    Notes
    -----
    *Until the first chunk is full*, one base model trained on the examples so far predicts, with
    weight 1. A base model that is not trained example by example, such as a network, which makes several
    passes, is trained anew in each call of `partial_fit`, and for each row in
    `prequential_predict`.

    *If no weight is above 0*, no stored model is better than the class shares of the latest chunk, and
    `predict_proba` returns these.

    *Ties* between errors go to the newer model. `sample_weight` weights examples in all means; a row of
    weight 0 is skipped and does not count in a chunk. `fit` forgets everything and learns as `partial_fit`
    does; the examples after the last full chunk wait for the next ones.

    References
    ----------
    H. Wang, W. Fan, P. S. Yu and J. Han, *Mining Concept-Drifting Data Streams Using Ensemble Classifiers*,
    KDD 2003.

    Examples
    --------
    The concept of a stream changes at example 5,000, the end of chunk 9. Fifteen chunks later, only
    models that have learned the new concept vote:

    >>> from oza import AccuracyWeightedEnsembleClassifier, NaiveBayesClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:12_500]
    >>> model = AccuracyWeightedEnsembleClassifier(
    ...     NaiveBayesClassifier(), categories=stream.categories, random_state=0
    ... )
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> int(model.chunk_numbers_.min()), bool(is_right[10_000:].mean() > 0.99)
    (10, True)
    """

    n_estimators: Any = 15
    _: KW_ONLY
    chunk_size: Any = 500
    n_stored: Any = 30
    n_folds: Any = 10
    voting: Any = "probability"
    n_jobs: Any = None
    _pending: list[LabelledExamples] = field(init=False)
    _n_pending: int = field(init=False)
    _class_shares: np.ndarray = field(init=False)
    _weights: Annotated[np.ndarray, "S"] = field(init=False)
    _errors: Annotated[np.ndarray, "S", "any"] = field(init=False)
    _numbers: Annotated[np.ndarray, "S"] = field(init=False)

    _default_estimator = HoeffdingTreeClassifier
    _method = "fit"

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        size = check_count("chunk_size", self.chunk_size)
        check_count("n_stored", self.n_stored)
        if check_count("n_folds", self.n_folds) < 2 or self.n_folds > size:
            raise ValueError(f"n_folds must be at least 2 and at most chunk_size={size}; got {self.n_folds}.")
        return super()._start(kind, schema, classes) | {
            "_models": [],
            "_pending": [],
            "_n_pending": 0,
            "_n_chunks": 0,
            "_weights": np.empty(0),
            "_errors": np.empty(0),
            "_numbers": np.empty(0, np.int64),
            "_class_shares": np.zeros(len(classes)),
            "random_error_": np.nan,
        }

    def _make_room(self, examples: Examples) -> None:
        """Do nothing: base models have the capacity for what they learn at once, and learn no more."""

    def _grow(self, growth: Growth) -> None:
        self._models = [self._kind._grown(models, growth) for models in self._models]
        self._pending = [growth.renumbered(piece) for piece in self._pending]
        shares = np.zeros(len(growth.classes))
        shares[growth.class_positions] = self._class_shares
        self._class_shares = shares
        self._set_vocabulary(growth.schema, growth.classes)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        rows, start = np.flatnonzero(weights > self._kind._negligible), 0
        while start < len(labels):
            now, rows = np.split(rows, [self.chunk_size - self._n_pending])
            end = int(rows[0]) if len(rows) > 0 else len(labels)
            pending, n_pending = self._pending, self._n_pending + len(now)
            if len(now) > 0:
                pending = [*pending, LabelledExamples(rows_of(examples, now), labels[now], weights[now])]
            found = {"_pending": pending, "_n_pending": n_pending, "_counted": self._counted + (end - start)}
            if n_pending == self.chunk_size:
                found |= {"_pending": [], "_n_pending": 0} | self._of_chunk(*joined(pending))
            elif self._n_chunks == 0 and len(now) > 0:
                found |= self._of_first_chunk(pending)
            self.__dict__.update(found)  # all at once
            start = end
        self._has_learned()

    def _of_first_chunk(self, pending: list[LabelledExamples]) -> dict[str, Any]:
        """State with a model that predicts until the first chunk is full, up to date with what waits."""
        if self._kind._has_batch_mode:
            models = self._learned(0, self._schema, self.classes_, *joined(pending))
        else:
            former = self._models[0] if self._models else self._new_member(0, self._schema, self.classes_)
            former = self._kind._take(former, np.zeros(1, np.int64))
            models = self._kind._reserve(former, pending[-1].examples)
            learn_run(models, 0, *pending[-1], np.empty(0, np.int32), None, None)
        learned = np.ones(1), np.full(1, np.nan), np.zeros(1, np.int64)
        return {"_models": [models], **dict(zip(("_weights", "_errors", "_numbers"), learned, strict=True))}

    def _of_chunk(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> dict[str, Any]:
        """State after a base model is trained on a chunk, and it and the stored ones are weighed by it."""
        fold = permutation(len(labels), key_of("folds", self._key, self._n_chunks)) % self.n_folds

        def learned(f: int) -> Any:
            """Base model that has not seen part `f`; the last one has seen everything."""
            rows = np.flatnonzero(fold != f)
            name = self._n_chunks if f == self.n_folds else f"{self._n_chunks} without {f}"
            part = rows_of(examples, rows), labels[rows], weights[rows]
            return self._learned(name, self._schema, self.classes_, *part)

        *of_folds, new = self._in_parallel(learned, self.n_folds + 1)
        given = np.empty(len(labels))
        for f, models in enumerate(of_folds):
            rows = np.flatnonzero(fold == f)
            given[rows] = self._given(models, rows_of(examples, rows), labels[rows])
        stored = self._models if self._n_chunks > 0 else []
        all_given = [*(self._given(each, examples, labels) for each in stored), given]
        total = fsum(weights)  # sums are exact
        errors = np.array([fsum(weights * (1.0 - each) ** 2) / total for each in all_given])
        numbers = np.append(self._numbers[: len(stored)], self._n_chunks)
        best = np.lexsort((-numbers, errors))[: self.n_stored]
        shares = np.array([fsum(weights[labels == c]) for c in range(len(self.classes_))]) / total
        random_error = fsum(shares * (1.0 - shares) ** 2)
        return {
            "_class_shares": shares,
            "random_error_": random_error,
            "_models": [[*stored, new][i] for i in best],
            "_numbers": numbers[best],
            "_errors": errors[best],
            "_weights": np.maximum(random_error - errors[best], 0.0),
            "_n_chunks": self._n_chunks + 1,
        }

    def _given(self, models: Any, examples: Examples, labels: np.ndarray) -> np.ndarray:
        """Probability that a base model gives to the true class of each example, (N,)."""
        return class_shares(models, 0, len(self.classes_), examples)[np.arange(len(labels)), labels]

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        if n_classes == 0:  # no votes are wanted
            self._learn(examples, labels, weights)
            return np.empty(0, np.int64)
        predicted = np.empty(len(labels), np.int64)
        first = 0
        while first < len(labels):
            size = 1 if self._n_chunks == 0 else self.chunk_size - self._n_pending
            rows = np.arange(first, min(first + size, len(labels)))
            chunk = rows_of(examples, rows)
            predicted[rows] = self._predict_encoded(chunk)
            self._learn(chunk, labels[rows], weights[rows])
            first += len(rows)
        return predicted

    def _staged_votes(self, examples: Examples) -> Iterator[np.ndarray]:
        for votes in super()._staged_votes(examples):
            yield votes if self._weights[0] > 0.0 else np.tile(self._class_shares, (len(votes), 1))

    @property
    def _n_voting(self) -> int:
        return min(self.n_estimators, len(self._models))

    def _weights_of_the_first(self, n_models: int) -> np.ndarray:
        return self._weights[:n_models].copy()

    @property
    def estimator_errors_(self) -> np.ndarray:
        """MSE_i of each base model that votes, on the latest full chunk."""
        if not self._n_voting or np.isnan(self._errors[0]):
            raise AttributeError(
                "estimator_errors_ are measured on a chunk of the stream, and no chunk is full yet."
            )
        return self._errors[: self._n_voting].copy()

    @property
    def chunk_numbers_(self) -> np.ndarray:
        """Number of the chunk that each base model that votes has learned."""
        return self._numbers[: self._n_voting].copy()
