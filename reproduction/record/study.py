"""What a study is: a declaration of tasks, how each of them is measured, and what is recorded of them."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from oza.datasets import dataset_info, list_datasets

from .shards import read_shard
from .store import MADE_WITH, Provenance, as_rows, results_folder

#: Amounts of work: "smoke" takes seconds and uses generated data, "quick" takes minutes, "thesis" is all.
PROFILES = ("smoke", "quick", "thesis")


@dataclass(frozen=True)
class Study:
    """A study: tasks, and how each of them is measured.

    Attributes
    ----------
    name, title : str
        Name on the command line and of the folder of its shards; subject of the study.
    task : type
        Frozen dataclass that identifies a unit of work by everything that its result depends on. It has
        the name of the `study` and a field `dataset`.
    row : type
        Dataclass of the measurements.
    tasks : callable
        Returns the tasks of a profile; those of "quick" are among those of "thesis".
    measure : callable
        Computes a task, and returns a row or a list of rows; must be importable by worker processes.
    exhibits : tuple of str
        Tables and figures of the thesis that use its results.
    timed : bool
        Whether it measures times: tasks then run one after the other on one core.
    varying : mapping of str to str
        Fields of a row that are not reproducible, with the reason; all others are.
    computed_by : callable
        Returns, for a recorded task that `measure` cannot compute, who else computed it; else "".
    cost : callable
        Estimated seconds of a task, for the progress bar and the order of tasks.
    """

    name: str
    title: str
    task: type
    row: type
    tasks: Callable[[str], Iterable[Any]]
    measure: Callable[[Any], Any]
    exhibits: tuple[str, ...] = ()
    timed: bool = False
    varying: Mapping[str, str] = field(default_factory=dict)
    computed_by: Callable[[Any], str] = lambda task: ""
    cost: Callable[[Any], float] = lambda task: 1.0

    @property
    def key(self) -> list[str]:
        """Columns that identify a task."""
        return [field.name for field in fields(self.task)]

    @property
    def measured(self) -> list[str]:
        """Columns of the measurements."""
        return [field.name for field in fields(self.row)]

    def recorded(self, tasks: str | Iterable[Any] | None = None, folder: Path | None = None) -> pd.DataFrame:
        """Read recorded results.

        Parameters
        ----------
        tasks : str, iterable or None, default=None
            Tasks, or a profile, which means its tasks: their rows come in the order of the tasks, and those
            that are not recorded are left out. None means all that is recorded, sorted.
        folder : Path or None, default=None
            Folder of recorded results; None means `results_folder()`.

        Returns
        -------
        DataFrame
            The fields of the tasks, of the measurements and of `Provenance`.

        Raises
        ------
        ValueError
            If a shard cannot be read or has other columns.
        """
        wanted = None if tasks is None else self._listed(tasks)
        columns = [*self.key, *self.measured, *MADE_WITH]
        classes = (self.task, self.row, Provenance)
        kinds = {field.name: field.type for each in classes for field in fields(each)}
        datasets = None if wanted is None else {task.dataset for task in wanted}
        place = (results_folder() if folder is None else folder) / self.name
        paths = [p for p in sorted(place.glob("*.parquet")) if datasets is None or p.stem in datasets]
        if not paths:
            return pd.DataFrame(columns=columns).astype(kinds)
        shards = pa.concat_tables([read_shard(path, columns) for path in paths], promote_options="permissive")
        rows = shards.to_pandas().astype(kinds)
        return rows if wanted is None else self._in_order(rows, wanted)

    def _in_order(self, rows: pd.DataFrame, tasks: list[Any]) -> pd.DataFrame:
        places = {task: place for place, task in enumerate(tasks)}
        place = pd.Series([places.get(task, -1) for task in self.tasks_in(rows)], dtype=int)
        place = place[place >= 0].sort_values(kind="stable")
        return rows.loc[place.index].reset_index(drop=True)

    def compute(self, tasks: str | Iterable[Any]) -> pd.DataFrame:
        """Compute tasks now, and record nothing; the rows are those of `recorded` without provenance."""
        with without_warnings_of_bounds():
            found = [
                asdict(task) | asdict(row)
                for task in self._listed(tasks)
                for row in as_rows(self.measure(task))
            ]
        return pd.DataFrame(found, columns=[*self.key, *self.measured])

    def recorded_or_computed(self, tasks: str | Iterable[Any], folder: Path | None = None) -> pd.DataFrame:
        """Read the results of tasks, and compute now those that are not recorded; nothing is recorded.

        The rows are those of `recorded`, without provenance.
        """
        wanted = self._listed(tasks)
        rows = self.recorded(wanted, folder)[[*self.key, *self.measured]]
        known = set(self.tasks_in(rows))
        missing = [task for task in wanted if task not in known]
        if not missing:
            return rows
        new = self.compute(missing)
        return self._in_order(pd.concat([rows, new], ignore_index=True) if known else new, wanted)

    def _listed(self, tasks: str | Iterable[Any]) -> list[Any]:
        return list(self.tasks(tasks) if isinstance(tasks, str) else tasks)

    def tasks_in(self, rows: pd.DataFrame) -> list[Any]:
        """List the tasks of the rows of a frame."""
        return [self.task(*row) for row in rows[self.key].itertuples(index=False, name=None)]


@contextmanager
def without_warnings_of_bounds() -> Iterator[None]:
    """Suppress warnings of bounded weights, which every classifier counts anyway."""
    with warnings.catch_warnings():
        ignore_bounds()
        yield


def ignore_bounds() -> None:
    """Suppress them until the process ends."""
    warnings.filterwarnings("ignore", ".*such weights are bounded", RuntimeWarning)


def n_values(dataset: str) -> int:
    """Size of a data set: examples times attributes; 0 for a stream that is not in the catalogue."""
    if dataset not in list_datasets():
        return 0
    info = dataset_info(dataset)
    return (info.n_train + info.n_test) * len(info.attributes)


#: Why times and sizes are not compared when a task is computed again.
PROCESSOR_TIME = "processor times, which differ from run to run"
PICKLE_SIZE = "sizes of pickles, which depend on the versions of the libraries"
