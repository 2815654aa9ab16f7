"""Common base of the classifiers of one model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..classifier.contract import BaseModel, class_shares, label_blocks, test_and_learn_alone
from ..classifier.online import OnlineKernelClassifier
from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.validation import check_key
from ..kernels.compile import kernel
from ..kernels.random import key_of


@kernel
def test_and_count(models, examples, labels, weights, before, seen):
    """`test_and_learn_alone`, which adds the number of examples to `seen`, (1,)."""
    test_and_learn_alone(models, examples, labels, weights, before)
    seen[0] += len(labels)


class SingleModel(OnlineKernelClassifier, BaseModel):
    """A classifier of one model."""

    def _new_kind(self) -> BaseModel:
        return type(self)(**self.get_params())  # a copy, so that set_params does not change a fitted model

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        return {"_kind": kind, "_models": kind._begun(schema, classes, 1), "_counted": np.zeros(1, np.int64)}

    def _learn_in_order(
        self, n_classes: int, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        predicted = np.empty(len(labels) if n_classes > 0 else 0, np.int32)
        test_and_count(self._models, examples, labels, weights, predicted, self._counted)
        return np.maximum(predicted, 0)

    def predict_proba(self, X):
        """Probability of each class by the model, in the order of `classes_`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Shares of the classes behind a test or in a leaf, products of Naive Bayes or outputs of a network
            divided by their sum; of a model without probabilities 1 for the class that it gives. Equal
            if nothing has been learned.
        """
        return self._probabilities_of(self._encode(X))

    def _probabilities_of(self, examples: Examples) -> np.ndarray:
        return class_shares(self._models, 0, len(self.classes_), examples)

    def _predict_encoded(self, examples: Examples) -> np.ndarray:
        labels = [labels[:, 0] for _, labels in label_blocks(self._models, 1, examples)]
        return np.maximum(np.concatenate(labels), 0)


def keys_of_attributes(random_state: Any, n_models: int, draws: bool) -> np.ndarray:
    """Keys by which models draw the attributes that they test, (M,) uint64; 0 if they draw none."""
    if not draws:
        return np.zeros(n_models, np.uint64)
    key = check_key(random_state)
    return np.array([key_of("attributes", key, m) for m in range(n_models)], np.uint64)
