"""Tables and figures show what the results say, beside what is printed, with the right verdict."""

import numpy as np
import pandas as pd
import pytest

from oza.datasets import load_dataset
from oza.exhibits import (
    accuracy_cells,
    accuracy_table,
    batch_online_table,
    costs_by_size,
    coverage,
    difference_map,
    difference_text,
    differing_marks,
    differing_table,
    error_points,
    error_scatter,
    joined_cells,
    printed,
    protocol_times,
    recorded_times,
    scatter_text,
    show,
    signed_rank_table,
    significance_table,
    svg,
    table_3_1,
    time_cells,
    times_table,
)

THEIRS = printed("accuracy").query("table == '3.4'").set_index(["dataset", "algorithm"])["value"]
BAGGING = ("bagging", "online_bagging")
DATASETS = ("balance", "chess", "soybean-large", "census-income", "covertype-head")


def results(**shifts):
    """Ten splits around the printed value of each data set, moved by a shift for each algorithm."""
    rows = []
    for dataset in DATASETS:
        for algorithm in ("single", "bagging", "online_bagging"):
            centre = THEIRS.get((dataset, "single"), 0.8) + shifts.get(algorithm, 0.0)
            for split in range(10):
                for order in range(2 if algorithm == "online_bagging" else 1):
                    noise = (split % 5 - 2) * 0.002
                    rows.append(
                        (dataset, algorithm, split // 5, split % 5, order, round(1e4 * (centre + noise)))
                    )
    columns = ["dataset", "algorithm", "repetition", "fold", "order", "n_correct"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(
        base_model="naive_bayes", n_train=40000, n_test=10000, train_seconds=0.2, test_seconds=0.05
    )


def test_printed_values_are_numbers_under_our_names():
    frame = printed("accuracy")
    assert frame["value"].dtype == float and frame["value"].isna().sum() == 11
    assert "soybean-large" in set(printed("datasets")["dataset"])
    assert not any(name[0].isupper() for name in frame["dataset"])
    with pytest.raises(ValueError, match="expected one of accuracy"):
        printed("nothing")


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
    rows = accuracy_table(results(), "3.4").shown.index.to_list()
    assert rows[:3] == ["Promoters", "Balance", "Soybean-Large"]
    assert rows[-2:] == ["Forest Covertype", "Forest Covertype, first 20,000 rows"]


def test_each_cell_has_the_verdict_it_deserves():
    verdicts = accuracy_cells(results(), "3.4")["verdict"]
    assert verdicts["balance", "single"] == "agrees"
    assert verdicts["chess", "online_bagging"] == "no printed value"
    assert verdicts["soybean-large", "single"] == "no printed value"
    assert verdicts["census-income", "single"] == verdicts["covertype-head", "bagging"] == "apart"
    assert verdicts["covertype", "single"] == verdicts["nursery", "bagging"] == "not run"


def test_counter_evidence_turns_a_cell_over():
    assert accuracy_cells(results(single=-0.02), "3.4")["verdict"]["balance", "single"] == "differs"
    assert accuracy_cells(results(single=-0.009), "3.4")["verdict"]["balance", "single"] == "agrees"


def test_marks_follow_the_evidence():
    cells = accuracy_cells(results(bagging=0.05, online_bagging=-0.05), "3.4")
    for test in ("welch", "paired", "corrected"):
        assert cells.loc[("balance", "bagging"), test] == "better"
        assert cells.loc[("balance", "online_bagging"), test] == "worse"
        assert cells.loc[("balance", "single"), test] == "none"
        assert cells.loc[("nursery", "bagging"), test] == "unknown"
    assert cells["star"]["balance", "bagging"] and not cells["star"]["balance", "online_bagging"]
    equal = accuracy_cells(results(), "3.4")
    assert set(equal.loc["balance", "welch"]) == {"none"} and not equal["star"].any()


def test_cells_tell_how_far_an_ensemble_is_from_one_model_and_from_its_counterpart():
    cells = accuracy_cells(results(bagging=0.05, online_bagging=-0.05), "3.4").loc["balance"]
    assert cells["single_difference"]["bagging"] == pytest.approx(0.05)
    assert cells["other_difference"]["bagging"] == pytest.approx(0.1)
    assert cells["other_difference"]["online_bagging"] == pytest.approx(-0.1)
    assert (cells["single_mark"] == cells["welch"])[["bagging", "online_bagging"]].all()
    assert (cells["star"] == (cells["other_mark"] == "better")).all()
    assert set(cells.loc["single", ["single_mark", "other_mark"]]) == {"unknown"}
    assert (cells.loc["bagging", ["single_half_width", "other_half_width"]] < 1e-6).all()


def test_orders_do_not_pretend_to_be_splits():
    cells = accuracy_cells(results(), "3.4")
    assert cells["n_splits"]["balance", "online_bagging"] == 10
    one, other = (
        cells["standard_error"]["balance", "single"],
        cells["standard_error"]["balance", "online_bagging"],
    )
    assert one == pytest.approx(other)


def test_text_shows_value_error_marks_and_what_is_lost():
    table = accuracy_table(results(bagging=0.05, online_bagging=-0.05), "3.4")
    assert table.shown.loc["Balance", ("Bagging", "ours")] == "0.9575 ± 0.0009▲*"
    assert table.shown.loc["Balance", ("Online bagging", "ours")] == "0.8575 ± 0.0009▽"
    assert table.shown.loc["Chess", ("Bagging", "printed")] == "0.8759*"
    assert table.shown.loc["Chess", ("Online bagging", "printed")] == "?▽"
    assert table.shown.loc["Nursery", ("Single", "ours")] == "–"
    assert "0.9575 ± 0.0009▲*" in table.to_string() and table.to_string() == repr(table)


def test_html_carries_verdicts_as_classes_and_is_the_same_each_time():
    table = accuracy_table(results(), "3.4")
    html = table._repr_html_()
    assert html == accuracy_table(results(), "3.4")._repr_html_()
    assert 'class="dataframe"' in html and 'id="T_table-3-4"' in html
    for verdict in ("agrees", "apart", "no-printed-value", "not-run"):
        assert f"verdict-{verdict}" in html


def test_results_of_another_base_model_or_an_unknown_table_are_refused():
    with pytest.raises(ValueError, match=r"Table 3\.3 is of 'decision_tree'"):
        accuracy_cells(results(), "3.3")
    with pytest.raises(ValueError, match=r"table='9\.9': expected one of 2\.4"):
        accuracy_cells(results(), "9.9")


def test_a_table_without_any_result_shows_the_printed_values():
    table = accuracy_table(results().iloc[:0], "3.4")
    assert table.counts() == {"not run": 42}
    assert table.shown.loc["Mushroom", ("Single", "printed")] == "0.9966"


def test_significance_marks_are_judged_too():
    table = significance_table(results(online_bagging=-0.05), "3.4")
    assert table.cells["verdict"]["chess", "online_bagging"] == "agrees"  # printed: worse
    assert table.cells["verdict"]["balance", "online_bagging"] == "differs"
    assert table.cells["verdict"]["balance", "bagging"] == "agrees"
    assert table.cells["verdict"]["census-income", "bagging"] == "apart"
    assert table.cells["verdict"]["soybean-large", "bagging"] == "no printed value"
    assert table.cells["verdict"]["nursery", "bagging"] == "not run"


def test_stars_between_batch_and_online_are_judged_too():
    table = batch_online_table(results(online_bagging=-0.05), "3.4")
    assert table.cells["welch"]["chess", "bagging"] == "better"
    assert table.cells["verdict"]["chess", "bagging"] == "agrees"  # the one star of the printed table
    assert table.cells["verdict"]["balance", "bagging"] == "differs"
    assert table.cells["verdict"]["nursery", "bagging"] == "not run"
    assert batch_online_table(results(), "3.4").cells["verdict"]["chess", "bagging"] == "differs"


def test_each_mark_that_differs_is_named_with_what_both_sides_say():
    said = differing_marks(batch_online_table(results(), "3.4"))
    assert said == (
        "Of 2 marks that can be compared 1 differ from the printed ones: Chess, bagging (printed: better; by "
        "Welch's test: none; by the paired test: none)."
    )
    found = differing_marks(batch_online_table(results(online_bagging=-0.05), "3.4"))
    assert "Balance, bagging (printed: none; by Welch's test: better" in found and "Chess" not in found
    nothing = differing_marks(batch_online_table(results().iloc[:0], "3.4"))
    assert nothing == "Of 0 marks that can be compared 0 differ from the printed ones."


def boosted():
    """The same ten splits for networks: batch boosting, and what came of the online algorithms."""
    frame = results()
    names = {"bagging": "boosting", "online_bagging": "online_boosting"}
    one = frame.assign(base_model="neural_network", algorithm=frame["algorithm"].replace(names))
    online = one[one["algorithm"] == "online_boosting"]
    worse = online.assign(n_correct=online["n_correct"] - 500)
    ten = online.assign(base_model="neural_network_10", n_correct=online["n_correct"] + 500)
    single = {"base_model": "neural_network_10", "algorithm": "online_single"}
    return pd.concat([one.drop(online.index), worse, ten, online.assign(**single)])


def test_networks_of_one_and_ten_updates_stand_in_tables_of_their_own():
    one, ten = (accuracy_cells(boosted(), table).loc["balance"] for table in ("4.5", "4.6"))
    assert one["star"]["boosting"] and not one["star"]["online_boosting"]
    assert ten["star"]["online_boosting_10"] and not ten["star"]["boosting"]
    assert ten["mean"]["online_boosting_10"] == pytest.approx(one["mean"]["online_boosting"] + 0.1)
    assert ten["welch"]["online_boosting_10"] == "better"  # than the online single network
    assert one["welch"]["online_boosting"] == "unknown"  # there is none of one update
    with pytest.raises(ValueError, match=r"Table 4\.2 is of 'naive_bayes'"):
        accuracy_cells(boosted(), "4.2")


def test_a_lost_table_without_results_is_empty():
    cells = accuracy_cells(boosted().iloc[:0], "4.6")
    assert cells.empty and accuracy_table(boosted().iloc[:0], "4.6").shown.empty
    assert "no data set has both" in scatter_text(cells, "boosting", "online_boosting_10")
    assert error_scatter(cells, "boosting", "online_boosting_10").axes[0].get_xlim() == (0, 50)
    assert signed_rank_table(cells).shown.empty
    assert batch_online_table(boosted().iloc[:0], "4.6").shown.empty


def test_a_lost_table_shows_ours_alone():
    table = accuracy_table(boosted(), "4.6")
    assert set(table.shown.columns.get_level_values(1)) == {"ours", ""}
    assert table.shown.columns[1] == ("Online single, 10 updates", "ours")
    assert not table.verdicts.to_numpy().any()
    significance = significance_table(boosted(), "4.6").shown
    assert "printed" not in significance.columns.get_level_values(1)
    assert "Online single, 10 updates" not in significance  # the others are compared with it


def test_each_printed_value_finds_its_column():
    for table in ("3.3", "3.4", "3.5", "3.6", "3.7"):
        theirs = printed("accuracy").query("table == @table")
        cells = accuracy_cells(results().iloc[:0], table)
        assert cells["printed"].notna().sum() == theirs["value"].notna().sum()
    for table in ("3.8", "3.9", "3.10", "3.11"):
        theirs = printed("running_times").query("table == @table")
        assert time_cells(results().iloc[:0], table)["printed"].notna().sum() == len(theirs)


def test_a_table_says_how_much_of_it_was_run():
    table = accuracy_table(results(), "3.4")
    assert table.shown.loc["Balance", ("Splits × orders", "")] == "10 × 2"
    assert table.shown.loc["Nursery", ("Splits × orders", "")] == "–"
    text = coverage(table.cells)
    assert text.startswith("0 of 5 data sets have all splits") and "no results: Promoters" in text
    full = pd.concat([results().assign(repetition=r, order=o) for r in range(10) for o in range(5)])
    assert coverage(accuracy_cells(full, "3.4")).startswith("5 of 5 data sets")
    one_missing = full[
        (full["order"] < 4) | (full["algorithm"] != "online_bagging") | (full["dataset"] != "chess")
    ]
    assert "fewer: Chess;" in coverage(accuracy_cells(one_missing, "3.4"))


def test_a_table_says_where_fewer_splits_are_enough():
    of_one = results().query("dataset == 'balance' and repetition == 0 and order == 0")
    cells = accuracy_cells(of_one.assign(dataset="synthetic3", base_model="neural_network"), "3.6")
    assert cells.loc["synthetic3", "enough"].to_list() == [False, True, False, True]  # only bags take long
    assert not cells["complete"].any()


def test_times_are_medians_of_training_and_testing_together():
    frame = results()
    frame.loc[frame.index[0], "train_seconds"] = 99.0  # one interrupted measurement
    cells = time_cells(frame, "3.9")
    assert cells["seconds"]["balance", "single"] == pytest.approx(0.25)
    assert cells["printed"]["balance", "bagging"] == 0.1
    assert cells["times_faster"]["balance", "bagging"] == pytest.approx(0.4)
    shown = times_table(frame, "3.9").shown
    assert shown.loc["Balance", ("Bagging", "ours")] == "0.25"
    assert shown.loc["Balance", ("Bagging", "faster")] == "0.4×"
    assert shown.loc["Nursery", ("Single", "ours")] == "–"


@pytest.mark.parametrize("column", ["source", "processor"])
def test_a_table_of_times_refuses_to_mix(column):
    frame = results().assign(source="1f", processor="Pentium III", commit="c")
    other_commit = frame.assign(commit=["another", *["c"] * (len(frame) - 1)])
    assert time_cells(other_commit, "3.9").equals(time_cells(results(), "3.9"))
    mixed = frame.assign(**{column: ["2a", *["1f"] * (len(frame) - 1)]})
    with pytest.raises(
        ValueError, match=r"Table 3\.9: times were measured with different .*1f, 2a.*make times"
    ):
        time_cells(mixed, "3.9")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00123, "0.0012"), (0.25, "0.25"), (12.34, "12"), (0.0, "0")]
)
def test_times_are_shown_with_two_digits(seconds, text):
    shown = times_table(results().assign(train_seconds=seconds, test_seconds=0.0), "3.9").shown
    assert shown.loc["Balance", ("Single", "ours")] == text


