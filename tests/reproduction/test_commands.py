"""The commands of the reproduction: output, exit codes, recorded results and error messages."""

import dataclasses
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pandas as pd
import pytest

from oza.kernels.compile import CACHE_FOLDER
from reproduction import commands, record, studies
from reproduction.paths import DATA
from reproduction.record import Failure, Store
from reproduction.record.store import provenance
from reproduction.studies import Result, compute


def made_with(task):
    return provenance(studies.STUDIES[task.study].measure)


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    """No mirror, an empty cache and a server that refuses connections: only generated data."""
    monkeypatch.setenv("OZA_DATA_MIRROR", str(tmp_path / "no-mirror"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "kernels").symlink_to(
        CACHE_FOLDER.parent
    )  # otherwise every worker compiles all kernels
    monkeypatch.setenv("OZA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OZA_DATA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path / "results"))
    return tmp_path


@pytest.mark.parametrize(
    "command", [[], *([name] for name in ("run", "status", "verify", "judge", "scorecard"))]
)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        commands.main([*command, "--help"])
    assert stopped.value.code == 0 and "usage: python -m reproduction" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (["run", "no-such-study"], "naive-bayes"),
        (["verify"], "python -m reproduction run"),
    ],
)
def test_a_wrong_argument_gets_one_line_and_exit_code_2(command, names, capsys):
    assert commands.main(command) == 2
    error = capsys.readouterr().err
    assert error.startswith("reproduction: ") and error.count("\n") == 1 and names in error


