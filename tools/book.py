"""Build the book: execute the notebooks, let Sphinx make the pages, and say where they are.

Run it as a module: `python -m tools.book`.
"""

import subprocess
import sys
from pathlib import Path

import nbformat

from tools import run_notebooks
from tools.run_notebooks import EXECUTED, TOP

PAGES = TOP / "_build" / "html"


def slowest(n: int) -> list[tuple[float, str]]:
    """The notebooks that took longest to execute, and their seconds."""
    runs = [(nbformat.read(path, as_version=4), path.stem) for path in EXECUTED.glob("*.ipynb")]
    return sorted(((run.metadata.oza_run["seconds"], name) for run, name in runs), reverse=True)[:n]


def main() -> int:
    if failed := run_notebooks.main([]):
        return failed
    print("Sphinx makes the pages", flush=True)
    program = Path(sys.executable).with_name("jupyter-book")
    if failed := subprocess.call([program, "build", "book/", "-W", "-n", "--keep-going", "-q"], cwd=TOP):
        return failed
    print("The slowest notebooks:", ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest(5)))
    print(f"The book is ready: open {(PAGES / 'intro.html').relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
