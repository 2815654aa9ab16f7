"""What the pages made from results show beside the tables: curves of errors, the calendar, comparisons."""

import numpy as np
import pandas as pd
import pytest

from reproduction.pages import (
    accuracy_curves,
    accuracy_means,
    calendar_table,
    error_curves,
    error_scatter,
    time_curves,
)
from reproduction.tables import printed, time_medians
from reproduction.tables.layout import columns_of

from ..tables.given import Given, results


def errors():
    rows = [("boosting", m, 0.1 * m) for m in (1, 2)] + [("online_boosting", m, 0.2) for m in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["algorithm", "model", "error"])
    # A second run of batch boosting, which made one model only.
    frame = pd.concat([frame, pd.DataFrame([("boosting", 1, 0.3)], columns=frame.columns)])
    return pd.concat([frame.assign(dataset=name, base_model="naive_bayes") for name in ("balance", "chess")])


def test_curves_have_a_panel_for_each_data_set_and_base_model():
    picture = error_curves(errors())
    figure = picture.figure
    assert [axes.get_title() for axes in figure.axes] == ["Balance\nNaive Bayes", "Chess\nNaive Bayes"]
    _, batch, online = figure.axes[0].lines
    assert np.allclose(batch.get_ydata(), [0.2, 0.2]) and len(online.get_ydata()) == 3
    assert "boosting: 2 models, error of the first 0.200 (2 runs), of the last 0.200 (1 runs)" in picture.text
    first = picture.cells.loc["naive_bayes", "balance", "boosting", 1]
    assert first.to_dict() == pytest.approx({"runs": 2, "mean": 0.2, "least": 0.1, "largest": 0.3})
    assert len(figure.axes[0].collections) == 2


def curve():
    """Two algorithms, three splits, two sizes; the second size has a split more for one of them."""
    rows = [
        (algorithm, n, 0, fold, better + n / 1000 + 0.01 * fold)
        for algorithm, better in (("online_boosting", 0.6), ("single", 0.5))
        for n in (100, 200)
        for fold in range(3)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "n_train", "repetition", "fold", "accuracy"])


def test_learning_curves_have_means_and_standard_errors_over_the_splits():
    means = accuracy_means(curve())
    assert means.loc[200].round(2).to_dict() == {"splits": 3, "single": 0.71, "online_boosting": 0.81}
    picture = accuracy_curves(curve(), logarithmic=True)
    (axes,) = picture.figure.axes
    single, online = axes.containers
    assert single.get_label() == "Single" and online.get_label() == "Online boosting"
    assert np.allclose(online.lines[0].get_ydata(), [0.71, 0.81])
    (low, high), _ = online.lines[2][0].get_segments()
    assert high[1] - low[1] == pytest.approx(2 * 0.01 / np.sqrt(3))
    assert axes.get_xscale() == "log"
    assert "online_boosting" in picture.text and "0.81" in picture.text
    pd.testing.assert_frame_equal(picture.cells, means)
    assert len(accuracy_curves(curve().query("fold == 0")).figure.axes) == 1


def test_times_are_medians():
    rows = [("balance", "single", n, s * n) for n in (10, 100) for s in (0.1, 0.2, 9.0)]
    rows += [("chess", "boosting", 10, 1.0)]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "n_train", "seconds"])
    assert time_medians(frame)["single"]["balance"].to_dict() == {10: 2.0, 100: 20.0}
    (axes,) = time_curves(frame.query("dataset == 'balance'")).figure.axes
    assert np.allclose(axes.containers[0].lines[0].get_ydata(), [2.0, 20.0])
    assert "20" in time_curves(frame).text


def test_missing_times_and_missing_results_are_said():
    nothing = pd.DataFrame(columns=["dataset", "algorithm", "n_train", "seconds"])
    picture = time_curves(nothing)
    assert [text.get_text() for text in picture.figure.axes[0].texts] == ["not recorded yet"]
    assert picture.text == "No running times are recorded yet."
    empty = error_scatter(Given(results().iloc[:0]), "4.7").figure
    assert "no results yet" in [text.get_text() for text in empty.axes[0].texts]


def test_scatters_are_drawn_side_by_side_with_common_axes():
    trees = results(bagging=-0.4).assign(base_model="decision_tree")
    record = Given(results())
    record.rows = lambda table: columns_of(trees if table == "3.3" else results(), table)
    picture = error_scatter(record, "KDD 3")
    left, right = picture.figure.axes
    assert (left.get_title(), right.get_title()) == ("Decision trees", "Naive Bayes")
    assert left.get_xlim() == right.get_xlim() and left.get_xlim()[1] > 55
    alone = error_scatter(Given(results()), "3.5").figure.axes[0]
    assert np.allclose(right.lines[-2].get_xdata(), alone.lines[-2].get_xdata(), equal_nan=True)
    assert picture.text.startswith("Decision trees. Error of Online bagging")
    assert "\n\nNaive Bayes. Error of" in picture.text
    assert picture.cells.loc[("Naive Bayes", "balance"), "Bagging"] == pytest.approx(9.25)


def test_the_calendar_table_sets_ours_beside_the_printed_values():
    rows = [("decision_tree", a, t, 0.25) for a in ("single", "online_bagging") for t in ("day", "duration")]
    rows += [("neural_network_10", "single", "day", 0.5)]
    shown = calendar_table(
        pd.DataFrame(rows, columns=["base_model", "algorithm", "target", "accuracy"])
    ).shown
    assert shown.loc["decision tree", ("day", "Online bagging")] == "0.2500\n0.5536"
    assert shown.loc["neural network, 10 updates", ("duration", "Single")] == "–\n0.5196"
    assert len(printed("calendar")) == 22
