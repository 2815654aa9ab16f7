"""A result depends on its task alone, and an interruption loses only running tasks."""

import concurrent.futures
import ctypes
import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import astuple, replace
from functools import partial

import pytest

from reproduction.paths import DATA
from reproduction.record import Store, run, runner
from reproduction.record.runner import processes
from reproduction.studies.accuracy import compute
from reproduction.topics import studies, tasks

from ..conftest import InProcess, result

STUDY = studies()["naive-bayes"]
SOME = [t for t in tasks("naive-bayes", "smoke") if t.dataset in ("balance", "car-evaluation")]


@pytest.fixture
def forked(monkeypatch):
    """Let workers be forked from a process that has imported everything; to spawn one takes two seconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    monkeypatch.setattr(multiprocessing, "get_context", lambda method: context)


def predictions(store):
    store.export()
    rows = STUDY.recorded(folder=store.folder)
    found = rows[STUDY.measured[:4]].itertuples(index=False, name=None)
    return dict(zip(STUDY.tasks_in(rows), found, strict=True))


def test_results_do_not_depend_on_workers_or_on_the_order_of_tasks(tmp_path):
    found = []
    for name, executor, wanted in (
        ("alone", InProcess(), SOME),
        ("backwards", InProcess(), SOME[::-1]),
        ("threads", ThreadPoolExecutor(2), SOME[::-1]),
        ("processes", processes(2), SOME),
    ):
        with closing(Store(tmp_path / name)) as store, executor:
            in_flight = 1 if isinstance(executor, InProcess) else 4
            assert run(STUDY, wanted, store, executor, in_flight=in_flight) == []
            found.append(predictions(store))
    backwards = {key: astuple(compute(key))[:4] for key in sorted(SOME, reverse=True)}
    assert found == [backwards] * 4


def test_an_interrupted_run_continues_without_repeating_anything(store):
    with pytest.raises(KeyboardInterrupt):
        run(STUDY, SOME, store, broken := InProcess(break_after=5), in_flight=1)
    assert store.recorded(SOME) == set(broken.tasks) and len(broken.tasks) == 5
    run(STUDY, SOME, store, resumed := InProcess(), in_flight=1)
    assert store.recorded(SOME) == set(SOME)
    assert not set(resumed.tasks) & set(broken.tasks)
    run(STUDY, SOME, store, idle := InProcess())
    assert idle.tasks == []


def test_ctrl_c_amid_the_locks_of_futures_takes_effect_after_it(store, monkeypatch):
    """Otherwise a lock stays locked, and the executor waits for its thread for ever."""

    def wait(futures, *rest):
        locks = [future._condition for future in futures]
        for lock in locks:
            lock.acquire()
        signal.raise_signal(signal.SIGINT)
        for lock in locks:
            lock.release()
        return concurrent.futures.wait(futures, *rest)

    monkeypatch.setattr(runner, "wait", wait)
    executor = ThreadPoolExecutor(1)
    with pytest.raises(KeyboardInterrupt):
        run(STUDY, SOME, store, executor)
    ended = threading.Thread(target=executor.shutdown, daemon=True)
    ended.start()
    ended.join(10)
    assert not ended.is_alive()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def failing(t):
    if t.fold == 1:
        raise ArithmeticError("fold 1 is cursed")
    return result()


def test_a_failing_task_is_reported_by_name_and_the_rest_continues(store):
    failures = run(replace(STUDY, measure=failing), SOME, store, InProcess())
    assert {failure.task for failure in failures} == {t for t in SOME if t.fold == 1}
    assert {failure.error for failure in failures} == {"ArithmeticError: fold 1 is cursed"}
    assert store.recorded(SOME) == {t for t in SOME if t.fold != 1}


def test_a_failure_is_recorded_with_its_traceback_and_tried_again_if_wanted(store):
    tried = []

    def third_time_lucky(t):
        tried.append(t)
        return result() if len(tried) == 3 else failing(t)

    cursed = next(t for t in SOME if t.fold == 1)
    study = replace(STUDY, measure=third_time_lucky)
    (failure,) = run(study, [cursed], store, InProcess(), retries=1)
    assert "in failing" in failure.traceback and store.failed(SOME) == {cursed: failure.error}
    assert "in failing" in store.failures.read_text()
    assert run(study, [cursed], store, InProcess(), retries=1) == [] and tried == [cursed] * 3
    store.export()
    assert store.failed(SOME) == {}


def test_recorded_tasks_are_replaced_only_when_the_new_result_is_there(store):
    run(STUDY, SOME, store, InProcess())
    store.export()
    with pytest.raises(KeyboardInterrupt):
        study = replace(STUDY, measure=lambda t: result(7))
        run(study, SOME, store, InProcess(break_after=5), in_flight=1, again=True)
    found = [value[2] for value in predictions(store).values()]
    assert len(found) == len(SOME) and found.count(7) == 5


def test_tasks_that_a_cluster_has_lost_are_submitted_again(store):
    class Forgetful(InProcess):
        def submit(self, function, task):
            future = super().submit(function, task)
            if len(self.tasks) % 3:
                return future
            lost = Future()
            lost.cancel()
            lost.set_running_or_notify_cancel()
            return lost

    assert run(STUDY, SOME, store, executor := Forgetful()) == []
    assert store.recorded(SOME) == set(SOME) and len(executor.tasks) > len(SOME)


def troubled(t):
    """One task never ends, one raises an error, one ends its process, one crashes in compiled code."""
    match t.dataset, t.algorithm, t.fold:
        case "balance", "single", 0:
            while True:
                pass
        case "balance", "single", 1:
            raise ArithmeticError("this task is cursed")
        case "car-evaluation", "single", 0:
            os._exit(3)
        case "car-evaluation", "single", 1:
            ctypes.string_at(0)
    return result()


@pytest.mark.full  # pools of processes that die; a dead worker is in `make test` too
def test_tasks_that_never_end_or_kill_their_process_are_left_out_and_the_others_finish(store, forked):
    start = partial(processes, 2)
    with start() as executor:
        study = replace(STUDY, measure=troubled)
        failures = run(study, SOME, store, executor, in_flight=4, time_limit=2, renew=start)
    found = {failure.task: failure for failure in failures}
    assert store.recorded(SOME) == set(SOME) - set(found) and len(found) == 4
    text = {(t.dataset, t.fold): f.error + "\n" + f.traceback for t, f in found.items()}
    assert "TimeoutError: not finished after 2 seconds" in text["balance", 0]
    assert "in troubled" in text["balance", 0] and "in troubled" in text["balance", 1]
    assert "died 2 times\nthe process ended without one" in text["car-evaluation", 0]
    assert "died 2 times\nFatal Python error: Segmentation fault" in text["car-evaluation", 1]
    assert "in troubled" in text["car-evaluation", 1]
    assert store.failed(SOME) == {t: f.error for t, f in found.items()}


def slow(t):
    time.sleep(0.1)
    return result()


@pytest.mark.full  # pools of processes that die; a dead worker is in `make test` too
def test_workers_that_are_killed_from_outside_cost_no_task(store, forked):
    def start():
        executors.append(processes(2))
        return executors[-1]

    executors = []
    killer = threading.Thread(target=kill_workers, args=(executors, store, 3))
    with start() as executor:
        killer.start()
        assert run(replace(STUDY, measure=slow), SOME, store, executor, in_flight=4, renew=start) == []
    killer.join()
    assert store.recorded(SOME) == set(SOME) and len(executors) == 4


def kill_workers(executors, store, n):
    """Kill a worker of each of the first executors, after some tasks."""
    for k in range(n):
        while len(executors) <= k or len(store.recorded(SOME)) < 8 * k + 2:
            time.sleep(0.02)
        next(iter(executors[k]._processes.values())).kill()


@pytest.mark.full  # pools of processes that die; a dead worker is in `make test` too
def test_an_executor_that_always_breaks_ends_the_run(store):
    class Broken(InProcess):
        def submit(self, function, task):
            started.append(self)
            raise BrokenExecutor("no worker")

    started = []
    with pytest.raises(BrokenExecutor):
        run(STUDY, SOME, store, Broken(), renew=Broken)
    assert len(started) == 6 and store.failed(SOME) == {}


def test_a_timed_task_compiles_before_the_clock_starts():
    """In a fresh process the first measured time is no longer than a second."""
    script = (
        "from reproduction.studies.accuracy import Task, compute\n"
        "r = compute(Task('times-naive-bayes', 'balance', 'naive_bayes', 'online_bagging', 10, 0, 0, 0))\n"
        "print(r.train_seconds + r.test_seconds)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=DATA.parent, capture_output=True, text=True, check=True
    )
    assert 0 < float(done.stdout) < 0.1


@pytest.mark.full  # pools of processes that die; a dead worker is in `make test` too
def test_workers_do_not_outlive_a_killed_driver(tmp_path):
    script = """
