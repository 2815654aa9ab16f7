"""Tables and figures show what the results say, beside what is printed, with the right verdict."""

import base64
import io

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from oza.compare.style import svg
from oza.compare.table import Table
from oza.datasets import load_dataset
from reproduction.pages import (
    accuracy_table,
    against_batch_table,
    batch_online_table,
    coverage,
    difference_dots,
    difference_map,
    difference_text,
    differing_marks,
    differing_table,
    error_scatter,
    show,
    signed_rank_table,
    significance_table,
    table_3_1,
    times_table,
)
from reproduction.tables import accuracy_cells, joined_cells

from ..tables.given import THEIRS, Given, boosted, counted, results


def test_table_3_1_agrees_with_the_thesis_but_for_the_inputs_of_census_income():
    table = table_3_1()
    differing = table.cells[table.cells["verdict"] == "differs"]
    assert differing[["dataset", "count", "ours", "printed"]].to_numpy().tolist() == [
        ["census-income", "inputs", 40, 39.0]
    ]
    assert table.shown.loc["Promoters"].to_list() == ["84", "22", "57", "2", "agrees"]
    assert table.shown.loc["Census Income", "Inputs"] == "40 (39)"
    assert table.shown.loc["Forest Covertype, first 20,000 rows", "Verdict"] == "no printed value"


def test_rows_stand_in_the_thesis_order_with_extra_rows_under_their_own_names():
    rows = accuracy_table(Given(results()), "3.4").shown.index.to_list()
    assert rows[:3] == ["Promoters", "Balance", "Soybean-Large"]
    assert rows[-2:] == ["Forest Covertype", "Forest Covertype, first 20,000 rows"]


def test_text_shows_value_error_marks_and_what_is_illegible():
    table = accuracy_table(Given(results(bagging=0.05, online_bagging=-0.05)), "3.4")
    assert table.shown.loc["Balance", "Bagging"] == "✗ 0.9575 ± 0.0009▲*\n0.9067"
    assert table.shown.loc["Balance", "Online bagging"] == "✗ 0.8575 ± 0.0009▽\n0.9072"
    assert table.shown.loc["Chess", "Bagging"].endswith("\n0.8759*")
    assert table.shown.loc["Chess", "Online bagging"].endswith("\nillegible")
    assert table.shown.loc["Nursery", "Single"].startswith("–\n")
    assert "✗ 0.9575 ± 0.0009▲* / 0.9067" in table.to_string() and table.to_string() == repr(table)


def test_the_caption_explains_the_signs_that_occur():
    title = accuracy_table(Given(results(bagging=0.05)), "3.4").title
    assert title.endswith("below it the printed value (✓ agrees, ✗ differs, ∅ excluded)")
    assert "?" not in title


def test_html_carries_verdicts_as_classes_and_is_the_same_each_time():
    table = accuracy_table(Given(results()), "3.4")
    html = table._repr_html_()
    assert html == accuracy_table(Given(results()), "3.4")._repr_html_()
    assert '<table class="dataframe">' in html and "<small>0.9075</small>" in html and " id=" not in html
    for verdict in ("agrees", "excluded", "no-printed-value", "not-run"):
        assert f"verdict-{verdict}" in html


def test_a_table_without_any_result_shows_the_printed_values():
    table = accuracy_table(Given(results().iloc[:0]), "3.4")
    assert table.counts() == {"not run": 42}
    assert table.shown.loc["Mushroom", "Single"] == "–\n0.9966"


def cells_of_html(html, name):
    return [
        (cell.get_text(), cell.get("scope")) for cell in BeautifulSoup(html, "html.parser").find_all(name)
    ]


def test_one_row_of_headers_is_enough_for_one_column_each():
    html = accuracy_table(Given(results()), "3.4").to_html()
    heads = cells_of_html(html, "th")
    columns = ["Data set", "Single", "Bagging", "Online bagging", "Splits × orders"]
    assert heads[:6] == [*((name, "col") for name in columns), ("Promoters", "row")]
    assert html.count("<tr>") == 1 + len(accuracy_table(Given(results()), "3.4").shown)


