"""Six methods on streams whose kind and parameters are drawn: each stream is one replicate."""

from collections.abc import Callable
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.ensembles import ADWINBaggingClassifier, LeveragingBaggingClassifier, OnlineBaggingClassifier
from oza.kernels.draws import uniforms
from oza.kernels.random import key_of
from oza.streams import LED, SEA, Agrawal, Hyperplane, RandomRBF

from ..record.study import cells, study
from .stream_ensembles import MEASURED, MEASURING, METHODS, measurements, untrained
from .streams import in_turn

#: Streams of each kind that are judged, and those of the pilot, by number.
JUDGED, PILOT = range(6), range(100, 102)

#: Lengths of the streams. The shortest one is judged for which twice the length changes, in the mean over the
#: streams of the pilot, neither the order of the methods by accuracy, nor their order by RAM-hours (geometric
#: mean), nor an accuracy by more than 0.01; the longest one if there is none.
LENGTHS = (25_000, 50_000, 100_000, 200_000)

#: The longest one: in the pilot none met the rule.
JUDGED_LENGTH = 200_000


class _Draw:
    def __init__(self, kind: str, number: int):
        self._shares = iter(uniforms(50, "drawn stream", kind, number).tolist())

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * next(self._shares)

    def log_between(self, low: float, high: float) -> float:
        ends = (float(Decimal(end).ln()) for end in (low, high))
        return float(Decimal(self.between(*ends)).exp())  # correctly rounded, so the same everywhere

    def whole(self, low: int, high: int) -> int:
        return low + int((high - low + 1) * next(self._shares))

    def four_of(self, values: range) -> list[int]:
        return sorted(values, key={value: next(self._shares) for value in values}.__getitem__)[:4]


def _rbf(draw: _Draw, length: int, seed: int) -> Any:
    return RandomRBF(
        n_centres=draw.whole(20, 100),
        n_features=draw.whole(5, 15),
        n_classes=draw.whole(2, 6),
        speed=draw.log_between(1e-5, 1e-3),
        random_state=seed,
    )


def _hyperplane(draw: _Draw, length: int, seed: int) -> Any:
    n_features = draw.whole(5, 15)
    return Hyperplane(
        n_features=n_features,
        n_drifting=draw.whole(1, n_features),
        change=draw.log_between(1e-4, 1e-2),
        noise=draw.between(0, 0.1),
        random_state=seed,
    )


def _four_in_turn(values: range, most_noise: float, make: Callable[[int, float, int], Any]) -> Any:
    def drawn(draw: _Draw, length: int, seed: int) -> Any:
        noise, width = draw.between(0, most_noise), draw.log_between(1, length / 20)
        return in_turn([make(value, noise, seed) for value in draw.four_of(values)], length, width)

    return drawn


#: Kinds of streams by name: how one is drawn for a length and a seed of its examples.
KINDS: dict[str, Callable[[_Draw, int, int], Any]] = {
    "rbf": _rbf,
    "hyperplane": _hyperplane,
    "sea": _four_in_turn(range(1, 5), 0.2, SEA),
    "led": _four_in_turn(range(8), 0.2, lambda n, noise, seed: LED(noise, n, random_state=seed)),
    "agrawal": _four_in_turn(range(1, 11), 0.1, Agrawal),
}


def drawn_stream(kind: str, number: int, length: int) -> Any:
    """Draw a stream, whose concepts are spread over `length` examples.

    The kinds are those of the study `stream-ensembles`. What is drawn: centres (20 to 100), columns (5 to
    15), classes (2 to 6) and speed (0.00001 to 0.001) of radial basis functions; columns (5 to 15), those
    that drift (one to all), change (0.0001 to 0.01) and noise (to 0.1) of hyperplanes; which four of their
    concepts follow each other at equal distances, the noise of SEA and LED (to 0.2), Agrawal's perturbation
    (to 0.1), and the width of a change (1 to a twentieth of the length). Speeds, changes and widths are
    uniform on the logarithmic scale, all others on their own.

    >>> stream = drawn_stream("hyperplane", 0, 25_000)
    >>> stream == drawn_stream("hyperplane", 0, 100_000), stream == drawn_stream("hyperplane", 1, 25_000)
    (True, False)
    """
    return KINDS[kind](_Draw(kind, number), length, number)


