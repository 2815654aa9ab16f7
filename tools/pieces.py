"""Write what pieces to play with show at first, which pages show where scripts do not run.

python tools/pieces.py [NAME ...]    draw the pieces (default: all) in headless Chromium, and store the
                                     pictures, controls and sentences as book/pieces/NAME.html
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))

from oza_pieces import PIECES, data_script, piece, write_pieces

from tools.shot import DESKTOP, PHONE, TOP, Browser

SOURCE = TOP / "book" / "pieces"

PAGE = """<!doctype html><html lang="en" data-theme="SCHEME"><meta charset="utf-8"><title>NAME</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="book.css"><style>
html { background: GROUND; font: 16px sans-serif; --pst-color-background: GROUND; --pst-color-text-base: INK;
  --pst-color-text-muted: INK; color: INK; }
body { margin: 0 auto; max-width: 690px; } * { box-sizing: border-box; }
</style>"""
COLOURS = {"light": ("#ffffff", "#222832"), "dark": ("#121212", "#ced6dd")}

EMPTY = (
    '<div class="piece-picture"></div><div class="piece-controls"></div>'
    '<p class="piece-said" aria-live="polite"></p>'
)


def write_page(name: str, folder: Path, scheme: str = "light", first_state: str = EMPTY) -> Path:
    """Write a page with nothing but one piece, below `folder`, where `write_pieces` has written."""
    ground, ink = COLOURS[scheme]
    head = PAGE.replace("SCHEME", scheme).replace("GROUND", ground).replace("INK", ink).replace("NAME", name)
    shutil.copy(TOP / "book" / "_static" / "book.css", folder)
    page = folder / f"{name}-{scheme}.html"
    page.write_text(head + "".join(piece(name, first_state, ".")), encoding="utf-8")
    return page


#: Asks a page for its picture, controls and sentence.
SHOWN = """['picture', 'controls', 'said']
    .map(part => document.querySelector(`.piece-${part}`).innerHTML)"""


def first_state(wide: list[str], narrow: list[str]) -> str:
    """What the script of a page shows at first, from what it shows on wide and on narrow screens."""
    return "\n".join(
        (
            f'<div class="piece-picture">\n{wide[0]}\n{narrow[0]}\n</div>',
            f'<div class="piece-controls">{wide[1]}</div>',
            f'<p class="piece-said" aria-live="polite">{wide[2]}</p>\n',
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PIECES))
    names = parser.parse_args().names or list(PIECES)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        write_pieces(SOURCE, Path(folder), data_script)
        for name in names:
            page = write_page(name, Path(folder))
            wide, narrow = (
                browser.visit(page, width=w, scripts=(SHOWN,)).values[0] for w in (DESKTOP, PHONE)
            )
            (SOURCE / f"{name}.html").write_text(first_state(wide, narrow), encoding="utf-8")


if __name__ == "__main__":
    main()
