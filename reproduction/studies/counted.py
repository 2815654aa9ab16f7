"""Base models that count the operations that an online ensemble calls.

They learn and predict exactly as the wrapped models do. The operations of batch ensembles are not
counted: their number follows from the number of models.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from oza.extend import (
    BaseModel,
    Examples,
    Growth,
    Schema,
    classify,
    implements,
    learn,
    learn_batch,
    learn_run,
    mark_correct,
    reset,
)


class CountedModels(NamedTuple):
    """M base models of any kind, and counts of their work."""

    models: Any
    #: Examples learned with positive weight, copies of them, classifications.
    work: Annotated[np.ndarray, "3"]

    @property
    def n_bounded(self) -> np.ndarray:
        """How often each model bounded the weight of an example; empty if it never does."""
        return getattr(self.models, "n_bounded", np.zeros(0, np.int64))


class Counted(BaseModel):
    """A wrapper of a base-model type that counts operations."""

    def __init__(self, kind: BaseModel):
        self.kind = kind
        self._has_batch_mode = kind._has_batch_mode

    def _set_key(self, key: int) -> None:
        self.kind._set_key(key)

    def _infer_schema(self, checked: Any, declared: Any, with_values: bool = True) -> Schema:
        return self.kind._infer_schema(checked, declared, with_values)

    def _new_models(self, schema: Schema, classes: np.ndarray, n_models: int) -> CountedModels:
        return CountedModels(self.kind._new_models(schema, classes, n_models), np.zeros(3))

    @property
    def _most_copies(self) -> float:  # type: ignore[override]
        return self.kind._most_copies

    def _with_own_buffers(self, models: CountedModels) -> None:
        return None  # one count for all

    def _grown(self, models: CountedModels, growth: Growth) -> CountedModels:
        return models._replace(models=self.kind._grown(models.models, growth))

    def _encode_missing(self, examples: Examples) -> Examples:
        return self.kind._encode_missing(examples)

    def _reserve(self, models: CountedModels, examples: Examples) -> CountedModels:
        return models._replace(models=self.kind._reserve(models.models, examples))


@implements(learn, CountedModels)
def _learn(models, m, examples, n, label, weight):
    models.work[0] += weight > 0.0
    models.work[1] += weight
    learn(models.models, m, examples, n, label, weight)


@implements(classify, CountedModels)
def _classify(models, m, examples, n):
    models.work[2] += 1.0
    return classify(models.models, m, examples, n)


@implements(learn_run, CountedModels)
def _learn_run(models, m, examples, labels, weights, before, shares, after):
    for n in range(len(labels)):
        models.work[0] += weights[n] > 0.0
        models.work[1] += weights[n]
    models.work[2] += len(before)
    if after is not None:
        models.work[2] += len(after)
    learn_run(models.models, m, examples, labels, weights, before, shares, after)


@implements(learn_batch, CountedModels)
def _learn_batch(models, m, examples, labels, weights, sample):
    learn_batch(models.models, m, examples, labels, weights, sample)


@implements(mark_correct, CountedModels)
def _mark_correct(models, m, examples, labels, is_right):
    mark_correct(models.models, m, examples, labels, is_right)


@implements(reset, CountedModels)
def _reset(models, m):
    reset(models.models, m)
