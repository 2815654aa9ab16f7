"""An ensemble that replaces a base model when its error rises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, field
from typing import Annotated, Any, ClassVar

import numpy as np

from ...classifier.contract import BaseModel, class_shares, classify_and_share_each
from ...classifier.parameters import parameters
from ...columns.examples import Examples
from ...columns.schema import Schema
from ...columns.validation import check_choice, check_count
from ...drift.adwin import check_delta
from ...drift.windows import mean_of, new_windows
from ...kernels.undivided import undivided
from ...models import HoeffdingTreeClassifier
from ..voting import OnlineEnsemble
from . import blocks  # noqa: F401, registers how adaptive ensembles learn in blocks
from .kernels import DRIFT, Detectors, votes_by_shares

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
        delta, clock = check_delta(self.delta), check_count("clock", self.clock)
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
        self._remember()
        return super()._learn_piece(n_classes, examples, labels, weights)

    def _picklable(self) -> dict[str, Any]:
        self._remember()
        return super()._picklable()

    def _remember(self) -> None:
        """Add what the latest call of a kernel found to the history."""
        if "_detectors" in vars(self) and self._detectors.counts[1] > 0:
            with undivided():
                found = self._detectors.drifts[: self._detectors.counts[1]]
                self._history.append(found.copy())
                found[:] = self._detectors.counts[1] = 0

    @property
    def n_resets_(self) -> int:
        """How many base models have been replaced."""
        return int(self._detectors.counts[2])

    @property
    def drift_history_(self) -> np.ndarray:
        """What the detectors found, in order of time."""
        self._remember()
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
        return sum(weight * share for weight, share in zip(weights, shares, strict=False))
