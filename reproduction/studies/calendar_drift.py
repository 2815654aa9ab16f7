"""Suggestions on generated calendars whose habits change in several ways (thesis section 3.5.4).

They are made by the learner of the Calendar Apprentice, by trees bagged on a window, and by online bagging.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import calendar_stream
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.models import DecisionTreeClassifier

from ..record.study import Study
from ..simulations.apprentice import suggestions
from .calendar import Accuracy
from .statistics import of_mean


class Regime(NamedTuple):
    terms: tuple[int, ...]
    changes: float


#: Regimes of drift by name.
REGIMES = {
    "steady": Regime((0,), 0.0),
    "creeping": Regime(tuple(range(24)), 0.1),
    "partial": Regime((0, 1, 2, 3), 0.25),
    "break": Regime((0, 1), 1.0),
    "turnover": Regime(tuple(range(8)), 1.0),
    "returning": Regime((0, 1) * 4, 1.0),
}
#: Sizes of the window of bagged trees.
WINDOWS = (90, 180, 360, 720)
#: Sizes of the window of the apprentice's learner, of which its tree learns two thirds.
APPRENTICE_WINDOWS = (180,)
STREAMS = range(4)
N_MODELS, _LENGTH = 10, 1790
_PER_DAY = 3  # appointments between two nights, in which the apprentice learns
_AFRESH = 10  # appointments after which trees are bagged anew on a window
#: By how much online bagging may be less accurate than the best window if none is needed: that of claim C089.
TOLERANCE = 0.01


@dataclass(frozen=True, order=True)
class Suggestions:
    """A learner that suggests the day of the first appointments of a stream; `dataset` is the regime.

    The size of the window is 0 for learners without.
    """

    study: ClassVar = "calendar-drift"
    dataset: str
    learner: str
    window: int
    stream: int
    n_models: int
    n_appointments: int


class Calendar(NamedTuple):
    """Appointments: codes of the inputs, of the day, and number of values of each input."""

    X: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]
    n_values: tuple[int, ...]


def _calendar(task: Suggestions) -> Calendar:
    X, targets = calendar_stream(task.stream, *REGIMES[task.dataset])
    first = slice(task.n_appointments)
    return Calendar(X[first], targets["day"][first], tuple((X.max(axis=0) + 1).tolist()))


def _apprentice(keeps: bool) -> Callable[[Calendar, Suggestions], npt.NDArray[Any]]:
    def suggest(calendar: Calendar, task: Suggestions) -> npt.NDArray[Any]:
        n_drawn = task.window * 2 // 3
        return suggestions(*calendar, task.stream, task.window, n_drawn, _PER_DAY, keeps)

    return suggest


def _bag(make: Callable[..., Any], calendar: Calendar, task: Suggestions) -> Any:
    categories = [range(n) for n in calendar.n_values]
    return make(DecisionTreeClassifier(), task.n_models, categories=categories, random_state=task.stream)


def _on_window(calendar: Calendar, task: Suggestions) -> npt.NDArray[Any]:
    X, y, _ = calendar
    model = _bag(BaggingClassifier, calendar, task)
    suggested = np.zeros_like(y)
    for now in range(_AFRESH, len(y), _AFRESH):
        recent, new = slice(max(0, now - task.window), now), slice(now, now + _AFRESH)
        suggested[new] = model.fit(X[recent], y[recent]).predict(X[new])
    return suggested


def _online(calendar: Calendar, task: Suggestions) -> npt.NDArray[Any]:
    X, y, _ = calendar
    model = _bag(OnlineBaggingClassifier, calendar, task)
    return np.asarray(model.prequential_predict(X, y, classes=np.unique(y)))


#: How each learner suggests, by name.
LEARNERS: dict[str, Callable[[Calendar, Suggestions], npt.NDArray[Any]]] = {
    "apprentice": _apprentice(keeps=True),
    "apprentice, new rules": _apprentice(keeps=False),
    "bagging on a window": _on_window,
    "online bagging": _online,
}


def is_right(task: Suggestions) -> npt.NDArray[np.bool_]:
    """Let a learner suggest the day of each appointment, and say which suggestions are right."""
    calendar = _calendar(task)
    return np.asarray(LEARNERS[task.learner](calendar, task) == calendar.y)


def of_calendar(task: Suggestions) -> Accuracy:
    return Accuracy(float(is_right(task).mean()))


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
    mean, half, *_ = of_mean(differences)
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
