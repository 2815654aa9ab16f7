"""Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels (Mooney's slide 18).

The variants make base models one after the other, as AdaBoost.M1 does, and differ in the weights that the
next model learns from and in the vote. With more than two classes a step depends only on whether a model is
right or wrong on an example, as in AdaBoost.M1.
"""

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import erfinv
from sklearn.base import clone

from oza.compare.algorithms import BASE_MODELS
from oza.ensembles import AdaBoostClassifier, BaggingClassifier, OnlineBoostingClassifier

from ..columns import nominal_columns
from ..exact import dot, exp, log, normal_cdf
from ..record.simulation import simulation
from ..record.study import cells, study
from ..statistics import mean_against_zero
from ..studies.halves import Half, flipped, random_half

_SEED = 18
#: Data sets that are generated, so that all their own labels are right.
_DATASETS = ("balance", "car-evaluation", "nursery", "synthetic2", "synthetic3")
_BASES = ("naive_bayes", "decision_tree")
_N_TEST = 2000
#: The algorithms. Of each the share of the test examples, whose labels are right, that it misclassifies is
#: measured.
ALGORITHMS = (
    *("single", "bagging", "adaboost", "madaboost", "aveboost"),
    "brownboost",  # aims at a training error of 0.1
    "brownboost_told",  # aims at the share of wrong labels, at least 0.01
    "online_boosting",  # as in the thesis
    "tested_before",  # online boosting with `tested="before"`
)


class Weighting(Protocol):
    """Weights of the examples for the next model, on any scale; when all are 0, boosting ends."""

    weights: np.ndarray

    def step(self, is_right: np.ndarray, error: float) -> float:
        """Take in on which examples a new model is right, and return its vote.

        Parameters
        ----------
        is_right : bool array of shape (N,)
        error : float
            Share of the weight on which the model is wrong, below 1/2.
        """


def _log_odds(error: float, n: int) -> float:
    """Vote of AdaBoost; an error of 0 counts as 1/(2N), as in `oza.AdaBoostClassifier`."""
    bounded = max(error, 1 / (2 * n))
    return float(log((1 - bounded) / bounded))


class MadaBoost:
    """No weight exceeds the initial one (Domingo and Watanabe 2000).

    The weight is min(1, e^−r): r is the sum of the votes, halved, of the models that are right, minus those
    of the models that are wrong. AdaBoost has e^−r.

    Parameters
    ----------
    n : int
        Number of examples.

    Examples
    --------
    >>> weighting = MadaBoost(4)
    >>> round(weighting.step(np.array([True, True, True, False]), 0.25), 4)
    1.0986
    >>> weighting.weights.round(4).tolist()
    [0.5774, 0.5774, 0.5774, 1.0]
    """

    def __init__(self, n: int) -> None:
        self.weights = np.ones(n)
        self._margin = np.zeros(n)

    def step(self, is_right: np.ndarray, error: float) -> float:
        vote = _log_odds(error, len(is_right))
        self._margin += np.where(is_right, vote / 2, -vote / 2)
        self.weights = np.minimum(1, exp(-self._margin)) * (error > 0)
        return vote


class AveBoost:
    """The weights are the mean of those that AdaBoost would take and all before (Oza 2003).

    Parameters
    ----------
    n : int
        Number of examples.

    Examples
    --------
    >>> weighting = AveBoost(4)
    >>> vote = weighting.step(np.array([True, True, True, False]), 0.25)
    >>> (weighting.weights * 24).round(9).tolist()
    [5.0, 5.0, 5.0, 9.0]
    """

    def __init__(self, n: int) -> None:
        self.weights = np.full(n, 1 / n)
        self._n_models = 0

    def step(self, is_right: np.ndarray, error: float) -> float:
        vote = _log_odds(error, len(is_right))
        if error == 0:
            self.weights = np.zeros(len(is_right))
            return vote
        self._n_models += 1
        adaboost = self.weights / np.where(is_right, 2 * (1 - error), 2 * error)
        self.weights = (self._n_models * self.weights + adaboost) / (self._n_models + 1)
        return vote


