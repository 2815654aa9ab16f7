"""Base models of another library: what a kernel does with them, done in plain Python.

A kernel is a Python function before it is compiled. `uncompiled` gives that function, with the
methods of `ForeignModels` in the place of the verbs, so that an ensemble over any scikit-learn
classifier is the same algorithm with the same draws, only slower.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from inspect import signature
from numbers import Real
from types import FunctionType
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import assert_all_finite, check_array

from .._random import key_of
from .._schema import Examples, Schema
from .._validation import EXACT_BELOW

MOST_COPIES = 100.0  # of one example, where each of them is a call


class AsGiven(Schema):
    """The schema of columns that go to the estimators as they are."""

    def encode(self, X: Any) -> Examples:
        """Examples without nominal attributes, whose numbers are the rows of `X`, whatever these hold."""
        return Examples(np.empty((X.shape[0], 0), np.int32), X)


def is_foreign(estimator: Any) -> bool:
    """Whether this is not one of our base models."""
    return estimator is not None and not hasattr(estimator, "_new_models")


def check_foreign(estimator: Any, method: str) -> None:
    """Refuse what is no classifier, or has no method to learn by."""
    known = hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type)
    if not known or not is_classifier(estimator) or not hasattr(estimator, method):
        raise TypeError(
            f"estimator must be a base model of this library or a scikit-learn classifier that has {method}; "
            f"got {estimator!r}."
            + ("" if method == "fit" else " BaggingClassifier and AdaBoostClassifier need no more than fit.")
        )


def check_given(X: Any, takes: Any) -> Any:
    """`X` as an array, or a CSR matrix where such are taken; NaN only where that is taken."""
    checked = check_array(
        X, accept_sparse="csr" if takes.sparse else False, dtype=None, ensure_all_finite=False
    )
    for value in checked.flat if checked.dtype == object else ():
        if not isinstance(value, str | Real | None):
            raise TypeError(f"X holds {value!r}; each argument must be a string or a number.")
    if not takes.allow_nan:
        assert_all_finite(checked, input_name="X")
    return checked


class ForeignModels:
    """M classifiers with scikit-learn's methods.

    Online, they learn by `partial_fit`, and one row at a time; in batch, by `fit`. A weight is
    handed over as `sample_weight` where the method takes it, else the example so many times.
    """

    def __init__(self, estimator: Any, method: str, classes: np.ndarray, n_models: int, key: int):
        self.method = method
        self.classes = classes
        self.takes_weight = "sample_weight" in signature(getattr(estimator, method)).parameters
        self.weighs_one = self.takes_weight and not (method == "partial_fit" and averages(estimator))
        self.has_learned = np.zeros(n_models, dtype=bool)
        self.estimators = [seeded(clone(estimator), key, m) for m in range(n_models)]

    @property
    def _most_copies(self) -> float:
        """Of one example at most."""
        return EXACT_BELOW if self.weighs_one else MOST_COPIES

    def member(self, m: int) -> Any:
        """Copy of one of the classifiers."""
        return deepcopy(self.estimators[m])

    def _teach(self, m: int, X: Any, labels: np.ndarray, weights: np.ndarray | None) -> None:
        """One call of `fit` or `partial_fit`."""
        arguments: dict[str, Any] = {}
        if self.method == "partial_fit" and not self.has_learned[m]:
            arguments["classes"] = self.classes
        if weights is not None:
            arguments["sample_weight"] = weights
        getattr(self.estimators[m], self.method)(X, self.classes[labels], **arguments)
        self.has_learned[m] = True

    def _whole(self, m: int, weights: np.ndarray) -> np.ndarray:
        copies = weights.astype(np.int64)
        if (copies != weights).any():
            raise ValueError(
                f"{self.method} of {type(self.estimators[m]).__name__} takes no sample_weight, so that an "
                f"example can be learned 0, 1, 2, ... times, but not {weights[copies != weights][0]} times. "
                "Choose another estimator or whole weights; in AdaBoost, resample=True."
            )
        return copies

    def learn(self, m, examples, n, label, weight):
        """Learn one example with a weight, or so many times."""
        row, labels, weights = examples.numbers[n : n + 1], np.array([label]), np.array([float(weight)])
        if not self.weighs_one:
            for _ in range(self._whole(m, weights)[0]):
                self._teach(m, row, labels, None)
        elif weight > 0.0:
            self._teach(m, row, labels, weights)

    learn_scaled = learn

    def learn_each(self, examples, n, label, weights):
        """Let each model learn one example."""
        for m in range(len(weights)):
            self.learn(m, examples, n, label, weights[m])

    def learn_and_test(self, m, examples, labels, weights, is_right):
        """Learn examples in turn, each one tested as soon as it is learned."""
        for n in range(len(labels)):
            self.learn(m, examples, n, labels[n], weights[n])
            is_right[n] = self.classify(m, examples, n) == labels[n]

    def learn_batch(self, m, examples, labels, weights, sample):
        """Learn a training set in one call; where it is of one class, to answer just that.

        Many classifiers refuse such a set, which a sample of a larger one may well be.
        """
        sample = sample[weights[sample] > 0.0]
        if not self.takes_weight:
            sample = np.repeat(sample, self._whole(m, weights[sample]))
        if len(sample) > 0:
            rows, shares = examples.numbers[sample], weights[sample] if self.takes_weight else None
            if self.method == "fit" and np.ptp(labels[sample]) == 0:
                self.estimators[m], shares = DummyClassifier(strategy="most_frequent"), None
            self._teach(m, rows, labels[sample], shares)

    def learn_batch_each(self, examples, labels, weights, samples):
        """Let each model learn a training set of its own."""
        for m in range(len(samples)):
            self.learn_batch(m, examples, labels, weights, samples[m])

    def classify(self, m, examples, n):
        """Class index of one example, −1 where nothing was learned."""
        return self._classify_all(m, examples.numbers[n : n + 1])[0]

    def classify_now_each(self, examples, n, labels):
        """Class index of one example by each of the first models."""
        for m in range(len(labels)):
            labels[m] = self.classify(m, examples, n)

    def examine(self, m, examples, labels, is_right):
        """Note which examples one model gets right."""
        is_right[:] = self._classify_all(m, examples.numbers) == labels

    def labels_of_each(self, examples):
        """Class index of each example by each model, (N, M)."""
        every = [self._classify_all(m, examples.numbers) for m in range(len(self.estimators))]
        return np.column_stack(every)

    def _classify_all(self, m: int, X: Any) -> np.ndarray:
        if not self.has_learned[m]:
            return np.full(X.shape[0], -1, np.int32)
        predicted = np.asarray(self.estimators[m].predict(X))
        codes = np.searchsorted(self.classes, predicted).clip(max=len(self.classes) - 1)
        unknown = self.classes[codes] != predicted
        if unknown.any():  # a kernel would count its vote outside of its arrays
            raise ValueError(
                f"{type(self.estimators[m]).__name__}.predict returned {predicted[unknown].tolist()[0]!r}, "
                f"which is not among the classes {self.classes.tolist()!r} that it was given."
            )
        return codes.astype(np.int32)


def averages(estimator: Any) -> bool:
    """Whether `partial_fit` divides by the sum of the weights, so that a lone row counts 1 at any weight."""
    from sklearn.neural_network import MLPClassifier  # here, so that nobody else waits for it

    return isinstance(estimator, MLPClassifier)


def seeded(estimator: Any, key: int, m: int) -> Any:
    """The estimator with a `random_state` of its own for model m, wherever it takes one."""
    places = [p for p in estimator.get_params() if p == "random_state" or p.endswith("__random_state")]
    return estimator.set_params(**{place: key_of("estimator", key, m, place) % 2**32 for place in places})


def for_models(kernel: Any, models: Any) -> Callable[..., Any]:
    """The kernel, or for models of another library the Python function that it was made of."""
    return uncompiled(kernel) if isinstance(models, ForeignModels) else kernel


@cache
def uncompiled(kernel: Any) -> Callable[..., Any]:
    """The Python function of a kernel, calling the methods of `ForeignModels` for the verbs.

    Kernels that it hands models on to are taken in the same way; all others stay compiled.
    """
    function = kernel.py_func
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        callee = getattr(names.get(name), "py_func", None)
        if hasattr(ForeignModels, name):
            names[name] = getattr(ForeignModels, name)
        elif callee and "models" in callee.__code__.co_varnames[: callee.__code__.co_argcount]:
            names[name] = uncompiled(names[name])
        elif callee:
            names[name] = with_64_bits(names[name])
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def with_64_bits(kernel: Any) -> Callable[..., Any]:
    """The kernel, whose result can be handed on to another: numba takes no int of Python from 2⁶³ on."""

    def call(*arguments):
        result = kernel(*arguments)
        return np.uint64(result) if isinstance(result, int) and result >= 2**63 else result

    return call
