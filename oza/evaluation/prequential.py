"""`prequential`: several classifiers on one stream, each example predicted before it is learned."""

from __future__ import annotations

import inspect
import io
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.exceptions import NotFittedError

from ..classifier.base import KernelClassifier
from ..classifier.contract import BaseModel
from ..columns.kinds import is_auto
from ..columns.table import as_rows
from ..columns.validation import (
    check_integer,
    check_labels,
    check_number,
    check_order,
    check_sample_weight,
    distinct_labels,
    encode_labels,
)
from ..extras import progress_bar
from ..streams.base import StreamSchema
from .evaluation import MAJORITY, NO_CHANGE, Evaluation
from .scores import MajorityClass, NoChange, Tally, View, accuracy_of, check_metrics, scores_of

_ALARM = ["example", "member", "replaced"]


def prequential(
    models: Any,
    stream: Any,
    *,
    start: int = 0,
    stop: int | None = None,
    every: int = 1000,
    window: int = 1000,
    fading: float = 0.999,
    holdout: Any = None,
    delay: int = 0,
    metrics: Any = None,
    sample_weight: Any = None,
    progress: bool | str | None = None,
) -> Evaluation:
    """Let classifiers predict each example of a stream and then learn from it, and keep score.

    *No change*, which predicts the class of the example before, and *majority class*, which predicts the
    most frequent one so far, always run as well: they show what a classifier is worth.

    Parameters
    ----------
    models : classifier, list of classifiers, or dict of them by name
        Classifiers of this library, or others with `partial_fit` and `predict`, which get one row at a
        time. These objects themselves are trained, further if they were trained before. If a stream knows
        its nominal columns, classifiers of this library that have not been trained and declare no columns
        take them from it: `categories` is set.
    stream : stream of `oza.streams`, or pair (X, y)
        Where the examples come from.
    start : int, default=0
        Number of the first example.
    stop : int or None, default=None
        Number of the first example that is left out; None for all, of a stream that has an end.
    every : int, default=1000
        After how many examples to note the scores; also at the end.
    window : int, default=1000
        Number of the latest examples in the sliding window.
    fading : float, default=0.999
        Weight of an example relative to the one after it, above 0 and at most 1.
    holdout : pair (X, y), function, or None, default=None
        Examples to predict at each such moment, without training on them; or a function that gives them
        for the number of examples so far, where they change with the stream.
    delay : int, default=0
        How many examples later than usual a label comes: example n is predicted when the labels up to that
        of example n − 1 − `delay` have been learned. The last labels never come. With a delay every
        classifier learns and predicts row by row, which is slower.
    metrics : str, function, list of them, dict of them by name, or None, default=None
        Further scores, by scikit-learn's functions: "precision", "recall" and "f1", averaged over the classes
        for which they are defined, or with "_by_class" a column for each class; "balanced_accuracy" and
        "g_mean", the geometric mean of the recalls; "roc_auc", for more than two classes averaged over each
        against the rest, and "log_loss". Functions take ``(y_true, y_pred, sample_weight=)``, or, with
        `y_score` in place of `y_pred`, probabilities. Where probabilities are needed, classifiers learn and
        predict row by row, which is slower, and all probabilities are kept in memory. NaN where a score is
        not defined.
    sample_weight : array-like of shape (n_examples,) or None, default=None
        Weight of each example from `start` on, in learning and in the scores; None stands for 1 each.
    progress : bool, "log" or None, default=None
        Whether to show a progress bar, which needs the extra `oza[progress]`; None shows one if the standard
        error stream is a terminal and the extra is installed. "log" writes a line to that stream each time
        that scores are noted.

    Returns
    -------
    Evaluation
        Frames of scores and of costs.

    Raises
    ------
    ValueError
        If an argument is not as described, or a model predicts something that is not a class of the
        stream.

    Notes
    -----
    Seconds are those of the processor, in predicting and learning alone. Bytes are `memory_bytes_` of a
    model that has it, and otherwise the size of its pickle.

    References
    ----------
    A. P. Dawid, "Statistical theory: the prequential approach", *Journal of the Royal Statistical
    Society A* 147, 1984. J. Gama, R. Sebastião, P. P. Rodrigues, "On evaluating stream learning
    algorithms", *Machine Learning* 90, 2013 (windows and fading factors). A. Bifet,
    G. de Francisci Morales, J. Read, G. Holmes, B. Pfahringer, "Efficient online
    evaluation of big data stream classifiers", *KDD* 2015.

    Examples
    --------
    >>> from oza import NaiveBayesClassifier, OnlineBaggingClassifier
    >>> from oza.evaluation import prequential
    >>> from oza.streams import STAGGER, drift
    >>> stream = drift(STAGGER(1), STAGGER(2), position=2000)
    >>> ensemble = OnlineBaggingClassifier(n_estimators=5, random_state=0)
    >>> found = prequential([NaiveBayesClassifier(), ensemble], stream, stop=3000)
    >>> found.summary("window")[["accuracy", "kappa_m"]].round(2)
                             accuracy  kappa_m
    model
    NaiveBayesClassifier         0.47     0.05
    OnlineBaggingClassifier      0.47     0.05
    no change                    0.49     0.09
    majority class               0.44     0.00
    >>> found = prequential(NaiveBayesClassifier(), stream, stop=3000, metrics=["g_mean", "roc_auc"])
    >>> found.summary("fading")[["g_mean", "roc_auc"]].round(2).loc["NaiveBayesClassifier"].tolist()
    [0.44, 0.83]
    """
    named, further = _named(models), check_metrics(metrics)
    start, every = check_integer("start", start, 0), check_integer("every", every, 1)
    window, delay = check_integer("window", window, 1), check_integer("delay", delay, 0)
    fading = check_number("fading", fading, 0, 1, ends="(]")
    if not (progress is None or isinstance(progress, bool) or progress == "log"):
        raise ValueError(f'progress must be True, False, "log" or None; got {progress!r}.')
    stop = None if stop is None else check_integer("stop", stop, 0)
    classes, pieces, n_examples = _pieces(stream, start, stop, every)
    if n_examples == 0:
        raise ValueError(f"the stream has no example from start={start} to stop={stop}; choose others.")
    if holdout is not None and not callable(holdout):
        _check_holdout(holdout, classes)
    if isinstance(stream, tuple | list):
        check_order(stream[0], sample_weight=sample_weight)
    all_weights = check_sample_weight(sample_weight, n_examples)
    is_weighted, keeps = sample_weight is not None, any(each.takes_shares for each in further.values())
    runs = [
        _Run(name, model, Tally(len(classes), window, fading), delay, is_weighted, keeps)
        for name, model in named.items()
    ]
    _declare_columns(stream, named.values())
    baselines: dict[str, Any] = {NO_CHANGE: NoChange(), MAJORITY: MajorityClass(len(classes))}
    tallies = {name: Tally(len(classes), window, fading) for name in baselines}
    late = {name: np.repeat(baseline.predict(1), delay) for name, baseline in baselines.items()}
    scores, costs, seen = [], [], 0
    with progress_bar(n_examples, False if isinstance(progress, str) else progress, unit=" examples") as bar:
        for X, y in pieces:
            labels = encode_labels(y, classes)
            weights = all_weights[seen : seen + len(y)]
            for run in runs:
                run.predict_then_learn(X, y, labels, classes, weights)
            for name, baseline in baselines.items():
                predicted = np.concatenate([late[name], baseline.predict_then_learn(labels, weights)])
                late[name] = predicted[len(labels) :]
                tallies[name].add(labels, predicted[: len(labels)], weights)
            seen += len(y)
            views = {run.name: run.tally.views() for run in runs}
            views |= {name: tally.views() for name, tally in tallies.items()}
            if holdout is not None:
                held = holdout(seen) if callable(holdout) else holdout
                for name, view in _held_out(held, runs, baselines, classes, keeps).items():
                    views[name]["hold-out"] = view
            for name, views_over in views.items():
                for over, view in views_over.items():
                    no_change = None if over == "hold-out" else views[NO_CHANGE][over].counts
                    row: dict[str, Any] = {"model": name, "n_examples": seen, "over": over}
                    row |= scores_of(view.counts, views[MAJORITY][over].counts, no_change)._asdict()
                    for metric, function in further.items():
                        found = function.of(view, classes)
                        columns = [metric] if np.ndim(found) == 0 else [f"{metric} {c}" for c in classes]
                        row |= dict(zip(columns, np.atleast_1d(found).tolist(), strict=True))
                    scores.append(row)
            costs += [{"model": run.name, "n_examples": seen} | run.costs() for run in runs]
            bar.update(len(y))
            if progress == "log":
                of_models = (
                    f"{run.name} {accuracy_of(views[run.name]['window'].counts):.4f}" for run in runs
                )
                print(f"{seen} examples; accuracy in the window:", ", ".join(of_models), file=sys.stderr)
    index, columns = pd.Index(classes, name="class"), pd.Index(classes, name="predicted")
    counts = {
        (name, over): pd.DataFrame(view.counts, index, columns)
        for name, views_over in views.items()
        for over, view in views_over.items()
    }
    alarms = [alarm for run in runs for alarm in run.alarms()]
    found = pd.DataFrame(alarms, columns=["model", *_ALARM])
    return Evaluation(pd.DataFrame(scores), pd.DataFrame(costs), found, window, counts)


