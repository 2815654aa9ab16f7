"""scikit-learn: adaboost-half, adaboost-perfect. Errors above 1/2 stay; a perfect model weighs 1."""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(0)
X, y = rng.random((300, 3)), rng.integers(0, 4, 300)
model = AdaBoostClassifier(n_estimators=20).fit(X, y)
print("four random classes, errors of the models kept:", model.estimator_errors_.round(2)[:6])
assert len(model.estimators_) == 20 and model.estimator_errors_.min() > 0.5
X = np.random.default_rng(0).random((60, 3))
model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=20).fit(X, X[:, 0] + X[:, 1] > 1)
n = len(model.estimators_)
errors, weights = model.estimator_errors_[:n], model.estimator_weights_[:n]
print("errors:", errors, "weights:", weights)
assert errors[-1] == 0 and weights[-1] == 1 < weights[0]
