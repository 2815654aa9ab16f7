"""The calendar experiment (thesis sections 3.5.4 and 4.6.5), on streams of the same shape.

The calendar data cannot be obtained. On generated calendars, some of which drift, suggestions are made by the
learner of the Calendar Apprentice, by learning on a window, and by online learning.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from oza.datasets import calendar_stream
from oza.datasets.calendar import TARGETS
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.random import key_of
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..claims.registry import UNTESTABLE, Decision, Found, claim, require
from ..printed.layout import heading
from ..printed.printed import printed
from ..printed.record import Record
from ..printed.table import Table, stacked
from ..record.simulation import simulation
from ..record.study import cells, study
from ..statistics import mean_against_zero
from ..studies.algorithms import ALGORITHMS, BASE_MODELS
from ..theory.apprentice import suggestions


def _days(n_appointments: int, random_state: int, *drift: Any) -> tuple[np.ndarray, np.ndarray, list[range]]:
    """Inputs and day of the first appointments of a stream, and the values of the inputs."""
    X, targets = calendar_stream(random_state, *drift)
    categories = [range(n_values) for n_values in X.max(axis=0) + 1]
    return X[:n_appointments], targets["day"][:n_appointments], categories


_AFRESH = 10  # appointments after which a model is trained anew on a window


def _on_window(model: Any, X: np.ndarray, y: np.ndarray, window: int) -> np.ndarray:
    """Predict ten appointments at a time, trained anew on a window before them; the first ten are 0."""
    predicted = np.zeros_like(y)
    for now in range(_AFRESH, len(y), _AFRESH):
        recent, new = slice(max(0, now - window), now), slice(now, now + _AFRESH)
        predicted[new] = model.fit(X[recent], y[recent]).predict(X[new])
    return predicted


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
    X, y, categories = _days(min(n_appointments, 300), 0)
    classes = np.unique(y)

    def loop(model: Any) -> np.ndarray:
        suggestions = []
        for x, chosen in zip(X, y, strict=True):
            suggestions.append(model.predict([x])[0] if hasattr(model, "classes_") else classes[0])
            model.partial_fit([x], [chosen], classes=classes)
        return np.array(suggestions)

    bag = OnlineBaggingClassifier(DecisionStumpClassifier(), n_models, random_state=1)
    differing = {}
    for name, model in {"Naive Bayes": NaiveBayesClassifier(), "bagged stumps": bag}.items():
        if name in learners:
            model.set_params(categories=categories)
            theirs = clone(model).prequential_predict(X, y, classes=classes)
            differing[name] = int(np.sum(loop(model) != theirs))
    return differing, len(X)


@simulation(small={"windows": (25, 50), "n_models": 2, "n_appointments": 100, "n_streams": 2})
def window_accuracy(
    windows: Sequence[int] = (25, 50, 100, 200, 400, 800),
    n_models: int = 100,
    n_appointments: int = 1790,
    n_streams: int = 4,
) -> pd.DataFrame:
    """Compare batch learning on a sliding window with online learning, on generated streams.

    Naive Bayes is trained anew on a window after every tenth appointment; online, alone and bagged, it is
    trained once on each appointment.

    The frame has shares of the days that are predicted correctly: a row for each size of the window, and for
    "online, alone" and "online bagging"; a column for each stream.
    """
    found = {}
    for stream in range(n_streams):
        X, y, categories = _days(n_appointments, stream)
        alone = NaiveBayesClassifier(categories=categories)
        predicted: dict[Any, np.ndarray] = {size: _on_window(alone, X, y, size) for size in windows}
        bag = OnlineBaggingClassifier(NaiveBayesClassifier(), n_models, categories=categories, random_state=1)
        for name, model in {"online, alone": clone(alone), "online bagging": bag}.items():
            predicted[name] = model.prequential_predict(X, y, classes=np.unique(y))
        found[stream] = {name: np.mean(days[10:] == y[10:]) for name, days in predicted.items()}
    return pd.DataFrame(found)


#: Regimes of drift by name: when habits change, and how many of them, as `calendar_stream` takes them.
REGIMES: dict[str, tuple[Sequence[int], float]] = {
    "steady": ((0,), 0.0),
    "creeping": (range(24), 0.1),
    "partial": ((0, 1, 2, 3), 0.25),
    "break": ((0, 1), 1.0),
    "turnover": (range(8), 1.0),
    "returning": ((0, 1) * 4, 1.0),
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
) -> np.ndarray:
    """Let a learner suggest the day of each appointment, and say which suggestions are right."""
    X, y, categories = _days(n_appointments, stream, *REGIMES[regime])
    if learner in ("apprentice", "apprentice, new rules"):
        keeps = learner == "apprentice"
        return suggestions(X, y, tuple(map(len, categories)), stream, window, keeps=keeps) == y
    kinds = {"online bagging": OnlineBaggingClassifier, "bagging on a window": BaggingClassifier}
    model: Any = kinds[learner](
        DecisionTreeClassifier(), n_models, categories=categories, random_state=stream
    )
    if learner == "online bagging":
        return np.asarray(model.prequential_predict(X, y, classes=np.unique(y)) == y)
    return _on_window(model, X, y, window) == y


def predictions(
    base_models: str | Iterable[str], n_models: int = 100, n_appointments: int = 1790
) -> list[dict[str, Any]]:
    """List the cells of both targets, predicted by one model and by ensembles, on the first appointments."""
    return cells(
        {"n_models": n_models, "n_appointments": n_appointments},
        dataset="calendar",
        base_model=base_models,
        target=TARGETS,
        algorithm=("single", "online_bagging", "online_boosting"),
    )


@study(
    "calendar",
    "Test-then-train on a generated stream like the thesis's calendar",
    {"accuracy": float},  # share of the appointments that were predicted correctly
    smoke=lambda: predictions("naive_bayes", 2, 50),
    thesis=lambda: predictions(BASE_MODELS),
    quick=lambda task: task.base_model == "naive_bayes",
)
def calendar(
    dataset: str, base_model: str, algorithm: str, target: str, n_models: int, n_appointments: int
) -> float:
    """Predict a target of each of the first appointments, then train on it."""
    X, targets = calendar_stream()
    categories = [range(n_values) for n_values in X.max(axis=0) + 1]
    first, y = slice(n_appointments), targets[target]
    seed = key_of(f"calendar {target}", "calendar", base_model, algorithm, n_models, 0, 0, 0)
    model = ALGORITHMS[algorithm].make(BASE_MODELS[base_model](), n_models, seed)
    model.set_params(categories=categories)
    predicted = model.prequential_predict(X[first], y[first], classes=np.unique(y))
    return float(np.mean(predicted == y[first]))


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


_SUBSTITUTE = "the calendar data cannot be obtained, and a generated stream cannot decide the claim"


def _windows(record: Record) -> tuple:
    """Evidence: accuracies on four generated streams."""
    found = window_accuracy.recorded()
    online = ["online, alone", "online bagging"]
    return found.drop(online), found.loc["online bagging"], False


@claim("C089", evidence=_windows)
def windows_need_tuning(windows: pd.DataFrame, online: pd.Series, is_real: Found[bool]) -> Decision:
    """Judge accuracies of batch learning on a sliding window beside online bagging, on the calendar data.

    The size of the window must be tuned if the best and the worst window differ by more than 0.01; online
    bagging does not need this number if its mean accuracy is at most 0.01 below that of the best window. If
    the best window is the largest or the smallest one tried, a better one may lie beyond it, and the claim is
    undecided. Generated streams that drift cannot decide it; the evidence reports them.
    """
    means, kept = windows.mean(axis="columns"), online.mean()
    sizes = list(map(str, windows.index))
    at = int(means.argmax())
    edge = {0: ", the smallest tried", len(sizes) - 1: ", the largest tried"}.get(at, "")
    gap = online - windows.loc[windows.index[at]]
    evidence = (
        f"mean accuracy of windows {means.min():.4f} to {means.max():.4f}, highest for size {sizes[at]}{edge}"
        f"; online bagging {kept:.4f}, {gap.mean():+.4f} ± {gap.sem():.4f} (standard error over streams)"
    )
    require(is_real, f"{_SUBSTITUTE}; on {len(online)} generated streams {evidence}", UNTESTABLE)
    require(not edge, evidence)
    return bool(means.max() - means.min() > 0.01 and kept >= means.max() - 0.01), evidence


def _calendar(record: Record) -> tuple[pd.DataFrame, bool]:
    """Evidence: what is recorded on the generated stream."""
    rows = calendar.recorded("thesis", record.folder)
    record.note("calendar", rows.assign(dataset="generated stream"))
    return rows.pivot(index="base_model", columns=["target", "algorithm"], values="accuracy"), False


def _calendar_and_reference(record: Record) -> tuple[pd.DataFrame, Mapping, bool]:
    theirs = printed("calendar").query("algorithm == 'reference'").set_index("target")["accuracy"]
    accuracy, is_real = _calendar(record)
    return accuracy, theirs.to_dict(), is_real


@claim("C011", evidence=_calendar)
def bagged_trees_are_best_on_the_calendar(accuracy: pd.DataFrame, is_real: Found[bool]) -> Decision:
    """Judge Table 3.12: online bagging of trees is best for each target, and better than one tree."""
    require(is_real, _SUBSTITUTE, UNTESTABLE)
    tree = accuracy.loc["decision_tree"]
    bagged, alone = (tree.xs(name, level="algorithm") for name in ("online_bagging", "single"))
    best = accuracy.T.groupby(level="target").max().T.max()
    return bool((bagged == best).all() and (bagged > alone).all()), f"bagged trees {bagged.to_dict()}"


@claim("C085", evidence=lambda record: (None,))
def calendar_has_its_counts(counts: Mapping[str, int] | None) -> Decision:
    """Judge the shape of the calendar data: appointments, inputs, values of both targets."""
    if counts is None:
        return UNTESTABLE, "the calendar data cannot be obtained"
    wanted = {"appointments": 1790, "inputs": 32, "day": 6, "duration": 13}
    return dict(counts) == wanted, ", ".join(f"{name} {count}" for name, count in counts.items())


@claim("C086", evidence=lambda record: loop_differences.recorded())
def accuracy_is_prequential(differing: Mapping[str, int], n_examples: Found[int]) -> Decision:
    """Judge how many predictions differ from a loop that predicts each example before learning it."""
    require(differing and n_examples, "nothing was compared")
    evidence = "; ".join(f"{name}: {count} of {n_examples} differ" for name, count in differing.items())
    return not any(differing.values()), evidence


@claim("C087", evidence=_calendar_and_reference, given=("reference",))
def trees_compete_on_the_calendar(
    accuracy: pd.DataFrame, reference: Mapping[str, float], is_real: Found[bool]
) -> Decision:
    """Judge Table 3.12: single trees are at most 0.01 below the reference, bagged trees above single ones."""
    require(is_real, _SUBSTITUTE, UNTESTABLE)
    tree = accuracy.loc["decision_tree"]
    targets = list(reference)
    single, bagged = ([tree[target, name] for target in targets] for name in ("single", "online_bagging"))
    holds = all(
        s >= reference[target] - 0.01 and b > s for target, s, b in zip(targets, single, bagged, strict=True)
    )
    return holds, f"single {single}, bagged {bagged}, reference {list(reference.values())}"


@claim("C088", evidence=_calendar_and_reference, given=("reference",))
def others_do_not_compete_on_the_calendar(
    accuracy: pd.DataFrame, reference: Mapping[str, float], is_real: Found[bool]
) -> Decision:
    """Judge Table 3.12: every other base model, alone or bagged, is more than 0.01 below the reference."""
    require(is_real, _SUBSTITUTE, UNTESTABLE)
    best = accuracy.drop("decision_tree").T.groupby(level="target").max().max(axis=1)
    return all(best[target] < value - 0.01 for target, value in reference.items()), f"best {best.to_dict()}"


def calendar_table(accuracy: pd.DataFrame) -> Table:
    """Set accuracies on the generated stream beside those printed for the calendar data, without verdict.

    A row for each base model, columns by target and algorithm: ours over the printed value.
    """
    theirs = printed("calendar").query("algorithm != 'reference'")
    ten = theirs["updates_per_example"].eq(10)
    theirs = theirs.assign(base_model=theirs["base_model"] + ten.map({True: "_10", False: ""}))
    keys = ["base_model", "target", "algorithm"]
    both = [rows.set_index(keys)["accuracy"] for rows in (accuracy, theirs)]
    cells = pd.concat(both, keys=["generated", "printed"], names=["source"])
    pairs = cells.unstack("source", sort=False).map(lambda value: "" if pd.isna(value) else f"{value:.4f}")
    texts = pd.Series(map(stacked, pairs["generated"].replace("", "–"), pairs["printed"]), pairs.index)
    shown = texts.unstack(["target", "algorithm"], sort=False).loc[accuracy["base_model"].unique()]
    shown = shown.fillna("–").sort_index(axis="columns", level="target", sort_remaining=False)
    shown = shown.rename(columns=heading, level="algorithm")
    names = [str(name).replace("_10", ", 10 updates").replace("_", " ") for name in shown.index]
    shown.index = pd.Index(names, name="Base model")
    title = "Tables 3.12 and 4.13: fraction correct on a generated stream, below it the printed value"
    return Table(title, cells.to_frame(), shown, pd.DataFrame("", shown.index, shown.columns))
