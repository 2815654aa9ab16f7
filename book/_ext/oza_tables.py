"""Sphinx extension: how the outputs of notebooks look on a page.

Tables
    Every table of a notebook gets a box to scroll in, one row of headers where pandas writes two, a scope for
    each header, and a link to its cells as comma-separated values.  Missing numbers, negative zeros and our
    own names of data sets and algorithms are shown as a reader expects them.  The caption is that of the
    table, or the cell's metadata `{"table": {"caption": "..."}}`.  Tables are numbered through the book.

Source
    The source of a cell that is tagged `hide-input` is a quiet link below the output, also where the cell is
    tagged `hide-cell` and both are folded.
"""

import csv
import io
import re
from collections.abc import Iterator
from html import escape
from itertools import count, pairwise, takewhile
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform

from oza.datasets import list_datasets
from reproduction.printed.layout import ACCURACIES, heading
from reproduction.printed.printed import label
from reproduction.printed.table import SIGNS, csv_link, signed, verdict_class


def _in_a_row(column: str) -> str:
    name = heading(column)
    return name[0].lower() + name[1:]


#: Names of ours as readers know them; those that are not listed lose their underscores.
NAMES = {
    **{name: label(name) for name in list_datasets()},
    **{column: _in_a_row(column) for table in ACCURACIES.values() for column in table.columns},
    "naive_bayes": "Naive Bayes",
    "naive bayes": "Naive Bayes",
    "P_u": "Pᵤ",
    "neural_network_10": "neural network, 10 updates",
    "dataset": "data set",
    "n_train": "training examples",
    "p_value": "p",
    "half_width": "half-width",
}

#: What the columns are, where their names say it by themselves.
PLAIN = ("dataset", "data set", "algorithm", "variant", "implementation", "stream", "form")

_NUMBER = r"[+-]?[\d.]+(e[+-]?\d+)?%?"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MISSING = ("NaN", "nan", "None", "<NA>", "NaT")
_ANSWERS = {"True": "yes", "False": "no"}
_LONG = 40  # letters of a cell that wraps


def tidied(html: str, caption: str = "", name: str = "table") -> str:
    """Tidy the tables in a piece of HTML, and put each into a box of its own.

    Parameters
    ----------
    html : str
    caption : str, default=""
        Caption of tables that have none.
    name : str, default="table"
        Name of the files of tables that have none, without extension.
    """
    soup = _parsed(html)
    for style in soup.find_all("style", scoped=True):
        style.decompose()
    for table in soup.find_all("table"):
        if "border" in table.attrs or str(table.get("id", "")).startswith("T_"):  # as pandas writes it
            _tidy(table)
        if caption and not table.caption:
            table.insert(0, _new("caption", caption))
        link = table.find_next_sibling("a", class_="csv")
        if link is None:
            link = _parsed(csv_link(_csv(table), name)).a
        _typeset_numbers(table)  # in the file they stay as programs read them
        scrolls = table.wrap(_new("div", attributes={"class": "table-scroll"}))
        box = scrolls.wrap(_new("div", attributes={"class": "table-box"}))
        box.insert_after(link.extract())
    return str(soup)


def _parsed(html: str) -> Any:  # the types of Beautiful Soup do not know what is there
    return BeautifulSoup(html, "html.parser")


def _new(name: str, text: str = "", attributes: dict[str, Any] | None = None) -> Any:
    tag = _parsed("").new_tag(name, attrs=attributes or {})
    if text:
        tag.string = text
    return tag


def _tidy(table: Any) -> None:
    for tag in (table, *table.find_all(True)):
        for attribute in ("border", "style", "halign", "valign"):
            tag.attrs.pop(attribute, None)
    _merge_heads(table)
    _drop_bare_index(table)
    for cell in table.find_all(["th", "td"]):
        if cell.find(True):
            continue
        text = _readable(cell.get_text(strip=True))
        if cell.name == "td":
            text = {"none": "", "": "–" if cell.get_text(strip=True) else ""}.get(text, text)
            if text in SIGNS:
                cell["class"] = [verdict_class(text)]
                text = signed(text, text)
            elif len(text) > _LONG:
                cell["class"] = ["long"]
        cell.string = text
    for cell in table.tbody.find_all("th"):
        cell["scope"] = "rowgroup" if int(cell.get("rowspan", 1)) > 1 else "row"
        if not cell.get_text():
            cell.name = "td"
            del cell["scope"]


