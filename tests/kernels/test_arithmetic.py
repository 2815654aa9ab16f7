import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oza.kernels import arithmetic
from oza.kernels.compile import kernel
from oza.models.decision_tree.state import _logs


def ulps(ours, reference):
    return abs(ours - reference) / np.spacing(abs(reference))


@given(st.floats(-700, 700))
def test_exp_is_within_two_units_in_the_last_place(x):
    assert ulps(arithmetic.exp(x), math.exp(x)) <= 2


@given(st.floats(5e-324, 1.7e308))
def test_mantissa_and_exponent_are_those_of_frexp(x):
    assert arithmetic.mantissa_and_exponent(x) == math.frexp(x)


@given(st.floats(5e-324, 1e308))
def test_log_is_within_two_units_in_the_last_place(x):
    reference = math.log(x)
    assert arithmetic.log(x) == reference or ulps(arithmetic.log(x), reference) <= 2


@given(st.floats(-37, 37))
def test_the_normal_distribution_function_has_an_error_below_one_in_ten_to_the_fifteenth(z):
    assert abs(arithmetic.normal_cdf(z) - stats.norm.cdf(z)) < 1e-15
    assert ulps(arithmetic.normal_cdf(z), stats.norm.cdf(z)) <= 2000  # for z near −37 exp(−z²/2) decides


def test_the_ends_of_the_range():
    assert math.isnan(arithmetic.exp(math.nan))
    assert arithmetic.normal_cdf(-40.0) == 0.0
    assert arithmetic.normal_cdf(0.0) == 0.5
    assert arithmetic.normal_cdf(40.0) == 1.0
    assert arithmetic.exp(-800.0) == 0.0
    assert arithmetic.exp(800.0) == math.inf
    assert arithmetic.exp(0.0) == 1.0
    assert arithmetic.exp(-740.0) == math.exp(-740.0)
    assert arithmetic.log(0.0) == -math.inf
    assert arithmetic.log(1.0) == 0.0


@kernel
def logs(x, results):
    for i in range(len(x)):
        results[i] = arithmetic.log(x[i])


def test_logarithms_in_vectors_are_those_one_by_one():
    rng = np.random.default_rng(0)
    any_size = rng.integers(0, np.float64(np.inf).view(np.int64), 1000).view(np.float64)
    x = np.concatenate([any_size, np.arange(65536.0), [5e-324, 2.0**-1022]])
    results = np.empty_like(x)
    logs(x, results)
    assert results.tolist() == [arithmetic.log(v) for v in x]
    assert results[1001:66536].tolist() == _logs()[1:].tolist()


@given(st.floats(-700, 700))
def test_sigmoid_is_within_two_units_in_the_last_place(x):
    assert ulps(arithmetic.sigmoid(x), 1 / (1 + math.exp(-x))) <= 3


def test_sigmoid_is_always_a_share():
    assert arithmetic.sigmoid(0.0) == 0.5
    assert arithmetic.sigmoid(800.0) == arithmetic.sigmoid(math.inf) == 1.0
    assert 0.0 < arithmetic.sigmoid(-math.inf) == arithmetic.sigmoid(-700.0) < 1e-300
    assert arithmetic.sigmoid(math.nan) == 1.0


@kernel
def sigmoids(x, shares):
    for i in range(len(x)):
        shares[i] = arithmetic.sigmoid(x[i])


def test_sigmoids_in_vectors_are_those_one_by_one():
    x = np.random.default_rng(0).normal(scale=20, size=1003)
    shares = np.empty_like(x)
    sigmoids(x, shares)
    assert shares.tolist() == [arithmetic.sigmoid(v) for v in x]


@given(st.floats(-1e4, 1e4))
def test_exp_in_two_parts_is_exp(x):
    m, k = arithmetic.exp_parts(x)
    assert 0.5 < m < 2.0
    assert abs(math.log(m) + k * math.log(2.0) - x) < 1e-11


@given(st.integers(0, 10**6), st.floats(1e-3, 1e6))
def test_log_poisson_equals_scipy(k, mean):
    reference = stats.poisson.logpmf(k, mean)
    assert abs(arithmetic.log_poisson(float(k), mean) - reference) <= 1e-8 + 1e-11 * abs(reference)


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_sums_in_two_parts_are_exact(a, b):
    s, r = arithmetic.two_sum(a, b)
    assert Fraction(s) + Fraction(r) == Fraction(a) + Fraction(b)
