"""The scorecard: the recorded verdict on every claim and on every printed accuracy.

Table 3.1 is that of the topic `datasets`. What the first page of the book shows lies here too: online minus
batch accuracy, and every printed cell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from oza import __version__

from ..claims.cards import badge, scoreline, verdict_text
from ..claims.registry import Verdict
from ..claims.verdicts import OUTCOMES, recorded_folder, recorded_verdicts
from ..figures import GROUND, GUIDE, INK, SMALL, Picture, drawing
from ..printed.accuracy import joined_cells, marks_against_online, marks_against_single
from ..printed.layout import BASES, PRINTED_ACCURACIES, counterpart, layout
from ..printed.printed import EXCLUDED, label, printed
from ..printed.record import Record
from ..statistics import DIFFERING, JUDGED, mean_against_zero, outcomes
from ..studies.accuracy import FORMER_SETTINGS, GRIDS, size_of_protocol
from . import checks
from .datasets import table_3_1

#: Outcomes of claims and verdicts on cells, in the order in which they are counted.
CLAIM_OUTCOMES = (*OUTCOMES, "not judged yet")
#: Verdicts on cells: those that have a result of ours and a printed value, and count; then the others.
CELL_VERDICTS = (*JUDGED, "excluded", "no printed value", "not run")
KINDS = ("empirical", "theorem", "true by construction", "trivial")  # what a reproduction is for, first
#: For each page that compares printed numbers, the tables whose verdicts are counted.
_TABLES = {
    "bagging-decision-stumps": ("3.5",),
    "bagging-decision-trees": ("3.3",),
    "bagging-naive-bayes": ("3.4",),
    "bagging-neural-networks": ("3.6", "3.7"),
    "datasets": ("3.1",),
}
#: Tables of accuracies that have batch and online ensembles of one family, by family.
TABLES = {"bagging": ("3.3", "3.4", "3.5", "3.6", "3.7"), "boosting": ("4.1", "4.2", "4.3", "4.5", "4.6")}
_OUTCOMES = ["equal", "better", "worse", "undecided"]


@dataclass(frozen=True, eq=False)
class Scorecard:
    """What became of every claim, printed accuracy and mark of significance, and what that rests on."""

    claims: pd.DataFrame  # what is claimed, the rule, the outcome, its evidence, and the pages that judge
    record: Record  # where all else is read, once it is asked for

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Accuracies beside the printed ones, by table, data set and algorithm."""
        columns = ["mean", "standard_error", "half_width", "n_splits", "printed", "difference", "verdict"]
        return joined_cells(self.record.accuracies(*PRINTED_ACCURACIES))[columns]

    @cached_property
    def marks(self) -> pd.DataFrame:
        """Marks, also by `against`, "single" or "online": `ours`, by Welch's t-test, and `printed`."""
        marks = {
            (table, against): marks_of(cells)
            for table, cells in self.record.accuracies(*PRINTED_ACCURACIES).items()
            for against, marks_of in (("single", marks_against_single), ("online", marks_against_online))
        }
        compared = pd.concat(marks, names=["table", "against"])[["welch", "printed_mark", "verdict"]]
        return compared.rename(columns={"welch": "ours", "printed_mark": "printed"})

    @cached_property
    def protocol(self) -> pd.DataFrame:
        """Runs by study; costly cells leave out some of the `whole protocol`."""
        runs = {
            name: (len(self.record.results(name)), len(list(study.tasks("thesis"))), size_of_protocol(name))
            for name, study in GRIDS.items()
            if study.exhibits and name not in FORMER_SETTINGS
        }
        protocol = pd.DataFrame.from_dict(runs, "index", columns=["recorded", "planned", "whole protocol"])
        return protocol.rename_axis(index="study")

    def only(self, *outcomes: str) -> "Scorecard":
        return replace(self, claims=self.claims[self.claims["outcome"].isin(outcomes)])

    def of(self, claims: Sequence[str]) -> "Scorecard":
        return replace(self, claims=self.claims.loc[list(claims)])

    def claim_counts(self) -> pd.DataFrame:
        """Count the claims: a row for each kind, a column for each outcome and one for all of the kind.

        There is no row for all kinds: a fact that is true by construction holds whatever is found, and
        a sum would count it with what was put to the test.
        """
        counts = pd.crosstab(self.claims["kind"], self.claims["outcome"])
        counts = counts.reindex(index=KINDS, columns=CLAIM_OUTCOMES, fill_value=0)
        return counts.assign(all=counts.sum(axis=1)).rename_axis(index=None, columns=None)

    def cell_counts(self) -> pd.DataFrame:
        """Count the cells: a row for each table and one for all, and what share of those judged agrees."""
        return _counts(self.cells)

    def mark_counts(self) -> pd.DataFrame:
        """Count the marks of significance, as `cell_counts` counts the accuracies."""
        return _counts(self.marks)

    def protocol_counts(self) -> pd.DataFrame:
        """Count the runs: a row for each study and one for all, and what share of the planned is recorded."""
        counts = self.protocol.copy()
        counts.loc["all"] = counts.sum()
        counts.insert(2, "share", counts["recorded"] / counts["planned"])
        return counts.rename_axis(index=None)


