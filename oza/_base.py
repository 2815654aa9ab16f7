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

from ._kinds import largest_number, make_room, pack, unpack
from ._schema import Examples, Schema, check_X
from ._validation import (
    check_classes,
    check_labels,
    check_sample_weight,
    check_total,
    distinct_labels,
    encode_labels,
)

_UNKNOWN_VALUE = (
    "a nominal column of X holds a value that is not among its categories. All such values are taken as one: "
    "Naive Bayes and networks leave it out, in a decision tree it passes no test, and a decision stump has a "
    "branch of its own for it. Declare every value, with `categories` or a pandas categorical type."
)


def _warn_of_unknown(examples: Examples, is_known: bool, stacklevel: int) -> bool:
    """Warn of values that the schema does not know, unless that was done; whether it is done now."""
    if is_known or not (examples.codes < 0).any():
        return is_known
    warnings.warn(_UNKNOWN_VALUE, UserWarning, stacklevel=stacklevel)
    return True


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose state is a NamedTuple of arrays and whose work is done by kernels.

    A subclass says how to make a state that has seen nothing (`_start`) and how to learn encoded
    examples (`_learn`), and has a `predict` of its own.
    """

    categorical_features: Any
    categories: Any
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
        checked = self._check_X(X)
        y = check_labels(y, checked.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        if weights.max() <= self._negligible:
            raise ValueError(
                f"sample_weight counts as zero in every row, where the largest is {weights.max():.3g}; give "
                f"at least one row a weight above {self._negligible:.3g}."
            )
        schema = self._infer_schema(checked)
        classes = distinct_labels(y)
        examples, labels = schema.encode(checked), encode_labels(y, classes)
        check_total(self._most_learned_of(weights))
        warned = _warn_of_unknown(examples, False, stacklevel=3)
        with self._all_or_nothing():
            state = self._start(schema, classes)
            schema.check_magnitude(examples, largest_number(state["_models"]))
            validate_data(self, X, skip_check_array=True, reset=True)
            self._set_state(schema, classes, state)
            self._warned_of_unknown = warned
            self._models = make_room(self._models, examples)
            self._learn_batch(examples, labels, weights)
        return self

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

    def _guarding_what_is_learned(self) -> AbstractContextManager[None]:
        """Where more is learned. Models of this library learn all that they have admitted."""
        return nullcontext()

    def _set_state(self, schema: Schema, classes: np.ndarray, state: dict[str, Any]) -> None:
        self.classes_ = classes
        self._schema = schema
        self.is_categorical_ = schema.is_categorical
        self.categories_ = list(schema.categories)
        self._most_learned = 0.0
        for name, value in state.items():
            setattr(self, name, value)

    @property
    def _negligible(self) -> float:
        """Weights up to here count as zero."""
        return 0.0

    def _check_choices(self) -> None:
        """Refuse a bad value of a parameter that every call looks up again."""

    def _start(self, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
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

    def _check_X(self, X: Any) -> Any:
        """`X` in a form that the schema can encode."""
        return check_X(X)

    def _infer_schema(self, checked: Any) -> Schema:
        return Schema.infer(checked, self.categorical_features, self.categories)

    def _encode(self, X: Any) -> Examples:
        """Check `X` against what was learned, and encode it."""
        check_is_fitted(self, "classes_")
        checked = self._check_X(X)
        validate_data(self, X, skip_check_array=True, reset=False)
        return self._schema.encode(checked)

    def __getstate__(self):
        state = super().__getstate__()
        return state | {"_models": pack(state["_models"])} if "_models" in state else state

    def __setstate__(self, state):
        if "_models" in state:
            state = state | {"_models": unpack(state["_models"])}
        super().__setstate__(state)

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
        with self._guarding_what_is_learned():
            self._learn(*self._admit(self._check_X(X), y, classes, sample_weight))
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
        checked = self._check_X(X)
        with self._guarding_what_is_learned():
            return self._predict_then_learn(checked, *self._admit(checked, y, classes, sample_weight))

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
        checked = self._check_X(X)
        stops = _check_stops(after, checked.shape[0])
        with ExitStack() as guard:
            guard.enter_context(self._guarding_what_is_learned())
            with self._all_or_nothing():
                admitted = self._admit(checked, y, classes, sample_weight)
                self._encode(X_test)
            return self._stages(guard.pop_all(), stops, X_test, *admitted)

    def _stages(
        self,
        guard: ExitStack,
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

        with guard:
            for start, stop in pairwise([0, *stops]):
                learn(start, stop)
                yield self.predict(X_test)
            learn(stops[-1], len(labels))

    def _predict_then_learn(
        self, X: Any, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Predictions, row by row; a learner with a kernel for it overrides this."""
        rows = X.iloc if hasattr(X, "iloc") else X
        predicted = np.empty(len(labels), self.classes_.dtype)
        for n in range(len(labels)):
            one = slice(n, n + 1)
            predicted[n] = self.predict(rows[one])[0]
            self._learn(Examples(examples.codes[one], examples.numbers[one]), labels[one], weights[one])
        return predicted

    def _admit(
        self, X: Any, y: Any, classes: Any, sample_weight: Any
    ) -> tuple[Examples, np.ndarray, np.ndarray]:
        """Check and encode a chunk of a stream; the first one fixes classes and schema."""
        self._check_choices()
        y = check_labels(y, X.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        first = not hasattr(self, "classes_")
        if first:
            if classes is None:
                raise ValueError(
                    "classes must be passed on the first call to partial_fit: every class there is."
                )
            known = check_classes(classes)
            schema = self._infer_schema(X)
        else:
            known, schema = self.classes_, self._schema
            if classes is not None and not np.array_equal(check_classes(classes), known):
                raise ValueError(
                    f"classes={np.asarray(classes).tolist()!r} is not the same as on the first call to "
                    f"partial_fit: {known.tolist()!r}."
                )
            validate_data(self, X, skip_check_array=True, reset=False)
        examples, labels = schema.encode(X), encode_labels(y, known)
        check_total(self._most_learned_of(weights) + (0.0 if first else self._most_learned))
        warned = _warn_of_unknown(examples, not first and self._warned_of_unknown, stacklevel=4)
        state = self._start(schema, known) if first else {"_models": self._models}
        schema.check_magnitude(examples, largest_number(state["_models"]))
        if first:
            validate_data(self, X, skip_check_array=True, reset=True)
            self._set_state(schema, known, state)
        self._warned_of_unknown = warned
        self._models = make_room(self._models, examples)
        return examples, labels, weights
