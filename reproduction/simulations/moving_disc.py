"""One stream that can be seen: points of a square, and a disc of class 1 that moves half way."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from oza.ensembles import (
    AdaBoostClassifier,
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    BaggingClassifier,
    LeveragingBaggingClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
)
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, HoeffdingTreeClassifier

from .simulation import simulation

N_EXAMPLES, DRIFT_AT = 3000, 1500
#: The centre of the disc before the drift and after it, its radius, and the share of wrong labels.
CENTRES, RADIUS, NOISE = ((0.4, 0.4), (0.65, 0.65)), 0.33, 0.1


def is_inside(points: npt.NDArray[Any], has_moved: Any) -> npt.NDArray[np.bool_]:
    """Whether points (n, 2) are inside of the disc, before it has moved or after."""
    centre = np.where(np.reshape(has_moved, (-1, 1)), CENTRES[1], CENTRES[0])
    return ((points - centre) ** 2).sum(axis=1) < RADIUS**2


def moving_disc() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Points (3000, 2), uniform in the unit square, and their classes, of which one in ten is wrong."""
    rng = np.random.default_rng(1)
    X = rng.random((N_EXAMPLES, 2))
    y = is_inside(X, np.arange(N_EXAMPLES) >= DRIFT_AT)
    return X, (y ^ (rng.random(N_EXAMPLES) < NOISE)).astype(int)


_TREE = HoeffdingTreeClassifier(grace_period=50, delta=0.01)
_KNOWN: dict[str, Any] = {"n_estimators": 25, "random_state": 1}

#: Learners that are trained on the examples before the drift, and those that learn through it.
BEFORE: dict[str, Callable[[], Any]] = {
    "stump": DecisionStumpClassifier,
    "bag of trees": partial(BaggingClassifier, DecisionTreeClassifier(), **_KNOWN),
    "AdaBoost of stumps": partial(AdaBoostClassifier, DecisionStumpClassifier(), 25),
    "online bag of trees": partial(OnlineBaggingClassifier, DecisionTreeClassifier(), **_KNOWN),
    "online boosting of stumps": partial(OnlineBoostingClassifier, DecisionStumpClassifier(), **_KNOWN),
    "Hoeffding tree": partial(HoeffdingTreeClassifier, grace_period=50, delta=0.01),
}
THROUGH: dict[str, Callable[[], Any]] = {
    "online bag": partial(OnlineBaggingClassifier, _TREE, **_KNOWN),
    "ADWIN bagging": partial(ADWINBaggingClassifier, _TREE, **_KNOWN),
    "leveraging bagging": partial(LeveragingBaggingClassifier, _TREE, **_KNOWN),
    "adaptive random forest": partial(AdaptiveRandomForestClassifier, max_features=0.5, **_KNOWN),
}


@simulation(small={"name": "stump", "n_steps": 4}, calls=[{"name": name} for name in (*BEFORE, *THROUGH)])
def shares_in_the_plane(name: str, n_steps: int = 100) -> npt.NDArray[np.float64]:
    """Train one of the learners on the stream, and ask it for the share of class 1.

    The points are those of a grid of `n_steps` rows, from below, and as many columns; the shares have four
    decimals.

    >>> shares_in_the_plane("stump", 4).shape
    (4, 4)
    """
    X, y = moving_disc()
    learner = THROUGH[name]().fit(X, y) if name in THROUGH else BEFORE[name]().fit(X[:DRIFT_AT], y[:DRIFT_AT])
    return learner.predict_proba(grid_points(n_steps))[:, 1].round(4).reshape(n_steps, n_steps)


def grid_points(n_steps: int) -> npt.NDArray[np.float64]:
    """Points (n_steps², 2) in the middle of the cells of a grid on the unit square, row by row from below."""
    return (np.indices((n_steps, n_steps)).reshape(2, -1)[::-1].T + 0.5) / n_steps