def test_headers_span_what_they_head_and_none_is_empty():
    index = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "y")], names=["letter", "other"])
    columns = pd.MultiIndex.from_tuples([("one", "l"), ("one", "r"), ("two", "")])
    shown = pd.DataFrame("<", index, columns)
    html = Table("Table 1: <", shown, shown, pd.DataFrame("", index, columns))._repr_html_()
    soup = BeautifulSoup(html, "html.parser")
    heads = [
        (th.text, th["scope"], int(th.get("rowspan", 1)), int(th.get("colspan", 1)))
        for th in soup.find_all("th")
    ]
    assert heads == [
        ("letter", "col", 2, 1),
        ("other", "col", 2, 1),
        ("one", "colgroup", 1, 2),
        ("two", "col", 2, 1),
        ("l", "col", 1, 1),
        ("r", "col", 1, 1),
        ("a", "rowgroup", 2, 1),
        ("x", "row", 1, 1),
        ("y", "row", 1, 1),
        ("b", "row", 1, 1),
        ("y", "row", 1, 1),
    ]
    assert soup.caption.text == "Table 1: <" and {td.text for td in soup.find_all("td")} == {"<"}


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


def test_marks_are_signs_and_no_difference_is_blank():
    shown = batch_online_table(Given(results(online_bagging=-0.05)), "3.4").shown["Bagging"]
    assert shown.loc["Chess"].to_dict() == {"Welch": "▲", "paired": "▲", "corrected": "▲", "printed": "✓ ▲"}
    assert shown.loc["Balance", "printed"] == "✗" and shown.loc["Nursery", "Welch"] == "–"
    assert batch_online_table(Given(results()), "3.4").shown.loc["Balance", ("Bagging", "Welch")] == ""


def test_each_mark_that_differs_is_named_with_what_both_sides_say():
    said = differing_marks(batch_online_table(Given(results()), "3.4"))
    assert said == (
        "Of 2 marks that can be compared, 1 differs from the printed ones: bagging on Chess (printed: "
        "better; by Welch's test: none; by the paired test: none)."
    )
    found = differing_marks(batch_online_table(Given(results(online_bagging=-0.05)), "3.4"))
    assert "bagging on Balance (printed: none; by Welch's test: better" in found and "Chess" not in found
    nothing = differing_marks(batch_online_table(Given(results().iloc[:0]), "3.4"))
    assert nothing == "Of 0 marks that can be compared, none differ from the printed ones."


def test_a_lost_table_without_results_is_empty():
    nothing = Given(boosted().iloc[:0])
    table, picture = accuracy_table(nothing, "4.6"), error_scatter(nothing, "4.10")
    assert table.cells.empty and table.shown.empty and picture.cells.empty
    assert "no data set has both" in picture.text
    assert picture.figure.axes[0].get_xlim() == (0, 50)
    assert signed_rank_table(table.cells).shown.empty
    assert batch_online_table(Given(boosted().iloc[:0]), "4.6").shown.empty


def test_a_lost_table_shows_ours_alone():
    table = accuracy_table(Given(boosted()), "4.6")
    assert table.shown.columns[1] == "Online single, 10 updates"
    assert not table.shown.map(lambda text: "\n" in text).to_numpy().any()
    assert not table.verdicts.to_numpy().any()
    significance = significance_table(Given(boosted()), "4.6").shown
    assert "printed" not in significance.columns.get_level_values(1)
    assert "Online single, 10 updates" not in significance  # the others are compared with it


