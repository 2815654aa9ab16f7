"""A Dask cluster computes the same results, and what happens to it loses none."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from multiprocessing.forkserver import ensure_running
from threading import Thread

import dask
import pytest

from reproduction.record import run
from reproduction.record.cluster import Cluster
from reproduction.studies.accuracy import compute
from reproduction.topics import studies, tasks

from ..conftest import result

pytestmark = pytest.mark.full  # a cluster of processes; test_runner.py has the same with a pool

STUDY = studies()["naive-bayes"]
SOME = [t for t in tasks("naive-bayes", "smoke") if t.dataset == "balance"]


@pytest.fixture(scope="module")
def cluster():
    """A cluster whose workers are forked from a process that has imported everything, since many die."""
    multiprocessing.set_forkserver_preload([__name__])
    ensure_running()
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        Cluster("local", 2) as cluster,
    ):
        yield cluster


def test_results_are_those_of_one_machine(store):
    with Cluster("local", 2) as cluster:
        assert run(STUDY, SOME, store, cluster, in_flight=cluster.in_flight) == []
        assert "2 workers of tcp://127.0.0.1:" in cluster.description
    store.export()
    rows = STUDY.recorded(SOME, store.folder)
    assert rows["digest"].to_list() == [compute(t).digest for t in SOME]
    assert len(rows) == 18 and set(rows["processor"]) != {""}


def pid(t):
    return replace(result(), digest=str(os.getpid()), n_test=(time.sleep(0.1), 100)[1])


def failing(t):
    if t.fold == 1:
        raise ArithmeticError("fold 1 is cursed")
    if t.fold == 0 and t.algorithm == "single":
        os._exit(3)
    return result()


def test_lost_workers_cost_no_result(store, cluster):
    def kill():
        for n in (3, 9):
            while len(store.recorded(SOME)) < n:
                time.sleep(0.02)
            os.kill(next(iter(cluster._client.run(os.getpid).values())), signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    assert run(replace(STUDY, measure=pid), SOME, store, cluster, in_flight=4) == []
    killer.join()
    assert store.recorded(SOME) == set(SOME)


def test_a_task_that_fails_or_kills_its_workers_is_named_and_the_others_finish(store, cluster):
    failures = run(replace(STUDY, measure=failing), SOME, store, cluster)
    bad = {t for t in SOME if t.fold == 1 or (t.fold == 0 and t.algorithm == "single")}
    assert {failure.task for failure in failures} == bad == set(SOME) - store.recorded(SOME)
    errors = {failure.error.partition(":")[0] for failure in failures}
    assert errors == {"ArithmeticError", "BrokenExecutor"}
    assert any("in failing" in failure.traceback for failure in failures)
