"""Error-correcting output codes: each base model tells two groups of classes apart."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Annotated, Any

import numpy as np

from ..classifier.contract import BaseModel
from ..classifier.parameters import parameters
from ..columns.examples import Examples
from ..columns.schema import Schema
from ..kernels.random import draw, key_of
from .averaging import AveragingEnsemble

MOST_CLASSES = 62  # so that the number of partitions is an integer of 64 bits


@parameters
class OutputCodeClassifier(AveragingEnsemble):
    """Error-correcting output codes: each base model learns which of two groups of classes an example is in.

    Each base model gets a random partition of the classes into two groups, neither of them empty, and no
    two base models get the same one (thesis section 2.2.2). Dietterich and Bakiri (1995), whose method this
    is, do not draw the partitions but design them, so that codewords are far apart. The vote of a base
    model for a class is the probability that it gives to the group of this class; so the class wins whose
    codeword has the least distance, summed over the bits, from what the models say.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives the
        columns unchanged; one without `predict_proba` is sure of its group.
    n_estimators : int, default=100
        Largest number of base models (100 in all experiments of the thesis). K classes have only
        2**(K − 1) − 1 partitions; if there are no more than that, each is used once.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.
    n_jobs : int or None, default=None
        Number of threads in which base models are trained, as in scikit-learn; the result is the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    codes_ : ndarray of shape (len(estimators_), n_classes), int
        The group, 0 or 1, of each class for each base model.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models, whose classes are 0 and 1.
    vote_weights_ : ndarray of shape (len(estimators_),)
        1 each.
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

    Notes
    -----
    scikit-learn's `OutputCodeClassifier` draws each bit on its own, so that a base model may
    get a partition with an empty group, or one that another has; the number of base models is there a
    multiple of the number of classes, and the distance is Euclidean. It has no probabilities.

    References
    ----------
    T. G. Dietterich and G. Bakiri, *Solving Multiclass Learning Problems via Error-Correcting Output
    Codes*, Journal of Artificial Intelligence Research 2, 1995.

    Examples
    --------
    The six codes of three classes are three partitions, each with its complement:

    >>> from oza import OutputCodeClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("balance", return_X_y=True, as_frame=True)
    >>> OutputCodeClassifier(random_state=7).fit(X, y).codes_
    array([[0, 0, 1],
           [0, 1, 0],
           [0, 1, 1]])
    """

    _: KW_ONLY
    n_jobs: Any = None

    _undivided = "how many base models there are follows from the data"
    codes_: Annotated[np.ndarray, "S, K", "index 2"] = field(init=False)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"codes_": np.empty((0, len(classes)), np.int64)}

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._models = []
        self.codes_ = partitions(len(self.classes_), self._n_models, key_of("codes", self._key))

        def learned(m: int) -> Any:
            bits = self.codes_[m][labels]
            return self._learned(m, self._schema, self._classes_of(m), examples, bits, weights)

        self._models = self._in_parallel(learned, len(self.codes_))
        self._has_learned(len(labels))

    def _classes_of(self, m: int) -> np.ndarray:
        return np.arange(2)

    def _shares(self, m: int, examples: Examples) -> np.ndarray:
        return super()._shares(m, examples)[:, self.codes_[m]]


def partitions(n_classes: int, n_wanted: int, key: int) -> np.ndarray:
    """Distinct partitions of the classes into two groups, neither empty: (at most `n_wanted`, K) of 0 and 1.

    The first class is in group 0. A single class has one "partition", in which group 1 is empty.
    """
    if n_classes > MOST_CLASSES:
        raise ValueError(f"y has {n_classes} classes; OutputCodeClassifier takes at most {MOST_CLASSES}.")
    n_possible = max(1, 2 ** (n_classes - 1) - 1)
    if n_wanted >= n_possible:
        numbers = list(range(1, n_possible + 1))
    else:
        numbers, i = [], 0
        while len(numbers) < n_wanted:
            number = 1 + int(draw(key, i, 0)) % n_possible
            i += 1
            if number not in numbers:
                numbers.append(number)
    bits = np.array([[number >> (n_classes - 1 - c) & 1 for c in range(n_classes)] for number in numbers])
    return bits if n_classes > 1 else np.zeros((1, 1), np.int64)