class BrownBoost:
    """Examples that stay wrong while time runs out are given up (Freund 2001).

    There is a time c, of which s is left. An example on which the votes of the models that are right exceed
    those of the others by r has the weight exp(−(r + s)²/c): below r = −s it falls again.
    A model gets the vote with which it has no edge any more, or the time is over; the time that this takes
    keeps the mean of erf((r + s)/√c). When the time has run out, the training error is at most 1 − erf √c.

    Parameters
    ----------
    n : int
        Number of examples.
    target : float
        That bound of the training error, above 0 and below 1, which determines the time.

    Examples
    --------
    >>> weighting = BrownBoost(4, target=0.1)
    >>> vote = weighting.step(np.array([True, True, True, False]), 0.25)
    >>> right, wrong = weighting.weights[:3].sum(), weighting.weights[3]
    >>> bool(abs(right - wrong) < 1e-9)
    True
    """

    def __init__(self, n: int, target: float) -> None:
        self.weights = np.ones(n)
        self._margin = np.zeros(n)
        self.time = self._whole = float(erfinv(1 - target)) ** 2

    def step(self, is_right: np.ndarray, error: float) -> float:
        side, scale = np.where(is_right, 1.0, -1.0), np.sqrt(self._whole)

        def places(vote: float, spent: float) -> np.ndarray:
            return np.asarray((self._margin + vote * side + self.time - spent) / scale)

        def kept(vote: float, spent: float) -> float:  # the mean of erf, on another scale
            return float(normal_cdf(math.sqrt(2) * places(vote, spent)).sum())

        before = kept(0, 0)

        def spent(vote: float) -> float:
            # It changes by no more than the vote: the root lies between, up to rounding.
            widest = vote + 1e-9
            return float(brentq(lambda t: kept(vote, t) - before, -widest, widest, xtol=1e-13))

        def edge(vote: float) -> float:
            return float(dot(side, exp(-(places(vote, spent(vote)) ** 2))))

        low, high = 0.0, 0.05 * scale
        while edge(high) > 0 and spent(high) < self.time:
            low, high = high, 1.5 * high
        if edge(high) < 0:
            high = float(brentq(edge, low, high, xtol=1e-13))
        if spent(high) >= self.time:
            high = float(brentq(lambda vote: spent(vote) - self.time, 0, high, xtol=1e-13))
            self.weights = np.zeros(len(side))
        else:
            self.time -= spent(high)
            self._margin += high * side
            self.weights = exp(-(((self._margin + self.time) / scale) ** 2))
        return high


