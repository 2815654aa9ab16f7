"""Store of results: Parquet shards for the book and for git, and a journal while a study runs.

A shard, `<study>/<data set>.parquet`, contains the results of one study on one data set: each row has the
fields of its task, the measurements and their provenance. Equal contents give equal bytes. The journal,
`journal/results.jsonl`, receives each task as it ends; `Store.export` moves it to the shards. The next run
exports what a killed run has left there. Only one process writes, the driver: it holds a lock.
"""

import fcntl
import json
import os
import platform
import socket
import subprocess
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count, islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from oza import __version__
from oza.files import replace_file
from oza.kernels.closure import closure, digest_of

from ..paths import DATA
from .journal import Journal
from .shards import (
    DamagedError,
    check_columns,
    damage_of,
    is_of_older_format,
    read_row_groups,
    read_shard,
    shard_bytes,
)


@dataclass(frozen=True)
class Provenance:
    """Provenance of a result: versions, processor, commit and date.

    Only the code of the library and of the reproduction counts for `source`, without docstrings and comments.
    """

    oza: str
    source: str  # digest of the code that measured it and of all that it imports
    python: str
    numpy: str
    numba: str
    processor: str
    commit: str
    date: str  # start of the run (UTC)


_PACKAGES = ("oza", "reproduction")
MADE_WITH = [field.name for field in fields(Provenance)]

#: Folder, in that of the results, of what belongs to runs on this machine.
JOURNAL = "journal"

Place = tuple[str, str]  # study and data set

_ENTRIES = 1_000  # of a journal, whose rows are converted at a time
_FIELDS = ("study", "dataset", "task", "date", "rows")  # of an entry of the journal
_NUMBER = "number of the entry"


class StoreInUseError(OSError):
    """Another process has opened the store."""


def results_folder() -> Path:
    """Folder of recorded results: `OZA_RESULTS`, or `data/results` of the checkout."""
    named = os.environ.get("OZA_RESULTS")
    return Path(named) if named else DATA / "results"