def work(**changes):
    counts = {"n_train": 500, "n_tried": 4, "passes": 8.0, "updates": 2000, "classifications": 2500}
    rows = [
        {"dataset": "balance", "base_model": "naive_bayes", "algorithm": name} | counts
        for name in ("single", "bagging")
    ]
    return pd.DataFrame(rows).assign(**changes)


def test_work_stands_beside_the_times_for_each_training_example():
    cells = time_cells(results(), "3.9", work())
    assert cells.loc[("balance", "bagging"), ["updates", "classifications", "operations"]].to_list() == [
        4,
        5,
        9,
    ]
    assert cells.loc[("balance", "online_bagging"), "operations":].isna().all()
    table = times_table(results(), "3.9", work())
    assert table.shown.loc["Balance", ("Bagging", "learn")] == "4"
    assert table.shown.loc["Balance", ("Bagging", "classify")] == "5"
    assert table.shown.loc["Nursery", ("Bagging", "learn")] == "–"
    assert "learn and classify a training example" in table.title
    nothing = times_table(results(), "3.9", work().iloc[:0])
    assert set(nothing.shown["Bagging", "learn"]) == {"–"}


def test_costs_by_size_are_counts_of_all_models_and_median_seconds():
    times = pd.DataFrame({"dataset": "balance", "n_train": 500, "algorithm": "single", "seconds": [1, 2, 9]})
    costs = costs_by_size(times, work())
    assert set(costs) == {"updates", "operations", "seconds"}
    assert costs["updates"].loc[("balance", 500)].to_dict() == {"single": 2000, "bagging": 2000}
    assert costs["operations"].loc[("balance", 500), "bagging"] == 4500
    assert costs["seconds"].loc[("balance", 500), "single"] == 2


