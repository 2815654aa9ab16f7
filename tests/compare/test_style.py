"""Figures have the size at which they are shown, colours that follow the scheme, and text one can read."""

import re

import numpy as np
import pytest

from oza.compare.style import (
    BAGGING,
    BOOSTING,
    INK,
    LEAST,
    LINES,
    NARROW,
    SMALL,
    TEXT,
    TOKENS,
    WIDE,
    drawing,
    label_ends,
    ordered,
    svg,
)

SCHEMES = pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])


def contrast(one, other):
    """The contrast of two colours by WCAG 2."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return np.dot(parts, [0.2126, 0.7152, 0.0722])

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@SCHEMES
def test_lines_and_text_stand_out_from_the_ground(place):
    ground = TOKENS["ground"][place]
    for name, pair in TOKENS.items():
        if name.startswith("step-"):
            assert contrast(pair[place], ground) >= 3, name
        elif name not in ("ground", "band", "tint-cool", "tint-warm"):
            assert contrast(pair[place], ground) >= 4.5, name  # names of lines have their colours
    for fill in ("band", "tint-cool", "tint-warm"):
        assert contrast(TOKENS["ink"][place], TOKENS[fill][place]) >= 4.5, fill
    for name in ("bagging", "boosting", "primed", "stream", "guide"):
        assert contrast(TOKENS[name][place], TOKENS["band"][place]) >= 3, name


@SCHEMES
def test_an_ordered_quantity_gets_more_contrast_step_by_step(place):
    found = [contrast(TOKENS[f"step-{i}"][place], TOKENS["ground"][place]) for i in range(1, 6)]
    assert found == sorted(found) and ordered(5) == [TOKENS[f"step-{i}"][0] for i in range(1, 6)]
    assert ordered(1) == ordered(5)[:1] and ordered(3) == ordered(5)[::2]


def test_hue_is_the_family_and_dashes_are_batch():
    for family in ("bagging", "boosting"):
        (batch, dashed), (online, solid) = LINES[family], LINES[f"online_{family}"]
        assert batch == online == TOKENS[family][0] and (dashed, solid) == ("--", "-")
    assert LINES["primed_boosting"] == (TOKENS["primed"][0], ":")


@pytest.mark.parametrize(("wide", "pixels"), [(False, NARROW), (True, WIDE)])
def test_a_figure_is_as_wide_as_it_is_shown(wide, pixels):
    with drawing(200, wide=wide) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=BOOSTING)
        axes.set(title="title", xlabel="label")
    text = svg(figure)
    assert f'viewBox="0 0 {0.75 * pixels:g} 150"' in text
    sizes = {float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)px", text)}
    assert sizes == {TEXT} and pytest.approx(13) == TEXT / 0.75 and SMALL / 0.75 > LEAST


def test_colours_are_variables_and_the_ground_is_that_of_the_page():
    with drawing(200) as figure:
        figure.subplots().plot([0, 1], [0, 1], color=BOOSTING)
    text = svg(figure)
    assert f"stroke: var(--oza-boosting, {BOOSTING})" in text
    assert not re.search(r"(fill|stroke): #", text)
    assert "var(--oza-ground" not in text


def test_panels_are_listed_with_their_legend_if_there_are_several():
    with drawing(300) as figure:
        left, _ = figure.subplots(1, 2)
        left.plot([0, 1], label="line")
        figure.legend(loc="outside upper center")
    (boxes,) = re.findall(r'data-panels="([^"]+)"', svg(figure))
    legend, first, second = ([int(x) for x in box.split(",")] for box in boxes.split())
    assert legend[1] < first[1] and first[0] + first[2] <= second[0] + 1
    with drawing(300) as figure:
        figure.subplots()
    assert "data-panels" not in svg(figure)


def test_names_at_the_ends_of_lines_keep_their_distance():
    with drawing(300) as figure:
        axes = figure.subplots()
        for i in range(4):
            axes.plot([0, 1], [0, 1 - 0.001 * i], label=f"line {i}")
        axes.plot([0, 1], [0, 0], label="far away")
        label_ends(axes)
    figure.draw_without_rendering()
    places = sorted(note.xyann[1] * axes.bbox.height * 96 / figure.dpi for note in axes.texts)
    assert len(places) == 5 and min(np.diff(places)) >= 15 and places[0] == pytest.approx(0, abs=16)


def test_names_of_the_steps_of_an_ordered_quantity_are_as_dark_as_text():
    with drawing(340) as figure:
        axes = figure.subplots()
        for place, color in enumerate([*ordered(5), BAGGING]):
            axes.plot([0, 1], [place, place], color=color, label=str(place))
        label_ends(axes)
    assert [note.get_color() for note in axes.texts] == [INK] * 5 + [BAGGING]
