"""Base of the classifiers that are trained example by example: chunks of a stream, and what they add."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.metaestimators import available_if

from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.table import is_plain
from ..columns.validation import (
    check_classes,
    check_labels,
    check_order,
    check_sample_weight,
    check_total,
    distinct_labels,
    encode_labels,
    union_of,
)
from ..kernels.exclusive import lock_of
from ..kernels.undivided import undivided
from .base import KernelClassifier, warn_of_unknown
from .contract import Growth

_PIECE = 4096  # rows that are learned at once while the vocabulary grows; Ctrl-C waits until they are


def _is_empty(X: Any, y: Any) -> bool:
    """Whether a chunk of a stream has no rows."""
    if not hasattr(X, "__len__") or (X.shape[0] if hasattr(X, "tocsr") else len(X)) > 0:
        return False
    return hasattr(y, "__len__") and np.ndim(y) > 0 and len(y) == 0


def _check_stops(after: Any, n_samples: int) -> list[int]:
    """`after` as a strictly increasing list of numbers of examples."""
    stops = np.arange(1, n_samples + 1) if after is None else np.asarray(after)
    is_increasing = stops.ndim == 1 and (np.diff(stops, prepend=-1, append=n_samples + 1) >= 1).all()
    if not is_increasing or stops.dtype.kind not in "iu" or len(stops) == 0:
        raise ValueError(
            f"after must hold strictly increasing integers from 0 to {n_samples}, the number of rows of X; "
            f"got {after!r}."
        )
    return stops.tolist()


class OnlineKernelClassifier(KernelClassifier):
    """A kernel classifier that is trained example by example."""

    #: Whether models are asked for the classes of examples while they learn.
    _classifies_to_learn = True

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Train on the examples of `X` and `y` one by one, after all earlier ones.

        However a stream is divided into calls, the model is the same, bit for bit. Values of nominal
        columns, and classes, are learned when they are first met; those that a pandas categorical type
        lists at the first call are known before they occur. If `categories` declares the values of a column,
        other values are not learned; one warning says how the base model treats them.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            None, NaN, NaT and NA are missing values. A call without rows does nothing.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear; any other is then refused. If it is not given at the first
            call, classes are learned as they are met; a base model of another library requires it.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0; None stands for 1 each.

        Returns
        -------
        self
        """
        if getattr(X, "size", 0) == 0 and _is_empty(X, y):
            return self
        with self._rollback_on_error():
            chunk = self._validate_chunk(X, y, classes, sample_weight)
            self._learn_rows(chunk, 0, len(chunk.labels))
        self._warn_of_identifiers()
        return self

    def learn_one(self, x, y, sample_weight=1.0):
        """Train on one example, in microseconds; the model is that of `partial_fit`.

        Parameters
        ----------
        x : dict, or sequence of n_features values
            Values by column name, of which those that are left out are missing; or in the order of the
            columns.
        y : str, number, bool or datetime64
            Class label.
        sample_weight : float, default=1.0
            Finite weight ≥ 0.

        Returns
        -------
        self

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> model = NaiveBayesClassifier()
        >>> for x, y in [({"sky": "sun"}, "out"), ({"sky": "rain"}, "in")]:
        ...     model = model.learn_one(x, y)
        >>> model.predict_one({"sky": "sun"})
        'out'
        """
        examples, label = self._encode_one(x), self._label_of(y)
        is_weight = type(sample_weight) is float and 0.0 <= sample_weight < np.inf
        if examples is None or label < 0 or not is_weight:
            return self.partial_fit([x], [y], sample_weight=[sample_weight])
        self._check_choices()
        if self._changed is not None:
            self._refuse_changed_parameters()
        weights = np.array([sample_weight])
        most_learned = self._most_learned + self._most_learned_of(weights)
        check_total(most_learned)
        if examples.numbers.shape[1] > 0:
            self._schema.check_magnitude(examples, self._kind._largest_number)
            examples = self._kind._encode_missing(examples)
            self._make_room(examples)
        self.__dict__.update(_most_learned=most_learned, _n_calls=self._n_calls + 1)
        self._learn_in_order(0, examples, np.array([label]), weights)
        return self

    def _label_of(self, y: Any) -> int:
        """Index of a class label; −1 if it is not among those known, or of another type."""
        known = vars(self).get("classes_")
        if known is None or len(known) == 0:
            return -1
        y = y.item() if isinstance(y, np.generic) else y
        label = int(known.searchsorted(y)) if type(y) is type(known.item(0)) else len(known)
        return label if label < len(known) and known[label] == y else -1

    def prequential_predict(self, X, y, classes=None, sample_weight=None):
        """Predict each example, then train on it, before the next one is predicted.

        These are the predictions of a test-then-train evaluation, as if `predict` and `partial_fit`
        were called for one row after the other; the model is that of `partial_fit`. While nothing has
        been learned, the prediction is the first class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            As in `partial_fit`.
        y : array-like of shape (n_samples,)
            Class labels, learned after the prediction.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear; required at the first call, since its first prediction
            must be one of them.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0 with which to learn; None stands for 1 each.

        Returns
        -------
        ndarray of shape (n_samples,)
            The prediction for each row.

        References
        ----------
        A. P. Dawid, *Statistical Theory: The Prequential Approach*, Journal of the Royal
        Statistical Society A 147, 1984.

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> X, y = [["sun"], ["rain"], ["sun"], ["rain"]], ["out", "in", "out", "in"]
        >>> NaiveBayesClassifier().prequential_predict(X, y, classes=["in", "out"]).tolist()
        ['in', 'out', 'out', 'in']
        """
        if getattr(X, "size", 0) == 0 and _is_empty(X, y):
            known = self.classes_ if self._is_fitted() else np.asarray([] if classes is None else classes)
            return known[:0]
        with self._rollback_on_error():
            if classes is None and not self._is_fitted():
                raise ValueError(
                    "classes must be passed on the first call to prequential_predict, since its first "
                    "prediction must be one of them."
                )
            chunk = self._validate_chunk(X, y, classes, sample_weight)
            predicted = self._predict_then_learn_rows(chunk)
        self._warn_of_identifiers()
        return predicted

    @available_if(lambda self: hasattr(self, "partial_fit"))
    def learn_and_predict(self, X, y, X_test, after=None, classes=None, sample_weight=None):
        """Learn `X` and `y` one by one and predict `X_test` at chosen points, for a learning curve.

        The model is that of `partial_fit`, however often it predicts. The input is validated at once;
        examples are learned as the predictions are consumed.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            As in `partial_fit`.
        y : array-like of shape (n_samples,)
            Class labels.
        X_test : array-like or DataFrame of shape (n_test, n_features)
            Examples to predict.
        after : array-like of int, default=None
            Numbers of examples of `X` after which to predict, increasing, from 0 to n_samples; None means
            after each example. The rest is learned after the last prediction.
        classes : array-like of shape (n_classes,), default=None
            As in `partial_fit`.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0; None stands for 1 each.

        Returns
        -------
        iterator of ndarrays of shape (n_test,)
            One for each number in `after`.

        Examples
        --------
        Accuracy after 50, 200 and 1000 examples:

        >>> from oza import NaiveBayesClassifier
        >>> from oza.datasets import load_dataset
        >>> from sklearn.model_selection import train_test_split
        >>> data = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
        >>> X, X_test, y, y_test = train_test_split(*data, random_state=0)
        >>> model = NaiveBayesClassifier()
        >>> stages = model.learn_and_predict(X, y, X_test, after=[50, 200, 1000], classes=range(4))
        >>> [round(float((predicted == y_test).mean()), 2) for predicted in stages]
        [0.72, 0.79, 0.83]
        """
        with ExitStack() as rollback:
            rollback.enter_context(self._rollback_on_error())
            with self._atomic():
                chunk = self._validate_chunk(X, y, classes, sample_weight)
                stops = _check_stops(after, len(chunk.labels))
                if stops[0] == 0 and len(self.classes_) == 0:
                    raise ValueError(
                        "classes must be passed if the first prediction comes before the first example is "
                        "learned, since it must be one of them."
                    )
                self._encode_new(X_test)
            return self._stages(rollback.pop_all(), stops, X_test, chunk)

    def _stages(
        self, rollback: ExitStack, stops: list[int], X_test: Any, chunk: Chunk
    ) -> Iterator[np.ndarray]:
        n_calls = self._n_calls
        with rollback:
            for start, stop in pairwise([0, *stops, len(chunk.labels)]):
                with lock_of(self):
                    if self._n_calls != n_calls:
                        rollback.pop_all()  # a rollback would undo what was learned meanwhile
                        raise RuntimeError(
                            "the classifier has learned something else since this learn_and_predict began; "
                            "take all its predictions before the next call of fit, partial_fit and the like."
                        )
                    self._learn_rows(chunk, start, stop)
                    is_wanted = stop in stops and start < len(chunk.labels)
                    predicted = self.predict(X_test) if is_wanted else None
                if predicted is not None:
                    yield predicted

    def _learn_rows(self, chunk: Chunk, start: int, stop: int) -> None:
        """Train on these rows of a chunk; the vocabulary grows with the new values and classes in them."""
        if len(chunk.new_at) == 0 and stop - start == len(chunk.labels):
            self._learn_in_order(0, chunk.examples, chunk.labels, chunk.weights)
            return
        kind = self._kind
        classifies = kind._classifies_to_learn or self._classifies_to_learn
        waits = (kind._uses_unseen_values and classifies), kind._uses_unseen_classes
        rows = [rows for rows, is_awaited in zip(chunk[-2:], waits, strict=True) if is_awaited]
        cuts = np.unique(np.concatenate([*rows, np.arange(start, stop, _PIECE)]))
        cuts = cuts[(cuts > start) & (cuts < stop)]
        for first, end in pairwise([start, *cuts.tolist(), stop] if stop > start else []):
            with at_once(chunk):
                self._grow_to(chunk, *(first if is_awaited else end - 1 for is_awaited in waits))
                self._learn(*self._rows(chunk, first, end))

    def _predict_then_learn_rows(self, chunk: Chunk) -> np.ndarray:
        """Predict a chunk and train on it; a row is predicted before its new values and class are added."""
        if len(chunk.new_at) == 0:
            whole = chunk.examples, chunk.labels, chunk.weights
            return self.classes_[self._learn_in_order(len(self.classes_), *whole)]
        cuts = chunk.new_at[chunk.new_at > 0].tolist()
        predicted = np.empty(len(chunk.labels), chunk.classes.dtype)
        for first, end in pairwise([0, *cuts, len(chunk.labels)]):
            if first in chunk.new_at:
                row = self._rows(chunk, first, first + 1)
                predicted[first] = self.classes_[self._predict_encoded(row[0])[0]]
                with at_once(chunk):
                    self._grow_to(chunk, first)
                    self._learn(*self._rows(chunk, first, first + 1))
                first += 1
            if first < end:
                votes = self._learn_in_order(len(self.classes_), *self._rows(chunk, first, end))
                predicted[first:end] = self.classes_[votes]
        return predicted

    def _rows(self, chunk: Chunk, start: int, stop: int) -> tuple[Examples, np.ndarray, np.ndarray]:
        """Rows of a chunk, encoded by the current vocabulary."""
        codes, numbers = chunk.examples.codes[start:stop], chunk.examples.numbers[start:stop]
        labels, weights = chunk.labels[start:stop], chunk.weights[start:stop]
        if len(chunk.new_at) > 0 and self._schema is not chunk.schema:
            codes = _inverse(self._schema.positions_in(chunk.schema), int(chunk.schema.sizes.sum()))[codes]
            codes = codes.astype(np.int32)
        if len(self.classes_) < len(chunk.classes):
            labels = _inverse(np.searchsorted(chunk.classes, self.classes_), len(chunk.classes))[labels]
        return Examples(codes, numbers), labels, weights

    def _grow_to(self, chunk: Chunk, row: int, class_row: int | None = None) -> None:
        """Extend the vocabulary by the new values of a chunk up to and including `row`, and its classes.

        `class_row` is the row up to which classes are added, if that is another one.
        """
        if len(chunk.new_at) == 0:
            return
        schema = chunk.schema.restricted(chunk.value_rows <= row)
        classes = chunk.classes[chunk.class_rows <= (row if class_row is None else class_row)]
        if len(classes) > len(self.classes_) or (schema.sizes > self._schema.sizes).any():
            places = self._schema.positions_in(schema), np.searchsorted(classes, self.classes_)
            self._grow(Growth(schema, classes, *places))
            self._check_states()

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._learn_in_order(0, examples, labels, weights)

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Train on examples in their order.

        Returns the class index predicted before each is learned, (N,); with `n_classes` 0, which asks for
        no predictions, a meaningless array.
        """
        raise NotImplementedError

    def _validate_chunk(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Chunk:
        """Validate and encode a chunk of a stream; the first chunk fixes the declarations."""
        self._check_choices()
        if self._changed is not None:
            self._refuse_changed_parameters()
        first = "_kind" not in vars(self)
        kind = self._new_kind() if first else self._kind
        if not is_plain(X):
            check_order(X, y=y, sample_weight=sample_weight)
            X = self._as_rows(X)
        checked = kind._check_X(X)
        y = check_labels(y, checked.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        if first:
            if classes is None and kind._needs_classes:
                raise ValueError(
                    "classes must be passed on the first call to partial_fit: every class there is."
                )
            is_open = classes is None
            known = distinct_labels(y)[:0] if is_open else check_classes(classes)
            schema = kind._infer_schema(checked, self, with_values=False)
        else:
            known, schema, is_open = self.classes_, self._schema, self._is_open_to_classes
            if classes is not None and not _is_same(classes, known):
                former = "none, so leave it out" if self._is_open_to_classes else repr(known.tolist())
                raise ValueError(
                    f"classes={np.asarray(classes).tolist()!r} is not the same as on the first call to "
                    f"partial_fit: {former}."
                )
            self._check_columns(X)
        examples = schema.encode(checked)
        is_complete = not (examples.codes < 0).any()  # then no value is new, unknown or missing
        larger = schema if is_complete else schema.extended(checked, examples)
        if larger is not schema:
            examples = larger.encode(checked)
        all_classes = union_of("y", known, distinct_labels(y)) if is_open else known
        labels = encode_labels(y, all_classes)
        most_learned = self._most_learned_of(weights) + (0.0 if first else self._most_learned)
        check_total(most_learned)
        has_numbers = examples.numbers.shape[1] > 0
        if has_numbers:
            larger.check_magnitude(examples, kind._largest_number)
        warns = not (is_complete or self._warned_of_unknown) and larger.has_unknown(checked, examples)
        if warns:
            warn_of_unknown(kind, stacklevel=5)
        if first:
            with undivided():
                self._begin(kind, schema, known, X)
                self._is_open_to_classes = is_open
        warns |= self._warned_of_unknown
        self.__dict__.update(_most_learned=most_learned, _warned_of_unknown=warns, _n_calls=self._n_calls + 1)
        if larger.is_open != schema.is_open:  # a column of missing values has turned out to be numeric
            self._schema = replace(schema, is_open=larger.is_open)
        if has_numbers:
            examples = kind._encode_missing(examples)
            self._make_room(examples)
        return new_chunk(examples, labels, weights, larger, all_classes, schema, known)


class Chunk(NamedTuple):
    """A chunk of a stream, encoded by the vocabulary that is known once all of it has been learned."""

    examples: Examples
    labels: np.ndarray  # (N,) int64
    weights: np.ndarray  # (N,)
    schema: Schema
    classes: np.ndarray  # (K,)
    new_at: np.ndarray  # int64, increasing: rows that hold a value or class for the first time
    value_rows: np.ndarray  # (V,) int64: first row that holds each value; −1 if it was known before
    class_rows: np.ndarray  # (K,) int64: the same for classes


def new_chunk(
    examples: Examples,
    labels: np.ndarray,
    weights: np.ndarray,
    schema: Schema,
    classes: np.ndarray,
    known: Schema,
    known_classes: np.ndarray,
) -> Chunk:
    """Make a chunk; finds the rows in which a value or class occurs for the first time."""
    if schema is known and len(classes) == len(known_classes):
        none = np.empty(0, np.int64)
        return Chunk(examples, labels, weights, schema, classes, none, none, none)
    value_rows = np.full(int(schema.sizes.sum()) + 1, -1)  # the last one is for code −1
    class_rows = np.full(len(classes), -1)
    backwards = np.arange(len(labels))[::-1]  # of the rows that hold a value, the one assigned last counts
    if len(classes) > len(known_classes):
        class_rows[labels[::-1]] = backwards
        class_rows[np.searchsorted(classes, known_classes)] = -1
    if schema is not known:
        for codes in examples.codes.T:
            value_rows[codes[::-1]] = backwards
        value_rows[known.positions_in(schema)] = -1
    value_rows = value_rows[:-1]
    new_at = np.unique([*value_rows[value_rows >= 0], *class_rows[class_rows >= 0]]).astype(np.int64)
    return Chunk(examples, labels, weights, schema, classes, new_at, value_rows, class_rows)


def at_once(chunk: Chunk) -> AbstractContextManager[Any]:
    """Context in which rows are learned together with the growth of the vocabulary that they need, if any.

    The states of models that grow use their memory again, so that half a growth could not be undone.
    """
    return undivided() if len(chunk.new_at) > 0 else nullcontext()


def _is_same(classes: Any, known: np.ndarray) -> bool:
    """Whether the declared classes are the known ones, in any order."""
    given = classes.tolist() if isinstance(classes, np.ndarray) else classes
    is_plain_list = isinstance(given, list | tuple | range) and all(type(c) in (int, str) for c in given)
    if is_plain_list and [*given] == known.tolist():  # the usual case, in microseconds
        return True
    return np.array_equal(check_classes(classes), known)


def _inverse(positions: np.ndarray, n: int) -> np.ndarray:
    """Inverse of `positions`, shape (n + 1,): −1 for numbers not in it, and a last −1 for code −1."""
    places = np.full(n + 1, -1)
    places[positions] = np.arange(len(positions))
    return places
