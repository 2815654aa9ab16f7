"""Earlier online ensembles: the classifiers."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Any

import numpy as np

from ...classifier.contract import BaseModel, Growth
from ...classifier.parameters import parameters
from ...classifier.third_party import ThirdParty
from ...columns.schema import Schema
from ...columns.validation import check_choice, check_count, check_number
from ..bagging.classifier import OnlineBaggingEnsemble
from ..bagging.kernels import FixedFractionBagging
from ..voting import OnlineEnsemble, error_shares
from .kernels import Arcing, Blocks, OnlineArcX4, blocked_boosting, online_arc_x4


@parameters
class FixedFractionBaggingClassifier(OnlineBaggingEnsemble):
    """Fixed-fraction bagging: each base model is trained on each example with the same probability.

    The algorithm of thesis Figure 2.13 (Fern and Givan 2000), with an unweighted vote. Unlike in online
    bagging, no model is trained on an example twice. `sample_weight` is the weight with which an
    example is learned. Draws are keyed by (example number, base model).

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    update_probability : float, default=0.5
        Probability P_u in (0, 1] that a base model is trained on an example. The value that the thesis used
        is illegible in our copy; 0.5 is the middle of the range that we report. With 1 all models are
        the same.
    oob_score : bool, default=False
        Whether to test each base model on its out-of-bag examples, which it does not learn, as they
        arrive. Learning then takes several times as long.
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
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of M fitted classifiers
        Copies of the base models.
    estimator_errors_ : ndarray of shape (n_estimators,)
        With `oob_score`: of the `sample_weight` of its out-of-bag examples, the share that each
        misclassified when they arrived; 1/2 if there was none.
    oob_score_ : float
        With `oob_score`: accuracy of the votes on each example, when it arrives, by the base models that
        are not given it, where there is such a vote; NaN where there was none.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has not been trained does not vote.
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

    See Also
    --------
    OnlineBaggingClassifier : draws the number of copies from a Poisson distribution.

    References
    ----------
    A. Fern and R. Givan, *Online Ensemble Learning: An Empirical Study*, ICML 2000.

    Examples
    --------
    >>> from oza import FixedFractionBaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = FixedFractionBaggingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    update_probability: Any = 0.5

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        probability = check_number("update_probability", self.update_probability, 0, 1, ends="(]")
        return super()._start(kind, schema, classes) | {"_probability": probability}

    def _algorithm(self) -> FixedFractionBagging:
        return FixedFractionBagging(
            self._out_of_bag, np.empty(self._n_models), np.empty(self._n_models, np.int32), self._probability
        )


@parameters
class OnlineArcX4Classifier(OnlineEnsemble):
    """Online Arc-x4: the more of the earlier models are wrong on an example, the more it weighs.

    The algorithm of thesis Figure 2.16, Breiman's Arc-x4 as Fern and Givan (2000) made it online, with an
    unweighted vote. Base model m is trained on each example with weight 1 + e⁴, where e of the m − 1 models
    before it misclassify it. Nothing is random. `sample_weight` multiplies the weight.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    tested : {"after", "before"}, default="after"
        Whether a model is tested after or before it is trained on the example. The figure seems to test
        after.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of M fitted classifiers
        Copies of the base models.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Of the `sample_weight` of all examples, the share that each misclassified when it was tested;
        1/2 if there was none.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has not been trained does not vote.
    n_bounded_draws_ : int
        Number of weights that were bounded, because a model's counts would have exceeded the exact
        range or because a network is trained on an example at most 100 times.
    categories_ : list of (ndarray or None)
        Values of each nominal column, sorted; None for numeric ones.
    is_categorical_ : ndarray of shape (n_features,)
        Which columns are nominal.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Column names, where `X` had them all as strings.

    Warns
    -----
    RuntimeWarning
        The first time that a weight is bounded: a model is trained on a weight of at most 2**53 in all.

    See Also
    --------
    OnlineBoostingClassifier : weights derived from the models' errors, and a weighted vote.

    References
    ----------
    A. Fern and R. Givan, *Online Ensemble Learning: An Empirical Study*, ICML 2000.
    L. Breiman, *Arcing Classifiers*, The Annals of Statistics 26, 1998.

    Examples
    --------
    >>> from oza import OnlineArcX4Classifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = OnlineArcX4Classifier(n_estimators=25).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    tested: Any = "after"
    random_state: Any = field(default=0, init=False)  # there are no random draws

    algorithm = staticmethod(online_arc_x4)

    def _check_choices(self) -> None:
        check_choice("tested", self.tested, "after", "before")

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        learned, wrong = np.zeros((2, state["_n_models"]))
        return state | {"_arcing": Arcing(learned, np.zeros(len(learned), np.int64), np.zeros(1), wrong)}

    def _algorithm(self) -> OnlineArcX4:
        return OnlineArcX4(
            self._arcing, self.tested == "before", self._kind._most_copies, np.empty(self._n_models, np.int32)
        )

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Share of the weight of the examples that each base model misclassified; 1/2 if there was none."""
        return error_shares(self._arcing.wrong, self._arcing.tested)

    def _count_bounded(self) -> int:
        return super()._count_bounded() + int(self._arcing.bounded.sum())


