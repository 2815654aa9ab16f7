"""Scores from counts of what was predicted against what was so, and from probabilities."""

from __future__ import annotations

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Scores(NamedTuple):
    """How good predictions are, 1 for the best; NaN where the reference is always right."""

    accuracy: float
    kappa: float  # beyond guessing with the same shares
    kappa_m: float  # beyond the class that came most often
    kappa_temporal: float  # beyond the class of the example before


def scores_of(counts: npt.NDArray, majority: npt.NDArray, no_change: npt.NDArray | None) -> Scores:
    """Scores by counts of shape (classes, predicted classes), beside those of the two baselines."""
    total = counts.sum()
    accuracy = accuracy_of(counts)
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1)) / (total * total) if total else np.nan
    temporal = np.nan if no_change is None else _beyond(accuracy, accuracy_of(no_change))
    return Scores(accuracy, _beyond(accuracy, by_chance), _beyond(accuracy, accuracy_of(majority)), temporal)


def accuracy_of(counts: npt.NDArray) -> float:
    """Share of right predictions."""
    total = counts.sum()
    return float(np.trace(counts) / total) if total else np.nan


def _beyond(accuracy: float, reference: float) -> float:
    """Which share of what the reference gets wrong is right."""
    return (accuracy - reference) / (1.0 - reference) if reference < 1.0 else np.nan


class View(NamedTuple):
    """Examples that scores are over: how often each prediction was made for each class, and probabilities."""

    counts: npt.NDArray  # (K, K): weight by class and predicted class
    labels: npt.NDArray  # (N,) classes as codes; these three are empty unless probabilities are kept
    shares: npt.NDArray  # (N, K) probability of each class
    weights: npt.NDArray  # (N,)


class Tally:
    """Predictions over all examples, the latest ones, and with a weight that fades.

    Parameters
    ----------
    n_classes : int
    window : int
        How many of the latest examples count.
    fading : float
        Weight of an example relative to the one after it.
    """

    def __init__(self, n_classes: int, window: int, fading: float):
        self.n_classes = n_classes
        self.window = window
        self.fading = fading
        self.counts = np.zeros((n_classes, n_classes))
        self.faded = np.zeros((n_classes, n_classes))
        self.latest = np.empty(0, np.int64), np.empty(0)  # class and prediction in one number; weight
        self.kept = [(np.empty(0, np.int64), np.empty((0, n_classes)), np.empty(0))]

    def add(
        self,
        labels: npt.NDArray[np.int64],
        predicted: npt.NDArray[np.int64],
        weights: npt.NDArray,
        shares: npt.NDArray | None = None,
    ) -> None:
        """Take in predictions, all codes, in the order of the stream; probabilities are kept."""
        pairs = labels * self.n_classes + predicted
        self.counts += self._count(pairs, weights)
        faded = self._count(pairs, weights * self._fading(len(pairs)))
        self.faded = self.faded * self.fading ** len(pairs) + faded
        latest = zip(self.latest, (pairs, weights), strict=True)
        self.latest = tuple(np.concatenate(each)[-self.window :] for each in latest)  # type: ignore[assignment]
        if shares is not None:
            self.kept.append((labels, shares, weights))

    def views(self) -> dict[str, View]:
        """What scores are computed from, by what they are over."""
        labels, shares, weights = map(np.concatenate, zip(*self.kept, strict=True))
        self.kept = [(labels, shares, weights)]
        last = slice(-self.window, None)
        return {
            "all": View(self.counts, labels, shares, weights),
            "window": View(self._count(*self.latest), labels[last], shares[last], weights[last]),
            "fading": View(self.faded, labels, shares, weights * self._fading(len(labels))),
        }

    def _fading(self, n: int) -> npt.NDArray:
        return self.fading ** np.arange(n - 1, -1, -1)

    def _count(self, pairs: npt.NDArray[np.int64], weights: npt.NDArray) -> npt.NDArray:
        n = self.n_classes
        return np.bincount(pairs, weights, minlength=n * n).reshape(n, n).astype(float)