class Vote(NamedTuple):
    """Base models and their votes; of equal votes the first class wins."""

    classes: np.ndarray
    models: list[Any]
    votes: list[float]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Give the class with the largest vote for each row of X."""
        votes = sum(
            vote * (model.predict(X)[:, None] == self.classes)
            for model, vote in zip(self.models, self.votes, strict=True)
        )
        return np.asarray(self.classes[np.argmax(votes, axis=1)])


def boost(base: Any, X: np.ndarray, y: np.ndarray, n_models: int, weighting: Weighting) -> Vote:
    """Boost a base model, trained on examples of the mean weight 1, with some weighting.

    Boosting ends before a model with an error of 1/2 or more, unless it is the first, which then is alone.

    >>> from oza import DecisionStumpClassifier
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 1, 0])
    >>> model = boost(DecisionStumpClassifier(), X, y, 3, MadaBoost(len(y)))
    >>> (model.predict(X) == y).tolist()
    [True, True, True, True]
    """
    models: list[Any] = []
    votes: list[float] = []
    while len(models) < n_models and weighting.weights.any():
        weights = weighting.weights / weighting.weights.mean()
        model = clone(base).fit(X, y, sample_weight=weights)
        is_right = model.predict(X) == y
        error = float(weights[~is_right].sum() / weights.sum())
        if error >= 0.5 - 1e-9:  # as after a step, with the same model again
            return Vote(np.unique(y), models or [model], votes or [1.0])
        models.append(model)
        votes.append(weighting.step(is_right, error))
    return Vote(np.unique(y), models, votes)


def learned(
    dataset: str, base_model: str, split: int, share: float, n_train: int, n_models: int
) -> tuple[Half, np.ndarray, np.ndarray, dict[str, Any]]:
    """Train every algorithm on the same examples with a share of wrong labels, in the same order.

    Give the half of the data set, the labels that were learned, which of them are wrong, and the models.
    BrownBoost aims at a training error of 0.1, or at the share of wrong labels (`brownboost_told`).
    """
    half = random_half(dataset, split, n_train, _SEED)
    labels, is_wrong = flipped(half.y, share, [_SEED, split, 1])
    nominal = {"categorical_features": nominal_columns(half.X)}
    online = {"random_state": split, **nominal}
    n, make = len(labels), BASE_MODELS[base_model]
    single = make().set_params(**nominal)
    made: dict[str, Any] = {
        "single": single,
        "bagging": BaggingClassifier(make(), n_models, **online),
        "adaboost": AdaBoostClassifier(make(), n_models, **nominal),
        "madaboost": MadaBoost(n),
        "aveboost": AveBoost(n),
        "brownboost": BrownBoost(n, 0.1),
        "brownboost_told": BrownBoost(n, max(share, 0.01)),
        "online_boosting": OnlineBoostingClassifier(make(), n_models, **online),
        "tested_before": OnlineBoostingClassifier(make(), n_models, tested="before", **online),
    }
    models = {
        name: each.fit(half.X, labels)
        if hasattr(each, "fit")
        else boost(single, half.X, labels, n_models, each)
        for name, each in made.items()
    }
    return half, labels, is_wrong, models


@simulation(
    small={"dataset": "balance", "n_train": 60, "n_models": 3},
    calls=[{"base_model": "naive_bayes"}, {"base_model": "decision_tree"}],
)
def labels_given_back(
    dataset: str = "synthetic3",
    base_model: str = "naive_bayes",
    split: int = 1,
    share: float = 0.2,
    n_train: int = 1000,
    n_models: int = 25,
) -> pd.DataFrame:
    """Count which of its training labels each algorithm gives back.

    A row for each algorithm. Columns: `wrong` and `right`, the shares of the wrong labels and of the right
    ones that it gives to their examples.
    """
    half, labels, is_wrong, models = learned(dataset, base_model, split, share, n_train, n_models)
    found = {}
    for name, model in models.items():
        is_given = model.predict(half.X) == labels
        found[name] = {"wrong": is_given[is_wrong].mean(), "right": is_given[~is_wrong].mean()}
    return pd.DataFrame.from_dict(found, orient="index")


@study(
    "noisy-labels",
    "Boosting made for noise, AdaBoost, bagging and online boosting on wrong labels",
    dict.fromkeys(ALGORITHMS, float),
    smoke=lambda: cells(dataset="balance", base_model=_BASES, split=0, flipped=0.2, n_train=60, n_models=3),
    thesis=lambda: cells(
        dataset=_DATASETS,
        base_model=_BASES,
        split=range(6),
        flipped=(0.0, 0.05, 0.1, 0.2, 0.3),
        n_train=1000,
        n_models=25,
    ),
    quick=lambda task: task.split == 0,
    exhibits=("Mooney's slide 18",),
)
def noisy_labels(
    dataset: str, base_model: str, split: int, flipped: float, n_train: int, n_models: int
) -> tuple[float, ...]:
    """Errors after training on a random half of a data set, of whose labels the share `flipped` is wrong."""
    half, _, _, models = learned(dataset, base_model, split, flipped, n_train, n_models)
    X, y = half.X_test[:_N_TEST], half.y_test[:_N_TEST]
    return tuple(float((models[name].predict(X) != y).mean()) for name in ALGORITHMS)


def against_adaboost(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each algorithm with AdaBoost: differences of errors, averaged over the data sets.

    A row for each base model, share of wrong labels and algorithm: `difference`, its error minus AdaBoost's;
    `half_width`, half of its 95 % interval, by Student's t over the data sets, after their splits have been
    averaged.
    """
    means = rows.groupby(["base_model", "flipped", "dataset"])[list(ALGORITHMS)].mean()
    differences = means.sub(means["adaboost"], axis=0).drop(columns="adaboost")
    grouped: Any = differences.groupby(["base_model", "flipped"])
    half_widths = grouped.agg(lambda values: mean_against_zero(values).half_width)
    found = {"difference": grouped.mean().stack(), "half_width": half_widths.stack()}
    return pd.DataFrame(found).rename_axis(["base_model", "flipped", "algorithm"])
