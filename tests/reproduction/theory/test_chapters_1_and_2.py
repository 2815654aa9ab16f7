"""The computations of chapters 1 and 2, compared with enumerations and definitions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from oza import NaiveBayesClassifier
from oza.kernels.draws import uniforms
from reproduction.theory import lines, passes, voting


@pytest.mark.parametrize("n_models", [1, 2, 3, 6])
@pytest.mark.parametrize("tie", [0.0, 0.5, 1.0])
def test_the_error_of_a_vote_is_the_sum_over_all_outcomes(n_models, tie):
    e, expected = 0.3, 0.0
    for wrong in product([0, 1], repeat=n_models):
        chance = math.prod(e if w else 1 - e for w in wrong)
        loses = 2 * sum(wrong) - n_models
        expected += chance * (1.0 if loses > 0 else tie if loses == 0 else 0.0)
    assert voting.vote_error(e, n_models, tie) == pytest.approx(expected)


def test_correlated_votes_end_at_independence_and_at_one_model():
    assert voting.correlated_vote_error(0.3, 5, 0.0) == voting.vote_error(0.3, 5)
    assert voting.correlated_vote_error(0.3, 5, 1.0) == pytest.approx(0.3)


@pytest.mark.parametrize("n_answers", [2, 3, 4])
@pytest.mark.parametrize(("n_voters", "n_knowing"), [(1, 0), (3, 0), (4, 1), (5, 2), (5, 5)])
@pytest.mark.parametrize("follows", [Fraction(0), Fraction(1, 2), Fraction(1)])
def test_the_vote_of_an_audience_is_the_sum_over_all_that_its_guessers_can_say(
    n_answers, n_voters, n_knowing, follows
):
    n_guessers, vote, alike, right = n_voters - n_knowing, Fraction(0), Fraction(0), Fraction(1, n_answers)
    for rumour in range(n_answers):
        for said in product(range(n_answers), repeat=n_guessers):
            p = right
            for answer in said:
                p *= (1 - follows) / n_answers + follows * (answer == rumour)
            counts = [said.count(answer) + n_knowing * (answer == 0) for answer in range(n_answers)]
            most = [answer for answer in range(n_answers) if counts[answer] == max(counts)]
            vote += p * Fraction(0 in most, len(most))
            alike += p * (said[:2] == (0, 0))
    found = voting.audience_vote(n_voters, n_knowing, float(follows**2), n_answers)
    assert found == pytest.approx(float(vote), abs=1e-12)
    if n_guessers > 1:  # the correlation of two guesses being right
        assert (alike - right**2) / (right * (1 - right)) == follows**2


def test_passes_are_counted_as_defined():
    X, y = np.arange(12)[:, None] % 5, np.arange(12) % 2
    data = passes.CountedData(X, y)
    bagged = passes.bagging_from(data, lambda: NaiveBayesClassifier(categories=[range(5)]), 3, 2, seed=1)
    assert len(data) == 12
    assert data.n_passes == 2 * 3
    assert [model.class_count_.sum() for model in bagged] == [24, 24, 24]
    data = passes.CountedData(X, y)
    boosted = passes.boosting_from(data, lambda: NaiveBayesClassifier(categories=[range(5)]), 3, 2)
    assert data.n_passes == len(boosted) * (2 + 1)


def test_plain_boosting_is_the_librarys():
    from oza import AdaBoostClassifier
    from oza.datasets import load_dataset

    X, y = load_dataset("balance", return_X_y=True)
    X, y = X[::9], y[::9]
    categories = [np.unique(column) for column in X.T]
    plain = passes.boosting_from(
        passes.CountedData(X, y), lambda: NaiveBayesClassifier(categories=categories), n_models=3, epochs=1
    )
    ours = AdaBoostClassifier(NaiveBayesClassifier(), 3, categories=categories).fit(X, y).estimators_
    for mine, theirs in zip(ours, plain, strict=False):
        np.testing.assert_allclose(mine.class_count_, theirs.class_count_)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_line_is_the_best_of_all_directions_and_places(seed):
    points = lines.in_general_position(9, 50, seed)
    labels = uniforms(9, "labels", seed) < 0.5
    n_wrong, _ = lines.best_line(points, labels)
    best = min(labels.sum(), (~labels).sum())
    for angle in np.linspace(0, np.pi, 3600, endpoint=False):  # slow, and without the theorem
        along = points @ [np.cos(angle), np.sin(angle)]
        sorted_labels = labels[np.argsort(along)]
        below = np.concatenate([[0], np.cumsum(sorted_labels)])
        wrong = below + (~sorted_labels).sum() - np.concatenate([[0], np.cumsum(~sorted_labels)])
        best = min(best, wrong.min(), (len(labels) - wrong).min())
    assert n_wrong == best