def test_the_times_of_the_whole_protocol_count_what_both_have():
    cells = time_cells(results().assign(train_seconds=0.9, test_seconds=0.0), "3.9")
    total = protocol_times({"3.9": cells}, {"3.9": "naive-bayes"})
    splits = {"balance": 50, "chess": 50, "census-income": 10}
    both = cells["printed"].dropna().loc[list(splits)]
    runs = [
        splits[dataset] * (5 if algorithm == "online_bagging" else 1) for dataset, algorithm in both.index
    ]
    assert total.loc["3.9", "runs"] == total.loc["all", "runs"] == sum(runs)
    assert total.loc["3.9", "hours"] == pytest.approx(0.9 * sum(runs) / 3600)
    assert total.loc["all", "printed_hours"] == pytest.approx((both * runs).sum() / 3600)
    none = protocol_times({"3.9": cells.assign(printed=float("nan"))}, {"3.9": "naive-bayes"})
    assert none.loc["all", ["runs", "hours"]].to_list() == [0, 0]


def test_what_was_recorded_is_added_up(monkeypatch):
    monkeypatch.setattr(
        "oza.exhibits.times.load_results",
        lambda study: results().assign(train_seconds=36.0, test_seconds=0.0),
    )
    total = recorded_times()
    n = len(results())
    runs, hours, planned, planned_hours = total.loc["naive-bayes"]
    assert (runs, hours, planned) == (n, pytest.approx(n / 100), 12_960)
    cross_validated, split = 50 + 50 + 5 * 50, 10 + 10 + 5 * 10  # single, bagging, online bagging
    assert planned_hours == pytest.approx((3 * cross_validated + 2 * split) / 100)
    assert total.loc["all", "runs"] == n * (len(total) - 1) and "times-naive-bayes" not in total.index


