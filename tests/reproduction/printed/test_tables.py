"""Each table and figure belongs to one base model, to studies that are run, and to columns that they have."""

import pytest

from oza.datasets import dataset_info
from reproduction.printed.layout import (
    ACCURACIES,
    ERRORS,
    LAYOUTS,
    SCATTERS,
    TEN,
    TIMES,
    column_of,
    counterpart,
    is_online,
    layout,
    reference,
    scatter,
)
from reproduction.printed.printed import printed
from reproduction.studies.accuracy import GRIDS


def test_each_column_is_compared_with_its_like():
    columns = LAYOUTS["3.11"].columns
    assert reference("bagging", columns) == "single"
    assert reference("online_bagging_10", columns) == "online_single_10"
    assert reference("online_bagging", LAYOUTS["3.4"].columns) == "single"
    assert counterpart("online_single_10", LAYOUTS["3.7"].columns) == "single"
    assert counterpart("bagging", LAYOUTS["3.7"].columns) == "online_bagging_10"
    assert counterpart("primed_boosting_10", LAYOUTS["4.6"].columns) == "boosting"
    assert counterpart("boosting", LAYOUTS["4.4"].columns) == ""


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