@pytest.mark.parametrize(
    "command", [["run", "--jobs", "0"], ["run", "--profile", "fast"], ["verify", "--sample", "x"], []]
)
def test_a_wrong_option_gets_exit_code_2(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        commands.main(command)
    assert stopped.value.code == 2 and "reproduction" in capsys.readouterr().err


@pytest.fixture
def small(monkeypatch):
    """Both studies restricted to Balance, so that a run takes seconds."""
    everything = studies.tasks
    monkeypatch.setattr(
        studies,
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
        "C068  fails  (empirical" in out and "Read: decision-trees (3.3): 2,948 runs on 15 data sets" in out
    )
    assert "C036  holds" in out and "Judged: " in out
    assert "2 claims judged again; 0 differ from what is on record" in out
    assert commands.main(["judge", "--check", "C068"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_a_verdict_that_differs_is_shown_and_can_be_renewed(recorded, capsys):
    page = recorded / "bagging-decision-trees.json"
    page.write_text(page.read_text().replace("errors on", "faults on"))
    assert commands.main(["judge", "--check", "C066", "C068"]) == 1
    out = capsys.readouterr().out
    assert "C068  fails" in out and "faults on" in out and "C066" not in out
    assert commands.main(["judge", "--record", "C068"]) == 0
    assert commands.main(["judge", "--check", "C068"]) == 0
    assert commands.main(["judge", "C999"]) == 2
    assert "unknown claim 'C999'" in capsys.readouterr().err


def test_run_status_verify_and_a_tampered_row(small, offline, capsys):
    assert commands.main(["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]) == 0
    assert (offline / "results" / "naive-bayes" / "balance.parquet").is_file()
    assert commands.main(["status"]) == 0
    assert "smoke       18 of     18 tasks\n" in capsys.readouterr().out
    assert commands.main(["run", "naive-bayes", "--profile", "smoke"]) == 0
    assert "18 tasks, 18 already recorded" in capsys.readouterr().err
    assert commands.main(["verify", "--sample", "3", "--seed", "7"]) == 0
    shown = capsys.readouterr().out
    assert "a random sample of 18 results (--seed 7 draws it again)" in shown
    assert "3 results computed again, 0 differ" in shown
    assert "not compared: train_seconds, test_seconds of naive-bayes: processor times" in shown
    shard = offline / "results" / "naive-bayes" / "balance.parquet"
    rows = pd.read_parquet(shard)
    is_wrong = (rows["fold"] == 1) & (rows["algorithm"] == "single")
    rows.assign(n_correct=rows["n_correct"] - is_wrong).to_parquet(shard)
    assert commands.main(["verify", "--sample", "100"]) == 1
    shown = capsys.readouterr().out
    assert "differs: naive-bayes: single of naive_bayes on balance" in shown and "1 differ" in shown


def test_verify_takes_another_sample_each_time_and_says_what_it_leaves_out(offline, capsys):
    with closing(Store()) as store:
        for name in ("balance", "promoters"):
            chosen = dataclasses.replace(studies.tasks("times-naive-bayes", "smoke")[0], dataset=name)
            result = Result(1, 1, 1, "", 0.0, 0.0) if name == "promoters" else None
            store.add(chosen, result or compute(chosen), made_with(chosen))
        store.export()
    (offline / "results" / "a-study-of-old").mkdir()
    seeds = set()
    for _ in range(2):
        assert commands.main(["verify"]) == 0
        shown = capsys.readouterr()
        assert "reproduction: leaving out promoters: it is not available here" in shown.err
        assert "1 results computed again, 0 differ" in shown.out
        assert "not compared: a-study-of-old: no study has this name" in shown.out
        seeds.add(shown.out.partition("--seed ")[2].partition(" draws")[0])
    assert len(seeds) == 2


def test_run_again_measures_everything_anew(small, offline, capsys):
    command = ["run", "times-naive-bayes", "--profile", "smoke", "--jobs", "1"]
    assert commands.main(command) == 0
    shard = offline / "results" / "times-naive-bayes" / "balance.parquet"
    first = pd.read_parquet(shard)
    with closing(Store()) as store:  # a task that is no longer in the profile
        stale = dataclasses.replace(studies.tasks("times-naive-bayes", "smoke")[0], order=99)
        store.add(stale, compute(stale), made_with(stale))
        store.export()
    assert len(pd.read_parquet(shard)) == len(first) + 1
    assert commands.main([*command, "--again"]) == 0
    assert "6 tasks, 0 already recorded" in capsys.readouterr().err
    second = pd.read_parquet(shard)
    assert first["digest"].equals(second["digest"])
    assert not first["train_seconds"].equals(second["train_seconds"])


def test_nothing_is_run_again_that_is_not_named(capsys):
    assert commands.main(["run", "--again"]) == 2
    assert "name the studies" in capsys.readouterr().err


def test_a_fresh_clone_continues_from_the_shards(small, offline, capsys):
    assert commands.main(["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]) == 0
    for path in (offline / "results").glob("journal.sqlite*"):
        path.unlink()
    assert commands.main(["run", "naive-bayes", "--profile", "smoke"]) == 0
    assert "18 tasks, 18 already recorded" in capsys.readouterr().err


def test_an_unavailable_data_set_is_skipped_with_a_note(monkeypatch, capsys):
    everything = studies.tasks
    chosen = ("balance", "promoters")
    monkeypatch.setattr(
        studies,
        "tasks",
        lambda study, profile: [t for t in everything(study, "quick") if t.dataset in chosen],
    )
    assert commands.main(["run", "times-naive-bayes", "--jobs", "1"]) == 0
    shown = capsys.readouterr().err
    assert "reproduction: skipping promoters: it is not available here" in shown and "6 tasks" in shown


def test_a_failing_task_makes_the_exit_code_1(small, monkeypatch, capsys):
    failure = Failure(studies.tasks("naive-bayes", "smoke")[0], "ValueError: no")
    monkeypatch.setattr(record, "run", lambda *_, **__: [failure])
    assert commands.main(["run", "naive-bayes", "--profile", "smoke", "--jobs", "1"]) == 1
    assert "reproduction: failed: naive-bayes: bagging of naive_bayes on balance" in capsys.readouterr().err


def test_ctrl_c_stops_at_once_keeps_finished_tasks_and_says_so(offline):
    """In a separate process, which is interrupted while its workers compute."""
    command = [
        sys.executable,
        "-m",
        "reproduction",
        "run",
        "naive-bayes",
        "--profile",
        "thesis",
        "--jobs",
        "1",
    ]
    process = subprocess.Popen(command, cwd=DATA.parent, stderr=subprocess.PIPE, text=True)
    path = offline / "results" / "journal.sqlite"
    for _ in range(1200):
        if count(path) > 3:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "reproduction: interrupted. Finished tasks are recorded" in error and "Traceback" not in error
    shards = (offline / "results").glob("naive-bayes/*.parquet")
    assert count(path) == 0 and sum(len(pd.read_parquet(shard)) for shard in shards) > 3


def test_what_a_killed_run_left_in_the_journal_is_exported_by_the_next_command(offline, capsys):
    task = studies.tasks("naive-bayes", "smoke")[0]
    with closing(Store()) as store:
        store.add(task, compute(task), made_with(task))
    assert count(offline / "results" / "journal.sqlite") == 1
    assert commands.main(["status"]) == 0
    assert "smoke        1 of     36 tasks" in capsys.readouterr().out
    assert count(offline / "results" / "journal.sqlite") == 0
    assert len(pd.read_parquet(offline / "results" / "naive-bayes" / f"{task.dataset}.parquet")) == 1


def test_a_study_with_a_measure_of_its_own_is_run_listed_and_verified(offline, capsys):
    command = ["run", "answers-by-size", "errors", "--profile", "smoke", "--jobs", "1"]
    assert commands.main(command) == 0
    assert "errors: 2 tasks, 0 already recorded" in capsys.readouterr().err
    assert commands.main(command) == 0
    assert "errors: 2 tasks, 2 already recorded" in capsys.readouterr().err
    assert commands.main(["status"]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{name}: " in shown for name in studies.STUDIES)
    assert shown.count("smoke        2 of      2 tasks") == 2
    assert commands.main(["verify"]) == 0
    assert "4 results computed again, 0 differ" in capsys.readouterr().out
    shard = offline / "results" / "errors" / "balance.parquet"
    rows = pd.read_parquet(shard)
    rows.assign(error=rows["error"] + 1e-16 * (rows["model"] == 2)).to_parquet(shard)
    assert commands.main(["verify"]) == 1
    assert "differs: errors: boosting of naive_bayes on balance" in capsys.readouterr().out


def test_every_study_is_told_where_its_name_is_wrong(capsys):
    assert commands.main(["run", "curve"]) == 2
    error = capsys.readouterr().err
    assert all(name in error for name in studies.STUDIES)


def count(path):
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT count(*) FROM journal").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()
