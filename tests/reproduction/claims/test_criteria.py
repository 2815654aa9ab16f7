"""What "comparable" means, and when a claim about all rows is decided."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from oza.evaluation.significance import compared
from reproduction.claims.criteria import (
    better,
    comparable,
    differs,
    holm,
    missed,
    not_better,
    nowhere,
    over_datasets,
    somewhere,
)
from reproduction.topics import checks

from .contrasts import CONTRASTS, comparison, trees

ACCURACIES = np.array([0.80, 0.82, 0.81, 0.83, 0.79] * 10)


def on_splits(difference, n_splits, spread=0.002):
    """Accuracies of two algorithms with this mean difference and spread over splits."""
    noise = np.resize([spread, -spread], n_splits)
    a = ACCURACIES[:n_splits]
    return pd.DataFrame([compared(a + difference + noise, a, n_train=4, n_test=1)])


def test_a_significant_difference_that_is_too_small_to_matter_is_none():
    assert differs(comparison("a little worse")) == [False]
    assert better(comparison("a little better")) == [True]
    late = trees(online_boosting__boosting=["worse", "none", "none", "a little worse"])
    for claimed in ("C102", "C109"):
        assert checks()[claimed](trees()).outcome == checks()[claimed](late).outcome == "holds"


def test_welch_alone_neither_refutes_nor_confirms():
    rows = comparison("better by Welch")
    assert better(rows) == not_better(rows) == differs(rows) == [None]
    small = rows.assign(difference=0.004, half_width=0.005)
    assert better(small) == not_better(small) == [None], "on the thesis's own terms it is better"
    assert differs(small) == [False]


def test_a_reported_significance_is_missed_only_if_not_even_welch_finds_it():
    assert missed(comparison("a little better", "better by Welch", "none")) == [False, None, True]


def test_the_interval_and_the_test_are_the_corrected_ones():
    a, b = np.random.default_rng(1).normal(0.8, 0.01, (2, 12))
    found, wanted = compared(a, b, n_train=1, n_test=0), scipy.stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (found.difference - found.half_width, found.difference + found.half_width) == pytest.approx(wanted)
    assert found.p_value == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue)
    overlapping = compared(a, b, n_train=400, n_test=100)
    assert overlapping.half_width / found.half_width == pytest.approx((1 + 12 / 4) ** 0.5)
    assert overlapping.p_value > found.p_value
    assert compared(a[:1], b[:1], 4, 1).mark == compared([], [], 4, 1).mark == "unknown"


def test_few_splits_make_nothing_comparable():
    assert differs(on_splits(0.001, 50)) == [False]
    assert differs(on_splits(0.001, 3, spread=0.02)) == [None]
    assert differs(on_splits(0.05, 50)) == [True]
    assert comparable(comparison("unknown", "none"))[0] is None


def test_comparable_is_a_mean_over_data_sets_and_few_exceptions():
    assert comparable(comparison("none", "none"))[0] is True
    assert comparable(comparison("none", "unclear", "none"))[0] is True, "rows that are open may be equal"
    many = comparison("better", "worse", *["none"] * 38)
    assert comparable(many)[0] is True, "the mean is equal, and fewer than one in ten differ"
    assert comparable(comparison("better", "worse", *["none"] * 8))[0] is None, "two in ten may be chance"
    assert comparable(comparison(*["better", "worse"] * 4, "none"))[0] is False, "eight in nine are not"
    assert comparable(comparison(*["better"] * 9))[0] is False
    assert comparable(comparison("better", *["none"] * 3))[0] is None


def test_a_base_model_more_does_not_make_a_data_set_more():
    rows = pd.concat({base: comparison("better", "none", "worse") for base in "ab"}, names=["base"])
    found, of_one = over_datasets(rows), over_datasets(comparison("better", "none", "worse"))
    assert found == of_one


def test_a_difference_that_chance_explains_neither_refutes_nor_confirms():
    rows = comparison("better by chance", *["none"] * 8)
    assert better(rows)[0] is None and differs(rows)[0] is None
    assert nowhere(better(rows)) is None and somewhere(better(rows)) is None
    assert not_better(rows)[0] is False


def test_holm_keeps_the_order_of_p_values_and_never_lowers_one():
    p = np.random.default_rng(1).random(20) ** 3
    corrected = holm(p)
    assert (corrected >= p).all() and corrected.max() <= 1
    assert (np.diff(corrected[p.argsort()]) >= 0).all()
    assert corrected[p.argmin()] == pytest.approx(min(1, 20 * p.min()))
    assert holm([]).size == 0


def test_somewhere_is_the_opposite_of_nowhere():
    for known, nothing in (([False, False], True), ([False, None], None), ([True, None], False), ([], True)):
        assert nowhere(known) is nothing
        assert somewhere(known) is (None if nothing is None else not nothing)


def test_the_cases_of_the_evidence_are_what_a_test_can_say():
    for difference, half_width, p_value, mark, *_ in CONTRASTS.values():
        assert (mark in ("better", "worse")) == (p_value < 0.05)
        if mark in ("better", "worse"):
            assert (difference > 0) == (mark == "better") and abs(difference) > half_width
