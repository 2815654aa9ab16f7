"""Every figure, table and statement of the sources has a place in the book (`test_pages` visits them)."""

import csv
import re

from tools.run_notebooks import TOP

REFERENCE = TOP / "data" / "reference"


def rows(name):
    with open(REFERENCE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PLACES = rows("places.csv")
ITEMS = {(row["document"], row["item"]) for row in PLACES}


def test_each_place_is_whole_and_there_is_one_for_an_item():
    assert len(ITEMS) == len(PLACES)
    assert all(row["page"] and row["anchor"] and row["terms"] for row in PLACES)


def test_every_figure_and_table_of_the_thesis_and_the_paper_has_a_place():
    listed = {
        (row["document"], f"{row['kind'].capitalize()} {row['number']}")
        for row in rows("contents.csv")
        if row["kind"] in ("figure", "table") and row["document"] in ("thesis", "kdd")
    }
    assert listed <= ITEMS and len(listed) > 90


def test_every_definition_lemma_and_theorem_of_the_concordance_has_a_place():
    text = (TOP / "book" / "chapters" / "bagging" / "concordance.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\*\*((?:Definition|Lemma|Theorem|Corollary) \d)", text))
    assert {("thesis", name) for name in stated} <= ITEMS and len(stated) >= 8
