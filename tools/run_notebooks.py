"""Execute the notebooks with papermill, for the book, for nbval and for readers of the repository alike.

    python tools/run_notebooks.py [NAME ...]            results in book/executed/
    python tools/run_notebooks.py --refresh [NAME ...]  the same, and their outputs stored in notebooks/
    python tools/run_notebooks.py NAME -p n_models 25 -o FILE
                                                        a run with another value of a parameter, in FILE

A notebook is executed again only if its cells, the code that it imports or what it read below `data/`
changed. In place of a run that failed, which is saved in _build/failed/ for inspection, the book shows the
stored outputs below a note that says so.
"""

import argparse
import ast
import atexit
import contextlib
import functools
import hashlib
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import nbformat
import papermill
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError

from oza.files import replace_file
from oza.kernels.closure import closure, file_of
from tools.kernels import SOCKET

TOP = ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = TOP / "notebooks"
EXECUTED = Path(os.environ.get("OZA_EXECUTED") or TOP / "book" / "executed")
FAILED = TOP / "_build" / "failed"

FIRST = ("boosting-results", "kdd2001", "statistics")  # long ones: a processor would wait for them at the end

# Kernels warn about unencrypted TCP at every start; the alternative, transport="ipc", makes concurrent
# kernels share socket names and hang.
KERNEL_CONFIG = "c.IPKernelApp.log_level = 50\n"


#: What a page says at its top when its notebook failed; Sphinx fills in the facts about the build, and an
#: error may contain shorter fences.
NOTE = """
::::::::{{warning}}
:class: failed-page
**This page could not be computed** on this machine ({{build}}`machine`; Python {{build}}`python`). What it
shows are the outputs that are stored in the repository.
```````text
{error}
```````
::::::::
"""


class NotebookError(Exception):
    """A notebook cannot be run with the given parameters, or failed."""


def own_kernel() -> None:
    """Make kernels use this environment's Python, without the user's start-up files, styles and fonts."""
    os.environ["JUPYTER_PATH"] = str(TOP / "_build" / "jupyter")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"  # of linear algebra; two kernels share the cores
    # Matplotlib's configuration folder holds its list of fonts too, which outlives the environment that
    # wrote it: figures would depend on what was installed then.
    os.environ["IPYTHONDIR"] = str(TOP / "_build" / "ipython")
    os.environ["MPLCONFIGDIR"] = str(TOP / "_build" / "matplotlib")
    try:
        Path(os.environ["MPLCONFIGDIR"]).mkdir(parents=True, exist_ok=True)
        config = Path(os.environ["IPYTHONDIR"]) / "profile_default" / "ipython_kernel_config.py"
        replace_file(config, KERNEL_CONFIG.encode())
    except OSError as error:
        raise SystemExit(
            f"{TOP / '_build'} cannot be written ({error.strerror}). The book and the tests write in the "
            "checkout: clone it to a folder of yours, and run `make setup` there."
        ) from None


_warm: list[subprocess.Popen] = []  # the process that forks kernels, and those before it that have ended


def kernel_name() -> str:
    """Start the process that forks kernels, if there is none, and return its kernels' name for Jupyter.

    Without `os.fork`, or with `OZA_PLAIN_KERNELS=1`, each kernel is a Python process of its own.
    """
    kernels = str(ROOT / "tools" / "kernels.py")
    if not hasattr(os, "fork") or os.environ.get("OZA_PLAIN_KERNELS") == "1":
        return _specified("plain", [sys.executable, kernels, "plain"])
    if _warm and _warm[-1].poll() is None:
        return "warm"
    folder = Path(tempfile.mkdtemp(prefix="oza-"))  # a path in the checkout may be too long for a socket
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.kernels", "serve", str(folder / "socket")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    atexit.register(process.communicate)  # at the end of its input the process ends
    if not process.stdout or process.stdout.readline() != "ready\n":
        raise NotebookError("the process that forks kernels did not start; try OZA_PLAIN_KERNELS=1")
    os.environ[SOCKET] = str(folder / "socket")
    _warm.append(process)
    return _specified("warm", [sys.executable, "-I", "-S", kernels, "ask"])


def _specified(name: str, program: list[str]) -> str:
    """Tell Jupyter by which program a kernel of this name is started."""
    file = Path(os.environ["JUPYTER_PATH"]) / "kernels" / name / "kernel.json"
    argv = [*program, "{connection_file}"]
    file.parent.mkdir(parents=True, exist_ok=True)
    specification = {"argv": argv, "display_name": "Python 3", "language": "python"}
    replace_file(file, json.dumps(specification).encode())
    return name


def end_kernels() -> None:
    """End all kernels at once."""
    for process in _warm:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


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
        annotation, default = declared[name]
        if not _fits(value, annotation):
            kind = ast.unparse(annotation)
            raise NotebookError(f"declares {name} as {kind}, such as {default!r}, but was given {value!r}")


