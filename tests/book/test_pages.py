"""The book builds without a warning, and its pages read well without a network.

It is the one of `make book`, if that is up to date; else it is built here from the outputs that are stored in
the notebooks, so that nothing has to be executed.
"""

import itertools
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
import yaml
from bs4 import BeautifulSoup, SoupStrainer
from oza_math import Typesetter
from oza_pieces import PIECES
from pypdf import PdfReader

from reproduction.claims.registry import claims_by_page
from tools import article
from tools.book import PAGES, is_up_to_date
from tools.pdf import bind
from tools.run_notebooks import TOP
from tools.shot import DESKTOP, PHONE, READY, pages, prefer, trouble

from .test_places import PLACES

# What is marked `full` takes a browser long, or asks for more than that a page is whole.
FEW = [
    "intro",
    "learn",
    "executed/datasets",
    "executed/bagging-naive-bayes",
    "executed/online-bagging-drawn",
    "library/bagging",
]
TINTED = ["executed/combiners", "executed/settled-tests", "executed/experts"]  # with text on such grounds
SCREENS = list(itertools.product(("light", "dark"), (DESKTOP, PHONE)))

# Of each figure on a page: the height of its smallest text as displayed, the lowest contrast of its text and
# of its lines with the ground of the page, and whether it says what it shows.
FIGURES = """(() => {
    const rgb = c => c.match(/[\\d.]+/g).map(Number);
    const light = c => c.slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = light(rgb(getComputedStyle(document.body).backgroundColor));
    const contrast = c => {
        const it = light(rgb(c));
        return (Math.max(it, ground) + 0.05) / (Math.min(it, ground) + 0.05);
    };
    return [...document.querySelectorAll(".oza-figure")].map(figure => {
        const drawn = figure.querySelector("svg");
        const texts = [...drawn.querySelectorAll("text[style*=font]")];
        const size = Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize)));
        const shown = [drawn, ...figure.querySelectorAll(".panels > svg")]
            .filter(e => e.getBoundingClientRect().width > 0);
        const lines = [...drawn.querySelectorAll("[id*=line2d] path, [id*=LineCollection] path")]
            .map(e => getComputedStyle(e)).filter(s => s.stroke !== "none" && s.strokeOpacity === "1");
        return {
            text: size * Math.min(...shown.map(e => e.getScreenCTM().a)),
            letters: Math.min(...texts.map(e => contrast(getComputedStyle(e).fill))),
            lines: Math.min(21, ...lines.map(s => contrast(s.stroke))),
            words: drawn.getAttribute("aria-label").length,
        };
    });
})()"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The HTML of the book, made with warnings as errors."""
    if is_up_to_date():
        return PAGES
    top = tmp_path_factory.mktemp("book")
    (top / "data" / "results").mkdir(parents=True)
    for path in (TOP / "_config.yml", TOP / "CONTRIBUTING.md", *(TOP / "data" / "results").glob("*.csv")):
        shutil.copy(path, top / path.relative_to(TOP))  # which pages include
    shutil.copytree(TOP / "book", top / "book", ignore=shutil.ignore_patterns("executed", "__pycache__"))
    (top / "book" / "executed").mkdir()
    for path in (TOP / "notebooks").glob("*.ipynb"):
        shutil.copy(path, top / "book" / "executed")
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", "book/", "-W", "-n", "--keep-going"]
    build = subprocess.run(command, cwd=top, capture_output=True, text=True)
    assert build.returncode == 0, build.stdout[-3000:] + build.stderr[-3000:]
    article.write(top / "_build" / "html" / "article.pdf")
    return top / "_build" / "html"


# The faults of a page by axe, each with its number and an example.
FAULTS = """axe.run(document, {resultTypes: ["violations"], RULES}).then(found => found.violations.map(
    fault => `${fault.id}: ${fault.nodes.length}, such as ${fault.nodes[0].html.slice(0, 200)}`))"""

LIBRARY = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8") + ";"
COLOUR_FAULTS = LIBRARY + FAULTS.replace("RULES", "runOnly: ['color-contrast']")

# axe asks for the sizes of an element once for each element in it.  They are read once here, so that nothing
# else may be asked of the page afterwards.
AXE = (
    LIBRARY
    + """
    for (const name of ["scrollWidth", "scrollHeight", "clientWidth", "clientHeight"]) {
        const known = new WeakMap(), {get} = Object.getOwnPropertyDescriptor(Element.prototype, name);
        const once = it => known.has(it) ? known.get(it) : known.set(it, get.call(it)).get(it);
        Object.defineProperty(Element.prototype, name, {get() { return once(this); }});
    }"""
    + FAULTS.replace("RULES", "")
)

GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def look(browser, site):
    """What is wrong with a page on a screen, and what else is asked there.

    Each page is loaded in light on a desktop and in dark on a phone; then the reader changes the scheme.
    """

    @cache
    def both(name, width):
        def changed(tab):
            prefer(tab, second)
            tab.evaluate(READY)
            return trouble(tab, width)

        first, second = ("light", "dark") if width == DESKTOP else ("dark", "light")
        asked = {"figures": FIGURES, "ground": GROUND}
        rules = (COLOUR_FAULTS, AXE) if width == DESKTOP and name in FEW + TINTED else ("[]", "[]")
        scripts = (*asked.values(), rules[0], changed, *asked.values(), rules[1])
        visit = browser.visit(site / f"{name}.html", width=width, scheme=first, scripts=scripts)
        names, values = ["problems", *asked, "faults"], visit.values
        found = {first: [visit.problems, *values[: len(names) - 1]], second: values[len(names) - 1 :]}
        return {scheme: SimpleNamespace(**dict(zip(names, it, strict=True))) for scheme, it in found.items()}

    return lambda name, scheme, width: both(name, width)[scheme]


def test_pages_of_each_kind_are_whole(look):
    """No external address, no failed request, no console message, nothing wider than a phone."""
    for name, (scheme, width) in itertools.product(FEW, SCREENS):
        seen = look(name, scheme, width)
        assert not seen.problems, f"{name}, {scheme}, {width} px: {seen.problems}"


@pytest.mark.full
@pytest.mark.parametrize(
    ("asked", "address", "words"),
    [
        ("Table 3.4", "executed/bagging-naive-bayes.html#table-3-4-accuracy", "3.4"),
        ("how to install", "use.html#how-to-install", "How to install it. With Python"),
    ],
)
def test_the_search_finds_a_place_and_shows_its_words(browser, site, asked, address, words):
    search = f"""(async () => {{
        document.querySelectorAll('input[name="q"]').forEach(it => it.value = "{asked}");
        Search.performSearch("{asked}");
        for (let n = 0; n < 1200; n++) {{
            await new Promise(done => setTimeout(done, 50));
            if (Search.status.innerText.match(/finished/)) break;
        }}
        const first = document.querySelector("#search-results li");
        return [first.querySelector("a").getAttribute("href"), first.querySelector(".excerpt").textContent];
    }})()"""
    seen = browser.visit(site / "search.html", scripts=(search,))
    assert not seen.problems, seen.problems
    found, excerpt = seen.values[0]
    assert found == address
    assert words in excerpt and len(excerpt) < 300


