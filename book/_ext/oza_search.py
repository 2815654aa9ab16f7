"""Sphinx extension for the search of the book, which also works when the book is opened as files.

The search finds the figures, tables, statements and sections of the sources by their numbers. Below a result
it shows the words around the first match: browsers let no page read another one from a disk, so the text of
the pages comes as a script, which only the page of the search loads.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from reproduction.paths import DATA

#: Of the text of a page, in characters; most pages are shorter.
LONGEST = 12_000

SHOW = """
(() => {
    const WIDTH = 180, results = document.getElementById("search-results");
    const excerpt = text => {
        const fields = [...document.querySelectorAll('input[name="q"]')];
        const asked = fields.map(field => field.value).find(Boolean) ?? "";
        const words = asked.toLowerCase().split(/\\s+/).filter(Boolean), lower = text.toLowerCase();
        const places = [asked.toLowerCase(), ...words].map(word => lower.indexOf(word)).filter(at => at >= 0);
        const start = Math.max(0, text.lastIndexOf(" ", (places[0] ?? 0) - WIDTH / 3) + 1);
        const end = text.indexOf(" ", start + WIDTH);
        return (start ? "… " : "") + text.slice(start, end < 0 ? undefined : end) + (end < 0 ? "" : " …");
    };
    const add = item => {
        const page = item.querySelector("a")?.getAttribute("href").split("#")[0].replace(/\\.html$/, "");
        if (!(page in TEXTS) || item.querySelector(".excerpt")) return;
        const line = item.appendChild(document.createElement("p"));
        line.className = "excerpt";
        line.textContent = excerpt(TEXTS[page]);
    };
    new MutationObserver(() => results.querySelectorAll("li").forEach(add))
        .observe(results, {childList: true, subtree: true});
})();
"""


@cache
def _places() -> pd.DataFrame:
    return pd.read_csv(DATA / "reference" / "places.csv")


def _index_places(app: Sphinx, doctree: nodes.document, page: str) -> None:
    places = _places()[_places()["page"] == page]
    entries = [("single", it.item, it.anchor, "main", None) for it in places.itertuples()]
    doctree += addnodes.index(entries=entries)


def text_of(doctree: nodes.document) -> str:
    """The prose of a page that has just been read: messages to its author are still in it."""
    paragraphs = (
        it for it in doctree.findall(nodes.paragraph) if not isinstance(it.parent, nodes.system_message)
    )
    return " ".join(" ".join(it.astext().split()) for it in paragraphs)[:LONGEST]


def _keep_text(app: Sphinx, doctree: nodes.document) -> None:
    app.env.metadata[app.env.docname]["text"] = text_of(doctree)


def _write_texts(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        texts = {name: app.env.metadata[name]["text"] for name in sorted(app.env.found_docs)}
        script = f"const TEXTS = {json.dumps(texts, ensure_ascii=False)};\n{SHOW}"
        (Path(app.outdir) / "_static" / "excerpts.js").write_text(script, encoding="utf-8")


def _load_texts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if page == "search":
        app.add_js_file("excerpts.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", _keep_text, priority=900)  # when a lesson knows its minutes
    app.connect("doctree-resolved", _index_places)
    app.connect("html-page-context", _load_texts)
    app.connect("build-finished", _write_texts)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