def from_command_line(notebook: NotebookNode, given: dict[str, str]) -> dict[str, Any]:
    """The values that texts stand for: `true`, `false`, a literal of Python, or the text, as of a `str`."""
    declared, values = declared_parameters(notebook), {}
    for name, text in given.items():
        values[name] = text
        if name not in declared or ast.unparse(declared[name][0]) != "str":
            with contextlib.suppress(ValueError, SyntaxError):
                values[name] = ast.literal_eval({"true": "True", "false": "False"}.get(text, text))
    return values


# ------------------------------------------------------------------------------ dependencies of a run


@functools.cache
def digests_of_data() -> dict[str, str]:
    """Digest of each file below `data/`, and of the names in each folder, by its path there."""
    journal = ROOT / "data" / "results" / "journal"  # of a running study; the book reads its export
    found = {}
    for path in [ROOT / "data", *(ROOT / "data").rglob("*")]:
        if journal not in (path, *path.parents):
            names = sorted({*os.listdir(path)} - {journal.name}) if path.is_dir() else None
            content = path.read_bytes() if names is None else "\n".join(names).encode()
            found[str(path.relative_to(ROOT / "data"))] = hashlib.sha256(content).hexdigest()
    return found


@functools.cache
def set_up() -> list[str]:
    """What every run depends on: where data sets are, locked versions, how kernels start."""
    files = ROOT / "requirements.lock", ROOT / "tools" / "kernels.py"
    return [os.environ.get("OZA_DATA_MIRROR", ""), *(file.read_text(encoding="utf-8") for file in files)]


def _imports(source: str) -> set[str]:
    """Modules that code names in imports; for `from a import b` both `a` and `a.b`, which may be one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def digest_of_run(notebook: NotebookNode) -> str:
    """Digest of all that a run depends on but data: cells, and the code that is imported, without docstrings.

    Docstrings count as well in a notebook that inspects code.
    """
    imported = {name for cell in notebook.cells if cell.cell_type == "code" for name in _imports(cell.source)}
    code = closure(imported - sys.stdlib_module_names)
    if "inspect" in imported:
        code |= {name: Path(file).read_text(encoding="utf-8") for name in code if (file := file_of(name))}
    cells = [(c.cell_type, c.source, c.metadata) for c in notebook.cells]
    return hashlib.sha256(json.dumps([cells, code, set_up()], sort_keys=True).encode()).hexdigest()


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


def execute(path: Path, given: dict[str, Any] | None = None, reads: Path | None = None) -> NotebookNode:
    """Execute the notebook at `path`, with other values of some parameters, and return the result.

    What the kernel reads below `data/` is written to the file `reads`.
    """
    given = given or {}
    notebook = nbformat.read(path, as_version=4)
    try:
        check_parameters(notebook, given)
    except NotebookError as error:
        raise NotebookError(f"{path.name} {error}") from None
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        half_done = Path(folder) / path.name

        def run() -> NotebookNode:
            return papermill.execute_notebook(
                str(path),
                str(half_done),
                given,
                cwd=str(path.parent),
                kernel_name=kernel_name(),
                language="python",
                progress_bar=False,
                execution_timeout=600,
                extra_arguments=[str(reads)] if reads else [],
            )

        try:
            try:
                return run()
            except RuntimeError:  # the kernel died, or it did not start because its port was taken meanwhile
                FAILED.mkdir(parents=True, exist_ok=True)
                (FAILED / f"{path.stem}.log").write_text(traceback.format_exc(), encoding="utf-8")
                return run()
        except RuntimeError as error:
            raise NotebookError(f"{path.name} has no kernel: {error}") from error
        except PapermillExecutionError as error:
            FAILED.mkdir(parents=True, exist_ok=True)
            copy = shutil.copy(half_done, FAILED)
            number = sum(cell.cell_type == "code" for cell in notebook.cells[: error.cell_index])  # as nbval
            raise NotebookError(
                f"{path.name} stopped with {error.ename} in cell {number}: {error.evalue}\n"
                f"  (it begins {error.source.strip().splitlines()[0]!r}; see {Path(copy).relative_to(TOP)})"
            ) from None


def is_current(target: Path, digest: str, data: dict[str, str]) -> bool:
    """Whether the book has the run of this digest, and the data that it read are of these digests."""
    run = nbformat.read(target, as_version=4).metadata if target.exists() else {}
    return run.get("oza_digest") == digest and all(
        data.get(name) == was for name, was in run["oza_data"].items()
    )


def publish(path: Path) -> float:
    """Execute a notebook for the book, unless the book has this run already; returns the seconds it took."""
    target = EXECUTED / path.name
    digest, data = digest_of_run(nbformat.read(path, as_version=4)), digests_of_data()
    if is_current(target, digest, data):
        return 0.0
    with tempfile.TemporaryDirectory(prefix="reads-") as folder:
        reads = Path(folder) / "reads"
        notebook = execute(path, reads=reads)
        read = sorted({*reads.read_text(encoding="utf-8").splitlines()})
    run = notebook.metadata.papermill
    notebook = tidy(notebook)
    given = {name: value for name, (_, value) in declared_parameters(notebook).items()}
    notebook.metadata.oza_run = {"start": run.start_time, "seconds": run.duration, "parameters": given}
    notebook.metadata.oza_digest = digest
    notebook.metadata.oza_data = {name: data.get(name) for name in read}  # None: it was looked for
    _write(notebook, target)
    return float(run.duration)


def refresh(path: Path) -> float:
    """Store the outputs of the run that the book has in the notebook itself; returns the seconds it took."""
    seconds = publish(path)
    notebook = nbformat.read(EXECUTED / path.name, as_version=4)
    for name in "oza_run", "oza_digest", "oza_data":
        del notebook.metadata[name]
    _write(notebook, path)
    return seconds


def stand_in(path: Path, error: str) -> None:
    """Let the book show the outputs stored in a notebook that failed, below a note, until a run succeeds."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"# {path.stem}")])
    with contextlib.suppress(ValueError, nbformat.ValidationError):  # of a file that is no notebook
        notebook = nbformat.read(path, as_version=4)
    top = notebook.cells[0]
    note = NOTE.format(error=error)
    top.source = re.sub(
        r"^# .*", lambda title: title[0] + "\n" + note, top.source, count=1, flags=re.MULTILINE
    )
    notebook.metadata.oza_failed = error
    _write(notebook, EXECUTED / path.name)


