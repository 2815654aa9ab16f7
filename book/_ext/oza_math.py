"""Sphinx extension that draws formulas when the book is built, so that no page needs a script for them.

MathJax writes each formula as SVG, in a JavaScript engine that is a Python package. A page contains the
outline of each letter once; its formulas refer to it. Screen readers are given MathML instead of the drawing.
"""

import importlib.metadata
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import quickjs
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number, wrap_displaymath
from sphinx.writers.html5 import HTML5Translator

log = logging.getLogger(__name__)

PARTS = ("core", "adaptors/liteDOM", "input/tex", "output/svg", "output/svg/fonts/tex")
START = """
var global = globalThis, files = FILES;
globalThis.MathJax = {
    loader: {
        paths: {mathjax: "mathjax"}, load: PARTS, require: path => (0, eval)(files[path]),
    },
    svg: {fontCache: "global"},
    tex: {packages: {"[-]": ["noundefined"]}},
    startup: {typeset: false},
};
"""
#: What the drawing of a formula says about its own parts, and names that HTML does not need.
NEEDLESS = re.compile(r' (?:data-[a-z-]+|focusable|jax|role|xmlns(?::xlink)?)="[^"]*"')
END = "</mjx-container>"
BETWEEN = re.compile(r">\s+<")
LETTER = re.compile(r' href="#(MJX-[^"]+)"')
#: Signs around a formula within a line.
BEFORE = re.compile(r'([(\[“]+)(<span class="math">)')
AFTER = re.compile(r"(</mjx-container>)(</span>)([-,.;:!?)\]”’%]+)")
OUTLINE = re.compile(r'<path id="(MJX-[^"]+)" d="[^"]*">')


class Typesetter:
    """MathJax in an engine of its own."""

    def __init__(self) -> None:
        package = importlib.metadata.distribution("sphinx-mathjax-offline")
        folder = Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))
        source = {f"mathjax/{part}.js": (folder / f"{part}.js").read_text("utf-8") for part in PARTS}
        self._engine = quickjs.Context()
        # The engine counts Sphinx's own stack, from where the engine was made, as if it were its own.
        self._engine.set_max_stack_size(4 * 2**20)
        self._engine.eval(START.replace("FILES", json.dumps(source)).replace("PARTS", json.dumps(PARTS)))
        self._engine.eval((folder / "startup.js").read_text("utf-8"))
        while self._engine.execute_pending_job():
            pass
        self._outlines: dict[str, str] = {}
        self.formula = cache(self._formula)

    def _formula(self, tex: str, is_display: bool) -> str:
        asked = f"({json.dumps(tex)}, {json.dumps({'display': is_display})})"
        drawn = self._html(f"MathJax.tex2svg{asked}").replace(" xlink:href=", " href=")
        if "data-mjx-error" in drawn:
            log.warning("MathJax refuses the formula %r", tex)
        spoken = BETWEEN.sub("><", self._text(f"MathJax.tex2mml{asked}"))
        drawn = drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)
        drawn = drawn.replace(END, f"<mjx-assistive-mml>{spoken}</mjx-assistive-mml>{END}")
        return NEEDLESS.sub("", drawn)

    def outlines(self, html: str) -> str:
        """Draw, invisibly, each letter to which the formulas of a page refer."""
        letters = sorted(set(LETTER.findall(html)))
        if not self._outlines.keys() >= set(letters):
            known = self._html("MathJax.startup.document.outputJax.fontCache.getCache()")
            self._outlines = {it[1]: it[0] + "</path>" for it in OUTLINE.finditer(known)}
        drawn = "".join(self._outlines[letter] for letter in letters)
        return f'<svg aria-hidden="true" style="display: none"><defs>{drawn}</defs></svg>' if drawn else ""

    def _html(self, node: str) -> str:
        return self._text(f"MathJax.startup.adaptor.outerHTML({node})")

    def _text(self, script: str) -> str:
        """What a script gives, joined: the package cannot read a text that the engine keeps in pieces."""
        return str(self._engine.eval(f"[{script}].join()"))


@cache
def typesetter() -> Typesetter:
    """The one of this process; it takes a third of a second to start."""
    return Typesetter()


def _visit_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(f'<span class="math">{typesetter().formula(node.astext(), False)}</span>')
    raise nodes.SkipNode


def _visit_displaymath(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    tex = node.astext() if node["nowrap"] else wrap_displaymath(node.astext(), None, False)
    self.body.append(f"{typesetter().formula(tex, True)}</div>\n")
    raise nodes.SkipNode


def joined(html: str) -> str:
    """Put signs into the formula beside them: a line would break between the two, as beside any picture."""
    return AFTER.sub(r"\1\3\2", BEFORE.sub(r"\2\1", html))


def _add_outlines(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if body := context.get("body"):
        context["body"] = joined(body) + typesetter().outlines(body)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("drawn", (_visit_math, None), (_visit_displaymath, None))
    app.connect("html-page-context", _add_outlines)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
