"""The scorecard: the recorded verdict on every claim and on every printed accuracy."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from oza import __version__

from ..claims.cards import badge, scoreline, verdict_text
from ..claims.registry import Verdict
from ..claims.verdicts import OUTCOMES, recorded_folder, recorded_verdicts
from ..printed.accuracy import joined_cells, marks_against_online, marks_against_single
from ..printed.differences import difference_text
from ..printed.layout import PRINTED_ACCURACIES
from ..printed.printed import printed
from ..printed.record import Record
from ..statistics import JUDGED
from ..studies.accuracy import FORMER_SETTINGS, GRIDS, size_of_protocol
from ..topics import checks
from ..topics.datasets import table_3_1

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
    listed = printed("claims")
    found = recorded_verdicts(folder).set_index("claim").to_dict("index")
    rows = [
        {
            "claim": row["id"],
            "kind": Verdict(row["id"], "", "").kind,
            "source": row["source"],
            "statement": row["claim"],
            "rule": checks()[row["id"]].rule,
            **_outcome(found.get(row["id"])),
        }
        for row in listed.to_dict("records")
    ]
    return pd.DataFrame(rows).set_index("claim")


def _outcome(verdict: dict[Any, Any] | None) -> dict[str, Any]:
    if verdict is None:
        return {"outcome": "not judged yet", "evidence": "", "pages": []}
    return {"outcome": verdict["outcome"], "evidence": verdict["evidence"], "pages": [verdict["page"]]}


# ------------------------------------------------------------------------------ for the page


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


# ------------------------------------------------------------------------------ for the command


def scorecard_text(card: Scorecard) -> str:
    """Write the scorecard in plain text, as `python -m reproduction scorecard` prints it."""
    cells, marks, protocol = map(
        shares_in_percent, (card.cell_counts(), card.mark_counts(), card.protocol_counts())
    )
    parts = [
        "Claims of the thesis, the KDD paper and the lectures, by kind",
        card.claim_counts().to_string(),
        "",
        "Accuracies beside the printed ones, by table; share: of those that are compared, how many agree",
        cells.to_string(),
        "",
        difference_text(card.cells),
        "",
        "Marks of significance beside the printed ones, against the single model and batch against online",
        marks.to_string(),
        "",
        "Runs by study; share: of those that are planned, how many are recorded",
        protocol.to_string(),
    ]
    for claim, row in card.claims.iterrows():
        parts += ["", verdict_text(Verdict(str(claim), *row[["outcome", "evidence", "rule"]]), *row["pages"])]
    return "\n".join(parts)


def scorecard_record(card: Scorecard) -> dict[str, Any]:
    """Give the scorecard as what `python -m reproduction scorecard --format json` prints."""
    cells = card.cells.reset_index().astype(object)
    return {
        "oza": __version__,
        "claims": {
            "counts": card.claim_counts().to_dict("index"),
            "list": card.claims.reset_index().to_dict("records"),
        },
        "cells": {
            "counts": card.cell_counts().drop(columns="share").to_dict("index"),
            "list": cells.where(cells.notna(), None).to_dict("records"),
        },
        "marks": {
            "counts": card.mark_counts().drop(columns="share").to_dict("index"),
            "list": card.marks.reset_index().to_dict("records"),
        },
        "protocol": card.protocol.to_dict("index"),
    }


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
