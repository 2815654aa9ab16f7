"""The commands of the reproduction: output, exit codes, recorded results and error messages."""

import dataclasses
import errno
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from reproduction import commands, record, topics
from reproduction.paths import DATA
from reproduction.record import Failure, Store, runner
from reproduction.record.runner import processes
from reproduction.record.shards import shard_bytes
from reproduction.record.store import provenance, results_journal
from reproduction.studies.accuracy import compute

from .conftest import InProcess


def made_with(task):
    return provenance(topics.studies()[task.study].measure)


@pytest.fixture(autouse=True)
def in_process(monkeypatch, offline):
    """Tasks are computed in this process, since workers take seconds to start."""
    monkeypatch.setattr(runner, "processes", lambda n: InProcess())


@pytest.mark.parametrize(
    "command", [[], *([name] for name in ("run", "status", "verify", "judge", "scorecard"))]
)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        commands.main([*command, "--help"])
    assert stopped.value.code == 0 and "usage: python -m reproduction" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "names"),
    [(["run", "no-such-study"], "naive-bayes"), (["verify"], "python -m reproduction run")],
)
def test_a_wrong_argument_gets_one_line_and_exit_code_2(command, names, capsys):
    assert commands.main(command) == 2
    error = capsys.readouterr().err
    assert error.startswith("reproduction: ") and error.count("\n") == 1 and names in error


@pytest.fixture
def small(monkeypatch):
    """Both studies restricted to Balance, so that a run takes seconds."""
    everything = topics.tasks
    monkeypatch.setattr(
        topics,
        "tasks",
        lambda study, profile: [t for t in everything(study, profile) if t.dataset == "balance"],
    )


@pytest.fixture
def recorded(tmp_path):
    """The results that come with the library, with a copy of their verdicts, in a temporary folder."""
    folder = tmp_path / "results"
    folder.mkdir()
    for path in (DATA / "results").iterdir():
        if path.name != "verdicts":
            (folder / path.name).symlink_to(path)
    shutil.copytree(DATA / "results" / "verdicts", folder / "verdicts")
    return folder / "verdicts"


