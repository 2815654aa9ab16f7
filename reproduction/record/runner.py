"""Execution of tasks: any executor computes, only the driver process writes.

A result depends on its task alone, not on the worker, the number of workers or the order of the
tasks. A task that fails, never ends or kills its worker is recorded as a failure, and the others go on.
"""

import faulthandler
import hashlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime, timedelta
from errno import EDQUOT, ENOSPC
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from oza.datasets import DatasetUnavailableError, fetch_dataset, list_datasets

from .store import Provenance, Store, provenance
from .study import Study, ignore_bounds, n_values, without_warnings_of_bounds

#: Error numbers of a full disk, and of a user who may not have more of it.
NO_SPACE = (ENOSPC, EDQUOT)

_POLL_SECONDS = 0.2  # after which a signal that arrived meanwhile takes effect
_MAX_BREAKS = 5  # of executors, one after the other, which neither gave a result nor began a task


class Failure(NamedTuple):
    """A task that failed, the error's text, and its traceback as far as it is known."""

    task: Any
    error: str
    traceback: str = ""


class RemoteResult(NamedTuple):
    """A result that was computed on another machine, and its provenance there."""

    found: Any
    made_with: Provenance


@without_warnings_of_bounds()
def run(
    study: Study,
    tasks: Collection[Any],
    store: Store,
    executor: Executor,
    *,
    in_flight: int = 8,
    progress: bool = False,
    again: bool = False,
    retries: int = 0,
    time_limit: float | None = None,
    renew: Callable[[], Executor] | None = None,
) -> list[Failure]:
    """Compute the tasks that are not recorded yet, and record each one as it ends; returns those that failed.

    The first repetition of each data set is run first, small data sets before large. `in_flight` tasks are
    submitted at a time. With `again` recorded tasks are computed too, and a new result replaces the recorded
    one. A task that raises an error or takes too long is tried again `retries` times; the process that
    computes a task for more seconds than `time_limit` is ended, so that each process must compute one task at
    a time.

    `renew` starts the executor that replaces one that broke, and is ended here. Tasks that processes computed
    when one of them died run again after all others, one at a time: one that kills its process then has
    failed. If there is no `renew`, or it does not help, `BrokenExecutor` ends the run: finished tasks are
    recorded, and the other workers are terminated. `OSError` says that a result cannot be written, or that a
    task finds no space.
    """
    store.check(study, tasks)
    recorded = set() if again else store.recorded(tasks)
    wanted = [task for task in dict.fromkeys(tasks) if task not in recorded]
    with (
        tempfile.TemporaryDirectory(prefix="oza-", ignore_cleanup_errors=True) as notes,
        _bar(sum(_microseconds(study, task) for task in wanted), shown=progress) as bar,
        _postponed_signals() as let_signals_act,
    ):
        state = _Run(study, store, executor, renew, retries, time_limit, Path(notes), bar, let_signals_act)
        try:
            state.compute(_sorted(study, wanted), in_flight)
            state.compute(state.suspects, in_flight=1, is_second_try=True)
        except BrokenExecutor:  # the pool ends its futures itself, which fails if one is cancelled
            raise
        except BaseException:
            for future in state.running:
                future.cancel()
            raise
        finally:
            if state.executor is not executor:
                state.executor.shutdown(wait=not state.is_unfinished, cancel_futures=True)
    return state.failures


