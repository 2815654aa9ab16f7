"""Execute the notebooks with papermill.

    python tools/run_notebooks.py [NAME ...]            for the book: parameters of notebooks/book.yml,
                                                        results in book/executed/
    python tools/run_notebooks.py --refresh [NAME ...]  with each notebook's own parameters, in place:
                                                        the outputs that nbval compares

For the book, a notebook is executed again only if it, its parameters, the library or the data changed.
Only successful runs enter the book; a failed one is saved in _build/failed/ for inspection.
"""

import argparse
import ast
import hashlib
import json
import logging
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import nbformat
import papermill
import yaml
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError

from oza.files import replace_file

TOP = Path(__file__).resolve().parent.parent
NOTEBOOKS = TOP / "notebooks"
EXECUTED = TOP / "book" / "executed"
FAILED = TOP / "_build" / "failed"

FIRST = ("other-ensembles", "adaboost")  # they take longest; at the end, processors would wait for them

# Kernels warn about unencrypted TCP at every start; the alternative, transport="ipc", makes concurrent
# kernels share socket names and hang.
KERNEL_CONFIG = "c.IPKernelApp.log_level = 50\n"


class NotebookError(Exception):
    """A notebook cannot be run with the given parameters, or failed."""


def own_kernel() -> None:
    """Make kernels use this environment's Python, without the user's start-up files, styles and fonts."""
    os.environ.pop("JUPYTER_PATH", None)
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    # Matplotlib's configuration folder holds its list of fonts too, which outlives the environment that
    # wrote it: figures would depend on what was installed then.
    for variable, name in ("IPYTHONDIR", "ipython"), ("MPLCONFIGDIR", "matplotlib"):
        folder = TOP / "_build" / name
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(folder)
    config = TOP / "_build" / "ipython" / "profile_default" / "ipython_kernel_config.py"
    replace_file(config, KERNEL_CONFIG.encode())


# ------------------------------------------------------------------------------ parameters


def _fits(value: Any, annotation: ast.expr) -> bool:
    """Whether `value` has the type of the annotation: a plain type, or a list of one."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="list"), slice=inner):
            return isinstance(value, list) and all(_fits(v, inner) for v in value)
        case ast.Name(id="float"):
            return type(value) in (int, float)
        case ast.Name(id=name):
            return type(value).__name__ == name
    return False


def declared_parameters(notebook: NotebookNode) -> dict[str, tuple[ast.expr, Any]]:
    """Name -> (annotation, default) of each line `name: type = default` in the parameters cell."""
    cells = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])]
    if len(cells) != 1:
        raise NotebookError(f"has {len(cells)} cells tagged 'parameters'; it needs exactly one")
    found = {}
    for line in ast.parse(cells[0].source).body:
        match line:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                found[name] = annotation, ast.literal_eval(value)
                if not _fits(found[name][1], annotation):
                    raise NotebookError(f"declares {ast.unparse(line)!r}, which is not of that type")
            case _:
                raise NotebookError(
                    f"has {ast.unparse(line)!r} in its parameters cell; "
                    "write `name: type = value  # what it is`"
                )
    return found


def check_parameters(notebook: NotebookNode, given: dict[str, Any]) -> None:
    """Refuse unknown names and values of a wrong type, which papermill would accept."""
    declared = declared_parameters(notebook)
    for name, value in given.items():
        if name not in declared:
            raise NotebookError(f"has no parameter {name!r}; it has: {', '.join(declared) or 'none'}")
        annotation, _ = declared[name]
        if not _fits(value, annotation):
            raise NotebookError(f"declares {name} as {ast.unparse(annotation)}, but was given {value!r}")


# ------------------------------------------------------------------------------ dependencies of a run


def _inputs() -> str:
    """Digest of everything that a notebook may read: packages, data, recorded results, locked versions."""
    digest = hashlib.sha256(os.environ.get("OZA_DATA_MIRROR", "").encode())
    folders = [(TOP / "oza", "*.py"), (TOP / "reproduction", "*.py"), (TOP / "data", "*")]
    files = [p for folder, pattern in folders for p in folder.rglob(pattern) if p.is_file()]
    for path in sorted([*files, TOP / "requirements.lock"]):
        if (
            TOP / "data" / "results" / "journal" not in path.parents
        ):  # that of a running study; the book reads its export
            digest.update(path.relative_to(TOP).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _digest(notebook: NotebookNode, given: dict[str, Any], inputs: str) -> str:
    cells = [(c.cell_type, c.source, c.metadata) for c in notebook.cells]
    return hashlib.sha256(json.dumps([cells, given, inputs], sort_keys=True).encode()).hexdigest()


# ------------------------------------------------------------------------------ running


def _merge_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join adjacent chunks of a stream, whose boundaries depend on timing."""
    merged: list[NotebookNode] = []
    for output in outputs:
        if merged and output.output_type == "stream" and output.get("name") == merged[-1].get("name"):
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def tidy(notebook: NotebookNode) -> NotebookNode:
    """Remove everything that differs between runs: times, addresses, versions, chunks of streams."""
    notebook.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    for cell in notebook.cells:
        for key in ("execution", "papermill"):
            cell.metadata.pop(key, None)
        if not cell.metadata.get("tags", True):
            del cell.metadata["tags"]
        if cell.cell_type == "code":
            cell.outputs = _merge_streams(cell.outputs)
            for output in cell.outputs:
                if "text/plain" in output.get("data", {}):  # <Styler at 0x7f2c...>
                    output.data["text/plain"] = re.sub(r"\b0x[0-9a-f]{6,}", "0x0", output.data["text/plain"])
    return notebook


