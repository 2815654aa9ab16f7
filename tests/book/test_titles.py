"""Titles, captions and take-aways that compare have something behind them.

A title such as "less accurate on most data sets", above differences by data set, is compared with the counts
that its cell prints. Every other heading, caption or take-away with a word such as *most*, *every* or *never*
has its evidence in `data/reference/titles.csv`: one that is new or has changed is missing there until
somebody has looked whether it is true.
"""

import csv
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tools.run_notebooks import NOTEBOOKS, TOP

from .test_prose import ON_RECORD, PAGES

COMPARES = re.compile(r"\b(most|every|never|all|always|no|none|neither)\b", re.IGNORECASE)
TAKE_AWAY = re.compile(r"\*\*What to take away\.\*\*(.*?)(?=\n#|\Z)", re.DOTALL)
#: What a cell prints of the differences in one panel: its name, if there are several; counts; their sum.
COUNTS = re.compile(
    r"^(?:([\w ]+)\. )?[^.\n]*difference of accuracies in percentage points: (.*) of (\d+) data sets\.",
    re.MULTILINE,
)
#: What a title says of the share of the data sets; the first phrase that is found counts.
SHARES = {
    r"\b(no|neither|not found)\b": lambda share: share == 0,
    r"\bat most half\b": lambda share: share <= 1 / 2,
    r"\b(most|more than half)\b": lambda share: share > 1 / 2,
    r"\bnearly half\b": lambda share: 1 / 3 < share < 1 / 2,
    r"\b(some|few|one data set)\b": lambda share: 0 < share < 1 / 2,
}
#: What may stand behind another title, by kind, and the form that it has.
KINDS = {
    "cell": r".*\d.*",  # a pattern with a number, which an output of the page must contain
    "claim": r"C\d{3}",  # a claim that holds by the record
    "proof": r"(thm|prop|alg|ex)-[a-z0-9-]+",  # a statement of this book that says why
    "here": r"\S+",  # a file of this project, such as a test
    "name": r".+",  # the title says nothing that could be false: what it names
}


class Title(NamedTuple):
    page: str
    text: str
    output: str = ""  # of its cell


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line."""
    items = re.split(r"\n\s*\n|\n(?=- |\d\. )", text)
    lines = (" ".join(re.sub(r"^(- |\d\. )", "", item.strip()).split()) for item in items)
    return [each for line in lines for each in re.split(r"(?<=[.?!])\s+", line) if each]


def written(page: str, text: str) -> Iterator[Title]:
    """Headings, and the sentences of take-aways."""
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (Title(page, heading) for heading in re.findall(r"^#+ (.*)$", without_code, re.MULTILINE))
    yield from (Title(page, each) for part in TAKE_AWAY.findall(text) for each in sentences(part))


def output_of(cell: dict) -> str:
    """What a cell shows, as text."""
    outputs = [it.get("data", {}) | {"printed": it.get("text", "")} for it in cell.get("outputs", [])]
    kinds = ("printed", "text/markdown", "text/plain")
    return "\n".join("".join(output.get(kind, "")) for output in outputs for kind in kinds)


def captions(page: str, cell: dict) -> Iterator[Title]:
    """Titles of figures and captions of tables."""
    figure = cell["metadata"].get("mystnb", {}).get("figure", {}).get("caption", "")
    table = cell["metadata"].get("table", {}).get("caption", "")
    for text in [*re.findall(r"^\*\*(.*?)\*\*", figure), *([table] if table else [])]:
        yield Title(page, text, output_of(cell))


CELLS = {
    path.name: json.loads(path.read_text(encoding="utf-8"))["cells"]
    for path in sorted(NOTEBOOKS.glob("*.ipynb"))
}
TITLES = [title for page, text in PAGES.items() for title in written(page, text)]
TITLES += [title for page, cells in CELLS.items() for cell in cells for title in captions(page, cell)]


def counted(title: Title) -> list[tuple[str, bool]]:
    """What a title says of how many data sets, by panel, and whether the counts below it agree."""
    panels, found = COUNTS.findall(title.output), []
    for part in title.text.split(", "):
        rule = next((rule for phrase, rule in SHARES.items() if re.search(phrase, part, re.IGNORECASE)), None)
        named = [panel for panel in panels if panel[0] and panel[0].lower() in part.lower()]
        for _, said, total in (named or panels) if rule else []:
            n = dict(re.findall(r"(more|less) accurate on (\d+)", said))
            better, worse = int(n.get("more", 0)), int(n.get("less", 0))
            if "difference" in title.text:
                n_meant = better + worse
            else:
                n_meant = better if re.search("help|more accurate", title.text) else worse
            found.append((part, rule(n_meant / int(total))))
    return found


TABLE = (TOP / "data/reference/titles.csv").read_text(encoding="utf-8")
ENTRIES = list(csv.DictReader(TABLE.splitlines()))


def without_evidence(titles: list[Title]) -> set[tuple[str, str]]:
    """Titles that compare, neither counted nor in the table, with their pages."""
    known = {(entry["page"], entry["title"]) for entry in ENTRIES}
    comparing = {(it.page, it.text) for it in titles if COMPARES.search(it.text) and not counted(it)}
    return comparing - known


def is_shown(entry: dict[str, str]) -> bool:
    """Whether the evidence of an entry has the form of its kind, and is what the kind promises."""
    kind, evidence = entry["kind"], entry["evidence"]
    if not re.fullmatch(KINDS[kind], evidence):
        return False
    if kind == "cell":
        return any(re.search(evidence, output_of(cell)) for cell in CELLS[entry["page"]])
    if kind == "claim":
        return ON_RECORD.get(evidence) == "holds"
    if kind == "proof":
        return any(f":label: {evidence}\n" in text for text in PAGES.values())
    return kind == "name" or (TOP / evidence).exists()


def test_titles_agree_with_the_counts_below_them():
    found = [said for title in TITLES for said in counted(title)]
    assert len(found) > 25 and [part for part, agrees in found if not agrees] == []


def test_every_other_title_that_compares_has_evidence():
    assert not without_evidence(TITLES), "look whether they are true, and add them to titles.csv"


def test_no_entry_is_left_of_a_title_that_has_changed():
    known = [(entry["page"], entry["title"]) for entry in ENTRIES]
    assert set(known) <= {(title.page, title.text) for title in TITLES} and len(set(known)) == len(known)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["title"][:40])
def test_evidence_is_shown(entry):
    assert is_shown(entry)


def test_planted_falsehoods_are_found():
    counts = "equal on 3, less accurate on 3, undecided on 7 of 13 data sets."
    below = f"difference of accuracies in percentage points: {counts}"
    for said, agrees in {
        "Online boosting is less accurate on some data sets.": True,
        "Online boosting is less accurate on most data sets.": False,
        "No data set shows a difference.": False,
        "Priming helps on some data sets.": False,
    }.items():
        assert [found for _, found in counted(Title("page", said, below))] == [agrees]

    never = "Online bagging never differs from batch bagging."
    take_away = f"# Page\n\n**What to take away.**\n\n- Short. {never}\n\n## More"
    assert without_evidence(list(written("page", take_away))) == {("page", never)}

    of_page = {"page": "statistics.ipynb", "kind": "cell"}
    assert is_shown({**of_page, "evidence": r"Welch +0\.62"})
    assert not is_shown({**of_page, "evidence": r"Welch +0\.05"})
    fails = next(claim for claim, outcome in ON_RECORD.items() if outcome == "fails")
    assert not is_shown({"kind": "claim", "evidence": fails})
