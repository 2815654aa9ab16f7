"""Build the book: execute the notebooks, let Sphinx make the pages, and say where they are.

Run it as a module: `python -m tools.book`.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from tools import article, run_notebooks
from tools.run_notebooks import EXECUTED, TOP

PAGES = TOP / "_build" / "html"
STAMP = PAGES.with_name("html.sha256")
SOURCES = (
    *("book", "data", "notebooks", "oza", "reproduction"),
    *("requirements.lock", "_config.yml", "CITATION.cff", "CONTRIBUTING.md"),
)


def digest_of_sources() -> str:
    """Digest of all that the pages are made of: texts, executed notebooks, code and data, without caches."""
    paths = (TOP / name for name in SOURCES)
    files = (file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]))
    digest = hashlib.sha256()
    for file in sorted(file.relative_to(TOP) for file in files if file.is_file()):
        if not any(part.startswith((".", "__pycache__")) or part == "journal" for part in file.parts):
            digest.update(f"{file} {hashlib.sha256((TOP / file).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_up_to_date() -> bool:
    """Whether the built pages are those of the present sources, without a warning."""
    return STAMP.exists() and STAMP.read_text(encoding="utf-8") == digest_of_sources()


def slowest(n: int) -> list[tuple[float, str]]:
    """The notebooks that took longest to execute, and their seconds."""
    runs = [(nbformat.read(path, as_version=4).metadata, path.stem) for path in EXECUTED.glob("*.ipynb")]
    times = [(run.oza_run["seconds"], name) for run, name in runs if "oza_run" in run]
    return sorted(times, reverse=True)[:n]


def make_pages() -> list[str]:
    """Let Sphinx make all pages, whatever is wrong with some, and return its warnings."""
    program = str(Path(sys.executable).with_name("jupyter-book"))
    command = [program, "build", "book/", "-W", "-n", "--keep-going", "-q"]
    index, found = PAGES / "objects.inv", []  # which Sphinx writes last
    since = index.stat().st_mtime_ns if index.exists() else 0
    with subprocess.Popen(command, cwd=TOP, stderr=subprocess.PIPE, text=True) as sphinx:
        assert sphinx.stderr is not None
        for line in sphinx.stderr:
            line = re.sub(r"\x1b\[[\d;]*m", "", line)  # colours
            print(line, end="", file=sys.stderr, flush=True)
            if re.search(r"\b(WARNING|ERROR|CRITICAL): ", line):
                found.append(line.strip())
    if sphinx.returncode and not (index.exists() and index.stat().st_mtime_ns > since):
        raise SystemExit("Sphinx has stopped before the book was complete; see above.")
    return found or ["Sphinx has failed; see above."] * bool(sphinx.returncode)


def main() -> int:
    run_notebooks.main([])
    print("Sphinx makes the pages", flush=True)
    STAMP.unlink(missing_ok=True)
    digest = digest_of_sources()  # before Sphinx reads them, since they may be edited meanwhile
    if warnings := make_pages():
        shutil.rmtree(PAGES.with_name(".doctrees"), ignore_errors=True)  # or the next would not warn again
    try:
        article.write(PAGES / "article.pdf")
    except Exception as error:  # the article never costs the book
        warnings.append(f"The article could not be made: {error}")
    failed = [*run_notebooks.failures(), *warnings]
    if not failed:
        STAMP.write_text(digest, encoding="utf-8")
    print("The slowest notebooks:", ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest(5)))
    print(f"The book is ready: open {(PAGES / 'intro.html').relative_to(TOP)}", flush=True)
    if failed:
        print("But not all of it could be made anew; `make book` tries these again:", file=sys.stderr)
        print(*failed, sep="\n", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
