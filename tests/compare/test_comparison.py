"""The comparison on a user's own data equals separate computations, and writes one complete file."""

import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from oza import OnlineBaggingClassifier, cli
from oza.compare import Settings, Work, base_models_for, comparison_cells, own_data
from oza.compare.algorithms import USUAL_MODELS
from oza.compare.report import comparison_notes, comparison_report, stream_totals
from oza.compare.work import _Binning
from oza.kernels.random import key_of
from reproduction.paths import DATA


def write(path, n_rows=200):
    """Rows whose class follows from a number and a name, with 10 % noise."""
    rng = np.random.default_rng(1)
    degrees, sky = rng.normal(15, 8, n_rows), rng.choice(["sun", "rain"], n_rows)
    play = np.where(((degrees > 12) & (sky == "sun")) ^ (rng.random(n_rows) < 0.1), "yes", "no")
    rows = [f"{d:.2f},{s},{p}" for d, s, p in zip(degrees, sky, play, strict=True)]
    path.write_text("degrees,sky,play\n" + "\n".join(rows) + "\n")
    return path


def run(path, chunk_size=10_000, **settings):
    usual = {"base_models": ("naive_bayes",), "n_models": 5, "folds": 4}
    work = Work(own_data(path, "play", chunk_size=chunk_size), Settings(**usual | settings))
    for step in work.steps():
        work.do(step)
    return work.found()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return run(write(tmp_path_factory.mktemp("own") / "weather.csv"))


def test_every_algorithm_meets_every_split_every_size_and_the_online_ones_the_stream(found):
    algorithms = {"single", "bagging", "online_bagging", "boosting", "online_boosting", "primed_boosting"}
    assert set(found.splits["algorithm"]) == set(found.curves["algorithm"]) == algorithms
    assert set(found.splits.groupby("algorithm").size()) == {4}
    assert set(found.stream["algorithm"]) == algorithms - {"bagging", "boosting"}
    assert set(found.stream.groupby("algorithm")["n_seen"].last()) == {200}
    assert found.curves["n_train"].max() == 150 and set(found.splits["n_test"]) == {50}


def test_the_stream_is_test_then_train_row_by_row(tmp_path):
    """The same as one call of the estimator on the whole file, binned by its first chunk."""
    path = write(tmp_path / "weather.csv")
    whole, in_chunks = run(path), run(path, chunk_size=200)
    assert stream_totals(whole)["accuracy"].equals(stream_totals(in_chunks)["accuracy"])
    data = own_data(path, "play")
    ((X, y),) = data.chunks()
    binning = _Binning(data, X)
    key = key_of("compare", 0, "naive_bayes", "online_bagging", 0, 0)
    ensemble = OnlineBaggingClassifier(n_estimators=5, random_state=key, categories=binning.categories)
    predicted = ensemble.prequential_predict(binning(X), y, classes=[0, 1])
    assert stream_totals(whole)["accuracy"]["naive_bayes", "online_bagging"] == np.mean(predicted == y)


@pytest.mark.full  # a comparison of its own
def test_the_same_seed_gives_the_same_numbers_and_another_one_others(found, tmp_path):
    path = write(tmp_path / "weather.csv")
    accuracies = [run(path, seed=seed).splits["accuracy"].to_list() for seed in (0, 1)]
    assert accuracies[0] == found.splits["accuracy"].to_list() != accuracies[1]


@pytest.mark.full  # a comparison of its own
def test_a_large_file_is_sampled_for_the_batch_and_streamed_whole(tmp_path):
    path = write(tmp_path / "weather.csv")
    sampled = run(path, chunk_size=30, limit=80, folds=2)
    assert set(sampled.splits["n_train"] + sampled.splits["n_test"]) == {80}
    assert sampled.stream["n_seen"].max() == 200
    assert any("larger than the limit of 80" in note for note in comparison_notes(sampled))
    assert not any("larger" in note for note in comparison_notes(run(path, folds=2)))


@pytest.mark.full  # a comparison of its own
def test_missing_numbers_have_a_bin_of_their_own_and_the_report_counts_them(tmp_path):
    path = write(tmp_path / "weather.csv")
    lines = path.read_text().splitlines()
    path.write_text(
        "\n".join([lines[0], *("," + line.partition(",")[2] for line in lines[1:61]), *lines[61:]])
    )
    for chunk_size in (30, 10_000):  # the first chunk of the stream may have no number at all
        found = run(path, chunk_size=chunk_size)
        assert comparison_cells(found)["mean"].notna().all()
        assert set(found.stream.groupby("algorithm")["n_seen"].last()) == {200}
    assert any("Values are missing in 'degrees' (60)" in note for note in comparison_notes(found))
    assert any("CSV with commas, UTF-8" in note for note in comparison_notes(found))
    ((X, _),) = found.data.chunks()
    binning = _Binning(found.data, X)
    assert binning.categories == [range(11), range(2)]
    codes = binning(X)[:, 0]
    assert set(codes[:60]) == {10} and set(codes[60:]) == set(range(10))
    np.testing.assert_array_equal(_Binning(found.data, X[60:])(X[60:]), binning(X[60:]))
    assert set(_Binning(found.data, X[:60])(X)[:, 0]) == {0, 1}  # fitted on none


