"""Common base of the classifiers of one model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._compile import implements
from .._schema import Examples, Schema
from ._base import OnlineKernelClassifier
from .contract import BaseModel, label_blocks, learn_scaled
from .online import step


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


class OnlineSingle(NamedTuple):
    """One model that learns example by example."""

    labels: np.ndarray  # (1,) int32: buffer for its class index


@implements(step, OnlineSingle)
def _step(algorithm, models, examples, n, label, weight, row):
    """Let the model learn the example once, with its weight."""
    learn_scaled(models, 0, examples, n, label, weight)
