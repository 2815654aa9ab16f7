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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa

from oza import __version__
from oza.files import replace_file
from oza.kernels.closure import closure, digest_of

from ..paths import DATA
from .journal import Journal
from .shards import read_shard, shard_bytes, without_dictionary


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
Journaled = Mapping[Place, list[dict[str, Any]]]  # fields of tasks in the journal

_NUMBER = "number of the entry"


class StoreInUseError(OSError):
    """Another process has opened the store."""


def results_folder() -> Path:
    """Folder of recorded results: `OZA_RESULTS`, or `data/results` of the checkout."""
    named = os.environ.get("OZA_RESULTS")
    return Path(named) if named else DATA / "results"


class Store:
    """Recorded results in one folder, which no other process changes while the store is open.

    `notes` say what was changed when the store was opened, `n_added` how many results were recorded since.
    """

    def __init__(self, folder: Path | None = None):
        self.folder = results_folder() if folder is None else Path(folder)
        self.notes: list[str] = []
        self.n_added = 0
        self._results = results_journal(self.folder)
        self._failures = Journal(self.folder / JOURNAL / "failures.jsonl")
        self.failures = self._failures.path  #: a line for each failure, with its traceback
        self.failures.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder / JOURNAL / "lock")
        for unfinished in self.folder.glob("*/tmp*.part"):  # by an export that was killed
            unfinished.unlink()
        for journal in (self._results, self._failures):
            if number := journal.remove_unfinished_line():
                self.notes.append(f"{journal.path}: line {number} was never finished; the others are kept")

    def close(self) -> None:
        self._lock.close()

    def add(self, task: Any, found: Any, made_with: Provenance) -> None:
        """Record the result of a task, a row or a list of rows; a later result replaces an earlier one.

        If it cannot be written, for want of space for instance, the journal is as before.
        """
        rows = [asdict(task) | asdict(row) | asdict(made_with) for row in as_rows(found)]
        self._results.append({**_named(task), "date": made_with.date, "rows": rows})
        self.n_added += 1

    def fail(self, task: Any, error: str, traceback: str, date: str) -> None:
        """Record that a task failed, until a result of it is exported."""
        self._failures.append({**_named(task), "date": date, "error": error, "traceback": traceback})

    def failed(self, tasks: Iterable[Any]) -> dict[Any, str]:
        """Select the tasks whose failure is recorded, with the error."""
        errors = {_key(entry): entry["error"] for entry in self._failures.entries()}
        return {task: errors[key] for task in tasks if errors and (key := _key(_named(task))) in errors}

    def recorded(self, tasks: Iterable[Any]) -> set[Any]:
        return recorded(tasks, self.folder)

    def check(self, study: Any, tasks: Iterable[Any]) -> None:
        """Check that the shards of tasks have the columns of their study, before anything is computed."""
        for dataset in sorted({task.dataset for task in tasks}):
            path = _shard(self.folder, study.name, dataset)
            if path.exists():
                read_shard(path, [*study.key, *study.measured, *MADE_WITH])

    def export(self) -> list[Path]:
        """Move the journal to the shards; returns those that were written.

        A later result of a task replaces an earlier one. Columns that only some rows have are kept. If a
        shard cannot be read or written, or does not fit to the new results, the journal still has all
        results.
        """
        failures = {_key(entry): entry for entry in self._failures.entries()}
        tables: dict[Place, list[pa.Table]] = defaultdict(list)
        keys: dict[Place, list[str]] = {}
        for place, entries in _by_place(self._results.entries()):
            keys[place] = list(entries[0]["task"])
            tables[place].append(_table(entries))
            for entry in entries:
                failures.pop(_key(entry), None)
        for place in sorted(tables):
            path = _shard(self.folder, *place)
            replace_file(path, shard_bytes(_merged(path, tables[place], keys[place])))
        if tables:
            self._failures.replace(failures.values())
            self._results.replace([])
        return [_shard(self.folder, *place) for place in sorted(tables)]


def recorded(tasks: Iterable[Any], folder: Path) -> set[Any]:
    """Select the tasks that are recorded in a folder, in shards or in the journal; nothing is written."""
    journal = tasks_in_journal(folder)
    wanted: dict[Place, dict[tuple, Any]] = defaultdict(dict)
    for task in tasks:
        wanted[task.study, task.dataset][tuple(vars(task).values())] = task
    found = set()
    for place, at_place in wanted.items():
        key = [field.name for field in fields(next(iter(at_place.values())))]
        found |= {at_place[values] for values in _tasks_at(folder, place, key, journal) if values in at_place}
    return found


