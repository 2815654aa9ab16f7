"""Which implementations do what the sources say, and what it costs where they do not."""

import json
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from ..claims.cards import badge
from ..paths import DATA
from ..printed.table import SIGNS, csv_link, legend, verdict_class
from ..statistics import mean_against_zero, outcome

_LOST = {"better": "lost", "worse": "gained", "equal": "equal", "undecided": "undecided"}
_RECORD = DATA / "results" / "conformance.csv"


def _in_words(part: str) -> pd.DataFrame:
    return pd.DataFrame(json.loads(_RECORD.with_suffix(".json").read_text(encoding="utf-8"))[part])


def rules() -> pd.DataFrame:
    """Rules by row: `algorithm`, `rule`, its `place` in the source, what is `fed` and what is `expected`."""
    return _in_words("rules").set_index("row")


def experiments() -> pd.DataFrame:
    """Experiments by name: `implementation`, `deviation`, `conforming` side, what is `fed`, `score`."""
    return _in_words("experiments").set_index("experiment")


def cells() -> pd.DataFrame:
    """What each implementation does about each row; `script` shows a deviation of a peer."""
    found = pd.read_csv(_RECORD, keep_default_na=False)
    numbers = ["; ".join(f"{k} {v:.4g}" for k, v in json.loads(each).items()) for each in found.pop("found")]
    found["observed"] = found["note"].where(found["note"] != "", numbers)
    return found.merge(_in_words("scripts"), "left", ["row", "implementation"]).fillna({"script": ""})


def runs() -> pd.DataFrame:
    """Scores of both sides of each experiment on ten streams, and what is `lost`."""
    path = _RECORD.with_name("conformance-experiments.csv")
    found = pd.read_csv(path, float_precision="round_trip")
    return found.assign(lost=found["conforming"] - found["deviating"])


@dataclass(frozen=True, eq=False)
class ConformanceTable:
    """Rules and implementations; below each rule, folded, what was fed and what was seen."""

    rules: pd.DataFrame
    cells: pd.DataFrame

    @property
    def frame(self) -> pd.DataFrame:
        """All cells, one a row, with what was observed."""
        return self.cells[["row", "implementation", "version", "date", "verdict", "observed"]]

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row for each rule, a column for each implementation."""
        columns = self.cells["implementation"].unique()
        wide = self.cells.pivot(index="row", columns="implementation", values="verdict")
        return wide.loc[self.rules.index, columns]

    def __repr__(self) -> str:
        return self.verdicts.to_string()

    def _repr_html_(self) -> str:
        names = [str(name) for name in self.verdicts]
        heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in ["rule", *names])
        body = []
        for algorithm, rows in self.rules.groupby("algorithm", sort=False):
            body.append(
                f'<tr><th scope="rowgroup" colspan="{len(names) + 1}">{escape(str(algorithm))}</th></tr>'
            )
            body += [self._row(row, len(names) + 1) for row in rows.itertuples()]
        title = f"Rules and implementations: {legend(self.frame['verdict'])}; empty: not there"
        return (
            f'<table class="dataframe conformance"><caption>{title}</caption>\n'
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{''.join(body)}</tbody></table>\n"
            f"{csv_link(self.frame.to_csv(index=False), 'conformance')}"
        )

    def _row(self, row: Any, width: int) -> str:
        cells = [*self.cells[self.cells["row"] == row.Index].itertuples()]
        signs = "".join(
            f'<td class="{verdict_class(cell.verdict)}" title="{cell.implementation}: {cell.verdict}">'
            f"{SIGNS.get(cell.verdict, '')}</td>"
            for cell in cells
        )
        told = {"Read in": row.place, "Fed": row.fed, "Expected": row.expected}
        seen = "".join(f"<p><b>{name}:</b> {escape(text)}</p>" for name, text in told.items())
        seen += "".join(_seen(cell) for cell in cells if cell.verdict != "not there" or cell.note)
        folded = f"<details><summary>{escape(row.rule)}</summary>{seen}</details>"
        return (
            f'<tr id="row-{row.Index}"><th scope="row">{row.Index}</th>{signs}</tr>\n'
            f'<tr><td colspan="{width}">{folded}</td></tr>\n'
        )


def _seen(cell: Any) -> str:
    shown = f" <code>{Path(cell.script).name}</code>" if cell.script else ""
    name = f"{cell.implementation} {cell.version}".strip()
    return f"<p>{badge(cell.verdict)} <b>{escape(name)}</b> {escape(cell.observed)}{shown}</p>"


def losses() -> pd.DataFrame:
    """What each deviation costs: mean scores of both sides, their difference, and whether it matters."""
    rows, scores = {}, runs()
    for name, experiment in experiments().iterrows():
        part = scores[scores["experiment"] == name]
        found = mean_against_zero(part["lost"])
        rows[name] = {
            "implementation": experiment["implementation"],
            "deviation": experiment["deviation"],
            "deviating": sum(part["deviating"]) / len(part),
            "conforming": sum(part["conforming"]) / len(part),
            "lost": found.difference,
            "half_width": found.half_width,
            "verdict": _LOST[outcome(found.difference, found.half_width)],
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("experiment")
