"""scikit-learn: batch-bagging-vote. Two of three models say 1 by .55, one says 0 by .9: the answer is 0."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier


class Says(ClassifierMixin, BaseEstimator):
    made = 0

    def fit(self, X, y):
        Says.made += 1
        self.classes_, self.number = np.unique(y), Says.made
        return self

    def predict_proba(self, X):
        return np.tile([0.9, 0.1] if self.number == 3 else [0.45, 0.55], (len(X), 1))

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


model = BaggingClassifier(Says(), n_estimators=3).fit(np.zeros((10, 1)), [0, 1] * 5)
print("predicts", model.predict(np.zeros((1, 1))))
assert model.predict(np.zeros((1, 1))) == [0]
