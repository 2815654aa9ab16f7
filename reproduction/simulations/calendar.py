"""Suggestions for a calendar: by a window and online, and on calendars that drift (thesis section 3.5.4)."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import calendar_stream
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..record.simulation import simulation
from .apprentice import suggestions


def _day(n_appointments: int, random_state: int = 0) -> tuple[np.ndarray, np.ndarray, list[range]]:
    """Inputs and day of the first appointments of a stream, and the values of the inputs."""
    X, targets = calendar_stream(random_state)
    X, y = X[:n_appointments], targets["day"][:n_appointments]
    return X, y, [range(n_values) for n_values in X.max(axis=0) + 1]


@simulation(small={"n_models": 2, "n_appointments": 50})
def loop_differences(
    n_models: int = 100,
    n_appointments: int = 1790,
    learners: Sequence[str] = ("Naive Bayes", "bagged stumps"),
) -> tuple[dict[str, int], int]:
    """Compare `prequential_predict` with the loop that predicts, counts and only then learns.

    Of the first appointments of the stream 300 at most are compared. Give for each learner the number of
    predictions of the day that differ, and the number of predictions.
    """
    X, y, categories = _day(n_appointments)
    X, y = X[:300], y[:300]
    classes = np.unique(y)

    def loop(model: Any) -> np.ndarray:
        suggestions = []
        for x, chosen in zip(X, y, strict=True):
            suggestions.append(model.predict([x])[0] if hasattr(model, "classes_") else classes[0])
            model.partial_fit([x], [chosen], classes=classes)
        return np.array(suggestions)

    makers: dict[str, Callable[[], Any]] = {
        "Naive Bayes": lambda: NaiveBayesClassifier(categories=categories),
        "bagged stumps": lambda: OnlineBaggingClassifier(
            DecisionStumpClassifier(), n_models, categories=categories, random_state=1
        ),
    }
    differing = {
        name: int(np.sum(loop(make()) != make().prequential_predict(X, y, classes=classes)))
        for name, make in makers.items()
        if name in learners
    }
    return differing, len(X)


@simulation(small={"windows": (25, 50), "n_models": 2, "n_appointments": 100, "n_streams": 2})
def window_accuracy(
    windows: Sequence[int] = (25, 50, 100, 200, 400, 800),
    n_models: int = 100,
    n_appointments: int = 1790,
    n_streams: int = 4,
) -> pd.DataFrame:
    """Compare batch learning on a sliding window with online learning, on generated streams.

    Naive Bayes is trained anew on a window after every tenth appointment, and learns each appointment
    once, alone and bagged.

    The frame has shares of the days that are predicted correctly: a row for each size of the window, and for
    "online, alone" and "online bagging"; a column for each stream.
    """

    def on_stream(random_state: int) -> dict[Any, float]:
        X, y, values = _day(n_appointments, random_state)

        def windowed(size: int) -> float:
            correct = 0
            for start in range(10, len(y), 10):
                recent, new = slice(max(0, start - size), start), slice(start, start + 10)
                model = NaiveBayesClassifier(categories=values).fit(X[recent], y[recent])
                correct += np.sum(model.predict(X[new]) == y[new])
            return correct / (len(y) - 10)

        found: dict[Any, float] = {size: windowed(size) for size in windows}
        bag = OnlineBaggingClassifier(NaiveBayesClassifier(), n_models, categories=values, random_state=1)
        online = {"online, alone": NaiveBayesClassifier(categories=values), "online bagging": bag}
        for name, model in online.items():
            predicted = model.prequential_predict(X, y, classes=np.unique(y))
            found[name] = float(np.mean(predicted[10:] == y[10:]))
        return found

    return pd.DataFrame({stream: on_stream(stream) for stream in range(n_streams)})


class Regime(NamedTuple):
    """How habits change: arguments of `calendar_stream`."""

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
_PER_DAY = 3  # appointments between two nights, in which the apprentice learns
_AFRESH = 10  # appointments after which trees are bagged anew on a window


class _Calendar(NamedTuple):
    """Appointments: codes of the inputs, of the day, and number of values of each input."""

    X: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]
    n_values: tuple[int, ...]

    def bag(self, make: Callable[..., Any], n_models: int, seed: int) -> Any:
        """Make an ensemble of trees for these inputs."""
        categories = [range(n) for n in self.n_values]
        return make(DecisionTreeClassifier(), n_models, categories=categories, random_state=seed)


def _apprentice(keeps: bool) -> Callable[[_Calendar, int, int, int], npt.NDArray[Any]]:
    def suggest(calendar: _Calendar, window: int, n_models: int, seed: int) -> npt.NDArray[Any]:
        return suggestions(*calendar, seed, window, window * 2 // 3, _PER_DAY, keeps)

    return suggest


def _on_window(calendar: _Calendar, window: int, n_models: int, seed: int) -> npt.NDArray[Any]:
    X, y, _ = calendar
    model = calendar.bag(BaggingClassifier, n_models, seed)
    suggested = np.zeros_like(y)
    for now in range(_AFRESH, len(y), _AFRESH):
        recent, new = slice(max(0, now - window), now), slice(now, now + _AFRESH)
        suggested[new] = model.fit(X[recent], y[recent]).predict(X[new])
    return suggested


def _online(calendar: _Calendar, window: int, n_models: int, seed: int) -> npt.NDArray[Any]:
    X, y, _ = calendar
    model = calendar.bag(OnlineBaggingClassifier, n_models, seed)
    return np.asarray(model.prequential_predict(X, y, classes=np.unique(y)))


#: How each learner suggests, by name.
LEARNERS: dict[str, Callable[[_Calendar, int, int, int], npt.NDArray[Any]]] = {
    "apprentice": _apprentice(keeps=True),
    "apprentice, new rules": _apprentice(keeps=False),
    "bagging on a window": _on_window,
    "online bagging": _online,
}


@simulation(
    small={"n_appointments": 60},
    calls=[{}, {"learner": "bagging on a window", "window": 720}, {"learner": "online bagging", "window": 0}],
)
def right_suggestions(
    regime: str = "break",
    learner: str = "apprentice",
    window: int = 180,
    stream: int = 0,
    n_models: int = 10,
    n_appointments: int = 1790,
) -> npt.NDArray[np.bool_]:
    """Let a learner suggest the day of each appointment, and say which suggestions are right."""
    X, targets = calendar_stream(stream, *REGIMES[regime])
    first = slice(n_appointments)
    calendar = _Calendar(X[first], targets["day"][first], tuple((X.max(axis=0) + 1).tolist()))
    return np.asarray(LEARNERS[learner](calendar, window, n_models, stream) == calendar.y)
