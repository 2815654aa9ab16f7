"""The other ways of boosting online are those of plain references, and keep their guarantees."""

from pathlib import Path

import numpy as np
import pytest

from oza import NaiveBayesClassifier
from reproduction.studies.online_boosters import (
    AdaBoostOLMClassifier,
    OnlineBBMClassifier,
    OSBoostClassifier,
    majority_weights,
)

from ...references import online_boosters as references
from ...references.models import NaiveBayes

TOP = Path(__file__).parents[3]
N_MODELS, CLASSES, SEED = 9, [0, 1, 2], 5
KINDS = (OSBoostClassifier, OnlineBBMClassifier, AdaBoostOLMClassifier)


def stream(seed, n=150, n_classes=3):
    draws = np.random.default_rng(seed)
    y = draws.integers(0, n_classes, n)
    X = np.where(draws.random((n, 4)) < 0.5, y[:, None], draws.integers(0, 4, (n, 4)))
    return X, y


def learned(kind, X, y, chunk, **parameters):
    model = kind(NaiveBayesClassifier(), N_MODELS, categories=[range(4)] * 4, random_state=SEED, **parameters)
    for start in range(0, len(y), chunk):
        part = slice(start, start + chunk)
        model.partial_fit(X[part], y[part], classes=CLASSES)
    return model


def by_hand(kind, X, y):
    """Models of the plain reference, and the class that they vote for on each row."""
    rows, models = X.tolist(), [NaiveBayes(CLASSES) for _ in range(N_MODELS)]

    def vote(x):
        voted = [model.classify(x) for model in models]
        return max(CLASSES, key=voted.count)

    if kind is OSBoostClassifier:
        references.os_boost(models, rows, y.tolist(), 0.1)
    elif kind is OnlineBBMClassifier:
        table = majority_weights(N_MODELS, 0.1)
        references.online_bbm(models, rows, y.tolist(), lambda left, k: table[left, k])
    else:
        found = references.adaboost_olm(models, rows, y.tolist(), CLASSES)
        return models, [references.olm_vote(*found, CLASSES, x) for x in rows]
    return models, [vote(x) for x in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_models_and_votes_are_those_of_the_reference(kind):
    X, y = stream(1)
    model = learned(kind, X, y, 150)
    members, voted = by_hand(kind, X, y)
    for own, member in zip(model.estimators_, members, strict=True):
        assert own.class_count_.tolist() == [member.n_c[c] for c in CLASSES]
    assert model.predict(X).tolist() == voted
    assert len({tuple(own.class_count_) for own in model.estimators_}) == N_MODELS


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_in_any_chunks_and_on_the_way(kind):
    X, y = stream(2)
    found = [learned(kind, X, y, chunk).predict_proba(X).tolist() for chunk in (1, 7, 150)]
    assert found == found[:1] * 3
    model = learned(kind, X, y, 150)
    on_the_way = learned(kind, X, y, 150).prequential_predict(X[:1], y[:1])
    assert on_the_way.tolist() == model.predict(X[:1]).tolist()
