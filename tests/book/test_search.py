"""The search finds every place, also when some pages are built again, and shows the words of a page."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest
from docutils import nodes
from docutils.utils import new_document

from tools.run_notebooks import TOP

specification = importlib.util.spec_from_file_location("oza_search", TOP / "book" / "_ext" / "oza_search.py")
oza_search = importlib.util.module_from_spec(specification)
specification.loader.exec_module(oza_search)


@pytest.mark.parametrize(
    ("latex", "read"),
    [
        (r"\lambda", "λ"),
        (r"\varepsilon_m", "ϵ_m"),
        (r"\lambda = 6", "λ = 6"),
        ("N + 1", "N + 1"),
        (r"m \leftarrow n", "m ← n"),
        (r"\frac{1}{n}", "…"),
        (r"\notaletter x", "…"),
    ],
)
def test_a_formula_is_letters_or_left_out(latex, read):
    assert oza_search._formula(latex) == read


def test_the_text_of_a_page_has_titles_and_prose_and_no_code():
    page = new_document("a page")
    sentence = nodes.paragraph("", "", nodes.Text("Type "), nodes.literal("", "oza"), nodes.Text("\nhere."))
    sentence += nodes.raw("", "<b>no</b>", format="html")
    page += nodes.section("", nodes.title("", "How to begin"), sentence, nodes.literal_block("", "x = 1"))
    assert oza_search.text_of(page) == "How to begin. Type oza here."


def test_a_page_that_is_not_built_again_keeps_its_entries(tmp_path):
    pages, built = tmp_path / "pages", tmp_path / "built"
    pages.mkdir()
    (pages / "conf.py").write_text("extensions = ['oza_search']\n")
    for name in ("index", "kept", "changed", "removed"):
        (pages / f"{name}.rst").write_text(f":orphan:\n\nA page\n======\n\n.. index:: entry of {name}\n")
    environment = os.environ | {"PYTHONPATH": f"{TOP / 'book' / '_ext'}:{TOP}"}
    for _ in range(2):
        subprocess.run([sys.executable, "-m", "sphinx", "-q", pages, built], check=True, env=environment)
        with (pages / "changed.rst").open("a") as file:
            file.write("\nMore.\n")
        (pages / "removed.rst").unlink(missing_ok=True)
    entries = set(re.findall(r"entry of \w+", (built / "searchindex.js").read_text(encoding="utf-8")))
    assert entries == {"entry of index", "entry of kept", "entry of changed"}