def test_online_networks_are_marked_against_those_that_learned_in_batch():
    marks = against_batch_table(Given(boosted()), "4.6").cells.loc["balance"]
    assert marks.loc["online_boosting_10"].to_list() == ["better", "better"]
    assert marks.loc["online_single_10"].to_list() == ["none", "none"]
    marks = against_batch_table(Given(boosted()), "4.5").cells.loc["balance"]
    assert marks.loc["online_boosting"].to_dict() == {"single": "worse", "boosting": "worse"}


def test_a_table_says_how_much_of_it_was_run():
    table = accuracy_table(Given(results()), "3.4")
    assert table.shown.loc["Balance", "Splits × orders"] == "10 × 2"
    assert table.shown.loc["Nursery", "Splits × orders"] == "–"
    text = coverage(table.cells)
    assert text.startswith("0 of 5 data sets have all splits") and "no results for Promoters" in text
    full = pd.concat([results().assign(repetition=r, order=o) for r in range(10) for o in range(5)])
    assert coverage(accuracy_cells(full, "3.4")).startswith("5 of 5 data sets")
    one_missing = full[
        (full["order"] < 4) | (full["algorithm"] != "online_bagging") | (full["dataset"] != "chess")
    ]
    assert "fewer: Chess." in coverage(accuracy_cells(one_missing, "3.4"))


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


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00123, "0.0012"), (0.25, "0.25"), (12.34, "12"), (0.0, "0")]
)
def test_times_are_shown_with_two_digits(seconds, text):
    record = Given(results().assign(train_seconds=seconds, test_seconds=0.0))
    shown = times_table(record, "3.9").shown
    assert shown.loc["Balance", "Single"].split("\n")[0] == text


def test_work_stands_beside_the_times_for_each_training_example():
    table = times_table(Given(results(), counted()), "3.9", with_work=True)
    cells = table.cells
    assert cells.loc[("balance", "bagging"), ["updates", "classifications", "operations"]].to_list() == [
        4,
        5,
        9,
    ]
    assert cells.loc[("balance", "online_bagging"), "operations":].isna().all()
    assert table.shown.loc["Balance", "Bagging"].endswith("\n4 + 5")
    assert "+" not in table.shown.loc["Nursery", "Bagging"]
    assert "learn + classify a training example" in table.title
    nothing = times_table(Given(results()), "3.9", with_work=True)
    assert not nothing.shown["Bagging"].str.contains("+", regex=False).any()


def test_points_are_errors_in_percent():
    points = error_scatter(Given(results()), "3.5").cells
    assert points.loc["balance", "Bagging"] == pytest.approx(9.25)
    assert points.loc["balance", "Online bagging, printed"] == pytest.approx(9.28)
    assert np.isnan(points.loc["chess", "Online bagging, printed"])
    assert np.isnan(points.loc["nursery", "Bagging"])


def test_a_figure_is_the_same_text_each_time_and_changes_with_the_data():
    first, again = (svg(error_scatter(Given(results()), "3.5").figure) for _ in range(2))
    moved = svg(error_scatter(Given(results(bagging=0.01)), "3.5").figure)
    assert first == again != moved
    assert "Balance" in moved and "<dc:date>" not in first


def annotations(figure):
    from matplotlib.text import Annotation

    return [child for child in figure.axes[0].get_children() if isinstance(child, Annotation)]


def test_only_outliers_have_names():
    assert annotations(error_scatter(Given(results()), "3.5").figure) == []
    moved = results()
    moved.loc[(moved["dataset"] == "chess") & (moved["algorithm"] == "bagging"), "n_correct"] += 300
    notes = annotations(error_scatter(Given(moved), "3.5").figure)
    assert [note.get_text() for note in notes] == ["Chess"]


def test_names_do_not_lie_on_each_other_and_stay_inside(monkeypatch):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    cells = accuracy_cells(results(), "3.4")
    cells["mean"] = cells["printed"] - 0.02  # every data set is an outlier
    record = Given(results())
    monkeypatch.setattr(record, "accuracy", lambda table: cells)
    figure = error_scatter(record, "3.5").figure
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [Text.get_window_extent(note, canvas.get_renderer()) for note in annotations(figure)]
    assert len(boxes) == 11  # those of which both printed values are legible
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    frame = figure.axes[0].bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 for box in boxes)


