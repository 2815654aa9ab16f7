import numpy as np
import pytest
from numba import njit
from scipy import stats

from oza.kernels import random as keyed


@njit
def poisson_table(mean, key, rows, columns):
    table = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            table[i, j] = keyed.poisson(mean, keyed.row_key(key, i), j)
    return table


@njit
def poisson_rows(mean, key, rows, columns):
    table = np.empty((rows, columns))
    for i in range(rows):
        keyed.poisson_each(mean, keyed.row_key(key, i), table[i])
    return table


@njit
def uniforms(key, rows, columns):
    table = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            table[i, j] = keyed.uniform(keyed.draw(key, i, j))
    return table


@pytest.mark.parametrize("mean", [0.0, 0.3, 1.0, 3.7, 9.99, 10.0, 55.5])
def test_poisson_draws_follow_their_distribution(mean):
    counts = poisson_table(mean, 20010101, 2000, 50).ravel()
    if mean == 0.0:
        assert not counts.any()
        return
    support = np.arange(int(3 * mean + 20))
    expected = stats.poisson.pmf(support, mean) * len(counts)
    observed = np.bincount(counts.astype(int), minlength=len(support))[: len(support)]
    common = expected > 5
    o = np.append(observed[common], len(counts) - observed[common].sum())
    e = np.append(expected[common], len(counts) - expected[common].sum())
    assert stats.chisquare(o, e).pvalue > 1e-4


@pytest.mark.parametrize("mean", [1e4, 1e8, 5e12])
def test_a_large_poisson_mean_follows_its_distribution(mean):
    counts = poisson_table(mean, 4, 500, 40).ravel()
    assert (counts == np.floor(counts)).all()
    assert stats.kstest((counts - mean) / np.sqrt(mean), "norm").pvalue > 1e-4


@pytest.mark.parametrize("mean", [1.0, 0.5, 20.0])
def test_a_row_at_once_equals_one_at_a_time(mean):
    np.testing.assert_array_equal(poisson_rows(mean, 9, 3000, 100), poisson_table(mean, 9, 3000, 100))


@njit
def poisson_down(means, key, column):
    rows = np.empty(len(means), np.uint64)
    for i in range(len(means)):
        rows[i] = keyed.row_key(key, i)
    one, other = np.empty(len(means)), np.empty(len(means))
    for i in range(len(means)):
        one[i] = keyed.poisson(means[i], rows[i], column)
    keyed.poisson_of_rows(means, rows, column, other)
    return one, other


def test_a_column_at_once_equals_one_at_a_time():
    rng = np.random.default_rng(0)
    means = np.exp(rng.normal(0, 3, 20011))
    means[::7] = rng.choice([0.0, 1.0, 5e-324, 1e-300, np.nextafter(10, 0), 10.0, 5e12], len(means[::7]))
    one, other = poisson_down(means, 3, 5)
    np.testing.assert_array_equal(one, other)


def test_draws_are_uniform_and_independent_along_rows_and_columns():
    table = uniforms(123, 1000, 1000)
    assert stats.kstest(table.ravel(), "uniform").pvalue > 1e-4
    for a, b in ((table[:-1], table[1:]), (table[:, :-1], table[:, 1:])):
        r = np.corrcoef(a.ravel(), b.ravel())[0, 1]
        assert abs(r) < 4.5 / np.sqrt(a.size)


def test_neighbouring_keys_are_unrelated():
    r = np.corrcoef(uniforms(1, 500, 500).ravel(), uniforms(2, 500, 500).ravel())[0, 1]
    assert abs(r) < 4.5 / 500


def test_a_permutation_holds_every_index_once_and_depends_on_its_key():
    order = keyed.permutation(1000, 5)
    assert sorted(order) == list(range(1000))
    np.testing.assert_array_equal(order, keyed.permutation(1000, 5))
    assert (order != keyed.permutation(1000, 6)).any()


def test_keys_name_their_parts():
    assert keyed.key_of("a", 1) == keyed.key_of("a", "1")
    assert len({keyed.key_of("ab", "c"), keyed.key_of("a", "bc"), keyed.key_of("abc")}) == 3
    assert 0 <= keyed.key_of("a") < 2**63


def test_a_second_draw_of_a_row_is_independent_of_the_first():
    rows = [keyed.row_key(5, i) for i in range(4000)]
    first = [keyed.uniform(keyed.draw_in_row(row, 3)) for row in rows]
    second = [keyed.uniform(keyed.second_draw_in_row(row, 3)) for row in rows]
    counts = [keyed.poisson(1.0, row, 3) for row in rows]
    assert stats.pearsonr(first, counts).statistic > 0.8
    assert abs(stats.pearsonr(second, counts).statistic) < 0.05
    assert abs(stats.pearsonr(second, first).statistic) < 0.05
