"""Pages that teach say what they are for, and the code that they show runs when it is copied.

A page shows its cells without a tag that hides them. Copied from top to bottom, with the solutions of its
exercises, they run where only `oza` and the packages that it depends on are installed.
"""

import ast
import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest
import yaml
from threadpoolctl import threadpool_limits

from tools.run_notebooks import TOP

CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(r"^:{3,}\{solution\}.*?^:{3,}\s*$", re.MULTILINE | re.DOTALL)
HIDES = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
NOT_INSTALLED = {"reproduction", "tools", "tests", "benchmarks"}


def pages_of_learn() -> list[str]:
    """The pages of the part *Learn*, in its order."""
    (learn,) = (
        part
        for part in yaml.safe_load((TOP / "book" / "_toc.yml").read_text(encoding="utf-8"))["parts"]
        if part["caption"] == "Learn"
    )
    return [
        entry["file"] for chapter in learn["chapters"] for entry in (chapter, *chapter.get("sections", ()))
    ]


def lessons() -> list[Path]:
    """The notebooks of the part *Learn*, in its order."""
    pages = [page for page in pages_of_learn() if page.startswith("executed/")]
    return [TOP / "notebooks" / f"{Path(page).name}.ipynb" for page in pages]


LESSONS = [path for path in lessons() if "```{lesson}" in path.read_text(encoding="utf-8")]


def text_of(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def shown_code(path: Path) -> list[str]:
    """The source of the cells that a page shows, then of the solutions to its exercises."""
    cells = nbformat.read(path, as_version=4).cells
    shown = [
        cell.source
        for cell in cells
        if cell.cell_type == "code" and not HIDES & set(cell.metadata.get("tags", ()))
    ]
    return shown + [code for solution in SOLUTION.findall(text_of(path)) for code in CODE.findall(solution)]


@pytest.mark.full  # runs what nbval compares once more, without this project
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_shown_code_runs_when_copied(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: None)
    names: dict[str, object] = {"__name__": "__main__"}
    for source in shown_code(path):
        tree = ast.parse(source)
        imported = {alias.name for it in ast.walk(tree) if isinstance(it, ast.Import) for alias in it.names}
        imported |= {it.module or "" for it in ast.walk(tree) if isinstance(it, ast.ImportFrom)}
        foreign = {name for name in imported if name.partition(".")[0] in NOT_INSTALLED}
        assert not foreign, f"{path.stem} shows an import of {foreign}, which a reader does not have"
        try:
            with threadpool_limits(1):  # boosted trees on few examples: threads would wait for each other
                exec(compile(tree, path.name, "exec"), names)
        except Exception as error:
            raise AssertionError(f"{path.stem} shows code that does not run by itself:\n{source}") from error