@pytest.mark.full
def test_the_printed_book_has_bookmarks_and_links(browser, site, tmp_path):
    chapters = [{"file": "chapters/bagging/concordance", "sections": [{"file": "executed/mean-proportions"}]}]
    toc = {"root": "intro", "parts": [{"caption": "Learn", "chapters": chapters}]}
    (tmp_path / "toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    bind(site, tmp_path / "toc.yml", browser).write(tmp_path / "book.pdf")
    book = PdfReader(tmp_path / "book.pdf")
    root, part, (chapter, (section,)) = book.outline
    assert (part.title, chapter.title) == ("Learn", "Section 3.4 in concordance")
    assert section.title == "Proportions of a sample"
    number = book.get_destination_page_number
    assert 0 == number(root) < number(part) == number(chapter) < number(section)
    links = [it.get_object() for page in book.pages for it in page.get("/Annots", ())]
    assert not [it["/Dest"] for it in links if isinstance(it.get("/Dest"), str)]
    assert not [it for it in links if str(it.get("/A", {}).get("/URI", "")).startswith("file:")]
    led = {book.get_page_number(it["/Dest"][0].get_object()) for it in links if "/Dest" in it}
    assert number(section) in led


@pytest.mark.full
def test_pages_are_accessible(look):
    for name, scheme in itertools.product(FEW + TINTED, ("light", "dark")):
        faults = look(name, scheme, DESKTOP).faults
        assert not faults, f"{name}, {scheme}: {faults}"


@pytest.mark.long
def test_every_page_is_whole_and_accessible_on_every_screen(browser, site):
    for page, (scheme, width) in itertools.product(pages(site), SCREENS):
        scripts = (AXE,) if width == DESKTOP else ()
        seen = browser.visit(page, width=width, scheme=scheme, scripts=scripts)
        where = f"{page.relative_to(site)}, {scheme}, {width} px"
        assert not seen.problems, f"{where}: {seen.problems}"
        assert not any(seen.values), f"{where}: {seen.values}"


def ids(page):
    return re.findall(r'\sid="([^"]+)"', page.read_text(encoding="utf-8"))


def parts_of(page, **wanted):
    """Elements of a page that are wanted, with what is in them but drawings, parsed without the rest."""
    text = re.sub(r"(<svg\b[^>]*>).*?(</svg>)", r"\1\2", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return BeautifulSoup(text, "html.parser", parse_only=SoupStrainer(**wanted))


def test_no_page_has_an_id_twice(site):
    for page in pages(site):
        twice = [name for name, n in Counter(ids(page)).items() if n > 1]
        assert not twice, f"{page.relative_to(site)}: {twice[:5]}"


def test_the_page_follows_the_readers_colour_scheme(look):
    light, dark = ({look("intro", s, width).ground for width in (DESKTOP, PHONE)} for s in ("light", "dark"))
    assert len(light) == len(dark) == 1 and light != dark


@pytest.mark.full
@pytest.mark.parametrize("name", ["bagging-naive-bayes", "averages", "kdd2001"])
def test_figures_are_readable_in_both_schemes_and_on_a_phone(look, name):
    for scheme, width in SCREENS:
        figures = look(f"executed/{name}", scheme, width).figures
        assert figures
        for figure in figures:
            where = f"{name}, {scheme}, {width} px: {figure}"
            assert figure["text"] > 10.95 and figure["words"] > 20, where
            assert figure["letters"] >= 4.5 and figure["lines"] >= 3, where


def test_every_link_inside_the_book_leads_somewhere(site):
    anchors = {}
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        anchors[page.resolve()] = set(re.findall(r'\b(?:id|name)="([^"]+)"', text))
    for page in pages(site):
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link) or link in ("", "#"):
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (page.parent / file.partition("?")[0]).resolve() if file else page.resolve()
            assert target.exists(), f"{page.relative_to(site)} links to {link}"
            if anchor and target in anchors:
                assert anchor in anchors[target], f"{page.relative_to(site)} links to {link}"


def test_at_the_place_of_each_item_of_the_sources_the_page_has_its_key_terms(site):
    missing = []
    for page in {row["page"] for row in PLACES}:
        rows = [row for row in PLACES if row["page"] == page]
        places = parts_of(site / f"{page}.html", id=[row["anchor"] for row in rows])
        for row in rows:
            place = places.find(id=row["anchor"])
            found = " ".join(place.get_text(" ").split()).lower() if place else ""
            lost = [term for term in row["terms"].split("; ") if term.lower() not in found]
            if lost:
                missing.append(f"{row['document']}, {row['item']}: {page}#{row['anchor']} lacks {lost}")
    assert not missing, "\n".join(missing)


def test_every_claim_has_an_anchor_on_its_page(site):
    for page, numbers in claims_by_page().items():
        anchors = ids(site / "executed" / f"{page}.html")
        assert [number for number in numbers if number not in anchors] == [], page


def test_only_a_page_with_a_piece_loads_its_scripts(site):
    found = set()
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        names = re.findall(r'data-piece="([^"]+)"', text)
        loaded = re.findall(r'src="[^"]*pieces/([^"]+)"', text)
        wanted = [f"{name}{end}" for name in names for end in (".data.js", ".js")]
        assert loaded == ["frame.js"] * bool(names) + wanted, page.name
        found.update(names)
    assert found == {*PIECES}


def test_every_table_of_a_notebook_has_a_caption_and_headers_that_say_what_they_head(site):
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        boxes = re.findall(r'<div class="table-box.*?</table>.*?</a>', text, re.DOTALL)
        tables = BeautifulSoup("".join(boxes), "html.parser").select("table")
        assert len(tables) == text.count('class="table-box'), f"{page.stem}: a table has no file"
        for table in tables:
            where = f"{page.stem}: {table.get_text(' ', strip=True)[:80]}"
            assert table.caption and table.caption.get_text(strip=True), f"{where} has no caption"
            assert all(th.get("scope") and th.get_text(strip=True) for th in table.find_all("th")), where
            texts = {cell.get_text(strip=True) for cell in table.find_all("td")}
            assert not texts & {"NaN", "nan", "None", "none", "-0.0", "-0.00", "-0.000", "-0.0000"}, where
            following = [it.name for it in table.find_parent(class_="table-box").next_siblings]
            assert following[:1] == ["a"], f"{where} has no file"


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "boxes", "slack"),
    [
        ("bagging-naive-bayes", ".table-scroll", 1),
        ("mean-proportions", ".highlight pre", 1),
        ("mean-proportions", "mjx-container[display]", 8),
        ("bayesian-averaging", "span.math", 8),
    ],
)
def test_what_is_wider_than_the_screen_says_so_until_its_end_is_seen(browser, site, name, boxes, slack):
    marked = f"""[...document.querySelectorAll("{boxes}")]
        .filter(box => box.checkVisibility())
        .map(box =>
        [box.scrollWidth > box.clientWidth + {slack}, box.classList.contains("more"), box.tabIndex === 0])"""
    at_end = f"""(async () => {{
        const box = [...document.querySelectorAll("{boxes}")].find(box => box.classList.contains("more"));
        box.scrollLeft = box.scrollWidth;
        for (let n = 0; n < 600 && box.classList.contains("more"); n++)
            await new Promise(done => setTimeout(done, 50));
        return box.classList.contains("more");
    }})()"""
    page = site / f"executed/{name}.html"
    found, still = browser.visit(page, width=PHONE, scripts=(marked, at_end)).values
    assert any(is_wide for is_wide, *_ in found) and all(len({*row}) == 1 for row in found)
    assert still is False


