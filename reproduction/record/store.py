"""Store of results: Parquet shards for the book and for git, and a journal while a study runs.

A shard, `<study>/<data set>.parquet`, contains the results of one study on one data set: each row has the
fields of its task, the measurements and their provenance. Equal contents give equal bytes. The journal,
`journal.sqlite`, receives each task as it ends, atomically and from any number of concurrent processes;
`Store.export` moves it to the shards. The next run exports what a killed run has left there.
"""

import json
import os
import platform
import sqlite3
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from oza import __version__
from oza.files import replace_file
from oza.kernels.closure import closure, digest_of

from ..paths import DATA


@dataclass(frozen=True)
class Provenance:
    """Provenance of a result: versions, processor, commit and date.

    Attributes
    ----------
    oza, source, python, numpy, numba : str
        Versions; `source` is a digest of the code that measured the result and of all that it imports
        from the library and from here. Docstrings and comments do not change it.
    processor, commit, date : str
        Processor's name, commit of the checkout, and start of the run (UTC).
    """

    oza: str
    source: str
    python: str
    numpy: str
    numba: str
    processor: str
    commit: str
    date: str


_PACKAGES = ("oza", "reproduction")
MADE_WITH = [field.name for field in fields(Provenance)]

_TABLE = (
    "CREATE TABLE IF NOT EXISTS journal (study TEXT NOT NULL, dataset TEXT NOT NULL, task TEXT NOT NULL, "
    "date TEXT NOT NULL, rows TEXT NOT NULL, PRIMARY KEY (study, task))"
)


def results_folder() -> Path:
    """Folder of recorded results: `OZA_RESULTS`, or `data/results` of the checkout."""
    named = os.environ.get("OZA_RESULTS")
    return Path(named) if named else DATA / "results"


class Store:
    """Recorded results in one folder.

    Parameters
    ----------
    folder : Path or None, default=None
        Folder of the journal and the shards; None means `results_folder()`.

    Raises
    ------
    OSError
        If the folder cannot be written, or its journal has another format.
    """

    def __init__(self, folder: Path | None = None):
        self.folder = results_folder() if folder is None else Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "journal.sqlite"
        try:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(_TABLE)
        except sqlite3.Error as error:
            raise OSError(f"{path}: {error}; remove it (the shards are not affected)") from error

    def close(self) -> None:
        """Close the journal."""
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def add(self, task: Any, found: Any, made_with: Provenance) -> None:
        """Record the result of a task, a row or a list of rows; a later result replaces an earlier one."""
        rows = [asdict(task) | asdict(row) | asdict(made_with) for row in as_rows(found)]
        self._connection.execute(
            "INSERT INTO journal VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
            "SET date = excluded.date, rows = excluded.rows WHERE excluded.date > date",
            (task.study, task.dataset, _name(asdict(task)), made_with.date, json.dumps(rows)),
        )

    def recorded(self, tasks: Iterable[Any]) -> set[Any]:
        """Select the tasks that are recorded."""
        wanted = defaultdict(list)
        for task in tasks:
            wanted[task.study, task.dataset].append(task)
        found = set()
        for place, at_place in wanted.items():
            names = {row[0] for row in self._entries("task", *place)}
            names |= {_name(row) for row in _read(self._shard(*place), list(asdict(at_place[0])))}
            found |= {task for task in at_place if _name(asdict(task)) in names}
        return found

    def forget(self, study: str, dataset: str, keep: Callable[[dict[str, Any]], Any]) -> None:
        """Remove the results of a study on a data set, except the rows to `keep`."""
        with self._transaction():
            self._connection.execute("DELETE FROM journal WHERE study = ? AND dataset = ?", (study, dataset))
            path = self._shard(study, dataset)
            retained = [row for row in _read(path) if keep(row)]
            if retained:
                replace_file(path, _parquet(retained))
            else:
                path.unlink(missing_ok=True)

    def export(self) -> list[Path]:
        """Move the journal to the shards; a later result of a task replaces an earlier one.

        Returns
        -------
        list of Path
            The shards that were written.

        Raises
        ------
        ValueError
            If a shard cannot be read.
        """
        written = []
        with self._transaction():
            query = "SELECT DISTINCT study, dataset FROM journal ORDER BY study, dataset"
            for place in self._connection.execute(query).fetchall():
                path = self._shard(*place)
                content = _parquet(_merged(_read(path), self._entries("task, date, rows", *place)))
                if not (path.exists() and path.read_bytes() == content):
                    replace_file(path, content)
                    written.append(path)
            self._connection.execute("DELETE FROM journal")
        return written

    def _shard(self, study: str, dataset: str) -> Path:
        return self.folder / study / f"{dataset}.parquet"

    def _entries(self, columns: str, study: str, dataset: str) -> list[tuple]:
        query = f"SELECT {columns} FROM journal WHERE study = ? AND dataset = ?"
        return self._connection.execute(query, (study, dataset)).fetchall()


