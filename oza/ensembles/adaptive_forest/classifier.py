"""Adaptive random forests: the classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from functools import partial
from typing import Any

import numpy as np

from ...classifier.contract import BaseModel
from ...classifier.parameters import parameters
from ...columns.schema import Schema
from ...columns.validation import check_number
from ...drift.adwin import check_delta
from ...drift.windows import new_windows
from ...models import HoeffdingTreeClassifier
from ..adaptive.bagging import ADWINBaggingClassifier, copy_rows
from ..adaptive.leveraging import LARGEST_LAM
from ..bagging.classifier import most_drawn
from .kernels import AdaptiveForest, adaptive_forest


@parameters
class AdaptiveRandomForestClassifier(ADWINBaggingClassifier):
    """Adaptive random forest: Hoeffding trees on drawn columns, which are replaced when an error has risen.

    Each tree trains Poisson(λ) times on each arriving example, and each of its leaves may test only a few
    columns, drawn at random (Gomes et al. 2017). Two detectors, `oza.drift.ADWIN`, watch the errors of each
    tree: where the more sensitive one finds that the error has risen, which is a warning, a new tree begins
    to learn in the background; where the other one does, which is a drift, the tree is replaced by its
    background tree, or by a new one if it has none. Both detectors then start anew. The weight of a vote is
    the accuracy of the tree since it began to vote.
    Draws are keyed by (example number, tree) and by (tree, leaf): however a stream is divided into calls of
    `partial_fit`, the result is the same, bit for bit. `sample_weight` scales the Poisson mean; a row of
    weight 0 is skipped, also by the detectors, but keeps its number.

    Parameters
    ----------
    estimator : HoeffdingTreeClassifier, default=None
        The parameters of the trees, of which nominal columns and `max_features` are declared here. None
        means ``HoeffdingTreeClassifier(grace_period=50, delta=0.01)`` (MOA's default).
    n_estimators : int, default=10
        Number M of trees that vote (10 as in the other ensembles here; 100 in MOA).
    max_features : None, "sqrt" or float, default="sqrt"
        How many columns a leaf may test: None means all; "sqrt" the square root of their number, rounded, and
        one more, as in the paper; a float above 0 and at most 1 this share of them, rounded, at least
        one. MOA's default is 0.6.
    lam : float, default=6
        Mean λ of the Poisson distribution, above 0 and at most 1,000 (6 in the paper and in MOA).
    delta : float, default=0.001
        Confidence of each check of a detector of drifts, above 0 and below 1 (MOA's default).
    delta_warning : float, default=0.01
        Confidence of each check of a detector of warnings, likewise. It should be larger, so
        that a warning comes before the drift (MOA's default).
    clock : int, default=32
        Number of examples from one check of the detectors to the next, 1 or more.
    voting : {"probability", "majority"}, default="probability"
        Whether the class probabilities of all trees are added up, as in MOA, or each votes for one class;
        weighted by accuracy in either case.
    n_jobs : int, default=None
        Number of threads in which trees learn, −1 for all processors; None means 1. The result is the
        same, bit for bit.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : HoeffdingTreeClassifier
        A tree, unfitted.
    estimators_ : list of M fitted HoeffdingTreeClassifiers
        Copies of the trees that vote.
    n_resets_ : int
        How many trees have been replaced.
    n_warnings_ : int
        How many background trees have been started.
    drift_history_ : ndarray of shape (n_found,) with fields
        For each drift, in order of time: `example`, its number, counted from 0; `member`, the index of the
        tree; `before` and `after`, its error by the detector before and after the cut; `replaced`, which
        is `member` again.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Recent error of each tree by its detector of drifts; 0 if it has not been tested.
    vote_weights_ : ndarray of shape (n_estimators,)
        Accuracy of each tree, tested on each example before learning from it, since it began to vote; 0 if
        it has not been tested. 1 each if all of these are 0.
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
    LeveragingBaggingClassifier : the same draws of examples, for any base model.
    RandomForestClassifier : the batch algorithm.

    Notes
    -----
    Trees are tested on an example before they learn from it, for their detectors too. A second warning before
    the drift starts the background tree anew. As in the paper, a background tree is trained on the example
    Poisson(λ) times.

    Differences from MOA's `AdaptiveRandomForest`: there all trees draw their columns with the same seed,
    whatever that of the forest, so that the roots see the same columns; Naive Bayes in a leaf sees only the
    drawn columns; a detector is fed with the error after learning; a background tree is trained on each
    example once; after a drift without a background tree the detector of warnings goes on; and a tree of
    accuracy 0 has a weight of 0.01. Where no columns are drawn, mean accuracies over ten seeds are within
    0.01 of MOA's; so they are where columns are drawn, if MOA's trees have a seed each and leaves predict
    by majority.

    References
    ----------
    H. M. Gomes, A. Bifet, J. Read, J. P. Barddal, F. Enembreck, B. Pfahringer, G. Holmes and T. Abdessalem,
    *Adaptive Random Forests for Evolving Data Stream Classification*, Machine Learning 106, 2017.

    Examples
    --------
    The concept of a stream changes at example 5,000:

    >>> from oza import AdaptiveRandomForestClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:10_000]
    >>> model = AdaptiveRandomForestClassifier(categories=stream.categories, random_state=0)
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> model.n_resets_, round(float(is_right[6000:].mean()), 2)
    (10, 1.0)
    """

    _: KW_ONLY
    max_features: Any = "sqrt"
    lam: Any = 6
    delta: Any = 0.001
    delta_warning: Any = 0.01
    replaced: Any = field(default="triggered", init=False)
    tested: Any = field(default="before", init=False)

    algorithm = staticmethod(adaptive_forest)
    _read_at_every_call = ("n_jobs", "voting", "lam")

    _default_estimator = staticmethod(partial(HoeffdingTreeClassifier, grace_period=50, delta=0.01))

    def _check_choices(self) -> None:
        super()._check_choices()
        check_number("lam", self.lam, 0, LARGEST_LAM, ends="(]")

    def _new_kind(self) -> BaseModel:
        if self.estimator is None:
            return self._default_estimator().set_params(max_features=self.max_features)
        if not isinstance(self.estimator, HoeffdingTreeClassifier):
            raise TypeError(f"estimator must be None or a HoeffdingTreeClassifier; got {self.estimator!r}.")
        if self.estimator.max_features is not None:
            raise ValueError(
                "max_features is set on the estimator; set it on AdaptiveRandomForestClassifier instead."
            )
        tree: Any = super()._new_kind()
        return tree.set_params(max_features=self.max_features)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        n_trees = state["_n_models"]
        return state | {
            "_models": kind._begun(schema, classes, 2 * n_trees),  # with the background trees
            "_delta_warning": check_delta(self.delta_warning, "delta_warning"),
            "_warnings": new_windows(n_trees),
            "_has_background": np.zeros(n_trees, np.bool_),
            "_hits": np.zeros((2, n_trees)),
            "_n_warnings": np.zeros(n_trees, np.int64),
        }

    def _take_over(self, part: Any) -> None:
        super()._take_over(part)
        members = np.array(part._members)
        in_background = self._n_models + members
        self._kind._put(self._models, in_background, self._kind._take(part._models, in_background))
        copy_rows(
            members,
            (*part._warnings, part._has_background, part._hits.T, part._n_warnings),
            (*self._warnings, self._has_background, self._hits.T, self._n_warnings),
        )

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return most_drawn(float(self.lam) * weights)

    def _algorithm(self) -> AdaptiveForest:
        return AdaptiveForest(
            detectors=self._detectors,
            warnings=self._warnings,
            delta_warning=self._delta_warning,
            lam=float(self.lam),
            has_background=self._has_background,
            hits=self._hits,
            n_warnings=self._n_warnings,
            codes=self._codes,
            by_shares=self.voting == "probability",
            labels=np.empty(self._n_models, np.int32),
        )

    @property
    def n_warnings_(self) -> int:
        """How many background trees have been started."""
        return int(self._n_warnings.sum())
