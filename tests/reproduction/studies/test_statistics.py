"""Accuracies on splits, and verdicts on printed accuracies; counter-evidence reverses verdicts."""

import math

import numpy as np
import pandas as pd
import pytest

from reproduction.studies import split_accuracies, verdict
from reproduction.studies.statistics import tolerance


def test_orders_are_averaged_within_a_split_before_anything_else():
    rows = [(0, 0, 0, 80), (0, 0, 1, 90), (0, 1, 0, 70), (0, 1, 1, 70)]
    frame = pd.DataFrame(rows, columns=["repetition", "fold", "order", "n_correct"])
    frame = frame.assign(dataset="d", base_model="b", algorithm="a", n_train=400, n_test=100)
    assert split_accuracies(frame)["accuracy"].to_list() == pytest.approx([0.85, 0.7])


@pytest.mark.parametrize(
    ("ours", "error", "n_splits", "printed", "expected"),
    [
        (0.8721, 0.001, 50, 0.8774, "agrees"),
        (0.8721, 0.001, 50, 0.8874, "differs"),
        (0.8721, 0.008, 50, 0.8874, "agrees"),  # chance is wider than 0.01
        (0.8721, 0.005, 50, 0.8874, "differs"),  # 2.01 × √2 × 0.005 = 0.0142
        (0.8721, 0.0055, 50, 0.8874, "agrees"),  # 0.0156
        (0.8721, 0.005, 5, 0.8867, "agrees"),  # 2.78 × √1.1 × 0.005 = 0.0146
        (0.8721, 0.005, 5, 0.8869, "differs"),
        (0.76005, 0.0, 50, 0.75, "agrees"),  # at the border, in spite of rounding
        (0.7601, 0.0, 50, 0.75, "differs"),
        (0.755, math.nan, 1, 0.75, "agrees"),
        (0.755, 0.0, 50, math.nan, "no printed value"),
        (math.nan, math.nan, 0, 0.75, "not run"),
    ],
)
def test_evidence_turns_a_verdict_over(ours, error, n_splits, printed, expected):
    assert verdict(ours, error, n_splits, printed) == expected


def test_the_tolerance_covers_the_difference_of_two_means_in_95_of_100_cases():
    rng = np.random.default_rng(1)
    for n in (5, 50):
        ours, theirs = rng.normal(0, 1, (4000, n)), rng.normal(0, 1, (4000, 50)).mean(axis=1)
        errors = ours.std(axis=1, ddof=1) / math.sqrt(n)
        within = [abs(a.mean() - b) <= tolerance(e, n) for a, b, e in zip(ours, theirs, errors, strict=True)]
        assert np.mean(within) == pytest.approx(0.95, abs=0.012)
