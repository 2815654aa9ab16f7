"""Bagging and online bagging: the classifiers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, field
from typing import Any

import numpy as np

from ...classifier.contract import BaseModel, Growth, can_be_divided, learn_batch, learn_batch_each
from ...classifier.parameters import parameters
from ...columns.examples import Examples
from ...columns.schema import Schema
from ...columns.validation import check_choice
from ...kernels.random import row_key
from ..threads import check_n_jobs
from ..voting import OnlineEnsemble, VotingEnsemble, error_shares
from .kernels import (
    OnlineBagging,
    OutOfBag,
    bagging,
    count_out_of_samples,
    draw_samples,
    learn_copies,
    sample_with_replacement,
)


@parameters
class BaggingEnsemble(VotingEnsemble):
    """M base models of one type, each trained on some examples only; the others are out of bag."""

    _: KW_ONLY
    oob_score: Any = False
    _out_of_bag: OutOfBag | None = field(init=False)

    def _check_choices(self) -> None:
        check_choice("oob_score", self.oob_score, True, False)

    @property
    def _undivided(self) -> str:
        return "out-of-bag votes, oob_score=True, need all base models at once" if self.oob_score else ""

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        nothing = OutOfBag(*np.zeros((2, state["_n_models"])), *np.zeros((2, len(classes))))
        return state | {"_out_of_bag": nothing if self.oob_score else None}

    def _grow(self, growth: Growth) -> None:
        super()._grow(growth)
        if self._out_of_bag is not None:
            tested, wrong, voted, right = self._out_of_bag
            by_class = np.zeros((2, len(growth.classes)))
            by_class[:, growth.class_positions] = voted, right
            self._out_of_bag = OutOfBag(tested, wrong, *by_class)

    def _measured(self) -> OutOfBag:
        measured = getattr(self, "_out_of_bag", None)
        if measured is None:
            raise AttributeError(
                f"{type(self).__name__} measures errors only if it is fitted with oob_score=True; "
                "predict_each returns the predictions of every base model for any examples."
            )
        return measured

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Share of the weight of its out-of-bag examples that each misclassified; 1/2 if it had none."""
        tested, wrong, _, _ = self._measured()
        return error_shares(wrong, tested)

    @property
    def oob_score_(self) -> float:
        """Accuracy of the out-of-bag vote; NaN if there was none."""
        _, _, voted, right = self._measured()
        return float(right.sum() / voted.sum()) if voted.any() else np.nan


