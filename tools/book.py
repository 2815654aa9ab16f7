"""Build the book: execute the notebooks, let Sphinx make the pages, and say where they are.

Run it as a module: `python -m tools.book`.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from tools import run_notebooks
from tools.run_notebooks import EXECUTED, TOP, digest_of_data

PAGES = TOP / "_build" / "html"
STAMP = PAGES.with_name("html.sha256")
SOURCES = ("book", "notebooks", "oza", "reproduction", "_config.yml", "CITATION.cff", "CONTRIBUTING.md")


def digest_of_sources() -> str:
    """Digest of all that the pages are made of: texts, executed notebooks, code and data, without caches."""
    paths = (TOP / name for name in SOURCES)
    files = (file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]))
    digest = hashlib.sha256(digest_of_data().encode())
    for file in sorted(file.relative_to(TOP) for file in files if file.is_file()):
        if not any(part.startswith((".", "__pycache__")) for part in file.parts):
            digest.update(f"{file} {hashlib.sha256((TOP / file).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_up_to_date() -> bool:
    """Whether the built pages are those of the present sources, without a warning."""
    return STAMP.exists() and STAMP.read_text() == digest_of_sources()


def slowest(n: int) -> list[tuple[float, str]]:
    """The notebooks that took longest to execute, and their seconds."""
    runs = [(nbformat.read(path, as_version=4), path.stem) for path in EXECUTED.glob("*.ipynb")]
    return sorted(((run.metadata.oza_run["seconds"], name) for run, name in runs), reverse=True)[:n]


def main() -> int:
    if failed := run_notebooks.main([]):
        return failed
    print("Sphinx makes the pages", flush=True)
    program = Path(sys.executable).with_name("jupyter-book")
    STAMP.unlink(missing_ok=True)
    digest = digest_of_sources()  # before Sphinx reads them, since they may be edited meanwhile
    if failed := subprocess.call([program, "build", "book/", "-W", "-n", "--keep-going", "-q"], cwd=TOP):
        shutil.rmtree(PAGES.with_name(".doctrees"), ignore_errors=True)  # or the next would not warn again
        return failed
    STAMP.write_text(digest)
    print("The slowest notebooks:", ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest(5)))
    print(f"The book is ready: open {(PAGES / 'intro.html').relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