class Store:
    """Recorded results in one folder, which no other process changes while the store is open.

    With `repair` damaged files are replaced by what is sound in them, and a copy is kept; without, a damaged
    journal is refused. `notes` say what was found and changed when the store was opened, `n_added` how many
    results were recorded since then.
    """

    def __init__(self, folder: Path | None = None, repair: bool = False):
        self.folder = results_folder() if folder is None else Path(folder)
        self.notes: list[str] = []
        self.n_added = 0
        self._own = self.folder / JOURNAL
        self._results = results_journal(self.folder)
        self._failures = failures_journal(self.folder)
        self._own.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self._own / "lock")
        try:
            for unfinished in self.folder.glob("*/tmp*.part"):  # by an export that was killed
                unfinished.unlink()
            for journal in (self._results, self._failures):
                self._mend(journal, repair)
            if repair:
                self._mend_shards()
        except BaseException:
            self.close()
            raise

    @property
    def failures(self) -> Path:
        """File of the failures, a line each, with tracebacks."""
        return self._failures.path

    def close(self) -> None:
        self._lock.close()

    def _mend(self, journal: Journal, repair: bool) -> None:
        """Remove damaged lines from a journal; the last one, if it has no end, without being asked."""
        bad = [line for line in journal.lines() if line.entry is None]
        if not bad:
            return
        is_unfinished = len(bad) == 1 and not bad[0].content.endswith(b"\n")
        if not (repair or is_unfinished):
            raise DamagedError(journal.path, f"line {bad[0].number} is damaged")
        copy = self._set_aside(journal.path)
        journal.replace(line.entry for line in journal.lines() if line.entry is not None)
        lines = ", ".join(str(line.number) for line in bad)
        what = "was never finished" if is_unfinished else "damaged"
        self.notes.append(f"{journal.path}: line {lines} {what}, the others are kept; a copy is in {copy}")

    def _mend_shards(self) -> None:
        for path in sorted(self.folder.glob("*/*.parquet")):
            damage = damage_of(path)
            if damage is not None:
                copy = self._set_aside(path)
                n_sound = 0 if damage.sound is None else damage.sound.num_rows
                if damage.sound is None:
                    path.unlink()
                else:
                    replace_file(path, shard_bytes(damage.sound))
                self.notes.append(f"{path}: {damage.what}; {n_sound} rows are kept; a copy is in {copy}")

    def _set_aside(self, path: Path) -> Path:
        name = "-".join(path.relative_to(self.folder).parts)
        copies = (self._own / f"{name}.damaged-{n}" for n in count(1))
        copy = next(copy for copy in copies if not copy.exists())
        replace_file(copy, path.read_bytes())
        return copy

    def add(self, task: Any, found: Any, made_with: Provenance) -> None:
        """Record the result of a task, a row or a list of rows; a later result replaces an earlier one.

        If it cannot be written, for want of space for instance, the journal is as before.
        """
        key = asdict(task)
        rows = [key | asdict(row) | asdict(made_with) for row in as_rows(found)]
        values = (task.study, task.dataset, key, made_with.date, rows)
        self._results.append(dict(zip(_FIELDS, values, strict=True)))
        self.n_added += 1

    def fail(self, task: Any, error: str, traceback: str, date: str) -> None:
        """Record that a task failed, until a result of it is exported."""
        self._failures.append(
            {"study": task.study, "task": asdict(task), "date": date, "error": error, "traceback": traceback}
        )

    def failed(self, tasks: Iterable[Any]) -> dict[Any, str]:
        """Select the tasks whose failure is recorded, with the error."""
        errors = {_name(entry["task"]): entry["error"] for entry in self._failures.entries()}
        named = ((task, errors.get(_name(asdict(task)))) for task in (tasks if errors else ()))
        return {task: error for task, error in named if error is not None}

    def recorded(self, tasks: Iterable[Any]) -> set[Any]:
        return recorded(tasks, self.folder)

    def check(self, study: Any, tasks: Iterable[Any]) -> None:
        """Check that the shards of tasks have the columns of their study, before anything is computed."""
        for dataset in sorted({task.dataset for task in tasks}):
            path = _shard(self.folder, study.name, dataset)
            if path.exists():
                check_columns(path, [*study.key, *study.measured, *MADE_WITH])

    def export(self) -> list[Path]:
        """Move the journal to the shards, and write shards of an older format anew; returns what was written.

        A later result of a task replaces an earlier one. Columns that only some rows have are kept. If a
        shard cannot be read or written, or does not fit to the new results, the journal still has all
        results.
        """
        written = []
        entries: dict[Place, list[pa.Table]] = defaultdict(list)
        keys: dict[Place, list[str]] = {}
        for place, of_place in _by_place(self._results.entries()):
            keys[place] = list(of_place[0]["task"])
            rows = [{**row, _NUMBER: entry[_NUMBER]} for entry in of_place for row in entry["rows"]]
            entries[place].append(_table(rows))
        for place, tables in sorted(entries.items()):
            path = _shard(self.folder, *place)
            written += _write(path, _merged(path, tables, keys[place]))
        for path in sorted(self.folder.glob("*/*.parquet")):
            with suppress(DamagedError):  # which whoever needs its rows is told
                if is_of_older_format(path):
                    written += _write(path, read_shard(path))
        self._forget_failures()
        self._results.replace([])
        return written

    def _forget_failures(self) -> None:
        """Remove failures of tasks of which there is a result now."""
        failures = list(self._failures.entries())
        if failures:
            done = {_name(entry["task"]) for entry in self._results.entries()}
            left = [entry for entry in failures if _name(entry["task"]) not in done]
            if len(left) < len(failures):
                self._failures.replace(left)


def recorded(tasks: Iterable[Any], folder: Path) -> set[Any]:
    """Select the tasks that are recorded in a folder, in shards or in the journal; nothing is written."""
    journal = tasks_in_journal(folder)
    found = set()
    for place, at_place in _at_places(tasks).items():
        key = [field.name for field in fields(at_place[0])]
        wanted = _Sought(key, at_place)
        values = _values(key, journal.get(place, []))
        for rows in _task_rows(folder, place, key):
            values |= wanted.among(rows)
        found |= wanted.named(values)
    return found


def progress(
    study: Any, planned: Iterable[Any], folder: Path, journal: Mapping[Place, list[dict[str, Any]]]
) -> tuple[set[Any], list[tuple[Any, int]]]:
    """Find out how much of a study is recorded, with what `tasks_in_journal` returns; nothing is written.

    Returns the planned tasks that are recorded, and recorded tasks by kind, planned or not: one of a kind,
    whose fields differ in numbers only, and a number of tasks; how many of a kind there are is the sum.
    """
    wanted = _at_places(planned)
    places = {(study.name, path.stem) for path in (folder / study.name).glob("*.parquet")}
    done: set[Any] = set()
    kinds: list[tuple[Any, int]] = []
    for place in sorted(places | {place for place in journal if place[0] == study.name}):
        added = {study.task(*values) for values in _values(study.key, journal.get(place, []))}
        sought = _Sought(study.key, [*wanted[place], *added])
        values: set[tuple] = set()
        former = None
        for rows in _task_rows(folder, place, study.key):
            values |= sought.among(rows)
            (first,), (last,) = rows.slice(0, 1).to_pylist(), rows.slice(len(rows) - 1).to_pylist()
            kinds += _kinds(study, rows)
            if first == former:  # the rows of a task lie side by side
                kinds.append((study.task(**first), -1))
            former = last
        exported = sought.named(values)
        kinds += [(task, 1) for task in added - exported]
        done |= (exported | added) & set(wanted[place])
    return done, kinds


