"""Measure the pauses of a service: how long single calls of `predict_one` and `learn_one` take.

    python -m benchmarks.pauses [--rows N] [--seconds S] [--out FILE]

Each online class, with its defaults, and with the first 500 events to prime, predicts and learns an event at
a time, by names of columns: six numbers and three names of the Agrawal stream, whose concept changes halfway.
A class that has not learned all events in so many seconds ends there. Microseconds are recorded.
"""

import argparse
import csv
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from oza.classifier.online import OnlineKernelClassifier
from oza.discovery import all_estimators
from oza.streams import Agrawal
from reproduction.paths import DATA

RECORD = DATA / "results" / "pauses.csv"
FIELDS = ("class", "call", "calls", "50%", "99%", "99.9%", "longest")
SHARES = (0.5, 0.99, 0.999, 1.0)


def events(n_rows: int) -> list[tuple[dict[str, Any], str]]:
    """Values by the names of columns, and labels."""
    halves = [Agrawal(function=7)[: n_rows // 2], Agrawal(function=1)[n_rows // 2 : n_rows]]
    found = []
    for X, y in halves:
        columns = [
            column.tolist() if values is None else [f"value {v:g}" for v in column]
            for column, values in zip(X.T, Agrawal().categories, strict=True)
        ]
        rows = zip(*columns, strict=True)
        found += [
            ({f"a{j}": v for j, v in enumerate(row)}, "ab"[label]) for row, label in zip(rows, y, strict=True)
        ]
    return found


def seconds_of(call: Callable[..., Any], *arguments: Any) -> float:
    begin = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - begin


def measured(kind: type, known: list[Any], most_seconds: float) -> dict[str, list[float]]:
    """Seconds of each call; the first example, before which there is no prediction, is left out."""
    warm, model = new(kind), new(kind)
    for x, y in known[:1000]:  # loads the kernels
        warm.learn_one(x, y).predict_one(x)
    model.learn_one(*known[0])
    found: dict[str, list[float]] = {"predict_one": [], "learn_one": []}
    end = time.perf_counter() + most_seconds
    for x, y in known[1:]:
        found["predict_one"].append(seconds_of(model.predict_one, x))
        found["learn_one"].append(seconds_of(model.learn_one, x, y))
        if time.perf_counter() > end:
            break
    return found


def new(kind: type) -> Any:
    chosen = {"random_state": 0, "n_prime": 500}
    return kind(**{name: value for name, value in chosen.items() if name in kind().get_params()})


def rows(n_rows: int, most_seconds: float) -> Any:
    known = events(n_rows)
    for name, kind in all_estimators(OnlineKernelClassifier).items():
        for call, seconds in measured(kind, known, most_seconds).items():
            shares = np.quantile(np.array(seconds) * 1e6, SHARES, method="higher")
            yield (name, call, f"{len(seconds):,}", *(f"{share:,.0f}" for share in shares))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--out", type=Path, default=RECORD)
    asked = parser.parse_args(arguments)
    warnings.simplefilter("ignore")  # of bounds on memory, which the classes keep to
    found = [FIELDS]
    for row in rows(asked.rows, asked.seconds):
        found.append(row)
        print(*row, sep=" | ", flush=True)
    with open(asked.out, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(found)


if __name__ == "__main__":
    main()