def _counts(judged: pd.DataFrame) -> pd.DataFrame:
    counts = pd.crosstab(judged.index.get_level_values("table"), judged["verdict"].to_numpy())
    counts = counts.reindex(index=list(PRINTED_ACCURACIES), columns=CELL_VERDICTS, fill_value=0)
    counts.loc["all"] = counts.sum()
    share = counts["agrees"] / counts[[*JUDGED]].sum(axis="columns")
    return counts.assign(share=share).rename_axis(index=None, columns=None)


def scorecard(folder: Path | None = None) -> Scorecard:
    """Read the scorecard from recorded results; nothing is executed.

    A claim that no page has judged counts as "not judged yet", a cell without results as "not run". Results
    that come with the library are read where the usual folder has no verdicts.

    >>> len(scorecard().claims)
    151
    """
    folder = folder or recorded_folder()
    return Scorecard(judged_claims(folder), Record(folder=folder))


def judged_claims(folder: Path) -> pd.DataFrame:
    """Read the verdict on every claim from a folder of results: the `claims` of a `Scorecard`."""
    listed = printed("claims").rename(columns={"claim": "statement"}).set_index("id").rename_axis("claim")
    found = recorded_verdicts(folder).set_index("claim").reindex(listed.index)
    return listed[["kind", "source", "statement"]].assign(
        kind=[Verdict(claim, "", "").kind for claim in listed.index],
        rule=[checks()[claim].rule for claim in listed.index],
        outcome=found["outcome"].fillna("not judged yet"),
        evidence=found["evidence"].fillna(""),
        pages=found["page"].map(lambda page: [page] if isinstance(page, str) else []),
    )


def online_minus_batch(record: Record) -> pd.DataFrame:
    """Compare each online ensemble of the thesis with its batch counterpart, on each data set.

    `updates` of a network for each example are 0 for lossless learners, `difference` is online minus batch
    accuracy, `equivalence` by the rule of equality, with Holm's correction over the rows of a family with the
    same `updates`.

    >>> found = online_minus_batch(Record("smoke"))
    >>> sorted(found["family"].unique())
    ['bagging', 'boosting']
    """
    rows = []
    for family, tables in TABLES.items():
        for table in tables:
            base_model, columns, *_ = layout(table)
            online = counterpart(family, columns)
            updates = 0 if base_model != "neural_network" else 10 if online.endswith("_10") else 1
            cells = record.accuracy(table).xs(online, level="algorithm")
            cells = cells[cells["other_difference"].notna() & ~cells.index.isin(EXCLUDED)]
            numbers = cells[["other_difference", "other_half_width", "other_p_value"]]
            for dataset, *found in numbers.itertuples():
                rows.append((family, BASES[base_model], updates, label(dataset), *found))
    names = ["family", "base_model", "updates", "dataset", "difference", "half_width", "p_value"]
    gaps = pd.DataFrame(rows, columns=names)
    gaps["equivalence"] = outcomes(gaps, ["family", "updates"])
    return gaps.drop(columns=["half_width", "p_value"])


