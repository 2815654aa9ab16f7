"""Each table and figure belongs to one base model, to studies that are run, and to columns that they have."""

import pytest

from oza.datasets import dataset_info
from reproduction.studies import curves as recorded
from reproduction.studies.accuracy import GRIDS
from reproduction.tables import layout, printed, scatter
from reproduction.tables.layout import (
    ACCURACIES,
    CURVES,
    ERRORS,
    LAYOUTS,
    SCATTERS,
    TEN,
    TIMES,
    column_of,
    counterpart,
    heading,
    is_online,
    reference,
)


def test_each_column_is_compared_with_its_like():
    columns = LAYOUTS["3.11"].columns
    assert reference("bagging", columns) == "single"
    assert reference("online_bagging_10", columns) == "online_single_10"
    assert reference("online_bagging", LAYOUTS["3.4"].columns) == "single"
    assert counterpart("online_single_10", LAYOUTS["3.7"].columns) == "single"
    assert counterpart("bagging", LAYOUTS["3.7"].columns) == "online_bagging_10"
    assert counterpart("primed_boosting_10", LAYOUTS["4.6"].columns) == "boosting"
    assert counterpart("boosting", LAYOUTS["4.4"].columns) == ""


def test_priming_with_200_examples_has_a_name():
    assert heading("primed_200") == "Primed online boosting, 200 examples"


@pytest.mark.parametrize("table", LAYOUTS)
def test_the_studies_of_a_table_run_its_columns(table):
    tasks = (task for name in layout(table).studies for task in GRIDS[name].tasks("quick"))
    made = {
        column_of(task.base_model, task.algorithm)
        for task in tasks
        if task.base_model.startswith(layout(table).base_model)
    }
    assert set(layout(table).columns) <= made
    assert all(GRIDS[name].timed == (table in TIMES) for name in layout(table).studies)


@pytest.mark.parametrize("table", LAYOUTS)
def test_a_table_that_survives_in_print_has_the_printed_columns(table):
    theirs = printed("running_times" if table in TIMES else "accuracy").query("table == @table")
    assert set(theirs["algorithm"]) <= set(layout(table).columns)
    assert set(theirs["base_model"].dropna()) <= {layout(table).base_model}


@pytest.mark.parametrize("figure", SCATTERS)
def test_a_figure_shows_columns_of_its_tables(figure):
    tables, x, y, _ = scatter(figure)
    for table in tables:
        assert table in ACCURACIES and {x, y} <= set(layout(table).columns)


def test_figures_are_those_of_the_list_of_contents():
    contents = printed("contents").query("document == 'thesis' and kind == 'figure'")
    titles = contents.set_index("number")["title_or_caption"].str.lower()
    for figure, (base_model, dataset) in ERRORS.items():
        assert base_model.replace("_", " ") in titles[figure]
        assert dataset_info(dataset).thesis_name.partition(",")[0].lower() in titles[figure]
    for figure, (tables, x, y, _) in SCATTERS.items():
        if not figure.startswith("KDD"):
            title = titles[figure]
            assert layout(tables[0]).base_model.rpartition("_")[2] in title
            assert title.startswith("scatter: online") == is_online(x)
            assert ("primed" in title) == y.startswith("primed")
            assert ("boosting" in title, "bagging" in title) == ("boosting" in y, "bagging" in y)
            assert ("ten updates" in title) == y.endswith(TEN)


def test_recorded_curves_have_a_figure():
    assert set(CURVES.values()) <= set(recorded.CURVES)


@pytest.mark.parametrize(("ask", "name"), [(layout, "table='9.9'"), (scatter, "figure='9.9'")])
def test_an_unknown_number_is_refused(ask, name):
    with pytest.raises(ValueError, match=rf"{name}: expected one of"):
        ask("9.9")
