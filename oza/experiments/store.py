"""Where results live: SQLite while a study runs, Parquet shards for the book and for git.

Both hold the same rows. The database takes one row a task, committed as the task ends; a shard
holds one data set of one study, and equal contents give equal bytes.
"""

import os
import platform
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import platformdirs
import pyarrow as pa
import pyarrow.parquet as pq

from .. import __version__
from .._compile import source_hash
from .._paths import DATA
from .study import Task


@dataclass(frozen=True)
class Result:
    """What a task measures.

    Attributes
    ----------
    n_train, n_test, n_correct : int
        Training examples, test examples, and how many of these were classified correctly.
    digest : str
        First 16 hexadecimal digits of the SHA-256 of the predicted class codes (for each test
        example eight bytes, little-endian): equal digests, equal predictions.
    train_seconds, test_seconds : float
        Processor time; the only values that may differ from run to run.
    """

    n_train: int
    n_test: int
    n_correct: int
    digest: str
    train_seconds: float
    test_seconds: float


@dataclass(frozen=True)
class Provenance:
    """What a result was made with.

    Attributes
    ----------
    oza, source, python, numpy, numba : str
        Versions; `source` is a hash of the library's source files.
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


_SQL_TYPES = {int: "INTEGER", str: "TEXT", float: "REAL"}
TASK_COLUMNS, _RESULT, _PROVENANCE = (
    [field.name for field in fields(kind)] for kind in (Task, Result, Provenance)
)
COLUMNS = [*TASK_COLUMNS, *_RESULT, *_PROVENANCE]


def _declared(kind: type) -> str:
    return ", ".join(f'"{field.name}" {_SQL_TYPES[field.type]} NOT NULL' for field in fields(kind))  # type: ignore[index]


def _names(columns: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)  # some are SQL words


def _marks(columns: list[str]) -> str:
    return ", ".join("?" * len(columns))


_TABLES = (
    f"CREATE TABLE IF NOT EXISTS runs "
    f"(run INTEGER PRIMARY KEY, {_declared(Provenance)}, UNIQUE ({_names(_PROVENANCE)}))",
    f"CREATE TABLE IF NOT EXISTS results ({_declared(Task)}, {_declared(Result)}, "
    f"run INTEGER NOT NULL REFERENCES runs, PRIMARY KEY ({_names(TASK_COLUMNS)})) WITHOUT ROWID",
)


def results_folder() -> Path:
    """Folder of recorded results: `OZA_RESULTS`, or `data/results` of a checkout, or the user's own."""
    named = os.environ.get("OZA_RESULTS")
    if named:
        return Path(named)
    is_checkout = (DATA.parent / "pyproject.toml").is_file()
    return DATA / "results" if is_checkout else platformdirs.user_data_path("oza") / "results"


