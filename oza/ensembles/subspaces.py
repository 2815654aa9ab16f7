"""Ensembles whose base models see only some of the columns (thesis section 2.2.2)."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from math import fsum, sqrt
from typing import Any

import numpy as np

from ..classifier.parameters import parameters
from ..classifier.third_party import AsGiven
from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.validation import check_number
from ..kernels.random import key_of, permutation
from .averaging import AveragingEnsemble


class SubspaceEnsemble(AveragingEnsemble):
    """Base models that each see some of the columns, all of them in their order."""

    _undivided = ""
    max_features: Any
    features_: list[np.ndarray]

    def _check_choices(self) -> None:
        super()._check_choices()
        check_number("max_features", self.max_features, 0, 1, "a share of the columns", "(]")

    def _columns_of(self, m: int) -> np.ndarray:
        return self.features_[m]

    def _n_features_of_each(self) -> int:
        return max(1, round(self.max_features * self._schema.n_columns))

    def _choose(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> list[np.ndarray]:
        """Columns of each base model, sorted."""
        raise NotImplementedError

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._models = []
        self.features_ = self._choose(examples, labels, weights)

        def learned(m: int) -> Any:
            return self._learned(
                m, self._schema_of(m), self.classes_, self._seen_by(m, examples), labels, weights
            )

        self._models = self._in_parallel(learned, len(self.features_))
        self._has_learned(len(labels))

    def _schema_of(self, m: int) -> Schema:
        return self._schema.of_columns(self.features_[m])

    def _seen_by(self, m: int, examples: Examples) -> Examples:
        return self._schema.part_of(examples, self.features_[m])


@parameters
class RandomSubspaceClassifier(SubspaceEnsemble):
    """Random subspaces: each base model learns from all examples, but sees only a random part of the columns.

    Also called stochastic attribute selection (Ho 1998; Zheng and Webb 1998; thesis section 2.2.2).
    `predict_proba` is the mean of the class probabilities by all base models.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives its
        columns unchanged; one without `predict_proba` counts as certain of its class.
    n_estimators : int, default=100
        Number of base models (100 in Ho's paper and in all experiments of the thesis).
    max_features : float, default=0.5
        Share of the columns that each base model sees, at least one (one half in Ho's paper).
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws, which are keyed by the number of the base model.
    n_jobs : int or None, default=None
        Number of threads in which base models are trained, as in scikit-learn; the result is the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models; number m predicts ``X[:, features_[m]]``.
    features_ : list of ndarrays
        Indices of the columns that each base model sees.
    vote_weights_ : ndarray of shape (n_estimators,)
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
    scikit-learn's ``BaggingClassifier(bootstrap=False, max_features=0.5)`` is the same algorithm. Here a
    nominal column is one column, not one for each value, and missing values are allowed.

    References
    ----------
    T. K. Ho, *The Random Subspace Method for Constructing Decision Forests*, IEEE Transactions on
    Pattern Analysis and Machine Intelligence 20, 1998.

    Z. Zheng and G. I. Webb, *Stochastic Attribute Selection Committees*, Australian Joint Conference on
    Artificial Intelligence, 1998.

    Examples
    --------
    >>> from oza import DecisionTreeClassifier, RandomSubspaceClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = RandomSubspaceClassifier(DecisionTreeClassifier(), n_estimators=3, random_state=7)
    >>> [each.tolist() for each in model.fit(X, y).features_]
    [[1, 4, 5], [0, 3, 4], [0, 4, 5]]
    """

    _: KW_ONLY
    max_features: Any = 0.5
    n_jobs: Any = None

    def _choose(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> list[np.ndarray]:
        n, n_columns = self._n_features_of_each(), self._schema.n_columns
        orders = (permutation(n_columns, key_of("columns", self._key, m)) for m in range(self._n_models))
        return [np.sort(order[:n]) for order in orders]


@parameters
class InputDecimationClassifier(SubspaceEnsemble):
    """Input decimation: one base model for each class, which sees the columns that say most about it.

    The algorithm of Tumer and Oza (thesis section 2.2.2). Every base model tells all classes apart;
    `predict_proba` is the mean of their class probabilities. There are no random draws, except in the
    base model.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives its
        columns unchanged; one without `predict_proba` counts as certain of its class.
    max_features : float, default=0.5
        Share of the columns that each base model sees, at least one. The thesis gives no number.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the random draws of the base models.
    n_jobs : int or None, default=None
        Number of threads in which base models are trained, as in scikit-learn; the result is the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of n_classes fitted classifiers
        Copies of the base models; number m predicts ``X[:, features_[m]]``.
    features_ : list of ndarrays
        Indices of the columns that each base model sees.
    vote_weights_ : ndarray of shape (n_classes,)
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
    A column is ranked by the correlation between it and the membership in the class, of any sign. For a
    nominal column this is the correlation ratio: the square root of the share of the variance of the
    membership that lies between the values. For two values the two are the same. Ties go to the first
    column. A missing number is left out; a missing nominal value counts as a value.

    References
    ----------
    K. Tumer and N. C. Oza, *Decimated Input Ensembles for Improved Generalization*, International Joint
    Conference on Neural Networks, 1999.

    Examples
    --------
    >>> from oza import InputDecimationClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> [each.tolist() for each in InputDecimationClassifier().fit(X, y).features_]
    [[0, 3, 5], [0, 3, 5], [0, 1, 5], [0, 4, 5]]
    """

    n_estimators: Any = field(default=1, init=False)
    _: KW_ONLY
    max_features: Any = 0.5
    n_jobs: Any = None

    _undivided = "how many base models there are follows from the data"

    def _choose(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> list[np.ndarray]:
        n = self._n_features_of_each()
        schema = self._schema
        if isinstance(schema, AsGiven):
            schema = Schema.infer(examples.numbers)
            examples = schema.encode(examples.numbers)
        chosen = []
        for c in range(len(self.classes_)):
            strength = -correlations(schema, examples, labels == c, weights)
            chosen.append(np.sort(strength.argsort(kind="stable")[:n]))
        return chosen


def correlations(
    schema: Schema, examples: Examples, is_member: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Correlation of each column with the membership in a class, from 0 to 1; shape (n_features,)."""
    found = np.zeros(schema.n_columns)
    attributes = [*examples.codes.T, *examples.numbers.T]
    for number, (j, column) in enumerate(zip(schema.columns, attributes, strict=True)):
        is_nominal = number < len(schema.sizes)
        known = np.full(len(column), True) if is_nominal else ~np.isnan(column)
        y, w = is_member[known].astype(float), weights[known]
        total = fsum(w)
        if total == 0.0:
            continue
        share = fsum(w * y) / total
        variance = share * (1.0 - share)
        if is_nominal:
            groups = [(fsum(w[column == v]), fsum((w * y)[column == v])) for v in np.unique(column)]
            between = fsum(n * (s / n - share) ** 2 for n, s in groups if n > 0.0) / total
            found[j] = sqrt(between / variance) if variance > 0.0 else 0.0
        else:
            x = column[known] - fsum(w * column[known]) / total
            spread = fsum(w * x * x) / total
            if variance > 0.0 and spread > 0.0:
                found[j] = abs(fsum(w * x * (y - share)) / total) / sqrt(variance * spread)
    return np.round(found, 12)  # so that equal correlations are equal
