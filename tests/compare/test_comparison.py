"""The comparison on a user's own data equals separate computations, and writes one complete file."""

import html
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from oza import OnlineBaggingClassifier, cli
from oza.compare import ALGORITHMS, ALGORITHMS_OF, Settings, Work, base_models_for, comparison_cells, own_data
from oza.compare.algorithms import USUAL_MODELS
from oza.compare.report import comparison_notes, comparison_report, comparison_table, stream_totals
from oza.compare.work import _Binning
from oza.datasets import EqualFrequencyDiscretizer
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


def test_something_is_learned_and_the_table_says_so(found):
    cells = comparison_cells(found)
    assert cells["mean"].drop("online_boosting", level="algorithm").min() > 0.7
    assert set(cells["welch"]) <= {"better", "worse", "none"} and (cells["n_splits"] == 4).all()
    shown = comparison_table(found).shown
    assert shown.loc[("naive Bayes", "single"), "correct"] == "{mean:.4f} ± {standard_error:.4f}".format(
        **cells.loc[("naive_bayes", "single")]
    )


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


def test_the_same_seed_gives_the_same_numbers_and_another_one_others(found, tmp_path):
    path = write(tmp_path / "weather.csv")
    accuracies = [run(path, seed=seed).splits["accuracy"].to_list() for seed in (0, 1)]
    assert accuracies[0] == found.splits["accuracy"].to_list() != accuracies[1]


def test_a_large_file_is_sampled_for_the_batch_and_streamed_whole(tmp_path):
    path = write(tmp_path / "weather.csv")
    sampled = run(path, chunk_size=30, limit=80, folds=2)
    assert set(sampled.splits["n_train"] + sampled.splits["n_test"]) == {80}
    assert sampled.stream["n_seen"].max() == 200
    assert any("larger than the limit of 80" in note for note in comparison_notes(sampled))
    assert not any("larger" in note for note in comparison_notes(run(path, folds=2)))


def test_a_column_that_names_the_rows_is_pointed_at(tmp_path):
    path = write(tmp_path / "weather.csv")
    rows = path.read_text().splitlines()
    named = [f"{'id' if n == 0 else f'r{n}'},{row}" for n, row in enumerate(rows)]
    path.write_text("\n".join(named) + "\n")
    (note,) = (note for note in comparison_notes(run(path, folds=2)) if "value of their own" in note)
    assert "'id'" in note and "--drop" in note and "sky" not in note


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


def test_progress_is_told_through_the_file_and_adds_up(tmp_path):
    path = write(tmp_path / "weather.csv", 201)
    work = Work(own_data(path, "play", chunk_size=60), Settings(("naive_bayes",), n_models=2, folds=4))
    reported = {step: [] for step in work.steps()}
    for step, counts in reported.items():
        work.do(step, counts.append)
        assert sum(counts) == work.size(step)
    (of_stream,) = (counts for step, counts in reported.items() if step.kind == "stream")
    assert max(of_stream) <= 5  # of 201 rows


@pytest.mark.parametrize("folds", [1, 201])
def test_more_folds_than_examples_are_refused(tmp_path, folds):
    with pytest.raises(ValueError, match=f"folds={folds}: expected 2 or more"):
        run(write(tmp_path / "weather.csv"), folds=folds)


def test_the_report_is_one_file_that_needs_no_other(found):
    report = comparison_report(found, "oza compare <weather.csv>")
    assert report == comparison_report(found, "oza compare <weather.csv>")
    links = re.findall(r'(?:src|href)="([^"]+)"', report)
    assert len(links) == 2 and all(link.startswith("data:image/svg+xml;base64,") for link in links)
    assert "oza compare &lt;weather.csv&gt;" in report and "primed boosting" in report
    assert f"{comparison_cells(found)['mean'].iloc[0]:.4f}" in report


