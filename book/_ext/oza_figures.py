"""Sphinx extension that makes the figures of this book part of its pages.

A figure is an SVG file whose colours are variables (`reproduction.figures`). In an `<img>` they would not
apply, so the file's text is put into the page. The style sheet `figures.css`, which is written here, defines
them for light and dark.

Directives
    {picture} notebook::name    a figure of an executed notebook, without a number; the content says what it
                                shows
"""

import html
import re
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

import nbformat
from docutils import nodes
from oza_failures import failure, guarded
from oza_styles import write_style
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from reproduction.figures import LEAST, NARROW, PHONE, TEXT, TOKENS

_PIXELS = 4 / 3  # of a point


def token_style() -> str:
    """The style sheet that defines the colours of figures for both schemes of the theme."""
    rules = []
    for scheme, place in (("light", 0), ("dark", 1)):
        lines = "".join(f"  --oza-{name}: {pair[place]};\n" for name, pair in TOKENS.items())
        rules.append(f'html[data-theme="{scheme}"] {{\n{lines}}}\n')
    return "\n".join(rules)


def inlined(svg: str, prefix: str, words: str) -> str:
    """A figure's file as part of a page.

    Parameters
    ----------
    svg : str
        Text of the file.
    prefix : str
        Comes before each id, so that ids of several figures differ.
    words : str
        Alternative text.

    Returns
    -------
    str
        An element of the class `oza-figure`. If the figure has several panels and is too wide for a phone,
        each of these is in it once more, hidden from readers of the alternative text: a narrow screen shows
        them one below another.
    """
    head, body = re.findall(r"<svg\b([^>]*)>(.*)</svg>", svg, re.DOTALL)[0]
    width, height = (float(x) for x in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)[0])
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(
        r'<defs>\s*<style type="text/css">.*?</style>\s*</defs>', "", body, count=1, flags=re.DOTALL
    )
    body = shortened(body)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", body)
    sizes = [float(x) for x in re.findall(r'<text style="font(?:-size)?: (?:[\w ]*? )?([\d.]+)px', body)]
    full = width * _PIXELS
    least = min(full, full * LEAST / (min(sizes, default=TEXT) * _PIXELS))
    boxes = re.findall(r'data-panels="([^"]*)"', head)
    stacked = _stacked(boxes[0], prefix, least / full) if boxes and round(full) > PHONE else ""
    floor = "" if stacked else f" min-width: {least:.0f}px"
    kind = ("wide " if full > NARROW else "") + ("stacks" if stacked else "scrolls")
    return (
        f'<div class="oza-figure {kind}" tabindex="0">'
        f'<svg role="img" aria-label="{html.escape(words)}" viewBox="0 0 {width:g} {height:g}" '
        f'style="width: {full:.0f}px;{floor}"><g id="{prefix}">{body}</g></svg>{stacked}</div>'
    )


def shortened(body: str) -> str:
    """A drawing without what nobody sees, which is half of a page with many figures."""
    for unseen, instead in (
        (r'<g id="[^"]*">', "<g>"),
        (r" font-family: 'DejaVu Sans'[^;\"]*;?", ""),  # that of the page
        (r' transform="rotate\(-?0(?:\.0+)? [^"]*\)"', ""),
        (r"(var\(--oza-[\w-]+), #\w+\)", r"\1)"),  # colours of a file that stands alone
        (r">\s*\n\s*<", "><"),
        (r"\s*\n\s*", " "),
        *[(r"<g>(<(?:path|use)[^>]*/>|<text[^>]*>[^<]*</text>)</g>", r"\1")] * 2,
    ):
        body = re.sub(unseen, instead, body)
    body = re.sub(r'(?<=[ "(])-?\d+\.\d{3,}(?=[ ")])', lambda it: f"{round(float(it[0]), 2):g}", body)
    return re.sub(r'\bd="[^"]*"', lambda path: re.sub(r" ?([MLCQz]) ?", r"\1", path[0]), body)


def _stacked(boxes: str, prefix: str, least: float) -> str:
    """The panels of a figure, each a drawing that shows a part of it and shrinks to `least` of its size."""
    parts = []
    for box in boxes.split():
        x, y, w, h = map(int, box.split(","))
        width = (w + 4) * _PIXELS
        style = f"width: {width:.0f}px; min-width: {width * least:.0f}px"
        parts.append(
            f'<svg viewBox="{x - 2} {y - 2} {w + 4} {h + 4}" style="{style}"><use href="#{prefix}"/></svg>'
        )
    return f'<div class="panels" aria-hidden="true">{"".join(parts)}</div>'


class InlineFigures(SphinxPostTransform):
    """Replace the SVG files of executed cells by their text, once each output has its format."""

    default_priority = 50
    formats = ("html",)

    def run(self, **_: Any) -> None:
        numbers = count(1)
        page = f"f{crc32(self.env.docname.encode()):x}"  # short, since hundreds of elements repeat it
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix != ".svg" or "jupyter_execute" not in path.parts:
                continue
            try:
                text = path.read_text(encoding="utf-8")
                raw = inlined(text, f"{page}-{next(numbers)}", image.get("alt", ""))
                image.replace_self(nodes.raw("", raw, format="html"))
            except Exception as error:
                image.replace_self(failure(f"The figure {path.name}", error, image))


class Picture(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        notebook, _, name = self.arguments[0].partition("::")
        path = Path(self.env.srcdir, "executed", f"{notebook}.ipynb")
        self.env.note_dependency(str(path))
        try:
            cell = figure_cell(path, name)
        except LookupError as error:
            raise self.error(str(error)) from None
        (svg,) = (it.data["image/svg+xml"] for it in cell.outputs if "image/svg+xml" in it.get("data", {}))
        drawn = inlined(svg, f"p{crc32(self.arguments[0].encode()):x}", cell.metadata.mystnb["image"]["alt"])
        shown = [nodes.raw("", drawn, format="html"), *self.parse_content_to_nodes()]
        width = {"full-width"}.intersection(cell.metadata.get("tags", ()))
        return [nodes.container("", *shown, classes=["picture", *width])]


def figure_cell(path: Path, name: str) -> nbformat.NotebookNode:
    """The cell of an executed notebook that shows the figure of this name."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.metadata.get("mystnb", {}).get("figure", {}).get("name") == name:
            return cell
    raise LookupError(f"no figure {name!r} in {path.name}")


def _write_tokens(app: Sphinx, config: Config) -> None:
    write_style(app, config, "figures", token_style())


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("picture", guarded(Picture))
    app.connect("config-inited", _write_tokens)
    app.add_post_transform(InlineFigures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
