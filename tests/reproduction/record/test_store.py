"""Recorded results are complete and durable, and equal contents give equal bytes."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import astuple

import pandas as pd
import pytest

from reproduction.paths import DATA
from reproduction.record import Provenance, Store
from reproduction.record.store import MADE_WITH, results_folder
from reproduction.studies import STUDIES, tasks

from ..conftest import made_with, result, task

STUDY = STUDIES["naive-bayes"]
MANY = {task(dataset=name, order=k): result(k) for name in ("balance", "nursery") for k in range(20)}


def filled(folder, results=MANY, date="2001"):
    store = Store(folder)
    for key, value in results.items():
        store.add(key, value, made_with(date))
    return store


def in_shards(folder):
    rows = STUDY.recorded(folder=folder)
    found = rows[STUDY.measured].itertuples(index=False, name=None)
    return dict(zip(STUDY.tasks_in(rows), found, strict=True))


def in_journal(folder):
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection:
        return connection.execute("SELECT count(*) FROM journal").fetchone()[0]


def test_a_task_is_there_for_others_as_soon_as_it_is_added(store):
    store.add(task(), result(), made_with())
    with closing(Store(store.folder)) as other:
        assert other.recorded(MANY) == {task()}
        other.export()
        assert other.recorded(MANY) == store.recorded(MANY) == {task()}


def test_shards_hold_every_row_and_its_provenance_and_the_journal_is_empty_then(tmp_path):
    with closing(filled(tmp_path)) as store:
        assert in_journal(tmp_path) == 40 and in_shards(tmp_path) == {}
        store.export()
    assert in_shards(tmp_path) == {key: astuple(value) for key, value in MANY.items()}
    assert in_journal(tmp_path) == 0
    assert set(STUDY.recorded(folder=tmp_path)["processor"]) == {"a processor"}


def test_equal_contents_give_equal_bytes_whatever_the_history(tmp_path):
    shuffled = list(MANY.items())
    random.Random(1).shuffle(shuffled)
    with closing(filled(tmp_path / "a")) as one, closing(filled(tmp_path / "b", dict(shuffled[:9]))) as other:
        other.export()
        for key, value in shuffled[9:]:
            other.add(key, value, made_with("2001"))
        written = one.export()
        assert [p.name for p in written] == [p.name for p in other.export()] and len(written) == 2
    for path in written:
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


def test_recorded_shards_are_as_they_would_be_written_now(tmp_path):
    folder = DATA / "results"
    for name in ("balance", "synthetic3"):
        rows = STUDY.recorded([t for t in tasks(STUDY.name, "thesis") if t.dataset == name], folder)
        with closing(Store(tmp_path)) as store:
            for key, row in zip(STUDY.tasks_in(rows), rows.to_dict("records"), strict=True):
                values = (row[column] for column in STUDY.measured)
                made = (row[column] for column in MADE_WITH)
                store.add(key, STUDY.row(*values), Provenance(*made))
            (path,) = store.export()
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()


def test_a_shard_that_has_not_changed_is_not_written_again(tmp_path):
    with closing(filled(tmp_path)) as store:
        assert len(store.export()) == 2
        store.add(task(order=3), result(3), made_with("2001"))
        assert store.export() == []
        store.add(task(order=99), result(), made_with())
        assert [path.stem for path in store.export()] == ["balance"]


@pytest.mark.parametrize("is_exported", [False, True])
@pytest.mark.parametrize(("date", "stays"), [("2000", 90), ("2002", 91)])
def test_of_two_results_of_a_task_the_later_one_stays(tmp_path, date, stays, is_exported):
    with closing(filled(tmp_path, {task(): result(90)}, "2001")) as store:
        if is_exported:
            store.export()
        store.add(task(), result(91), made_with(date))
        store.export()
    assert in_shards(tmp_path) == {task(): astuple(result(stays))}


def test_a_study_is_forgotten_on_one_data_set_only(tmp_path):
    with closing(filled(tmp_path)) as store:
        store.export()
        store.add(task(order=99), result(), made_with())
        store.forget(STUDY.name, "balance", keep=STUDY.is_computed_by_others)
        store.export()
    assert {key.dataset for key in in_shards(tmp_path)} == {"nursery"}


def test_an_export_that_fails_leaves_the_journal_as_it_is(tmp_path):
    (tmp_path / "naive-bayes").mkdir()
    (tmp_path / "naive-bayes" / "nursery.parquet").write_bytes(b"not a shard")
    with closing(filled(tmp_path)) as store:
        with pytest.raises(ValueError, match=r"nursery\.parquet: not a shard"):
            store.export()
        assert in_journal(tmp_path) == 40


def test_a_damaged_shard_is_named(tmp_path):
    (tmp_path / "naive-bayes").mkdir()
    (tmp_path / "naive-bayes" / "balance.parquet").write_bytes(b"not a shard")
    with pytest.raises(ValueError, match=r"balance\.parquet: not a shard"):
        STUDY.recorded(folder=tmp_path)


def test_a_shard_without_a_column_is_named(tmp_path):
    with closing(filled(tmp_path)) as store:
        (path, _) = store.export()
    pd.read_parquet(path).drop(columns="digest").to_parquet(path)
    with pytest.raises(ValueError, match=r"balance\.parquet: not a shard of results.*digest"):
        STUDY.recorded(folder=tmp_path)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "journal.sqlite").write_bytes(b"something else altogether" * 100)
    with pytest.raises(OSError, match=r"journal\.sqlite: .*remove it"):
        Store(tmp_path)


def test_two_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    script = """
import sys
from pathlib import Path
from reproduction.record import Provenance, Store
from reproduction.studies import Result, Task
store = Store(Path(sys.argv[1]))
for k in range(int(sys.argv[2]), 200, 2):
    task = Task("naive-bayes", "d", "b", "a", 1, 0, 0, k)
    store.add(task, Result(1, 1, 1, "x", 0.0, 0.0), Provenance(*"abcdefg", sys.argv[2]))
    if k % 20 < 2:
        store.export()
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    writers = [subprocess.Popen([*command, str(k)], cwd=DATA.parent) for k in range(2)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    with closing(Store(tmp_path)) as store:
        store.export()
    assert len(in_shards(tmp_path)) == 200


def test_results_lie_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    assert results_folder() == tmp_path
    monkeypatch.delenv("OZA_RESULTS")
    assert results_folder() == DATA / "results"


def test_the_source_of_a_result_changes_with_code_that_it_runs_and_not_with_a_docstring(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    for package in ("oza", "reproduction"):
        shutil.copytree(DATA.parent / package, tmp_path / package, ignore=ignored)
    (tmp_path / "data").symlink_to(DATA)
    code = """
from reproduction.record.store import provenance
from reproduction.studies import STUDIES
print(provenance(STUDIES["naive-bayes"].measure).source)
"""

    def source():
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True, "check": True}
        return subprocess.run([sys.executable, "-c", code], **options).stdout

    before = source()
    learner = tmp_path / "oza" / "models" / "naive_bayes" / "kernels.py"
    text = learner.read_text()
    learner.write_text("# A comment.\n" + text.replace('"""', '"""Indeed: ', 1))
    unrelated = tmp_path / "reproduction" / "exhibits" / "curves.py"
    unrelated.write_text(unrelated.read_text() + "\nUNUSED = 1\n")
    assert source() == before
    learner.write_text(
        text.replace("class_counts[label, m] += weight", "class_counts[label, m] += 2 * weight")
    )
    assert source() != before
