"""This library's column of the table of conformance, and what is recorded of the others."""

import pytest

from benchmarks.conformance import experiments, ours
from benchmarks.conformance.cells import COLUMNS, judged, recorded, scripts
from benchmarks.conformance.rows import ROWS
from reproduction.commands import main

#: What this library does not do as the papers say, or does not have.
OURS = {
    "leveraging-half": "not there",
    "leveraging-wt": "not there",
    "leveraging-subag": "not there",
    "tree-null-split": "deviates",
    "tree-own-examples": "deviates",
}


@pytest.mark.full  # `make test` compares each ensemble with its reference
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_this_library(row):
    verdict, found, _ = judged(row, ours.make)
    assert verdict == OURS.get(row.name, "conforms"), found


def test_a_recorded_verdict_follows_from_what_was_found():
    by_name = {row.name: row for row in ROWS}
    for cell in recorded():
        if cell.found:
            assert cell.verdict == ("conforms" if by_name[cell.row].conforms(cell.found) else "deviates")


def test_every_cell_is_recorded_and_each_deviation_of_a_peer_has_a_script():
    found = {(cell.row, cell.implementation): cell.verdict for cell in recorded()}
    assert set(found) == {(row.name, name) for row in ROWS for name in COLUMNS}
    deviating = {cell for cell, verdict in found.items() if verdict in ("deviates", "crashes", "hangs")}
    assert {cell for cell in deviating if cell[1] != "oza"} == set(scripts())


def test_what_the_page_says_in_words_is_what_is_probed():
    assert experiments.WORDS.read_text(encoding="utf-8") == experiments.in_words()


def test_the_command_shows_the_table(capsys):
    assert main(["conformance"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ROWS) + 1
