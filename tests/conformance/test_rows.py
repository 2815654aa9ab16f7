"""Each probe finds its planted deviation and passes what conforms; and this library's column."""

import pytest

from benchmarks.conformance import ours
from benchmarks.conformance.cells import COLUMNS, judged, recorded, scripts
from benchmarks.conformance.rows import ROWS
from reproduction.commands import main

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


@pytest.mark.parametrize("path", sorted(set(scripts().values())), ids=lambda path: path.stem)
def test_a_script_is_short_and_does_without_this_library(path):
    text = path.read_text(encoding="utf-8")
    assert sum(bool(line) for line in text.splitlines()) <= 20
    assert "import oza" not in text and "from oza" not in text and "benchmarks" not in text


def test_the_command_shows_what_was_fed_expected_and_observed(capsys):
    assert main(["conformance", "--implementation", "River", "--row", "detector-sense"]) == 0
    printed = capsys.readouterr().out
    for part in (
        "fed",
        "bounds error rises 1 to 20; error falls 0",
        "deviates: error rises 0",
        "river_adwin_bagging.py",
    ):
        assert part in printed


def test_the_command_shows_the_table(capsys):
    assert main(["conformance"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ROWS) + 1
