"""Figures are part of the page: in its colours, with ids of their own, with panels for a narrow screen."""

import importlib.util
import re

import nbformat
import pytest

from oza.compare.style import BOOSTING, PHONE, TOKENS, drawing, svg
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


def test_an_inlined_figure_says_what_it_shows_and_leaves_the_page_alone(drawn):
    found = oza_figures.inlined(drawn, "page-1", 'A "rising" line & more')
    assert 'role="img" aria-label="A &quot;rising&quot; line &amp; more"' in found
    assert "<style" not in found and "<metadata" not in found and "<?xml" not in found
    assert "var(--oza-boosting" in found


def test_ids_of_figures_differ_and_their_references_follow(drawn):
    found = oza_figures.inlined(drawn, "page-1", "") + oza_figures.inlined(drawn, "page-2", "")
    ids = re.findall(r'\bid="([^"]+)"', found)
    assert len(ids) == len(set(ids)) > 10
    targets = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', found)
    assert targets and {one or other for one, other in targets} <= set(ids)


def test_panels_stand_below_one_another_on_a_narrow_screen(drawn):
    found = oza_figures.inlined(drawn, "page-1", "")
    assert found.count('<use href="#page-1"/>') == 2 and 'class="panels" aria-hidden="true"' in found
    widths = [int(width) for width in re.findall(r'style="width: (\d+)px; min', found)]
    assert all(240 <= width <= 360 for width in widths), widths


def test_a_figure_that_fits_a_phone_keeps_its_panels_together():
    with drawing(300, phone=True) as figure:
        figure.subplots(2, 1, sharex=True)
    found = oza_figures.inlined(svg(figure), "page-1", "")
    assert f'width: {PHONE}px; min-width: {PHONE * 11 / 13:.0f}px"' in found and "panels" not in found


def test_a_single_panel_shrinks_only_as_long_as_its_text_is_readable():
    with drawing(200) as figure:
        figure.subplots()
    found = oza_figures.inlined(svg(figure), "page-1", "")
    assert f"min-width: {688 * 11 / 13:.0f}px" in found and "panels" not in found


@pytest.mark.parametrize("path", sorted((TOP / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_first_figure_of_a_lesson_fits_a_phone(path):
    """It shrinks to 342 of a phone's 390 pixels, or each of its panels does."""
    for cell in nbformat.read(path, as_version=4).cells:
        if "opening" in cell.metadata.get("tags", ()):
            for drawn in (it.data["image/svg+xml"] for it in cell.outputs if "image/svg+xml" in it.data):
                found = oza_figures.inlined(drawn, "page-1", "")
                least = [int(width) for width in re.findall(r"min-width: (\d+)px", found)]
                assert least and max(least) <= 342, least


def test_a_figure_of_a_notebook_is_found_by_its_name():
    path = TOP / "notebooks" / "averages.ipynb"
    assert "plane_shades(" in oza_figures.figure_cell(path, "fig-cart-boundary").source
    with pytest.raises(LookupError, match=r"no figure 'fig-none' in averages\.ipynb"):
        oza_figures.figure_cell(path, "fig-none")
