"""What the benchmark recorded becomes a plot and words."""

import pytest

from oza.compare.style import svg
from reproduction.pages import benchmark_plot, ratio_text
from reproduction.tables import benchmark_cells

from ..tables.test_benchmarks import RECORD


def test_the_plot_shows_each_ratio_and_the_words_name_each_peer():
    cells = benchmark_cells(RECORD)
    plot = benchmark_plot(cells)
    drawing, words = svg(plot.figure), plot.text
    for text in ("40×", "2,000×", "0.25×"):
        assert text in drawing
        assert text in words
    assert "nan" not in drawing
    assert all(name in words for name in ("MOA", "River"))


def test_an_empty_record_is_drawn_too():
    assert "<svg" in svg(benchmark_plot(benchmark_cells({"rows": []})).figure)


@pytest.mark.parametrize(("ratio", "text"), [(3333.3, "3,333×"), (40.0, "40×"), (0.04167, "0.0417×")])
def test_ratios_are_short(ratio, text):
    assert ratio_text(ratio) == text
