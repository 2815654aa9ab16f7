"""The other ways of boosting online are those of plain references, and keep their guarantees."""

import doctest
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from oza import NaiveBayesClassifier
from reproduction.simulations.coins import CoinClassifier, coins
from reproduction.simulations.online_boosters import (
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


def test_os_boost_is_the_example_of_the_page_on_extending():
    page = (TOP / "book" / "library" / "extending.md").read_text(encoding="utf-8")
    names = {"__name__": "worked"}
    for example in doctest.DocTestParser().get_examples(page):
        is_import = example.source.startswith(("from ", "import "))
        if is_import or example.source.startswith(
            ("class SmoothB", "@implements(step, S", "@parameters\nclass OnlineS")
        ):
            exec(example.source, names)
    X, y = stream(3)
    expected = learned(names["OnlineSmoothBoostClassifier"], X, y, 150, gamma=0.3)
    model = learned(OSBoostClassifier, X, y, 150, gamma=0.3)
    for own, other in zip(model.estimators_, expected.estimators_, strict=True):
        assert own.class_count_.tolist() == other.class_count_.tolist()


def boosted_coins(kind, edge, n_models=21, n_examples=1000, **parameters):
    X, y = coins(n_examples, n_models, edge, seed=7)
    base = CoinClassifier(n_examples)
    model = kind(base, n_models, categorical_features=None, random_state=0, **parameters)
    model.partial_fit(X, y, classes=[0, 1])
    weights, is_right = model._models.weights, (y[:, None] == X).T
    return model, X, y, (weights * is_right).sum(axis=1), (weights * ~is_right).sum(axis=1)


def test_weights_of_a_majority_are_binomial():
    found = majority_weights(30, 0.1)
    for left in range(30):
        expected = binom.pmf(np.arange(left + 1), left, 0.6)
        np.testing.assert_allclose(found[left, : left + 1], expected / expected.max(), rtol=1e-12)
        assert not found[left, left + 1 :].any()


@pytest.mark.parametrize("edge", [-0.1, 0.0, 0.1, 0.3])
def test_online_bbm_errs_as_often_as_its_potential_says(edge):
    """Votes that are not right = N·Φ + Σₘ scaleₘ·(wrongₘ − (1/2 − γ)·weightₘ), whatever the models do.

    So they are at most N·Φ if no model's weighted error is above 1/2 − γ.
    """
    n_models, gamma = 21, 0.1
    model, X, y, right, wrong = boosted_coins(OnlineBBMClassifier, edge, n_models, gamma=gamma)
    scales = [binom.pmf(range(left + 1), left, 0.5 + gamma).max() for left in reversed(range(n_models))]
    excess = wrong - (0.5 - gamma) * (right + wrong)
    start = binom.cdf(n_models // 2, n_models, 0.5 + gamma)
    n_errors = ((y[:, None] == X).sum(axis=1) <= n_models / 2).sum()
    assert n_errors == pytest.approx(len(y) * start + (scales * excess).sum(), rel=1e-9)
    assert start <= math.exp(-2 * n_models * gamma**2)  # Hoeffding's bound
    assert n_errors == (model.predict(X) != y).sum()


def gain(signs, gamma):
    """Σₘ wₘ(y hₘ(x) − θ) of OSBoost on one example."""
    z, total = 0.0, 0.0
    for sign in signs:
        change = sign - gamma / (2 + gamma)
        total += min((1 - gamma) ** (z / 2), 1.0) * change
        z += change
    return total


@pytest.mark.parametrize("gamma", [0.05, 0.1, 0.3])
def test_an_example_gains_at_most_a_bounded_amount_in_os_boost(gamma):
    """So if Σ w y h ≥ γ Σ w for each model, all weights are bounded; after a vote that errs it is 1."""
    limit = 2 / (gamma * math.sqrt(1 - gamma))
    assert max(gain(signs, gamma) for signs in product([1, -1], repeat=12)) <= limit
    assert limit / 2 < gain([1] * 2000, gamma) <= limit


@pytest.mark.parametrize("edge", [0.1, 0.3])
def test_os_boost_keeps_its_bound_on_coins(edge):
    gamma, n_models = 0.1, 101  # coins with Σ w y h = 2·edge·Σ w, up to chance
    model, X, y, right, wrong = boosted_coins(OSBoostClassifier, edge, n_models, gamma=gamma)
    theta = gamma / (2 + gamma)
    assert (right - wrong >= gamma * (right + wrong)).all()  # the edge that the bound assumes
    bound = 2 / (gamma * (gamma - theta) * math.sqrt(1 - gamma))
    assert (right + wrong).sum() / len(y) <= bound
    errors = [(votes != y).mean() for votes in model.staged_predict(X)]
    assert np.mean(errors) <= (right + wrong).sum() / len(y) / n_models <= bound / n_models


@pytest.mark.parametrize("edge", [0.0, 0.1])
def test_the_experts_of_adaboost_olm_err_little_more_often_than_the_best(edge):
    """A weighted majority errs at most (errors of the best + log M)/log(2/(1 + 1/e)) times."""
    n_models = 15
    X, y = coins(800, n_models, edge, seed=8)
    model = AdaBoostOLMClassifier(CoinClassifier(), n_models, categorical_features=None)
    model.partial_fit(X[:1], y[:1], classes=[0, 1])
    by_experts, errors = np.zeros(n_models), 0
    for x, label in zip(X[1:], y[1:], strict=True):
        alpha = model._memory[0]
        for_one = np.cumsum(alpha * (x == 1)) > np.cumsum(alpha * (x == 0))
        by_experts += for_one.astype(int) != label
        errors += model.prequential_predict(x[None], [label])[0] != label
    assert errors <= (1 + by_experts.min() + math.log(n_models)) / math.log(2 / (1 + math.exp(-1)))
    assert errors < by_experts[0] or edge == 0.0