def test_axes_grow_with_the_errors():
    bayes = error_scatter(Given(results()), "3.5").figure
    assert bayes.axes[0].get_xlim() == (0, 55)  # Synthetic1: 50.04 %
    stumps = error_scatter(Given(results().assign(base_model="decision_stump")), "3.6").figure
    assert stumps.axes[0].get_ylim() == (0, 70)


def test_dots_are_differences_in_points_with_their_intervals():
    picture = difference_dots(Given(results(online_bagging=0.03)), "3.5")
    balance = picture.cells.loc["balance"]
    assert balance["difference"] == pytest.approx(3.0) and balance["mark"] == "better"
    theirs = 100 * (THEIRS["balance", "online_bagging"] - THEIRS["balance", "bagging"])
    assert balance["printed"] == pytest.approx(theirs)
    assert picture.cells.index.to_list()[:2] == ["balance", "soybean-large"]  # in the order of their sizes
    assert np.isnan(picture.cells.loc["mushroom", "difference"])  # printed, and not among the results
    assert "promoters" not in picture.cells.index  # neither
    (axes,) = picture.figure.axes
    assert "more accurate on 3 of 3 data sets" in axes.get_title(loc="left")
    assert [text.get_text() for text in axes.get_yticklabels()][:2] == ["Balance", "Soybean-Large"]
    assert "(Census Income)" in [text.get_text() for text in axes.get_yticklabels()]
    (bars,) = axes.containers
    drawn = bars.lines[0].get_xydata()
    assert drawn[0] == pytest.approx((3.0, 0.0))
    ends = bars.lines[2][0].get_segments()[0][:, 0]
    assert ends == pytest.approx([3.0 - balance["half_width"], 3.0 + balance["half_width"]])


def test_the_axis_of_differences_is_logarithmic_only_if_one_is_far():
    near, far = (
        difference_dots(Given(results(online_bagging=s)), "3.5").figure.axes[0] for s in (0.03, -0.3)
    )
    assert (near.get_xscale(), far.get_xscale()) == ("linear", "symlog")
    assert "logarithmic" in far.get_xlabel() and "logarithmic" not in near.get_xlabel()
    assert "no results yet" in difference_dots(Given(results().iloc[:0]), "4.9").text


def test_the_figure_in_words_names_its_widest_gap():
    frame = results()
    frame.loc[(frame["dataset"] == "chess") & (frame["algorithm"] == "bagging"), "n_correct"] += 300
    text = error_scatter(Given(frame), "3.5").text
    assert "3.0 points at most (Chess)" in text
    assert "Balance" in text and "9.3" in text and "errs less on 0, more on 1" in text


def test_a_shown_figure_is_an_svg_and_its_words(capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data, raw)))
    picture = error_scatter(Given(results()), "3.5")
    bundle = picture._repr_mimebundle_()
    show(picture.figure, "in words")
    ((data, raw),) = shown
    assert raw and data["text/plain"] == "in words" and data["image/svg+xml"].lstrip().startswith("<?xml")
    assert set(bundle) == set(data) and bundle["text/plain"] == repr(picture) == picture.text


def test_sizes_are_counted_in_the_data(monkeypatch):
    def five_rows_short(name):
        data = load_dataset(name)
        if name == "nursery":
            data["data"], data["target"] = data.data[:-5], data.target[:-5]
        return data

    monkeypatch.setattr("reproduction.pages.dataset_sizes.load_dataset", five_rows_short)
    assert table_3_1().shown.loc["Nursery", "Training"] == "10364 (10368)"


