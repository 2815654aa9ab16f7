"""What every classifier here shares: the way from X and y to a kernel, and back to labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from .._schema import Examples, Schema, is_plain
from .._validation import (
    check_classes,
    check_labels,
    check_sample_weight,
    check_total,
    distinct_labels,
    encode_labels,
)
from .contract import BaseModel
from .online import drive_learning, drive_voting


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose state is a NamedTuple of arrays and whose work is done by kernels.

    A subclass says how to make a state that has seen nothing (`_start`) and how to learn encoded
    examples (`_learn`), and has a `predict` of its own. Its base models are those of `_kind`.
    """

    categorical_features: Any
    categories: Any
    _kind: BaseModel
    _models: Any
    _warned_of_unknown = False

    def fit(self, X, y, sample_weight=None):
        """Learn `X` and `y` from the beginning.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Integer, boolean, string and categorical columns are nominal, floating-point columns
            numeric, unless `categorical_features` says otherwise.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0, not all 0; None stands for 1 each.

        Returns
        -------
        self
        """
        self._check_choices()
        kind = self._new_kind()
        checked = kind._check_X(X)
        y = check_labels(y, checked.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        if weights.max() <= kind._negligible:
            raise ValueError(
                f"sample_weight counts as zero in every row, where the largest is {weights.max():.3g}; give "
                f"at least one row a weight above {kind._negligible:.3g}."
            )
        schema = kind._infer_schema(checked, self)
        classes = distinct_labels(y)
        examples, labels = schema.encode(checked), encode_labels(y, classes)
        check_total(self._most_learned_of(weights))
        schema.check_magnitude(examples, kind._largest_number)
        with self._all_or_nothing():
            state = self._start(kind, schema, classes)
            validate_data(self, X, skip_check_array=True, reset=True)
            self._set_state(schema, classes, state)
            self._warn_of_unknown(examples, stacklevel=3)
            self._models = kind._make_room(self._models, examples)
            self._learn_batch(examples, labels, weights)
        return self

    def _new_kind(self) -> BaseModel:
        """The base model that the parameters ask for."""
        raise NotImplementedError

    def _warn_of_unknown(self, examples: Examples, stacklevel: int) -> None:
        """Warn once of nominal values that the schema does not know."""
        if not self._warned_of_unknown and (examples.codes < 0).any():
            self._warned_of_unknown = True
            warnings.warn(
                "a nominal column of X holds a value that is not among its categories: "
                f"{self._kind._unknown_value}. Declare every value, with `categories` or a pandas "
                "categorical type.",
                UserWarning,
                stacklevel=stacklevel + 1,
            )

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Put every attribute back where what is done inside fails."""
        before = self.__dict__.copy()
        try:
            yield
        except GeneratorExit:  # no failure: nobody wants more of the predictions
            raise
        except BaseException:
            self.__dict__ = before
            raise

    def _rollback_on_error(self) -> AbstractContextManager[None]:
        """Where more is learned. Models of this library learn all that has passed validation."""
        return nullcontext()

    @contextmanager
    def _counting(self, labels: np.ndarray, weights: np.ndarray) -> Iterator[None]:
        """Count what is learned inside."""
        yield
        self._n_seen += len(labels)
        self._most_learned += self._most_learned_of(weights)

    def _set_state(self, schema: Schema, classes: np.ndarray, state: dict[str, Any]) -> None:
        self.classes_ = classes
        self._schema = schema
        self.is_categorical_ = schema.is_categorical
        self.categories_ = list(schema.categories)
        self._most_learned = 0.0
        self._warned_of_unknown = False
        for name, value in state.items():
            setattr(self, name, value)

    def _check_choices(self) -> None:
        """Refuse a bad value of a parameter that every call looks up again."""

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        """Attributes of an estimator that has learned nothing yet; refuses bad parameters."""
        raise NotImplementedError

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        raise NotImplementedError

    def _learn_batch(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        """Learn a whole training set; a learner that goes through it several times says so here."""
        self._learn(examples, labels, weights)

    def _most_learned_of(self, weights: np.ndarray) -> float:
        """The most weight that one model can come to learn of examples with these weights."""
        return weights.sum()

    def _encode(self, X: Any) -> Examples:
        """Check `X` against what was learned, and encode it."""
        check_is_fitted(self, "classes_")
        checked = self._kind._check_X(X)
        self._check_columns(X)
        return self._schema.encode(checked)

    def _check_columns(self, X: Any) -> None:
        """Refuse an `X` with other columns than those of the first one."""
        if not is_plain(X) or X.shape[1] != self.n_features_in_ or hasattr(self, "feature_names_in_"):
            validate_data(self, X, skip_check_array=True, reset=False)

    def __getstate__(self):
        state = super().__getstate__()
        return state | {"_models": self._kind._pack(state["_models"])} if "_models" in state else state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_models" in state:
            self._models = self._kind._unpack(self._models)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _check_stops(after: Any, n_samples: int) -> list[int]:
    """`after` as a rising list of numbers of examples."""
    stops = np.arange(1, n_samples + 1) if after is None else np.asarray(after)
    is_rising = stops.ndim == 1 and (np.diff(stops, prepend=-1, append=n_samples + 1) >= 1).all()
    if not is_rising or stops.dtype.kind not in "iu" or len(stops) == 0:
        raise ValueError(
            f"after must hold rising integers from 0 to {n_samples}, the number of rows of X; got {after!r}."
        )
    return stops.tolist()


class OnlineKernelClassifier(KernelClassifier):
    """A kernel classifier that learns example by example."""

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn the examples of `X` and `y` one by one, after all that were learned before.

        Any way of cutting a stream into calls gives the same model, bit for bit, once the first
        call has fixed the classes and the values of the nominal columns. Values that are met
        later are all taken as one, of which a warning says once what each base model makes.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The first call fixes which values each nominal column knows: those that `categories`
            or a pandas categorical type declares, else those in this `X`.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0; None stands for 1 each.

        Returns
        -------
        self
        """
        with self._rollback_on_error():
            self._learn(*self._validate_chunk(X, y, classes, sample_weight))
        return self

    def prequential_predict(self, X, y, classes=None, sample_weight=None):
        """Predict each example, then learn it, before the next one is looked at.

        The predictions of a test-then-train evaluation, and the same model as `partial_fit`: as
        though `predict` and `partial_fit` were called for one row after the other. While nothing
        has been learned, the prediction is the first class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The first call fixes which values each nominal column knows, as in `partial_fit`.
        y : array-like of shape (n_samples,)
            Class labels, learned after the prediction.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear; needed at the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0 with which to learn; None stands for 1 each.

        Returns
        -------
        ndarray of shape (n_samples,)
            What was predicted for each row.

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
        with self._rollback_on_error():
            chunk = self._validate_chunk(X, y, classes, sample_weight)
            return self.classes_[self._vote_then_learn(*chunk)]

    @available_if(lambda self: hasattr(self, "partial_fit"))
    def learn_and_predict(self, X, y, X_test, after=None, classes=None, sample_weight=None):
        """Learn `X` and `y` one by one, and in between predict `X_test`: for a learning curve.

        The same model as `partial_fit`, however often it is asked; the examples are checked at
        once, and learned as the predictions are taken.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The first call fixes which values each nominal column knows, as in `partial_fit`.
        y : array-like of shape (n_samples,)
            Class labels.
        X_test : array-like or DataFrame of shape (n_test, n_features)
            What to predict.
        after : array-like of int, default=None
            After how many examples of `X` to predict, rising, from 0 to n_samples; None stands for
            after each. What is left is learned after the last prediction.
        classes : array-like of shape (n_classes,), default=None
            Every class that may ever appear; needed at the first call.
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
        >>> data = load_dataset("car-evaluation", return_X_y=True)
        >>> X, X_test, y, y_test = train_test_split(*data, random_state=0)
        >>> model = NaiveBayesClassifier(categories=[range(4)] * 6)
        >>> stages = model.learn_and_predict(X, y, X_test, after=[50, 200, 1000], classes=range(4))
        >>> [round(float((predicted == y_test).mean()), 2) for predicted in stages]
        [0.72, 0.79, 0.83]
        """
        with ExitStack() as rollback:
            rollback.enter_context(self._rollback_on_error())
            with self._all_or_nothing():
                chunk = self._validate_chunk(X, y, classes, sample_weight)
                stops = _check_stops(after, len(chunk[1]))
                self._encode(X_test)
            return self._stages(rollback.pop_all(), stops, X_test, *chunk)

    def _stages(
        self,
        rollback: ExitStack,
        stops: list[int],
        X_test: Any,
        examples: Examples,
        labels: np.ndarray,
        weights: np.ndarray,
    ) -> Iterator[np.ndarray]:
        def learn(start: int, stop: int) -> None:
            if stop > start:
                part = slice(start, stop)
                self._learn(
                    Examples(examples.codes[part], examples.numbers[part]), labels[part], weights[part]
                )

        with rollback:
            for start, stop in pairwise([0, *stops]):
                learn(start, stop)
                yield self.predict(X_test)
            learn(stops[-1], len(labels))

    def _algorithm(self) -> Any:
        """State of the online algorithm, for the drivers of `online`."""
        raise NotImplementedError

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        with self._counting(labels, weights):
            drive_learning(
                self._algorithm(), self._models, examples, labels, weights, self._key, self._n_seen
            )

    def _vote_then_learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Class index by the vote on each example before it is learned."""
        with self._counting(labels, weights):
            return drive_voting(
                self._algorithm(),
                self._models,
                len(self.classes_),
                examples,
                labels,
                weights,
                self._key,
                self._n_seen,
            )

    def _validate_chunk(
        self, X: Any, y: Any, classes: Any, sample_weight: Any
    ) -> tuple[Examples, np.ndarray, np.ndarray]:
        """Check and encode a chunk of a stream; the first one fixes classes and schema."""
        self._check_choices()
        first = not hasattr(self, "classes_")
        kind = self._new_kind() if first else self._kind
        checked = kind._check_X(X)
        y = check_labels(y, checked.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        if first:
            if classes is None:
                raise ValueError(
                    "classes must be passed on the first call to partial_fit: every class there is."
                )
            known = check_classes(classes)
            schema = kind._infer_schema(checked, self)
        else:
            known, schema = self.classes_, self._schema
            if classes is not None and not (
                np.array_equal(classes, known) or np.array_equal(check_classes(classes), known)
            ):
                raise ValueError(
                    f"classes={np.asarray(classes).tolist()!r} is not the same as on the first call to "
                    f"partial_fit: {known.tolist()!r}."
                )
            self._check_columns(X)
        examples, labels = schema.encode(checked), encode_labels(y, known)
        check_total(self._most_learned_of(weights) + (0.0 if first else self._most_learned))
        schema.check_magnitude(examples, kind._largest_number)
        if first:
            state = self._start(kind, schema, known)
            validate_data(self, X, skip_check_array=True, reset=True)
            self._set_state(schema, known, state)
        self._warn_of_unknown(examples, stacklevel=4)
        self._models = kind._make_room(self._models, examples)
        return examples, labels, weights
