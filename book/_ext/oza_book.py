"""Sphinx extension of this book.

Roles
    {val}`notebook::name:.3f`   a value that an executed notebook glued, formatted; the notebook may be
                                omitted if the name is unique
    {build}`commit`             a fact about this build: commit, date, machine, python, or the version of
                                an installed package

Directives
    {notebook-table}            every executed notebook with its parameters and running time
    {verdict-table}             the recorded verdicts of every page that has some, counted
    {counts} notebook::name     a table that a notebook glued as a mapping of rows to columns to counts
    {verdict}`C045`             the recorded verdict on a claim, coloured, linked to where it is judged
    {audit-table} verdict       points of the second audit, each with the answer and what became of verdicts
    {places-table} thesis       every figure, table, statement and section of a document, or every slide, with
                                a link to its place in the book
    {claim-table} KDD           the claims whose source begins like this, each with its recorded verdict and
                                the pages that judge it

Repairs
    Icons are drawn by a style sheet with those that pages use, instead of a script with two thousand, and
    only the page of the search loads its index. sphinx-thebe, which causes console errors on every page and
    loads from a content delivery network, is removed. Ids that a page has twice are removed, and the side bar
    becomes a landmark.
"""

import ast
import datetime
import gc
import html
import importlib.metadata
import json
import os
import platform
import re
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files
from os.path import relpath
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from oza_failures import guarded
from oza_styles import write_style
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from reproduction.claims.verdicts import OUTCOMES, recorded_counts, recorded_verdicts
from reproduction.paths import DATA
from reproduction.printed.table import signed, verdict_class
from reproduction.record.store import processor, results_folder
from reproduction.topics.rule_changes import second_audit
from reproduction.topics.scorecard import CELL_VERDICTS, judged_claims

log = logging.getLogger(__name__)

GLUED = "application/papermill.record/text/plain"


# ------------------------------------------------------------------------------ executed notebooks


@dataclass(frozen=True)
class Run:
    """An executed notebook: its glued values and, for a published run, its parameters and times."""

    name: str
    values: dict[str, Any]
    parameters: dict[str, Any]
    start: str | None
    seconds: float | None