def effects(gaps: pd.DataFrame) -> pd.DataFrame:
    """Sum up what `online_minus_batch` found, by family and base model.

    Numbers of pairs of base model and data set by outcome, all `pairs`, and the mean `difference` over the
    data sets in percentage points with the `half_width` of its 95 % interval. "lossless" is the mean of
    the three lossless base models, taken on each data set first.

    >>> int(effects(online_minus_batch(Record("smoke"))).loc[("bagging", "lossless"), "pairs"])
    6
    """
    gaps = gaps.assign(
        learner=gaps["base_model"] + gaps["updates"].map({0: "", 1: ", 1 update", 10: ", 10 updates"})
    )
    rows = {}
    for family, of_family in gaps.groupby("family", sort=False):
        of_lossless = of_family[of_family["updates"] == 0].assign(learner="lossless")
        for learner, part in pd.concat([of_lossless, of_family]).groupby("learner", sort=False):
            found = mean_against_zero(100 * part.groupby("dataset")["difference"].mean())
            counts = part["equivalence"].value_counts().reindex(_OUTCOMES, fill_value=0)
            sizes = {"pairs": len(part), "difference": found.difference, "half_width": found.half_width}
            rows[family, learner] = {**counts, **sizes}
    return pd.DataFrame.from_dict(rows, "index").round(4).rename_axis(["family", "learner"])


def printed_cells(cells: pd.DataFrame) -> list[dict[str, Any]]:
    """List the judged cells of a `Scorecard` for the map of the first page."""
    shown = cells[cells["printed"].notna() & cells["verdict"].ne("no printed value")].reset_index()
    return [
        {
            "table": str(row["table"]),
            "dataset": label(row["dataset"]),
            "algorithm": row["algorithm"],
            "ours": None if pd.isna(row["mean"]) else round(row["mean"], 4),
            "printed": row["printed"],
            "verdict": row["verdict"],
        }
        for row in shown.to_dict("records")
    ]


def shares_in_percent(counts: pd.DataFrame) -> pd.DataFrame:
    """Write the column `share` of a table of counts in percent; "–" where nothing was counted."""
    return counts.assign(share=[f"{share:.0%}" if share == share else "–" for share in counts["share"]])


@dataclass(frozen=True, eq=False)
class ClaimList:
    """A list of claims in short rows, each with its rule, its evidence and its page folded."""

    claims: pd.DataFrame
    is_filtered: bool = False  # it has fields to filter it, which are not shown without scripts

    def __repr__(self) -> str:
        rows = self.claims[["outcome", "statement"]].itertuples(name=None)
        return "\n".join(f"{claim}  {outcome:14}  {statement}" for claim, outcome, statement in rows)

    def _repr_html_(self) -> str:
        counts = {str(name): int(n) for name, n in self.claims["outcome"].value_counts().items()}
        rows = "".join(_row(str(claim), row, self.is_filtered) for claim, row in self.claims.iterrows())
        fields = _fields(self.claims) if self.is_filtered else ""
        script = f"\n<script>{_FILTER}</script>" if self.is_filtered else ""
        return f'<div class="claim-list">\n{scoreline(counts)}\n{fields}{rows}</div>{script}'


#: Shows the rows that have what the fields ask for, whose number is read aloud.
_FILTER = """
(() => {
  const list = document.currentScript.closest("div:has(> .claim-list), body").querySelector(".claim-list");
  const fields = list.querySelector(".claim-fields"), [outcome, kind, words] = fields.elements;
  const rows = [...list.querySelectorAll("details")], shown = fields.querySelector("output");
  const filter = () => {
    const asked = words.value.toLowerCase();
    for (const row of rows)
      row.hidden = (outcome.value && row.dataset.outcome !== outcome.value)
        || (kind.value && row.dataset.kind !== kind.value) || !row.textContent.toLowerCase().includes(asked);
    shown.value = rows.filter(row => !row.hidden).length + " of " + rows.length + " shown";
  };
  fields.addEventListener("input", filter);
  fields.addEventListener("submit", event => event.preventDefault());
  fields.hidden = false;
  filter();
})();
"""


