"""Figures are part of the page: in its colours, with ids of their own, with panels for a narrow screen."""

import importlib.util
import re

import pytest

from reproduction.figures import BOOSTING, TOKENS, drawing, svg
from tools.run_notebooks import TOP

specification = importlib.util.spec_from_file_location(
    "oza_figures", TOP / "book" / "_ext" / "oza_figures.py"
)
oza_figures = importlib.util.module_from_spec(specification)
specification.loader.exec_module(oza_figures)


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
