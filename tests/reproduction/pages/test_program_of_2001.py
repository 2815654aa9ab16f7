"""Print beside our models and those of the program: a table and a figure."""

import pandas as pd
import pytest

from reproduction.pages import beside_the_program, three_accuracies

CELLS = {
    ("balance", "single"): (0.6, "agrees", 0.61, "undecided"),
    ("balance", "bagging"): (0.7, "undecided", 0.7, "agrees"),
    ("chess", "single"): (0.66, "explained", 0.68, "agrees"),
    ("chess", "bagging"): (0.6, "differs", 0.62, "differs"),
    ("census-income", "single"): (0.9, "excluded", 0.8, "excluded"),
    ("census-income", "bagging"): (0.9, "excluded", 0.8, "excluded"),
}


@pytest.fixture
def both():
    """Our cells, and those of the program, which come in another order."""
    rows = pd.DataFrame.from_dict(CELLS, "index", columns=["mean", "verdict", "theirs", "their_verdict"])
    rows.index = pd.MultiIndex.from_tuples(rows.index, names=["dataset", "algorithm"])
    rows = rows.assign(printed=0.68, half_width=0.004)
    theirs = rows[["printed", "half_width"]].assign(mean=rows["theirs"], verdict=rows["their_verdict"])
    return rows.drop(columns=["theirs", "their_verdict"]), theirs.iloc[::-1]


def test_each_cell_that_counts_has_its_own_verdict_and_that_of_the_program(both):
    table = beside_the_program(*both, "with the NaN", "Table")
    assert table.shown.index.to_list() == ["Balance", "Chess"]
    assert table.shown.loc["Chess", "Single"].to_list() == [
        "0.6800",
        "∵ 0.6600 ± 0.0040",
        "✓ 0.6800 ± 0.0040",
    ]
    assert table.shown.loc["Balance", ("Bagging", "with the NaN")] == "✓ 0.7000 ± 0.0040"
    assert table.verdicts.loc["Chess", "Bagging"].to_list() == ["", "differs", "differs"]
    assert table.title == "Table (✓ agrees, ✗ differs, ∵ explained, ? undecided)"


def test_the_figure_has_three_marks_for_each_data_set_that_counts(both):
    picture = three_accuracies(*both, "with the NaN")
    assert picture.cells.to_numpy().tolist() == [[0.68, 0.6, 0.61], [0.68, 0.66, 0.68]]
    (axes,) = picture.figure.axes
    drawn = {tuple(line.get_xdata()) for line in axes.lines}
    assert drawn == {(0.68, 0.68), (0.6, 0.66), (0.61, 0.68)}
    assert [text.get_text() for text in axes.get_yticklabels()] == ["Balance", "Chess"]
