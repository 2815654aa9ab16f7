"""The page on the lectures names a page of the book for every slide."""

import re

import pytest

from tools.run_notebooks import NOTEBOOKS, TOP

ROWS = [
    line
    for line in (TOP / "book" / "lectures.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| slide", "| ---"))
]
CONTENTS = (TOP / "book" / "_toc.yml").read_text(encoding="utf-8")


def test_every_slide_of_the_three_lectures_is_listed():
    numbers = re.findall(r"^\| (\d+)(?:–(\d+))? \|", "\n".join(ROWS), re.MULTILINE)
    slides = [n for first, last in numbers for n in range(int(first), int(last or first) + 1)]
    assert slides == list(range(1, 19))
    assert len(ROWS) == len(numbers) + 37


@pytest.mark.parametrize("row", ROWS)
def test_every_row_names_pages_that_exist(row):
    pages = re.findall(r"\[\]\(([\w/-]+)\)", row)
    assert pages
    for page in pages:
        folder, _, name = page.rpartition("/")
        path = NOTEBOOKS / f"{name}.ipynb" if folder == "executed" else TOP / "book" / f"{page}.md"
        assert path.exists(), page
        assert f"file: {page}\n" in CONTENTS, f"{page} is not in the table of contents"


@pytest.mark.parametrize("row", ROWS)
def test_a_claim_is_judged_on_a_page_that_the_row_names(row):
    pages = re.findall(r"\[\]\(executed/([\w-]+)\)", row)
    shown = "".join((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8") for name in pages)
    for claim in re.findall(r"C\d{3}", row):
        assert claim in shown, f"{claim} is on none of {pages}"
