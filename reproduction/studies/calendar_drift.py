"""Suggestions on generated calendars whose habits change in several ways (thesis section 3.5.4).

They are made by the learner of the Calendar Apprentice, by trees bagged on a window, and by online bagging.
"""

from typing import Any, NamedTuple

import pandas as pd

from ..record.study import cells, study
from ..simulations.calendar import REGIMES, right_suggestions
from ..statistics import mean_against_zero

#: Learners and the sizes of their windows, 0 if they have none; the apprentice's tree learns two thirds.
_LEARNERS = cells(
    {"learner": ("apprentice", "apprentice, new rules"), "window": 180},
    {"learner": "bagging on a window", "window": (90, 180, 360, 720)},
    {"learner": "online bagging", "window": 0},
)
#: By how much online bagging may be less accurate than the best window if none is needed: that of claim C089.
TOLERANCE = 0.01


def _cells(**others: Any) -> list[dict[str, Any]]:
    return [first | learner for first in cells(**others) for learner in _LEARNERS]


@study(
    "calendar-drift",
    "The Calendar Apprentice's learner, windows and online bagging on calendars that drift",
    {"accuracy": float},  # share of right suggestions
    smoke=lambda: _cells(dataset=next(iter(REGIMES)), stream=0, n_models=2, n_appointments=40),
    thesis=lambda: _cells(dataset=REGIMES, stream=range(4), n_models=10, n_appointments=1790),
    quick=lambda task: task.stream == 0,
)
def calendar_drift(
    dataset: str, learner: str, window: int, stream: int, n_models: int, n_appointments: int
) -> float:
    """Suggest the day of the first appointments of a stream; `dataset` is the regime."""
    return float(right_suggestions(dataset, learner, window, stream, n_models, n_appointments).mean())


class Gap(NamedTuple):
    """Online bagging beside the best window of bagging, in one regime."""

    window: int  # the one with the highest mean accuracy, chosen in hindsight
    best: float  # mean accuracy
    online: float
    gap: float  # mean of online − best over the runs
    half_width: float  # of its 95 % interval, by Student's t
    needs_no_window: bool | None  # if the interval is above or below −TOLERANCE; else None


def gap(windows: pd.DataFrame, online: pd.Series) -> Gap:
    """Judge in one regime whether online bagging does without a window.

    `windows` has a row for each window, a column for each run.

    >>> windows = pd.DataFrame([[0.5, 0.52, 0.54], [0.4, 0.45, 0.41]], index=[90, 180])
    >>> gap(windows, pd.Series([0.501, 0.521, 0.541])).needs_no_window
    True
    """
    best = windows.index[int(windows.mean(axis=1).argmax())]
    differences = online - windows.loc[best]
    mean, half, *_ = mean_against_zero(differences)
    decided = True if mean - half > -TOLERANCE else False if mean + half < -TOLERANCE else None
    return Gap(best, float(windows.loc[best].mean()), float(online.mean()), mean, half, decided)
