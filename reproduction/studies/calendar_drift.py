"""Suggestions on generated calendars whose habits change in several ways (thesis section 3.5.4).

They are made by the learner of the Calendar Apprentice, by trees bagged on a window, and by online bagging.
"""

from dataclasses import astuple, dataclass, replace
from itertools import product
from typing import ClassVar, NamedTuple

import pandas as pd

from ..record.study import Study
from ..simulations.calendar import REGIMES, right_suggestions
from .calendar import Accuracy
from .statistics import mean_against_zero

#: Sizes of the window of bagged trees.
WINDOWS = (90, 180, 360, 720)
#: Sizes of the window of the apprentice's learner, of which its tree learns two thirds.
APPRENTICE_WINDOWS = (180,)
STREAMS = range(4)
N_MODELS, _LENGTH = 10, 1790
#: By how much online bagging may be less accurate than the best window if none is needed: that of claim C089.
TOLERANCE = 0.01


@dataclass(frozen=True, order=True)
class Suggestions:
    """A learner that suggests the day of the first appointments of a stream; `dataset` is the regime.

    The size of the window is 0 for learners without.
    """

    dataset: str
    learner: str
    window: int
    stream: int
    n_models: int
    n_appointments: int

    study: ClassVar = "calendar-drift"


def of_calendar(task: Suggestions) -> Accuracy:
    return Accuracy(float(right_suggestions(*astuple(task)).mean()))


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


def _tasks() -> list[Suggestions]:
    settings = [
        *(("apprentice", window) for window in APPRENTICE_WINDOWS),
        ("apprentice, new rules", 180),
        *(("bagging on a window", window) for window in WINDOWS),
        ("online bagging", 0),
    ]
    return [
        Suggestions(regime, learner, window, stream, N_MODELS, _LENGTH)
        for regime, stream, (learner, window) in product(REGIMES, STREAMS, settings)
    ]


STUDY = Study.of(
    of_calendar,
    "The Calendar Apprentice's learner, windows and online bagging on calendars that drift",
    smoke=lambda: [replace(task, n_models=2, n_appointments=40) for task in _tasks()[:7]],
    thesis=_tasks,
    quick=lambda task: task.stream == 0,
)
