"""Measure what a user waits for before anything is compiled: first answers, and rows learned over time.

    python -m benchmarks.first_calls [--repeats N] [--out FILE]

Each measurement is a process of its own with an empty cache of kernels.

answer      time from the first two `learn_one` to the first `predict_one` of a class, after the import
compiled    time until all kernels of these calls are compiled, while both are called every twentieth of a
            second; in the first repetition only
cpu         processor time of the processes that compiled them
curve       number of rows that a model has predicted and learned, in calls of 500 rows, and when, until a
            second after a call has been compiled
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from oza.classifier.online import OnlineKernelClassifier
from oza.discovery import all_estimators
from reproduction.paths import DATA

RECORD = DATA / "results" / "first_calls.csv"
FIELDS = ("kind", "model", "compiles", "repeat", "seconds", "rows")
CURVES = (
    "HoeffdingTreeClassifier()",
    "OnlineBaggingClassifier(HoeffdingTreeClassifier(), 10, random_state=0)",
)

ANSWER = """
import time
import oza
begin = time.perf_counter()
model = oza.{model}()
if hasattr(model, "n_prime"):
    model.set_params(n_prime=2)
x, n = {{"size": 1.5, "colour": "red"}}, 3
for y in "ab":
    model.learn_one(x, y)
model.predict_one(x)
print("answer", time.perf_counter() - begin, n)
"""

COMPILED = """
import resource
from oza.kernels.compile import _compiler
looks = 0
while looks < 2:
    model.learn_one(x, y)
    model.predict_one(x)
    n += 2
    _compiler.is_done(b"")  # waits for processes that have ended
    looks = 0 if _compiler._given else looks + 1
    if looks == 1:
        print("compiled", time.perf_counter() - begin, n)
    time.sleep(0.05)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("cpu", used.ru_utime + used.ru_stime, n)
"""

CURVE = """
import time
from oza import *
from oza.streams import Agrawal
X, y = Agrawal(function=7)[:1_000_000]
model = {model}
begin = shown = time.perf_counter()
end, first = float("inf"), 0
while first < len(y) and time.perf_counter() < end:
    before = time.perf_counter()
    model.prequential_predict(X[first : first + 500], y[first : first + 500], classes=[0, 1])
    first += 500
    now = time.perf_counter()
    if now > shown + 0.1:
        print("curve", now - begin, first)
        shown = now
    if now - before < 0.02 and end == float("inf"):  # as no uncompiled call
        end = now + 1
"""


def rows(program: str, model: str, compiles: str, repeat: int) -> list[tuple]:
    """What one process prints."""
    with tempfile.TemporaryDirectory() as cache:
        variables = {"OZA_CACHE": cache, "OZA_COMPILE": compiles}
        command = [sys.executable, "-W", "ignore", "-c", program.format(model=model)]
        shown = subprocess.run(
            command, env=os.environ | variables, capture_output=True, text=True, check=True
        )
        found = [line.split() for line in shown.stdout.splitlines()]
    return [(kind, model, compiles, repeat, f"{float(seconds):.3f}", int(n)) for kind, seconds, n in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RECORD)
    options = parser.parse_args()
    with options.out.open("w", newline="", encoding="utf-8") as file:
        record = csv.writer(file, lineterminator="\n")
        record.writerow(FIELDS)
        for repeat in range(options.repeats):
            for model in all_estimators(OnlineKernelClassifier):
                record.writerows(rows(ANSWER if repeat else ANSWER + COMPILED, model, "beside", repeat))
        for model in CURVES:
            for compiles in "beside", "now":
                record.writerows(rows(CURVE, model, compiles, 0))


if __name__ == "__main__":
    main()
