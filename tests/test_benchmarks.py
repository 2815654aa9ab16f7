import json
import os
from pathlib import Path

import pandas as pd
import pytest

import oza
from benchmarks import beside
from oza.kernels.compile import CACHE_FOLDER
from reproduction.record.store import MADE_WITH
from reproduction.studies import independent
from tests.processes import run

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
RATE = {"n_examples", "seconds", "examples_per_second"}


def printed_by(script, *options, **environment):
    """What a script prints in a process of its own."""
    code = f"""
import runpy, sys
sys.argv[1:] = {[*map(str, options)]}
runpy.run_path({str(BENCHMARKS / script)!r}, run_name="__main__")
"""
    path = f"{BENCHMARKS.parent}{os.pathsep}{BENCHMARKS}"
    return run(code, PYTHONPATH=path, **environment)[0]


def bench(tmp_path, *options, **environment):
    saved = tmp_path / "benchmarks.json"
    printed = printed_by("bench.py", "--quick", "--save", saved, *options, **environment)
    return json.loads(saved.read_text()), printed


def grid(tmp_path, *options):
    """Table that the grid of base models, ensembles and tables has saved, and what it has printed."""
    saved = tmp_path / "grid.csv"
    printed = printed_by("grid.py", "--quick", "--no-peers", "--save", saved, *options)
    return pd.read_csv(saved, dtype={"missed": str}), printed


def check_grid(found, printed, n_lines):
    assert len(found) == n_lines
    assert (found[["partial_fit", "predict", "prequential_predict", "one row a call"]] > 0).all(axis=None)
    assert not found.duplicated(["ensemble", "base", "table", "declared"]).any()
    _, _, missed = printed.partition("Aims that were not reached:\n")
    assert len(missed.splitlines()) == found["missed"].str.count("; ").add(1).sum()


def test_the_grid_measures_an_ensemble_on_every_table(tmp_path):
    found, printed = grid(tmp_path, "--only", "online bagging of Naive Bayes")
    check_grid(found, printed, 4 * 2)
    assert set(found["table"]) == {"codes", "strings", "numbers", "mixed"}


@pytest.mark.slow
def test_the_grid_measures_every_combination(tmp_path):
    check_grid(*grid(tmp_path), 4 * 2 * (5 * 4 + 1))


def check_bench(found, printed):
    assert set(found) == {
        "date",
        "machine",
        "versions",
        "repeats",
        "quick",
        "rows",
        "memory",
        "peak_memory",
        "start_up_seconds",
        "left_out",
    }
    assert set(found["machine"]) == {"processor", "cores", "architecture", "system"}
    assert {"python", "oza", "numba", "numpy", "scikit-learn"} <= set(found["versions"])
    for row in found["rows"]:
        assert set(row) == {
            "work",
            "task",
            "dataset",
            "n_models",
            "ours",
            "peers",
            "least_rate",
            "most_seconds",
            "reached",
        }
        assert set(row["ours"]) == RATE
        assert len(row["ours"]["seconds"]) == found["repeats"]
        assert f"{row['work']}, {row['task']}, {row['dataset']}: " in printed
    measured = {(row["work"], row["task"]) for row in found["rows"]}
    assert {("online bagging of Naive Bayes", "learn"), ("online bagging of Naive Bayes", "prequential")} <= (
        measured
    )
    for size in found["memory"]:
        before, after = size["bytes"]
        assert after - before < 20  # larger counters take more bytes in a pickle
    for peak in found["peak_memory"]:
        before, after = peak["bytes"]
        assert (
            2**25 < before <= after < before + 2**25
        )  # a process with numba; the stream is ten times as long


@pytest.mark.slow
def test_a_quick_run_measures_every_row_that_it_can_and_names_the_others(tmp_path):
    found, printed = bench(tmp_path, "--no-peers")
    check_bench(found, printed)
    assert all(row["peers"] == {} for row in found["rows"])
    for name in ("OnlineBoostingClassifier", "DecisionStumpClassifier", "NeuralNetworkClassifier"):
        assert hasattr(oza, name) or any(name in note for note in found["left_out"])


@pytest.mark.skipif(os.name == "nt", reason="the pretended Java is a shell script")
def test_ratios_are_of_rates_and_a_missing_peer_is_named(tmp_path):
    java = tmp_path / "java"
    java.write_text(
        "#!/bin/sh\n"
        'case "$5" in\n'
        "EvaluateInterleaved*) echo 'evaluation time (cpu seconds),classified instances'; echo 4.0,200;;\n"
        "*) echo 'Task completed in 0.50s (CPU time)' >&2;;\n"
        "esac\n"
    )
    java.chmod(0o755)
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "moa.jar").touch()
    (tmp_path / "kernels").symlink_to(CACHE_FOLDER.parent)  # already compiled
    found, printed = bench(
        tmp_path,
        "--only",
        "online bagging of Naive Bayes",
        PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        OZA_CACHE=str(tmp_path),
    )
    check_bench(found, printed)
    learn, _, prequential = (row for row in found["rows"] if row["dataset"] == "synthetic2")
    for row, rate in ((learn, 400.0), (prequential, 50.0)):
        moa = row["peers"]["MOA"]
        assert moa["examples_per_second"] == rate
        assert moa["ratio"] == row["ours"]["examples_per_second"] / rate
        assert moa["reached"] == (moa["ratio"] >= moa["target"])
    assert [learn["peers"]["MOA"]["target"], prequential["peers"]["MOA"]["target"]] == [35, 8]
    assert "River" in found["versions"]


def test_the_independent_check_is_recorded_as_it_was_and_continues_where_it_stopped(tmp_path):
    asked = ["--results", tmp_path, "--only", "scikit-learn", "--datasets", "balance", "--repetitions"]
    printed = [printed_by("independent.py", *asked, repetitions) for repetitions in (1, 2)]
    assert printed[0] == "balance, repetition 0, scikit-learn: 30 new"
    assert printed[1].splitlines() == [
        "balance, repetition 0, scikit-learn: 0 new",
        "balance, repetition 1, scikit-learn: 30 new",
    ]
    found, known = (
        frame.drop(columns=list(MADE_WITH)).set_index(independent.STUDY.key).sort_index()
        for frame in (independent.STUDY.recorded(folder=tmp_path), independent.STUDY.recorded())
    )
    assert len(found) == 60
    pd.testing.assert_frame_equal(found, known.loc[found.index].sort_index())


@pytest.mark.parametrize("name", beside.LEARNERS)
def test_stream_learners_run_beside_those_of_river(name):
    X, y = beside.TABLES["hyperplane"]()
    for learn in (beside.ours, beside.rivers):
        if learn is beside.ours or beside.LEARNERS[name].rivers:
            accuracy, seconds = learn(beside.LEARNERS[name], X[:150], y[:150], 2)
            assert 0.4 < accuracy < 1 and seconds > 0