def _fields(claims: pd.DataFrame) -> str:
    def chosen(name: str, values: Sequence[str]) -> str:
        options = "".join(f"<option>{value}</option>" for value in values if value in set(claims[name]))
        return f'<label>{name} <select><option value="">all</option>{options}</select></label> '

    return (
        f'<form class="claim-fields" hidden>{chosen("outcome", CLAIM_OUTCOMES)}{chosen("kind", KINDS)}'
        '<label>words <input type="search"></label> <output></output></form>\n'
    )


def _row(claim: str, row: pd.Series, has_address: bool) -> str:
    links = ", ".join(f'<a href="{page}.html#{claim}">{page}</a>' for page in row["pages"])
    folded = {
        "Rule": escape(row["rule"]),
        "Evidence": escape(row["evidence"]),
        "Claimed in": escape(f"{row['source']} ({row['kind']})"),
        "Judged on": links,
    }
    paragraphs = [f"<p><b>{name}:</b> {text}</p>" for name, text in folded.items() if text]
    address = f' id="{claim}"' if has_address else ""
    return (
        f'<details{address} data-outcome="{row["outcome"]}" data-kind="{row["kind"]}">'
        f"<summary><b>{claim}</b> {badge(row['outcome'])} <span>{escape(row['statement'])}</span></summary>"
        f"{''.join(paragraphs)}</details>\n"
    )


def claim_list(card: Scorecard, is_filtered: bool = False) -> ClaimList:
    """List claims in short rows, each with its verdict; rule, evidence and pages are folded.

    The list of the scorecard is filtered: it has fields to filter it, and its rows have addresses.
    """
    return ClaimList(card.claims, is_filtered)


def scorecard_text(card: Scorecard) -> str:
    """Write the scorecard in plain text, as `python -m reproduction scorecard` prints it."""
    cells, marks, protocol = map(
        shares_in_percent, (card.cell_counts(), card.mark_counts(), card.protocol_counts())
    )
    parts = [
        f"Claims of the thesis, the KDD paper and the lectures, by kind\n{card.claim_counts().to_string()}",
        "Accuracies beside the printed ones, by table; share: of those that are compared, how many agree\n"
        f"{cells.to_string()}",
        difference_text(card.cells),
        "Marks of significance beside the printed ones, against the single model and batch against online\n"
        f"{marks.to_string()}",
        f"Runs by study; share: of those that are planned, how many are recorded\n{protocol.to_string()}",
    ]
    for claim, row in card.claims.iterrows():
        parts.append(verdict_text(Verdict(str(claim), *row[["outcome", "evidence", "rule"]]), *row["pages"]))
    return "\n\n".join(parts)


def scorecard_record(card: Scorecard) -> dict[str, Any]:
    """Give the scorecard as what `python -m reproduction scorecard --format json` prints."""
    cells = card.cells.astype(object)
    parts = {
        "claims": (card.claim_counts(), card.claims),
        "cells": (card.cell_counts().drop(columns="share"), cells.where(cells.notna(), None)),
        "marks": (card.mark_counts().drop(columns="share"), card.marks),
    }
    listed = {
        name: {"counts": counts.to_dict("index"), "list": rows.reset_index().to_dict("records")}
        for name, (counts, rows) in parts.items()
    }
    return {"oza": __version__, **listed, "protocol": card.protocol.to_dict("index")}


def cell_counts(record: Record) -> dict[str, dict[str, int]]:
    """Count the verdicts on the printed numbers that pages compare, page by page, for the front page.

    >>> cell_counts(Record())["datasets"]
    {'agrees': 59, 'no printed value': 4, 'differs': 1}
    """
    counts = {}
    for page, tables in _TABLES.items():
        cells = table_3_1().cells if tables == ("3.1",) else joined_cells(record.accuracies(*tables))
        counts[page] = {str(verdict): int(n) for verdict, n in cells["verdict"].value_counts().items()}
    return counts


