"""scikit-learn's batch ensembles, and a stub with its interface, which our ensembles take too.

Its AdaBoost is SAMME (Zhu and others, 2009), which is AdaBoost.M1 for two classes, and has taken its place.
"""

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

from benchmarks.conformance.cells import NotThere


class Stub(ClassifierMixin, BaseEstimator):
    """Says what column `number` says, and counts what it learns."""

    number, weight, mark, label = 0, 0.0, 0.0, None

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        if classes is not None:
            self.classes_ = np.asarray(classes)
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        self.weight += weights.sum()
        self.mark += float(weights @ np.asarray(X, float)[:, 0])
        self.label = int(y[-1])
        return self

    def fit(self, X, y, sample_weight=None):
        return self.partial_fit(X, y, np.unique(y), sample_weight)

    def predict_proba(self, X):
        X = np.asarray(X, float)
        said = X[:, min(self.number, X.shape[1] - 1)]
        shares = np.zeros((len(X), len(self.classes_)))
        shares[:, 0], shares[:, 1] = 1 - said, said
        for row in np.flatnonzero(said > 1):
            shares[row] = np.arange(len(self.classes_)) == said[row]
        return shares

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Numbered(Stub):
    """Stubs that are numbered in the order in which they learn."""

    n_made = 0

    def fit(self, X, y, sample_weight=None):
        self.number = Numbered.n_made
        Numbered.n_made += 1
        return super().fit(X, y, sample_weight)


class Batch:
    """An ensemble that learns by `fit`."""

    def __init__(self, ensemble):
        self.ensemble = ensemble

    def fit(self, rows, labels):
        Numbered.n_made = 0
        self.ensemble.fit(np.array(rows), np.array(labels))
        return self

    def predict(self, x):
        return int(self.ensemble.predict(np.array([x]))[0])

    def members(self):
        return list(self.ensemble.estimators_)

    def n_kept(self):
        return len(self.ensemble.estimators_)


ENSEMBLES = {"AdaBoost.M1": AdaBoostClassifier, "bagging": BaggingClassifier}


def version():
    return sklearn.__version__


def make(algorithm, *, n_models=10, seed=1, **_):
    if algorithm not in ENSEMBLES:
        raise NotThere()
    return Batch(ENSEMBLES[algorithm](clone(Numbered()), n_estimators=n_models, random_state=seed))
