"""Variants of boosting for noisy labels, against each written out, and against AdaBoost of the library."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import erf, erfinv

from oza import AdaBoostClassifier, DecisionStumpClassifier, NaiveBayesClassifier
from oza.datasets import load_dataset
from reproduction.topics.noisy_labels import AveBoost, BrownBoost, MadaBoost, boost


@pytest.fixture(scope="module")
def examples():
    X, y = load_dataset("balance", return_X_y=True)
    rng = np.random.default_rng(3)
    rows = rng.permutation(len(y))[:200]
    return X[rows], np.where(rng.random(200) < 0.15, rng.integers(0, 3, 200), y[rows])


@pytest.fixture(params=["Naive Bayes", "stumps"])
def base(request):
    if request.param == "stumps":
        return DecisionStumpClassifier(categorical_features=range(4))
    return NaiveBayesClassifier(categorical_features=range(4))


class AdaBoost:
    """Weights e^−r, without bound: the loop with them is AdaBoost."""

    def __init__(self, n):
        self.weights = np.ones(n)

    def step(self, is_right, error):
        self.weights = self.weights / np.where(is_right, 2 * (1 - error), 2 * error)
        return math.log((1 - error) / error)


def plainly(base, X, y, n_models, reweighted):
    """Models and votes; `reweighted` gives the weights from (is_right, error) of each model so far."""
    history, models, votes = [], [], []
    for _ in range(n_models):
        weights = reweighted(history)
        weights = [w * len(y) / sum(weights) for w in weights]
        model = type(base)(**base.get_params()).fit(X, y, sample_weight=weights)
        is_right = [bool(right) for right in model.predict(X) == y]
        error = sum(w for w, right in zip(weights, is_right, strict=True) if not right) / len(y)
        if error >= 0.5:
            break
        history.append((is_right, error))
        models.append(model)
        votes.append(math.log((1 - error) / error))
    return models, votes


def vote_of(models, votes, X):
    made = []
    for i in range(len(X)):
        total = dict.fromkeys((0, 1, 2), 0.0)
        for model, vote in zip(models, votes, strict=True):
            total[int(model.predict(X[i : i + 1])[0])] += vote
        made.append(max(total, key=total.get))
    return made


def capped(history, n=200):
    """Domingo and Watanabe: the product of β^±1, but at most 1."""
    return [
        min(1.0, math.prod(math.sqrt(e / (1 - e)) ** (1 if right[i] else -1) for right, e in history))
        for i in range(n)
    ]


def averaged(history, n=200):
    """Oza: the mean of AdaBoost's weights after each model, and of the first ones."""
    weights = [1 / n] * n
    for m, (right, e) in enumerate(history, start=1):
        new = [w / (2 * (1 - e)) if r else w / (2 * e) for w, r in zip(weights, right, strict=True)]
        weights = [(m * w + v) / (m + 1) for w, v in zip(weights, new, strict=True)]
    return weights


def test_the_loop_with_the_weights_of_adaboost_is_adaboost(base, examples):
    X, y = examples
    plain = type(base)()
    library = AdaBoostClassifier(plain, 8, categorical_features=range(4)).fit(X, y)
    ours = boost(base, X, y, 8, AdaBoost(len(y)))
    assert len(ours.votes) > 1
    # Where a model has an error of 1/2 but for rounding, the library may let it in, with a vote of nearly 0.
    padded = np.pad(ours.votes, (0, len(library.vote_weights_) - len(ours.votes)))
    assert padded == pytest.approx(library.vote_weights_, abs=1e-6)
    assert (ours.predict(X) == library.predict(X)).all()


@pytest.mark.parametrize(("weighting", "plain"), [(MadaBoost, capped), (AveBoost, averaged)])
def test_it_is_the_variant_written_out(base, examples, weighting, plain):
    X, y = examples
    ours = boost(base, X, y, 6, weighting(len(y)))
    models, votes = plainly(base, X, y, 6, plain)
    assert len(votes) > 2
    assert ours.votes == pytest.approx(votes, abs=1e-9)
    assert ours.predict(X[:40]).tolist() == vote_of(models, votes, X[:40])
    assert ours.votes != pytest.approx(boost(base, X, y, 6, AdaBoost(len(y))).votes[: len(votes)], abs=1e-4)


def path(margin, side, left, whole):
    """Follow Freund's equation dt/dα = edge from 0, until the edge is 0 or the time is over."""

    def edge(vote, spent):
        weights = np.exp(-((margin + vote * side + left - spent) ** 2) / whole)
        return (weights * side).sum() / weights.sum()

    def no_edge(vote, spent):
        return edge(vote, spent[0]) - 1e-9

    def is_over(vote, spent):
        return spent[0] - left

    no_edge.terminal = is_over.terminal = True
    solved = solve_ivp(
        lambda vote, spent: [edge(vote, spent[0])],
        (0, 50),
        [0.0],
        events=(no_edge, is_over),
        rtol=1e-10,
        atol=1e-12,
    )
    return solved.t[-1], solved.y[0, -1]


@pytest.mark.parametrize("target", [0.1, 0.4, 0.7])
def test_brownboost_follows_its_differential_equation(target):
    rng = np.random.default_rng(7)
    weighting, margin = BrownBoost(60, target), np.zeros(60)
    whole = left = erfinv(1 - target) ** 2
    for _ in range(12):
        weights = np.exp(-((margin + left) ** 2) / whole)
        assert weighting.weights / weighting.weights.sum() == pytest.approx(weights / weights.sum(), abs=1e-6)
        is_right = rng.random(60) < 0.6
        if weights[is_right].sum() <= weights.sum() / 2:
            continue
        side = np.where(is_right, 1, -1)
        vote, spent = path(margin, side, left, whole)
        assert weighting.step(is_right, 0.4) == pytest.approx(vote, abs=1e-5)
        margin, left = margin + vote * side, left - spent
        if left < 1e-9:
            assert not weighting.weights.any()
            break
        assert weighting.time == pytest.approx(left, abs=1e-5)
        # What Freund calls the potential stays.
        assert (1 - erf((margin + left) / whole**0.5)).mean() == pytest.approx(target, abs=1e-6)