def as_rows(found: Any) -> list[Any]:
    """Rows of a task, as a list; most tasks return a single row."""
    return found if isinstance(found, list) else [found]


def _name(task: dict[str, Any]) -> str:
    """Name of a task in the journal: its fields, in order."""
    return json.dumps(task)


def _read(path: Path, columns: list[str] | None = None) -> list[dict[str, Any]]:
    """Rows of a shard; none if the file does not exist."""
    return read_shard(path, columns).to_pylist() if path.exists() else []


def _merged(rows: list[dict[str, Any]], entries: list[tuple]) -> list[dict[str, Any]]:
    """Merge the journal entries of a shard into its rows, which are sorted by task."""
    key = list(json.loads(entries[0][0]))
    tasks = [_name({name: row[name] for name in key}) for row in rows]
    dates = {task: row["date"] for task, row in zip(tasks, rows, strict=True)}
    later = {task: json.loads(new) for task, date, new in entries if date >= dates.get(task, "")}
    rows = [row for task, row in zip(tasks, rows, strict=True) if task not in later]
    rows += [row for new in later.values() for row in new]
    return sorted(rows, key=lambda row: tuple(row[name] for name in key))


def read_shard(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Read a shard, or some of its columns.

    Raises
    ------
    ValueError
        If it cannot be read or lacks a column.
    """
    try:
        table = pq.read_table(path, columns=columns)
        return table if columns is None else table.select(columns)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise ValueError(f"{path}: not a shard of results ({error}); restore or remove it") from error


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    columns = {name: pa.array([row[name] for row in rows]) for name in rows[0]}
    arrays = [
        column.dictionary_encode() if pa.types.is_string(column.type) else column
        for column in columns.values()
    ]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, list(columns)), sink, compression="zstd", version="2.6")
    return sink.getvalue().to_pybytes()


def provenance(measure: Callable[..., Any]) -> Provenance:
    """Provenance of a result that `measure`, a function of a study, computes now."""
    return Provenance(
        oza=__version__,
        source=_source_of(measure),
        python=platform.python_version(),
        numpy=version("numpy"),
        numba=version("numba"),
        processor=_processor(),
        commit=commit_of_checkout(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _source_of(measure: Callable[..., Any]) -> str:
    """Digest of the code of a function and of all that it imports, without that of installed libraries."""
    found = closure([measure.__module__])
    ours = {module: code for module, code in found.items() if module.partition(".")[0] in _PACKAGES}
    return digest_of(ours)


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def commit_of_checkout() -> str:
    """Commit of the checkout, with "+" appended if files of the library differ from it."""
    folder = DATA.parent
    if not (folder / ".git").exists():
        return "unknown"
    commands = (["rev-parse", "HEAD"], ["status", "--porcelain", *_PACKAGES])
    try:
        commit, changes = (
            subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True).stdout
            for command in commands
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit.strip() + ("+" if changes else "")
