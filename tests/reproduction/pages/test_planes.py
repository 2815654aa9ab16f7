"""Panels of the stream in the plane: what they say is what the learner does."""

import numpy as np
import pytest

from reproduction.pages import plane_panels
from reproduction.simulations.moving_disc import (
    RADIUS,
    before_the_drift,
    is_inside,
    moving_disc,
    shares_in_the_plane,
)


def test_the_disc_moves_half_way_and_a_tenth_of_the_labels_is_wrong():
    X, y = moving_disc()
    has_moved = np.arange(len(y)) >= len(y) // 2
    assert np.mean(y != is_inside(X, has_moved)) == pytest.approx(0.1, abs=0.02)
    assert np.mean(is_inside(X, False)) == pytest.approx(np.pi * RADIUS**2, abs=0.02)


def test_a_panel_says_on_which_share_of_the_square_its_learner_is_right():
    cells = plane_panels("stump", "ADWIN bagging").cells["share right"]
    X, y = moving_disc()
    at = np.random.default_rng(1).random((4000, 2))
    half = len(y) // 2
    right = before_the_drift()["stump"].fit(X[:half], y[:half]).predict(at) == is_inside(at, False)
    assert cells["stump"] == pytest.approx(right.mean(), abs=0.03)
    moved = np.array(shares_in_the_plane.recorded("ADWIN bagging"))[5::10, 5::10] > 0.5  # rows from below
    places = np.array([(a, b) for b in np.arange(0.055, 1, 0.1) for a in np.arange(0.055, 1, 0.1)])
    right = moved.ravel() == is_inside(places, True)
    assert cells["ADWIN bagging"] == pytest.approx(right.mean(), abs=0.05)