def test_the_command_leaves_a_report_and_prints_the_table(tmp_path, capsys):
    path = write(tmp_path / "weather.csv")
    asked = ["--target", "play", "--base-model", "naive_bayes", "--n-models", "3", "--folds", "2"]
    assert cli.main(["compare", str(path), *asked]) == 0
    shown = capsys.readouterr()
    assert "online bagging" in shown.out and "100%" in shown.err
    assert "weather.csv: read as CSV with commas, UTF-8; 200 examples" in shown.err
    assert "--n-models 3" in (tmp_path / "weather.html").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["weather.csv", "weather.html"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--target", "pley"], "no column 'pley'; did you mean 'play'?"),
        (["--target", "play", "--out", "no-folder/r.html"], "there is no folder no-folder"),
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
    _, error = process.communicate(timeout=120)
    assert process.returncode == 130 and "no report was written" in error and "Traceback" not in error
    assert [p.name for p in tmp_path.iterdir()] == ["weather.csv"]


@pytest.mark.parametrize("n_rows", [4, 11])
def test_too_few_rows_are_refused_before_the_work(tmp_path, capsys, n_rows):
    path = write(tmp_path / "weather.csv", n_rows)
    assert cli.main(["compare", str(path), "--target", "play"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"oza: weather.csv: the file has {n_rows} examples, of which 5 folds leave")
    assert error.endswith("so give it 12 examples or more\n") and error.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["weather.csv"]


def test_a_small_limit_is_refused_before_the_work(tmp_path):
    with pytest.raises(ValueError, match=r"limit=10 admits 10 examples, .* so set the limit to 13 examples"):
        run(write(tmp_path / "weather.csv"), limit=10)


def test_the_fewest_rows_are_enough_for_every_algorithm(tmp_path):
    """A class has one example, so that most splits never train on it, or never test it."""
    path = tmp_path / "few.csv"
    path.write_text(
        "x,sky,play\n" + "".join(f"{n * 5 % 12},s{n % 3},{'yes' if n else 'no'}\n" for n in range(12))
    )
    found = run(path, base_models=tuple(ALGORITHMS_OF), n_models=2, folds=5)
    assert set(found.splits["algorithm"]) == set(ALGORITHMS) and comparison_report(found, "")
    assert set(found.curves["n_train"]) == {10}


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


def test_the_stream_learners_can_be_asked_for_on_the_command_line(tmp_path, capsys):
    path = write(tmp_path / "weather.csv")
    asked = ["--algorithm", "hoeffding_tree", "leveraging_bagging", "--n-models", "2", "--folds", "2"]
    assert cli.main(["compare", str(path), "--target", "play", *asked]) == 0
    shown = capsys.readouterr().out
    assert "leveraging bagging" in shown and "naive" not in shown


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"n_models": 1_000_000_000}, "n_models=1000000000: expected 1 or more, and at most 10,000"),
        ({"repetitions": 0}, "repetitions=0: expected 1 or more"),
        ({"base_models": ("svm",)}, "base_models: no 'svm'; choose from naive_bayes"),
        ({"algorithms": ("svm",)}, "algorithms: no 'svm'; choose from single"),
        ({"base_models": ()}, "base_models: is empty"),
    ],
)
def test_settings_that_cannot_be_computed_are_refused(settings, fault):
    with pytest.raises(ValueError, match=fault):
        Settings(**settings)


