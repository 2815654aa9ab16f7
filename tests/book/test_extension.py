"""The Sphinx extension inserts exactly the values that the notebooks glued."""

import importlib.util

import nbformat
import pandas as pd
import pytest

from tools.run_notebooks import TOP

specification = importlib.util.spec_from_file_location("oza_book", TOP / "book" / "_ext" / "oza_book.py")
oza_book = importlib.util.module_from_spec(specification)
specification.loader.exec_module(oza_book)


def write(folder, stem, **values):
    outputs = [
        nbformat.v4.new_output(
            "display_data",
            data={oza_book.GLUED: text},
            metadata={"scrapbook": {"name": name, "mime_prefix": "application/papermill.record/"}},
        )
        for name, text in values.items()
    ]
    cell = nbformat.v4.new_code_cell("glue", outputs=outputs, execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / f"{stem}.ipynb")


def test_a_glued_value_is_found_by_its_name(tmp_path):
    write(tmp_path, "a", gap="0.125", counts="{'holds': 3}", figure="<Figure size 640x480>")
    runs = oza_book.read_runs(tmp_path)
    assert oza_book.look_up(runs, "gap") == 0.125
    assert oza_book.look_up(runs, "a::counts") == {"holds": 3}
    with pytest.raises(LookupError, match="no executed notebook glued 'figure'"):
        oza_book.look_up(runs, "figure")


def test_a_name_that_two_notebooks_use_must_say_which(tmp_path):
    write(tmp_path, "a", gap="1")
    write(tmp_path, "b", gap="2")
    runs = oza_book.read_runs(tmp_path)
    assert oza_book.look_up(runs, "b::gap") == 2
    with pytest.raises(LookupError, match="glued by a, b; say which"):
        oza_book.look_up(runs, "gap")


def test_stored_outputs_count_as_a_run_without_times(tmp_path):
    write(tmp_path, "a", gap="1")
    (run,) = oza_book.read_runs(tmp_path)
    assert (run.start, run.seconds, run.parameters) == (None, None, {})


def test_recorded_counts_make_a_table_with_a_column_for_each_verdict_that_occurs():
    a = {"cells": {"agrees": 3}, "claims": {"holds": 1, "undecided": 4}}
    b = {"cells": {"no printed value": 2, "undecided": 5}, "claims": {}}
    lines = oza_book.verdict_lines({"a": a, "b": b})
    assert lines[0].count("{.verdict-") == 5 and "{.verdict-no-printed-value}" in lines[0]
    assert lines[2:] == [
        "| {doc}`/executed/a` | 3 |  |  | 1 | 4 |",
        "| {doc}`/executed/b` |  | 5 | 2 |  |  |",
    ]
    assert lines[0].index("undecided]{.verdict-undecided} (number)") < lines[0].index(" (claim)")
    assert oza_book.verdict_lines({}) == ["No verdict is on record yet."]


def test_points_of_an_audit_tell_verdicts_where_there_are_some():
    columns = ["point", "objection", "answer", "outcomes"]
    points = pd.DataFrame([("C015", "a hair", "an interval", "C015 fails → undecided")], columns=columns)
    assert oza_book.audit_lines(points)[0] == "| point | objection | answer | verdicts |"
    assert oza_book.audit_lines(points.assign(outcomes=""))[2:] == ["| C015 | a hair | an interval |"]


def test_glued_counts_make_a_table_whose_verdicts_are_coloured():
    counts = {"empirical": {"holds": 3, "all": 5}, "theorem": {"holds": 1, "all": 1}}
    assert oza_book.count_lines(counts) == [
        "| | [✓ holds]{.verdict-holds} | all |",
        "| --- | --: | --: |",
        "| empirical | 3 | 5 |",
        "| theorem | 1 | 1 |",
    ]


def test_claims_of_a_source_are_listed_with_links_to_the_pages_that_are_there():
    claims = pd.DataFrame(
        {
            "source": ["thesis 3.4", "KDD 4.2", "KDD 4.5"],
            "statement": ["one", "two", "three"],
            "outcome": ["holds", "fails", "not judged yet"],
            "pages": [["a"], ["a", "b"], []],
        },
        index=["C001", "C002", "C003"],
    )
    assert oza_book.claim_lines(claims, "KDD", {"b"})[2:] == [
        "| C002 | two | [✗ fails]{.verdict-fails} | {doc}`/executed/b` |",
        "| C003 | three | [not judged yet]{.verdict-not-judged-yet} |  |",
    ]


def test_places_are_listed_by_page_with_a_link_to_each():
    rows = [("Figure 1", "executed/a", "x"), ("Table 2", "executed/b", "y"), ("Table 3", "executed/a", "z")]
    items = pd.DataFrame(rows, columns=["item", "page", "anchor"])
    first, second = oza_book.place_lines(items, ".")[2:]
    links = '<a href="executed/a.html#x">Figure 1</a>; <a href="executed/a.html#z">Table 3</a>'
    assert first == f"| {{doc}}`/executed/a` | {links} |"
    assert second == '| {doc}`/executed/b` | <a href="executed/b.html#y">Table 2</a> |'
    assert '"../executed/b.html#y"' in oza_book.place_lines(items, "chapters")[3]
