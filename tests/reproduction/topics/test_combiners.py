"""Pools of base models, combined."""

import numpy as np
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression

from oza import DecisionStumpClassifier, NaiveBayesClassifier
from reproduction.topics.combiners import outputs_of, parts_of, stacked


def test_stacking_is_that_of_scikit_learn():
    X, y, train, held_out, test = parts_of("balance", 150, 150, 200, repeat=0, seed=4)
    models = [NaiveBayesClassifier(categorical_features=range(4)), DecisionStumpClassifier()]
    members = [(model.fit(X[train], y[train]), np.arange(4)) for model in models]
    known, new = (outputs_of(members, X[rows], 3) for rows in (held_out, test))
    estimators = [(str(i), model) for i, model in enumerate(models)]
    reference = StackingClassifier(estimators, LogisticRegression(max_iter=2000), cv="prefit")
    expected = reference.fit(X[held_out], y[held_out]).predict(X[test])
    assert (stacked(known, y[held_out], new) == expected).all()
