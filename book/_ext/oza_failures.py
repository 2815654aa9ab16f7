"""What the book shows in place of a part that could not be made: a note, with a warning of the build."""

from typing import Any

from docutils import nodes
from docutils.parsers.rst import DirectiveError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)


def failed(part: str, error: Exception, location: Any = None) -> str:
    """Warn that a part of a page could not be made, and return what the page says."""
    said = f"{part} could not be made when this book was built: {type(error).__name__}: {error}"
    log.warning("%s", said, location=location)
    return said


def failure(part: str, error: Exception, location: Any = None) -> nodes.Node:
    """The note in place of a part of a page."""
    return nodes.warning("", nodes.paragraph(text=failed(part, error, location)), classes=["failed-part"])


def guarded(directive: type[SphinxDirective]) -> type[SphinxDirective]:
    """A directive that shows a note where the given one would end the build."""

    class Guarded(directive):  # type: ignore[misc, valid-type]
        def run(self) -> list[nodes.Node]:
            try:
                return list(super().run())
            except DirectiveError:  # which Sphinx reports itself
                raise
            except Exception as error:
                part = f"`{{{self.name}}} {' '.join(self.arguments)}`".replace(" `", "`")
                return [failure(part, error, self.get_location())]

    return Guarded
