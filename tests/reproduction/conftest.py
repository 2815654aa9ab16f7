from concurrent.futures import Executor, Future
from contextlib import closing

import pytest

from reproduction.record import Provenance, Store
from reproduction.studies.accuracy import Result, Task


class InProcess(Executor):
    """An executor that computes immediately, and can be made to fail."""

    def __init__(self, break_after=None):
        self.tasks, self.break_after = [], break_after

    def submit(self, function, task):
        if len(self.tasks) == self.break_after:
            raise KeyboardInterrupt
        self.tasks.append(task)
        future = Future()
        try:
            future.set_result(function(task))
        except Exception as error:
            future.set_exception(error)
        return future


def task(**changes):
    fields = dict(
        study="naive-bayes",
        dataset="balance",
        base_model="naive_bayes",
        algorithm="online_bagging",
        n_models=10,
        repetition=0,
        fold=0,
        order=0,
    )
    return Task(**fields | changes)


def result(n_correct=90, seconds=0.5):
    return Result(400, 100, n_correct, f"{n_correct:016x}", seconds, seconds)


def made_with(date="2001-09-01T00:00:00+00:00"):
    return Provenance("0", "s", "3", "2", "0", "a processor", "a commit", date)


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "results")) as store:
        yield store