class _Run:
    """A model on its way through the stream."""

    def __init__(
        self, name: str, model: Any, tally: Tally, delay: int, is_weighted: bool, keeps_shares: bool
    ):
        if keeps_shares and not hasattr(model, "predict_proba"):
            raise ValueError(
                f"the model {name!r} has no predict_proba, and some of metrics need probabilities, "
                "such as roc_auc or log_loss: leave out one or the other."
            )
        if is_weighted and "sample_weight" not in inspect.signature(model.partial_fit).parameters:
            raise ValueError(f"the model {name!r} cannot use sample_weight; leave out one or the other.")
        self.name = name
        self.model = model
        self.tally = tally
        self.seconds = 0.0
        self.ram_hours = 0.0
        self._noted = 0.0  # seconds at the last look at the costs
        self._delay, self._is_weighted, self._keeps_shares = delay, is_weighted, keeps_shares
        self._n_before = getattr(model, "_n_seen", 0)
        self._waiting: deque[tuple[Any, npt.NDArray, dict]] = deque()  # rows whose labels have not come

    def predict_then_learn(
        self, X: Any, y: npt.NDArray, labels: npt.NDArray, classes: npt.NDArray, weights: npt.NDArray
    ) -> None:
        begin = time.process_time()
        shares = np.full((len(y), len(classes)), 1 / len(classes)) if self._keeps_shares else None
        if self._delay == 0 and shares is None and hasattr(self.model, "prequential_predict"):
            options = {"sample_weight": weights} if self._is_weighted else {}
            declared = classes if not hasattr(self.model, "classes_") else None
            predicted = self.model.prequential_predict(X, y, classes=declared, **options)
        else:
            predicted = self._row_by_row(X, y, classes, weights, shares)
        self.seconds += time.process_time() - begin
        self.tally.add(labels, self.codes(predicted, classes), weights, shares)

    def _row_by_row(
        self, X: Any, y: npt.NDArray, classes: npt.NDArray, weights: npt.NDArray, shares: npt.NDArray | None
    ) -> npt.NDArray:
        """Predictions of a classifier that can only predict, and learn, or whose labels come late.

        Probabilities of the classes are written into `shares`, where they are equal at first.
        """
        taken = inspect.signature(self.model.partial_fit).parameters
        declared = {"classes": classes} if "classes" in taken else {}
        predicted = np.empty(len(y), classes.dtype)
        for n in range(len(y)):
            row, one = _rows(X, n, n + 1), slice(n, n + 1)
            try:
                predicted[n] = np.asarray(self.model.predict(row))[0]
                if shares is not None:
                    shares[one] = self.shares(row, classes)
            except NotFittedError:
                predicted[n] = classes[0]
            options = {"sample_weight": weights[one]} if self._is_weighted else {}
            self._waiting.append((row, y[one], options | declared))
            if len(self._waiting) > self._delay:
                first_row, label, options = self._waiting.popleft()
                self.model.partial_fit(first_row, label, **options)
        return predicted

    def shares(self, X: Any, classes: npt.NDArray) -> npt.NDArray:
        """Probability of each class of the stream for each row."""
        found = np.asarray(self.model.predict_proba(X))
        shares = np.zeros((len(found), len(classes)))
        shares[:, self.codes(self.model.classes_, classes)] = found
        return shares

    def alarms(self) -> list[tuple[str, int, int, int]]:
        """What detectors found while the model went through the stream."""
        history = getattr(self.model, "drift_history_", None)
        found = [] if history is None else history[_ALARM].tolist()
        return [(self.name, n - self._n_before, *members) for n, *members in found if n >= self._n_before]

    def codes(self, predicted: Any, classes: npt.NDArray) -> npt.NDArray[np.int64]:
        """Places of predicted classes."""
        return _codes(f"the model {self.name!r} predicts", predicted, classes)

    def costs(self) -> dict[str, float]:
        """What the model has cost so far."""
        size = _bytes_of(self.model)
        self.ram_hours += size / 2**30 * (self.seconds - self._noted) / 3600
        self._noted = self.seconds
        return {"seconds": self.seconds, "bytes": size, "ram_hours": self.ram_hours}


