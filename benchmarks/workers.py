"""Measure what a second worker of a Dask cluster on this machine brings, and record it.

    python -m benchmarks.workers

The work is online bagging of 200 Hoeffding trees on a million rows, with `oza.dask`, and the quick profile of
a study, with the runner of the reproduction. Each is done three times by one worker process, and by two
right after it; medians are recorded. What they give is compared, bit for bit, with what the ensemble learns
without Dask, and with the recorded results.
"""

import csv
import hashlib
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from distributed import Client

from oza import HoeffdingTreeClassifier, OnlineBaggingClassifier
from oza.dask import DaskEnsemble
from oza.streams import Hyperplane
from reproduction.paths import DATA
from reproduction.record import Store, run
from reproduction.record.cluster import Cluster
from reproduction.record.runner import unreachable
from reproduction.studies.curves import curves

RECORD = DATA / "results" / "workers.csv"
FIELDS = ("work", "one worker, seconds", "two workers, seconds", "times as fast", "bits")
REPEATS = 3  # of which medians are recorded
N_ROWS, CHUNK = 1_000_000, 100_000
STUDY = curves  # a minute of work for one worker


def trees() -> OnlineBaggingClassifier:
    return OnlineBaggingClassifier(HoeffdingTreeClassifier(), 200, random_state=1)


def chunks() -> Any:
    stream = Hyperplane(random_state=1)
    return (stream[first : first + CHUNK] for first in range(0, N_ROWS, CHUNK))


def digest_of(model: OnlineBaggingClassifier) -> str:
    X, _ = Hyperplane(random_state=2)[:1000]
    return hashlib.sha256(model.predict_each(X).tobytes() + model.predict_proba(X).tobytes()).hexdigest()


def ensemble(n_workers: int) -> tuple[float, str]:
    """Seconds, and a digest of what was learned."""
    with Client(n_workers=n_workers, threads_per_worker=1, dashboard_address=None) as client:
        DaskEnsemble(trees(), client).partial_fit(*Hyperplane()[:5000])  # loads the kernels
        there = DaskEnsemble(trees(), client)
        begin = time.perf_counter()
        there.partial_fit(chunks())
        return time.perf_counter() - begin, digest_of(there.gather())


def ensemble_alone() -> str:
    model = trees()
    for X, y in chunks():
        model.partial_fit(X, y)
    return digest_of(model)


def study(n_workers: int) -> tuple[float, str]:
    """Seconds, and a digest of the results."""
    with Cluster("local", n_workers) as cluster, tempfile.TemporaryDirectory() as folder:
        seconds = 0.0
        for profile in ("smoke", "quick"):  # the first one loads the kernels
            with closing(Store(Path(folder) / profile)) as store:
                begin = time.perf_counter()
                assert not run(STUDY, planned(profile), store, cluster, in_flight=cluster.in_flight)
                seconds = time.perf_counter() - begin
                store.export()
        return seconds, digest_of_results(Path(folder) / "quick")


def planned(profile: str) -> list[Any]:
    """The tasks whose data sets are here."""
    found = STUDY.tasks(profile)
    missing = unreachable(task.dataset for task in found)
    return [task for task in found if task.dataset not in missing]


def digest_of_results(folder: Path | None) -> str:
    columns = [name for name in (*STUDY.key, *STUDY.measured) if name not in STUDY.varying]
    rows = STUDY.recorded(planned("quick"), folder)[columns]
    return hashlib.sha256(rows.to_csv(index=False, float_format="%r").encode()).hexdigest()


def main() -> None:
    rows = []
    for work, measured, known in (
        (f"online bagging of 200 Hoeffding trees, {N_ROWS:,} rows", ensemble, ensemble_alone),
        (
            f"quick profile of {STUDY.name}, {len(planned('quick'))} tasks",
            study,
            lambda: digest_of_results(None),
        ),
    ):
        pairs = [(measured(1), measured(2)) for _ in range(REPEATS)]
        bits = "the same" if {digest for pair in pairs for _, digest in pair} == {known()} else "different"
        one, two, ratio = (
            statistics.median(each)
            for each in zip(*((one, two, one / two) for (one, _), (two, _) in pairs), strict=True)
        )
        rows.append((work, f"{one:.0f}", f"{two:.0f}", f"{ratio:.2f}", bits))
        print(*rows[-1], sep=" | ", flush=True)
        with open(RECORD, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([FIELDS, *rows])


if __name__ == "__main__":
    main()
