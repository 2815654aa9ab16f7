"""An online classifier as one of CapyMOA."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..extras import required
from . import new_learner

capymoa: Any = required("capymoa.base", "CapyMOAClassifier")


class CapyMOAClassifier(capymoa.Classifier):
    """An online classifier of this library, for CapyMOA's evaluators.

    The nominal attributes of the stream, their values and its classes are declared to the classifier.

    Parameters
    ----------
    classifier : online classifier
        It is copied without what it has learned, and stays as it is.
    schema : capymoa.stream.Schema
        Description of the stream: ``stream.get_schema()``.
    random_seed : int, default=1
        Replaces the `random_state` of a classifier that has one, as CapyMOA's learners are seeded.

    Attributes
    ----------
    learner : online classifier
        The copy, which learns. Its classes are CapyMOA's indices of the labels.

    Examples
    --------
    CapyMOA is not among the packages with which this example is checked:

    >>> from capymoa.evaluation import prequential_evaluation  # doctest: +SKIP
    >>> from capymoa.stream.generator import SEA  # doctest: +SKIP
    >>> from oza import LeveragingBaggingClassifier
    >>> from oza.bridges.capymoa import CapyMOAClassifier  # doctest: +SKIP
    >>> stream = SEA()  # doctest: +SKIP
    >>> model = CapyMOAClassifier(LeveragingBaggingClassifier(), stream.get_schema())  # doctest: +SKIP
    >>> found = prequential_evaluation(stream, model, max_instances=2000)  # doctest: +SKIP
    >>> found["cumulative"].accuracy()  # doctest: +SKIP
    85.3
    """

    def __init__(self, classifier: Any, schema: Any, random_seed: int = 1) -> None:
        learner = new_learner(classifier)
        super().__init__(schema=schema, random_seed=random_seed)
        self.classifier = classifier
        self.learner = learner
        header = schema.get_moa_header()
        values = [
            range(header.attribute(a).numValues()) if header.attribute(a).isNominal() else None
            for a in range(schema.get_num_attributes())
        ]
        nominal = [a for a, each in enumerate(values) if each is not None]
        self.learner.set_params(categorical_features=nominal or None, categories=values)
        if "random_state" in self.learner.get_params():
            self.learner.set_params(random_state=random_seed)
        self._labels = np.array(schema.get_label_indexes())

    def __str__(self) -> str:
        """Name of the classifier."""
        return type(self.learner).__name__

    def train(self, instance: Any) -> None:
        """Train on one labelled instance."""
        if self._knows_classes:
            self.learner.learn_one(instance.x, int(instance.y_index))
        else:
            self.learner.partial_fit([instance.x], [int(instance.y_index)], classes=self._labels)

    def predict(self, instance: Any) -> int | None:
        """Predict the index of an instance's label; None before anything was learned."""
        return self.learner.predict_one(instance.x) if self._knows_classes else None

    def predict_proba(self, instance: Any) -> np.ndarray | None:
        """Probability of each label; None before anything was learned."""
        if not self._knows_classes:
            return None
        return np.array([*self.learner.predict_proba_one(instance.x).values()])

    @property
    def _knows_classes(self) -> bool:
        return self.learner.__sklearn_is_fitted__()
