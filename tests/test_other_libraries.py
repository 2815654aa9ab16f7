"""What code, book and notebooks say of other libraries is tied to what shows that it is true.

`data/reference/other_libraries.csv` has every sentence that names one, in docstrings and comments of `oza`,
in `book/` and in the text of notebooks, with its evidence. A sentence that is new or has changed is missing
there until somebody has looked whether it is true.
"""

import ast
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = re.compile(r"\b(MOA|River|CapyMOA|Weka|scikit-multiflow|VW|Vowpal Wabbit)\b")

#: What may stand behind a sentence, by kind, and the form that it has.
KINDS = {
    "row": r"[a-z-]+( [a-z-]+)*",  # rows of the table of conformance
    "source": r"(MOA|CapyMOA|River|Weka|Vowpal Wabbit) [0-9a-f.]+: .+",  # the version and file
    "here": r"\S+( \S+)*",  # tests, records and pages of this project
    "name": r".+",  # the sentence says nothing of the library: what it is about
}


def paragraphs(path: Path) -> Iterator[str]:
    """The text of a file: docstrings and comments, Markdown, or the Markdown cells of a notebook."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(content)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    elif path.suffix == ".py":
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        nodes = [node for node in ast.walk(ast.parse(content)) if isinstance(node, documented)]
        texts = [ast.get_docstring(node) or "" for node in nodes]
        texts += re.findall(r"(?:^ *#.*\n)+|(?<=\S)  # .*$", content, re.MULTILINE)
    else:
        texts = [content]
    for text in texts:
        yield from re.split(r"\n\s*\n|\n-+\n|\n(?=\s*(?:- |\||\S+ : ))", text)


def sentences(path: Path) -> set[str]:
    """The sentences of a file that name another library, each on one line."""
    lines = (re.sub(r"\s*\n[\s#]*", " ", text.lstrip(" #-")).strip() for text in paragraphs(path))
    return {each for line in lines for each in re.split(r"(?<=[.?!])\s+", line) if NAMES.search(each)}


def all_sentences() -> set[str]:
    paths = [*ROOT.glob("oza/**/*.py"), *ROOT.glob("book/**/*.md"), *ROOT.glob("notebooks/*.ipynb")]
    written = [path for path in paths if not {"_build", "executed"} & set(path.parts)]
    return set().union(*map(sentences, written))


TABLE = (ROOT / "data/reference/other_libraries.csv").read_text(encoding="utf-8")
ENTRIES = list(csv.DictReader(TABLE.splitlines()))


def test_every_sentence_has_evidence():
    missing = all_sentences() - {entry["sentence"] for entry in ENTRIES}
    assert not missing, "look whether it is true, and add it with its evidence to other_libraries.csv"


def test_no_entry_is_left_of_a_sentence_that_has_changed():
    known = [entry["sentence"] for entry in ENTRIES]
    assert set(known) <= all_sentences() and len(set(known)) == len(known)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["sentence"][:40])
def test_evidence_is_what_its_kind_says(entry):
    assert re.fullmatch(KINDS[entry["kind"]], entry["evidence"])
    if entry["kind"] == "here":
        assert all((ROOT / path).exists() for path in entry["evidence"].split())


def test_rows_are_those_of_the_table_of_conformance():
    rows = pytest.importorskip("benchmarks.conformance.rows").ROWS
    cited = {row for entry in ENTRIES if entry["kind"] == "row" for row in entry["evidence"].split()}
    assert cited <= {row.name for row in rows}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("docstring.py", 'def f():\n    """Do it.\n\n    As in\n    MOA, twice. Not here.\n    """\n'),
        ("comment.py", "x = 1  # one\n# Not here. As in\n# MOA, twice.\n"),
        ("page.md", "# Heading\n\n- Not here. As in\n  MOA, twice.\n"),
        (
            "page.ipynb",
            json.dumps({"cells": [{"cell_type": "markdown", "source": ["As in\n", "MOA, twice. No."]}]}),
        ),
    ],
)
def test_a_sentence_is_found_wherever_it_stands(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert sentences(tmp_path / name) == {"As in MOA, twice."}