def test_claims_are_judged_and_compared_with_the_record(recorded, capsys):
    assert commands.main(["judge", "C068", "C036"]) == 0
    out = capsys.readouterr().out
    assert (
        "C068  not reproduced  (empirical" in out
        and "Read: decision-trees (3.3): 2,948 runs on 15 data sets" in out
    )
    assert "C036  holds" in out and "Judged: " in out
    assert "2 claims judged again; 0 differ from what is on record" in out
    assert commands.main(["judge", "--check", "C068"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_a_verdict_that_differs_is_shown_and_can_be_renewed(recorded, capsys):
    page = recorded / "bagging-decision-trees.json"
    page.write_text(page.read_text().replace("errors on", "faults on"))
    assert commands.main(["judge", "--check", "C036", "C068"]) == 1
    out = capsys.readouterr().out
    assert "C068  not reproduced" in out and "faults on" in out and "C036" not in out
    assert commands.main(["judge", "--record", "C068"]) == 0
    assert commands.main(["judge", "--check", "C068"]) == 0
    assert commands.main(["judge", "C999"]) == 2
    assert "unknown claim 'C999'" in capsys.readouterr().err


def test_run_status_verify_and_a_tampered_row(small, offline, monkeypatch, capsys):
    with monkeypatch.context() as for_workers:
        for_workers.setattr(runner, "processes", processes)
        assert commands.main(["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]) == 0
        assert (offline / "results" / "naive-bayes" / "balance.parquet").is_file()
        assert commands.main(["status"]) == 0
        assert "smoke       18 of     18 tasks\n" in capsys.readouterr().out
        assert commands.main(["run", "naive-bayes", "--profile", "smoke"]) == 0
        assert "18 tasks, 18 already recorded" in capsys.readouterr().err
        command = ["verify", "--study", "naive-bayes", "--profile", "smoke", "--sample", "3", "--seed", "7"]
        assert commands.main([*command, "--record"]) == 0
    shown = capsys.readouterr().out
    assert "a random sample of 18 results (--seed 7 draws it again)" in shown
    assert "3 results computed again, 0 differ" in shown
    assert re.search("exact: of 18 results recorded on .+, 3 computed again, 0 differ", shown)
    confirmed = pd.read_csv(offline / "results" / "confirmed.csv")
    assert confirmed.iloc[:, 3:].to_numpy().tolist() == [["exact", 3, 0]]
    assert "not compared: train_seconds, test_seconds of naive-bayes: processor times" in shown
    shard = offline / "results" / "naive-bayes" / "balance.parquet"
    rows = pd.read_parquet(shard)
    is_wrong = (rows["fold"] == 1) & (rows["algorithm"] == "single")
    rows = rows.assign(n_correct=rows["n_correct"] - is_wrong)
    shard.write_bytes(shard_bytes(pa.Table.from_pandas(rows, preserve_index=False)))
    assert commands.main(["verify", "--sample", "100"]) == 1
    shown = capsys.readouterr().out
    assert "differs: naive-bayes: single of naive_bayes on balance" in shown and "1 differ" in shown


def test_run_again_measures_everything_anew(small, offline, capsys):
    command = ["run", "times-naive-bayes", "--profile", "smoke", "--jobs", "1"]
    assert commands.main(command) == 0
    shard = offline / "results" / "times-naive-bayes" / "balance.parquet"
    first = pd.read_parquet(shard)
    assert commands.main([*command, "--again"]) == 0
    assert "6 tasks, 6 already recorded" in capsys.readouterr().err
    second = pd.read_parquet(shard)
    assert first["digest"].equals(second["digest"])
    assert not first["train_seconds"].equals(second["train_seconds"])


def test_a_failing_task_makes_the_exit_code_1(small, monkeypatch, capsys):
    failure = Failure(topics.tasks("naive-bayes", "smoke")[0], "ValueError: no")
    monkeypatch.setattr(record, "run", lambda *_, **__: [failure])
    assert commands.main(["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]) == 1
    assert "reproduction: failed: naive-bayes: bagging of naive_bayes on balance" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_at_once_keeps_finished_tasks_and_says_so(offline, number):
    """In a separate process, which is interrupted while its workers compute."""
    process = started("run", "naive-bayes", "--profile", "thesis", "--jobs", "1")
    for _ in range(3000):
        if (n := count(offline)) > 3:
            break
        time.sleep(0.1)
    process.send_signal(number)
    _, error = process.communicate(timeout=300)  # what is left to do takes longer
    assert process.returncode == 128 + number
    said = re.search(r"reproduction: interrupted. (\d+) finished tasks are recorded; the same", error)
    assert said and "Traceback" not in error
    shards = (offline / "results").glob("naive-bayes/*.parquet")
    n_kept = sum(len(pd.read_parquet(shard)) for shard in shards)
    assert count(offline) == 0 and n_kept >= n and n_kept - int(said[1]) in (0, 1)  # one may be just written


@pytest.mark.full  # four processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("library", ["numpy", "numba"])
def test_a_signal_during_import_gives_one_line(offline, library, number):
    process = started("run", "naive-bayes")
    maps = Path(f"/proc/{process.pid}/maps")
    for _ in range(30_000):
        if f"/{library}/" in maps.read_text():
            break
        time.sleep(0.01)
    process.send_signal(number)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 128 + number
    assert error == "reproduction: interrupted before anything was done.\n"
    assert not (offline / "results").exists()


def started(*arguments):
    command = [sys.executable, "-m", "reproduction", *arguments]
    return subprocess.Popen(command, cwd=DATA.parent, stderr=subprocess.PIPE, text=True)


def test_a_full_disk_is_said_with_what_is_kept_and_how_to_go_on(small, offline, monkeypatch, capsys):
    add = Store.add

    def full(store, task, *rest):
        if store.n_added == 7:
            raise OSError(errno.ENOSPC, "No space left on device")
        add(store, task, *rest)

    monkeypatch.setattr(Store, "add", full)
    command = ["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]
    assert commands.main(command) == 1
    error = capsys.readouterr().err
    assert "stopped, since there is no space left" in error and "7 finished tasks are recorded in" in error
    assert "failed" not in error and "remove" not in error
    monkeypatch.undo()
    monkeypatch.setenv("OZA_RESULTS", str(offline / "results"))
    with closing(Store()) as store:
        assert len(store.recorded(topics.tasks("naive-bayes", "smoke"))) == 7


@pytest.mark.full  # a run of its own
def test_a_damaged_shard_is_refused_and_computed_again_once_it_is_removed(small, offline, capsys):
    command = ["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]
    assert commands.main(command) == 0
    shard = offline / "results" / "naive-bayes" / "balance.parquet"
    content = shard.read_bytes()
    shard.write_bytes(content[:50] + bytes([content[50] ^ 4]) + content[51:])
    for refused in (["status"], ["verify"], command):
        capsys.readouterr()
        assert commands.main(refused) == 2
        error = capsys.readouterr().err
        assert "balance.parquet: not a shard of results, or damaged" in error and error.count("\n") == 1
    shard.unlink()
    assert commands.main(command) == 0
    assert "18 tasks, 0 already recorded" in capsys.readouterr().err
    assert commands.main(["verify"]) == 0


@pytest.mark.full  # a run of its own
def test_nothing_is_written_by_commands_that_only_read(offline, capsys):
    """Not even a folder has another time: no file was made in it."""
    task = topics.tasks("naive-bayes", "smoke")[0]
    with closing(Store()) as store:
        store.add(task, compute(task), made_with(task))
        store.export()
        store.add(dataclasses.replace(task, order=5), compute(task), made_with(task))

    def files():
        found = {path: path.stat() for path in (offline / "results").rglob("*")}
        return {path: (at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns) for path, at in found.items()}

    before = files()
    assert commands.main(["status"]) == 0
    assert "smoke        1 of     36 tasks" in capsys.readouterr().out
    assert commands.main(["verify"]) == 0
    assert files() == before


def test_what_a_killed_run_left_in_the_journal_is_exported_by_the_next_command(offline, capsys):
    task = topics.tasks("naive-bayes", "smoke")[0]
    with closing(Store()) as store:
        store.add(task, compute(task), made_with(task))
    assert count(offline) == 1
    assert commands.main(["status"]) == 0
    assert "smoke        1 of     36 tasks" in capsys.readouterr().out
    assert commands.main(["run", "errors", "--profile", "smoke", "--jobs", "1"]) == 0
    assert count(offline) == 0
    assert len(pd.read_parquet(offline / "results" / "naive-bayes" / f"{task.dataset}.parquet")) == 1


def count(folder):
    """Number of results in the journal of a folder of results."""
    return len(list(results_journal(folder / "results").entries()))