def _kinds(study: Any, rows: pa.Table) -> Iterator[tuple[Any, int]]:
    """One task of each kind among the rows, and how many tasks of this kind there are."""
    codes, words = _coded(rows)
    numbers = [(name, "min") for name in study.key if name not in words]
    of_kinds = codes.group_by(study.key, use_threads=False).aggregate([])
    of_kinds = of_kinds.group_by(list(words), use_threads=False).aggregate([*numbers, ([], "count_all")])
    for kind in of_kinds.to_pylist():
        n = kind.pop("count_all")
        values = {name.removesuffix("_min"): value for name, value in kind.items()}
        values |= {name: words[name][values[name]] for name in words}
        yield study.task(**values), n


def tasks_in_journal(folder: Path) -> dict[Place, list[dict[str, Any]]]:
    """Tasks that are not exported yet."""
    found = defaultdict(list)
    for entry in results_journal(folder).entries():
        found[entry["study"], entry["dataset"]].append(entry["task"])
    return found


def _at_places(tasks: Iterable[Any]) -> dict[Place, list[Any]]:
    places = defaultdict(list)
    for task in tasks:
        places[task.study, task.dataset].append(task)
    return places


def _task_rows(folder: Path, place: Place, key: list[str]) -> Iterator[pa.Table]:
    """Fields of the tasks of a study and a data set that are exported, some rows at a time."""
    path = _shard(folder, *place)
    if path.exists():
        yield from map(_encoded, read_row_groups(path, key))


def _values(key: list[str], tasks: list[dict[str, Any]]) -> set[tuple]:
    return {tuple([task.get(name) for name in key]) for task in tasks}


class _Sought:
    """Tasks of a study and a data set that are looked for."""

    def __init__(self, key: list[str], tasks: Collection[Any]):
        self.key, self.tasks = key, tasks
        self.of_columns = [{getattr(task, name) for task in tasks} for name in key]

    def named(self, values: Collection[tuple]) -> set[Any]:
        if not values:
            return set()
        return {task for task in self.tasks if tuple([getattr(task, name) for name in self.key]) in values}

    def among(self, rows: pa.Table) -> set[tuple]:
        """Values of the rows that can belong to one: each of a row's values is that of some task."""
        codes, words = _coded(rows)
        is_possible = np.full(len(rows), bool(self.tasks))
        for name, values in zip(rows.column_names, self.of_columns, strict=True):
            if name in words:
                values = {code for code, word in enumerate(words[name]) if word in values}
            column = codes[name]
            if not pa.types.is_null(column.type):
                is_possible &= pc.is_in(column, pa.array(values, column.type)).to_numpy()
        columns = rows.filter(is_possible).columns
        return set(zip(*(column.to_pylist() for column in columns), strict=True))


def _coded(rows: pa.Table) -> tuple[pa.Table, dict[str, list[str]]]:
    """Replace strings by their places in lists."""
    columns = {name: rows[name].combine_chunks() for name in rows.column_names}
    words = {
        name: column.dictionary.to_pylist()
        for name, column in columns.items()
        if pa.types.is_dictionary(column.type)
    }
    return pa.table({name: c.indices if name in words else c for name, c in columns.items()}), words


def results_journal(folder: Path) -> Journal:
    return Journal(folder / JOURNAL / "results.jsonl")


def failures_journal(folder: Path) -> Journal:
    return Journal(folder / JOURNAL / "failures.jsonl")


def as_rows(found: Any) -> list[Any]:
    """Rows of a task, as a list; most tasks return a single row."""
    return found if isinstance(found, list) else [found]


def _shard(folder: Path, study: str, dataset: str) -> Path:
    return folder / study / f"{dataset}.parquet"


def _name(task: dict[str, Any]) -> str:
    return json.dumps(task)


