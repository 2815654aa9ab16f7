"""Calendars that drift in several ways, and who suggests their days."""

import numpy as np
import pandas as pd
import pytest

from oza import DecisionTreeClassifier, OnlineBaggingClassifier
from oza.datasets import calendar_stream
from reproduction.simulations.calendar import LEARNERS, REGIMES, right_suggestions
from reproduction.studies.calendar_drift import Suggestions, gap, of_calendar


def same_days(first, second):
    """Where two calendars with the same appointments have the same day."""
    days = [calendar_stream(0, *regime)[1]["day"] for regime in (first, second)]
    return days[0] == days[1]


def test_days_differ_where_habits_do():
    same = same_days(REGIMES["break"], REGIMES["returning"])
    is_late, is_odd = np.arange(1790) >= 895, np.arange(1790) * 8 // 1790 % 2 == 1
    assert same[is_late == is_odd].all()
    assert 0.2 < same[is_late != is_odd].mean() < 0.7  # a third follow no habit


def test_creeping_habits_move_away_from_the_first_ones():
    regime = REGIMES["creeping"]
    still = (0,) * 23 + (23,), regime.changes
    same = same_days(regime, still)[: 1790 * 23 // 24]
    shares = [part.mean() for part in np.array_split(same, 4)]
    assert same[:74].all() and shares == sorted(shares, reverse=True) and shares[3] < 0.6


def test_the_partial_regime_is_the_calendar_of_the_other_page():
    assert same_days(REGIMES["partial"], ((0, 1, 2, 3), 0.25)).all()
    assert (calendar_stream(3, *REGIMES["partial"])[0] == calendar_stream(3)[0]).all()


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_is_judged_by_what_it_suggests_before_it_is_told(learner):
    """What comes later changes no suggestion."""
    window = 0 if learner == "online bagging" else 30
    short, long = (right_suggestions("turnover", learner, window, 1, 2, n) for n in (60, 90))
    assert (long[:60] == short).all()
    task = Suggestions("turnover", learner, window, 1, 2, 90)
    assert of_calendar(task).accuracy == pytest.approx(long.mean())


def test_online_bagging_learns_each_appointment_after_its_suggestion():
    X, targets = calendar_stream(2, *REGIMES["break"])
    y, categories = targets["day"][:50], [range(n) for n in X.max(axis=0) + 1]
    model = OnlineBaggingClassifier(DecisionTreeClassifier(), 3, categories=categories, random_state=2)
    right = []
    for x, day in zip(X, y, strict=False):
        suggested = model.predict([x])[0] if hasattr(model, "classes_") else np.unique(y)[0]
        right.append(suggested == day)
        model.partial_fit([x], [day], classes=np.unique(y))
    assert (right_suggestions("break", "online bagging", 0, 2, 3, 50) == right).all()


def test_a_window_is_needed_if_its_advantage_is_certain():
    windows = pd.DataFrame([[0.50, 0.52, 0.54], [0.40, 0.45, 0.41]], index=[90, 180])
    best = windows.loc[90]
    assert gap(windows, best - 0.005).needs_no_window is True
    assert gap(windows, best - 0.05).needs_no_window is False
    unsure = gap(windows, best + np.array([-0.05, 0.0, 0.05]))
    assert unsure.needs_no_window is None and unsure.gap == pytest.approx(0) and unsure.half_width > 0.1
    assert unsure.window == 90 and unsure.best == pytest.approx(0.52)
