"""Drawings of models show what the models are; comparisons count what the results say."""

import numpy as np
import pandas as pd
import pytest

from oza import DecisionTreeClassifier
from oza.exhibits import compare, comparison_scatter, comparison_text, network_diagram, svg, tree_diagram


def results(**n_correct):
    """Results on two data sets and three splits; for each algorithm the correct ones out of 100."""
    rows = [
        (dataset, "decision_tree", algorithm, 0, fold, order, 400, 100, correct + fold + shift)
        for dataset, shift in (("balance", 0), ("nursery", -20))
        for algorithm, correct in n_correct.items()
        for fold in range(3)
        for order in range(2)
    ]
    names = [
        "dataset",
        "base_model",
        "algorithm",
        "repetition",
        "fold",
        "order",
        "n_train",
        "n_test",
        "n_correct",
    ]
    return pd.DataFrame(rows, columns=names)


def test_a_comparison_is_of_means_over_splits():
    table = compare(results(a=90, b=80), "a", "b")
    assert list(table.index) == ["balance", "nursery"]
    assert table.loc["balance", "first"] == pytest.approx(0.91)
    assert table["difference"].tolist() == pytest.approx([0.1, 0.1])
    assert set(table["mark"]) == {"better"}
    assert set(table["n_splits"]) == {3}
    assert set(compare(results(a=90, b=80), "b", "a")["mark"]) == {"worse"}
    assert set(compare(results(a=80, b=80), "a", "b")["mark"]) == {"none"}


def test_only_common_splits_are_compared():
    some = results(a=90, b=80)
    table = compare(some[(some["algorithm"] == "a") | (some["fold"] > 0)], "a", "b")
    assert set(table["n_splits"]) == {2}
    assert compare(some, "a", "c").empty


def test_a_comparison_is_drawn_and_said():
    table = compare(results(a=90, b=80), "a", "b")
    figure = comparison_scatter({("A", "B"): table, ("A again", "B"): table})
    left, _ = figure.axes
    assert (left.get_xlabel(), left.get_ylabel()) == ("B: error (%)", "A: error (%)")
    drawn = [tuple(line.get_xydata()[0]) for line in left.lines[1:]]
    assert drawn == [pytest.approx((19, 9)), pytest.approx((39, 29))]
    assert all(line.get_fillstyle() == "full" for line in left.lines[1:])
    assert "Nursery" in svg(figure)
    text = comparison_text({("A", "B"): table})
    assert text.startswith("Error in percent: A significantly better than B on 2 of 2 data sets, worse on 0.")
    assert comparison_text({("A", "B"): table[:0]}).startswith(
        "Error in percent: no data set has results of A and B"
    )


def test_points_beyond_the_limit_move_it():
    table = compare(results(a=60, b=40), "a", "b")
    assert comparison_scatter({("A", "B"): table}).axes[0].get_xlim() == (0, 80)
    comparison_scatter({("A", "B"): table[:0]})


def test_a_tree_is_drawn_with_its_tests_and_leaves():
    X, y = np.array([[1.0], [2.0], [3.0]]), ["no", "yes", "no"]
    model = DecisionTreeClassifier().fit(X, y)
    words = svg(tree_diagram(model.tree_, ["age"], model.classes_))
    assert words.count("age ≤") == 2
    assert "yes" in words and "(1 no)" in words


def test_a_nominal_test_names_its_value():
    model = DecisionTreeClassifier().fit([["red"], ["blue"]], [0, 1])
    assert "colour = blue?" in svg(tree_diagram(model.tree_, ["colour"], ["a", "b"], model.categories_))


def test_a_network_has_a_line_for_each_weight():
    figure = network_diagram([4, 3, 2], ["in", "hidden", "out"])
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "None"]
    assert len(lines) == 4 * 3 + 3 * 2
    assert "hidden" in svg(figure)
