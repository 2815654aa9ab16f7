"""Significance tests equal SciPy's or hand-computed values."""

import math

import numpy as np
import pytest
import scipy.stats

from oza.evaluation.significance import corrected_resampled, mark, paired, signed_rank, standard_error, welch

A, B = [0.9, 0.8, 0.85, 0.95], [0.8, 0.75, 0.85, 0.8]


def test_standard_error_by_hand():
    assert standard_error([0.7, 0.8, 0.9]) == pytest.approx(0.1 / math.sqrt(3))
    assert math.isnan(standard_error([0.7]))


def test_welch_by_the_formula():
    a, b = np.array(A), np.array(B)
    va, vb = a.var(ddof=1) / 4, b.var(ddof=1) / 4
    freedom = (va + vb) ** 2 / (va**2 / 3 + vb**2 / 3)
    t = (a.mean() - b.mean()) / math.sqrt(va + vb)
    assert welch(A, B) == pytest.approx(2 * scipy.stats.t.sf(t, freedom), rel=1e-12)


def test_paired_equals_scipy():
    assert paired(A, B) == pytest.approx(scipy.stats.ttest_rel(A, B).pvalue, rel=1e-12)


def test_corrected_resampled_by_hand():
    """Differences 0.1, 0.05, 0, 0.15: mean 0.075, variance 1/240; t = 0.075 / sqrt((1/4 + 1/4)/240)."""
    t = 0.075 / math.sqrt(0.5 / 240)
    assert corrected_resampled(A, B, 400, 100) == pytest.approx(2 * scipy.stats.t.sf(t, 3), rel=1e-9)


def test_a_constant_beside_values_that_vary_is_no_cause_for_alarm():
    """Naive Bayes on a supplied split is the same each time; bagging of it is not."""
    assert welch([0.9] * 4, B) == pytest.approx(scipy.stats.ttest_1samp(B, 0.9).pvalue, rel=1e-9)


@pytest.mark.parametrize("test", [welch, paired, lambda a, b: corrected_resampled(a, b, 4, 1)])
def test_values_that_do_not_vary_are_equal_or_not(test):
    assert test([0.5, 0.5], [0.5, 0.5]) == 1.0
    assert test([0.5, 0.5], [0.6, 0.6]) == 0.0
    assert math.isnan(test([0.5], [0.6]))


def test_evidence_turns_a_mark_over():
    assert mark(A, B, 0.04) == "better"
    assert mark(B, A, 0.04) == "worse"
    assert mark(A, B, 0.06) == "none"
    assert mark(A, B, math.nan) == "unknown"


def test_signed_rank_equals_the_exact_law_for_one_data_set():
    """Two weights, the prior's w ~ Beta(1/2, 1): P(w < x) is the root of x."""
    assert signed_rank([0.03], rope=0.01) == pytest.approx((0, 1 - 0.5**0.25, 0.5**0.25), abs=0.01)
    within_twice = math.sqrt(1 - math.sqrt(0.5))  # the mean with 0 is practically none
    assert signed_rank([0.015], rope=0.01).better == pytest.approx(within_twice, abs=0.01)


def test_signed_rank_flips_with_the_sign_and_knows_equality():
    d = np.array([0.02, 0.05, -0.01, 0.04, 0.03])
    there, back = signed_rank(d), signed_rank(-d)
    assert there.better > 0.8 and there.better == pytest.approx(back.worse, abs=1e-12)
    assert signed_rank(d / 100) == (0, 1, 0)
    assert sum(there) == pytest.approx(1)


def test_what_cannot_be_compared_is_refused():
    for test, arguments, fault in [
        (signed_rank, ([0.05, math.nan],), "differences must be one or more finite"),
        (signed_rank, ([0.1], -1), "rope must be a number at least 0"),
        (paired, (A, [0.5]), r"a and b must hold a number for each split; got shapes \(4,\) and"),
        (corrected_resampled, (A, B, 0, 100), "n_train must be a number above 0"),
    ]:
        with pytest.raises(ValueError, match=fault):
            test(*arguments)