# ME cannot learn in blocks. So that costs are comparable, all ensembles learn example by example here, with
# the same results.

#: Costs measured before this date are those of learning in blocks, except for ME.
IN_TURN_SINCE = "2026-11-28"


class _InTurn:
    def _prefers_blocks(self, is_tested: bool) -> bool:
        return False


class _OnlineBagging(_InTurn, OnlineBaggingClassifier):
    pass


class _ADWINBagging(_InTurn, ADWINBaggingClassifier):
    pass


class _LeveragingBagging(_InTurn, LeveragingBaggingClassifier):
    pass


_IN_TURN = {each.__bases__[1]: each for each in (_OnlineBagging, _ADWINBagging, _LeveragingBagging)}


@study(
    "drawn-streams",
    "Six methods of the lecture on stream ensembles, on drawn streams",
    MEASURED,
    thesis=lambda: cells(
        {"n_examples": LENGTHS, "dataset": KINDS, "run": PILOT},
        {"n_examples": JUDGED_LENGTH, "dataset": KINDS, "run": JUDGED},
        algorithm=METHODS,
        n_models=10,
    ),
    quick=lambda task: task.run in PILOT,
    **MEASURING,
)
def drawn_streams(dataset: str, algorithm: str, n_models: int, n_examples: int, run: int) -> tuple[Any, ...]:
    """Predict and train on the drawn stream number `run` of the kind `dataset`."""
    stream = drawn_stream(dataset, run, n_examples)
    seed = key_of("drawn-streams", dataset, algorithm, n_models, n_examples, run)

    def make() -> Any:
        classifier = untrained(algorithm, n_models, seed, stream.categorical_features)
        kind = _IN_TURN.get(type(classifier))
        return classifier if kind is None else kind(**classifier.get_params(deep=False))

    return measurements(make, stream, n_examples)


def judged_tasks() -> list[Any]:
    """List the runs of the six methods on the streams that are judged."""
    return [task for task in drawn_streams.tasks("thesis") if task.run in JUDGED]


def one_run_each(rows: pd.DataFrame) -> pd.DataFrame:
    """Name each drawn stream as a data set of its own ("sea 3"), with one run of each method."""
    return rows.assign(dataset=rows["dataset"] + " " + rows["run"].astype(str), run=0)


def numbers_of_classes() -> dict[str, int]:
    """Give the number of classes of each judged stream, by its name as a data set ("sea 3")."""
    streams = product(KINDS, JUDGED)
    return {f"{kind} {n}": len(drawn_stream(kind, n, JUDGED_LENGTH).classes) for kind, n in streams}


def of_streams(rows: pd.DataFrame) -> pd.DataFrame:
    """Give accuracy and RAM-hours of each method on each stream, of runs of one length.

    A row for each stream (dataset, run); columns (`accuracy` or `ram_hours`, algorithm).
    """
    with_accuracy = rows.assign(accuracy=rows["n_correct"] / rows["n_seen"])
    return with_accuracy.pivot(
        index=["dataset", "run"], columns="algorithm", values=["accuracy", "ram_hours"]
    )


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Give mean accuracy and geometric mean of the RAM-hours of each method over streams, for each length."""
    found = {}
    for length, runs in rows.groupby("n_examples"):
        table = of_streams(runs)
        found[length] = pd.concat([table[["accuracy"]].mean(), np.exp(np.log(table[["ram_hours"]]).mean())])
    return pd.DataFrame(found).T.rename_axis("n_examples")


def length_that_matters(pilot: pd.DataFrame) -> int:
    """Choose the length that is judged, by the rule of `LENGTHS`."""
    mean = means(pilot)
    for n in mean.index[:-1]:
        now, twice = mean.loc[n], mean.loc[2 * n]
        same_order = all(
            now[kind].argsort(kind="stable").tolist() == twice[kind].argsort(kind="stable").tolist()
            for kind in ("accuracy", "ram_hours")
        )
        if same_order and (now["accuracy"] - twice["accuracy"]).abs().max() <= 0.01:
            return int(n)
    return int(mean.index[-1])