def test_the_report_is_one_file_that_needs_no_other(found):
    report = comparison_report(found, "oza compare <weather.csv>")
    assert report == comparison_report(found, "oza compare <weather.csv>")
    links = re.findall(r'(?:src|href)="([^"]+)"', report)
    assert len(links) == 2 and all(link.startswith("data:image/svg+xml;base64,") for link in links)
    assert "oza compare &lt;weather.csv&gt;" in report and "primed boosting" in report
    assert f"{comparison_cells(found)['mean'].iloc[0]:.4f}" in report


def test_the_command_leaves_a_report_and_prints_the_table(tmp_path, capsys, monkeypatch):
    path = write(tmp_path / "weather.csv")
    asked = ["--target", "play", "--base-model", "naive_bayes", "--n-models", "3", "--folds", "2"]
    assert cli.main(["compare", str(path), *asked]) == 0
    shown = capsys.readouterr()
    assert "online bagging" in shown.out and "100%" in shown.err
    assert "weather.csv: read as CSV with commas, UTF-8; 200 examples" in shown.err
    assert "--n-models 3" in (tmp_path / "weather.html").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["weather.csv", "weather.html"]
    monkeypatch.setattr("oza.compare.command.replace_file", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["compare", str(path), *asked, "--force"])
    assert "online bagging" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--target", "pley"], "no column 'pley'; did you mean 'play'?"),
        (["--target", "play", "--out", "no-folder/r.html"], "there is no folder no-folder"),
        (["--target", "play", "--out", "/proc/r.html"], "no folder /proc in which files can be written"),
        (["--target", "play", "--algorithm", "single", "single"], "algorithms: 'single' is named twice"),
    ],
)
def test_a_wrong_argument_gets_one_line_and_exit_code_2(tmp_path, capsys, arguments, fault):
    assert cli.main(["compare", str(write(tmp_path / "weather.csv")), *arguments]) == 2
    error = capsys.readouterr().err
    assert fault in error and error.count("\n") == 1


def test_ctrl_c_leaves_nothing_half_written(tmp_path):
    path = write(tmp_path / "weather.csv", n_rows=5000)
    command = [sys.executable, "-m", "oza", "compare", str(path), "--target", "play", "--n-models", "100"]
    process = subprocess.Popen(command, cwd=DATA.parent, stderr=subprocess.PIPE, text=True)
    while process.stderr.read(1) not in ("%", ""):
        pass
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=600)
    assert process.returncode == 130 and "no report was written" in error and "Traceback" not in error
    assert [p.name for p in tmp_path.iterdir()] == ["weather.csv"]


@pytest.mark.full  # a comparison of its own
def test_algorithms_are_selected_and_compared_with_their_single_model(tmp_path):
    asked = ("online_bagging", "leveraging_bagging", "adaptive_random_forest")
    base_models = base_models_for(asked)
    assert base_models == (*USUAL_MODELS, "hoeffding_tree")
    found = run(write(tmp_path / "weather.csv"), base_models=base_models[-2:], algorithms=asked, folds=2)
    cells = comparison_cells(found)
    singles = {("neural_network", "single"), ("neural_network", "online_single")}
    singles |= {("hoeffding_tree", "hoeffding_tree")}
    assert {*cells.index} - singles == {
        ("neural_network", "online_bagging"),
        *(("hoeffding_tree", name) for name in asked),
    }
    assert set(found.stream["algorithm"]) == {*asked, "online_single", "hoeffding_tree"}
    report = comparison_report(found, "")
    assert "adaptive random forest" in report and "Hoeffding tree" in report


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"n_models": 1_000_000_000}, "n_models must be an integer from 1 to 10000; got 1000000000"),
        ({"repetitions": 0}, "repetitions must be an integer from 1"),
        ({"folds": "5"}, "folds must be an integer from 2 to 10000; got '5'"),
        ({"seed": 1.5}, "seed must be an integer"),
        ({"base_models": ("svm",)}, "base_models: no 'svm'; choose from naive_bayes"),
        ({"algorithms": ("svm",)}, "algorithms: no 'svm'; choose from single"),
        ({"base_models": ()}, "base_models: is empty"),
        ({"base_models": ("naive_bayes",) * 2}, "base_models: 'naive_bayes' is named twice"),
    ],
)
def test_settings_that_cannot_be_computed_are_refused(settings, fault):
    with pytest.raises(ValueError, match=fault):
        Settings(**settings)


def test_the_input_and_an_older_report_are_not_overwritten(tmp_path, capsys):
    table = write(tmp_path / "weather.html").read_bytes()
    older = write(tmp_path / "notes.csv").with_suffix(".html")
    older.write_text("notes")
    (tmp_path / "link.html").symlink_to(tmp_path / "weather.html")
    asked = ["--target", "play", "--base-model", "naive_bayes", "--n-models", "1", "--folds", "2"]
    for file, more, fault in [
        ("weather.html", [], "is the file being compared; name another one with --out"),
        ("weather.html", ["--force"], "is the file being compared"),
        ("weather.html", ["--force", "--out", str(tmp_path / "link.html")], "is the file being compared"),
        ("notes.csv", [], "this file exists already; name another one with --out, or replace it with --f"),
        ("notes.csv", ["--out", str(tmp_path)], "is a folder"),
        (".", [], "is a folder; name a file in it to compare"),
    ]:
        assert cli.main(["compare", str(tmp_path / file), *asked, *more]) == 2
        error = capsys.readouterr().err
        assert fault in error and error.count("\n") == 1
    assert older.read_text() == "notes"
    assert cli.main(["compare", str(tmp_path / "notes.csv"), *asked, "--force"]) == 0
    assert (tmp_path / "weather.html").read_bytes() == table and "naive Bayes" in older.read_text("utf-8")
