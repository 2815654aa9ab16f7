"""Tables and figures show what the results say, beside what is printed, with the right verdict."""

import base64
import io

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.pages import (
    accuracy_table,
    against_batch_table,
    batch_online_table,
    error_scatter,
    significance_table,
    table_3_1,
    times_table,
)

from ..tables.given import Given, boosted, results


def test_table_3_1_agrees_with_the_thesis_but_for_the_inputs_of_census_income():
    table = table_3_1()
    differing = table.cells[table.cells["verdict"] == "differs"]
    assert differing[["dataset", "count", "ours", "printed"]].to_numpy().tolist() == [
        ["census-income", "inputs", 40, 39.0]
    ]
    assert table.shown.loc["Promoters"].to_list() == ["84", "22", "57", "2", "agrees"]
    assert table.shown.loc["Census Income", "Inputs"] == "40 (39)"
    assert table.shown.loc["Forest Covertype, first 20,000 rows", "Verdict"] == "no printed value"


def test_the_cells_behind_a_table_are_a_file():
    table = accuracy_table(Given(results()), "3.4")
    link = BeautifulSoup(table._repr_html_(), "html.parser").a
    assert link["download"] == "table-3-4.csv"
    text = base64.b64decode(link["href"].partition("base64,")[2]).decode()
    cells = pd.read_csv(io.StringIO(text), index_col=["dataset", "algorithm"])
    pd.testing.assert_series_equal(cells["mean"], table.cells["mean"], rtol=1e-5)
    assert cells["verdict"].to_dict() == table.cells["verdict"].to_dict()


def test_significance_marks_are_judged_too():
    table = significance_table(Given(results(online_bagging=-0.05)), "3.4")
    assert table.cells["verdict"]["chess", "online_bagging"] == "no printed value"  # illegible
    assert table.cells["verdict"]["balance", "online_bagging"] == "differs"
    assert table.cells["verdict"]["balance", "bagging"] == "agrees"
    assert table.cells["verdict"]["census-income", "bagging"] == "excluded"
    assert table.cells["verdict"]["soybean-large", "bagging"] == "no printed value"
    assert table.cells["verdict"]["nursery", "bagging"] == "not run"


def test_stars_between_batch_and_online_are_judged_too():
    table = batch_online_table(Given(results(online_bagging=-0.05)), "3.4")
    assert table.cells["welch"]["chess", "bagging"] == "better"
    assert table.cells["verdict"]["chess", "bagging"] == "agrees"  # the one star of the printed table
    assert table.cells["verdict"]["balance", "bagging"] == "differs"
    assert table.cells["verdict"]["nursery", "bagging"] == "not run"
    assert batch_online_table(Given(results()), "3.4").cells["verdict"]["chess", "bagging"] == "differs"


def test_online_networks_are_marked_against_those_that_learned_in_batch():
    marks = against_batch_table(Given(boosted()), "4.6").cells.loc["balance"]
    assert marks.loc["online_boosting_10"].to_list() == ["better", "better"]
    assert marks.loc["online_single_10"].to_list() == ["none", "none"]
    marks = against_batch_table(Given(boosted()), "4.5").cells.loc["balance"]
    assert marks.loc["online_boosting"].to_dict() == {"single": "worse", "boosting": "worse"}


def test_times_are_medians_of_training_and_testing_together():
    frame = results()
    frame.loc[frame.index[0], "train_seconds"] = 99.0  # one interrupted measurement
    cells = times_table(Given(frame), "3.9").cells
    assert cells["seconds"]["balance", "single"] == pytest.approx(0.25)
    assert cells["printed"]["balance", "bagging"] == 0.1
    assert cells["times_faster"]["balance", "bagging"] == pytest.approx(0.4)
    shown = times_table(Given(frame), "3.9").shown
    assert shown.loc["Balance", "Bagging"] == "0.25\n0.1 (0.4×)"
    assert shown.loc["Nursery", "Single"].startswith("–\n")


def test_points_are_errors_in_percent():
    points = error_scatter(Given(results()), "3.5").cells
    assert points.loc["balance", "Bagging"] == pytest.approx(9.25)
    assert points.loc["balance", "Online bagging, printed"] == pytest.approx(9.28)
    assert np.isnan(points.loc["chess", "Online bagging, printed"])
    assert np.isnan(points.loc["nursery", "Bagging"])
