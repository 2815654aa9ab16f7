"""Every declared parameter does something, and nothing undeclared is taken."""

import ast
from pathlib import Path

import nbformat
import pytest
import yaml

from tools.run_notebooks import NOTEBOOKS, declared_parameters, execute, tidy

ALTERNATIVES = yaml.safe_load((Path(__file__).parent / "alternatives.yml").read_text()) or {}

every_notebook = pytest.mark.parametrize(
    "path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem
)


def outputs(notebook):
    """Everything a reader sees below the code cells."""
    return [cell.outputs for cell in tidy(notebook).cells if cell.cell_type == "code" and cell.outputs]


@every_notebook
def test_every_parameter_has_an_alternative_to_try(path):
    assert set(ALTERNATIVES.get(path.stem, {})) == set(declared_parameters(nbformat.read(path, as_version=4)))


@every_notebook
def test_every_parameter_is_read(path):
    notebook = nbformat.read(path, as_version=4)
    cells = [
        c for c in notebook.cells if c.cell_type == "code" and "parameters" not in c.metadata.get("tags", [])
    ]
    nodes = [node for cell in cells for node in ast.walk(ast.parse(cell.source))]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert set(declared_parameters(notebook)) <= read


def shows(path, name):
    """Whether the value of a parameter makes a difference, where all others have their alternatives."""
    others = ALTERNATIVES[path.stem]
    default = declared_parameters(nbformat.read(path, as_version=4))[name][1]
    assert default != others[name], "the alternative is the default"
    return outputs(execute(path, others)) != outputs(execute(path, {**others, name: default}))


# Quick notebooks of several chapters here, and among the slow tests every parameter of every one.
@pytest.mark.full  # executes notebooks again
@pytest.mark.parametrize("stem", ["averages", "hoeffding-bound", "schapire-toy", "who-does-what"])
def test_another_value_of_the_first_parameter_shows(stem):
    assert shows(NOTEBOOKS / f"{stem}.ipynb", next(iter(ALTERNATIVES[stem])))


@pytest.mark.long
@pytest.mark.parametrize(
    ("stem", "name"), [(stem, name) for stem, given in ALTERNATIVES.items() for name in given], ids=str
)
def test_another_value_of_a_parameter_shows(stem, name):
    assert shows(NOTEBOOKS / f"{stem}.ipynb", name)
