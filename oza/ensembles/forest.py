"""Random forests: bagging of decision trees that choose each test from some columns only."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any

import numpy as np

from ..classifier.contract import BaseModel
from ..classifier.parameters import parameters
from ..columns.examples import Examples
from ..kernels.random import row_key
from ..models import DecisionTreeClassifier
from ..models.decision_tree.prune import build_all
from .averaging import AveragingEnsemble
from .bagging.classifier import most_sampled
from .bagging.kernels import sample_with_replacement


@parameters
class RandomForestClassifier(AveragingEnsemble):
    """Random forest: bagging of unpruned decision trees in which each test is chosen from some columns.

    Each tree is trained on a sample of N examples drawn with replacement, the one that `BaggingClassifier`
    draws with the same `random_state`. At each node a few columns are drawn, and the best test of these is
    taken (Breiman 2001). `sample_weight` multiplies the number of times that an example was drawn.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees (100 in most of Breiman's experiments).
    max_features : None, "sqrt" or float, default="sqrt"
        How many columns a node chooses its test from: "sqrt" is the square root of their number, rounded
        down, as in scikit-learn; a float above 0 and at most 1 is this share of them, rounded, at least one;
        None means all, which is bagging. If no test of the drawn columns separates the
        examples, further ones are drawn until one does. Breiman tries 1 and the first integer below
        log2(M) + 1, with M the number of columns.
    criterion : {"information_gain", "gain_ratio"}, default="information_gain"
        What the best test has most of. Breiman uses the Gini index, to which information gain is
        close; gain ratio is the measure of the thesis's trees.
    voting : {"majority", "probability"}, default="majority"
        Whether each tree has one vote, as in Breiman's paper, or the class shares in the leaves are
        averaged, as in scikit-learn.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws: of the samples, keyed by (tree, draw), and of the columns,
        keyed by (tree, examples in the node).
    n_jobs : int or None, default=None
        Number of threads in which trees are trained, as in scikit-learn; the result is the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : DecisionTreeClassifier
        The base model, unfitted.
    estimators_ : list of n_estimators fitted DecisionTreeClassifiers
        Copies of the trees.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each.
    n_bounded_draws_ : int
        0, since trees can be trained on any number of copies.
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
    BaggingClassifier : for other base models.
    RandomSubspaceClassifier : columns are drawn once for each base model.

    Notes
    -----
    Differences from scikit-learn's `RandomForestClassifier`: a nominal column is one column, which a test
    divides into one value and all others; a threshold is a value found, not the middle of two; a missing
    number passes no test.

    References
    ----------
    L. Breiman, *Random Forests*, Machine Learning 45, 2001.

    Examples
    --------
    >>> from oza import RandomForestClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = RandomForestClassifier(n_estimators=25, random_state=7).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    estimator: Any = field(init=False)
    _: KW_ONLY
    max_features: Any = "sqrt"
    criterion: Any = "information_gain"
    voting: Any = "majority"
    n_jobs: Any = None

    def _new_kind(self) -> BaseModel:
        return DecisionTreeClassifier(self.criterion, max_features=self.max_features)

    _undivided = ""

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return most_sampled(weights)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        self._models = []

        def learned(m: int) -> Any:
            sample = np.empty(len(labels), np.int32)
            sample_with_replacement(sample, row_key(self._key, m))  # 1.1
            tree = self._learned(m, self._schema, self.classes_, examples, labels, weights, sample)  # 1.2
            build_all(tree)
            return tree

        self._models = self._in_parallel(learned, self._n_models)
        self._has_learned(len(labels))
