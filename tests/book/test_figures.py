"""Figures are part of the page: in its colours, with ids of their own, with panels for a narrow screen."""

import re

import numpy as np
import oza_figures
import pandas as pd
import pytest

from reproduction.figures import BOOSTING, INK, TOKENS, drawing, lines, named_rows, paneled, svg


@pytest.fixture(scope="module")
def drawn():
    with drawing(300) as figure:
        for axes in figure.subplots(1, 2):
            axes.plot([0, 1], [0, 1], "o", color=BOOSTING)
    return svg(figure)


def test_the_style_sheet_defines_each_colour_for_both_schemes():
    light, dark = oza_figures.token_style().split('html[data-theme="dark"]')
    for name, pair in TOKENS.items():
        assert f"--oza-{name}: {pair[0]};" in light and f"--oza-{name}: {pair[1]};" in dark


def test_ids_of_figures_differ_and_their_references_follow(drawn):
    found = oza_figures.inlined(drawn, "page-1", "") + oza_figures.inlined(drawn, "page-2", "")
    ids = re.findall(r'\bid="([^"]+)"', found)
    assert len(ids) == len(set(ids)) > 10
    targets = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', found)
    assert targets and {one or other for one, other in targets} <= set(ids)


def test_panels_have_one_legend_and_labels_on_the_left():
    with paneled({name: None for name in "abcd"}, 200, ylabel="error", legend=2) as (figure, grid):
        for axes, name, _ in grid:
            axes.plot([0, 1], label="a line")
            axes.set_title(name)
    assert [axes.get_ylabel() for axes, *_ in grid] == ["error", "", "", "error"]
    assert [axes.get_visible() for axes in figure.axes] == [True] * 4 + [False] * 2
    assert [text.get_text() for legend in figure.legends for text in legend.get_texts()] == ["a line"]


def test_lines_leave_out_what_is_missing_and_keep_its_name():
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0]}, [10, 20, 30])
    with drawing(200) as figure:
        axes = figure.subplots()
        lines(axes, frame, {"a": (INK, "o--"), "b": (BOOSTING, (0, (1, 3)))}, names={"a": "first"})
    first, second = axes.get_lines()
    assert list(first.get_xdata()) == [10, 30] and not len(second.get_xdata())
    assert (first.get_label(), first.get_marker(), second.get_label()) == ("first", "o", "b")


def test_the_first_of_named_rows_is_above():
    with drawing(200) as figure:
        axes = figure.subplots()
        named_rows(axes, ["upper", "lower"], 1.0)
    upper, lower = (label.get_window_extent().y0 for label in axes.get_yticklabels())
    assert upper > lower
