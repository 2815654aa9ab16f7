"""Equal-frequency bins are balanced and non-empty, and point masses have their own bins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from oza.datasets import EqualFrequencyDiscretizer


def edges(values, n_bins):
    column = np.array(values, float).reshape(-1, 1)
    return EqualFrequencyDiscretizer(n_bins).fit(column).bin_edges_[0].tolist()


@pytest.mark.parametrize(
    ("values", "n_bins", "expected"),
    [
        (range(10), 5, [1.5, 3.5, 5.5, 7.5]),
        (range(7), 3, [1.5, 4.5]),  # 2, 3, 2: cuts nearest 7/3 and 14/3
        (range(4), 10, [0.5, 1.5, 2.5]),  # few distinct values: a bin for each
        (range(4), 2**62, [0.5, 1.5, 2.5]),
        ([5] * 6, 4, []),  # a constant
        ([0, 0, 0, 0, 1, 2, 3, 8], 3, [0.5, 2.5]),  # a mass, then halves
        ([-2, -1, 0, 0, 0, 0, 0, 1, 2], 4, [-1.5, -0.5, 0.5]),  # the lower of two equals
        ([-1, 0, 0, 0, 1, 2, 3, 4, 5], 4, [-0.5, 0.5, 2.5]),  # the fuller block
        ([-1, 0, 0, 0, 1], 2, [-0.5]),  # too few bins for the point mass between two blocks
        ([0] * 76 + [1] * 22 + [2, 3], 4, [0.5, 1.5, 2.5]),  # cuts that fall together are moved up
        ([0] * 76 + [1, 2] + [3] * 22, 4, [0.5, 1.5, 2.5]),  # ... or down
        ([-1, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 3], 4, [-0.5, 0.5, 1.5]),  # the smaller mass loses its own bin
        ([-1, 0, 0, 0, 0, 1, 2, 2, 2, 2, 3], 4, [-0.5, 1.5, 2.5]),  # of equals, the smaller value
        ([0, 1, 1, 2, 2, 3], 4, [0.5, 1.5, 2.5]),  # two masses, and what is around them
        ([0, 0, 1, 1, 1, 2], 3, [0.5, 1.5]),
        ([1, 2, 3, 4, 5], 2, [2.5]),  # 2 and 3 are equally close to 2.5: the lower
    ],
)
def test_cut_points_of_small_cases_are_those_found_by_hand(values, n_bins, expected):
    assert edges(values, n_bins) == expected


def test_a_value_at_a_cut_belongs_to_the_upper_bin():
    binning = EqualFrequencyDiscretizer(2).fit([[0.0], [1.0]])
    assert binning.transform([[0.5], [0.49], [-9.0], [9.0]]).ravel().tolist() == [1, 0, 0, 1]


columns = st.lists(st.integers(-6, 6), min_size=1, max_size=60)


@given(columns, st.integers(2, 12))
@settings(max_examples=300, deadline=None)
def test_there_are_as_many_bins_as_can_be_and_none_is_empty(values, n_bins):
    column = np.array(values, float).reshape(-1, 1)
    binning = EqualFrequencyDiscretizer(n_bins).fit(column)
    codes = binning.transform(column).ravel()
    assert binning.n_bins_[0] == min(n_bins, len(set(values)))
    assert set(codes) == set(range(binning.n_bins_[0]))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_value_that_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        EqualFrequencyDiscretizer().fit([[1.0], [value]])
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        EqualFrequencyDiscretizer().fit([[1.0], [2.0]]).transform([[value]])


@parametrize_with_checks([EqualFrequencyDiscretizer()])
def test_it_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("low", [1.0, 0.0, -1e308, 5e-324, 1.7e308])
def test_neighbouring_floats_are_distinguished(low):
    column = np.array([[low], [np.nextafter(low, np.inf)]])
    assert EqualFrequencyDiscretizer(2).fit_transform(column).ravel().tolist() == [0, 1]


def test_huge_values_do_not_overflow():
    assert edges([-1.7e308, 1.7e308], 2) == [0.0]
    assert edges([1.6e308, 1.7e308], 2) == [pytest.approx(1.65e308)]