def test_lack_of_memory_is_an_error_that_says_what_to_do(tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(Work, "_measure", fail)
    with pytest.raises(ValueError, match=r"single over naive_bayes needs more memory .*n_models=5"):
        run(write(tmp_path / "weather.csv"))


def test_the_terminal_says_all_that_the_report_says(tmp_path, capsys):
    path = tmp_path / "weather.csv"
    rows = write(path).read_text().splitlines()
    cells = [
        [row.split(",")[0].replace(".", ","), f"r{n}", *row.split(",")[1:]] for n, row in enumerate(rows)
    ]
    path.write_text("\n".join(";".join([*row, "c"]) for row in cells).replace("r0", "id") + "\n")
    asked = ["--target", "play", "--drop", "c", "--base-model", "neural_network", "--algorithm", "bagging"]
    assert cli.main(["compare", str(path), *asked, "--n-models", "1", "--limit", "60"]) == 0
    shown = "".join(capsys.readouterr())
    report = html.unescape((tmp_path / "weather.html").read_text(encoding="utf-8"))
    notes = re.findall(r"<li>(.*?)</li>", report, re.DOTALL)
    assert len(notes) >= 7 and all(note in shown for note in notes)
    assert "3 inputs (1 numeric, 2 nominal; left out: 'c')" in shown
    assert (
        "Read as numbers with decimal commas: 'degrees'." in shown and "value of their own in 'id'" in shown
    )
    assert "over neural network: " in shown and "too few steps to leave its random start" in shown


def test_the_input_and_an_older_report_are_not_overwritten(tmp_path, capsys):
    table = write(tmp_path / "weather.html").read_bytes()
    older = write(tmp_path / "notes.csv").with_suffix(".html")
    older.write_text("notes")
    (tmp_path / "link.html").symlink_to(tmp_path / "weather.html")
    asked = ["--target", "play", "--base-model", "naive_bayes", "--n-models", "1", "--folds", "2"]
    for file, more, fault in [
        ("weather.html", [], "is the file that is compared; name another one with --out"),
        ("weather.html", ["--force"], "is the file that is compared"),
        ("weather.html", ["--force", "--out", str(tmp_path / "link.html")], "is the file that is compared"),
        (
            "notes.csv",
            [],
            "there is such a file already; name another one with --out, or replace it with --f",
        ),
        ("notes.csv", ["--out", str(tmp_path)], "is a folder"),
    ]:
        assert cli.main(["compare", str(tmp_path / file), *asked, *more]) == 2
        error = capsys.readouterr().err
        assert fault in error and error.count("\n") == 1
    assert older.read_text() == "notes"
    assert cli.main(["compare", str(tmp_path / "notes.csv"), *asked, "--force"]) == 0
    assert (tmp_path / "weather.html").read_bytes() == table and "naive Bayes" in older.read_text("utf-8")


def test_bins_are_those_of_each_column_alone(tmp_path):
    path = write(tmp_path / "weather.csv")
    data = own_data(path, "play")
    ((X, _),) = data.chunks()
    expected = EqualFrequencyDiscretizer().fit_transform(X[:, :1])
    np.testing.assert_array_equal(_Binning(data, X)(X)[:, 0], expected[:, 0])


def test_ten_thousand_columns_are_ready_to_be_learned_in_seconds(tmp_path):
    path, numbers = tmp_path / "wide.csv", np.random.default_rng(0).normal(size=(20, 10_000)).round(3)
    lines = [",".join(map(str, row)) + f",{'ab'[n % 2]}" for n, row in enumerate(numbers.tolist())]
    path.write_text("\n".join([",".join([*(f"c{j}" for j in range(10_000)), "play"]), *lines]))
    start = time.process_time()
    work = Work(own_data(path, "play"), Settings(("naive_bayes",)))
    train, _ = work._split(0, 0)
    binning = work._binning(work.steps()[0], train)
    assert binning(work._X).shape == (20, 10_000) and time.process_time() - start < 20
    assert work._binning(work.steps()[0], train) is binning


def test_a_column_that_counts_the_rows_is_told_of_once(tmp_path, capsys):
    path = write(tmp_path / "weather.csv")
    rows = path.read_text().splitlines()
    path.write_text("\n".join(["," + rows[0], *(f"{n},{row}" for n, row in enumerate(rows[1:]))]) + "\n")
    asked = ["--target", "play", "--base-model", "naive_bayes", "--n-models", "1", "--folds", "2"]
    assert cli.main(["compare", str(path), *asked]) == 0
    assert "".join(capsys.readouterr()).count("The rows are counted by '': ") == 1
    assert "The rows are counted by" in (tmp_path / "weather.html").read_text(encoding="utf-8")
    assert cli.main(["compare", str(path), *asked, "--force", "--drop", ""]) == 0
    assert "counted by" not in "".join(capsys.readouterr())
