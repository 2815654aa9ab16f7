"""What a study is: a declaration of tasks, and of how each of them is measured."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from oza.datasets import dataset_info, list_datasets

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
    elsewhere : callable
        Returns, for a recorded task that `measure` cannot compute, who else computed it; else "".
    cost : callable
        Estimated seconds of a task, for the progress bar.
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
    elsewhere: Callable[[Any], str] = lambda task: ""
    cost: Callable[[Any], float] = lambda task: 1.0

    @property
    def key(self) -> list[str]:
        """Columns that identify a task."""
        return [field.name for field in fields(self.task)]

    @property
    def measured(self) -> list[str]:
        """Columns of the measurements."""
        return [field.name for field in fields(self.row)]

    def rows(self, task: Any) -> list[Any]:
        """Compute a task."""
        return as_rows(self.measure(task))


def as_rows(found: Any) -> list[Any]:
    """Rows of a task, as a list; most tasks return a single row."""
    return found if isinstance(found, list) else [found]


def n_values(dataset: str) -> int:
    """Size of a data set: examples times attributes; 0 for a stream that is not in the catalogue."""
    if dataset not in list_datasets():
        return 0
    info = dataset_info(dataset)
    return (info.n_train + info.n_test) * len(info.attributes)


#: Why times and sizes are not compared when a task is computed again.
PROCESSOR_TIME = "processor times, which differ from run to run"
PICKLE_SIZE = "sizes of pickles, which depend on the versions of the libraries"
