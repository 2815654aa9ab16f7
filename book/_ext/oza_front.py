"""Sphinx extension for the first page.

Directives
    {numerals}                  three results with their denominators, from what the scorecard glued
    {gap-strip} bagging         online minus batch accuracy, a dot for each data set and base model; without
                                an argument for both families
    {cell-map}                  a map of all printed accuracies by verdict; each cell is a link to its table
    {bibtex} book thesis paper  how to cite, from CITATION.cff and references.bib

Roles
    {author}`name`              the authors, from CITATION.cff
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from oza_book import look_up, runs_of
from oza_failures import guarded
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from reproduction.paths import DATA
from reproduction.printed.layout import LETTERS, PRINTED_BASES, heading
from reproduction.printed.table import SIGNS, verdict_class

log = logging.getLogger(__name__)


#: Where each table of printed accuracies is shown.
ANCHORS = {
    "3.3": "executed/bagging-decision-trees.html#table-3-3-accuracy",
    "3.4": "executed/bagging-naive-bayes.html#table-3-4-accuracy",
    "3.5": "executed/bagging-decision-stumps.html#table-3-5-accuracy",
    "3.6": "executed/bagging-neural-networks.html#table-3-6-one-update-for-each-example",
    "3.7": "executed/bagging-neural-networks.html#table-3-7-ten-updates-for-each-example",
}


class Glued(SphinxDirective):
    """A directive that shows what the scorecard glued, or says that nothing was recorded."""

    def glued(self, name: str) -> Any:
        return look_up(runs_of(self.env), f"scorecard::{name}")

    def content_of(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        try:
            return [nodes.raw("", self.content_of(), format="html")]
        except LookupError as error:
            log.warning("%s", error, location=self.get_location())
            return []


class Numerals(Glued):
    def content_of(self) -> str:
        return first_numerals(self.glued)


def first_numerals(glued: Callable[[str], Any]) -> str:
    """The numbers of the first page, from what the scorecard glued."""
    gaps = glued("gaps")
    counts = {
        family: Counter(gap["equivalence"] for gap in gaps if gap["family"] == family and not gap["updates"])
        for family in ("bagging", "boosting")
    }
    return numerals(counts, glued("cells_agrees"), glued("cells_judged"))


def numerals(counts: Mapping[str, Mapping[str, int]], agrees: int, judged: int) -> str:
    """Three numbers, each over its denominator, with a sentence.

    Examples
    --------
    >>> 'of 3' in numerals({"bagging": {"equal": 2, "worse": 1}, "boosting": {"equal": 1}}, 5, 9)
    True
    """
    bagging, boosting = counts["bagging"], counts["boosting"]
    cards = [
        (
            bagging.get("equal", 0),
            sum(bagging.values()),
            "Online bagging is as accurate as bagging",
            f"found worse on {bagging.get('worse', 0)}, undecided on {bagging.get('undecided', 0)}",
        ),
        (
            boosting.get("equal", 0),
            sum(boosting.values()),
            "Online boosting is as accurate as boosting",
            f"found worse on {boosting.get('worse', 0)}, better on {boosting.get('better', 0)}, "
            f"undecided on {boosting.get('undecided', 0)}",
        ),
        (
            agrees,
            judged,
            "Printed accuracies agree with ours",
            "of those that can be compared, by the 95% interval of the difference",
        ),
    ]
    parts = [
        f'<div class="numeral"><p class="number">{n}<span> of {total}</span></p>'
        f"<p><strong>{text}</strong><br>{more}</p></div>"
        for n, total, text, more in cards
    ]
    return f'<div class="numerals">{"".join(parts)}</div>'


class GapStrip(Glued):
    optional_arguments = 1

    def content_of(self) -> str:
        families = self.arguments or ("bagging", "boosting")
        gaps = [gap for gap in self.glued("gaps") if not gap["updates"] and gap["family"] in families]
        if not gaps:
            return ""
        wide, narrow = (strip(gaps, width) for width in (688, 344))
        both = f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'
        return f'<figure class="gap-strip">{both}</figure>'


def strip(gaps: Sequence[Mapping[str, Any]], width: int) -> str:
    """Draw differences as dots above a scale in percentage points, a row for each family.

    Parameters
    ----------
    gaps : sequence of mapping
        Each with `family`, `base_model`, `dataset`, `difference` and `equivalence`.
    width : int
        In pixels.
    """
    points = [100 * gap["difference"] for gap in gaps]
    low, high = min(-2.0, *points) - 1.0, max(2.0, *points) + 1.0
    radius, left, right = 3.6, 8, 8

    def place(value: float) -> float:
        return left + (value - low) / (high - low) * (width - left - right)

    rows, top = [], 0.0
    for family in dict.fromkeys(gap["family"] for gap in gaps):
        mine = sorted(
            (gap for gap in gaps if gap["family"] == family), key=lambda gap: abs(gap["difference"])
        )
        placed: list[tuple[float, float]] = []
        dots = []
        for gap in mine:
            x, level = place(100 * gap["difference"]), 0
            while any((x - a) ** 2 + (level * radius - b) ** 2 < (2 * radius) ** 2 for a, b in placed):
                level += 1
            placed.append((x, level * radius))
            title = f"{gap['dataset']}, {gap['base_model']}: {100 * gap['difference']:+.1f} points, "
            title += gap["equivalence"]
            dots.append((x, level * radius, gap["equivalence"], title))
        height = max(y for _, y, *_ in dots) + 2 * radius
        base = top + 24 + height
        rows.append(
            f'<text x="{left}" y="{top + 15:.0f}" class="family">Online {family} minus {family}</text>'
            + "".join(
                f'<circle cx="{x:.1f}" cy="{base - radius - y:.1f}" r="{radius}" class="{family} {kind}">'
                f"<title>{html.escape(title)}</title></circle>"
                for x, y, kind, title in dots
            )
            + f'<line x1="{left}" x2="{width - right}" y1="{base:.1f}" y2="{base:.1f}" class="axis"/>'
        )
        top = base + 10
    step = 2 if width > 400 else 4
    ticks = [value for value in range(-40, 41, step) if low < value < high]
    scale = "".join(
        f'<text x="{place(value):.1f}" y="{top + 14:.0f}" text-anchor="middle">'
        f"{f'+{value}' if value > 0 else str(value).replace('-', '−')}</text>"
        for value in ticks
    )
    bounds = f'x="{place(-1):.1f}" y="0" width="{place(1) - place(-1):.1f}" height="{top:.0f}"'
    band = f'<rect {bounds} class="band"/>'
    n_equal = Counter(gap["family"] for gap in gaps if gap["equivalence"] == "equal")
    said = "; ".join(
        f"online {family}: {n_equal[family]} of {n_gaps} equal to batch"
        for family, n_gaps in Counter(gap["family"] for gap in gaps).items()
    )
    return (
        f'<svg viewBox="0 0 {width} {top + 40:.0f}" width="{width}" role="img" '
        f'aria-label="Differences of accuracy, a dot for each data set and base model. {html.escape(said)}.">'
        f"{band}{''.join(rows)}{scale}"
        f'<text x="{width / 2}" y="{top + 33:.0f}" text-anchor="middle">percentage points of accuracy; '
        "band: equal</text></svg>"
    )


class CellMap(Glued):
    def content_of(self) -> str:
        here = self.env.docname.rpartition("/")[0] or "."
        return cell_map(self.glued("printed_cells"), here)


def cell_map(cells: Iterable[Mapping[str, Any]], here: str) -> str:
    """A table of verdicts: rows are data sets, columns are printed columns; each cell is a link.

    Parameters
    ----------
    cells : iterable of mapping
        Each with `table`, `dataset`, `algorithm`, `ours`, `printed` and `verdict`.
    here : str
        Folder of the page, from which links start.
    """
    found = {(cell["dataset"], cell["table"], cell["algorithm"]): cell for cell in cells}
    columns = list(dict.fromkeys((table, algorithm) for _, table, algorithm in found))
    per_table = Counter(table for table, _ in columns)
    groups = "".join(
        f'<th colspan="{n}" scope="colgroup">Table {table}<br><span>{PRINTED_BASES[table]}</span></th>'
        for table, n in per_table.items()
    )
    heads = "".join(
        f'<th scope="col"><abbr title="{html.escape(heading(algorithm))}">{LETTERS[algorithm]}</abbr></th>'
        for _, algorithm in columns
    )
    rows = []
    for dataset in dict.fromkeys(name for name, *_ in found):
        row = []
        for table, algorithm in columns:
            cell = found.get((dataset, table, algorithm))
            if cell is None:
                row.append("<td></td>")
                continue
            ours = "no result" if cell["ours"] is None else f"ours {cell['ours']:.4f}"
            title = f"{dataset}, Table {table}, {heading(algorithm).lower()}: {ours}, printed "
            title += f"{cell['printed']:.4f}; {cell['verdict']}"
            said, target = html.escape(title), relpath(ANCHORS[table], here)
            sign = SIGNS.get(cell["verdict"], "–")
            row.append(
                f'<td class="{verdict_class(cell["verdict"])}">'
                f'<a href="{target}" title="{said}" aria-label="{said}">{sign}</a></td>'
            )
        rows.append(f'<tr><th scope="row">{html.escape(dataset)}</th>{"".join(row)}</tr>')
    if not rows:
        return ""
    return (
        '<div class="cell-map" tabindex="0" role="region" aria-label="Map of the printed accuracies"><table>'
        "<caption>✓ agrees, ✗ differs, ∵ explained, ? undecided, ∅ and – not counted. Columns: "
        "S single model, B bagging, O online bagging, o online single model.</caption>"
        f'<thead><tr><td rowspan="2"></td>{groups}</tr><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


class BibTeX(SphinxDirective):
    required_arguments = 1
    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        bibliography = (Path(self.env.srcdir) / "references.bib").read_text(encoding="utf-8")
        text = "\n\n".join(
            own_entry(_citation()) if key == "book" else entry_of(bibliography, key) for key in self.arguments
        )
        return [nodes.literal_block(text, text, language="bibtex")]


def _citation() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DATA.parent / "CITATION.cff").read_text(encoding="utf-8"))
    return found


def own_entry(citation: Mapping[str, Any]) -> str:
    """The book as a BibTeX entry, from CITATION.cff."""
    year = str(citation["date-released"])[:4]
    fields = {
        "author": f"{{{_authors(citation)}}}",
        "title": citation["title"],
        "version": citation["version"],
        "year": year,
    }
    lines = (f"  {name:7} = {{{value}}}," for name, value in fields.items())
    return "\n".join([f"@misc{{oza{year},", *lines, "}"])


def entry_of(bibliography: str, key: str) -> str:
    """One entry of a BibTeX file."""
    found = re.search(rf"^@\w+{{{re.escape(key)},\n.*?^}}$", bibliography, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"references.bib has no entry {key!r}")
    return found[0]


def _authors(citation: Mapping[str, Any]) -> str:
    names = [
        person.get("name") or f"{person['given-names']} {person['family-names']}"
        for person in citation["authors"]
    ]
    return " and ".join(names)


class Author(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.Text(_authors(_citation()))], []


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("numerals", guarded(Numerals))
    app.add_directive("gap-strip", guarded(GapStrip))
    app.add_directive("cell-map", guarded(CellMap))
    app.add_directive("bibtex", guarded(BibTeX))
    app.add_role("author", Author())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
