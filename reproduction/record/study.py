"""What a study is: a declaration of tasks, how each of them is measured, and what is recorded of them."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, make_dataclass
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from oza.datasets import dataset_info, list_datasets

from .bits import EXACT, Bits
from .shards import read_shard
from .store import MADE_WITH, Provenance, as_rows, results_folder

#: Amounts of work: "smoke" takes seconds and uses generated data, "quick" takes minutes, "thesis" is all.
PROFILES = ("smoke", "quick", "thesis")


@dataclass(frozen=True, eq=False)
class Study:
    """A study: tasks, and how each of them is measured."""

    name: str  # on the command line, and of the folder of its shards
    title: str
    task: type  # frozen dataclass with all that a result depends on, `dataset` among it, and the name `study`
    row: type  # dataclass of the measurements
    tasks: Callable[[str], Iterable[Any]]  # of a profile; those of "quick" are among those of "thesis"
    measure: Callable[[Any], Any]  # returns a row or a list of rows; worker processes import it
    exhibits: tuple[str, ...] = ()  # tables and figures of the thesis that use its results
    timed: bool = False  # it measures times: tasks run one after the other on one core
    varying: Mapping[str, str] = field(default_factory=dict)  # fields that are not reproducible, and why
    computed_by: Callable[[Any], str] = lambda task: ""  # who, other than `measure`, computed a task
    bits: Callable[[Any], Bits] = lambda task: EXACT  # what another processor makes of a task
    cost: Callable[[Any], float] = lambda task: 1.0  # estimated seconds, for the bar and the order of tasks

    @property
    def key(self) -> list[str]:
        return [field.name for field in fields(self.task)]

    @property
    def measured(self) -> list[str]:
        return [field.name for field in fields(self.row)]

    def recorded(self, tasks: str | Iterable[Any] | None = None, folder: Path | None = None) -> pd.DataFrame:
        """Read recorded results: the fields of the tasks, of the measurements and of `Provenance`.

        The rows of tasks, or of the tasks of a profile, come in their order, and those that are not recorded
        are left out. None means all that is recorded, sorted.
        """
        wanted = None if tasks is None else self._listed(tasks)
        columns = [*self.key, *self.measured, *MADE_WITH]
        classes = (self.task, self.row, Provenance)
        kinds = {field.name: field.type for each in classes for field in fields(each)}
        place = (results_folder() if folder is None else folder) / self.name
        datasets = {task.dataset for task in wanted or ()}
        paths = [path for path in place.glob("*.parquet") if wanted is None or path.stem in datasets]
        tables = [read_shard(path, columns) for path in sorted(paths)]
        if not tables:
            return pd.DataFrame(columns=columns).astype(kinds)
        whole = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries()
        rows = whole.to_pandas().astype(kinds)
        return rows if wanted is None else self._in_order(rows, wanted)

    def _in_order(self, rows: pd.DataFrame, tasks: list[Any]) -> pd.DataFrame:
        places = {tuple(vars(task).values()): place for place, task in enumerate(tasks)}
        found = rows[self.key].itertuples(index=False, name=None)
        place = pd.Series([places.get(key, -1) for key in found], dtype=int)
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
        return [self.task(*row) for row in rows[self.key].itertuples(index=False, name=None)]


class Measure:
    """A function of the fields of a task, as a function from a task to its row or rows."""

    def __init__(self, function: Callable[..., Any], row: type) -> None:
        self._function, self._row = function, row
        self.__module__ = function.__module__  # whose source made the results

    def __call__(self, task: Any) -> Any:
        found = self._function(**vars(task))
        return [*map(self._one, found)] if isinstance(found, list) else self._one(found)

    def _one(self, found: Any) -> Any:
        return self._row(*found) if isinstance(found, tuple) else self._row(found)

    def __reduce__(self) -> str:
        """Give the name of the object in its module, which a worker process imports."""
        return f"{self._function.__name__}.measure"


def study(
    name: str,
    title: str,
    row: Mapping[str, type],
    *,
    smoke: Callable[[], Iterable[Mapping[str, Any]]],
    thesis: Callable[[], Iterable[Mapping[str, Any]]],
    quick: Callable[[Any], bool] = lambda task: True,
    **others: Any,
) -> Callable[[Callable[..., Any]], Study]:
    """Make a study of a function, whose parameters are the fields of a task.

    It returns the values of a `row`, a tuple if there are several, or a list of such rows. `smoke` and
    `thesis` list the tasks of these profiles, as `cells`; `quick` says which of "thesis" are those of
    "quick". `others` are further attributes of `Study`.
    """

    def declare(function: Callable[..., Any]) -> Study:
        parameters = signature(function, eval_str=True).parameters.values()
        task = _dataclass_of(function, "task", {each.name: each.annotation for each in parameters})
        task.study = name  # type: ignore[attr-defined]
        kind = _dataclass_of(function, "row", row)

        def tasks(profile: str) -> list[Any]:
            every = [task(**cell) for cell in (smoke if profile == "smoke" else thesis)()]
            return [each for each in every if profile != "quick" or quick(each)]

        return Study(name, title, task, kind, tasks, Measure(function, kind), **others)

    return declare


def _dataclass_of(function: Callable[..., Any], kind: str, types: Mapping[str, type]) -> type:
    """A frozen data class that pickle finds as an attribute of the study named as the function."""
    made = make_dataclass(kind, types.items(), frozen=True, order=True)
    made.__module__, made.__qualname__ = function.__module__, f"{function.__name__}.{kind}"
    return made


def cells(*shared: Mapping[str, Any], **fields: Any) -> list[dict[str, Any]]:
    """List all combinations of the values of fields, for each mapping of further ones.

    The last field varies fastest. A text, and what is no collection, stands for itself.

    >>> cells(n=(1, 2), dataset="balance")
    [{'n': 1, 'dataset': 'balance'}, {'n': 2, 'dataset': 'balance'}]
    """
    found = []
    for grid in [{**mapping, **fields} for mapping in shared] or [fields]:
        values = [
            [value] if isinstance(value, str) or not isinstance(value, Iterable) else value
            for value in grid.values()
        ]
        found += [dict(zip(grid, each, strict=True)) for each in product(*values)]
    return found


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
