"""Classifiers of other libraries as base models, with the same interface, in plain Python.

An operation on `ThirdPartyModels` calls its method of the same name, and a kernel that receives them
runs uncompiled. So an ensemble of any scikit-learn classifier is the same algorithm with the same
random draws, only slower.
"""

from __future__ import annotations

from copy import copy, deepcopy
from decimal import Decimal
from inspect import signature
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import check_array

from ..columns.examples import Examples
from ..columns.kinds import is_auto
from ..columns.schema import Schema
from ..columns.validation import EXACT_BELOW
from ..kernels.compile import RunsInPython
from ..kernels.random import key_of
from .contract import BaseModel

MOST_COPIES = 100.0  # of one example, if each copy is a call


class AsGiven(Schema):
    """The schema of columns that are passed to the estimators unchanged."""

    def encode(self, X: Any) -> Examples:
        """Examples without nominal attributes, whose `numbers` are a copy of `X`, of any dtype."""
        return Examples(np.empty((X.shape[0], 0), np.int32), X.copy())

    def encode_row(self, values: Any) -> None:
        """Leave one example to `encode`, and to what sees that it is learned or nothing is."""

    def part_of(self, examples: Examples, columns: np.ndarray) -> Examples:
        """The examples with only some of their columns."""
        return Examples(examples.codes, examples.numbers[:, columns])


def check_classifier(estimator: Any, method: str) -> None:
    """Refuse an estimator that is no classifier or lacks `method`."""
    is_instance = hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type)
    if not is_instance or not is_classifier(estimator) or not hasattr(estimator, method):
        raise TypeError(
            "estimator must be a base model of this library or a scikit-learn classifier that has "
            f"{method}; got {estimator!r}."
            + ("" if method == "fit" else " BaggingClassifier and AdaBoostClassifier need only fit.")
        )


class ThirdParty(BaseModel):
    """The base-model type of classifiers of another library.

    Parameters
    ----------
    estimator : scikit-learn classifier
    method : {"fit", "partial_fit"}
        By which the models learn.
    takes : sklearn.utils.InputTags
        The kinds of input that it accepts, of which one is kept: whether sparse ones.
    key : int, default=0
        Key of the random draws of the models.
    """

    def __init__(self, estimator: Any, method: str, takes: Any, key: int = 0):
        self.estimator = estimator
        self.method = method
        self.takes_sparse = takes.sparse
        self.key = key
        self.takes_weight = "sample_weight" in signature(getattr(estimator, method)).parameters
        self.weighs_one = self.takes_weight and not (method == "partial_fit" and _averages(estimator))

    def _check_X(self, X: Any) -> Any:
        """`X` as an array, or a CSR matrix if the estimator accepts one; it knows about NaN."""
        checked = check_array(
            X, accept_sparse="csr" if self.takes_sparse else False, dtype=None, ensure_all_finite=False
        )
        for value in checked.flat if checked.dtype == object else ():
            if not isinstance(value, str | Real | Decimal | None):
                raise TypeError(f"X holds {value!r}; each argument must be a string or a number.")
        return checked

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> ThirdPartyModels:
        return ThirdPartyModels(self, classes, n_models)

    def _take(self, models: ThirdPartyModels, members: np.ndarray) -> ThirdPartyModels:
        taken = copy(models)
        taken.estimators = [models.member(m) for m in members.tolist()]
        taken.has_learned = models.has_learned[members]
        return taken

    def _put(self, models: ThirdPartyModels, members: np.ndarray, taken: ThirdPartyModels) -> None:
        for m, estimator in zip(members.tolist(), taken.estimators, strict=True):
            models.estimators[m] = estimator
        models.has_learned[members] = taken.has_learned

    def _with_own_buffers(self, models: ThirdPartyModels) -> None:
        return None  # they run as plain Python, for which threads are of no use

    def _infer_schema(self, checked: Any, declared: Any, with_values: bool = True) -> Schema:
        for name in ("categorical_features", "categories"):
            if not is_auto(getattr(declared, name)):
                raise ValueError(f"{name} is only for base models of this library; got {self.estimator!r}.")
        n_columns = checked.shape[1]
        return AsGiven((None,) * n_columns, (False,) * n_columns)

    def _set_key(self, key: int) -> None:
        self.key = key

    _has_batch_mode = True
    _needs_classes = True

    @property
    def _most_copies(self) -> float:  # type: ignore[override]
        return EXACT_BELOW if self.weighs_one else MOST_COPIES