def read_runs(folder: Path) -> list[Run]:
    """All executed notebooks of a folder, in the order of their names."""
    runs = []
    for path in sorted(folder.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        run = notebook["metadata"].get("oza_run", {})
        runs.append(
            Run(path.stem, _glued(notebook), run.get("parameters", {}), run.get("start"), run.get("seconds"))
        )
    return runs


def _glued(notebook: dict[str, Any]) -> dict[str, Any]:
    values = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            text = "".join(output.get("data", {}).get(GLUED, ""))
            if name and text:
                try:
                    values[name] = ast.literal_eval(text)
                except (SyntaxError, ValueError):  # a figure or a table: myst-nb's own glue shows those
                    continue
    return values


def look_up(runs: list[Run], key: str) -> Any:
    """The value glued as `name` or `notebook::name`; a LookupError lists alternatives."""
    notebook, _, name = key.rpartition("::")
    found = {run.name: run.values[name] for run in runs if name in run.values and notebook in ("", run.name)}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        first, *_ = found
        raise LookupError(f"{name!r} is glued by {', '.join(found)}; say which, as in {first}::{name}")
    raise LookupError(f"no executed notebook glued {key!r}")


def runs_of(env: BuildEnvironment) -> list[Run]:
    """The executed notebooks of the book, read once for each page that shows results of them."""
    env.note_reread()  # a page with results is processed again at every build
    if "oza_runs" not in env.temp_data:  # which Sphinx empties after each page
        env.temp_data["oza_runs"] = read_runs(Path(env.srcdir) / "executed")
    found: list[Run] = env.temp_data["oza_runs"]
    return found


def formatted(runs: list[Run], key: str) -> str:
    """The value of `notebook::name:specification`, or without the specification, as text."""
    name, specification = key, ""
    if (cut := key.replace("::", "  ").rfind(":")) >= 0:
        name, specification = key[:cut], key[cut + 1 :]
    return re.sub(r"^-(?=\d)", "−", format(look_up(runs, name), specification))


class Value(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            text = formatted(runs_of(self.env), self.text)
        except (LookupError, TypeError, ValueError) as error:
            log.warning("%s", error, location=self.get_location())
            text = "??"
        return [nodes.inline(text, text, classes=["val"])], []


class NotebookTable(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        lines = ["| Notebook | Parameters | Started (UTC) | Seconds |", "| --- | --- | --- | --: |"]
        for run in runs_of(self.env):
            parameters = ", ".join(f"`{k} = {v!r}`" for k, v in run.parameters.items()) or "its own"
            start = run.start[:16].replace("T", " ") if run.start else "stored outputs"
            seconds = "" if run.seconds is None else f"{run.seconds:.0f}"
            lines.append(f"| {{doc}}`/executed/{run.name}` | {parameters} | {start} | {seconds} |")
        return self.parse_text_to_nodes("\n".join(lines))


# Verdicts on printed numbers, then on claims, in the order in which the front page explains them.
MARKS = (*CELL_VERDICTS, *OUTCOMES)


class VerdictTable(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        shown = {run.name for run in runs_of(self.env)}
        lines = verdict_lines({k: v for k, v in recorded_counts(results_folder()).items() if k in shown})
        return self.parse_text_to_nodes("\n".join(lines))


def verdict_lines(counts: dict[str, dict[str, dict[str, int]]]) -> list[str]:
    """A table of counts, a row for each page and a column for each verdict that occurs.

    Verdicts on printed numbers come first, then those on claims.
    """
    columns = [
        (kind, mark)
        for kind, marks in (("cells", CELL_VERDICTS), ("claims", OUTCOMES))
        for mark in marks
        if any(mark in row[kind] for row in counts.values())
    ]
    heads = (mark_text(mark) + _OF.get((kind, mark), "") for kind, mark in columns)
    lines = [f"| Page | {' | '.join(heads)} |", f"| --- |{' --: |' * len(columns)}"]
    for page, row in counts.items():
        cells = (str(row[kind].get(mark, "")) for kind, mark in columns)
        lines.append(f"| {{doc}}`/executed/{page}` | {' | '.join(cells)} |")
    return lines if counts else ["No verdict is on record yet."]


# The one verdict that printed numbers and claims have in common.
_OF = {("cells", "undecided"): " (number)", ("claims", "undecided"): " (claim)"}


def mark_text(mark: str) -> str:
    """A verdict in Markdown, with its sign, coloured."""
    return f"[{signed(mark, mark)}]{{.{verdict_class(mark)}}}"


class RecordedVerdict(SphinxRole):
    """The verdict on a claim as it stands on record, with a link to the card that judges it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        found = recorded_verdicts(results_folder()).set_index("claim")
        if self.text not in found.index:
            log.warning("claim %r has no verdict on record", self.text, location=self.get_location())
            return [nodes.inline("??", "??")], []
        page, outcome = (str(found.loc[self.text, name]) for name in ("page", "outcome"))
        here = self.env.docname.rpartition("/")[0]
        target = relpath(f"executed/{page}", here or ".")
        text = signed(outcome, outcome)
        name = nodes.inline(text, text, classes=[verdict_class(outcome)])
        return [nodes.reference("", "", name, refuri=f"{target}.html#{self.text}", internal=True)], []


class Counts(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            lines = count_lines(look_up(runs_of(self.env), self.arguments[0]))
        except (LookupError, AttributeError) as error:
            log.warning("%s", error, location=self.get_location())
            return []
        return self.parse_text_to_nodes("\n".join(lines))


def count_lines(counts: dict[str, dict[str, Any]]) -> list[str]:
    """A table of glued counts; columns named after a verdict have its colour."""
    columns = list(next(iter(counts.values())))
    heads = (mark_text(name) if name in MARKS else name for name in columns)
    lines = [f"| | {' | '.join(heads)} |", f"| --- |{' --: |' * len(columns)}"]
    return lines + [
        f"| {name} | {' | '.join(str(row[c]) for c in columns)} |" for name, row in counts.items()
    ]


class AuditTable(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes("\n".join(audit_lines(second_audit(self.arguments[0]))))


def audit_lines(points: pd.DataFrame) -> list[str]:
    """A table of the points of an audit; a column of verdicts if the points are about some."""
    shown = points if points["outcomes"].any() else points.drop(columns="outcomes")
    heads = ["verdicts" if name == "outcomes" else str(name) for name in shown]
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    return lines + [f"| {' | '.join(row)} |" for row in shown.itertuples(index=False, name=None)]


class ClaimTable(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        shown = {run.name for run in runs_of(self.env)}
        return self.parse_text_to_nodes(
            "\n".join(claim_lines(judged_claims(results_folder()), self.arguments[0], shown))
        )


def claim_lines(claims: pd.DataFrame, source: str, shown: Collection[str]) -> list[str]:
    """A table of the claims of a source, a row for each, with links to those pages that are shown."""
    lines = ["| Claim | What it says | Verdict | Page |", "| --- | --- | --- | --- |"]
    for number, claim in claims[claims["source"].str.startswith(source)].iterrows():
        outcome = claim["outcome"]
        pages = ", ".join(f"{{doc}}`/executed/{page}`" for page in claim["pages"] if page in shown)
        lines.append(f"| {number} | {claim['statement']} | {mark_text(outcome)} | {pages} |")
    return lines


class PlacesTable(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        places = pd.read_csv(DATA / "reference" / "places.csv")
        items = places[places["document"] == self.arguments[0]]
        here = self.env.docname.rpartition("/")[0] or "."
        return self.parse_text_to_nodes("\n".join(place_lines(items, here)))


def place_lines(items: pd.DataFrame, here: str) -> list[str]:
    """A table of pages with the items that have their place there; `here` is the folder of the table."""
    lines = ["| Page | Items |", "| --- | --- |"]
    for page, part in items.groupby("page", sort=False):
        address = f"{relpath(str(page), here)}.html"
        links = (
            f'<a href="{address}#{anchor}">{html.escape(item)}</a>'
            for item, anchor in zip(part["item"], part["anchor"], strict=True)
        )
        lines.append(f"| {{doc}}`/{page}` | {'; '.join(links)} |")
    return lines


# ------------------------------------------------------------------------------ facts about the build


def _commit(top: Path) -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, cwd=top, text=True, capture_output=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or an unpacked archive
        return "unknown"


class BuildFact(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.note_reread()
        match self.text:
            case "commit":
                text = _commit(Path(self.env.srcdir).parent)
            case "date":
                text = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
            case "machine":
                text = f"{processor()}, {os.cpu_count()} cores, {platform.system()}"
            case "python":
                text = platform.python_version()
            case package:
                try:
                    text = importlib.metadata.version(package)
                except importlib.metadata.PackageNotFoundError:
                    log.warning("no build fact and no package %r", package, location=self.get_location())
                    text = "??"
        return [nodes.inline(text, text, classes=["build"])], []


# ------------------------------------------------------------------------------ repairs


def _leave_out_thebe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Remove the scripts and styles of sphinx-thebe, which declare one constant twice."""

    def wanted(asset: Any) -> bool:
        body = str(getattr(asset, "attributes", {}).get("body", ""))
        return "thebe" not in f"{getattr(asset, 'filename', asset)} {body}".lower()

    for key in ("script_files", "css_files"):
        context[key] = [asset for asset in context[key] if wanted(asset)]


def _make_ids_unique(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Remove ids that a page has twice; sphinx-proof and sphinx-exercise give one to every box's content."""
    seen: set[str] = set()
    for element in doctree.findall(nodes.Element):
        ids = [name for name in element.get("ids", []) if name not in seen and not name.endswith("-content")]
        seen.update(ids)
        if "ids" in element:
            element["ids"] = ids


#: The icons of the theme's buttons; tests find one that is missing.
ICONS = (
    *("angle-left", "angle-right", "arrow-up", "bars", "chevron-down", "circle-half-stroke", "download"),
    *("expand", "file", "file-pdf", "list", "magnifying-glass", "moon", "sun"),
)


def icon_rules(script: str) -> str:
    """A style sheet that draws icons, with the outlines that a script of Font Awesome contains."""
    rules = [".fa-solid, .fas { background: currentcolor; display: inline-block; height: 1em; width: 1.25em;"]
    rules += ["  mask: var(--icon) center / contain no-repeat; vertical-align: -0.125em; }"]
    rules += [".fa-lg { font-size: 1.25em; }"]
    for name in ICONS:
        # The solid set is the last of those in the script.
        *_, (width, height, outline) = re.findall(
            rf'[{{,]"?{name}"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"\]', script
        )
        box = f"xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'"
        drawn = f"%3Csvg {box}>%3Cpath d='{outline}'/>%3C/svg>"
        rules.append(f'.fa-{name} {{ --icon: url("data:image/svg+xml,{drawn}"); }}')
    return "\n".join(rules) + "\n"


def _draw_icons(app: Sphinx, config: Config) -> None:
    scripts = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static" / "scripts"
    write_style(app, config, "icons", icon_rules((scripts / "fontawesome.js").read_text("utf-8")))


#: What the theme and docutils write, and what is better for screen readers, or lighter.
_INSTEAD = {
    ' role="doc-biblioentry"': "",
    '<div role="list" class="citation-list">': '<div class="citation-list">',
    '<div id="pst-primary-sidebar" class=': (
        '<div id="pst-primary-sidebar" role="complementary" aria-label="Contents of the book" class='
    ),
}
_ICONS, _SEARCH = (
    re.compile(rf'<script[^>]* src="[^"]*(?:{names})\.js[^>]*></script>')
    for names in ("/fontawesome", "/searchtools|/language_data|searchindex")
)


def _write_in_parallel(app: Sphinx, env: BuildEnvironment) -> None:
    """Use all processors once the pages are read, which sphinx-proof does not allow to do in parallel."""
    app.parallel = os.cpu_count() or 1  # for which Jupyter Book has no option


def _finish_pages(app: Sphinx, error: Exception | None) -> None:
    """Put the side bar into a landmark, and remove roles and scripts that pages do not need."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            found = text
            for written, instead in _INSTEAD.items():
                found = found.replace(written, instead)
            found = _ICONS.sub("", found)
            if path.name != "search.html":
                found = _SEARCH.sub("", found)
            if found != text:
                path.write_text(found, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    gc.disable()  # its search through the millions of nodes of the pages would take half of a build
    app.add_role("val", Value())
    app.add_role("verdict", RecordedVerdict())
    app.add_role("build", BuildFact())
    app.add_directive("notebook-table", guarded(NotebookTable))
    app.add_directive("audit-table", guarded(AuditTable))
    app.add_directive("claim-table", guarded(ClaimTable))
    app.add_directive("places-table", guarded(PlacesTable))
    app.add_directive("verdict-table", guarded(VerdictTable))
    app.add_directive("counts", guarded(Counts))
    app.connect("html-page-context", _leave_out_thebe, priority=900)
    app.connect("doctree-resolved", _make_ids_unique)
    app.connect("config-inited", _draw_icons)
    app.connect("env-updated", _write_in_parallel)
    app.connect("build-finished", _finish_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
