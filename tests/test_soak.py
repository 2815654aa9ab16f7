"""Twenty million numeric examples: memory stays, and means and variances are those of exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.soak import STATUS, resident
from oza import HoeffdingTreeClassifier, NaiveBayesClassifier, OnlineBaggingClassifier
from oza.kernels.compile import kernel
from oza.kernels.random import poisson_of_rows, row_key
from oza.models.naive_bayes.numbers import LOW, MEAN, VARIANCE, WEIGHT

N_CHUNKS, N_ROWS = 2000, 10_000
STEPS = 1024  # numbers are whole multiples of 1/1024, so that their sums are exact in integers
CENTRES = np.array([100_000_000, 0, -3])


def chunk(i):
    """Steps from the centres, and classes, of which the second spreads twice as far and lies higher."""
    rng = np.random.default_rng(i)
    y = rng.integers(0, 2, N_ROWS)
    return rng.integers(-2000, 2001, (N_ROWS, 3)) * (1 + y)[:, None] + 500 * y[:, None], y


@kernel
def draw(key, first, m, copies):
    """How often model `m` learns each example from `first` on, into `copies`, (N,)."""
    rows = np.empty(len(copies), np.uint64)
    for n in range(len(copies)):
        rows[n] = row_key(key, first + n)
    poisson_of_rows(np.ones(len(copies)), rows, m, copies)


def soak(learn):
    """Let `learn(i, numbers, steps, y)` take all chunks; memory must be the same from a tenth on."""
    for i in range(N_CHUNKS):
        steps, y = chunk(i)
        learn(i, CENTRES + steps / STEPS, steps, y)
        if STATUS.exists() and i == N_CHUNKS // 10:
            before = resident()
    if STATUS.exists():
        assert resident() < before + 8


class Sums:
    """Exact sums for each class."""

    def __init__(self):
        self.weight, self.steps, self.squares = np.zeros((3, 2, 3), np.int64)

    def add(self, steps, y, copies):
        for c in range(2):
            weights, found = copies[y == c, None], steps[y == c]
            self.weight[c] += weights.sum()
            self.steps[c] += (weights * found).sum(axis=0)
            self.squares[c] += (weights * found * found).sum(axis=0)

    def mean_and_variance(self, c, d):
        mean = Fraction(int(self.steps[c, d]), int(self.weight[c, d]))
        variance = Fraction(int(self.squares[c, d]), int(self.weight[c, d])) - mean * mean
        return Fraction(int(CENTRES[d])) + mean / STEPS, variance / STEPS**2

    def assert_equal(self, c, d, weight, mean, variance):
        exact_mean, exact_variance = self.mean_and_variance(c, d)
        assert weight == self.weight[c, d]
        assert abs(mean - exact_mean) <= 1e-9 * float(exact_variance) ** 0.5
        assert abs(Fraction(variance) - exact_variance) <= 1e-9 * exact_variance


@pytest.mark.long
def test_bagged_naive_bayes():
    models, members = OnlineBaggingClassifier(NaiveBayesClassifier(), 10, random_state=0), (0, 9)
    sums, copies = {m: Sums() for m in members}, np.empty(N_ROWS)

    def learn(i, numbers, steps, y):
        models.partial_fit(numbers, y, classes=[0, 1])
        for m in members:
            draw(models._key, i * N_ROWS, m, copies)
            sums[m].add(steps, y, copies.astype(np.int64))

    soak(learn)
    for m, c, d in np.ndindex(10, 2, 3):
        if m in members:
            found = models._models.moments[:, d, c, m]
            mean = Fraction(found[MEAN]) + Fraction(found[LOW])
            sums[m].assert_equal(c, d, found[WEIGHT], mean, found[VARIANCE])


@pytest.mark.long
def test_bagged_hoeffding_trees():
    models = OnlineBaggingClassifier(HoeffdingTreeClassifier(max_leaves=20), 10, random_state=0)
    memory = []

    def learn(i, numbers, steps, y):
        models.partial_fit(numbers, y, classes=[0, 1])
        if i in (N_CHUNKS // 10, N_CHUNKS - 1):
            memory.append([tree.memory_bytes_ for tree in models.estimators_])

    soak(learn)
    assert memory[0] == memory[1]
