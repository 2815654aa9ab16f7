"""DECORATE: diverse ensembles by artificial examples."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from math import fsum, sqrt
from typing import Annotated, Any

import numpy as np

from ...classifier.contract import BaseModel, class_shares
from ...classifier.parameters import parameters
from ...classifier.third_party import AsGiven
from ...columns.examples import Examples, join
from ...columns.schema import Schema
from ...columns.validation import check_count, check_number
from ...kernels.random import key_of
from ..averaging import AveragingEnsemble, weighted_error
from .kernels import draw_examples, label_against

SMALLEST = 1e-6  # probability that an impossible class is given before it is inverted


@parameters
class DecorateClassifier(AveragingEnsemble):
    """DECORATE: each base model also learns artificial examples, labelled against the ensemble so far.

    The algorithm of Melville and Mooney (2003). The first base model is trained on the training set. In each
    trial, artificial examples are drawn from the distribution of the training set, each attribute on its
    own: numbers from a normal distribution, values of a nominal column by their frequency plus one.
    Class c is drawn as a label in proportion to 1/P(c), with P by the ensemble so far. A new base
    model is trained on the training set and these examples, and joins the ensemble if the error on the
    training set does not rise. Then the artificial examples are thrown away. `predict_proba` is
    the mean of the class probabilities by all base models.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives the
        columns unchanged; one without `predict_proba` counts as certain of its class. The authors use trees.
    n_estimators : int, default=15
        Largest number of base models (15 in the paper).
    max_trials : int, default=50
        Largest number of base models that are trained, the first one included (50 in the paper).
    artificial_share : float, default=1.0
        Number of artificial examples as a share of the number of training examples (1 in the paper). They
        weigh as much as the training examples do on average.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws, which are keyed by (trial, artificial example, column).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models, at most `n_estimators`.
    training_errors_ : ndarray of shape (len(estimators_),)
        Error of the ensemble on the training set after each base model joined; it never rises.
    n_trials_ : int
        Number of base models that were trained.
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
    Two details are not in the paper: a probability below 10⁻⁶ counts as 10⁻⁶ before it is inverted,
    and a missing value is never drawn. Whether a column of a scikit-learn classifier is nominal is
    decided by its type, as with ``categorical_features="auto"``.

    References
    ----------
    P. Melville and R. J. Mooney, *Constructing Diverse Classifier Ensembles Using Artificial Training
    Examples*, IJCAI 2003.

    Examples
    --------
    >>> from oza import DecisionTreeClassifier, DecorateClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("balance", return_X_y=True, as_frame=True)
    >>> model = DecorateClassifier(DecisionTreeClassifier(prune=True), random_state=7).fit(X[::4], y[::4])
    >>> bool(model.score(X, y) > model.estimators_[0].score(X, y))
    True
    """

    n_estimators: Any = 15
    _: KW_ONLY
    max_trials: Any = 50
    artificial_share: Any = 1.0

    training_errors_: Annotated[np.ndarray, "S"] = field(init=False)

    def _check_choices(self) -> None:
        super()._check_choices()
        check_number("artificial_share", self.artificial_share, 0)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        check_count("max_trials", self.max_trials)
        state = super()._start(kind, schema, classes)
        return state | {"n_trials_": 0, "training_errors_": np.empty(0)}

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return weights.sum() * (1.0 + self.artificial_share) + weights.max()

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._models = []
        self._decorate(examples, labels, weights)
        self._has_learned(len(labels))

    def _decorate(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        source = ExampleSource(self._schema, examples, weights)
        n_artificial = max(1, round(self.artificial_share * len(labels)))
        artificial_weights = np.full(n_artificial, fsum(weights) / len(weights))
        self._models = [self._learned(0, self._schema, self.classes_, examples, labels, weights)]
        total = self._shares(0, examples)
        errors = [weighted_error(total, labels, weights)]
        self.n_trials_ = 1
        while len(self._models) < self._n_models and self.n_trials_ < self.max_trials:
            trial = self.n_trials_
            artificial = source.draw(n_artificial, key_of("artificial", self._key, trial))
            opposed = np.empty(n_artificial, np.int64)
            says = self._votes(artificial) / len(self._models)
            label_against(says, SMALLEST, key_of("label", self._key, trial), opposed)
            new = self._learned(
                trial,
                self._schema,
                self.classes_,
                join([examples, artificial]),
                np.concatenate([labels, opposed]),
                np.concatenate([weights, artificial_weights]),
            )
            with_new = total + class_shares(new, 0, len(self.classes_), examples)
            error = weighted_error(with_new, labels, weights)
            if error <= errors[-1]:
                self._models.append(new)
                errors.append(error)
                total = with_new
            self.n_trials_ += 1
        self.training_errors_ = np.array(errors)


class ExampleSource:
    """The distribution of each attribute of a training set, from which artificial examples are drawn.

    Parameters
    ----------
    schema : Schema
        Of the examples; if it passes columns on as they are, they are nominal or numeric by their type.
    examples : Examples
    weights : ndarray of shape (N,)

    Examples
    --------
    >>> import numpy as np
    >>> from oza.columns.schema import Schema
    >>> X = np.array([["0", "1"], ["2", "1"], ["2", "1"]])
    >>> schema = Schema.infer(X)
    >>> drawn = ExampleSource(schema, schema.encode(X), np.ones(3)).draw(1000, key=1)
    >>> np.bincount(drawn.codes[:, 0]) / 1000  # of 3 + 2 smoothed examples, 2 have the first value
    array([0.396, 0.604])
    """

    def __init__(self, schema: Schema, examples: Examples, weights: np.ndarray):
        self.as_given = examples.numbers if isinstance(schema, AsGiven) else None
        if self.as_given is not None:
            schema = Schema.infer(self.as_given)
            examples = schema.encode(self.as_given)
        self.schema = schema
        self.starts = np.append(schema.starts, schema.sizes.sum())
        counts = np.ones(self.starts[-1])
        for codes in examples.codes.T:
            np.add.at(counts, codes[codes >= 0], weights[codes >= 0])
        self.shares = counts
        moments = [_mean_and_deviation(column, weights) for column in examples.numbers.T]
        self.means, self.deviations = np.array(moments).reshape(-1, 2).T.copy()

    def draw(self, n_examples: int, key: int) -> Examples:
        """Draw examples; each draw is keyed by (`key`, number of the example, attribute)."""
        codes = np.empty((n_examples, len(self.schema.sizes)), np.int32)
        numbers = np.empty((n_examples, len(self.means)))
        draw_examples(self.shares, self.starts, self.means, self.deviations, key, codes, numbers)
        if self.as_given is None:
            return Examples(codes, numbers)
        rows = np.empty(
            (n_examples, len(self.schema.categories)), np.result_type(self.as_given.dtype, np.float32)
        )
        a = d = 0
        for j, values in enumerate(self.schema.categories):
            if values is None:
                rows[:, j] = numbers[:, d]
                d += 1
            else:
                rows[:, j] = values[codes[:, a] - self.starts[a]] if len(values) else None
                a += 1
        return Examples(np.empty((n_examples, 0), np.int32), rows)


def _mean_and_deviation(column: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Weighted mean and standard deviation of the numbers that are not missing; NaN if all are."""
    known = ~np.isnan(column)
    total = fsum(weights[known])
    if total == 0.0:
        return np.nan, np.nan
    mean = fsum(weights[known] * column[known]) / total
    return mean, sqrt(fsum(weights[known] * (column[known] - mean) ** 2) / total)
