"""Recorded results are complete and durable, and equal contents give equal bytes."""

import errno
import os
import random
import shutil
import socket
import subprocess
import sys
from contextlib import closing
from dataclasses import astuple

import pyarrow.parquet as pq
import pytest

from reproduction.paths import DATA
from reproduction.record import Provenance, Store
from reproduction.record.shards import DamagedError, read_shard, shard_bytes
from reproduction.record.store import MADE_WITH, recorded, results_journal
from reproduction.topics import studies, tasks
from tests import processes

from ..conftest import made_with, result, task

STUDY = studies()["naive-bayes"]
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
    return len(list(results_journal(folder).entries()))


def flipped(content, bit):
    """The content with one bit changed."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_a_task_is_there_for_readers_as_soon_as_it_is_added(store):
    store.add(task(), result(), made_with())
    assert recorded(MANY, store.folder) == {task()}
    store.export()
    assert recorded(MANY, store.folder) == store.recorded(MANY) == {task()}


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


@pytest.mark.full  # reads and writes all results
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


@pytest.mark.parametrize("is_exported", [False, True])
@pytest.mark.parametrize(("date", "stays"), [("2000", 90), ("2002", 91)])
def test_of_two_results_of_a_task_the_later_one_stays(tmp_path, date, stays, is_exported):
    with closing(filled(tmp_path, {task(): result(90)}, "2001")) as store:
        if is_exported:
            store.export()
        store.add(task(), result(91), made_with(date))
        store.export()
    assert in_shards(tmp_path) == {task(): astuple(result(stays))}


def plain(path):
    """A shard as other programs write it."""
    pq.write_table(pq.read_table(path), path)
    return path.read_bytes()


@pytest.mark.parametrize(
    "content",
    [lambda path: b"no shard", lambda path: path.read_bytes()[:-1], plain],
    ids=["", "cut", "plain"],
)
def test_a_file_that_is_not_a_whole_shard_is_named_and_left_alone(tmp_path, content):
    with closing(filled(tmp_path)) as store:
        (path, _) = store.export()
        path.write_bytes(written := content(path))
        store.add(task(order=99), result(), made_with())
        for read in (store.export, lambda: STUDY.recorded(folder=tmp_path), lambda: store.recorded(MANY)):
            with pytest.raises(DamagedError, match=r"balance\.parquet: not a shard of results, or damaged"):
                read()
    assert path.read_bytes() == written and in_journal(tmp_path) == 1


def test_a_shard_without_a_column_of_its_study_is_refused(tmp_path):
    with closing(filled(tmp_path)) as store:
        (path, _) = store.export()
        path.write_bytes(shard_bytes(read_shard(path).drop_columns(["digest"])))
        with pytest.raises(ValueError, match=r"balance\.parquet: .* no column digest"):
            store.check(STUDY, MANY)


@pytest.mark.full  # hundreds of damaged files
def test_every_bit_of_a_shard_counts(tmp_path):
    with closing(filled(tmp_path)) as store:
        (path, _) = store.export()
    content = path.read_bytes()
    for bit in random.Random(1).sample(range(8 * len(content)), 300):
        path.write_bytes(flipped(content, bit))
        with pytest.raises(DamagedError, match=r"balance\.parquet: "):
            read_shard(path)


@pytest.mark.full  # hundreds of damaged files
def test_every_bit_of_a_journal_counts(tmp_path):
    with closing(filled(tmp_path)):
        pass
    path = results_journal(tmp_path).path
    content = path.read_bytes()
    for bit in [8 * len(content) - 1, *random.Random(2).sample(range(8 * len(content)), 100)]:
        path.write_bytes(flipped(content, bit))
        with closing(Store(tmp_path)) as store:
            if store.notes:  # the end of the last line
                assert "line 40 was never finished" in store.notes[0]
            else:
                with pytest.raises(DamagedError, match=r"results\.jsonl: line \d+ is damaged"):
                    store.export()
                assert path.read_bytes() == flipped(content, bit)


def test_an_entry_that_was_never_finished_is_left_out_and_said(tmp_path):
    with closing(filled(tmp_path)):
        pass
    path = results_journal(tmp_path).path
    path.write_bytes(path.read_bytes()[:-9])
    assert in_journal(tmp_path) == 39
    with closing(Store(tmp_path)) as store:
        assert "line 40 was never finished" in store.notes[0]
        store.add(task(order=99), result(), made_with())
    assert in_journal(tmp_path) == 40


def test_a_second_process_is_refused_with_the_name_of_the_first(tmp_path):
    code = f"""
from reproduction.record import Store
try:
    Store({str(tmp_path)!r})
except Exception as error:
    print(error)
"""
    with closing(filled(tmp_path)) as store:
        for _ in range(2):
            refused, _ = processes.run(code)
            assert f"is in use by process {os.getpid()} on {socket.gethostname()}, which started" in refused
        store.add(task(order=99), result(), made_with())
    with closing(Store(tmp_path)) as store:
        store.export()
    assert len(in_shards(tmp_path)) == 41


def test_a_killed_process_leaves_the_store_open_to_the_next(tmp_path):
    script = """
import os, signal, sys
from reproduction.record import Store
store = Store(sys.argv[1])
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=DATA.parent)
    (tmp_path / "naive-bayes").mkdir()
    (tmp_path / "naive-bayes" / "tmp123.part").write_bytes(b"of an export")
    Store(tmp_path).close()
    assert list((tmp_path / "naive-bayes").iterdir()) == []


def test_a_result_that_finds_no_space_leaves_the_journal_as_it_was(tmp_path, monkeypatch):
    with closing(filled(tmp_path)) as store:
        before = results_journal(tmp_path).path.read_bytes()
        write = os.write

        def full(file, content):
            if len(content) < 100:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(file, content[:50])

        monkeypatch.setattr("os.write", full)
        with pytest.raises(OSError, match="No space"):
            store.add(task(order=99), result(), made_with())
        monkeypatch.undo()
        assert results_journal(tmp_path).path.read_bytes() == before
        store.add(task(order=99), result(), made_with())
    assert in_journal(tmp_path) == 41


def test_a_failure_is_on_record_until_there_is_a_result(store):
    store.fail(task(), "ValueError: no", "Traceback ...", "2001")
    assert store.failed(MANY) == {task(): "ValueError: no"}
    assert store.failed([task(study="times-naive-bayes")]) == {}
    store.export()
    store.add(task(), result(), made_with())
    assert store.failed(MANY) == {task(): "ValueError: no"}
    store.export()
    assert store.failed(MANY) == {} and not store.failures.exists()


def test_the_source_of_a_result_changes_with_code_that_it_runs_and_not_with_a_docstring(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    for package in ("oza", "reproduction"):
        shutil.copytree(DATA.parent / package, tmp_path / package, ignore=ignored)
    (tmp_path / "data").symlink_to(DATA)
    code = """
from reproduction.record.store import provenance
from reproduction.topics import studies
print(provenance(studies()["naive-bayes"].measure).source)
"""

    def source():
        return processes.run(code, tmp_path, PYTHONPATH=str(tmp_path))[0]

    before = source()
    learner = tmp_path / "oza" / "models" / "naive_bayes" / "kernels.py"
    text = learner.read_text()
    learner.write_text("# A comment.\n" + text.replace('"""', '"""Indeed: ', 1))
    unrelated = tmp_path / "reproduction" / "printed" / "curves.py"
    unrelated.write_text(unrelated.read_text() + "\nUNUSED = 1\n")
    assert source() == before
    learner.write_text(
        text.replace("class_counts[label, m] += weight", "class_counts[label, m] += 2 * weight")
    )
    assert source() != before
