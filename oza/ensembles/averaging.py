"""Common base of the ensembles that average the class probabilities of their base models."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from math import fsum
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from ..classifier.contract import BaseModel, class_shares, label_blocks, learn_batch
from ..classifier.third_party import ThirdParty
from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.validation import check_choice
from ..kernels.random import key_of
from .threads import check_n_jobs
from .votes import count_votes
from .voting import VotingEnsemble


class AveragingEnsemble(VotingEnsemble):
    """Base models, each trained on a training set of its own, that vote by their class probabilities.

    Every base model is a state of one model, so that each can have its own columns and classes.
    """

    _models: list[Any]
    voting = "probability"

    def _check_choices(self) -> None:
        check_choice("voting", self.voting, "majority", "probability")
        check_n_jobs(getattr(self, "n_jobs", None))

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"_models": kind._begun(schema, classes, 1)}  # to be replaced by what is learned

    def _new_member(self, m: int | str, schema: Schema, classes: np.ndarray) -> Any:
        """Initial state of base model number `m`; its own draws depend on `m` alone."""
        kind = copy(self._kind) if isinstance(self._kind, ThirdParty) else clone(self._kind)
        kind._set_key(key_of("member", self._key, m))
        return kind._new_models(schema, classes, 1)

    def _learned(
        self,
        m: int | str,
        schema: Schema,
        classes: np.ndarray,
        examples: Examples,
        labels: Any,
        weights: Any,
        sample: np.ndarray | None = None,
    ) -> Any:
        """Base model number `m`, trained on a sample or on all."""
        models = self._kind._reserve(self._new_member(m, schema, classes), examples)
        if sample is None:
            sample = np.arange(len(labels), dtype=np.int32)
        learn_batch(models, 0, examples, labels, weights, sample)
        return models

    def _in_parallel(self, function: Any, n_members: int) -> list[Any]:
        """Call the function with the number of each base model that learns here, in `n_jobs` threads."""
        members = range(n_members) if self._part is None else self._part
        return Parallel(n_jobs=self.n_jobs, prefer="threads")(map(delayed(function), members))

    def _take_over(self, part: VotingEnsemble) -> None:
        self._models = self._models + part._models

    def _seen_by(self, m: int, examples: Examples) -> Examples:
        """What base model `m` sees of the examples."""
        return examples

    def _shares(self, m: int, examples: Examples) -> np.ndarray:
        """Probability of each class by base model `m`, or its vote, (N, K)."""
        if self.voting == "majority":
            blocks = label_blocks(self._models[m], 1, self._seen_by(m, examples))
            return np.concatenate([count_votes(labels, len(self.classes_)) for _, labels in blocks])
        return class_shares(self._models[m], 0, len(self._classes_of(m)), self._seen_by(m, examples))

    def _votes(self, examples: Examples) -> np.ndarray:
        votes = np.zeros((len(examples.codes), len(self.classes_)))
        for votes in self._staged_votes(examples):  # noqa: B007
            pass
        return votes

    def _staged_votes(self, examples: Examples) -> Iterator[np.ndarray]:
        votes = np.zeros((len(examples.codes), len(self.classes_)))
        for m, weight in enumerate(self.vote_weights_):
            votes = votes + weight * self._shares(m, examples)
            yield votes

    def predict_proba(self, X):
        """Mean of the class probabilities by all base models, in the order of `classes_`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return super().predict_proba(X)

    def predict_each(self, X):
        """Predict the class of each row with each base model.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, len(estimators_))
        """
        examples = self._encode(X)
        labels = []
        for m, models in enumerate(self._models):
            blocks = label_blocks(models, 1, self._seen_by(m, examples))
            labels.append(np.concatenate([each[:, 0] for _, each in blocks]))
        if not labels:
            return np.empty((len(examples.codes), 0), self.classes_.dtype)
        return np.column_stack([self._classes_of(m)[np.maximum(each, 0)] for m, each in enumerate(labels)])

    def _count_bounded(self) -> int:
        return sum(int(models.n_bounded.sum()) for models in self._models if hasattr(models, "n_bounded"))

    @property
    def _n_voting(self) -> int:
        return len(self._models)

    def _place_of(self, m: int) -> tuple[Any, int]:
        return self._models[m], 0


def weighted_error(shares: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """Share of the weight of the examples whose most probable class is wrong; an exact sum."""
    return fsum(weights[shares.argmax(axis=1) != labels]) / fsum(weights)