def _held_out(
    holdout: Any, runs: list[_Run], baselines: dict[str, Any], classes: npt.NDArray, keeps_shares: bool
) -> dict[str, View]:
    """Views of a hold-out set, by the names of models and baselines."""
    X, labels = _check_holdout(holdout, classes)
    predicted = {run.name: run.codes(run.model.predict(X), classes) for run in runs}
    predicted |= {name: baseline.predict(len(labels)) for name, baseline in baselines.items()}
    shares = {run.name: run.shares(X, classes) for run in runs} if keeps_shares else {}
    found = {}
    for name, codes in predicted.items():
        tally = Tally(len(classes), 1, 1.0)
        tally.add(labels, codes, np.ones(len(labels)), shares.get(name))
        found[name] = tally.views()["all"]
    return found


def _check_holdout(holdout: Any, classes: npt.NDArray) -> tuple[Any, npt.NDArray[np.int64]]:
    """A hold-out set as rows and places of their classes."""
    X, y = _check_pair("holdout", holdout)
    return X, _codes("holdout holds", y, classes)


def _codes(who: str, labels: Any, classes: npt.NDArray) -> npt.NDArray[np.int64]:
    """Places of labels among the classes of the stream."""
    try:
        return encode_labels(np.asarray(labels), classes)
    except ValueError:
        odd = next(label for label in np.asarray(labels).tolist() if label not in classes.tolist())
        raise ValueError(
            f"{who} {odd!r}, which is not a class of the stream: {classes.tolist()!r}. Give it classes of "
            "this stream only."
        ) from None