class Store:
    """Recorded results in one folder.

    Any number of processes may use a folder at a time; each row is written whole or not at all.

    Parameters
    ----------
    folder : Path or None, default=None
        Holds `store.sqlite` and the shards; None means `results_folder()`.

    Raises
    ------
    OSError
        If the folder cannot be written, or its database is not one of ours.
    """

    def __init__(self, folder: Path | None = None):
        self.folder = results_folder() if folder is None else Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "store.sqlite"
        try:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            for statement in _TABLES:
                self._connection.execute(statement)
        except sqlite3.Error as error:
            raise OSError(f"{path}: {error}; remove it, the shards beside it stay") from error

    def close(self) -> None:
        """Close the database."""
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

    def begin(self, made_with: Provenance) -> int:
        """Give the number of the run that has this provenance."""
        values = astuple(made_with)
        same = " AND ".join(f'"{name}" = ?' for name in _PROVENANCE)
        self._connection.execute(
            f"INSERT OR IGNORE INTO runs ({_names(_PROVENANCE)}) VALUES ({_marks(_PROVENANCE)})", values
        )
        return self._connection.execute(f"SELECT run FROM runs WHERE {same}", values).fetchone()[0]

    def add(self, task: Task, result: Result, run: int) -> None:
        """Commit the result of a task; of two, the one from the later run stays."""
        columns = [*TASK_COLUMNS, *_RESULT, "run"]
        renewed = ", ".join(f'"{name}" = excluded."{name}"' for name in [*_RESULT, "run"])
        self._connection.execute(
            f"INSERT INTO results ({_names(columns)}) VALUES ({_marks(columns)}) "
            f"ON CONFLICT DO UPDATE SET {renewed} WHERE (SELECT date FROM runs WHERE run = excluded.run) "
            "> (SELECT date FROM runs WHERE run = results.run)",
            (*astuple(task), *astuple(result), run),
        )

    def tasks(self) -> set[Task]:
        """List the tasks that are recorded."""
        return {Task(*row) for row in self._connection.execute(f"SELECT {_names(TASK_COLUMNS)} FROM results")}

    def forget(self, study: str, dataset: str) -> None:
        """Remove the results of a study on a data set from the database, and their shard."""
        with self._transaction():
            self._connection.execute(
                'DELETE FROM results WHERE "study" = ? AND "dataset" = ?', (study, dataset)
            )
        (self.folder / study / f"{dataset}.parquet").unlink(missing_ok=True)

    def frame(self) -> pd.DataFrame:
        """All rows, sorted by task: its fields, what it measured, what that was made with."""
        columns, order = _names(COLUMNS), _names(TASK_COLUMNS)
        query = f"SELECT {columns} FROM results JOIN runs USING (run) ORDER BY {order}"
        return pd.read_sql_query(query, self._connection)

    def export(self) -> list[Path]:
        """Write the shards whose contents have changed.

        Returns
        -------
        list of Path
            The shards that were written: `<study>/<dataset>.parquet`.
        """
        written = []
        for (study, dataset), rows in self.frame().groupby(["study", "dataset"], sort=True):
            path = self.folder / str(study) / f"{dataset}.parquet"
            content = _parquet(rows)
            if not (path.exists() and path.read_bytes() == content):
                replace_file(path, content)
                written.append(path)
        return written

    def import_shards(self) -> int:
        """Take over the rows of the shards; of two results of a task, the later one stays.

        Returns
        -------
        int
            Number of rows read.

        Raises
        ------
        ValueError
            If a shard is not readable.
        """
        rows = read_shards(self.folder)
        with self._transaction():
            for made_with, group in rows.groupby(_PROVENANCE):
                run = self.begin(Provenance(*map(str, made_with)))
                for task, result in zip(as_tasks(group), _results(group), strict=True):
                    self.add(task, result, run)
        return len(rows)


def as_tasks(rows: pd.DataFrame) -> list[Task]:
    """List the tasks of the rows of a frame."""
    return [Task(*row) for row in rows[TASK_COLUMNS].itertuples(index=False, name=None)]


def _results(rows: pd.DataFrame) -> list[Result]:
    return [Result(*row) for row in rows[_RESULT].itertuples(index=False, name=None)]


def recorded(rows: pd.DataFrame) -> dict[Task, Result]:
    """Map each task among the rows of a frame to its result."""
    return dict(zip(as_tasks(rows), _results(rows), strict=True))


def read_shards(folder: Path, study: str = "*") -> pd.DataFrame:
    """All rows of the shards of a study, or of all studies, in a folder of results.

    Raises
    ------
    ValueError
        If a shard is not readable or has other columns.
    """
    frames = []
    for path in sorted(folder.glob(f"{study}/*.parquet")):
        try:
            frames.append(pq.read_table(path, columns=COLUMNS).to_pandas().astype(_dtypes()))
        except (pa.ArrowException, OSError, KeyError) as error:
            raise ValueError(f"{path}: not a shard of results ({error}); restore it or remove it") from error
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=COLUMNS).astype(_dtypes())


def _dtypes() -> dict[str, Any]:
    kinds = [field for kind in (Task, Result, Provenance) for field in fields(kind)]
    return {field.name: field.type for field in kinds}


def _parquet(rows: pd.DataFrame) -> bytes:
    arrays = [
        pa.array(rows[name], pa.string()).dictionary_encode() if kind is str else pa.array(rows[name])
        for name, kind in _dtypes().items()
    ]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, COLUMNS), sink, compression="zstd", version="2.6")
    return sink.getvalue().to_pybytes()


def replace_file(path: Path, content: bytes) -> None:
    """Write a file under a temporary name first, so that it is never half there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        partial.chmod(0o644)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def provenance() -> Provenance:
    """Say what a result that is computed now is made with."""
    return Provenance(
        oza=__version__,
        source=source_hash(),
        python=platform.python_version(),
        numpy=version("numpy"),
        numba=version("numba"),
        processor=_processor(),
        commit=_commit(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Name the checkout's commit, "+" appended if files of the library differ from it."""
    folder = DATA.parent
    if not (folder / ".git").exists():
        return "unknown"
    commands = (["rev-parse", "HEAD"], ["status", "--porcelain", "oza"])
    try:
        commit, changes = (
            subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True).stdout
            for command in commands
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit.strip() + ("+" if changes else "")
