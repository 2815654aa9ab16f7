"""What the classifiers of one model share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base import OnlineKernelClassifier
from .._schema import Examples, Schema
from ._verbs import classify_all, learn_all, predict_then_learn_all


class SingleModel(OnlineKernelClassifier):
    """A classifier of one model.

    A subclass says how to make models of its kind that have learned nothing (`_new_models`).
    """

    def _new_models(self, schema: Schema, n_classes: int, n_models: int) -> Any:
        raise NotImplementedError

    def _start(self, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        return {"_models": self._new_models(schema, len(classes), 1)}

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        learn_all(self._models, examples, labels, weights)
        self._most_learned += self._most_learned_of(weights)

    def _predict_then_learn(
        self, X: Any, examples: Examples, labels: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        predicted = predict_then_learn_all(self._models, examples, labels, weights)
        self._most_learned += self._most_learned_of(weights)
        return self.classes_[predicted]

    def predict(self, X):
        """Class of each row; the first of those that tie.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        examples = self._encode(X)
        return self.classes_[classify_all(self._models, examples)]
