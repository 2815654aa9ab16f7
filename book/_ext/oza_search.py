"""Sphinx extension for the search of the book, which also works when the book is opened as files.

The search finds the figures, tables, statements and sections of the sources by their numbers. Below a result
it shows the words around the first match: browsers let no page read another one from a disk, so the text of
the pages comes as a script, which only the page of the search loads.
"""

import json
import re
from functools import cache
from html.entities import html5
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from reproduction.paths import DATA

#: Of the text of a page, in characters; most pages are shorter.
LONGEST = 12_000

#: By page, of those that are written in this run.
_TEXTS: dict[str, str] = {}

SHOW = """
(() => {
    const WIDTH = 180, results = document.getElementById("search-results");
    const excerpt = text => {
        const fields = [...document.querySelectorAll('input[name="q"]')];
        const asked = fields.map(field => field.value).find(Boolean) ?? "";
        const lower = text.toLowerCase();
        const words = asked.toLowerCase().split(/\\s+/).filter(Boolean).sort((a, b) => b.length - a.length);
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


def _keep_entries(app: Sphinx, env: BuildEnvironment) -> None:
    """Read the entries of the last build, which Sphinx 7 forgets for pages that it does not write again."""
    path = Path(app.outdir) / "searchindex.js"
    if app.builder.format == "html" and path.exists():
        former = json.loads(path.read_text(encoding="utf-8").removeprefix("Search.setIndex(").rstrip(")"))
        for entry, places in former["indexentries"].items():
            for page, anchor, is_main in places:
                name = former["docnames"][page]
                if name in env.found_docs:
                    kept = env._search_index_index_entries.setdefault(name, [])
                    kept.append((entry, anchor, "main" if is_main else ""))


def text_of(doctree: nodes.document) -> str:
    """The titles and the prose of a page whose references are resolved, without code and without markup."""
    parts = doctree.findall(lambda node: isinstance(node, nodes.paragraph | nodes.title))
    texts = (" ".join(_plain(it).split()) + "." * isinstance(it, nodes.title) for it in parts)
    return " ".join(texts)[:LONGEST]


def _plain(node: nodes.Node) -> str:
    if isinstance(node, nodes.math):
        return _formula(node.astext())
    if isinstance(node, nodes.raw | nodes.system_message):
        return ""
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(_plain, node.children))


def _formula(latex: str) -> str:
    """A formula of letters and signs as it is read, and three dots for one that needs more than a line."""
    line = re.sub(r"\\([A-Za-z]+)", lambda found: html5.get(f"{found[1]};", found[0]), latex)
    return "…" if re.search(r"[\\{}]", line) else line


def _keep_text(app: Sphinx, doctree: nodes.document, page: str) -> None:
    _TEXTS[page] = text_of(doctree)


def _write_texts(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        path, opening = Path(app.outdir) / "_static" / "excerpts.js", "const TEXTS = "
        former = path.read_text(encoding="utf-8") if path.exists() else f"{opening}{{}};\n"
        texts = json.loads(former.partition(";\n")[0].removeprefix(opening))  # of pages that did not change
        texts |= _TEXTS
        texts = {page: texts[page] for page in sorted(app.env.found_docs & texts.keys())}
        path.write_text(f"{opening}{json.dumps(texts, ensure_ascii=False)};\n{SHOW}", encoding="utf-8")


def _load_texts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if page == "search":
        app.add_js_file("excerpts.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-updated", _keep_entries)
    app.connect("doctree-resolved", _keep_text, priority=900)  # when references have their words
    app.connect("doctree-resolved", _index_places)
    app.connect("html-page-context", _load_texts)
    app.connect("build-finished", _write_texts)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
