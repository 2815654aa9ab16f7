"""Sphinx extension for the pages that teach.

Directives
    {lesson}    what a reader can do after the page (the content, a list), what the page builds on (the option
                `needs`), and how many minutes it takes, by its words and its exercises

Openings
    A page shows first what it explains: what the cell with the tag `opening` shows stands below the first
    paragraph, wherever the cell is executed, or a piece does. Parameters and imports follow it, folded into
    one line.
"""

from itertools import takewhile
from math import ceil
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from myst_nb.sphinx_ import HideCodeCellNode
from oza_failures import guarded
from oza_tables import is_code
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node, solution_node

#: Of prose outside exercises, each of which takes `MINUTES` more.
WORDS_PER_MINUTE = 200
MINUTES = 2
EXERCISE = exercise_node | exercise_enumerable_node


class minutes(nodes.inline):
    """The place of the number of minutes, which is known when the whole page has been read."""


class Lesson(SphinxDirective):
    option_spec: ClassVar = {"needs": directives.unchanged_required}
    has_content = True

    def run(self) -> list[nodes.Node]:
        needs, _ = self.parse_inline(self.options.get("needs", "nothing but school algebra"))
        last = nodes.paragraph("", "", nodes.strong("", "You need: "), *needs, nodes.Text(". "))
        last += [nodes.strong("", "Time: "), minutes()]
        first = nodes.paragraph("", "", nodes.strong("", "After this page you can"))
        return [nodes.container("", first, *self.parse_content_to_nodes(), last, classes=["lesson"])]


def _count_minutes(app: Sphinx, doctree: nodes.document) -> None:
    for place in list(doctree.findall(minutes)):
        boxes = list(doctree.findall(lambda node: isinstance(node, EXERCISE | solution_node)))
        words = sum(len(it.astext().split()) for it in doctree.findall(nodes.paragraph))
        words -= sum(len(it.astext().split()) for box in boxes for it in box.findall(nodes.paragraph))
        asked = sum(isinstance(box, EXERCISE) for box in boxes)
        text = f"about {ceil(words / WORDS_PER_MINUTE)} minutes to read"
        text += f", and {MINUTES * asked} for the exercises." if asked else "."
        place.replace_self(nodes.inline(text, text))


def _open(app: Sphinx, doctree: nodes.document) -> None:
    """Fold the parameters and the cells of imports below them, and put the opening above the fold."""
    cells = list(doctree.findall(is_code))
    opening = [cell for cell in cells if "tag_opening" in cell["classes"]]
    for parameters in (cell for cell in cells if "tag_parameters" in cell["classes"]):
        page, start = parameters.parent, parameters.parent.index(parameters)
        folded = list(takewhile(lambda node: is_code(node) and len(node) == 1, page[start:]))  # no outputs
        del page[start : start + len(folded)]
        below = 1 + (page.first_child_matching_class(nodes.paragraph) or 0)
        if opening:
            start = below
        elif isinstance(page[below], nodes.raw):  # a piece, which ends with another one
            start = page.first_child_matching_class(nodes.raw, below + 1) + 1
        for cell in opening:
            cell.parent.remove(cell)
        fold = HideCodeCellNode("", *folded, prompt_show="Set-up: parameters and imports", classes=["setup"])
        page[start:start] = [*opening, fold]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("lesson", guarded(Lesson))
    app.connect("doctree-read", _count_minutes)
    app.connect("doctree-read", _open)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