class ThirdPartyModels(RunsInPython):
    """M classifiers with scikit-learn's methods.

    Online, they learn by `partial_fit`, one row at a time; in batch mode, by `fit`. A weight is passed as
    `sample_weight` if the method takes it; otherwise the example is passed that many times.
    """

    def __init__(self, kind: ThirdParty, classes: np.ndarray, n_models: int):
        self.kind = kind
        self.classes = classes
        self.has_learned = np.zeros(n_models, dtype=bool)
        self.estimators: list[Any] = [None] * n_models
        for m in range(n_models):
            self.reset(m)

    def reset(self, m):
        """Replace model `m` by an unfitted classifier."""
        self.estimators[m] = _seeded(clone(self.kind.estimator), self.kind.key, m)
        self.has_learned[m] = False

    def member(self, m: int) -> Any:
        """Copy of classifier `m`."""
        return deepcopy(self.estimators[m])

    def _teach(self, m: int, X: Any, labels: np.ndarray, weights: np.ndarray | None) -> None:
        """Call `fit` or `partial_fit` once."""
        arguments: dict[str, Any] = {}
        if self.kind.method == "partial_fit" and not self.has_learned[m]:
            arguments["classes"] = self.classes
        if weights is not None:
            arguments["sample_weight"] = weights
        getattr(self.estimators[m], self.kind.method)(X, self.classes[labels], **arguments)
        self.has_learned[m] = True

    def _whole(self, m: int, weights: np.ndarray) -> np.ndarray:
        copies = weights.astype(np.int64)
        if (copies != weights).any():
            name = type(self.estimators[m]).__name__
            raise ValueError(
                f"{self.kind.method} of {name} takes no sample_weight, so that an "
                f"example can be learned 0, 1, 2, ... times, but not {weights[copies != weights][0]} times. "
                "Choose another estimator or whole weights; in AdaBoost, resample=True."
            )
        return copies

    def learn(self, m, examples, n, label, weight):
        """Train on one example, with its weight or that many times."""
        row, labels, weights = examples.numbers[n : n + 1], np.array([label]), np.array([float(weight)])
        if not self.kind.weighs_one:
            for _ in range(self._whole(m, weights)[0]):
                self._teach(m, row, labels, None)
        elif weight > 0.0:
            self._teach(m, row, labels, weights)

    learn_scaled = learn

    def learn_batch(self, m, examples, labels, weights, sample):
        """Train on a whole set in one call; `fit` on a set of one class makes a constant classifier.

        Many classifiers refuse such a set, but a bootstrap sample can be one.
        """
        sample = sample[weights[sample] > 0.0]
        if not self.kind.takes_weight:
            sample = np.repeat(sample, self._whole(m, weights[sample]))
        if len(sample) > 0:
            rows, shares = examples.numbers[sample], weights[sample] if self.kind.takes_weight else None
            if self.kind.method == "fit" and np.ptp(labels[sample]) == 0:
                self.estimators[m], shares = DummyClassifier(strategy="most_frequent"), None
            self._teach(m, rows, labels[sample], shares)

    def learn_batch_each(self, examples, labels, weights, samples):
        """Train each model on its own training set."""
        for m in range(len(samples)):
            self.learn_batch(m, examples, labels, weights, samples[m])

    def classify(self, m, examples, n):
        """Class index of one example; −1 if nothing was learned."""
        return self._classify_all(m, examples.numbers[n : n + 1])[0]

    def mark_correct(self, m, examples, labels, is_right):
        """Write into `is_right` which examples one model classifies correctly."""
        is_right[:] = self._classify_all(m, examples.numbers) == labels

    def classify_block(self, examples, first, labels):
        """Write into `labels` the class index of each example by each model."""
        rows = examples.numbers[first : first + len(labels)]
        for m in range(len(self.estimators)):
            labels[:, m] = self._classify_all(m, rows)

    def class_shares(self, m, n_classes, examples):
        """Class probabilities by one model; of a classifier that has none, 1 for the class that it gives."""
        shares = np.full((examples.numbers.shape[0], n_classes), 1.0 / n_classes)  # may be sparse
        if self.has_learned[m]:
            if hasattr(self.estimators[m], "predict_proba"):
                found = np.asarray(self.estimators[m].predict_proba(examples.numbers))
                shares[:] = 0.0
                shares[:, np.searchsorted(self.classes, self.estimators[m].classes_)] = found
            else:
                shares[:] = np.eye(n_classes)[self._classify_all(m, examples.numbers)]
        return shares

    def _classify_all(self, m: int, X: Any) -> np.ndarray:
        if not self.has_learned[m]:
            return np.full(X.shape[0], -1, np.int32)
        predicted = np.asarray(self.estimators[m].predict(X))
        codes = np.searchsorted(self.classes, predicted).clip(max=len(self.classes) - 1)
        unknown = self.classes[codes] != predicted
        if unknown.any():  # a kernel would write outside its arrays of votes
            raise ValueError(
                f"{type(self.estimators[m]).__name__}.predict returned {predicted[unknown].tolist()[0]!r}, "
                f"which is not among the classes {self.classes.tolist()!r} that it was given."
            )
        return codes.astype(np.int32)


def _averages(estimator: Any) -> bool:
    """Whether `partial_fit` divides by the sum of weights, which makes the weight of a single row 1."""
    from sklearn.neural_network import MLPClassifier  # imported here, since it is slow to import

    return isinstance(estimator, MLPClassifier)


def _seeded(estimator: Any, key: int, m: int) -> Any:
    """The estimator with its own `random_state` for model m, in each of its parts that has one."""
    places = [p for p in estimator.get_params() if p == "random_state" or p.endswith("__random_state")]
    return estimator.set_params(**{place: key_of("estimator", key, m, place) % 2**32 for place in places})
