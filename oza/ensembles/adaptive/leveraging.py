"""Leveraging bagging."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import numpy as np

from ...classifier.contract import BaseModel, Growth
from ...classifier.parameters import parameters
from ...columns.schema import Schema
from ...columns.validation import check_choice, check_number
from ...kernels.random import draw_in_row, key_of, permutation, row_key
from ..bagging.classifier import most_drawn
from .bagging import ADWINBaggingClassifier
from .kernels import AdaptiveBagging

_BITS = np.arange(2)
LARGEST_LAM = 1000.0


@parameters
class LeveragingBaggingClassifier(ADWINBaggingClassifier):
    """Leveraging bagging: ADWIN bagging in which each base model is trained on each example more often.

    Each base model is trained on each example Poisson(λ) times, with λ greater than 1 (Bifet, Holmes and
    Pfahringer 2010). So base models that wait for evidence, such as Hoeffding trees, decide sooner. Relative
    to their mean, the weights vary less than with λ = 1. Base models are replaced as in ADWIN bagging.

    Parameters
    ----------
    estimator : classifier, default=None
        Base model; None means ``HoeffdingTreeClassifier()``. It is one of this library, whose nominal
        columns are declared here, or any scikit-learn classifier with `partial_fit`, which receives
        the columns unchanged and is much slower.
    n_estimators : int, default=10
        Number M of base models (10 in MOA).
    lam : float, default=6
        Mean λ of the Poisson distribution, above 0 and at most 1,000 (6 in MOA). Not used by
        `variant="me"`.
    variant : {"plain", "me"}, default="plain"
        "me" learns mistakes: an example that a base model misclassifies is learned once, any other
        with probability e/(1 − e), at most 1, where e is the error of the base model by its detector.
        Bifet's lecture prints that number as the weight of such an example. Then nothing would be drawn,
        and all base models would be equal until one is replaced. MOA has the probability too, with
        the error after learning, as `tested="after"` has it.
    output_codes : bool, default=False
        Whether each base model is trained to predict one bit in place of the class: a random output code
        says which classes the bit 1 stands for ("MC" in the paper). A base model votes for all classes of
        the bit that it predicts, and its detector is fed with its error on its own bit. As in the paper,
        half of the classes have the bit 0; of an odd number, one half rounded up or down, with equal
        probability. All such codes are equally likely. All classes must be known at the first call.
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
        Whether the class probabilities of all base models are added up, as in MOA without output codes, or
        each has one vote, as printed, and as in MOA with them.
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
    output_codes_ : ndarray of shape (n_estimators, n_classes)
        With `output_codes`: the bit that stands for each class, for each base model, whose own
        predictions are these bits.
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
    ADWINBaggingClassifier : base models are trained on each example once on average.

    Notes
    -----
    The lecture describes *plain*, *ME* and *MC*, and these are here. MOA also has *half*, *WT* and *subag*,
    where k is 0 or 1 with equal probability, 1 + Poisson(1), and 1 where Poisson(1) is positive. They differ
    from *plain* by the draw of k alone, and are a step of a few lines by `oza.extend`.

    References
    ----------
    A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby and R. Gavaldà, *New Ensemble Methods for Evolving Data
    Streams*, KDD 2009.

    A. Bifet, G. Holmes and B. Pfahringer, *Leveraging Bagging for Evolving Data Streams*, ECML PKDD 2010.

    Examples
    --------
    The concept of a stream changes at example 5,000:

    >>> from oza import LeveragingBaggingClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:10_000]
    >>> model = LeveragingBaggingClassifier(categories=stream.categories, random_state=0)
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> model.n_resets_, round(float(is_right[6000:].mean()), 2)
    (2, 1.0)
    """

    _: KW_ONLY
    lam: Any = 6
    variant: Any = "plain"
    output_codes: Any = False

    _read_at_every_call = ("n_jobs", "voting", "lam", "variant")

    def _check_choices(self) -> None:
        super()._check_choices()
        check_choice("variant", self.variant, "plain", "me")
        check_choice("output_codes", self.output_codes, True, False)
        check_number("lam", self.lam, 0, LARGEST_LAM, ends="(]")

    def _new_kind(self) -> BaseModel:
        kind = super()._new_kind()
        if self.output_codes:
            kind._needs_classes = True  # a code has a bit for every class there is
        return kind

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        if not self.output_codes:
            return super()._start(kind, schema, classes)
        state = super()._start(kind, schema, _BITS)
        return state | {"_codes": output_codes(state["_key"], state["_n_models"], len(classes))}

    def _grow(self, growth: Growth) -> None:
        if len(self._codes) == 0:
            return super()._grow(growth)
        positions = np.arange(len(_BITS))
        super()._grow(growth._replace(classes=_BITS, class_positions=positions))
        self._set_vocabulary(growth.schema, growth.classes)

    @property
    def output_codes_(self) -> np.ndarray:
        """The bit that stands for each class, for each base model, (M, K)."""
        if len(self._codes) == 0:
            raise AttributeError("LeveragingBaggingClassifier draws codes only if output_codes=True.")
        return self._codes.copy()

    @property
    def _member_classes(self) -> np.ndarray:
        return self.classes_ if len(self._codes) == 0 else _BITS

    def _most_learned_of(self, weights: np.ndarray) -> float:
        return weights.sum() if self.variant == "me" else most_drawn(float(self.lam) * weights)

    def _algorithm(self) -> AdaptiveBagging:
        return self._bagging(lam=float(self.lam), by_mistakes=self.variant == "me")


def output_codes(key: int, n_models: int, n_classes: int) -> np.ndarray:
    """Code of each class for each model, (M, K): half of the bits are 1, or nearly half for an odd K."""
    codes = np.zeros((n_models, n_classes), np.int64)
    row = key_of("output codes", key)
    for m in range(n_models):
        bits = row_key(row, m)
        n_ones = (n_classes + (int(draw_in_row(bits, n_classes)) >> 63)) // 2
        codes[m, permutation(n_classes, bits)[:n_ones]] = 1
    return codes
