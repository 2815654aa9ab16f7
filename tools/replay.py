"""nbval on the runs that the book shows: it compares their outputs with those stored in the notebooks."""

from collections.abc import Iterator
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbval.plugin import IPyNbFile

from tools.run_notebooks import EXECUTED, publish


class Replay:
    """What nbval takes for a kernel: it answers each cell with the outputs of a run that is finished."""

    def __init__(self, notebook: NotebookNode) -> None:
        self._cells = iter([cell for cell in notebook.cells if cell.cell_type == "code"])
        self._messages: Iterator[dict[str, Any]] = iter([])

    def execute_cell_input(self, source: str, allow_stdin: bool | None = None) -> str:
        cell = next(self._cells)
        assert cell.source == source
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


class Run(IPyNbFile):
    """A notebook, executed for the book unless it is up to date there; each cell is a test."""

    def setup(self) -> None:
        publish(self.path)
        self.kernel = Replay(nbformat.read(EXECUTED / self.path.name, as_version=4))
        self.setup_sanitize_files()
