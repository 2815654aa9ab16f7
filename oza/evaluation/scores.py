"""Scores from counts of what was predicted against what was so."""

from __future__ import annotations

from typing import NamedTuple

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
    accuracy = _accuracy(counts)
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1)) / (total * total) if total else np.nan
    temporal = np.nan if no_change is None else _beyond(accuracy, _accuracy(no_change))
    return Scores(accuracy, _beyond(accuracy, by_chance), _beyond(accuracy, _accuracy(majority)), temporal)


def _accuracy(counts: npt.NDArray) -> float:
    total = counts.sum()
    return float(np.trace(counts) / total) if total else np.nan


def _beyond(accuracy: float, reference: float) -> float:
    """Which share of what the reference gets wrong is right."""
    return (accuracy - reference) / (1.0 - reference) if reference < 1.0 else np.nan


class Tally:
    """Counts of predictions over all examples, the latest ones, and with a weight that fades.

    Parameters
    ----------
    n_classes : int
    window : int
        How many of the latest examples count.
    fading : float
        Weight of an example beside the one after it.
    """

    def __init__(self, n_classes: int, window: int, fading: float):
        self.n_classes = n_classes
        self.window = window
        self.fading = fading
        self.counts = np.zeros((n_classes, n_classes))
        self.faded = np.zeros((n_classes, n_classes))
        self.latest = np.empty(0, np.int64)  # class and prediction in one number

    def add(self, labels: npt.NDArray[np.int64], predicted: npt.NDArray[np.int64]) -> None:
        """Take in predictions, all codes, in the order of the stream."""
        pairs = labels * self.n_classes + predicted
        self.counts += self._count(pairs)
        ages = np.arange(len(pairs) - 1, -1, -1)
        self.faded = self.faded * self.fading ** len(pairs) + self._count(pairs, self.fading**ages)
        self.latest = np.concatenate([self.latest, pairs])[-self.window :]

    def views(self) -> dict[str, npt.NDArray]:
        """Counts by what they are over."""
        return {"all": self.counts, "window": self._count(self.latest), "fading": self.faded}

    def _count(self, pairs: npt.NDArray[np.int64], weights: npt.NDArray | None = None) -> npt.NDArray:
        n = self.n_classes
        return np.bincount(pairs, weights, minlength=n * n).reshape(n, n).astype(float)


class NoChange:
    """Predicts the class of the example before; at the beginning the first class."""

    def __init__(self):
        self.last = 0

    def predict_then_learn(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
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
        self.counts = np.zeros(n_classes, np.int64)

    def predict_then_learn(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What is predicted for each example of a piece."""
        came = np.zeros((len(labels) + 1, len(self.counts)), np.int64)
        came[np.arange(1, len(labels) + 1), labels] = 1
        came[0] = self.counts
        came = came.cumsum(axis=0)
        self.counts = came[-1]
        return came[:-1].argmax(axis=1)

    def predict(self, n: int) -> npt.NDArray[np.int64]:
        """What would be predicted for `n` examples now."""
        return np.full(n, self.counts.argmax())
