"""Which implementations do what the sources say, and what it costs where they do not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..claims.cards import badge
from ..printed.table import SIGNS, csv_link, legend, verdict_class
from ..statistics import mean_against_zero, outcome

if TYPE_CHECKING:
    from benchmarks.conformance.cells import Cell
    from benchmarks.conformance.rows import Row

_LOST = {"better": "lost", "worse": "gained", "equal": "equal", "undecided": "undecided"}


@dataclass(frozen=True, eq=False)
class ConformanceTable:
    """Rules and implementations; below each rule, folded, what was fed and what was seen."""

    rows: Sequence["Row"]
    cells: Sequence["Cell"]
    scripts: Mapping[tuple[str, str], Path]  # that show a deviation, by row and implementation

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All cells, one a row, with what was observed."""
        names = ["row", "implementation", "version", "date", "verdict", "observed"]
        return pd.DataFrame([{name: getattr(cell, name) for name in names} for cell in self.cells])

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row for each rule, a column for each implementation."""
        order = [row.name for row in self.rows]
        columns = self.frame["implementation"].unique()
        return self.frame.pivot(index="row", columns="implementation", values="verdict").loc[order, columns]

    def __repr__(self) -> str:
        return self.verdicts.to_string()

    def _repr_html_(self) -> str:
        names = [str(name) for name in self.verdicts]
        heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in ["rule", *names])
        body = []
        for algorithm, rows in groupby(self.rows, key=lambda row: row.algorithm):
            body.append(f'<tr><th scope="rowgroup" colspan="{len(names) + 1}">{escape(algorithm)}</th></tr>')
            body += [self._row(row, len(names) + 1) for row in rows]
        title = f"Rules and implementations: {legend(self.frame['verdict'])}; empty: not there"
        return (
            f'<table class="dataframe conformance"><caption>{title}</caption>\n'
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{''.join(body)}</tbody></table>\n"
            f"{csv_link(self.frame.to_csv(index=False), 'conformance')}"
        )

    def _row(self, row: "Row", width: int) -> str:
        cells = [cell for cell in self.cells if cell.row == row.name]
        signs = "".join(
            f'<td class="{verdict_class(cell.verdict)}" title="{cell.implementation}: {cell.verdict}">'
            f"{SIGNS.get(cell.verdict, '')}</td>"
            for cell in cells
        )
        told = {"Read in": row.place, "Fed": row.fed, "Expected": row.expected}
        seen = "".join(f"<p><b>{name}:</b> {escape(text)}</p>" for name, text in told.items())
        seen += "".join(self._seen(cell) for cell in cells if cell.verdict != "not there" or cell.note)
        folded = f"<details><summary>{escape(row.rule)}</summary>{seen}</details>"
        return (
            f'<tr id="row-{row.name}"><th scope="row">{row.name}</th>{signs}</tr>\n'
            f'<tr><td colspan="{width}">{folded}</td></tr>\n'
        )

    def _seen(self, cell: "Cell") -> str:
        path = self.scripts.get((cell.row, cell.implementation))
        shown = f" <code>{path.name}</code>" if path else ""
        name = f"{cell.implementation} {cell.version}".strip()
        return f"<p>{badge(cell.verdict)} <b>{escape(name)}</b> {escape(cell.observed)}{shown}</p>"


def losses(experiments: Iterable[Any], runs: Sequence[Any]) -> pd.DataFrame:
    """What each deviation costs: mean scores of both sides, their difference, and whether it matters.

    Both are of `benchmarks.conformance.experiments`.
    """
    rows = {}
    for experiment in experiments:
        part = [run for run in runs if run.experiment == experiment.name]
        found = mean_against_zero(run.lost for run in part)
        rows[experiment.name] = {
            "implementation": experiment.implementation,
            "deviation": experiment.deviation,
            "deviating": sum(run.deviating for run in part) / len(part),
            "conforming": sum(run.conforming for run in part) / len(part),
            "lost": found.difference,
            "half_width": found.half_width,
            "verdict": _LOST[outcome(found.difference, found.half_width)],
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("experiment")
