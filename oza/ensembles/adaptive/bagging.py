"""ADWIN bagging."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY
from typing import Any

import numpy as np

from ...classifier.parameters import parameters
from ..bagging.classifier import most_drawn
from ..threads import check_n_jobs
from .ensemble import AdaptiveEnsemble
from .kernels import AdaptiveBagging, adaptive_bagging


@parameters
class ADWINBaggingClassifier(AdaptiveEnsemble):
    """ADWIN bagging: online bagging that replaces a base model when an error has risen.

    As in online bagging, each base model trains Poisson(1) times on each arriving example. A detector,
    `oza.drift.ADWIN`, watches the errors of each; when one finds that the error of its base model has
    risen, a base model is replaced by a new one, with a new detector (Bifet, Holmes, Pfahringer, Kirkby and
    Gavaldà 2009). As long as nothing is replaced, the base models are those of ``OnlineBaggingClassifier``,
    bit for bit, and with `voting="majority"` the predictions too.
    Draws are keyed by (example number, base model): however a stream is divided into calls of `partial_fit`,
    the result is the same, bit for bit. `sample_weight` scales the Poisson mean; a row of
    weight 0 is skipped, also by the detectors, but keeps its number.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``HoeffdingTreeClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=10
        Number M of base models (10 in MOA).
    delta : float, default=0.002
        Confidence of each check of a detector, above 0 and below 1 (MOA's default).
    clock : int, default=32
        Number of examples from one check of the detectors to the next, 1 or more.
    replaced : {"worst", "triggered"}, default="worst"
        Which base model is replaced when an error has risen: the one whose detector estimates the
        highest error, the first of equals, or each one whose detector found the change. Bifet
        and others (2009) and MOA replace the worst.
    tested : {"before", "after"}, default="before"
        Whether the detector of a base model is fed with its error before it is trained on the example, as in
        a test-then-train evaluation, or after, as in the pseudo-code of Bifet
        and others (2010) and in MOA.
    voting : {"probability", "majority"}, default="probability"
        Whether the class probabilities of all base models are added up, as in MOA, or each has one vote,
        as printed.
    n_jobs : int, default=None
        Number of threads in which base models learn, −1 for all processors; None means 1. The result is the
        same, bit for bit. Decision trees, which share their examples, and classifiers of other
        libraries learn in one thread.
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
    n_resets_ : int
        How many base models have been replaced.
    drift_history_ : ndarray of shape (n_found,) with fields
        For each time that a detector found a risen error, in order of time: `example`, its number,
        counted from 0; `member`, the index of the base model; `before` and `after`, its error by the
        detector before and after the cut; `replaced`, the index of the base model that was replaced.
    estimator_errors_ : ndarray of shape (n_estimators,)
        Recent error of each base model by its detector; 0 if it has seen nothing.
    vote_weights_ : ndarray of shape (n_estimators,)
        1 each; a base model that has not been trained does not vote.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a network is trained on an example at most 100 times; a
        network that is replaced starts counting again.
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
    LeveragingBaggingClassifier : base models are trained on each example more often.
    OnlineBaggingClassifier : without detectors.

    Notes
    -----
    After an abrupt change all detectors can find it at the same check. With `replaced="worst"` one
    base model is then replaced, and the others stay, with windows in which the error is high but rises no
    more. With `replaced="triggered"` all of them go at once.

    References
    ----------
    A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby and R. Gavaldà, *New Ensemble Methods for Evolving Data
    Streams*, KDD 2009.

    A. Bifet, G. Holmes and B. Pfahringer, *Leveraging Bagging for Evolving Data Streams*, ECML PKDD 2010.

    Examples
    --------
    The concept of a stream changes at example 5,000:

    >>> from oza import ADWINBaggingClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:10_000]
    >>> model = ADWINBaggingClassifier(
    ...     replaced="triggered", categories=stream.categories, random_state=0
    ... )
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> model.n_resets_, round(float(is_right[6000:].mean()), 2)
    (10, 1.0)
    """

    _: KW_ONLY
    n_jobs: Any = None

    algorithm = staticmethod(adaptive_bagging)

    def _check_choices(self) -> None:
        super()._check_choices()
        check_n_jobs(self.n_jobs)

    @property
    def _undivided(self) -> str:
        return (
            "" if self.replaced == "triggered" else 'with replaced="worst" a detector can replace any of them'
        )

    def _take_over(self, part: Any) -> None:
        super()._take_over(part)
        members, mine, theirs = np.array(part._members), self._detectors, part._detectors
        copy_rows(
            members,
            (*theirs.windows, theirs.has_risen, theirs.estimates),
            (*mine.windows, mine.has_risen, mine.estimates),
        )
        mine.counts[2] += theirs.counts[2]
        found = np.concatenate([self.drift_history_, part.drift_history_])
        self._history = [np.sort(found, order=["example", "member"])] if len(found) else []

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return most_drawn(weights)

    def _algorithm(self) -> Any:
        return self._bagging(lam=1.0, by_mistakes=False)

    def _bagging(self, lam: float, by_mistakes: bool) -> AdaptiveBagging:
        return AdaptiveBagging(
            detectors=self._detectors,
            lam=lam,
            by_mistakes=by_mistakes,
            codes=self._codes,
            by_shares=self.voting == "probability",
            by_model=(
                by_mistakes
                or len(self._codes) > 0
                or self.n_jobs not in (None, 1)
                or self._part is not None
                or self._kind._prefers_model_by_model(is_tested=True)
            ),
            labels=np.empty(self._n_models, np.int32),
            copies=np.empty(self._n_models),
        )


def copy_rows(members: np.ndarray, sources: Iterable[np.ndarray], targets: Iterable[np.ndarray]) -> None:
    """Copy the entries of some base models from arrays with these in the first axis to others."""
    for source, target in zip(sources, targets, strict=True):
        target[members] = source[members]