def recorded_of(study: Any, folder: Path, journal: Journaled) -> Iterator[Any]:
    """All tasks of a study that are recorded, with what `tasks_in_journal` returns; nothing is written."""
    places = {(study.name, path.stem) for path in (folder / study.name).glob("*.parquet")}
    for place in sorted(places | {place for place in journal if place[0] == study.name}):
        yield from (study.task(*values) for values in _tasks_at(folder, place, study.key, journal))


def tasks_in_journal(folder: Path) -> Journaled:
    """Tasks that are not exported yet."""
    found = defaultdict(list)
    for entry in results_journal(folder).entries():
        found[entry["study"], entry["dataset"]].append(entry["task"])
    return found


def _tasks_at(folder: Path, place: Place, key: list[str], journal: Journaled) -> Iterator[tuple]:
    """Fields of the tasks of a study and a data set that are recorded, each task once."""
    new = {tuple([task.get(name) for name in key]) for task in journal.get(place, [])}
    yield from new
    path = _shard(folder, *place)
    if path.exists():
        batches = read_shard(path, key).to_batches(max_chunksize=10_000)  # as tuples they need more memory
        rows = (batch.to_pandas().itertuples(index=False, name=None) for batch in batches)
        for values, _ in groupby(chain.from_iterable(rows)):  # the rows of a task lie side by side
            if values not in new:
                yield values


def results_journal(folder: Path) -> Journal:
    return Journal(folder / JOURNAL / "results.jsonl")


def as_rows(found: Any) -> list[Any]:
    """Rows of a task, as a list; most tasks return a single row."""
    return found if isinstance(found, list) else [found]


def _shard(folder: Path, study: str, dataset: str) -> Path:
    return folder / study / f"{dataset}.parquet"


def _named(task: Any) -> dict[str, Any]:
    return {"study": task.study, "dataset": task.dataset, "task": asdict(task)}


def _key(entry: dict[str, Any]) -> str:
    """Text that tells the task of an entry from all others."""
    return json.dumps([entry["study"], entry["task"]])


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
    with suppress(OSError):  # there is no space for its name
        file.truncate(0)
        start = datetime.now(UTC).isoformat(timespec="seconds")
        file.write(f"process {os.getpid()} on {socket.gethostname()}, which started at {start}")
        file.flush()
    return file


def _by_place(entries: Iterable[dict[str, Any]]) -> Iterator[tuple[Place, list[dict[str, Any]]]]:
    """Entries of a journal, some at a time, by study and data set; each has its number, from 1."""
    numbered = ({**entry, _NUMBER: n} for n, entry in enumerate(entries, 1))
    while chunk := list(islice(numbered, 1_000)):
        of_place = defaultdict(list)
        for entry in chunk:
            of_place[entry["study"], entry["dataset"]].append(entry)
        yield from of_place.items()


def _table(entries: list[dict[str, Any]]) -> pa.Table:
    """Rows of entries, with the number of their entry."""
    rows = [{**row, _NUMBER: entry[_NUMBER]} for entry in entries for row in entry["rows"]]
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})


def _merged(path: Path, new: list[pa.Table], key: list[str]) -> pa.Table:
    """Rows of a shard and of the journal, sorted by task; of each task those with the latest date."""
    order = [*key, "date", _NUMBER]
    if path.exists():
        read_shard(path, order[:-1])  # which refuses a shard without them
        former = read_shard(path)
        columns = [*map(without_dictionary, former.columns), pa.array(np.zeros(len(former), int))]
        new = [pa.table(columns, [*former.column_names, _NUMBER]), *new]
    try:
        rows = pa.concat_tables(new, promote_options="permissive")
    except pa.ArrowException as error:
        raise ValueError(f"{path}: new results do not fit to the recorded ones: {error}") from error
    places = rows.select(order).to_pandas().sort_values(order, kind="stable")
    newest = places.groupby(key, sort=False, dropna=False)[_NUMBER].transform("last")
    return rows.take(pa.array(places.index[places[_NUMBER] == newest])).drop_columns(_NUMBER)


def provenance(measure: Callable[..., Any]) -> Provenance:
    """Provenance of a result that `measure`, a function of a study, computes now."""
    found = closure([measure.__module__])
    ours = {module: code for module, code in found.items() if module.partition(".")[0] in _PACKAGES}
    return Provenance(
        oza=__version__,
        source=digest_of(ours),
        python=platform.python_version(),
        numpy=version("numpy"),
        numba=version("numba"),
        processor=processor(),
        commit=commit_of_checkout(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


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
