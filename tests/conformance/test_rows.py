"""Each probe finds its planted deviation and passes what conforms; and this library's column."""

import pytest

from benchmarks.conformance import ours
from benchmarks.conformance.cells import judged, recorded
from benchmarks.conformance.rows import ROWS

from .planted import Planted

EACH = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
#: What this library does not do as the papers say, or does not have.
OURS = {
    "leveraging-half": "not there",
    "leveraging-wt": "not there",
    "leveraging-subag": "not there",
    "tree-null-split": "deviates",
    "tree-own-examples": "deviates",
}


@EACH
def test_an_implementation_that_keeps_the_rule_conforms(row):
    assert judged(row, Planted().make)[0] == "conforms"


@EACH
def test_an_implementation_that_breaks_the_rule_is_found(row):
    assert judged(row, Planted(row.name).make)[0] == "deviates"


@EACH
def test_this_library(row):
    verdict, found, _ = judged(row, ours.make)
    assert verdict == OURS.get(row.name, "conforms"), found


def test_a_recorded_verdict_follows_from_what_was_found():
    by_name = {row.name: row for row in ROWS}
    for cell in recorded():
        if cell.found:
            assert cell.verdict == ("conforms" if by_name[cell.row].conforms(cell.found) else "deviates")