@pytest.mark.full
def test_the_list_of_claims_is_filtered_by_outcome_kind_and_words(browser, site):
    ask = """(() => {
        const [outcome, kind, words] = document.querySelector(".claim-fields").elements;
        const rows = [...document.querySelectorAll(".claim-list details")];
        const shown = () => rows.filter(row => !row.hidden).length;
        const ask = (field, value) => {
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            return shown();
        };
        return [shown(), ask(kind, "theorem"), ask(words, "no such words"), ask(words, ""), ask(kind, "")];
    })()"""
    (values,) = browser.visit(site / "executed/scorecard.html", scripts=(ask,)).values
    everything, theorems, none, again, all_again = values
    assert everything == all_again == 151 and 0 < theorems == again < everything and none == 0


@pytest.mark.full
def test_what_is_folded_opens_for_an_address_that_leads_into_it_and_on_paper(browser, site):
    lead = """(async () => {
        const place = document.getElementById("PLACE");
        const is_open = () => place.closest("details").open;
        const before = is_open();
        const is_seen = () => Math.abs(place.getBoundingClientRect().top) < 300;
        location.hash = "PLACE";
        for (let n = 0; n < 600 && !(is_open() && is_seen()); n++)
            await new Promise(done => setTimeout(done, 50));
        return [before, is_open(), is_seen()];
    })()"""
    opened = """(() => {
        dispatchEvent(new Event("beforeprint"));
        const are_open = kind => [...document.querySelectorAll(`details.${kind}`)].map(it => it.open);
        return [are_open("folded"), are_open("source")];
    })()"""
    for name, place in (("boosting-results", "fig-4-12"), ("scorecard", "C074")):
        scripts = (lead.replace("PLACE", place), opened)
        led, (folded, source) = browser.visit(site / "executed" / f"{name}.html", scripts=scripts).values
        assert led == [False, True, True], name
        assert all(folded) and not any(source), name


@pytest.mark.parametrize(("name", "least"), [("online-bagging-drawn", 10), ("copies-of-an-example", 50)])
def test_formulas_are_drawn_without_scripts(browser, site, name, least):
    page = site / "executed" / f"{name}.html"
    count = """[document.querySelectorAll(".math").length,
        [...document.querySelectorAll(".math svg")].filter(it => it.getBoundingClientRect().width > 4).length,
        [...document.querySelectorAll(".math use")]
            .filter(it => !document.querySelector(it.getAttribute("href"))).length,
        document.querySelectorAll(".math math").length]"""
    formulas, drawn, broken, spoken = browser.visit(page, scripts=(count,)).values[0]
    assert formulas == drawn == spoken > least and not broken
    assert "mathjax" not in " ".join(re.findall(r"<script[^>]*>", page.read_text(encoding="utf-8"))).lower()


def test_a_formula_that_mathjax_refuses_is_an_error(caplog):
    Typesetter().formula(r"\unknown{x}", False)
    assert "MathJax refuses" in caplog.text
