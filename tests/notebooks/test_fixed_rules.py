"""A page that says that its rule was fixed beforehand names the commit in which it stands, unchanged."""

import re
import subprocess
from pathlib import Path

import nbformat
import pandas as pd
import pytest

TOP = Path(__file__).parents[2]
RULES = pd.read_csv(TOP / "data" / "reference" / "fixed_rules.csv", dtype=str, keep_default_na=False)
SAYS_SO = re.compile(r"(rule|conditions)[^.]*\b(fixed|committed) before(hand)?\b[^.]*", re.IGNORECASE)


def plain(text):
    return " ".join(text.split())


def text_of(page):
    cells = nbformat.read(TOP / "notebooks" / f"{page}.ipynb", 4)["cells"]
    return plain(" ".join(cell["source"] for cell in cells))


def committed(commit, file):
    """Text of a file in a commit; the test is skipped where the commit cannot be had."""
    found = subprocess.run(["git", "show", f"{commit}:{file}"], cwd=TOP, capture_output=True, text=True)
    if found.returncode:
        pytest.skip(f"no commit {commit} here: {found.stderr.strip()}")
    return found.stdout


def changed(rule, then, now):
    """Where a rule does not stand: in the commit, or in the present file."""
    return [name for name, text in (("then", then), ("now", now)) if plain(rule) not in plain(text)]


@pytest.mark.parametrize("row", [*RULES.itertuples()], ids=lambda row: f"{row.page}, {row.Index}")
def test_a_rule_is_that_of_the_commit_which_its_page_names(row):
    assert f"`{row.commit}`" in text_of(row.page)
    then, now = committed(row.commit, row.then or row.file), (TOP / row.file).read_text(encoding="utf-8")
    assert changed(row.rule, then, now) == []
    assert changed(f"{row.rule} Or so.", then, now) == ["then", "now"]  # planted


def test_every_page_that_says_so_names_a_commit():
    pages = [path.stem for path in sorted((TOP / "notebooks").glob("*.ipynb"))]
    without = {page for page in pages if SAYS_SO.search(text_of(page))} - set(RULES["page"])
    assert without <= {"rule-changes"}, "say in data/reference/fixed_rules.csv which commit has the rule"
