"""A base model with only the two required operations: it counts the classes."""

from typing import Annotated, NamedTuple

import numpy as np

from oza.extend import SingleModel, classify, implements, learn


class MajorityModels(NamedTuple):
    """Counts of M models."""

    counts: Annotated[np.ndarray, "K, M"]


@implements(learn, MajorityModels)
def _learn(models, m, examples, n, label, weight):
    models.counts[label, m] += weight


@implements(classify, MajorityModels)
def _classify(models, m, examples, n):
    best, most = -1, 0.0
    for c in range(len(models.counts)):
        if models.counts[c, m] > most:
            best, most = c, models.counts[c, m]
    return best


class MajorityClassifier(SingleModel):
    """Predicts the most frequent class."""

    def __init__(self, categorical_features="auto", categories="auto"):
        self.categorical_features = categorical_features
        self.categories = categories

    def _new_models(self, schema, classes, n_models):
        return MajorityModels(np.zeros((len(classes), n_models)))
