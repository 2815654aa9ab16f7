"""Calendars that drift in several ways, and who suggests their days."""

import numpy as np
import pytest

from oza import DecisionTreeClassifier, OnlineBaggingClassifier
from oza.datasets import calendar_stream
from reproduction.simulations.calendar import LEARNERS, REGIMES, right_suggestions
from reproduction.studies.calendar_drift import Suggestions, of_calendar


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
