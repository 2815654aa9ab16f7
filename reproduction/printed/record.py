"""Recorded results as tables, comparisons and curves, each read once, with a note of what was read."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from oza.datasets import dataset_info
from oza.evaluation.significance import NOTHING, Compared

from ..record.study import Study
from ..statistics import split_accuracies, with_accuracy
from ..studies.accuracy import GRIDS
from ..studies.curves import curve_points, curves
from ..studies.errors import error_tasks, errors
from ..studies.times import times_by_size
from ..studies.work import counted_runs, work
from .accuracy import accuracy_cells
from .comparing import compare, curve_cells
from .explained import CANDIDATES, OURS, Cause, cause_of, explained
from .layout import CURVES, ERRORS, columns_of, counterpart, layout, reference
from .printed import cells_of
from .times import costs_by_size, time_cells


class Source(NamedTuple):
    """A source of evidence: its name (study and table, for instance), data sets, and number of runs."""

    name: str
    datasets: tuple[str, ...]
    n_runs: int

    def __str__(self) -> str:
        return f"{self.name}: {self.n_runs:,} runs on {len(self.datasets)} data sets"


class NotRecorded(LookupError):
    """There are no results of a source, which the message names."""


@cache
def _small(study: Study) -> pd.DataFrame:
    return study.compute("smoke")


class Record:
    """Recorded results as the tables and claims need them.

    With the profile "smoke" small accuracies are computed on the spot. Times, counts of work, errors and
    learning curves are the recorded ones in any case.

    >>> record = Record("smoke")
    >>> with record.noting() as read:
    ...     cells = record.accuracy("3.4")
    >>> for source in read:
    ...     print(source)
    naive-bayes (3.4): 16 runs on 2 data sets
    """

    def __init__(self, profile: str = "thesis", folder: Path | None = None):
        self.profile, self.folder = profile, folder
        self._known: dict[tuple, Any] = {}
        self._notes: list[list[Source]] = []

    @contextmanager
    def noting(self) -> Iterator[list[Source]]:
        """Note what is read inside the block, each source once; `NotRecorded` if a source has no results."""
        read: list[Source] = []
        self._notes.append(read)
        try:
            yield read
        finally:
            self._notes.remove(read)

    def note(self, name: str, rows: pd.DataFrame) -> None:
        """Note that rows were read, one for each run."""
        source = Source(name, tuple(rows["dataset"].unique()), len(rows))
        for read in self._notes:
            if rows.empty:
                raise NotRecorded(name)
            if source not in read:
                read.append(source)

    def _once(self, *key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def results(self, study: str) -> pd.DataFrame:
        """Read the runs of a study of accuracies or of times; those of "smoke" are computed."""
        rows = self._results(GRIDS[study])
        self.note(study, rows)
        return rows

    def _results(self, study: Study) -> pd.DataFrame:
        profile = "thesis" if study.timed else self.profile
        if profile == "smoke":
            return self._once("results", study, make=lambda: _small(study).copy())
        return self._once("results", study, make=lambda: study.recorded(profile, self.folder))

    def recorded(self, study: Study, tasks: str | list = "thesis") -> pd.DataFrame:
        """Read the recorded results of a study, whatever the profile: all of them, or those of some tasks."""
        rows = study.recorded(tasks, self.folder)
        self.note(study.name, rows)
        return rows

    def rows(self, table: str) -> pd.DataFrame:
        """Read the runs behind a table: `algorithm` is its column."""
        studies = layout(table).studies
        rows = self._once(
            "rows",
            table,
            make=lambda: pd.concat(columns_of(self._results(GRIDS[study]), table) for study in studies),
        )
        for study in studies:
            self.note(f"{study} ({table})", rows[rows["study"] == study])
        return rows

    def accuracy(self, table: str) -> pd.DataFrame:
        """Give the cells of a table of accuracies, as `accuracy_cells` does; some may be "explained"."""
        own = self._own(table)
        if table not in CANDIDATES:
            return own
        return self._once(
            "accuracy", table, make=lambda: explained(own, self._candidates(table), CANDIDATES[table].seen)
        )

    def _own(self, table: str) -> pd.DataFrame:
        rows = self.rows(table)
        return self._once("own accuracy", table, make=lambda: accuracy_cells(rows, table))

    def _candidates(self, table: str) -> pd.DataFrame:
        study, by_setting, _ = CANDIDATES[table]

        def cells() -> pd.DataFrame:
            settings = by_setting(self._results(study))
            others = {name: accuracy_cells(rows, table) for name, rows in settings.items()}
            return pd.concat({OURS: self._own(table)} | others, names=["setting"])

        return self._once("candidates", table, make=cells)

    def candidates(self, table: str) -> pd.DataFrame:
        """Give the cells of a table by each setting that may explain it, ours among them, for `cause_of`."""
        study = CANDIDATES[table].study
        self.note(f"{study.name} ({table})", self._results(study))
        return self._candidates(table)

    def by_the_program(self, table: str) -> pd.DataFrame:
        """Give the cells of a table by the setting that matches it, or else by ours."""
        cause, candidates = self.cause(table), self.candidates(table)
        cells: Any = candidates.xs(cause.name if cause and cause.matches else OURS, level="setting")
        return cells

    def cause(self, table: str) -> Cause | None:
        """Choose and test a setting that may explain a table, as `cause_of` does."""
        return cause_of(self._candidates(table), CANDIDATES[table].seen)

    def accuracies(self, *tables: str) -> dict[str, pd.DataFrame]:
        """Give the cells of several tables of accuracies."""
        return {table: self.accuracy(table) for table in tables}

    def compare(self, table: str, first: str, second: str) -> pd.DataFrame:
        """Compare two columns of a table, as `compare` does."""
        rows = self.rows(table)
        splits = self._once("splits", table, make=lambda: split_accuracies(rows).droplevel("base_model"))
        return compare(splits, first, second)

    def times(self, table: str) -> pd.DataFrame:
        """Give the cells of a table of times, with counts of work, as `time_cells` does."""
        (study,) = layout(table).studies
        rows, work = self.rows(table), self.work(study)
        return self._once("times", table, make=lambda: time_cells(rows, table, work))

    def all_times(self, *tables: str) -> dict[str, pd.DataFrame]:
        """Give the cells of several tables of times."""
        return {table: self.times(table) for table in tables}

    def work(self, study: str) -> pd.DataFrame:
        """Read the counts of work of a timing study, or of times by size."""
        rows = self._once("work", study, make=lambda: work.recorded(counted_runs(study), self.folder))
        self.note(f"work of {study}", rows)
        return rows

    def costs_by_size(self) -> dict[str, pd.DataFrame]:
        """Give what ensembles of Naive Bayes cost by number of examples, as `costs_by_size` does."""
        times = self._once("times by size", make=lambda: times_by_size.recorded("thesis", self.folder))
        self.note("times-by-size", times)
        return costs_by_size(times, self.work("times-by-size"))

    def curve(self, name: str) -> pd.DataFrame:
        """Read the points of a learning curve, by the name of the curve or the number of a figure."""
        name = CURVES.get(name, name)
        points = curve_points(name)
        rows = self._once("curve", name, make=lambda: with_accuracy(curves.recorded(points, self.folder)))
        self.note(f"curve {name}", rows)
        if rows.empty:
            raise FileNotFoundError(f"no point of the curve {name} is recorded: run the study curves")
        return rows

    def curve_cells(self, name: str) -> pd.DataFrame:
        """Compare the algorithms of a learning curve with each other, as `curve_cells` does."""
        rows = self.curve(name)
        return self._once("curve cells", CURVES.get(name, name), make=lambda: curve_cells(rows))

    def errors(self, *figures: str) -> pd.DataFrame:
        """Read the errors of base models that figures show; those of all of them if none is named."""
        pairs = [ERRORS[figure] for figure in figures or ERRORS]
        listed = [task for base, dataset in pairs for task in error_tasks(dataset, base)]
        rows = self._once("errors", *pairs, make=lambda: errors.recorded(listed, self.folder))
        run = ["dataset", "base_model", "repetition", "algorithm"]
        self.note("errors of base models", rows.drop_duplicates(run))
        return rows


class NotPrinted(LookupError):
    """What was asked for is not printed in the thesis, or not in our copy of it."""


class PrintedRecord:
    """The thesis's printed numbers in the place of recorded results, to try rules on them.

    It gives the tables of accuracies and of times that `Record` gives, made of printed numbers alone: means
    are taken as exact, and marks of significance as the outcome of the tests. Everything else is
    `NotPrinted`.

    >>> float(PrintedRecord().accuracy("3.4")["mean"]["mushroom", "single"])
    0.9966
    """

    @staticmethod
    @cache
    def accuracy(table: str) -> pd.DataFrame:
        """Give the printed cells of a table of accuracies; `NotPrinted` if there are none in our copy."""
        theirs = _printed_cells("accuracy", table)
        columns = layout(table).columns
        values, marks = theirs["value"], theirs["significance_vs_single"]
        cells = pd.DataFrame({"mean": values, "printed": values, "welch": marks, "verdict": "agrees"})
        star = cells["star"] = theirs["star"].astype(bool)
        cells["n_train"] = [float(dataset_info(name).n_train) for name, _ in cells.index]
        for beside, other_of in (("single", reference), ("other", counterpart)):
            rows = []
            for name, algorithm in cells.index:
                place, other = (name, algorithm), (name, other_of(algorithm, columns))
                difference = values[place] - values.get(other, math.nan)
                if other == place or math.isnan(difference):
                    rows.append(NOTHING)
                    continue
                mark = marks[place]
                if beside == "other":  # a star marks the better of the two
                    mark = "better" if star[place] else "worse" if star[other] else "none"
                rows.append(Compared(difference, 0.0, float(mark == "none"), mark, mark, mark))
            fields = [f"{beside}_{field}" for field in Compared._fields]
            cells[fields] = pd.DataFrame(rows, cells.index)
        return cells

    def by_the_program(self, table: str) -> pd.DataFrame:
        """Give the same: the printed numbers are those of the thesis's program."""
        return self.accuracy(table)

    def accuracies(self, *tables: str) -> dict[str, pd.DataFrame]:
        """Give those of these tables of accuracies that are printed in our copy."""
        return _those_printed(self.accuracy, tables)

    def times(self, table: str) -> pd.DataFrame:
        """Give the printed cells of a table of times; `NotPrinted` as for `accuracy`."""
        return _printed_cells("running_times", table)[["seconds"]]

    def all_times(self, *tables: str) -> dict[str, pd.DataFrame]:
        """Give those of these tables of times that are printed in our copy."""
        return _those_printed(self.times, tables)

    def __getattr__(self, name: str) -> Any:
        raise NotPrinted(f"{name}: only means, times and marks of significance are printed")


def _printed_cells(file: str, table: str) -> pd.DataFrame:
    cells = cells_of(file, table)
    if cells.empty:
        raise NotPrinted(f"Table {table} is not in our copy of the thesis")
    return cells


def _those_printed(give: Callable[[str], pd.DataFrame], tables: tuple[str, ...]) -> dict[str, pd.DataFrame]:
    found = {}
    for table in tables:
        with suppress(NotPrinted):
            found[table] = give(table)
    if not found:
        raise NotPrinted(f"Tables {', '.join(tables)} are not in our copy of the thesis")
    return found
