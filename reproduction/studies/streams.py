"""Streams that change, and others that do not, by name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd

from oza.evaluation import prequential
from oza.streams import LED, SEA, Agrawal, Chain, Hyperplane, RandomRBF, drift


def in_turn(streams: list[Any], length: int, width: float) -> Any:
    """Streams that turn into each other at equal distances, each change `width` examples wide."""
    joined = streams[0]
    for i, stream in enumerate(streams[1:], 1):
        joined = drift(joined, stream, length * i // len(streams), width)
    return joined


def _sea(length: int, seed: int) -> Any:
    return in_turn([SEA(function, random_state=seed) for function in (1, 2, 3, 4)], length, width=50)


def _led(length: int, seed: int) -> Any:
    return in_turn([LED(n_drifting=n, random_state=seed) for n in (1, 3, 5, 7)], length, width=50)


def _agrawal(length: int, seed: int) -> Any:
    streams = [Agrawal(function, random_state=seed) for function in (1, 2, 3, 4)]
    return in_turn(streams, length, width=length / 20)


def _rbf(length: int, seed: int, speed: float) -> Any:
    return RandomRBF(n_classes=5, speed=speed, random_state=seed)


def _hyperplane(length: int, seed: int) -> Any:
    return Hyperplane(n_drifting=10, change=0.001, random_state=seed)


#: Drawn streams by name, as functions of their length and a seed. The lecture names no streams; these are the
#: kinds on which leveraging bagging was published (Bifet, Holmes, Pfahringer 2010), with Agrawal's.
STREAMS: dict[str, Callable[[int, int], Any]] = {
    "rbf": partial(_rbf, speed=0.0),
    "rbf-slow": partial(_rbf, speed=0.0001),
    "rbf-fast": partial(_rbf, speed=0.001),
    "hyperplane": _hyperplane,
    "sea": _sea,
    "led": _led,
    "agrawal": _agrawal,
}


#: Streams without drift by name, as functions of a seed; other parameters have their defaults.
STEADY: dict[str, Callable[[int], Any]] = {
    **{name: partial(Chain, name) for name in ("synthetic1", "synthetic2", "synthetic3")},
    "led": lambda seed: LED(random_state=seed),
    "rbf": lambda seed: RandomRBF(random_state=seed),
    "hyperplane": lambda seed: Hyperplane(random_state=seed),
    "sea": lambda seed: SEA(random_state=seed),
    "agrawal": lambda seed: Agrawal(random_state=seed),
}


def accuracies_along(models: Mapping[str, Any], stream: Any, n_examples: int) -> pd.Series:
    """Give the accuracy of each model on examples that it predicts before it is trained on them."""
    found = prequential(models, stream, stop=n_examples, progress=False).summary()
    return found.loc[list(models), "accuracy"]