@dataclass
class _Run:
    """State of a run: which tasks wait, which are computed, and what became of the others."""

    study: Study
    store: Store
    executor: Executor
    renew: Callable[[], Executor] | None
    retries: int
    time_limit: float | None
    notes: Path
    bar: Any
    let_signals_act: Callable[[], None]
    waiting: deque[Any] = field(default_factory=deque)
    running: dict[Future, Any] = field(default_factory=dict)
    suspects: list[Any] = field(default_factory=list)  # one of them killed a process
    is_second_try: bool = False  # of suspects
    errors: Counter[Any] = field(default_factory=Counter)
    n_breaks: int = 0
    failures: list[Failure] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.made_with = provenance(self.study.measure)

    @property
    def is_unfinished(self) -> bool:
        return bool(self.waiting or self.running)

    def compute(self, tasks: Iterable[Any], in_flight: int, is_second_try: bool = False) -> None:
        """Compute tasks, `in_flight` at a time, with new executors for those that break."""
        self.waiting, self.suspects, self.is_second_try = deque(tasks), [], is_second_try
        while self.is_unfinished:
            try:
                while self.waiting and len(self.running) < in_flight:
                    self._submit()
                _announce(self.bar, self.running, len(self.waiting) + len(self.suspects))
                for future in self._wait(FIRST_COMPLETED):
                    self._take(future)
            except BrokenExecutor:
                _end_workers(self.executor)
                if self.renew is None or self.n_breaks == _MAX_BREAKS:
                    raise
                self._sort_out()
                self.executor = self.renew()

    def _wait(self, until: str) -> set[Future]:
        """Wait until the first running task ends, or all of them, but not for ever; those that have ended."""
        for _ in range(50):
            done, rest = wait(self.running, _POLL_SECONDS, until)
            self.let_signals_act()
            if not rest or (done and until == FIRST_COMPLETED):
                break
        return done

    def _submit(self) -> None:
        """Submit the first task that waits, and goes on waiting if the executor does not accept it.

        A worker process that is started for it ignores Ctrl-C until it is ready.
        """
        task, measure = self.waiting[0], self.study.measure
        is_pool = isinstance(self.executor, ProcessPoolExecutor)
        if is_pool:
            measure = partial(_measure_with_note, self._note(task), self.time_limit, measure)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.running[self.executor.submit(measure, task)] = task
        except Exception as error:
            is_ours = is_pool and not isinstance(error, OSError)  # queues were closed, or memory is exhausted
            if is_ours or isinstance(error, BrokenExecutor):
                raise
            raise BrokenExecutor(f"no task can be submitted: {error}") from error
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self.waiting.popleft()

    def _take(self, future: Future) -> None:
        """Record what became of a task, which stays among the running ones if the executor broke."""
        task = self.running[future]
        try:
            found = future.result()
        except BrokenExecutor:
            raise
        except CancelledError:  # by a cluster that was started again
            self.waiting.append(task)
        except Exception as error:
            if isinstance(error, OSError) and error.errno in NO_SPACE:
                raise
            trace = "".join(traceback.format_exception(error))
            if type(error).__name__ == "KilledWorker":  # as Dask says of all tasks that the worker had
                self._killed(task, trace)
            else:
                self._failed(task, f"{type(error).__name__}: {error}", trace)
        else:
            self.store.add(task, *self._provenance_of(found))
            self.bar.update(_microseconds(self.study, task))
            self.n_breaks = 0
        del self.running[future]

    def _provenance_of(self, found: Any) -> tuple[Any, Provenance]:
        """A result and its provenance; the code and the versions must be those of the driver."""
        if not isinstance(found, RemoteResult):
            return found, self.made_with
        here, there = self.made_with, found.made_with
        for name in ("oza", "source", "python", "numpy", "numba"):
            if getattr(here, name) != getattr(there, name):
                raise ValueError(
                    f"a worker, on {there.processor}, has other software than this process: {name} is "
                    f"{getattr(there, name)} there and {getattr(here, name)} here"
                )
        return found.found, replace(here, processor=there.processor)

    def _failed(self, task: Any, error: str, trace: str, may_retry: bool = True) -> None:
        self.errors[task] += 1
        if may_retry and self.errors[task] <= self.retries:
            self.waiting.append(task)
            return
        self.store.fail(task, error, trace, self.made_with.date)
        self.failures.append(Failure(task, error, trace))
        self.bar.update(_microseconds(self.study, task))

    def _killed(self, task: Any, trace: str) -> None:
        if self.is_second_try:
            self._failed(task, "BrokenExecutor: its worker process died 2 times", trace, may_retry=False)
        else:
            self.suspects.append(task)

    def _sort_out(self) -> None:
        """Find out which tasks were computed when the executor broke, and which of them may be the cause.

        Each task leaves a note while it is computed, into which a crash or the end of its time writes the
        traceback. If no note has one, each of these tasks may be the cause.
        """
        self._wait(ALL_COMPLETED)
        began: dict[Any, str] = {}
        for future, task in list(self.running.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                self._take(future)
            elif (note := self._note(task)).exists():
                began[task] = note.read_text(encoding="utf-8", errors="replace")
                note.unlink()
            else:
                self.waiting.appendleft(task)
        self.running.clear()
        self.n_breaks = 0 if began else self.n_breaks + 1
        for task, text in began.items():
            if text.startswith("Timeout"):
                self._failed(task, f"TimeoutError: not finished after {self.time_limit:g} seconds", text)
            elif text or not any(began.values()):
                self._killed(task, text or "the process ended without one")
            else:
                self.waiting.appendleft(task)

    def _note(self, task: Any) -> Path:
        return self.notes / hashlib.sha256(repr(task).encode()).hexdigest()


@contextmanager
def _postponed_signals() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C and SIGTERM take effect when the function that is yielded is called, and not before.

    An exception amid the waiting for futures can leave a lock of theirs locked, for which their pool would
    wait for ever.
    """
    arrived: list[tuple[int, Any]] = []
    former: dict[int, Any] = {}

    def let_signals_act() -> None:
        while arrived:
            number, frame = arrived.pop(0)
            former[number](number, frame)

    if threading.current_thread() is threading.main_thread():  # which alone receives signals
        former = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
        former = {number: handler for number, handler in former.items() if callable(handler)}
        for number in former:
            signal.signal(number, lambda *received: arrived.append(received))
    try:
        yield let_signals_act
    finally:
        for number, handler in former.items():
            if signal.getsignal(number) is not signal.SIG_IGN:  # as the former handler may have decided
                signal.signal(number, handler)
        let_signals_act()


def _measure_with_note(note: Path, time_limit: float | None, measure: Callable[[Any], Any], task: Any) -> Any:
    """Compute a task in a worker process; a file exists meanwhile, and receives the traceback of a crash."""
    with open(note, "w", encoding="utf-8") as file:
        faulthandler.enable(file)
        try:
            with ended_after(time_limit, file):
                return measure(task)
        finally:
            faulthandler.disable()
            note.unlink()


@contextmanager
def ended_after(seconds: float | None, file: Any) -> Iterator[None]:
    """End this process, which writes its traceback to a file, if the block takes longer."""
    if seconds is not None:
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _sorted(study: Study, tasks: Iterable[Any]) -> list[Any]:
    """Sort tasks: coverage first, small data sets first, one split after the other.

    Of a split, the task that costs most is first, so that no worker waits long for the last one.
    """
    known: dict[tuple, tuple] = {}  # equal keys are kept once: a hundred thousand need 14 MB

    def turn(task: Any) -> tuple:
        repetition, fold, order = (getattr(task, name, 0) for name in ("repetition", "fold", "order"))
        stage = 0 if order == repetition == 0 else 1 if repetition == 0 else 2
        key = stage, n_values(task.dataset), task.dataset, repetition, fold, -study.cost(task)
        return known.setdefault(key, key)

    return sorted(sorted(tasks), key=turn)


def _microseconds(study: Study, task: Any) -> int:
    """Estimated cost of a task, which adds up to the same total in any order."""
    return round(1e6 * study.cost(task))


def _bar(total: int, shown: bool) -> Any:
    return tqdm(
        total=total,
        disable=not shown,
        file=sys.stderr,
        mininterval=0.5 if sys.stderr.isatty() else 60,
        smoothing=0.05,
        bar_format="{percentage:3.0f}%|{bar:20}| {elapsed}, {remaining} to go{postfix}",
    )


def _announce(bar: Any, running: dict[Future, Any], n_waiting: int) -> None:
    """Show the expected end, the number of tasks, and the one that has run longest."""
    state = bar.format_dict
    task = next(iter(running.values()), None)
    if task is not None and state["rate"]:
        end = datetime.now() + timedelta(seconds=(state["total"] - state["n"]) / state["rate"])
        where = " ".join(str(value) for value in astuple(task) if value != task.study)
        bar.set_postfix_str(f"ends {end:%a %H:%M}, {n_waiting + len(running)} tasks, {where}", refresh=False)


def processes(jobs: int) -> ProcessPoolExecutor:
    """Make single-threaded worker processes by spawning (forking is unsafe with compiled code).

    All start with the first task. Otherwise the pool would not monitor those that it starts while it waits
    for others, and the driver would wait for them for ever.
    """
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_start_worker)
    pool._safe_to_dynamically_spawn_children = False  # type: ignore[attr-defined]
    return pool


def _end_workers(executor: Executor) -> None:
    """Terminate the workers of a pool that has started only some of them, which nobody monitors."""
    for worker in list((getattr(executor, "_processes", None) or {}).values()):
        worker.terminate()


def use_one_thread() -> None:
    """Prepare a process or a thread to compute tasks beside others."""
    import numba
    import threadpoolctl

    ignore_bounds()
    numba.set_num_threads(1)
    threadpoolctl.threadpool_limits(1)


def _start_worker() -> None:
    use_one_thread()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the driver reports Ctrl-C
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    driver = multiprocessing.parent_process()
    assert driver is not None
    threading.Thread(target=_exit_with_driver, args=(driver.sentinel,), daemon=True).start()


def _exit_with_driver(sentinel: int) -> None:
    """Exit as soon as the driver has ended, so that a killed driver leaves no workers behind."""
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def unreachable(datasets: Iterable[str]) -> dict[str, str]:
    """List the data sets that are not available, with the reason; missing ones are downloaded if possible."""
    reasons = {}
    for name in set(datasets) & set(list_datasets()):  # any other name is that of a generated stream
        try:
            fetch_dataset(name)
        except DatasetUnavailableError:
            reasons[name] = f"it is not available here (`oza data fetch {name}` says why)"
    return reasons