class Metric(NamedTuple):
    """A further score, by a function of the classes, what is said of them, weights, and all the classes."""

    function: Callable[[Any, Any, Any, Any], Any]  # gives a number, or one for each class
    takes_shares: bool = False  # whether what is said are probabilities

    def of(self, view: View, classes: npt.NDArray) -> Any:
        """The score over a view; NaN where it is not defined."""
        if self.takes_shares:
            labels, said, weights = view[1:]
        else:
            labels, said = (each.ravel() for each in np.indices(view.counts.shape))
            weights = view.counts.ravel()
        is_met = weights > 0
        if not is_met.any():
            return np.nan
        said = said[is_met] if self.takes_shares else classes[said[is_met]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a window without a class gives NaN
            try:
                return self.function(classes[labels[is_met]], said, weights[is_met], classes)
            except ValueError:
                if len(np.unique(labels[is_met])) == len(classes):
                    raise
                return np.nan  # scikit-learn refuses labels of which a class is missing


def _rate(name: str, average: str | None, y: Any, predicted: Any, weights: Any, classes: Any) -> Any:
    """Precision, recall or F1 of each class, or their mean over those for which it is defined."""
    import sklearn.metrics  # which takes a third of a second to import, as in the functions below

    options = {"average": average, "sample_weight": weights, "zero_division": np.nan}
    return getattr(sklearn.metrics, f"{name}_score")(y, predicted, labels=classes, **options)


def _balanced_accuracy(y: Any, predicted: Any, weights: Any, classes: Any) -> float:
    from sklearn.metrics import balanced_accuracy_score

    return balanced_accuracy_score(y, predicted, sample_weight=weights)


def _g_mean(y: Any, predicted: Any, weights: Any, classes: Any) -> float:
    recalls = _rate("recall", None, y, predicted, weights, classes)
    recalls = recalls[~np.isnan(recalls)]
    return float(np.prod(recalls) ** (1 / len(recalls)))


def _roc_auc(y: Any, shares: Any, weights: Any, classes: Any) -> float:
    """Mean over the classes, each against the rest, that came and did not come alone."""
    from sklearn.metrics import roc_auc_score

    first = int(len(classes) == 2)  # the area of the other one is the same
    pairs = [(y == label, share) for label, share in zip(classes[first:], shares.T[first:], strict=True)]
    areas = [roc_auc_score(y_, share, sample_weight=weights) for y_, share in pairs if 0 < y_.mean() < 1]
    return float(np.mean(areas)) if areas else np.nan


def _log_loss(y: Any, shares: Any, weights: Any, classes: Any) -> float:
    from sklearn.metrics import log_loss

    return log_loss(y, shares, labels=classes, sample_weight=weights) if len(classes) > 1 else 0.0


METRICS = {
    **{name: Metric(partial(_rate, name, "macro")) for name in ("precision", "recall", "f1")},
    **{f"{name}_by_class": Metric(partial(_rate, name, None)) for name in ("precision", "recall", "f1")},
    "balanced_accuracy": Metric(_balanced_accuracy),
    "g_mean": Metric(_g_mean),
    "roc_auc": Metric(_roc_auc, takes_shares=True),
    "log_loss": Metric(_log_loss, takes_shares=True),
}

_OTHER_COLUMNS = ["model", "n_examples", "over", *Scores._fields, "seconds", "bytes", "ram_hours"]


def check_metrics(metrics: Any) -> dict[str, Metric]:
    """The metrics by name."""
    if metrics is None:
        return {}
    if isinstance(metrics, Mapping):
        named = [*metrics.items()]
    else:
        given = metrics if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
        named = [(getattr(each, "__name__", each), each) for each in given]
    for name, n in Counter([*_OTHER_COLUMNS, *(str(name) for name, _ in named)]).items():
        if n > 1:
            raise ValueError(
                f"metrics would make a second column {name!r}; pass a dict, with another name for each."
            )
    return {
        str(name): METRICS[each] if isinstance(each, str) and each in METRICS else _of_function(name, each)
        for name, each in named
    }


def _of_function(name: Any, function: Any) -> Metric:
    """A metric by a function with scikit-learn's arguments."""
    taken = list(inspect.signature(function).parameters) if callable(function) else []
    if len(taken) < 3 or "sample_weight" not in taken:
        raise ValueError(
            f"metrics has {name!r}; expected one of {', '.join(map(repr, METRICS))}, or a function "
            "f(y_true, y_pred, sample_weight=) or f(y_true, y_score, sample_weight=), such as those of "
            "sklearn.metrics."
        )
    of_probabilities = "log_loss" in getattr(getattr(function, "func", function), "__name__", "")
    if taken[1] in ("y_pred", "y2") and not of_probabilities:  # scikit-learn calls both y_pred there
        return Metric(lambda y, said, weights, classes: function(y, said, sample_weight=weights))
    return Metric(
        lambda y, said, weights, classes: function(
            y, said[:, 1] if len(classes) == 2 else said, sample_weight=weights
        ),
        takes_shares=True,
    )


class NoChange:
    """Predicts the class of the example before; at the beginning the first class."""

    def __init__(self):
        self.last = 0

    def predict_then_learn(
        self, labels: npt.NDArray[np.int64], weights: npt.NDArray
    ) -> npt.NDArray[np.int64]:
        """What is predicted for each example of a piece."""
        predicted = np.concatenate([[self.last], labels[:-1]])
        self.last = int(labels[-1])
        return predicted

    def predict(self, n: int) -> npt.NDArray[np.int64]:
        """What would be predicted for `n` examples now."""
        return np.full(n, self.last)


class MajorityClass:
    """Predicts the class that came most often before, the first of those that tie."""

    def __init__(self, n_classes: int):
        self.counts = np.zeros(n_classes)

    def predict_then_learn(
        self, labels: npt.NDArray[np.int64], weights: npt.NDArray
    ) -> npt.NDArray[np.int64]:
        """What is predicted for each example of a piece."""
        came = np.zeros((len(labels) + 1, len(self.counts)))
        came[np.arange(1, len(labels) + 1), labels] = weights
        came[0] = self.counts
        came = came.cumsum(axis=0)
        self.counts = came[-1]
        return came[:-1].argmax(axis=1)

    def predict(self, n: int) -> npt.NDArray[np.int64]:
        """What would be predicted for `n` examples now."""
        return np.full(n, self.counts.argmax())
