"""Ensembles that replace a member when its error rises: the classifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, field
from numbers import Real
from typing import Annotated, Any, ClassVar

import numpy as np

from ..classifier.contract import BaseModel, Growth, class_shares, classify_and_share_each
from ..classifier.parameters import parameters
from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.validation import check_choice
from ..drift.adwin import check_clock, check_delta
from ..drift.windows import mean_of, new_windows
from ..kernels.random import draw_in_row, key_of, permutation, row_key
from ..models import HoeffdingTreeClassifier
from .bagging import most_drawn
from .boosting import OnlineBoostingEnsemble
from .steps.adaptive import (
    DRIFT,
    AdaptiveBagging,
    AdaptiveBoosting,
    Detectors,
    adaptive_bagging,
    adaptive_boosting,
    votes_by_shares,
)
from .steps.boosting import OnlineBoosting
from .threads import check_n_jobs
from .voting import OnlineEnsemble

_CHECKS = 128  # of each detector, in a call of a kernel, which has room for the changes found in them


@parameters
class AdaptiveEnsemble(OnlineEnsemble):
    """M base models of one type, each with a detector; a model is replaced when an error has risen."""

    n_estimators: Any = 10
    _: KW_ONLY
    delta: Any = 0.002
    clock: Any = 32
    replaced: Any = "worst"
    tested: Any = "before"
    voting: Any = "probability"
    _detectors: Detectors = field(init=False)
    _codes: Annotated[np.ndarray, "...", "index 2"] = field(init=False)

    _default_estimator: ClassVar[Any] = HoeffdingTreeClassifier

    def _check_choices(self) -> None:
        check_choice("replaced", self.replaced, "worst", "triggered")
        check_choice("tested", self.tested, "before", "after")
        check_choice("voting", self.voting, "majority", "probability")

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        delta, clock = check_delta(self.delta), check_clock(self.clock)
        state = super()._start(kind, schema, classes)
        n_models = state["_n_models"]
        detectors = Detectors(
            windows=new_windows(n_models),
            delta=delta,
            clock=clock,
            replaces_worst=self.replaced == "worst",
            tests_after=self.tested == "after",
            has_risen=np.zeros(n_models, np.bool_),
            estimates=np.zeros((n_models, 2)),
            is_replaced=np.zeros(n_models, np.bool_),
            drifts=np.zeros((_CHECKS + 1) * n_models, DRIFT),
            counts=np.zeros(3, np.int64),
        )
        return state | {"_detectors": detectors, "_history": [], "_codes": np.zeros((0, 0), np.int64)}

    def __setstate__(self, state):
        """Restore what a file has recorded."""
        super().__setstate__(state)
        if "_detectors" in state:  # the view restores the alignment, which a file of skops does not record
            drifts = self._detectors.drifts.view(DRIFT)
            self._detectors = self._detectors._replace(drifts=drifts)

    @property
    def _max_per_call(self) -> int:  # type: ignore[override]
        """Number of examples with no more checks than there is room for their findings."""
        return min(OnlineEnsemble._max_per_call, _CHECKS * self._detectors.clock)

    def _prefers_blocks(self, is_tested: bool) -> bool:
        return True

    def _learn_piece(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        predicted = super()._learn_piece(n_classes, examples, labels, weights)
        self._remember()
        return predicted

    def _remember(self) -> None:
        """Add what the latest call of a kernel found to the history."""
        _, n_found, _ = self._detectors.counts
        if n_found > 0:
            self._history.append(self._detectors.drifts[:n_found].copy())
            self._detectors.counts[1] = 0

    @property
    def n_resets_(self) -> int:
        """How many base models have been replaced."""
        return int(self._detectors.counts[2])

    @property
    def drift_history_(self) -> np.ndarray:
        """What the detectors found, in order of time."""
        return np.concatenate([np.empty(0, DRIFT), *self._history])

    @property
    def estimator_errors_(self) -> np.ndarray:
        """Recent error of each base model, by its detector."""
        return np.array([mean_of(self._detectors.windows, m) for m in range(self._n_models)])

    def _votes(self, examples: Examples) -> np.ndarray:
        if self.voting == "majority":
            return super()._votes(examples)
        weights = self.vote_weights_
        if classify_and_share_each.is_implemented_for(type(self._models)):  # .2 to .4 of the time
            return votes_by_shares(
                self._models, weights, self._codes, len(self.classes_), len(self._member_classes), examples
            )
        return self._sum_of_shares(self._shares(examples), weights)

    def _staged_votes(self, examples: Examples) -> Iterator[np.ndarray]:
        if self.voting == "majority":
            yield from super()._staged_votes(examples)
            return
        shares = list(self._shares(examples))
        for n_models in range(1, self._n_models + 1):
            yield self._sum_of_shares(shares, self._weights_of_the_first(n_models))

    def _shares(self, examples: Examples) -> Iterator[np.ndarray]:
        """Class probabilities, (N, K), by one base model after the other."""
        for m in range(self._n_models):
            found = class_shares(self._models, m, len(self._member_classes), examples)
            yield found[:, self._codes[m]] if len(self._codes) else found

    def _sum_of_shares(self, shares: Iterable[np.ndarray], weights: np.ndarray) -> np.ndarray:
        votes = np.zeros((0, 0))
        for m, (weight, share) in enumerate(zip(weights, shares, strict=False)):
            votes = weight * share if m == 0 else votes + weight * share
        return votes


@parameters
class ADWINBaggingClassifier(AdaptiveEnsemble):
    """ADWIN bagging: online bagging that replaces a base model when an error has risen.

    As in online bagging, each base model learns each arriving example Poisson(1) times. A detector,
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
        Check the detectors after every so many examples, 1 or more.
    replaced : {"worst", "triggered"}, default="worst"
        Which base model is replaced when an error has risen: the one whose detector estimates the
        highest error, the first of equals, or each one whose detector found the change. Bifet
        and others (2009) and MOA replace the worst.
    tested : {"before", "after"}, default="before"
        Whether the detector of a base model is fed with its error before it learns the example, as in
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
        1 each; a base model that has learned nothing does not vote.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a network learns an example at most 100 times; a
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
    LeveragingBaggingClassifier : base models learn each example more often.
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
    The classes of a stream change places at example 5,000:

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

    def _n_threads(self) -> int:
        return check_n_jobs(self.n_jobs)

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


