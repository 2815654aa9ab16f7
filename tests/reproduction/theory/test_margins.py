"""Trees as printed, margins of their tests, and the gap in the norm, against simulation and by hand."""

import numpy as np
import pytest
import scipy.special

from oza import DecisionStumpClassifier
from oza.datasets import load_dataset
from reproduction.simulations.resampling import averaging_gap, disagreement_rates
from reproduction.theory.averaging import limit_distance
from reproduction.theory.id3 import Node, classify, entropy, gains, id3
from reproduction.theory.margins import (
    Population,
    gain_change,
    margins,
    tie_disagreement,
    two_voices,
    unsettled_bound,
    unsettled_estimate,
)


def drawn(seed, n=40, n_values=(2, 3, 2), n_classes=3):
    generator = np.random.default_rng(seed)
    examples = np.column_stack([generator.integers(v, size=n) for v in n_values])
    return examples, generator.integers(n_classes, size=n), generator.integers(0, 3, size=n).astype(float)


def test_id3_follows_the_printed_cases():
    examples, labels = np.array([[0, 1], [0, 0], [1, 0]]), np.array([1, 1, 0])
    ones = np.ones(3)
    assert id3(examples[:0], labels[:0], ones[:0], (2, 2), default=7) == 7
    assert id3(examples[:2], labels[:2], ones[:2], (2, 2)) == 1
    assert id3(examples, labels, ones, (2, 2), frozenset()) == 1
    # A value without examples gets the most frequent class of the node above.
    assert id3(examples, labels, ones, (3, 2)) == Node(0, (1, 0, 1))


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_copies(seed):
    examples, labels, weights = drawn(seed)
    rows = np.repeat(np.arange(len(labels)), weights.astype(int))
    once = np.ones(len(rows))
    assert id3(examples, labels, weights, (2, 3, 2)) == id3(examples[rows], labels[rows], once, (2, 3, 2))


@pytest.mark.parametrize("dataset", ["balance", "car-evaluation"])
def test_one_test_is_the_stump_of_the_library(dataset):
    X, y = load_dataset(dataset, return_X_y=True)
    for seed in range(3):
        rows = np.random.default_rng(seed).integers(len(y), size=150)
        codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
        n_values = tuple(int(column.max()) + 1 for column in codes.T)
        tree = id3(codes[rows], y[rows].astype(int), np.ones(150), n_values, depth=1)
        categories = [np.unique(column) for column in X.T]
        stump = DecisionStumpClassifier(categories=categories).fit(X[rows], y[rows])
        assert tree.attribute == stump.feature_


@pytest.mark.parametrize("seed", range(20))
def test_a_gain_changes_by_at_most_the_bound(seed):
    generator = np.random.default_rng(seed)
    n_values, n_classes = generator.integers(2, 5, size=2)
    tables = generator.dirichlet(np.full(n_values * n_classes, 0.3), size=2)
    mixed = tables[0] + generator.random() * 0.3 * (tables[1] - tables[0])
    distance = np.abs(tables[0] - mixed).sum() / 2
    values, labels = np.divmod(np.arange(n_values * n_classes), n_classes)
    before, after = (gains(values[:, None], labels, table, [0])[0] for table in (tables[0], mixed))
    assert abs(before - after) <= gain_change(distance, n_values, n_classes) + 1e-9


def test_the_bound_of_a_gain_is_for_distances_up_to_a_half():
    assert gain_change(0.0, 2, 2) == 0.0
    with pytest.raises(ValueError, match=r"between 0 and 0\.5, got 0\.6"):
        gain_change(0.6, 2, 2)


@pytest.mark.parametrize("seed", range(30))
def test_a_sample_within_the_tolerance_decides_alike(seed):
    """The theorem's deterministic half: small distances leave the prediction as it is."""
    generator = np.random.default_rng(seed)
    examples, labels, _ = drawn(seed, n=30)
    population = Population(examples, labels, generator.dirichlet(np.ones(30)), (2, 3, 2))
    n_tested = 0
    for example in examples[:5]:
        found = margins(population, example, depth=2)
        other = generator.dirichlet(np.ones(30))
        share = 0.99 * found.tolerance / (np.abs(other - population.probabilities).sum() / 2)
        moved = population.probabilities + min(1.0, share) * (other - population.probabilities)
        near = population._replace(probabilities=moved)
        if found.tolerance > 0:  # 0 if two attributes separate the few examples of a node alike
            n_tested += 1
            assert classify(near.tree(2), example) == classify(population.tree(2), example)
    assert n_tested > 0


def test_a_tie_has_no_tolerance_and_no_bound():
    found = margins(two_voices(0.0), [1, 0], depth=1)
    assert found.tests["gap"][0] == found.tolerance == 0.0
    assert unsettled_bound(found, "batch", 10**9) == 1.0
    assert unsettled_estimate(found, 10**9) == pytest.approx(0.5)


def test_the_bound_falls_to_zero_and_is_never_below_what_is_simulated():
    found = margins(two_voices(0.1), [1, 0], depth=1)
    bounds = [unsettled_bound(found, scheme, 10**8) for scheme in ("batch", "online")]
    assert max(bounds) < 1e-9 and bounds[1] >= bounds[0]


def test_the_estimate_is_what_is_simulated():
    found = margins(two_voices(0.05), [1, 0], depth=1)
    rates = disagreement_rates(two_voices(0.05), [1, 0], 1, (200, 800), n_models=11, n_repeats=300, seed=1)
    for n, row in rates.iterrows():
        assert row["batch"] == pytest.approx(unsettled_estimate(found, n), abs=0.05)
        assert row["online"] == pytest.approx(unsettled_estimate(found, n), abs=0.05)
    assert rates["ensembles"].iloc[-1] < rates["ensembles"].iloc[0]


def test_entropy_agrees_with_scipy():
    shares = np.array([0.2, 0.3, 0.5, 0.0])
    assert entropy(7 * shares) == pytest.approx(scipy.special.entr(shares).sum())


def test_a_mean_of_many_samples_is_near_where_no_sample_is():
    found = averaging_gap((100, 400), n_models=25, n_repeats=30, radius=0.5, seed=1)
    assert (found["mean is near"] == 1).all() and (found["sample is near"] < 0.01).all()
    assert found["mean"].to_numpy() == pytest.approx(limit_distance(25), abs=0.02)
    assert found["one sample"].to_numpy() == pytest.approx(limit_distance(1), abs=0.05)
    assert (found.loc["batch", "positive"] == 1).all() and (found.loc["online", "positive"] == 0).all()


def test_a_wide_radius_makes_the_learner_constant():
    found = averaging_gap((100,), n_models=5, n_repeats=10, radius=2.0, seed=1)
    assert (found["positive"] == 1).all()


def test_at_a_tie_ensembles_disagree_as_often_as_the_limit_says():
    rates = disagreement_rates(two_voices(0.0), [1, 0], 1, (2000,), n_models=5, n_repeats=1500, seed=2)
    expected = tie_disagreement(5)
    error = (expected * (1 - expected) / 1500) ** 0.5
    assert rates["ensembles"].iloc[0] == pytest.approx(expected, abs=4 * error)
    assert tie_disagreement(1001) < tie_disagreement(101) < tie_disagreement(11) < tie_disagreement(1)
