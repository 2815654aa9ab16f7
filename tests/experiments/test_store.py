"""What is recorded stays, whole, and equal contents give equal bytes."""

import random
import subprocess
import sys
from contextlib import closing

import pandas as pd
import pytest

from oza._paths import DATA
from oza.experiments import Store
from oza.experiments.store import read_shards, recorded, results_folder

from .conftest import made_with, result, task

MANY = {task(dataset=name, order=k): result(k) for name in ("balance", "nursery") for k in range(20)}


def filled(folder, results=MANY, date="2001"):
    store = Store(folder)
    run = store.begin(made_with(date))
    for key, value in results.items():
        store.add(key, value, run)
    return store


def test_a_row_is_there_for_others_as_soon_as_it_is_added(store):
    store.add(task(), result(), store.begin(made_with()))
    with closing(Store(store.folder)) as other:
        assert recorded(other.frame()) == {task(): result()}


def test_shards_bring_back_every_row_and_its_provenance(tmp_path):
    with closing(filled(tmp_path / "a")) as one, closing(Store(tmp_path / "b")) as other:
        for path in one.export():
            target = other.folder / path.relative_to(one.folder)
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(path.read_bytes())
        assert other.import_shards() == 40
        pd.testing.assert_frame_equal(one.frame(), other.frame())


def test_equal_contents_give_equal_bytes_whatever_the_history(tmp_path):
    shuffled = list(MANY.items())
    random.Random(1).shuffle(shuffled)
    with closing(filled(tmp_path / "a")) as one, closing(filled(tmp_path / "b", dict(shuffled))) as other:
        assert [p.read_bytes() for p in one.export()] == [p.read_bytes() for p in other.export()]


def test_a_shard_that_has_not_changed_is_not_written_again(tmp_path):
    with closing(filled(tmp_path)) as store:
        assert len(store.export()) == 2
        assert store.export() == []
        store.add(task(order=99), result(), store.begin(made_with()))
        assert [path.stem for path in store.export()] == ["balance"]


@pytest.mark.parametrize(("date", "stays"), [("2000", 90), ("2002", 91)])
def test_of_two_results_of_a_task_the_later_one_stays(tmp_path, date, stays):
    with closing(filled(tmp_path, {task(): result(90)}, "2001")) as store:
        store.add(task(), result(91), store.begin(made_with(date)))
        assert recorded(store.frame())[task()].n_correct == stays


def test_a_damaged_shard_is_named(tmp_path):
    (tmp_path / "naive-bayes").mkdir()
    (tmp_path / "naive-bayes" / "balance.parquet").write_bytes(b"not a shard")
    with pytest.raises(ValueError, match=r"balance\.parquet: not a shard"):
        read_shards(tmp_path)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "store.sqlite").write_bytes(b"something else altogether" * 100)
    with pytest.raises(OSError, match=r"store\.sqlite: .*remove it"):
        Store(tmp_path)


def test_two_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    script = """
import sys
from pathlib import Path
from oza.experiments import Result, Store, Task
from oza.experiments.store import Provenance
store = Store(Path(sys.argv[1]))
run = store.begin(Provenance(*"abcdefg", sys.argv[2]))
for k in range(int(sys.argv[2]), 200, 2):
    store.add(Task("s", "d", "b", "a", 1, 0, 0, k), Result(1, 1, 1, "x", 0.0, 0.0), run)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    writers = [subprocess.Popen([*command, str(k)], cwd=DATA.parent) for k in range(2)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    with closing(Store(tmp_path)) as store:
        assert len(store.tasks()) == 200


def test_results_lie_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    assert results_folder() == tmp_path
    monkeypatch.delenv("OZA_RESULTS")
    assert results_folder() == DATA / "results"
