"""The runner publishes only whole, up-to-date runs, and ends at once when it is told to."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import nbformat
import pytest

from oza.kernels import closure
from reproduction.claims.registry import claims_by_page
from tools import book, run_notebooks
from tools.run_notebooks import (
    NotebookError,
    check_parameters,
    declared_parameters,
    digest_of_run,
    digests_of_data,
    execute,
    is_current,
    publish,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(run_notebooks, "TOP", tmp_path)
    monkeypatch.setattr(run_notebooks, "EXECUTED", tmp_path / "executed")
    monkeypatch.setattr(run_notebooks, "FAILED", tmp_path / "failed")
    return tmp_path


def notebook(path, parameters, *sources):
    cells = [nbformat.v4.new_code_cell(parameters, id="p", metadata={"tags": ["parameters"]})]
    cells += [nbformat.v4.new_code_cell(source, id=f"c{i}") for i, source in enumerate(sources)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def parameters(source):
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["parameters"]})
    return nbformat.v4.new_notebook(cells=[cell])


def test_a_run_lands_in_the_book_once(folder):
    path = notebook(folder / "a.ipynb", "n: int = 2  # a number", "print(n)")
    assert publish(path) > 0
    assert publish(path) == 0
    published = nbformat.read(folder / "executed" / "a.ipynb", as_version=4)
    assert published.cells[-1].outputs[0].text == "2\n"
    assert published.metadata.oza_run.parameters == {"n": 2}
    assert str(folder) not in str(published)


@pytest.mark.parametrize(
    ("change", "is_outdated"),
    [("cell", True), ("code", True), ("docstring", False), ("inspected", True)],
)
def test_what_makes_a_run_out_of_date(folder, change, is_outdated, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    helper = folder / f"of_{change}.py"
    code = '"""What it is."""\nvalue = 1\n'
    helper.write_text(code)
    imports = f"import {'inspect, ' if change == 'inspected' else ''}of_{change}\n"
    path = notebook(folder / "a.ipynb", "n: int = 1  # a number", imports)
    before = digest_of_run(nbformat.read(path, as_version=4))
    closure._source.cache_clear()
    if change == "cell":
        path = notebook(folder / "a.ipynb", "n: int = 1  # a number", imports + "print(n)")
    elif change == "code":
        helper.write_text(code.replace("1", "2"))
    else:
        helper.write_text(code.replace("What", "Whatever"))
    assert (digest_of_run(nbformat.read(path, as_version=4)) != before) == is_outdated


#: A cell that reads a table, verdicts of a page and the names in a folder, and looks for a file in vain.
READING = """
from reproduction.claims.cards import claim_line
from reproduction.topics.speed import DATA, read_benchmarks
(DATA / "reference" / "netflix.csv").read_text(), claim_line("drift")
[*DATA.glob("results/forests/*")], read_benchmarks(DATA / "results" / "missing.json")
"""
READ = ("reference/netflix.csv", "results/verdicts/drift.json", "results/forests", "results/missing.json")
OTHERS = ("reference/places.csv", "results/verdicts/adwin.json", "results/forests/balance.parquet", "results")


@pytest.mark.parametrize("kernels", ["forked", "plain"])
def test_what_a_notebook_read_makes_its_run_out_of_date(folder, kernels, monkeypatch):
    monkeypatch.setenv("OZA_PLAIN_KERNELS", "1" if kernels == "plain" else "0")
    run_notebooks.kernel_name()
    run_notebooks.end_kernels()  # of a process that has ended no kernel is asked
    publish(path := notebook(folder / "a.ipynb", "n: int = 1  # a number", READING))
    run, digest = folder / "executed" / "a.ipynb", digest_of_run(nbformat.read(path, as_version=4))
    changes = {name: digests_of_data() | {name: "other"} for name in (*READ, *OTHERS)}
    assert [name for name, data in changes.items() if not is_current(run, digest, data)] == [*READ]


def test_names_in_folders_are_data_and_a_journal_is_not(folder, monkeypatch):
    monkeypatch.setattr(run_notebooks, "ROOT", folder)
    (folder / "data" / "results" / "journal").mkdir(parents=True)
    before = digests_of_data.__wrapped__().items()
    for name in "journal/lock", "new":
        (folder / "data" / "results" / name).touch()
    assert {name for name, _ in digests_of_data.__wrapped__().items() - before} == {"results", "results/new"}


@pytest.mark.parametrize(
    ("changed", "is_outdated"),
    [
        ("book/executed/a.ipynb", True),
        ("oza/kernels/a.py", True),
        ("data/results/a", True),
        ("data/results/journal/a", False),
        ("CITATION.cff", True),
        ("notebooks/.ruff_cache/a", False),
        ("oza/__pycache__/a.pyc", False),
    ],
)
def test_what_makes_the_pages_out_of_date(tmp_path, changed, is_outdated, monkeypatch):
    monkeypatch.setattr(book, "TOP", tmp_path)
    before = book.digest_of_sources()
    path = tmp_path / changed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert (book.digest_of_sources() != before) == is_outdated


@pytest.mark.parametrize("page", claims_by_page())
def test_a_page_shows_its_claims_in_order(page):
    """On the front page and the scorecard they are linked to it."""
    stored = nbformat.read(run_notebooks.NOTEBOOKS / f"{page}.ipynb", as_version=4)
    outputs = [output for cell in stored.cells for output in cell.get("outputs", [])]
    text = " ".join(str(output.get("data", {}).get("text/html", "")) for output in outputs)
    shown = re.findall(r'\bid="(C\d+)"', text)  # of a card, or of a link in a line
    assert shown == claims_by_page()[page]


def test_a_failed_run_leaves_the_book_as_it_was_and_says_where(folder):
    path = notebook(folder / "a.ipynb", "n: int = 0  # a number", "1 / n")
    with pytest.raises(NotebookError, match=r"(?s)a\.ipynb stopped with ZeroDivi.*'1 / n'.*failed/a\.ipynb"):
        publish(path)
    assert not (folder / "executed").exists()
    assert (folder / "failed" / "a.ipynb").exists()


@pytest.mark.parametrize(
    ("declared", "fitting", "others"),
    [
        ("n: int = 1", [2], [2.0, True]),
        ("x: float = 1.0", [2], ["2"]),
        ("names: list[str] = ['a']", [["b", "c"]], [["b", 1], "b"]),
        ("flag: bool = True", [False], [0]),
    ],
)
def test_parameters_are_held_to_their_declaration(declared, fitting, others):
    name, declaration = declared.partition(":")[0], parameters(declared)
    for value in fitting:
        check_parameters(declaration, {name: value})
    for given in ({"m": 2}, *({name: value} for value in others)):
        with pytest.raises(NotebookError):
            check_parameters(declaration, given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["-p", "n", "3", "-p", "names", "['b', '2']", "-p", "text", "4", "-p", "flag", "true"], None),
        (["-p", "n", "3.0"], r"a\.ipynb declares n as int, such as 1, but was given 3\.0"),
        (["-p", "n", "true"], "declares n as int, such as 1, but was given True"),
        (["-p", "N", "3"], "has no parameter 'N'; it has: n, names, text, flag"),
    ],
)
def test_parameters_of_the_command_line_are_read_as_declared(folder, given, said, monkeypatch, capsys):
    monkeypatch.setattr(run_notebooks, "NOTEBOOKS", folder)
    monkeypatch.setattr(run_notebooks, "own_kernel", lambda: None)
    declared = "n: int = 1\nnames: list[str] = []\ntext: str = ''\nflag: bool = False"
    notebook(folder / "a.ipynb", declared, "print(n, names, text, flag)")
    arguments = ["a", *given, "-o", str(folder / "mine.ipynb")]
    if said is None:
        assert run_notebooks.main(arguments) == 0
        run = nbformat.read(folder / "mine.ipynb", as_version=4)
        assert run.cells[-1].outputs[0].text == "3 ['b', '2'] 4 True\n"
    else:
        with pytest.raises(SystemExit):
            run_notebooks.main(arguments)
        assert re.search(said, capsys.readouterr().err)
        assert not (folder / "mine.ipynb").exists()


@pytest.mark.parametrize("source", ["n = 1", "n: int = 1.5", "n: int", "import os"])
def test_a_parameters_cell_holds_typed_defaults_only(source):
    with pytest.raises(NotebookError):
        declared_parameters(parameters(source))


def test_a_kernel_that_does_not_start_is_started_once_more(folder, monkeypatch):
    dies_once = Mock(side_effect=[RuntimeError("Kernel died before replying to kernel_info"), "the notebook"])
    monkeypatch.setattr(run_notebooks.papermill, "execute_notebook", dies_once)
    path = notebook(folder / "a.ipynb", "n: int = 1  # a number")
    assert execute(path) == "the notebook"
    assert "Kernel died" in (folder / "failed" / "a.log").read_text()


@pytest.mark.parametrize(("number", "kernels"), [(signal.SIGINT, "forked"), (signal.SIGTERM, "plain")])
def test_a_signal_ends_a_build_at_once_and_leaves_no_kernel(tmp_path, number, kernels):
    mark = tmp_path / "kernel"
    path = notebook(tmp_path / "a.ipynb", "n: int = 1  # a number", WAITING.format(str(mark)))
    environment = {**os.environ, "OZA_PLAIN_KERNELS": str(int(kernels == "plain"))}
    build = subprocess.Popen(
        [sys.executable, "-c", BUILD, str(path), str(tmp_path)], cwd=run_notebooks.ROOT, env=environment
    )
    wait_for(lambda: mark.exists() and mark.read_text())
    build.send_signal(number)
    assert build.wait(300) == 130  # the cell works for longer
    assert "oza_digest" not in nbformat.read(path, as_version=4).metadata
    wait_for(lambda: not Path(f"/proc/{mark.read_text()}").exists())


#: A cell that notes its process and then works for ten minutes.
WAITING = """
import os, pathlib, time
pathlib.Path({0!r}).write_text(str(os.getpid()))
time.sleep(600)
"""
#: A build of one notebook, in a folder of its own: it removes the runs of notebooks that are not there.
BUILD = """
import pathlib, sys
from tools import run_notebooks
run_notebooks.NOTEBOOKS = run_notebooks.EXECUTED = pathlib.Path(sys.argv[2])
sys.exit(run_notebooks.main(["a"]))
"""


def wait_for(condition):
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, "it did not happen within five minutes"
        time.sleep(0.05)