def failures() -> list[str]:
    """What is said of each notebook for which the book shows stored outputs."""
    runs = (nbformat.read(path, as_version=4) for path in sorted(EXECUTED.glob("*.ipynb")))
    return [run.metadata.oza_failed for run in runs if "oza_failed" in run.metadata]


def _write(notebook: NotebookNode, target: Path) -> None:
    replace_file(target, (nbformat.writes(notebook) + "\n").encode())


def report(done: int, n_all: int, name: str, seconds: float, since: float) -> None:
    """Say how far a build is: in one line that is rewritten on a terminal, else in a line each time."""
    left = (time.monotonic() - since) / done * (n_all - done)
    amount = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
    text = f"[{done}/{n_all}] {name}, {seconds:.0f} s" + (f"; about {amount} left" if done < n_all else "")
    if sys.stdout.isatty():  # one that is up to date took no time, and has no line of its own
        print(f"\r\033[K{text}", end="" if done < n_all else "\n", flush=True)
    elif seconds or done == n_all:
        print(text, flush=True)


def run_all(paths: Iterable[Path], work: Callable[[Path], float], n_jobs: int) -> int:
    """Do the same work on several notebooks at a time; returns how many failed."""
    paths = sorted(paths, key=lambda path: path.stem not in FIRST)
    n_failed, since = 0, time.monotonic()
    pool = ThreadPoolExecutor(n_jobs)  # each kernel is a process of its own
    jobs = {pool.submit(work, path): path for path in paths}
    for done, job in enumerate(as_completed(jobs), start=1):
        path = jobs[job]
        if (error := job.exception()) is None:
            report(done, len(jobs), path.stem, job.result(), since)
            continue
        n_failed += 1
        said = (
            str(error)
            if isinstance(error, NotebookError)
            else f"{path.name}: {type(error).__name__}: {error}"
        )
        stand_in(path, said)
        print(said, file=sys.stderr, flush=True)
    return n_failed


def main(arguments: list[str] | None = None) -> int:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks, without .ipynb; default all")
    parser.add_argument("--refresh", action="store_true", help="renew the outputs stored in notebooks/")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="concurrent kernels (default: %(default)s)"
    )
    parser.add_argument(
        *("-p", "--parameter"),
        nargs=2,
        action="append",
        default=[],
        metavar=("PARAMETER", "VALUE"),
        help="another value of a parameter of one notebook; may be repeated",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where that run is written")
    options = parser.parse_args(arguments)
    if (options.output or options.parameter) and (len(options.names) != 1 or not options.output):
        parser.error("-p and -o go together, with one notebook: NAME -p PARAMETER VALUE -o FILE")
    logging.getLogger("papermill").setLevel(logging.WARNING)
    own_kernel()

    available = {path.stem: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    if unknown := set(options.names) - set(available):
        parser.error(f"no notebook {', '.join(sorted(unknown))}; there are: {', '.join(available)}")
    if options.output:
        path = available[options.names[0]]
        try:
            given = from_command_line(nbformat.read(path, as_version=4), dict(options.parameter))
            _write(execute(path, given), options.output)
        except NotebookError as error:
            parser.exit(1, f"{error}\n")
        return 0
    for made in EXECUTED.glob("*.ipynb"):
        if made.stem not in available:
            made.unlink()

    for number in signal.SIGINT, signal.SIGTERM:  # a shell's background ignores the first
        signal.signal(number, signal.default_int_handler)
    try:
        digests_of_data()  # before anything reads them
        kernel_name()
        paths = [available[name] for name in options.names or available]
        return min(run_all(paths, refresh if options.refresh else publish, options.jobs), 1)
    except (KeyboardInterrupt, BrokenPipeError) as error:  # the latter: nobody reads, as in `... | head`
        end_kernels()
        print("\nstopped; what is finished is kept", file=sys.stderr, flush=True)
        os._exit(130 if isinstance(error, KeyboardInterrupt) else 141)  # without waiting for threads


if __name__ == "__main__":
    sys.exit(main())