@parameters
class BlockedBoostingClassifier(OnlineEnsemble):
    """Boosting in blocks: each base model is trained on a block of its own, half of it hard examples.

    The algorithm of thesis Figure 2.9 (Breiman 1999), with an unweighted vote. The first base model
    learns the first `block_size` examples. The block of each later one takes from the following
    examples those that the vote of the earlier models misclassifies, and as many of the others in
    expectation, until it is full. A block is learned in batch mode, so a network makes `epochs` passes
    through it. A model whose block is not full does not vote, except the first, which learns what its
    block holds so far. An example of `sample_weight` 0 is skipped; any other is learned with its
    weight.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=100
        Largest number M of base models; once all are made, no further example is learned.
    block_size : int, default=100
        Number of examples that each base model learns (thesis section 2.4, p. 29: 100, for Promoters 84).
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
    estimator_ : classifier
        The base model, unfitted.
    estimators_ : list of fitted classifiers
        Copies of the base models whose block is full, or of the first if there is none.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        Of the `sample_weight` of the examples after its block, the share that each misclassified; 1/2
        if there was none.
    vote_weights_ : ndarray of shape (len(estimators_),)
        1 each; a base model that has not been trained does not vote.
    block_errors_ : ndarray of shape (len(estimators_),)
        Of the examples that arrived while the block of each base model was filled, the share that the
        vote of the earlier ones misclassified, smoothed: 3/4 of the value of the previous block plus
        1/4 of that of this block. 0 for the first.
    hard_shares_ : ndarray of shape (len(estimators_),)
        Of the examples learned by each base model, the share that the vote of the earlier ones
        misclassified; the algorithm aims at one half. 0 for the first.
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

    References
    ----------
    L. Breiman, *Pasting Small Votes for Classification in Large Databases and On-Line*, Machine
    Learning 36, 1999.

    Examples
    --------
    >>> from oza import BlockedBoostingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = BlockedBoostingClassifier(random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    block_size: Any = 100
    _blocks: Blocks = field(init=False)

    algorithm = staticmethod(blocked_boosting)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        n_models, size = state["_n_models"], check_count("block_size", self.block_size)
        n_nominal = int(schema.is_categorical.sum())
        numbers = object if isinstance(kind, ThirdParty) else np.float64
        met, wrong, n_learned = np.zeros((3, n_models), np.int64)
        blocks = Blocks(
            n_full=np.zeros(1, np.int64),
            met=met,
            wrong=wrong,
            n_learned=n_learned,
            error=np.zeros(n_models),
            tested=np.zeros(n_models),
            missed=np.zeros(n_models),
            codes=np.full((size, n_nominal), -1, np.int32),
            numbers=np.zeros((size, len(schema.is_categorical) - n_nominal), numbers),
            block_labels=np.zeros(size, np.int64),
            weights=np.zeros(size),
            labels=np.zeros(n_models, np.int32),
            n_classes=len(classes),
        )
        return state | {"_blocks": blocks}

    def _algorithm(self) -> Blocks:
        return self._blocks

    def _grow(self, growth: Growth) -> None:
        super()._grow(growth)
        self._blocks = growth.renumbered(self._blocks)._replace(n_classes=len(growth.classes))

    @property
    def _n_voting(self) -> int:
        return max(int(self._blocks.n_full[0]), 1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False  # blocks are arrays
        return tags

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Share of the weight after its block that each model misclassified; 1/2 if there was none."""
        tested, missed = self._blocks.tested[: self._n_voting], self._blocks.missed[: self._n_voting]
        return error_shares(missed, tested)

    @property
    def block_errors_(self) -> np.ndarray:
        """Smoothed share of the examples that the vote of the earlier models misclassified."""
        return self._blocks.error[: self._n_voting].copy()

    @property
    def hard_shares_(self) -> np.ndarray:
        """Share of each block that the vote of the earlier models misclassified."""
        blocks = self._blocks
        return blocks.wrong[: self._n_voting] / np.maximum(blocks.n_learned[: self._n_voting], 1)
