"""Damage runs and recorded results on purpose, and record what was lost.

    python tools/reliability.py [TRIAL ...]     try faults (default: all) and record the outcome in
                                                data/results/reliability.csv

Each trial runs a small study in a folder of its own, disturbs it, runs it to its end, and compares the store
with that of a run that nothing disturbed. It needs a system that can fork processes; the trial of full disks
also needs permission to mount a file system.
"""

import argparse
import csv
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from benchmarks.soak import ENSEMBLES, MILLION, resident, soaked
from oza import files
from oza.datasets import DatasetUnavailableError, dataset_info, fetch_dataset
from reproduction import commands, topics
from reproduction.paths import DATA
from reproduction.record import Store, run, runner, store
from reproduction.record.runner import processes
from reproduction.record.shards import DamagedError, read_shard, shard_bytes
from reproduction.record.store import recorded
from reproduction.studies.accuracy import Result

RECORD = DATA / "results" / "reliability.csv"
NAME = "naive-bayes"
TASKS = [
    task
    for task in topics.studies()[NAME].tasks("thesis")
    if task.dataset in ("balance", "nursery") and task.order == 0 and task.repetition < 3
]
COMMAND = ["run", NAME, "--profile", "thesis", "--jobs", "2"]


class Outcome(NamedTuple):
    """What was tried, how often, how many rows were lost, and what else was seen."""

    tried: str
    trials: int
    lost: int
    tracebacks: int
    seen: str


def measure(task: Any) -> Result:
    """A task that takes 2 ms, whose result depends on it alone."""
    time.sleep(0.002)
    return _result(task)


def tiny(task: Any) -> Result:
    return _result(task)


def _result(task: Any) -> Result:
    digest = hashlib.sha256(repr(task).encode()).hexdigest()
    return Result(400, 100, int(digest[:2], 16), digest[:16], 0.0, 0.0)


