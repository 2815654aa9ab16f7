"""Execution of tasks: any executor computes, only the driver process writes.

A result depends on its task alone, not on the worker, the number of workers or the order of the
tasks.
"""

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import astuple
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from tqdm import tqdm

from oza.datasets import DatasetUnavailableError, fetch_dataset, list_datasets

from .store import Store, provenance
from .study import Study, ignore_bounds, n_values, without_warnings_of_bounds

_PATIENCE = 10.0  # seconds without a result after which workers are checked


class Failure(NamedTuple):
    """A task that raised an error, and the error's text."""

    task: Any
    error: str


@without_warnings_of_bounds()
def run(
    study: Study,
    tasks: Collection[Any],
    store: Store,
    executor: Executor,
    *,
    in_flight: int = 8,
    progress: bool = False,
) -> list[Failure]:
    """Compute the tasks that are not recorded yet, and record each one as it ends.

    Parameters
    ----------
    study : Study
        Defines how a task is measured, and its estimated cost.
    tasks : collection
        Tasks to run; the first repetition of each data set is run first, small data sets before large.
    store : Store
        Store of the results.
    executor : concurrent.futures.Executor
        Processes, threads, or the executor of a cluster.
    in_flight : int, default=8
        Number of tasks submitted to the executor at a time.
    progress : bool, default=False
        Whether to show progress and the expected end on the standard error stream.

    Returns
    -------
    list of Failure
        The tasks that raised an error; all others were run.

    Raises
    ------
    BrokenExecutor
        If a worker died; finished tasks are recorded, and the other workers are terminated.
    """
    waiting = deque(sorted(set(tasks) - store.recorded(tasks), key=partial(_turn, study)))
    made_with = provenance(study.measure)
    running: dict[Future, Any] = {}
    failures = []
    with (
        _bar(sum(map(study.cost, waiting)), shown=progress) as bar,
        ending_workers_of_a_broken_pool(executor),
    ):
        try:
            while waiting or running:
                while waiting and len(running) < in_flight:
                    task = waiting.popleft()
                    running[_submit(executor, study.measure, task)] = task
                _announce(bar, running, len(waiting))
                done = wait(running, _PATIENCE, FIRST_COMPLETED).done
                if not done:
                    _check_that_workers_live(executor)
                for future in done:
                    task = running.pop(future)
                    try:
                        store.add(task, future.result(), made_with)
                    except BrokenExecutor:
                        raise
                    except Exception as error:  # one failing task must not end a long run
                        failures.append(Failure(task, f"{type(error).__name__}: {error}"))
                    bar.update(study.cost(task))
        except BrokenExecutor:  # the pool ends its futures itself, which fails if one is cancelled
            raise
        except BaseException:
            for future in running:
                future.cancel()
            raise
    return failures


def _submit(executor: Executor, function: Callable[[Any], Any], task: Any) -> Future:
    try:
        return executor.submit(function, task)
    except OSError as error:  # the queues were closed while a worker was started, or memory was exhausted
        raise BrokenExecutor(f"no worker process can be started: {error}") from error


def _turn(study: Study, task: Any) -> tuple:
    """Sort key of a task in the queue: coverage first, small data sets first, one split after the other."""
    repetition, fold, order = (getattr(task, name, 0) for name in ("repetition", "fold", "order"))
    stage = 0 if order == repetition == 0 else 1 if repetition == 0 else 2
    return stage, n_values(task.dataset), task.dataset, repetition, fold, study.cost(task), task


def _bar(total: float, shown: bool) -> Any:
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
    """Start single-threaded worker processes by spawning (forking is unsafe with compiled code)."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_start_worker)


@contextmanager
def ending_workers_of_a_broken_pool(executor: Executor) -> Iterator[None]:
    """Terminate all workers if one has died.

    The pool does so itself, except for a worker that it is starting when another one dies: that one
    would wait for tasks forever, and the driver for it.
    """
    try:
        yield
    except BrokenExecutor:
        for worker in _workers(executor):
            worker.terminate()
        raise


def _check_that_workers_live(executor: Executor) -> None:
    """Raise an error if a worker has died without the pool noticing.

    The pool does not monitor a worker that it started while it was waiting for others.
    """
    sentinels = [worker.sentinel for worker in _workers(executor)]
    if multiprocessing.connection.wait(sentinels, timeout=0):
        raise BrokenExecutor("a worker process died, and the others wait for a resource that it held")


def _workers(executor: Executor) -> list[Any]:
    """Processes of a pool, which has no public attribute for them."""
    return list((getattr(executor, "_processes", None) or {}).values())


def _start_worker() -> None:
    import numba
    import threadpoolctl

    ignore_bounds()
    numba.set_num_threads(1)
    threadpoolctl.threadpool_limits(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the driver reports Ctrl-C
    driver = multiprocessing.parent_process()
    assert driver is not None
    threading.Thread(target=_end_with, args=(driver.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
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
