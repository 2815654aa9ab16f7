"""When a tree is tested, and what it changes: the figures say what the rows hold."""

import pandas as pd
import pytest

from reproduction.pages import moment_bars, moment_curves
from reproduction.tables import moment_comparisons

THESIS, BEFORE = "online_boosting", "online_boosting_tested_before"


def moments():
    rows = [(m, 0.1 * m, 0.08 * m, 0.05 * m) for m in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["model", "before", "finished", "after"])
    return pd.concat([frame.assign(dataset=name) for name in ("synthetic1", "synthetic2")])


def test_a_panel_has_a_line_for_each_moment():
    picture = moment_curves(moments())
    figure = picture.figure
    assert [axes.get_title() for axes in figure.axes] == ["Synthetic1", "Synthetic2"]
    _, *lines = figure.axes[0].lines  # the first marks one half
    last = {line.get_label(): line.get_ydata()[-1] for line in lines}
    assert last == pytest.approx(
        {
            "before it learns the example": 0.3,
            "when it is finished": 0.24,
            "right after (the thesis)": 0.15,
        }
    )
    assert "Synthetic2, right after (the thesis): first tree 0.050, last tree 0.150" in picture.text


def results(gain, spread=0.004, folds=range(5), orders=(0,), base_model="decision_tree"):
    rows = []
    for algorithm in (THESIS, BEFORE):
        for order in orders if algorithm == THESIS else (0,):
            for fold in folds:
                share = 0.7 + spread * fold + (gain if algorithm == BEFORE else 0.2 * order)
                cell = ("s", "balance", base_model, algorithm, 100, 0, fold, order)
                rows.append((*cell, 500, 1000, round(1000 * share)))
    names = ["study", "dataset", "base_model", "algorithm", "n_models", "repetition", "fold", "order"]
    return pd.DataFrame(rows, columns=[*names, "n_train", "n_test", "n_correct"])


@pytest.mark.parametrize(("gain", "text"), [(0.1, "+10.0 ▲"), (-0.1, "-10.0 ▽"), (0.0, "+0.0")])
def test_a_significant_difference_has_its_sign(gain, text):
    picture = moment_bars(moment_comparisons(results(gain)))
    assert picture.text.splitlines()[1:] == [f"Trees: Balance {text}"]
    (bar,) = picture.figure.axes[0].patches
    assert bar.get_width() == pytest.approx(100 * gain)


def test_only_the_order_that_both_have_counts():
    assert moment_comparisons(results(0.1, orders=(0, 1)))["difference"].item() == pytest.approx(0.1)


def test_a_single_split_is_in_brackets_and_what_was_not_run_has_no_bar():
    other = results(0.1, base_model="naive_bayes").assign(dataset="chess")
    rows = pd.concat([results(0.1, folds=[2]), other])
    picture = moment_bars(moment_comparisons(rows))
    assert picture.text.splitlines()[1:] == ["Trees: Balance (+10.0)", "Naive Bayes: Chess +10.0 ▲"]
    assert [len(axes.patches) for axes in picture.figure.axes if axes.get_visible()] == [1, 1]
