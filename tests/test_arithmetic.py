import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oza import _arithmetic as arithmetic


def ulps(ours, reference):
    return abs(ours - reference) / np.spacing(abs(reference))


@given(st.floats(-700, 700))
def test_exp_is_within_two_units_in_the_last_place(x):
    assert ulps(arithmetic.exp(x), math.exp(x)) <= 2


@given(st.floats(5e-324, 1e308))
def test_log_is_within_two_units_in_the_last_place(x):
    reference = math.log(x)
    assert arithmetic.log(x) == reference or ulps(arithmetic.log(x), reference) <= 2


def test_the_ends_of_the_range():
    assert arithmetic.exp(-800.0) == 0.0
    assert arithmetic.exp(800.0) == math.inf
    assert arithmetic.exp(0.0) == 1.0
    assert arithmetic.exp(-740.0) == math.exp(-740.0)
    assert arithmetic.log(0.0) == -math.inf
    assert arithmetic.log(1.0) == 0.0


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
def test_sums_and_products_in_two_parts_are_exact(a, b):
    s, r = arithmetic.two_sum(a, b)
    assert Fraction(s) + Fraction(r) == Fraction(a) + Fraction(b)
    if abs(a) > 1e-100 and abs(b) > 1e-100:
        p, r = arithmetic.two_product(a, b)
        assert Fraction(p) + Fraction(r) == Fraction(a) * Fraction(b)