import time
from reproduction.record.runner import processes
import os, sys
if __name__ == "__main__":
    executor = processes(1)
    print(executor.submit(os.getpid).result(), flush=True)
    executor.submit(time.sleep, 600)
    time.sleep(600)
"""
    path = tmp_path / "driver.py"
    path.write_text(script)
    environment = os.environ | {"PYTHONPATH": str(DATA.parent)}
    driver = subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert driver.stdout is not None
    worker = int(driver.stdout.readline())
    driver.kill()
    driver.wait()
    driver.stdout.close()
    for _ in range(3000):
        if not is_alive(worker):
            return
        time.sleep(0.1)
    raise AssertionError("the worker still runs")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:  # a zombie has ended and waits to be reaped
        return stat.read().rpartition(")")[2].split()[0] != "Z"


def dying(t):
    os._exit(3)


def test_a_dead_worker_stops_the_run_and_is_not_taken_for_a_result(store, forked):
    with processes(1) as executor, pytest.raises(BrokenExecutor):
        run(replace(STUDY, measure=dying), SOME[:2], store, executor)
    assert store.recorded(SOME) == set()


def test_all_workers_start_with_the_first_task(forked):
    """The pool does not monitor those that it starts while it waits for others."""
    with processes(3) as executor:
        executor.submit(os.getpid).result()
        assert len(executor._processes) == 3


class Exhausted(dict):
    """Processes of a pool that cannot start the second one."""

    def __setitem__(self, pid, worker):
        super().__setitem__(pid, worker)
        raise OSError(errno.ENOMEM, "Cannot allocate memory")


def test_workers_of_a_pool_that_cannot_start_all_are_ended(store, forked):
    with processes(2) as executor:
        executor._processes = Exhausted()
        with pytest.raises(BrokenExecutor, match="Cannot allocate memory"):
            run(STUDY, SOME, store, executor)
        (worker,) = executor._processes.values()
        worker.join(30)
        assert worker.exitcode is not None