class Driver:
    """A process that runs the command, forked from this one, which has imported everything already.

    Its tasks are computed by threads. It writes down each result that the store has confirmed.
    """

    def __init__(self, folder: Path, prepare: Callable[[], None] = lambda: None, notes: Path | None = None):
        self.folder = folder
        notes = notes or folder
        self.confirmed, self.said = notes.with_suffix(".confirmed"), notes.with_suffix(".said")
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            code = 99
            try:
                code = self._drive(prepare)
            finally:
                os._exit(code)

    def _drive(self, prepare: Callable[[], None]) -> int:
        said = os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(said, 2)
        confirmed = os.open(self.confirmed, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        add = Store.add

        def confirming(store: Store, task: Any, *rest: Any) -> None:
            add(store, task, *rest)
            os.write(confirmed, f"{task!r}\n".encode())

        Store.add = confirming  # type: ignore[method-assign, assignment]
        topics.studies()[NAME] = replace(topics.studies()[NAME], measure=measure)
        topics.tasks = lambda *_: TASKS
        runner.processes = ThreadPoolExecutor  # type: ignore[assignment]
        runner.unreachable = lambda *_: {}
        prepare()
        return commands.main([*COMMAND, "--results", str(self.folder)])

    def kill(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def end(self) -> int:
        """Wait for its end; its exit code, negative if a signal ended it."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def lost(self) -> int:
        """Number of confirmed results that are not recorded."""
        return len({*self.confirmations()} - {repr(task) for task in recorded(TASKS, self.folder)})

    def confirmations(self) -> list[str]:
        """What was confirmed, in the order of time."""
        return self.confirmed.read_text(encoding="utf-8").splitlines() if self.confirmed.exists() else []

    def tracebacks(self) -> int:
        return self.said.read_text(encoding="utf-8").count("Traceback")


def rows_of(folder: Path) -> pa.Table:
    """All rows of a store, without what depends on the time."""
    tables = [read_shard(path).drop_columns(["date"]) for path in sorted(folder.glob("*/*.parquet"))]
    return pa.concat_tables(tables).unify_dictionaries()


def finish(driver: Driver, whole: pa.Table) -> int:
    """Run the command to its end; the number of rows that the store lacks then, 1 if only values differ."""
    code = Driver(driver.folder, notes=driver.said).end()
    missing = len(TASKS) - len(recorded(TASKS, driver.folder))
    return missing or int(not (code == 0 and rows_of(driver.folder).equals(whole)))


def undisturbed(folder: Path) -> tuple[pa.Table, float]:
    begin = time.monotonic()
    assert Driver(folder / "whole").end() == 0
    return rows_of(folder / "whole"), time.monotonic() - begin


def signals(folder: Path, n: int) -> Iterator[Outcome]:
    """Drivers that are stopped at random moments, half of them, and while they export, the others."""
    whole, seconds = undisturbed(folder)
    moments = random.Random(1)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        lost = tracebacks = 0
        codes: Counter[int] = Counter()
        slowest = 0.0
        for k in range(n):
            export = k % 5 == 0
            driver = Driver(
                folder / f"{number.name}-{k}",
                partial(_stop_while_writing, number, k) if export else lambda: None,
            )
            if not export:
                time.sleep(0.7 * seconds * moments.random())
                driver.kill(number)
            begin = time.monotonic()
            codes[driver.end()] += 1
            slowest = max(slowest, 0.0 if export else time.monotonic() - begin)
            lost += driver.lost() + finish(driver, whole)
            tracebacks += driver.tracebacks()
        seen = ", ".join(f"exit code {code}: {times}" for code, times in sorted(codes.items()))
        yield Outcome(
            f"{number.name} to the driver, a fifth of them inside an export",
            n,
            lost,
            tracebacks,
            f"{seen}; at most {slowest:.1f} s until the end",
        )


def _stop_while_writing(number: int, k: int) -> None:
    """Send a signal to this process before, or after, the first or second shard is written."""
    write = files.replace_file
    written: list[Path] = []

    def stopping(path: Path, content: bytes) -> None:
        written.append(path)
        is_chosen = path.suffix == ".parquet" and len(written) == 1 + k // 5 % 2
        if is_chosen and k // 10 % 2:
            os.kill(os.getpid(), number)
        write(path, content)
        if is_chosen:
            os.kill(os.getpid(), number)

    store.replace_file = stopping


def imports(folder: Path, n: int) -> Iterator[Outcome]:
    """The command, in a process of its own, which is stopped while it imports its modules."""
    moments = random.Random(2)
    for number in (signal.SIGTERM, signal.SIGINT):
        tracebacks = 0
        codes: Counter[int] = Counter()
        for _ in range(max(n // 10, 1)):
            command = [sys.executable, "-m", "reproduction", *COMMAND, "--results", str(folder / "none")]
            process = subprocess.Popen(command, cwd=DATA.parent, stderr=subprocess.PIPE, text=True)
            maps = Path(f"/proc/{process.pid}/maps")
            while "numpy" not in maps.read_text(encoding="utf-8"):
                time.sleep(0.01)
            time.sleep(moments.random())
            process.send_signal(number)
            tracebacks += "Traceback" in process.communicate()[1]
            codes[process.returncode] += 1
        seen = ", ".join(f"exit code {code}: {times}" for code, times in sorted(codes.items()))
        yield Outcome(f"{number.name} during imports", sum(codes.values()), 0, tracebacks, seen)


def workers(folder: Path, n: int) -> Iterator[Outcome]:
    """Worker processes that are killed from outside, one after the other, in one run."""
    executors: list[Any] = []

    def start() -> Executor:
        executors.append(processes(2))
        return executors[-1]

    n_killed = 0
    ended = threading.Event()

    def kill() -> None:
        nonlocal n_killed
        killed: set[int] = set()
        n_before = 0
        while n_killed < n and not ended.is_set():
            time.sleep(0.05)
            pool = executors[-1]
            pids = [pid for pid in list(pool._processes or {}) if pid not in killed]
            if id(pool) not in killed and pids and kept.n_added > n_before + 5:
                os.kill(pids[n_killed % len(pids)], signal.SIGKILL)
                killed |= {id(pool), *pids}
                n_killed, n_before = n_killed + 1, kept.n_added

    chosen = [replace(TASKS[0], order=k) for k in range(200 * n)]
    with closing(Store(folder)) as kept, start() as executor:
        killer = threading.Thread(target=kill)
        killer.start()
        study = replace(topics.studies()[NAME], measure=measure)
        try:
            failures = run(study, chosen, kept, executor, in_flight=4, renew=start)
        finally:
            ended.set()
            killer.join()
    lost = len(set(chosen) - recorded(chosen, folder))
    yield Outcome("a worker killed (SIGKILL)", n_killed, lost, 0, f"{len(failures)} tasks taken for failed")


def full_disks(folder: Path, n: int) -> Iterator[Outcome]:
    """A file system of 4 MB of which another number of bytes is free each time."""
    whole, _ = undisturbed(folder)
    disk = folder / "disk"
    disk.mkdir()
    lost = tracebacks = 0
    codes: Counter[int] = Counter()
    slowest = 0.0
    for k in range(max(n // 2, 1)):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=True)
        try:
            ballast = disk / "ballast"
            ballast.write_bytes(bytes(4 * 2**20 - 4096 * (k + 1)))
            driver = Driver(disk / "results", notes=folder / f"disk-{k}")
            code, (begin, said) = driver.end(), (0.0, driver.said.read_text(encoding="utf-8"))
            codes[code] += 1
            begin = (
                driver.confirmed.stat().st_mtime if driver.confirmed.exists() else driver.said.stat().st_mtime
            )
            slowest = max(slowest, driver.said.stat().st_mtime - begin)
            tracebacks += driver.tracebacks() + (code != 0 and "space" not in said)
            if recording := (disk / "results").exists():
                lost += driver.lost()
            ballast.unlink()
            lost += finish(driver, whole) if recording or code else 0
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    seen = ", ".join(f"exit code {code}: {times}" for code, times in sorted(codes.items()))
    yield Outcome(
        "no space left on the disk",
        sum(codes.values()),
        lost,
        tracebacks,
        f"{seen}; stopped at most {slowest:.1f} s after the last result",
    )


def flips(folder: Path, n: int) -> Iterator[Outcome]:
    """Single bits that are changed in a shard, a journal and a data file, ten times as many."""
    undisturbed(folder)
    shard = folder / "whole" / NAME / "balance.parquet"
    journal = folder / "journal" / "journal" / "results.jsonl"
    with closing(Store(folder / "journal")) as kept:
        for task in TASKS[:50]:
            kept.add(task, measure(task), store.provenance(measure))
    yield _flipped("a shard", shard, lambda: read_shard(shard), 10 * n)
    yield _flipped("the journal", journal, lambda: _read_journal(folder / "journal"), 10 * n)
    (original,) = fetch_dataset("promoters")
    (file,) = dataset_info("promoters").files
    os.environ |= {"OZA_DATA_MIRROR": str(folder / "mirror"), "OZA_CACHE": str(folder), "OZA_OFFLINE": "1"}
    data = folder / "mirror" / file.path
    data.parent.mkdir(parents=True)
    data.write_bytes(original.read_bytes())
    yield _flipped("a data file", data, lambda: fetch_dataset("promoters"), 10 * n)


def _read_journal(folder: Path) -> None:
    with closing(Store(folder)) as kept:
        if kept.notes:
            raise DamagedError(kept.notes[0])
        kept.recorded(TASKS)


def _flipped(what: str, path: Path, read: Callable[[], Any], n: int) -> Outcome:
    content = path.read_bytes()
    found: Counter[str] = Counter()
    for bit in random.Random(3).sample(range(8 * len(content)), n):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            read()
            found["silent"] += 1
        except (DamagedError, DatasetUnavailableError) as error:
            found["named" if path.name in str(error) else "not named"] += 1
        except Exception:
            found["traceback"] += 1
    path.write_bytes(content)
    seen = f"{found['named']} named with the file, {found['not named']} without"
    return Outcome(f"a bit of {what} changed", n, found["silent"], found["traceback"], seen)


def pairs(folder: Path, n: int) -> Iterator[Outcome]:
    """Two drivers that are started at the same time in the same folder."""
    whole, _ = undisturbed(folder)
    lost = tracebacks = twice = refused = 0
    for k in range(max(n // 5, 1)):
        place = folder / f"pair-{k}"
        drivers = [Driver(place, notes=folder / f"pair-{k}-{each}") for each in range(2)]
        for driver in drivers:
            driver.end()
            refused += "is in use by process" in driver.said.read_text(encoding="utf-8")
            tracebacks += driver.tracebacks()
        confirmed = [line for d in drivers for line in d.confirmations()]
        twice += len(confirmed) - len(set(confirmed))
        lost += len(TASKS) - len(recorded(TASKS, place)) or int(not rows_of(place).equals(whole))
    yield Outcome(
        "two drivers on one store",
        max(n // 5, 1),
        lost,
        tracebacks,
        f"{refused} times one was refused with the name of the other, {twice} tasks computed twice",
    )


def troubled(task: Any) -> Result:
    """One task never ends, one raises an error, one kills its process."""
    match TASKS.index(task):
        case 0:
            while True:
                pass
        case 1:
            raise ArithmeticError("this task fails")
        case 2:
            os.kill(os.getpid(), signal.SIGKILL)
    return _result(task)


def bad_tasks(folder: Path, n: int) -> Iterator[Outcome]:
    """Tasks of which one never ends, one raises an error and one kills its process, among 36."""
    chosen = TASKS[:36]
    start = partial(processes, 2)
    with closing(Store(folder)) as kept, start() as executor:
        study = replace(topics.studies()[NAME], measure=troubled)
        failures = run(study, chosen, kept, executor, in_flight=4, time_limit=3, renew=start)
        done = kept.recorded(chosen)
    yield Outcome(
        "an endless, a failing and a killing task among 36",
        3,
        33 - len(done),
        0,
        f"{len(done)} others finished, {len(failures)} failures on record: "
        + "; ".join(sorted(failure.error for failure in failures)),
    )


def cluster(folder: Path, n: int) -> Iterator[Outcome]:
    """A Dask cluster whose workers and whose scheduler are killed, and started again."""
    from reproduction.record.cluster import Cluster

    address = "tcp://127.0.0.1:18786"
    dask = [sys.executable, "-m", "dask"]
    environment = os.environ | {"PYTHONPATH": str(DATA.parent)}

    def started(*arguments: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*dask, *arguments], cwd=folder, env=environment, **quiet)  # type: ignore

    def worker() -> subprocess.Popen[bytes]:
        return started("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")

    processes = {"scheduler": started("scheduler", "--port", "18786", "--no-dashboard")}
    processes |= {f"worker {k}": worker() for k in range(2)}
    n_workers, n_schedulers = max(n // 5, 1), max(n // 20, 1)
    killed: Counter[str] = Counter()
    ended = threading.Event()

    def disturb(kept: Store) -> None:
        names = ["worker 0", "worker 1"] * (n_workers // 2) + ["scheduler"] * n_schedulers
        random.Random(4).shuffle(names)
        while not ended.wait(0.1):
            place = killed.total()
            if place < len(names) and kept.n_added >= (place + 1) * 20:
                name = names[place]
                if processes[name].poll() is None:
                    processes[name].kill()
                    processes[name].wait()
                    killed[name.split()[0]] += 1
            if processes["scheduler"].poll() is not None:
                processes["scheduler"] = started("scheduler", "--port", "18786", "--no-dashboard")
            for each in ("worker 0", "worker 1"):  # which end when they lose their scheduler
                if processes[each].poll() is not None:
                    processes[each] = worker()

    study = topics.studies()[NAME]
    tasks = [task for task in study.tasks("thesis") if task.dataset == "balance"]
    tasks = tasks[: 20 * (n_workers + n_schedulers) + 100]
    try:
        with Cluster(address, 0) as executor, closing(Store(folder / "results")) as kept:
            disturbing = threading.Thread(target=disturb, args=(kept,), daemon=True)
            disturbing.start()
            failures = run(study, tasks, kept, executor, in_flight=16, renew=executor.connected)
            lost = len(tasks) - len(kept.recorded(tasks))
    finally:
        ended.set()
        for process in processes.values():
            process.kill()
    yield Outcome(
        "workers and the scheduler of a Dask cluster killed",
        sum(killed.values()),
        lost,
        0,
        f"{killed['worker']} workers, {killed['scheduler']} schedulers; {len(failures)} tasks failed",
    )


def many(folder: Path, n: int) -> Iterator[Outcome]:
    """Tiny tasks, a thousand times as many: what the driver needs for each of them."""
    example = TASKS[0]
    tasks = [replace(example, order=k) for k in range(1000 * n)]
    with closing(Store(folder)) as kept, processes(1) as executor:
        study = replace(topics.studies()[NAME], measure=tiny)
        run(study, tasks[:100], kept, executor)
        kept.export()
        seconds, memory = cost_of(lambda: run(study, tasks, kept, executor, in_flight=16))
        of_export, memory_of_export = cost_of(kept.export)
        lost = len(tasks) - len(kept.recorded(tasks))
    yield Outcome(
        f"{len(tasks):,} tiny tasks",
        1,
        lost,
        0,
        f"{1000 * seconds / len(tasks):.2f} ms of the driver's processor each; its memory grew by "
        f"{memory:.0f} MB while they ran, and by {memory_of_export:.0f} MB in the export, which took "
        f"{of_export:.1f} s",
    )


def cost_of(work: Callable[[], Any]) -> tuple[float, float]:
    """Processor seconds of a call, and by how many MB the memory of this process grew meanwhile, at most."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak is then the present memory
    held, begin = resident(), time.process_time()
    work()
    return time.process_time() - begin, resident("VmHWM") - held


def million(folder: Path, n: int) -> Iterator[Outcome]:
    """The command `status` on ten thousand times as many rows, beside an empty folder."""
    rows = 10_000 * n
    known = read_shard(DATA / "results" / NAME / "balance.parquet")
    place = pa.array([k % len(known) for k in range(rows)])
    order = pa.array([k // len(known) for k in range(rows)])
    table = known.take(place).set_column(known.column_names.index("order"), "order", order)
    files.replace_file(folder / "large" / NAME / "balance.parquet", shard_bytes(table))
    (folder / "empty").mkdir()
    script = (
        "import sys, time; import reproduction.topics; from reproduction.commands import main\n"
        "begin = time.process_time(); main(['status', '--results', sys.argv[1]])\n"
        "seconds = time.process_time() - begin\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(seconds, int(peak.split()[1]) / 1024)"
    )
    found = {}
    for name in ("empty", "large"):
        command = [sys.executable, "-c", script, str(folder / name)]
        done = subprocess.run(command, cwd=DATA.parent, capture_output=True, text=True, check=True)
        found[name] = [float(word) for word in done.stdout.splitlines()[-1].split()]
    (seconds, memory), (base, base_memory) = found["large"], found["empty"]
    yield Outcome(
        f"`status` on {rows:,} rows",
        1,
        0,
        0,
        f"{seconds:.1f} s of the processor and {memory:.0f} MB, {base:.1f} s and {base_memory:.0f} MB of "
        "them without any row",
    )


def soak(folder: Path, n: int) -> Iterator[Outcome]:
    """Ensembles that learn a million times as many examples, each in a process of its own."""
    for name in ENSEMBLES:
        with processes(1) as executor:
            found = executor.submit(soaked, name, n * MILLION).result()
        yield Outcome(f"{name}, {n * MILLION:,} examples", 1, found.n_lost, 0, found.text)


TRIALS: dict[str, Callable[[Path, int], Iterator[Outcome]]] = {
    "signals": signals,
    "imports": imports,
    "workers": workers,
    "full-disks": full_disks,
    "flips": flips,
    "pairs": pairs,
    "bad-tasks": bad_tasks,
    "cluster": cluster,
    "many": many,
    "million": million,
    "soak": soak,
}


def keep(name: str, outcomes: list[Outcome]) -> None:
    """Replace what is recorded of a trial."""
    rows = []
    if RECORD.exists():
        with open(RECORD, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row[0] in TRIALS and row[0] != name]
    rows += [[name, *map(str, outcome)] for outcome in outcomes]
    rows.sort(key=lambda row: list(TRIALS).index(row[0]))
    with open(RECORD, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("trial", *Outcome._fields), *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"of {', '.join(TRIALS)}")
    parser.add_argument(
        "-n", type=int, default=100, help="trials of each kind of fault (default: %(default)s)"
    )
    options = parser.parse_args()
    for name in options.trials or TRIALS:
        with tempfile.TemporaryDirectory() as folder:
            outcomes = list(TRIALS[name](Path(folder), options.n))
        print(*(" | ".join(map(str, outcome)) for outcome in outcomes), sep="\n", flush=True)
        keep(name, outcomes)


if __name__ == "__main__":
    main()