@parameters
class LeveragingBaggingClassifier(ADWINBaggingClassifier):
    """Leveraging bagging: ADWIN bagging in which each base model learns each example more often.

    Each base model learns each example Poisson(λ) times, with λ greater than 1 (Bifet, Holmes and
    Pfahringer 2010). That makes the weights of the examples more varied, and it makes base models that wait
    for evidence, such as Hoeffding trees, decide sooner. Base models are replaced as in ADWIN bagging.

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
        Whether each base model learns one bit in place of the class: a random output code says which
        classes the bit 1 stands for ("MC" in the paper). A base model votes for all classes of the bit that
        it predicts, and its detector is fed with its error on its own bit. As in the paper, half of the
        classes have the bit 0; of an odd number, one half rounded up or down, with equal probability. All
        such codes are equally likely. All classes must be known at the first call.
    delta : float, default=0.002
        Confidence of each check of a detector, above 0 and below 1 (MOA's default).
    clock : int, default=32
        Check the detectors after every so many examples, 1 or more.
    replaced : {"worst", "triggered"}, default="worst"
        Which base model is replaced when an error has risen: the one whose detector estimates the
        highest error, the first of equals, or each one whose detector found the change. Bifet
        and others (2009) and MOA replace the worst.
    tested : {"before", "after"}, default="before"
        Whether the detector of a base model is fed with its error before it learns the example, as in
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
        1 each; a base model that has learned nothing does not vote.
    output_codes_ : ndarray of shape (n_estimators, n_classes)
        With `output_codes`: the bit that stands for each class, for each base model, whose own
        predictions are these bits.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a network learns an example at most 100 times; a
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
    ADWINBaggingClassifier : base models learn each example once on average.

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
    The classes of a stream change places at example 5,000:

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
        check_lam(self.lam)

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


_BITS = np.arange(2)
_LARGEST_LAM = 1000.0


def check_lam(lam: Any) -> None:
    """Refuse what cannot be the mean of a Poisson distribution."""
    if not isinstance(lam, Real) or not 0 < float(lam) <= _LARGEST_LAM:
        raise ValueError(f"lam must be a number above 0 and at most {_LARGEST_LAM:g}; got {lam!r}.")


class ADWINBoostingClassifier(AdaptiveEnsemble, OnlineBoostingEnsemble):
    """ADWIN boosting: online boosting that replaces a base model when an error has risen.

    Base models learn as in ``OnlineBoostingClassifier`` with `weight_update="thesis"`. A detector watches
    the errors of each; when one finds that the error of its base model has risen, a base model is replaced by
    a new one, with a new detector, new sums λˢᶜ and λˢʷ, and a new number N of examples.

    A base model with an error of 1/2 or more has no vote, but unlike in online boosting the later ones
    still have theirs: a base model that has just been replaced would otherwise silence the rest.

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
        Check the detectors after every so many examples, 1 or more.
    replaced : {"worst", "triggered"}, default="worst"
        Which base model is replaced when an error has risen: the one whose detector estimates the
        highest error, the first of equals, or each one whose detector found the change. Bifet
        and others (2009) and MOA replace the worst.
    tested : {"before", "after"}, default="before"
        Whether a base model is tested before or after it learns the example, for its detector, its sums
        λˢᶜ and λˢʷ, and the λ that it passes on.
    voting : {"probability", "majority"}, default="probability"
        Whether the class probabilities of all base models are added up, as in MOA, or each has one vote,
        as printed.
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
        Recent error of each base model by its detector; 0 if it has seen nothing. Examples are not weighted
        by λ, unlike in `vote_weights_`.
    lambda_correct_, lambda_wrong_ : ndarrays of shape (n_estimators,)
        The sums λˢᶜ and λˢʷ of each base model since it started.
    vote_weights_ : ndarray of shape (n_estimators,)
        Vote weight log((1 − ε)/ε) of each, with ε = λˢʷ/(λˢᶜ + λˢʷ), at least 1/(2N); 0 from ε = 1/2 on.
        1 each if no base model has ε below 1/2.
    n_bounded_draws_ : int
        Number of draws that were bounded, because a model's counts would have exceeded the exact
        range, or because a network learns an example at most 100 times; a
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
    OnlineBoostingClassifier : without detectors.
    ADWINBaggingClassifier : base models are independent of each other.

    References
    ----------
    N. C. Oza and S. Russell, *Online Bagging and Boosting*, AISTATS 2001.

    A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby and R. Gavaldà, *New Ensemble Methods for Evolving Data
    Streams*, KDD 2009.

    A. Bifet, G. Holmes, R. Kirkby and B. Pfahringer, *MOA: Massive Online Analysis*, Journal of
    Machine Learning Research 11, 2010: the class `OzaBoostAdwin`. It sets the two sums of a replaced
    base model to 0, but keeps N, from which λ is computed there.

    Examples
    --------
    The classes of a stream change places at example 5,000:

    >>> from oza import ADWINBoostingClassifier
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=5000)
    >>> X, y = stream[:10_000]
    >>> model = ADWINBoostingClassifier(categories=stream.categories, random_state=0)
    >>> is_right = model.prequential_predict(X, y, classes=stream.classes) == y
    >>> model.n_resets_, round(float(is_right[6000:].mean()), 2)
    (9, 1.0)
    """

    _seen: np.ndarray

    algorithm = staticmethod(adaptive_boosting)

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"_seen": np.zeros((2, state["_n_models"]))}

    def _algorithm(self) -> AdaptiveBoosting:
        n_models = self._n_models
        labels = np.empty(n_models, np.int32)
        return AdaptiveBoosting(
            detectors=self._detectors,
            online=OnlineBoosting(
                boosting=self._boosting,
                uses_later_update=False,
                tests_first=not self._detectors.tests_after,
                most_copies=self._kind._most_copies,
                labels=labels,
                lam=np.empty(n_models),
                is_right=np.empty(n_models, np.bool_),
            ),
            seen=self._seen,
            codes=self._codes,
            by_shares=self.voting == "probability",
            labels=labels,
        )


def copy_rows(members: np.ndarray, sources: Iterable[np.ndarray], targets: Iterable[np.ndarray]) -> None:
    """Copy the entries of some base models from arrays with these in the first axis to others."""
    for source, target in zip(sources, targets, strict=True):
        target[members] = source[members]


def output_codes(key: int, n_models: int, n_classes: int) -> np.ndarray:
    """Code of each class for each model, (M, K): half of the bits are 1, or nearly half for an odd K."""
    codes = np.zeros((n_models, n_classes), np.int64)
    row = key_of("output codes", key)
    for m in range(n_models):
        bits = row_key(row, m)
        n_ones = (n_classes + (int(draw_in_row(bits, n_classes)) >> 63)) // 2
        codes[m, permutation(n_classes, bits)[:n_ones]] = 1
    return codes