@parameters
class BaggingClassifier(BaggingEnsemble):
    """Bagging: each base model is trained on a sample of N examples drawn with replacement.

    The batch algorithm of thesis Figures 2.6 and 3.1 (Breiman 1996), with an unweighted vote.
    `sample_weight` multiplies the number of times that an example was drawn.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `fit`, which receives the
        columns unchanged and is much slower.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    oob_score : bool, default=False
        Whether to test each base model on its out-of-bag examples, which it did not learn, about
        37% of all. Learning then takes several times as long.
    categorical_features : "auto", None or array-like, default="auto"
        "auto": columns of numbers are numeric, integers too; columns of strings, booleans and categories, and
        those with `categories`, are nominal. None: all numeric. Else a boolean mask, column indices or names.
    categories : "auto" or list, default="auto"
        For each column the values it can take, or None. "auto" takes them from the first `X`.
    random_state : int ≥ 0, RandomState, Generator or None, default=None
        Determines the key of all random draws.
    n_jobs : int or None, default=None
        Number of threads in which base models are trained, as in scikit-learn; the result is the same.
        Trees, which share one memory of examples, and classifiers of other libraries use one thread.

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
        misclassified; 1/2 if there was none.
    oob_score_ : float
        With `oob_score`: accuracy of the vote on each example of the base models for which it is
        out of bag, over the examples with such a vote; NaN if there is none.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has not been trained does not vote.
    n_bounded_draws_ : int
        Number of weights or draws that were bounded, because a network is trained on an example at most 100
        times.
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
    OnlineBaggingClassifier : the online algorithm.

    References
    ----------
    L. Breiman, *Bagging Predictors*, Machine Learning 24, 1996.
    L. Breiman, *Out-of-Bag Estimation*, Technical report, Statistics Department, Berkeley, 1996.

    Examples
    --------
    >>> from oza import BaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = BaggingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))
    """

    _: KW_ONLY
    n_jobs: Any = None

    algorithm = staticmethod(bagging)

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return most_sampled(weights)

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        n_threads = min(check_n_jobs(self.n_jobs), self._n_models)
        if self._part is not None:
            self._learn_part(examples, labels, weights)
        elif n_threads > 1 and can_be_divided(self._models):
            samples = self._learn_in_threads(n_threads, examples, labels, weights)
        else:
            samples = self.algorithm(self._models, self._n_models, examples, labels, weights, self._key)
        self._has_learned(len(labels))
        if self._out_of_bag is not None:
            count_out_of_samples(self._out_of_bag, self._labels(examples), labels, weights, samples)

    def _learn_part(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        sample = np.empty(len(labels), np.int32)
        for m in self._members:
            sample_with_replacement(sample, row_key(self._key, m))
            learn_batch(self._models, m, examples, labels, weights, sample)

    def _learn_in_threads(
        self, n_threads: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """Do as `algorithm`; each thread has copies of some of the models, and buffers of its own."""
        kind, models = self._kind, self._models
        samples = draw_samples(self._n_models, len(labels), self._key)

        def learn(block: np.ndarray) -> Any:
            part = kind._with_own_buffers(kind._take(models, block))
            learn_batch_each(part, examples, labels, weights, samples[block])
            return part

        blocks = np.array_split(np.arange(self._n_models), n_threads)
        with ThreadPoolExecutor(n_threads) as pool:
            for block, part in zip(blocks, pool.map(learn, blocks), strict=True):
                kind._put(models, block, part)
        return samples


class OnlineBaggingEnsemble(OnlineEnsemble, BaggingEnsemble):
    """Bagging example by example; the classes differ in how the numbers of copies are drawn."""

    algorithm = staticmethod(learn_copies)

    def _prefers_blocks(self, is_tested: bool) -> bool:
        return self._out_of_bag is None and self._kind._prefers_model_by_model(is_tested)


@parameters
class OnlineBaggingClassifier(OnlineBaggingEnsemble):
    """Online bagging: each base model trains Poisson(1) times on each arriving example.

    The algorithm of thesis Figure 3.3 (Oza and Russell 2001), with an unweighted vote. Draws are
    keyed by (example number, base model): however a stream is divided into calls of `partial_fit`,
    the models are the same, bit for bit, as by `fit` on all of it. `sample_weight` scales the Poisson mean;
    a row of weight 0 is skipped but keeps its number.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``NaiveBayesClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=100
        Number M of base models (100 in all experiments of the thesis, section 3.5).
    oob_score : bool, default=False
        Whether to test each base model on its out-of-bag examples, which it does not learn, about
        37% of all, as they arrive. Learning then takes several times as long.
    n_jobs : int, default=None
        Number of threads in which base models learn, −1 for all processors; None means 1. The result is the
        same, bit for bit. With `oob_score`, decision trees, which share their examples, and classifiers
        of other libraries, there is one thread.
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
        Number of weights or draws that were bounded, because a network is trained on an example at most 100
        times.
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
    BaggingClassifier : the batch algorithm, to whose models those of online bagging converge.

    References
    ----------
    N. C. Oza and S. Russell, *Online Bagging and Boosting*, AISTATS 2001.

    Examples
    --------
    >>> from oza import OnlineBaggingClassifier
    >>> from oza.datasets import load_dataset
    >>> X, y = load_dataset("car-evaluation", return_X_y=True, as_frame=True)
    >>> model = OnlineBaggingClassifier(n_estimators=25, random_state=7).fit(X, y)
    >>> model.predict(X[:3]), model.predict_proba(X[:1]).shape
    (array([0, 0, 0]), (1, 4))

    Out-of-bag errors, measured as the examples arrive:

    >>> model.set_params(oob_score=True).fit(X, y).estimator_errors_[:5].round(2).tolist()
    [0.21, 0.18, 0.17, 0.14, 0.18]
    >>> round(model.oob_score_, 2)
    0.82
    """

    _: KW_ONLY
    n_jobs: Any = None

    def _check_choices(self) -> None:
        super()._check_choices()
        check_n_jobs(self.n_jobs)

    def _n_threads(self) -> int:
        return super()._n_threads() if self._out_of_bag is None else 1

    @property
    def _classifies_to_learn(self) -> bool:  # type: ignore[override]
        return self._out_of_bag is not None

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return most_drawn(weights)

    def _algorithm(self) -> OnlineBagging:
        return OnlineBagging(self._out_of_bag, np.empty(self._n_models), np.empty(self._n_models, np.int32))


def most_sampled(weights: np.ndarray) -> float:
    """Largest total weight of a sample with replacement, in which every draw is the heaviest example."""
    return len(weights) * weights.max()


def most_drawn(means: np.ndarray) -> float:
    """Upper bound of the total of Poisson draws with these means; each is larger with less than 10⁻⁵⁰."""
    drawn = means + 16.0 * np.sqrt(means) + 200.0
    return drawn[means > 0.0].sum()
