"""nbval on the runs that the book shows: it compares their outputs with those stored in the notebooks.

A cell that fails says why in one line, such as `notebooks/adwin.ipynb cell 7: stored 0.843, now 0.841`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile

from tools.run_notebooks import EXECUTED, NotebookError, publish


class Replay:
    """What nbval takes for a kernel: it answers each cell with the outputs of a run that is finished."""

    def __init__(self, notebook: NotebookNode) -> None:
        self._cells = iter([cell for cell in notebook.cells if cell.cell_type == "code"])
        self._messages: Iterator[dict[str, Any]] = iter([])

    def execute_cell_input(self, source: str, allow_stdin: bool | None = None) -> str:
        cell = next(cell for cell in self._cells if cell.source == source)  # pytest may leave out some
        outputs = [(output.output_type, output) for output in cell.outputs]
        self._messages = (
            {"msg_type": kind, "content": content, "parent_header": {"msg_id": cell.id}}
            for kind, content in [*outputs, ("status", {"execution_state": "idle"})]
        )
        return str(cell.id)

    def get_message(self, stream: str, timeout: float | None = None) -> dict[str, Any]:
        return next(self._messages)

    def is_alive(self) -> bool:
        return True

    def await_reply(self, msg_id: str, timeout: float | None = None) -> None:
        pass

    def stop(self) -> None:
        pass


def difference(
    stored: Iterable[NotebookNode], now: Iterable[NotebookNode], clean: Callable[[str], str]
) -> str:
    """The first word or number in which outputs differ, in what is easiest to read of them."""
    before, after = _texts(stored), _texts(now)
    for kind in sorted({*before, *after}, key=lambda kind: (not kind.startswith("std"), "text/" not in kind)):
        words = (re.findall(r"[\w.]+|[^\w\s]", clean(texts.get(kind, ""))) for texts in (before, after))
        for one, other in zip_longest(*words, fillvalue="nothing"):
            if one != other:
                return f"stored {one}, now {other}"
    return "other outputs than those stored"


def _texts(outputs: Iterable[NotebookNode]) -> dict[str, str]:
    """What outputs show, by kind."""
    found: dict[str, str] = defaultdict(str)
    for output in outputs:
        shown = output.get("data", {output.get("name", "stdout"): output.get("text", "")})
        for kind, text in shown.items():
            found[kind] += f"{text}\n"
    return found


class Cell(IPyNbCell):
    """A cell of a notebook, as a test."""

    def compare_outputs(self, test: Any, ref: Any, skip_compare: Any = None) -> bool:
        is_same: bool = super().compare_outputs(test, ref, skip_compare)
        if not is_same:
            self.comparison_traceback = [difference(ref, test, self.sanitize)]
        return is_same

    def runtest(self) -> None:
        self.parent.check()
        super().runtest()

    def repr_failure(self, excinfo: Any) -> str:
        error = excinfo.value
        if isinstance(error, NotebookError):
            return f"notebooks/{error}"
        said = getattr(error, "inner_traceback", "") or str(error)
        return f"notebooks/{self.path.name} cell {self.cell_num}: {said}"


class Run(IPyNbFile):
    """A notebook, executed for the book unless it is up to date there; each cell is a test."""

    error: Exception | None = None
    is_told = False

    def collect(self) -> Iterator[Cell]:
        for cell in super().collect():
            given = {name: getattr(cell, name) for name in ("name", "cell_num", "cell", "options")}
            yield Cell.from_parent(self, **given)

    def setup(self) -> None:
        try:
            publish(self.path)
        except Exception as error:
            self.error = error
            return
        self.kernel = Replay(nbformat.read(EXECUTED / self.path.name, as_version=4))
        self.setup_sanitize_files()

    def check(self) -> None:
        """Let one cell fail for all if the notebook could not be executed."""
        if self.error and self.is_told:
            pytest.skip(f"{self.path.name} could not be executed")
        self.is_told = True
        if self.error:
            raise self.error
