"""Common base of the classifiers of one model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._compile import implements
from .._random import key_of
from .._schema import Examples, Schema
from .._validation import check_key
from ._base import OnlineKernelClassifier
from .contract import BaseModel, label_blocks, test_and_learn_alone
from .online import learn_in_turn, vote_then_learn


class SingleModel(OnlineKernelClassifier, BaseModel):
    """A classifier of one model."""

    _key = 0  # the algorithm makes no random draws

    def _new_kind(self) -> BaseModel:
        return type(self)(**self.get_params())  # a copy, so that set_params does not change a fitted model

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        return {"_kind": kind, "_models": kind._new_models(schema, classes, 1), "_n_seen": 0}

    def _algorithm(self) -> OnlineSingle:
        return OnlineSingle(np.empty(1, np.int32))

    def _predict_encoded(self, examples: Examples) -> np.ndarray:
        labels = [labels[:, 0] for _, labels in label_blocks(self._models, 1, examples)]
        return np.maximum(np.concatenate(labels), 0)


def keys_of_attributes(random_state: Any, n_models: int, draws: bool) -> np.ndarray:
    """Keys by which models draw the attributes that they test, (M,) uint64; 0 if they draw none."""
    if not draws:
        return np.zeros(n_models, np.uint64)
    key = check_key(random_state)
    return np.array([key_of("attributes", key, m) for m in range(n_models)], np.uint64)


class OnlineSingle(NamedTuple):
    """One model that learns each example once, with its weight."""

    labels: np.ndarray  # (1,) int32: buffer for its class index


@implements(learn_in_turn, OnlineSingle)
def _learn_in_turn(algorithm, models, examples, labels, weights, key, n_seen):
    test_and_learn_alone(models, examples, labels, weights, None)


@implements(vote_then_learn, OnlineSingle)
def _vote_then_learn(algorithm, models, n_classes, examples, labels, weights, key, n_seen):
    predicted = np.empty(len(labels), np.int32)
    test_and_learn_alone(models, examples, labels, weights, predicted)
    return np.maximum(predicted, 0).astype(np.int64)
