"""The project under other conditions than those of its authors: pages that fail, other machines and users."""

import ast
import os
import subprocess
import sys

import nbformat
import oza_pieces
import pytest

from oza.kernels import closure
from reproduction.record.runner import processes
from reproduction.topics import SIMULATIONS, simulations
from reproduction.topics.program_of_2001 import counts_by_value
from tools import book, replay, run_notebooks
from tools.run_notebooks import TOP, NotebookError, failures, own_kernel, run_all


def outputs(text):
    return [nbformat.v4.new_output("stream", text=text)]


# ------------------------------------------------------------------------------ one page never costs the book


@pytest.mark.parametrize("error", [NotebookError("a.ipynb stopped with E in cell 1: no"), SyntaxError("no")])
def test_a_page_that_fails_shows_its_stored_outputs_below_a_note(tmp_path, monkeypatch, error):
    monkeypatch.setattr(run_notebooks, "EXECUTED", tmp_path / "executed")
    title = nbformat.v4.new_markdown_cell("(label)=\n# Title\n\nText.")
    cell = nbformat.v4.new_code_cell("f()", outputs=outputs("stored"), execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[title, cell]), tmp_path / "a.ipynb")
    (tmp_path / "b.ipynb").write_text("no notebook", encoding="utf-8")

    def fail(path):
        raise error

    assert run_all([tmp_path / "a.ipynb", tmp_path / "b.ipynb"], fail, 1) == 2
    shown = nbformat.read(tmp_path / "executed" / "a.ipynb", as_version=4)
    begin, note, end = shown.cells[0].source.partition(failures()[0])
    assert begin.startswith("(label)=\n# Title\n\n::::::::{warning}") and note and end.endswith("Text.")
    assert shown.cells[1].outputs == cell.outputs
    assert "oza_digest" not in shown.metadata, "the next build would not try again"
    assert "# b\n" in nbformat.read(tmp_path / "executed" / "b.ipynb", as_version=4).cells[0].source


#: Stands for Jupyter Book.
SPHINX = """#!/bin/sh
echo "a.md:1: WARNING: what a warning says" >&2
{}
exit 1
"""


@pytest.mark.parametrize("writes", ["touch _build/html/objects.inv", ""])
def test_a_warning_leaves_a_book_and_exit_code_1(tmp_path, monkeypatch, capfd, writes):
    (tmp_path / "_build" / "html").mkdir(parents=True)
    program = tmp_path / "jupyter-book"
    program.write_text(SPHINX.format(writes), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(run_notebooks, "main", lambda arguments: 0)
    for name in "TOP", "PAGES", "STAMP":
        moved = tmp_path / getattr(book, name).relative_to(TOP)
        monkeypatch.setattr(book, name, moved)
    monkeypatch.setattr(run_notebooks, "EXECUTED", tmp_path)
    if writes:
        assert book.main() == 1
        said = capfd.readouterr()
        assert "open _build/html/intro.html" in said.out
        assert "tries these again:\na.md:1: WARNING: what a warning says\n" in said.err
    else:
        with pytest.raises(SystemExit, match="before the book was complete"):
            book.main()
    assert not (tmp_path / "_build" / "html.sha256").exists()


CONFIGURATION = """
from oza_failures import guarded
from sphinx.util.docutils import SphinxDirective

class Part(SphinxDirective):
    required_arguments = 1
    def run(self):
        raise ValueError("no figure")

def setup(app):
    app.add_directive("part", guarded(Part))
"""


def test_a_figure_that_fails_leaves_a_note_and_a_warning(tmp_path):
    (tmp_path / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    (tmp_path / "index.rst").write_text("A page\n======\n\n.. part:: map\n\nMore.\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "text", ".", "o"]
    environment = os.environ | {"PYTHONPATH": str(TOP / "book" / "_ext")}
    build = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert build.returncode == 1 and "index.rst:4: WARNING: `{part} map` could not be made" in build.stderr
    page = (tmp_path / "o" / "index.txt").read_text(encoding="utf-8")
    assert "no figure" in page and "More." in page


def test_a_piece_that_fails_leaves_a_note(monkeypatch):
    monkeypatch.setitem(oza_pieces.PIECES, "poisson", lambda: 1 / 0)
    assert oza_pieces.data_or_note("poisson").startswith(
        'oza.failed("poisson","The piece \'poisson\' could not'
    )


@pytest.mark.parametrize(
    ("now", "said"), [("error: 0.841", "stored 0.843, now 0.841"), ("error", "stored :, now nothing")]
)
def test_a_page_that_differs_says_where_in_one_line(now, said):
    assert replay.difference(outputs("error: 0.843"), outputs(now), str) == said


# ------------------------------------------------------------------------------ other machines and users


def test_a_checkout_that_cannot_be_written_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(run_notebooks, "TOP", tmp_path / "file")
    with pytest.raises(SystemExit, match="_build cannot be written"):
        own_kernel()


def test_a_reader_who_goes_ends_a_build_quietly(monkeypatch, capsys):
    def leave(*_):
        raise BrokenPipeError

    codes = []
    monkeypatch.setattr(run_notebooks, "run_all", leave)
    monkeypatch.setattr(run_notebooks, "kernel_name", lambda: "python3")
    monkeypatch.setattr(run_notebooks.signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "_exit", codes.append)
    run_notebooks.main(["adwin"])
    assert codes == [141] and "Traceback" not in capsys.readouterr().err


def test_the_same_version_of_a_library_has_the_same_digest_in_every_environment(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    digests = []
    for text, time in ("1", 1), ("1", 2), ("2", 2):
        (tmp_path / "of_no_distribution.py").write_text(text, encoding="utf-8")
        os.utime(tmp_path / "of_no_distribution.py", (time, time))
        digests.append(closure._version.__wrapped__("of_no_distribution"))
    assert digests[0] == digests[1] != digests[2]


def test_a_worker_process_finds_every_simulation():
    (call,) = counts_by_value.calls("smoke")
    with processes(1) as worker:
        assert worker.submit(SIMULATIONS.measure, call).result(60) == SIMULATIONS.measure(call)
    texts = (path.read_text(encoding="utf-8") for path in (TOP / "reproduction").rglob("*.py"))
    assert len(simulations()) == sum(text.count("\n@simulation(") for text in texts)


#: Position of the encoding among the arguments of what opens texts.
ENCODINGS = {"read_text": 0, "write_text": 1, "open": 3}


@pytest.mark.parametrize("folder", ["oza", "reproduction", "tools", "book", "benchmarks"])
def test_every_text_is_read_and_written_with_an_encoding(folder):
    for path in (TOP / folder).rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_bytes())):
            match call:
                case ast.Call(
                    func=ast.Attribute(attr="read_text" | "write_text" as name) | ast.Name(id="open" as name)
                ):
                    mode = call.args[1].value if name == "open" and len(call.args) > 1 else ""
                    has_one = any(it.arg == "encoding" for it in call.keywords)
                    assert has_one or "b" in mode or len(call.args) > ENCODINGS[name], f"{path}:{call.lineno}"