def test_points_are_errors_in_percent():
    points = error_points(accuracy_cells(results(), "3.4"), *BAGGING)
    assert points.loc["balance", "Bagging"] == pytest.approx(9.25)
    assert points.loc["balance", "Online bagging, printed"] == pytest.approx(9.28)
    assert np.isnan(points.loc["chess", "Online bagging, printed"])
    assert np.isnan(points.loc["nursery", "Bagging"])


def test_a_figure_is_the_same_text_each_time_and_changes_with_the_data():
    cells = accuracy_cells(results(), "3.4")
    first, again = (svg(error_scatter(cells, *BAGGING)) for _ in range(2))
    moved = svg(error_scatter(accuracy_cells(results(bagging=0.01), "3.4"), *BAGGING))
    assert first == again != moved
    assert "Balance" in moved and "<dc:date>" not in first


def annotations(figure):
    from matplotlib.text import Annotation

    return [child for child in figure.axes[0].get_children() if isinstance(child, Annotation)]


def test_only_outliers_have_names():
    assert annotations(error_scatter(accuracy_cells(results(), "3.4"), *BAGGING)) == []
    moved = results()
    moved.loc[(moved["dataset"] == "chess") & (moved["algorithm"] == "bagging"), "n_correct"] += 300
    assert [
        note.get_text() for note in annotations(error_scatter(accuracy_cells(moved, "3.4"), *BAGGING))
    ] == ["Chess"]


