"""The computations of chapters 1 and 2, compared with enumerations and definitions."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from oza import DecisionStumpClassifier, NaiveBayesClassifier
from oza.kernels.draws import normals, uniforms
from reproduction.simulations import averages, bias_variance
from reproduction.theory import correlation, lines, memory, passes, voting


def test_draws_belong_to_their_names_and_have_the_right_moments():
    assert (uniforms((3, 4), "a", 1) == uniforms(12, "a", 1).reshape(3, 4)).all()
    assert (uniforms(5, "a", 1) != uniforms(5, "a", 2)).all()
    z = normals(40_000, "test")
    assert abs(z.mean()) < 0.02
    assert (z**2).mean() == pytest.approx(1, abs=0.03)
    assert (z**4).mean() == pytest.approx(3, abs=0.2)
    u = uniforms(40_000, "test")
    assert 0 <= u.min() < u.max() < 1
    assert u.var() == pytest.approx(1 / 12, abs=0.002)


@pytest.mark.parametrize("n_models", [1, 2, 3, 6])
@pytest.mark.parametrize("tie", [0.0, 0.5, 1.0])
def test_the_error_of_a_vote_is_the_sum_over_all_outcomes(n_models, tie):
    e, expected = 0.3, 0.0
    for wrong in product([0, 1], repeat=n_models):
        chance = math.prod(e if w else 1 - e for w in wrong)
        loses = 2 * sum(wrong) - n_models
        expected += chance * (1.0 if loses > 0 else tie if loses == 0 else 0.0)
    assert voting.vote_error(e, n_models, tie) == pytest.approx(expected)


def test_an_even_vote_is_worth_the_odd_one_before_it():
    for k in (1, 2, 10):
        assert voting.vote_error(0.3, 2 * k) == pytest.approx(voting.vote_error(0.3, 2 * k - 1))


def test_correlated_votes_end_at_independence_and_at_one_model():
    assert voting.correlated_vote_error(0.3, 5, 0.0) == voting.vote_error(0.3, 5)
    assert voting.correlated_vote_error(0.3, 5, 1.0) == pytest.approx(0.3)


@pytest.mark.parametrize("rho", [0.0, 0.4, 1.0])
def test_simulated_votes_have_the_error_and_the_correlation_asked_for(rho):
    n = 40_000
    wrong = voting.simulate_wrong_votes(0.3, 2, n, seed=5, correlation=rho)
    both, one = (wrong == 2).mean(), wrong.mean() / 2
    assert one == pytest.approx(0.3, abs=0.01)
    assert (both - one**2) / (one * (1 - one)) == pytest.approx(rho, abs=0.02)


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


def test_so_many_must_know_to_match_a_friend_and_one_fewer_do_not():
    for rho, friend in product((0.0, 0.25), (0.3, 0.8, 1.0)):
        k = voting.knowing_to_match(friend, 30, rho)
        assert k == 30 or voting.audience_vote(30, k, rho) >= friend
        assert k == 0 or voting.audience_vote(30, k - 1, rho) < friend
    assert voting.knowing_to_match(0.2, 30) == 0


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


def test_a_correlation_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"4 errors cannot have the correlation -0\.5"):
        correlation.averaged_error(4, -0.5)


@pytest.mark.parametrize(("m", "rho"), [(2, -1.0), (4, -1 / 3), (4, 0.0), (5, 0.3), (5, 1.0)])
def test_simulated_averages_follow_the_formula(m, rho):
    estimate, standard_error = averages.simulate_averaged_error(m, rho, 5000, seed=2)
    assert abs(estimate - correlation.averaged_error(m, rho)) <= 4 * standard_error + 1e-12


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


def test_points_on_a_line_are_refused_and_not_drawn():
    with pytest.raises(ValueError, match="three of the points lie on one line"):
        lines.best_line([[0, 0], [1, 1], [2, 2], [0, 5]], [True, False, True, False])
    with pytest.raises(ValueError, match="is too small for 10"):
        lines.in_general_position(10, 2, seed=1)
    points = lines.in_general_position(20, 30, seed=3)
    for a, b, c in combinations(points, 3):
        (dx, dy), (ex, ey) = b - a, c - a
        assert dx * ey != dy * ex


def test_bias_and_variance_add_up_to_the_error():
    predictions = (uniforms((30, 50), "predictions") * 3).astype(int)
    labels = np.arange(50) % 3
    parts = bias_variance.decompose(predictions, labels)
    assert parts.error == pytest.approx((predictions != labels).mean())
    assert parts.bias + parts.variance == pytest.approx(parts.error)
    assert parts.variance == pytest.approx(0.5 * (1 - 3 / 9), abs=0.02)
    assert parts.errors.mean() == pytest.approx(parts.error)
    assert parts.variances.mean() == pytest.approx(parts.variance)


def test_what_each_training_set_says_about_the_variance_is_the_jackknife():
    predictions = (uniforms((40, 50), "predictions") ** 2 * 3).astype(int)
    labels = np.zeros(50, int)
    whole, n = bias_variance.decompose(predictions, labels), 40
    without = [bias_variance.decompose(np.delete(predictions, r, axis=0), labels).variance for r in range(n)]
    assert whole.variances == pytest.approx(n * whole.variance - (n - 1) * np.array(without), rel=0.1)


def test_a_learner_that_never_changes_its_mind_is_all_bias():
    same = np.tile([0, 1, 1], (5, 1))
    parts = bias_variance.decompose(same, np.array([0, 0, 1]))
    assert parts[:3] == pytest.approx((1 / 3, 1 / 3, 0.0))


def test_training_sets_are_the_same_for_every_classifier():
    X, y = np.arange(40)[:, None] % 4, np.arange(40) % 2
    runs = [
        bias_variance.predictions_over_training_sets(
            lambda r: DecisionStumpClassifier(categorical_features=[0]), X, y, 10, 3, 7, seed=4
        )
        for _ in range(2)
    ]
    assert runs[0][0].shape == (3, 7)
    assert (runs[0][0] == runs[1][0]).all()
    assert len(runs[0][1]) == 7


def test_arcing_with_one_tree_is_that_tree():
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 1, 1, 0, 0, 1, 1])
    assert memory.arcing_error((X, y), (X, y), n_models=1, n_leaves=2) == 0.25
    assert memory.arcing_error((X, y), (X, y), n_models=25, n_leaves=2) < 0.25 + 1e-9
    assert memory.arcing_error((X, y), (X, y), n_models=1, n_leaves=4) == 0.0
