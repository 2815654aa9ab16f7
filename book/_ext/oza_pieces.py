"""Sphinx extension for the pieces to play with.

Directives
    {piece} NAME    the piece of this name: its picture, which shows without scripts, and what makes it move;
                    the content says what to try

Files in book/pieces/
    frame.js, frame.css    what all pieces share
    NAME.js                the script of a piece
    NAME.html              the piece as its script shows it at first, written by tools/pieces.py

The data of a piece, NAME.data.js, are written at each build by `reproduction.topics.pieces`.
"""

import json
import shutil
from collections.abc import Callable
from os.path import relpath
from pathlib import Path
from typing import Any

from docutils import nodes
from oza_failures import failed, guarded
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduction.topics.pieces import PIECES

ADDRESS = "_static/pieces"


class Piece(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in PIECES:
            raise self.error(f"no piece {name!r}; there are: {', '.join(PIECES)}")
        path = Path(self.env.srcdir) / "pieces" / f"{name}.html"
        self.env.note_dependency(str(path))
        shown = self.env.temp_data.setdefault("pieces", [])
        folder = relpath(ADDRESS, self.env.docname.rpartition("/")[0] or ".")
        before, after = piece(name, path.read_text(encoding="utf-8"), folder, is_first=not shown)
        shown.append(name)
        return [
            nodes.raw("", before, format="html"),
            *self.parse_content_to_nodes(),
            nodes.raw("", after, format="html"),
        ]


def piece(name: str, first_state: str, folder: str, is_first: bool = True) -> tuple[str, str]:
    """The HTML of a piece before and after what it tells its reader to try.

    Parameters
    ----------
    name : str
        Name of the piece.
    first_state : str
        Picture, controls and sentence at first.
    folder : str
        Address of the scripts.
    is_first : bool
        Whether no piece on the page has loaded what pieces share.

    Examples
    --------
    >>> before, after = piece("poisson", "<div>...</div>", "pieces")
    >>> before
    '<link rel="stylesheet" href="pieces/frame.css"><div class="piece" data-piece="poisson">'
    >>> after.count("<script"), piece("poisson", "", "pieces", is_first=False)[1].count("<script")
    (3, 2)
    """
    shared = f'<link rel="stylesheet" href="{folder}/frame.css">' if is_first else ""
    scripts = ["frame.js"] * is_first + [f"{name}.data.js", f"{name}.js"]
    loaded = "".join(f'<script defer src="{folder}/{script}"></script>' for script in scripts)
    return f'{shared}<div class="piece" data-piece="{name}">', f"{first_state}</div>{loaded}"


def write_pieces(source: Path, target: Path, script: Callable[[str], str]) -> None:
    """Copy scripts and style sheet from `source` to `target`, and write the `script` of each piece beside."""
    target.mkdir(parents=True, exist_ok=True)
    for pattern in ("*.js", "*.css"):
        for path in source.glob(pattern):
            shutil.copy(path, target)
    for name in PIECES:
        (target / f"{name}.data.js").write_text(script(name), encoding="utf-8")


def data_script(name: str) -> str:
    """The data of a piece as a script, since a page that is a file cannot fetch any."""
    written = json.dumps(PIECES[name](), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f'oza.data("{name}",{written});\n'


def data_or_note(name: str) -> str:
    """The data of a piece as a script; if they cannot be made, one that says so below the stored picture."""
    try:
        return data_script(name)
    except Exception as error:
        return f'oza.failed("{name}",{json.dumps(failed(f"The piece {name!r}", error))});\n'


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_pieces(Path(app.srcdir) / "pieces", Path(app.outdir) / ADDRESS, data_or_note)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("piece", guarded(Piece))
    app.connect("build-finished", _write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
