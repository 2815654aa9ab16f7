"""Panels of the stream in the plane: what they say is what the learner does."""

import numpy as np
import pytest

from reproduction.pages import plane_panels
from reproduction.simulations.moving_disc import DRIFT_AT, RADIUS, is_inside, learned, moving_disc


def test_the_disc_moves_half_way_and_a_tenth_of_the_labels_is_wrong():
    X, y = moving_disc()
    has_moved = np.arange(len(y)) >= DRIFT_AT
    assert np.mean(y != is_inside(X, has_moved)) == pytest.approx(0.1, abs=0.02)
    assert np.mean(is_inside(X, False)) == pytest.approx(np.pi * RADIUS**2, abs=0.02)


def test_a_panel_says_on_which_share_of_the_square_its_learner_is_right():
    cells = plane_panels("stump", "ADWIN bagging").cells["share right"]
    at = np.random.default_rng(1).random((4000, 2))
    for name, has_moved in (("stump", False), ("ADWIN bagging", True)):
        right = learned(name).predict(at) == is_inside(at, has_moved)
        assert cells[name] == pytest.approx(right.mean(), abs=0.03)