def difference_map(cells: pd.DataFrame) -> Picture:
    """Map how far each of our accuracies lies from the printed one.

    A row for each data set with a printed value, a column for each table and algorithm. Numbers are
    percentage points, ours minus printed, on a ground that is the darker the larger they are: bold and framed
    where the cell differs, with a dashed frame where that is explained, in italics where it is undecided, in
    brackets where the cell is excluded. "?" is a cell that cannot be read, a dash one that we have not run.
    """
    difference, verdicts, theirs = (
        cells[column].unstack(["table", "algorithm"], sort=False)
        for column in ("difference", "verdict", "printed")
    )
    is_printed = theirs.notna().any(axis=1)
    points, verdicts = 100 * difference[is_printed], verdicts[is_printed]
    with drawing(110 + 30 * len(points), wide=True) as figure:
        axes = figure.subplots()
        axes.grid(visible=False)
        for (row, column), value in np.ndenumerate(points.to_numpy(float)):
            verdict = verdicts.iat[row, column]
            text, style = _mark(verdict, value)
            axes.text(column, row, text, ha="center", va="center", fontsize=SMALL, **style)
            tile = (column - 0.48, row - 0.46), 0.96, 0.92
            if verdict in JUDGED:
                # Opacity is logarithmic, so that 42 points and 5 do not look alike.
                strength = 0.35 * min(1.0, math.log1p(abs(value)) / math.log1p(40))
                axes.add_patch(Rectangle(*tile, facecolor=INK, alpha=strength, linewidth=0))
            if verdict in DIFFERING:
                look: Any = {"edgecolor": INK, "linestyle": "-" if verdict == "differs" else ":"}
                axes.add_patch(Rectangle(*tile, facecolor="none", linewidth=1.2, **look))
        tables = points.columns.get_level_values("table").to_list()
        names = [name.replace("_", "\n") for name in points.columns.get_level_values("algorithm")]
        axes.set_xticks(range(len(names)), names, fontsize=SMALL)
        axes.set_yticks(range(len(points)), map(label, points.index))
        for table in dict.fromkeys(tables):
            places = [k for k, other in enumerate(tables) if other == table]
            axes.text(float(np.mean(places)), -0.75, f"Table {table}", ha="center")
            axes.axvline(places[-1] + 0.5, color=GROUND, linewidth=4)
        axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(points) - 0.5, -0.5))
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    return Picture(figure, difference_text(cells), cells)


def _mark(verdict: Any, value: float) -> tuple[str, dict[str, Any]]:
    """Text of a cell of the heat map, and how it is written."""
    number, grey = f"{round(value, 1) + 0.0:+.1f}", {"color": GUIDE}
    if verdict in JUDGED:
        bold = {"fontweight": "bold"} if verdict in DIFFERING else {}
        return number, bold | ({"fontstyle": "italic"} if verdict == "undecided" else {})
    if verdict == "excluded" and not math.isnan(value):
        return f"({number})", grey
    return {"no printed value": "?", "excluded": "?", "not run": "–"}.get(verdict, ""), grey


def difference_text(cells: pd.DataFrame) -> str:
    judged = cells[cells["verdict"].isin(JUDGED)]
    if judged.empty:
        return "No cell with a printed value has a result yet."

    def listed(verdict: str) -> str:
        found = judged["difference"][judged["verdict"] == verdict]
        named = [f"{table} {label(name)} {algorithm}" for table, name, algorithm in found.index]
        return "; ".join(f"{n} {100 * d:+.1f}" for n, d in zip(named, found, strict=True)) or "none"

    are_explained = (judged["verdict"] == "explained").any()
    return (
        f"{(judged['verdict'] == 'agrees').sum()} of {len(judged)} cells agree, "
        f"{(judged['verdict'] == 'undecided').sum()} are undecided; those that differ, in points: "
        f"{listed('differs')}"
        + (f"; those that differ and are explained: {listed('explained')}." if are_explained else ".")
    )