def _locked(path: Path) -> IO[str]:
    """Lock a file, which names the process that has locked it; its end or death unlocks the file."""
    file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 (it stays open)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "another process"
        file.close()
        raise StoreInUseError(
            f"{path.parent.parent} is in use by {holder}. Wait until it ends, or stop it: what it has "
            "finished is recorded"
        ) from None
    try:
        file.truncate(0)
        start = datetime.now(UTC).isoformat(timespec="seconds")
        file.write(f"process {os.getpid()} on {socket.gethostname()}, which started at {start}")
        file.flush()
    except OSError:  # there is no space for its name
        pass
    return file


def _by_place(entries: Iterable[dict[str, Any]]) -> Iterator[tuple[Place, list[dict[str, Any]]]]:
    """Entries of a journal, some at a time, by study and data set; each has its number, from 1."""
    numbered = ({**entry, _NUMBER: n} for n, entry in enumerate(entries, 1))
    while chunk := list(islice(numbered, _ENTRIES)):
        of_place = defaultdict(list)
        for entry in chunk:
            of_place[entry["study"], entry["dataset"]].append(entry)
        yield from of_place.items()


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    names = dict.fromkeys(name for row in rows for name in row)
    return _encoded(pa.table({name: pa.array([row.get(name) for row in rows]) for name in names}))


def _encoded(table: pa.Table) -> pa.Table:
    """A table whose columns of strings all have the same type."""
    text = pa.dictionary(pa.int32(), pa.string())
    columns = [column if column.type == text else _plain(column) for column in table.columns]
    columns = [column.cast(text) if pa.types.is_string(column.type) else column for column in columns]
    return pa.Table.from_arrays(columns, table.column_names)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return column.cast(pa.string() if is_text else kind)


def _joined(path: Path, tables: list[pa.Table]) -> pa.Table:
    try:
        return pa.concat_tables(tables, promote_options="permissive").unify_dictionaries()
    except pa.ArrowException as error:
        raise ValueError(f"{path}: new results do not fit to the recorded ones: {error}") from error


def _merged(path: Path, new: list[pa.Table], key: list[str]) -> pa.Table:
    """Rows of a shard and of the journal, sorted by task; of each task those with the latest date."""
    if path.exists():
        check_columns(path, [*key, "date"])
        former = _encoded(read_shard(path))
        new = [former.append_column(_NUMBER, pa.array(np.zeros(len(former), int))), *new]
    rows = _joined(path, new)
    *places, dates, numbers = (_ranks(rows[name]) for name in [*key, "date", _NUMBER])
    order = np.lexsort([numbers, dates, *reversed(places)])  # stable, so a task keeps the order of its rows
    begins = np.arange(len(order)) == 0
    for place in places:
        begins[1:] |= np.diff(place[order]) != 0
    last = np.append(np.flatnonzero(begins)[1:], len(order)) - 1  # row of each task
    numbers = numbers[order]
    is_latest = numbers == numbers[last][np.cumsum(begins) - 1]
    return rows.take(pa.array(order[is_latest])).drop_columns(_NUMBER)


def _ranks(column: pa.ChunkedArray) -> np.ndarray:
    """Place of each value among the distinct ones, in ascending order; missing values are last."""
    return pd.factorize(_plain(column).to_pandas(), sort=True, use_na_sentinel=False)[0].astype(np.int32)


def _write(path: Path, rows: pa.Table) -> list[Path]:
    content = shard_bytes(rows)
    if path.exists() and path.read_bytes() == content:
        return []
    replace_file(path, content)
    return [path]


def provenance(measure: Callable[..., Any]) -> Provenance:
    """Provenance of a result that `measure`, a function of a study, computes now."""
    return Provenance(
        oza=__version__,
        source=_source_of(measure),
        python=platform.python_version(),
        numpy=version("numpy"),
        numba=version("numba"),
        processor=processor(),
        commit=commit_of_checkout(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _source_of(measure: Callable[..., Any]) -> str:
    """Digest of the code of a function and of all that it imports, without that of installed libraries."""
    found = closure([measure.__module__])
    ours = {module: code for module, code in found.items() if module.partition(".")[0] in _PACKAGES}
    return digest_of(ours)


def processor() -> str:
    """Name of the model of the processor."""
    file = Path("/proc/cpuinfo")  # Python tells only the family
    model = file.read_text(encoding="utf-8").partition("model name")[2] if file.exists() else ""
    return model.partition(":")[2].partition("\n")[0].strip() or platform.processor() or platform.machine()


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