def _typeset_numbers(table: Any) -> None:
    for text in table.find_all(string=re.compile(r"\d")):
        if not text.find_parent("code"):
            text.replace_with(typeset(text, after=r"(?<![\w)])"))


def typeset(text: str, after: str = r"(?<![^\s(])") -> str:
    """Write a minus as such, and a power of ten with a raised exponent.

    The pattern `after` decides after which signs a hyphen is a minus: in a sentence, at its beginning and
    after a space or a bracket.
    """
    shown = re.sub(
        r"(?<=\d)e([+-]\d+)\b", lambda found: " × 10" + str(int(found[1])).translate(_RAISED), text
    )
    return re.sub(after + r"-(?=[\d.])", "−", shown)


def _readable(text: str) -> str:
    if text in _MISSING:
        return ""
    if text in _ANSWERS:
        return _ANSWERS[text]
    if re.fullmatch(r"-0(\.0*)?", text):
        return text[1:]
    if ", " in text and all(part in NAMES for part in text.split(", ")):
        return ", ".join(NAMES[part] for part in text.split(", "))
    plain = re.fullmatch(r"(?:n_)?([a-z]+(?:_[a-z0-9]+)*)", text)
    return NAMES.get(text, plain[1].replace("_", " ") if plain else text)


def _merge_heads(table: Any) -> None:
    """Put the names of the index, for which pandas has a row of their own, into the row of the columns."""
    rows = table.thead.find_all("tr")
    first = table.tbody.find("tr")
    last = [cell.get_text(strip=True) for cell in rows[-1].find_all("th")]
    n_sides = len(first.find_all("th")) if first else max(len(list(takewhile(bool, last))), 1)
    names = [""] * n_sides
    if len(rows) > 1 and not any(last[n_sides:]):
        names = last[:n_sides]
        rows.pop().decompose()
    of_columns = [_leave_sides(row, n_sides) for row in rows]  # what each row of columns is about
    for what, row in zip(of_columns, rows, strict=True):
        heads = row.find_all("th")
        for cell in heads:
            cell["scope"] = "colgroup" if int(cell.get("colspan", 1)) > 1 and row is not rows[-1] else "col"
        numbers = [cell for cell in heads if re.fullmatch(_NUMBER, cell.get_text(strip=True))]
        if what and len(rows) > 1:
            for cell in numbers:
                cell.string = f"{what} {cell.get_text(strip=True)}"
    if len(rows) == 1 and of_columns[0] and any(names) and (numbers or of_columns[0] not in PLAIN):
        above = _new("tr")
        spanning = {"scope": "colgroup", "colspan": str(len(rows[0].find_all("th")))}
        above.append(_new("th", of_columns[0], spanning))
        rows[0].insert_before(above)
        rows.insert(0, above)
    elif len(rows) == 1 and not any(names):
        names[-1] = of_columns[0]
    for place, name in enumerate(names):
        spans = {"rowspan": str(len(rows))} if len(rows) > 1 else {}
        corner = _new("th", name, {"scope": "col", **spans}) if name else _new("td", "", spans)
        rows[0].insert(place, corner)


def _leave_sides(row: Any, n_sides: int) -> str:
    """Take the cells above the index out of a row of headers, and return what the last one says."""
    what, width = "", 0
    for cell in row.find_all("th"):
        if width >= n_sides:
            break
        width += int(cell.get("colspan", 1))
        what = cell.get_text(strip=True)
        cell.decompose()
    return what


