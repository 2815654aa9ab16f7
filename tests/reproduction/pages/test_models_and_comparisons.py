"""Drawings of models show what the models are, and those of comparisons what the results say."""

import numpy as np
import pytest

from oza import DecisionTreeClassifier, HoeffdingTreeClassifier
from oza.compare.style import svg
from oza.streams import SEA, STAGGER
from reproduction.pages import (
    comparison_dots,
    comparison_scatter,
    hoeffding_tree_diagram,
    id3_diagram,
    network_diagram,
    tree_diagram,
)
from reproduction.tables import compare
from reproduction.theory.id3 import Node

from ..tables.test_comparing import made_up, splits


def test_a_comparison_is_drawn_and_said():
    table = compare(splits(made_up(a=90, b=80)), "a", "b")
    picture = comparison_scatter({("A", "B"): table, ("A again", "B"): table})
    left, _ = picture.figure.axes
    assert (left.get_xlabel(), left.get_ylabel()) == ("B: error (%)", "A: error (%)")
    _, significant, others = left.lines
    assert significant.get_xydata().tolist() == [pytest.approx((19, 9)), pytest.approx((39, 29))]
    assert significant.get_fillstyle() == "full" and len(others.get_xydata()) == 0
    assert "Nursery" in svg(picture.figure)
    assert picture.text.startswith(
        "Error in percent: A significantly better than B on 2 of 2 data sets, worse on 0."
    )
    assert comparison_scatter({("A", "B"): table[:0]}).text.startswith(
        "Error in percent: no data set has results of A and B"
    )


def test_differences_are_drawn_and_said():
    table = compare(splits(made_up(a=90, b=80)), "a", "b")
    picture = comparison_dots({("online A", "B"): table, ("A", "B"): table})
    (axes,) = picture.figure.axes
    online, batch = (bars.lines for bars in axes.containers)
    assert np.allclose(online[0].get_xdata(), 10) and np.allclose(batch[0].get_xdata(), 10)
    assert (online[0].get_ydata() < batch[0].get_ydata()).all()  # above, since the first row is at the top
    assert [bars[2][0].get_linestyle()[0][1] for bars in (online, batch)] == [
        None,
        pytest.approx([5.92, 2.56]),
    ]
    rings = [line for line in axes.lines if line.get_markersize() == 10]
    assert [len(ring.get_xdata()) for ring in rings] == [2, 2]
    assert picture.text.startswith(
        "online A − B, difference of accuracies in percentage points: more accurate on 2"
    )
    assert "no results yet" in comparison_dots({("A", "B"): table[:0]}).text


def test_points_beyond_the_limit_move_it():
    table = compare(splits(made_up(a=60, b=40)), "a", "b")
    assert comparison_scatter({("A", "B"): table}).figure.axes[0].get_xlim() == (0, 80)
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


def test_a_tree_as_printed_is_drawn_with_a_branch_for_each_value():
    tree = Node(0, (1, Node(1, (0, 1)), 0))
    figure = id3_diagram(tree, ["sky", "wind"], [["sun", "cloud", "rain"], ["weak", "strong"]], ["in", "out"])
    texts = [annotation.get_text() for annotation in figure.axes[0].texts]
    assert sorted(texts) == sorted(
        ["sky", "wind", "sun", "cloud", "rain", "weak", "strong", "out", "in", "out", "in"]
    )
    assert len(figure.axes[0].lines) == 5
    assert [t.get_text() for t in id3_diagram(1, [], [], ["in", "out"]).axes[0].texts] == ["out"]


def test_a_hoeffding_tree_is_drawn_with_a_branch_for_each_value():
    stream = STAGGER(function=1)
    tree = HoeffdingTreeClassifier(categories=stream.categories).fit(*stream[:5000])
    picture = hoeffding_tree_diagram(tree)
    assert picture.text == tree.export_text()
    assert picture.cells["answer"].to_list() == ["", "= 0", "= 1", "= 2", "= 0", "= 1", "= 2"]
    assert picture.cells["box"].to_list()[:3] == ["column 1", "column 0", "0\n1,712"]
    assert all(answer in svg(picture.figure) for answer in ("= 0", "= 1", "= 2"))


def test_a_hoeffding_tree_is_cut_at_a_depth_and_shows_frozen_leaves():
    X, y = SEA()[:40_000]
    tree = HoeffdingTreeClassifier(max_leaves=3).fit(X, y)
    below = hoeffding_tree_diagram(tree, max_depth=1)
    assert below.cells["leaves"].to_list()[0] == tree.n_leaves_ == below.cells["leaves"][1:].sum()
    assert [box for box in below.cells["box"] if "leaves" in box]
    whole = hoeffding_tree_diagram(tree)
    assert len(whole.cells) == tree.n_nodes_
    styles = [text.get_bbox_patch().get_linestyle() for text in whole.figure.axes[0].texts]
    assert styles.count(":") == tree.n_frozen_ == tree.tree_.is_frozen.sum() > 0
    boxes = hoeffding_tree_diagram(HoeffdingTreeClassifier().fit([["a"], ["b"]], [0, 1])).cells["box"]
    assert boxes.to_list() == ["0\n2"]
    with pytest.raises(ValueError, match="max_depth must be"):
        hoeffding_tree_diagram(tree, max_depth=-1)


def test_drawn_boxes_of_a_hoeffding_tree_do_not_share_a_place():
    stream = STAGGER(function=3)
    tree = HoeffdingTreeClassifier(categories=stream.categories).fit(*stream[:20_000])
    places = [text.xy for text in hoeffding_tree_diagram(tree).figure.axes[0].texts]
    assert len(set(places)) == len(places)


def test_a_network_has_a_line_for_each_weight():
    figure = network_diagram([4, 3, 2], ["in", "hidden", "out"])
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "None"]
    assert len(lines) == 4 * 3 + 3 * 2
    assert "hidden" in svg(figure)
