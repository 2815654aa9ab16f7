"""The first page: its numbers are those of the README, and the book can be cited."""

import re

import oza_front
import pytest
from oza_book import look_up, read_runs

from tools.run_notebooks import NOTEBOOKS, TOP


def test_the_readme_has_the_numbers_of_the_first_page():
    runs = read_runs(NOTEBOOKS)
    shown = oza_front.first_numerals(lambda name: look_up(runs, f"scorecard::{name}"))
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\*\*(\d+) of (\d+)\*\*", readme) == re.findall(r'number">(\d+)<span> of (\d+)', shown)
    assert len(readme.split()) <= 900


def test_the_book_and_its_sources_can_be_cited():
    own = oza_front.own_entry(oza_front._citation())
    assert own.startswith("@misc{oza2026,\n  author  = {{The oza authors}},\n") and own.endswith("}")
    bibliography = (TOP / "book" / "references.bib").read_text(encoding="utf-8")
    assert "Online Ensemble Learning" in oza_front.entry_of(bibliography, "oza2001")
    with pytest.raises(LookupError, match="no entry 'nobody'"):
        oza_front.entry_of(bibliography, "nobody")
