"""Every notebook keeps the promises that the book and its readers rely on.

That the stored outputs are what the notebook computes is checked by nbval, which pytest runs on
notebooks/ itself.
"""

import ast
import re

import nbformat
import pytest

from tools.run_notebooks import NOTEBOOKS, TOP, declared_parameters

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def outputs_of(path):
    """Each output of a notebook, and its cell."""
    cells = nbformat.read(path, as_version=4).cells
    return [(output, cell) for cell in cells for output in cell.get("outputs", [])]


@every_notebook
def test_every_parameter_is_declared_with_type_and_meaning(path):
    notebook = nbformat.read(path, as_version=4)
    assert declared_parameters(notebook)
    (cell,) = (c for c in notebook.cells if "parameters" in c.metadata.get("tags", []))
    lines = cell.source.splitlines()
    for statement in ast.parse(cell.source).body:  # a long list may stand on several lines
        line = lines[statement.end_lineno - 1]
        assert re.search(r"  # \S", line), f"{line!r} does not say what it is"


@every_notebook
def test_stored_outputs_show_nothing_of_the_machine(path):
    traces = [re.escape(str(TOP)), r"/(home|root|tmp|Users)/", r"\b0x[0-9a-f]{6,}", "site-packages"]
    for output, _ in outputs_of(path):
        text = output.get("text", "") + "".join(map(str, output.get("data", {}).values()))
        assert not re.search("|".join(traces), text), text[:200]


@every_notebook
def test_stored_outputs_are_complete_and_plain(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        assert cell.execution_count or not cell.source, "a cell was never run"
        for output in cell.outputs:
            assert output.get("name") != "stderr", f"a warning or a progress bar: {output.text[:200]}"
            assert not [kind for kind in output.get("data", {}) if "widget" in kind or "javascript" in kind]


@every_notebook
def test_figures_have_alternative_text(path):
    for output, cell in outputs_of(path):
        if any(kind.startswith("image/") for kind in output.get("data", {})):
            assert cell.metadata.get("mystnb", {}).get("image", {}).get("alt"), cell.source[:200]


@every_notebook
def test_tables_have_captions(path):
    """One of their own, or in the metadata of their cell, from where the book takes it."""
    for output, cell in outputs_of(path):
        html = "".join(output.get("data", {}).get("text/html", ""))
        if "<table" in html and "<caption" not in html:
            assert cell.metadata.get("table", {}).get("caption"), cell.source[:200]


# Numbers that are typed in the prose: they follow from a formula, or from the data alone.
TYPED = {
    "0.216": "three models that err with probability 0.3, outvoted",
    "0.2759": "3/(4e), a limit",
    "0.080": "a mean distance for a hundred models, by the formula beside it",
    "0.938": "the share of the larger class in the test set of Census Income",
    "0.9825": "a test on the last attribute of Synthetic3, from its parameters",
}


@every_notebook
def test_no_accuracy_of_ours_is_typed_into_the_prose(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            without_code = re.sub(r"^(`{3,}).*?^\1`*$", "", cell.source, flags=re.DOTALL | re.MULTILINE)
            prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "", without_code, flags=re.DOTALL)
            typed = set(re.findall(r"(?<![\d.])0?\.\d{3,}\b", prose)) - set(TYPED)
            assert not typed, f"{path.stem}, cell {cell.id}: let code write the sentence with {typed}"