def test_names_do_not_lie_on_each_other_and_stay_inside():
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    cells = accuracy_cells(results(), "3.4")
    cells["mean"] = cells["printed"] - 0.02  # every data set is an outlier
    figure = error_scatter(cells, *BAGGING)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [Text.get_window_extent(note, canvas.get_renderer()) for note in annotations(figure)]
    assert len(boxes) == 11  # those of which both printed values are legible
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    frame = figure.axes[0].bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 for box in boxes)


def test_axes_grow_with_the_errors():
    cells = accuracy_cells(results(), "3.4")
    assert error_scatter(cells, *BAGGING).axes[0].get_xlim() == (0, 55)  # Synthetic1: 50.04 %
    assert error_scatter(cells, *BAGGING, limit=70).axes[0].get_ylim() == (0, 70)


def test_the_figure_in_words_names_its_widest_gap():
    frame = results()
    frame.loc[(frame["dataset"] == "chess") & (frame["algorithm"] == "bagging"), "n_correct"] += 300
    text = scatter_text(accuracy_cells(frame, "3.4"), *BAGGING)
    assert "3.0 points at most (Chess)" in text
    assert "Balance" in text and "9.3" in text and "errs less on 0, more on 1" in text


def test_a_shown_figure_is_an_svg_and_its_words(capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data, raw)))
    show(error_scatter(accuracy_cells(results(), "3.4"), *BAGGING), "in words")
    ((data, raw),) = shown
    assert raw and data["text/plain"] == "in words" and data["image/svg+xml"].lstrip().startswith("<?xml")


def test_sizes_are_counted_in_the_data(monkeypatch):
    def five_rows_short(name):
        data = load_dataset(name)
        if name == "nursery":
            data["data"], data["target"] = data.data[:-5], data.target[:-5]
        return data

    monkeypatch.setattr("oza.exhibits.sizes.load_dataset", five_rows_short)
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


def test_a_differing_ensemble_is_held_against_ensembles_where_some_were_tried():
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
    figure = difference_map(cells)
    texts = {(t.get_position(), t.get_weight()): t.get_text() for t in figure.axes[0].texts}
    assert texts[(0, 1), "bold"] == "-2.0"  # single on Balance
    assert difference_text(cells).startswith("3 of 5 cells agree")
    empty = results().iloc[:0]
    both = joined_cells({table: accuracy_cells(empty, table) for table in ("3.6", "3.7")})
    assert both.loc["3.7"].index.unique("algorithm").to_list() == ["online_single_10", "online_bagging_10"]
