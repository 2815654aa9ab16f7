"""This library's column of the table of conformance, and what is recorded of the others."""

import pytest

from benchmarks.conformance import ours
from benchmarks.conformance.cells import COLUMNS, judged, recorded, scripts
from benchmarks.conformance.rows import ROWS
from reproduction.commands import main

pytestmark = pytest.mark.full  # `make test` compares each ensemble with its reference

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
def test_this_library(row):
    verdict, found, _ = judged(row, ours.make)
    assert verdict == OURS.get(row.name, "conforms"), found


def test_a_recorded_verdict_follows_from_what_was_found():
    by_name = {row.name: row for row in ROWS}
    for cell in recorded():
        if cell.found:
            assert cell.verdict == ("conforms" if by_name[cell.row].conforms(cell.found) else "deviates")


def test_every_cell_is_recorded_and_each_deviation_of_a_peer_has_a_script():
    cells, shown = recorded(), scripts()
    assert {(cell.row, cell.implementation) for cell in cells} == {
        (r.name, name) for r in ROWS for name in COLUMNS
    }
    deviating = {
        (cell.row, cell.implementation)
        for cell in cells
        if cell.verdict in ("deviates", "crashes", "hangs") and cell.implementation != "oza"
    }
    assert deviating == set(shown)


def test_the_command_shows_the_table(capsys):
    assert main(["conformance"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ROWS) + 1