def test_a_differing_cell_names_what_was_tried():
    cells = accuracy_cells(results(single=-0.05), "3.4")
    rows = [
        ("balance", "single", "gain ratio, pruned", 0.9068),  # the study's own
        ("balance", "single", "nearly", 0.9070),
        ("balance", "single", "far", 0.5),
        ("chess", "single", "far", 0.5),
    ]
    tried = pd.DataFrame(rows, columns=["dataset", "algorithm", "variant", "mean"])
    table = differing_table(cells, tried)
    (what,) = table.shown.columns[-1:]
    assert table.shown.loc["Balance, single", what] == (
        "2 other variants; nearest: nearly, 0.9070, within 0.01; ours on the same splits: 0.9068"
    )
    assert table.shown.loc["Chess, single", what].endswith("so none comes within 0.01")
    assert differing_table(cells, tried.iloc[:3]).shown.loc["Chess, single", what] == "nothing was tried yet"
    assert list(differing_table(accuracy_cells(results(), "3.4"), tried).shown.index) == []


def test_a_differing_ensemble_is_compared_with_ensembles_where_some_were_tried():
    cells = accuracy_cells(results(bagging=-0.05), "3.4")
    columns = ["dataset", "algorithm", "variant", "mean"]
    tried = pd.DataFrame(
        [("balance", "single", "smooth", cells["printed"]["balance", "single"])], columns=columns
    )
    alone = differing_table(cells, tried).shown.loc["Balance, bagging"].iloc[-1]
    assert "of the single model" in alone and alone.endswith("within 0.01")
    bagged = pd.concat([tried, pd.DataFrame([("balance", "bagging", "smooth", 0.5)], columns=columns)])
    assert differing_table(cells, bagged).shown.loc["Balance, bagging"].iloc[-1] == (
        "1 other variants; nearest: smooth, 0.5000, so none comes within 0.01"
    )


def test_the_signed_rank_table_compares_each_pair_of_a_table():
    cells = accuracy_cells(results(bagging=0.05), "3.4")
    table = signed_rank_table(cells)
    assert table.shown.loc["Bagging against single"].to_list() == ["5", "0.00", "0.00", "1.00"]
    assert table.shown.loc["Online bagging against bagging", "worse"] == "1.00"
    networks = signed_rank_table(accuracy_cells(boosted(), "4.6")).shown.index
    assert "Online boosting, 10 updates against online single, 10 updates" in networks


def test_the_map_shows_each_printed_column_once_and_where_ours_differ():
    tables = {"3.4": accuracy_cells(results(single=-0.02), "3.4")}
    cells = joined_cells(tables)
    picture = difference_map(cells)
    texts = {(t.get_position(), t.get_weight()): t.get_text() for t in picture.figure.axes[0].texts}
    assert texts[(0, 1), "bold"] == "-2.0"  # single on Balance
    assert picture.text == difference_text(cells) and picture.text.startswith("3 of 5 cells agree")


def test_the_map_shows_undecided_cells_in_italics_and_counts_them():
    cells = joined_cells({"3.4": accuracy_cells(results(single=-0.009), "3.4")})
    assert (cells["verdict"] == "undecided").sum() == 2
    picture = difference_map(cells)
    italics = [t.get_text() for t in picture.figure.axes[0].texts if t.get_style() == "italic"]
    assert italics == ["-0.9", "-0.9"]
    assert "3 of 5 cells agree, 2 are undecided" in picture.text


def test_the_map_shows_explained_cells_with_those_that_differ_and_counts_them_apart():
    cells = joined_cells({"3.4": accuracy_cells(results(single=-0.02), "3.4")})
    cells.loc[("3.4", "balance", "single"), "verdict"] = "explained"
    picture = difference_map(cells)
    frames = [patch for patch in picture.figure.axes[0].patches if patch.get_linewidth() > 1]
    assert sorted(frame.get_linestyle() for frame in frames) == ["-", ":"]
    assert "in points: 3.4 Chess single -2.0; those that differ and are explained: 3.4 Bal" in picture.text
