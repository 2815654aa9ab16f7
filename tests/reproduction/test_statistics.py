"""Accuracies on splits, and verdicts on printed accuracies; counter-evidence reverses verdicts."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from reproduction.statistics import (
    cell_verdict,
    equality_margin,
    equivalence,
    half_width_beside_print,
    margin,
    split_accuracies,
)


def test_orders_are_averaged_within_a_split_before_anything_else():
    rows = [(0, 0, 0, 80), (0, 0, 1, 90), (0, 1, 0, 70), (0, 1, 1, 70)]
    frame = pd.DataFrame(rows, columns=["repetition", "fold", "order", "n_correct"])
    frame = frame.assign(dataset="d", base_model="b", algorithm="a", n_train=400, n_test=100)
    assert split_accuracies(frame)["accuracy"].to_list() == pytest.approx([0.85, 0.7])


@pytest.mark.parametrize(
    ("difference", "half_width", "is_significant", "expected"),
    [
        (0.004, 0.005, None, "equal"),
        (-0.004, 0.005, None, "equal"),
        (0.004, 0.003, True, "equal"),  # significant, and too small to matter
        (0.01, 0.0, None, "equal"),  # at the border, in spite of rounding
        (0.76 - 0.75, 0.0, None, "equal"),
        (0.004, 0.007, None, "undecided"),
        (0.008, 0.003, True, "undecided"),  # significant, and perhaps larger than the margin
        (0.03, 0.04, None, "undecided"),
        (0.03, 0.02, None, "different"),
        (-0.03, 0.02, None, "different"),
        (0.03, 0.02, False, "undecided"),  # not after a correction for many tests
        (0.03, math.nan, None, "undecided"),
    ],
)
def test_the_rule_of_equality(difference, half_width, is_significant, expected):
    assert equivalence(difference, half_width, is_significant) == expected


def test_another_margin_is_used_within_its_block_alone():
    with equality_margin(0.02):
        assert margin() == 0.02
        assert equivalence(0.012, 0.004) == "equal"
    with pytest.raises(ZeroDivisionError), equality_margin(0.005):
        assert equivalence(0.004, 0.002) == "undecided"
        raise ZeroDivisionError
    assert margin() == 0.01
    assert equivalence(0.004, 0.002) == "equal"


@pytest.mark.parametrize(
    ("ours", "half_width", "printed", "expected"),
    [
        (0.8721, 0.003, 0.8774, "agrees"),
        (0.8721, 0.003, 0.8874, "differs"),
        (0.8721, 0.016, 0.8774, "undecided"),
        (0.8721, 0.016, 0.8874, "undecided"),
        (0.76005, 0.0, 0.75, "agrees"),  # as far as the printed digits say
        (0.7601, 0.0, 0.75, "differs"),
        (0.755, math.nan, 0.75, "undecided"),
        (0.755, 0.0, math.nan, "no printed value"),
        (math.nan, math.nan, 0.75, "not run"),
    ],
)
def test_evidence_turns_a_verdict_over(ours, half_width, printed, expected):
    assert cell_verdict(ours, half_width, printed) == expected


def of_protocol(values):
    """Accuracies of cross-validations, a row for each."""
    index = pd.MultiIndex.from_product(map(range, values.shape), names=["repetition", "fold"])
    return pd.Series(values.ravel(), index)


def test_the_interval_covers_the_difference_of_two_means_in_95_of_100_cases():
    """Folds of a cross-validation are not independent: here they vary around a common mean, and sum to it."""
    rng = np.random.default_rng(1)

    def draw(repetitions):
        means, parts = rng.normal(0, 1, (repetitions, 1)), rng.normal(0, 3, (repetitions, 5))
        return means + parts - parts.mean(axis=1, keepdims=True)

    covered = []
    for _ in range(4000):
        ours, theirs = draw(8), draw(10)
        covered.append(abs(ours.mean() - theirs.mean()) <= half_width_beside_print(of_protocol(ours)))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.012)


def test_few_repetitions_are_judged_by_their_splits():
    values = np.random.default_rng(2).normal(0.8, 0.01, (4, 5))
    wanted = scipy.stats.t.isf(0.025, 19) * values.std(ddof=1) * math.sqrt(1 / 20 + 1 / 50)
    assert half_width_beside_print(of_protocol(values)) == pytest.approx(wanted)
    assert math.isnan(half_width_beside_print(of_protocol(values[:1, :1])))
