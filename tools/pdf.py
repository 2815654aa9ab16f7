"""Print the built book into one PDF file with bookmarks and links, by headless Chromium.

    python tools/pdf.py [FILE.pdf]    default: _build/oza.pdf; the book must be built (make book)

Each page is printed by itself, in the order of book/_toc.yml, with all that is folded open but for the
source. Links between pages become links to the place in the file.
"""

import argparse
import base64
import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import unquote

import yaml
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Destination, Fit, NameObject, NullObject
from tqdm import tqdm

from tools.shot import SITE, TOP, Browser, Tab

PAPER = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True, "scale": 0.8}
TOP_OF_PAGE = 10_000.0  # above the upper edge, in points

TITLE = """document.querySelector("article h1").textContent.replace(/#$/, "").trim()"""

# Refer to each place to which other pages link, so that Chromium notes where it is.
PREPARE = """(() => {
    const places = document.createElement("div");
    places.style = "position: absolute; top: 0";  // at the end it could need a page of its own
    for (const id of PLACES) {
        const link = places.appendChild(document.createElement("a"));
        link.href = "#" + id;
        link.textContent = "\\u200b";
    }
    document.body.prepend(places);
})()"""


def contents(toc: Path) -> Iterator[tuple[int, str]]:
    """The level and the name of each part and page, in the order of the book; parts have no page."""
    book = yaml.safe_load(toc.read_text(encoding="utf-8"))
    yield 0, book["root"]

    def below(chapters: list[dict[str, Any]], level: int) -> Iterator[tuple[int, str]]:
        for chapter in chapters:
            yield level, chapter["file"]
            yield from below(chapter.get("sections", []), level + 1)

    for part in book["parts"]:
        yield 0, f"# {part['caption']}"
        yield from below(part["chapters"], 1)


def places_of_links(site: Path, names: list[str]) -> dict[str, list[str]]:
    """For each page, the anchors to which pages of the book link."""
    found = defaultdict(set)
    for name in names:
        folder = Path(name).parent.as_posix()
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        for address, anchor in re.findall(r'href="([^":#]*?)(?:\.html)?#([^"]+)"', text):
            found[normpath(f"{folder}/{unquote(address)}") if address else name].add(
                unescape(unquote(anchor))
            )
    return {name: sorted(found[name]) for name in names}


def print_page(browser: Browser, page: Path, places: list[str]) -> tuple[str, PdfReader]:
    """The title of a page of the book, and the page as printed."""

    def printed(tab: Tab) -> str:
        tab.evaluate(PREPARE.replace("PLACES", repr(places)))
        return str(tab("Page.printToPDF", **PAPER)["data"])

    title, data = browser.visit(page, scripts=(TITLE, printed)).values
    return title, PdfReader(io.BytesIO(base64.b64decode(data)))


def bind(site: Path, toc: Path, browser: Browser) -> PdfWriter:
    """Print all pages and put them together."""
    entries = list(contents(toc))
    names = [name for _, name in entries if not name.startswith("# ")]
    places = places_of_links(site, names)
    folder = f"{site.resolve().as_uri()}/"
    book, parents, pages_of, targets = PdfWriter(), {}, {}, {}
    pending = []  # parts, whose bookmark leads to the page that follows
    for level, name in tqdm(entries, unit="page"):
        if name.startswith("# "):
            pending.append(name.removeprefix("# "))
            continue
        title, printed = print_page(browser, site / f"{name}.html", places[name])
        start = len(book.pages)
        book.append(printed, import_outline=False)
        pages_of[name] = range(start, len(book.pages))
        for anchor, place in printed.named_destinations.items():
            number = printed.get_destination_page_number(place)
            targets[name, anchor.removeprefix("/")] = start + (number or 0), float(place.top or 0)
        for part in pending:
            parents[0] = book.add_outline_item(title=part, page_number=start)
        pending.clear()
        parents[level] = book.add_outline_item(title=title, page_number=start, parent=parents.get(level - 1))
    for name, pages in pages_of.items():
        for reference in (it for page in pages for it in book.pages[page].get("/Annots", ())):
            link = reference.get_object()
            if "/Dest" in link:  # within the page; another page may have a place of this name
                target = name, str(link["/Dest"])
            else:
                file, _, anchor = str(link.get("/A", {}).get("/URI", "")).partition("#")
                target = unquote(file).removeprefix(folder).removesuffix(".html"), unquote(anchor)
                if file.startswith("file:"):  # a page of the book, or a file beside it, which stays as text
                    del link["/A"]
            if target[0] in pages_of:
                number, top = targets.get(target, (pages_of[target[0]].start, TOP_OF_PAGE))
                page = book.pages[number].indirect_reference or NullObject()
                link[NameObject("/Dest")] = Destination("", page, Fit.xyz(top=top)).dest_array
    return book


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=TOP / "_build" / "oza.pdf")
    file = parser.parse_args().file
    if not (SITE / "intro.html").exists():
        parser.error("no built book; run `make book` first")
    with Browser() as browser:
        book = bind(SITE, TOP / "book" / "_toc.yml", browser)
    book.write(file)
    print(f"{len(book.pages)} pages in {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