def execute(path: Path, given: dict[str, Any] | None = None) -> NotebookNode:
    """Execute the notebook at `path` with these parameters, in its own folder, and return the result."""
    given = given or {}
    try:
        check_parameters(nbformat.read(path, as_version=4), given)
    except NotebookError as error:
        raise NotebookError(f"{path.name} {error}") from None
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        half_done = Path(folder) / path.name
        try:
            return papermill.execute_notebook(
                str(path),
                str(half_done),
                given,
                cwd=str(path.parent),
                kernel_name="python3",
                language="python",
                progress_bar=False,
            )
        except PapermillExecutionError as error:
            FAILED.mkdir(parents=True, exist_ok=True)
            copy = shutil.copy(half_done, FAILED)
            raise NotebookError(
                f"{path.name} stopped with {error.ename}: {error.evalue}\n"
                f"  in the cell that begins {error.source.strip().splitlines()[0]!r};"
                f" see {Path(copy).relative_to(TOP)}"
            ) from None


def in_one_cell(notebook: NotebookNode, given: dict[str, Any]) -> NotebookNode:
    """Write the given values into the cell of parameters, instead of a second cell that contradicts it."""
    cells = [c for c in notebook.cells if "injected-parameters" not in c.metadata.get("tags", [])]
    (declared,) = (c for c in cells if "parameters" in c.metadata.get("tags", []))
    lines = declared.source.splitlines()
    for node in ast.parse(declared.source).body:
        if isinstance(node, ast.AnnAssign) and (name := ast.unparse(node.target)) in given:
            said = lines[node.lineno - 1].encode()[node.end_col_offset :].decode()
            lines[node.lineno - 1] = f"{name}: {ast.unparse(node.annotation)} = {given[name]!r}{said}"
    declared.source = "\n".join(lines)
    notebook.cells = cells
    return notebook


def publish(path: Path, given: dict[str, Any], inputs: str) -> str:
    """Execute for the book, unless the book already has this run; returns a message."""
    target = EXECUTED / path.name
    digest = _digest(nbformat.read(path, as_version=4), given, inputs)
    if target.exists() and nbformat.read(target, as_version=4).metadata.get("oza_digest") == digest:
        return f"{path.name}: up to date"
    notebook = execute(path, given)
    run = notebook.metadata.papermill
    notebook = tidy(in_one_cell(notebook, given))
    notebook.metadata.oza_run = {"start": run.start_time, "seconds": run.duration, "parameters": given}
    notebook.metadata.oza_digest = digest
    _write(notebook, target)
    return f"{path.name}: {run.duration:.1f} s"


def refresh(path: Path) -> str:
    """Execute with the notebook's own parameters and store the outputs in place; returns a message."""
    notebook = execute(path)
    seconds = notebook.metadata.papermill.duration
    _write(tidy(notebook), path)
    return f"{path.name}: {seconds:.1f} s"


def _write(notebook: NotebookNode, target: Path) -> None:
    replace_file(target, (nbformat.writes(notebook) + "\n").encode())


def book_parameters() -> dict[str, dict[str, Any]]:
    """Parameters of the published runs by notebook name, from notebooks/book.yml."""
    given = yaml.safe_load((NOTEBOOKS / "book.yml").read_text()) or {}
    for name in given:
        if not (NOTEBOOKS / f"{name}.ipynb").exists():
            raise NotebookError(f"notebooks/book.yml names {name!r}, but there is no notebooks/{name}.ipynb")
    return given


def main(arguments: list[str] | None = None) -> int:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks, without .ipynb; default all")
    parser.add_argument("--refresh", action="store_true", help="renew the outputs stored in notebooks/")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="concurrent kernels (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    logging.getLogger("papermill").setLevel(logging.WARNING)
    own_kernel()

    available = {path.stem: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    if unknown := set(options.names) - set(available):
        parser.error(f"no notebook {', '.join(sorted(unknown))}; there are: {', '.join(available)}")
    paths = [available[name] for name in options.names or available]
    for made in EXECUTED.glob("*.ipynb"):
        if made.stem not in available:
            made.unlink()

    given = book_parameters()
    n_failed = 0
    paths.sort(key=lambda path: path.stem not in FIRST)
    inputs = _inputs()
    with ThreadPoolExecutor(options.jobs) as pool:  # each kernel is a process of its own
        jobs = [
            pool.submit(refresh, path)
            if options.refresh
            else pool.submit(publish, path, given.get(path.stem, {}), inputs)
            for path in paths
        ]
        for job in as_completed(jobs):
            try:
                print(job.result(), flush=True)
            except NotebookError as error:
                n_failed += 1
                print(error, file=sys.stderr, flush=True)
    return min(n_failed, 1)


if __name__ == "__main__":
    sys.exit(main())