def _drop_bare_index(table: Any) -> None:
    """Remove an index without a name that only counts the rows."""
    sides = [row.find_all("th") for row in table.tbody.find_all("tr")]
    numbers = [side[0].get_text(strip=True) for side in sides if len(side) == 1]
    corner = table.thead.find("tr").find(["td", "th"])
    if len(sides) < 2 or len(numbers) < len(sides) or corner is None or corner.get_text(strip=True):
        return
    counted = [int(text) for text in numbers if text.isdigit()]
    if len(counted) == len(sides) and all(b == a + 1 for a, b in pairwise(counted)):
        corner.decompose()
        for side in sides:
            side[0].decompose()


def _csv(table: Any) -> str:
    file = io.StringIO()
    for row in table.find_all("tr"):
        cells = row.find_all(["th", "td"])
        csv.writer(file, lineterminator="\n").writerow([cell.get_text(" ", strip=True) for cell in cells])
    return file.getvalue()


_VERBATIM = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw)


class Outputs(SphinxPostTransform):
    """Tidy the tables and numbers of a page, and put hidden source below what it shows."""

    default_priority = 300  # after myst-nb has chosen outputs and folded sources
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for text in list(self.document.findall(nodes.Text)):
            if (shown := typeset(text)) != text and not isinstance(text.parent, _VERBATIM):
                text.parent.replace(text, nodes.Text(shown))
        for cell in list(self.document.findall(is_code)):
            caption = cell.get("cell_metadata", {}).get("table", {}).get("caption", "")
            name = f"{self.env.docname.rpartition('/')[2]}-{cell.get('cell_index', 0)}"
            for output in cell.findall(nodes.raw):
                if output.get("format") == "html" and "<table" in output.astext():
                    output.children = [nodes.Text(tidied(output.astext(), caption, name))]
            for folded in list(cell.findall(HideCodeCellNode)):
                if len(folded) > 1:  # the whole cell
                    code = HideCodeCellNode("", folded[0], prompt_show="Source", classes=["source"])
                    folded.children = [*folded[1:], code]
                    folded["classes"] = ["folded"]
                    continue
                has_output = len(cell) > 1
                folded["classes"] = ["source"]
                if folded["prompt_show"].startswith("Show code cell"):  # and not with words of the page's own
                    folded["prompt_show"] = "Source" if has_output else "Imports and helpers"
                if has_output:
                    cell.remove(folded)
                    cell.append(folded)


def is_code(node: nodes.Node) -> bool:
    """Whether a node is a cell of code with its outputs."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def _open_fold(self: Any, node: HideCodeCellNode) -> None:
    kind = node["classes"][0]
    self.body.append(f'<details class="{kind}"><summary>{escape(node["prompt_show"])}</summary>\n')


def _close_fold(self: Any, node: HideCodeCellNode) -> None:
    self.body.append("</details>\n")


_CAPTION = re.compile(r'<caption>(?:<span class="caption-number">Table \d+ </span>)?')
_PRINTED = re.compile(r'(<caption>|<span class="caption-text">)(?=(?:Table|Figure)s? \d\.\d)')


def numbered(html: str, numbers: Iterator[int]) -> str:
    """Number the tables of a page in the order of the book, and say which numbers are the thesis's."""
    html = _PRINTED.sub(r"\1Thesis ", html)
    return _CAPTION.sub(
        lambda _: f'<caption><span class="caption-number">Table {next(numbers)} </span>', html
    )


def _in_order(env: BuildEnvironment, page: str) -> Iterator[str]:
    yield page
    for below in env.toctree_includes.get(page, ()):
        yield from _in_order(env, below)


def _number_tables(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        numbers = count(1)
        for page in _in_order(app.env, app.config.root_doc):
            path = Path(app.outdir) / f"{page}.html"
            path.write_text(numbered(path.read_text(encoding="utf-8"), numbers), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_post_transform(Outputs)
    app.add_node(HideCodeCellNode, override=True, html=(_open_fold, _close_fold))
    app.connect("build-finished", _number_tables)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
