"""The runner publishes only whole, up-to-date runs, and refreshing twice gives the same bytes."""

import re
import sys

import nbformat
import pytest

from reproduction.claims import claims_by_page
from tools import run_notebooks
from tools.run_notebooks import (
    NotebookError,
    check_parameters,
    declared_parameters,
    execute,
    publish,
    refresh,
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
    path = notebook(folder / "a.ipynb", "n: int = 1  # a number", "print(n)")
    assert publish(path, {"n": 2}, "inputs").endswith(" s")
    assert publish(path, {"n": 2}, "inputs") == "a.ipynb: up to date"
    published = nbformat.read(folder / "executed" / "a.ipynb", as_version=4)
    assert published.cells[-1].outputs[0].text == "2\n"
    assert published.metadata.oza_run.parameters == {"n": 2}
    assert [cell.source for cell in published.cells] == ["n: int = 2  # a number", "print(n)"]
    assert str(folder) not in str(published)


def test_the_values_of_the_book_stand_in_the_cell_that_declares_them():
    """Also where a default or what is said of it contains the signs that separate them."""
    source = 'a: list[str] = ["x: =", "#"]  # one: = # two\nb: int = 1  # not given'
    given = {"a": ["y", "#z"]}
    (cell,) = run_notebooks.in_one_cell(parameters(source), given).cells
    assert cell.source == "a: list[str] = ['y', '#z']  # one: = # two\nb: int = 1  # not given"
    assert declared_parameters(nbformat.v4.new_notebook(cells=[cell]))["a"][1] == ["y", "#z"]


@pytest.mark.parametrize("change", ["parameters", "inputs", "source"])
def test_a_change_makes_a_run_out_of_date(folder, change, monkeypatch):
    path = notebook(folder / "a.ipynb", "n: int = 1  # a number", "print(n)")
    monkeypatch.setattr(run_notebooks, "execute", lambda path, given: fake_run(path))
    publish(path, {}, "inputs")
    if change == "source":
        notebook(path, "n: int = 1  # a number", "print(n + 1)")
    given = {"n": 3} if change == "parameters" else {}
    inputs = "other" if change == "inputs" else "inputs"
    assert publish(path, given, inputs) != "a.ipynb: up to date"


@pytest.mark.parametrize("page", claims_by_page())
def test_a_page_shows_its_claims_in_order(page):
    """On the front page and the scorecard they are linked to it."""
    stored = nbformat.read(run_notebooks.NOTEBOOKS / f"{page}.ipynb", as_version=4)
    outputs = [output for cell in stored.cells for output in cell.get("outputs", [])]
    text = " ".join(str(output.get("data", {}).get("text/html", "")) for output in outputs)
    shown = re.findall(r'\bid="(C\d+)"', text)  # of a card, or of a link in a line
    assert shown == claims_by_page()[page]


def fake_run(path):
    done = nbformat.read(path, as_version=4)
    done.metadata.papermill = nbformat.NotebookNode(start_time="2001-01-01T00:00:00", duration=1.0)
    return done


def test_a_failed_run_leaves_the_book_as_it_was_and_says_where(folder):
    path = notebook(folder / "a.ipynb", "n: int = 0  # a number", "1 / n")
    with pytest.raises(NotebookError, match=r"(?s)a\.ipynb stopped with ZeroDivi.*'1 / n'.*failed/a\.ipynb"):
        publish(path, {}, "inputs")
    assert not (folder / "executed").exists()
    assert (folder / "failed" / "a.ipynb").exists()


def test_refreshing_twice_gives_the_same_bytes(folder):
    path = notebook(
        folder / "a.ipynb",
        "n: int = 3  # a number",
        "import sys\nfor i in range(n):\n    print(i)\n    sys.stdout.flush()",
        "class Thing: pass\nThing()",
    )
    refresh(path)
    first = path.read_bytes()
    refresh(path)
    assert path.read_bytes() == first


def test_the_kernel_is_the_environments_own(folder):
    path = notebook(folder / "a.ipynb", "n: int = 3  # a number", "import sys\nprint(sys.prefix)")
    assert execute(path).cells[-1].outputs[0].text.strip() == sys.prefix


@pytest.mark.parametrize(
    ("declared", "given", "fits"),
    [
        ("n: int = 1", {"n": 2}, True),
        ("n: int = 1", {"n": 2.0}, False),
        ("n: int = 1", {"n": True}, False),
        ("x: float = 1.0", {"x": 2}, True),
        ("x: float = 1.0", {"x": "2"}, False),
        ("names: list[str] = ['a']", {"names": ["b", "c"]}, True),
        ("names: list[str] = ['a']", {"names": ["b", 1]}, False),
        ("names: list[str] = ['a']", {"names": "b"}, False),
        ("flag: bool = True", {"flag": False}, True),
        ("flag: bool = True", {"flag": 0}, False),
        ("n: int = 1", {"m": 2}, False),
    ],
)
def test_parameters_are_held_to_their_declaration(declared, given, fits):
    if fits:
        check_parameters(parameters(declared), given)
    else:
        with pytest.raises(NotebookError):
            check_parameters(parameters(declared), given)


@pytest.mark.parametrize("source", ["n = 1", "n: int = 1.5", "n: int", "import os"])
def test_a_parameters_cell_holds_typed_defaults_only(source):
    with pytest.raises(NotebookError):
        declared_parameters(parameters(source))