def _named(models: Any) -> dict[str, Any]:
    """The models by their names."""
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        given = [*models] if isinstance(models, list | tuple) else [models]
        kinds = [type(model).__name__ for model in given]
        named = {}
        for n, (kind, model) in enumerate(zip(kinds, given, strict=True), 1):
            named[kind if kinds.count(kind) == 1 else f"{kind} {kinds[:n].count(kind)}"] = model
    if not named:
        raise ValueError("models is empty; give one classifier or more.")
    for name, model in named.items():
        if name in (NO_CHANGE, MAJORITY):
            raise ValueError(f"models has one named {name!r}, which is a baseline; give it another name.")
        if isinstance(model, type) or not (hasattr(model, "partial_fit") and hasattr(model, "predict")):
            raise ValueError(
                f"models has {model!r}, which is not a classifier with partial_fit and predict; give one "
                "that learns online."
            )
    if len({id(model) for model in named.values()}) < len(named):
        raise ValueError("models holds the same classifier twice; give clones, since each of them learns.")
    return named


def _declare_columns(stream: Any, models: Iterable[Any]) -> None:
    """Tell models which columns of the stream hold codes of names, which look like numbers."""
    categories = getattr(stream, "categories", None)
    if not categories or all(values is None for values in categories):
        return
    for model in models:
        takes_them = isinstance(getattr(model, "estimator", None), BaseModel | None)  # others get X as it is
        if not (isinstance(model, KernelClassifier) and takes_them) or hasattr(model, "classes_"):
            continue
        if is_auto(model.categories) and is_auto(model.categorical_features):
            model.set_params(categories=categories)


def _pieces(
    stream: Any, start: int, stop: int | None, every: int
) -> tuple[npt.NDArray, Iterator[tuple[Any, npt.NDArray]], int]:
    """Classes of the stream, its pieces, and how many examples there are."""
    if isinstance(stream, StreamSchema):
        chunks: Callable[..., Any] = stream.chunks  # type: ignore[attr-defined]
        length = len(stream) if hasattr(stream, "__len__") else None
        if stop is None and length is None:
            raise ValueError("stop must be given: the stream has no end, so say where to stop.")
        end = min(e for e in (stop, length) if e is not None)
        return np.array(stream.classes), chunks(start, stop, every), max(end - start, 0)
    X, y = _check_pair("stream", stream)
    end = len(y) if stop is None else min(stop, len(y))
    cuts = range(start, end, every)
    pieces = ((_rows(X, n, min(n + every, end)), y[n : min(n + every, end)]) for n in cuts)
    return distinct_labels(y), pieces, max(end - start, 0)


def _check_pair(name: str, pair: Any) -> tuple[Any, npt.NDArray]:
    """`pair` as rows and labels."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        wanted = "a pair (X, y)" if name == "holdout" else "a stream of oza.streams or a pair (X, y)"
        raise ValueError(f"{name} must be {wanted}; got {type(pair).__name__}.")
    X, y = pair
    check_order(X, y=y)
    X = as_rows(X)
    return X, check_labels(y, X.shape[0])


def _rows(X: Any, start: int, stop: int) -> Any:
    return X.iloc[start:stop] if hasattr(X, "iloc") else X[start:stop]


def _bytes_of(model: Any) -> float:
    """Bytes that a model takes; NaN if that cannot be found out."""
    if hasattr(model, "memory_bytes_"):
        return float(model.memory_bytes_)
    sink = io.BytesIO()
    try:
        pickle.Pickler(sink, protocol=5).dump(model)
    except (pickle.PicklingError, TypeError, AttributeError):
        return np.nan
    return float(sink.tell())
