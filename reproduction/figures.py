"""The look of figures: one factory, colours that follow light and dark, and SVG text with the same bytes."""

import contextlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

from oza.compare import report
from oza.compare.report import LINES

#: Colours by what they stand for, on a light ground and on a dark one. Hue is the family of an algorithm.
#: The steps are an ordered quantity, from little to much; tints are fills that carry no meaning alone.
TOKENS = {
    "bagging": (LINES["bagging"][0], "#6fb7ee"),
    "boosting": (LINES["boosting"][0], "#ff9a57"),
    "primed": (LINES["primed_boosting"][0], "#4fd0a0"),
    "stream": (LINES["leveraging_bagging"][0], "#e6a5cf"),
    "guide": (LINES["single"][0], "#a7b1bb"),
    "ink": ("#222832", "#ced6dd"),
    "ground": ("#ffffff", "#121212"),
    "step-1": ("#6f93b3", "#46708f"),
    "step-2": ("#4a7ca6", "#5d8fb3"),
    "step-3": ("#2c6596", "#7db0d6"),
    "step-4": ("#174a76", "#a5cdec"),
    "step-5": ("#0b2d4d", "#d5e9f8"),
    "band": ("#e9edf0", "#272d33"),
    "tint-cool": ("#cfdce8", "#2b4257"),
    "tint-warm": ("#efdccb", "#54402c"),
}
BAGGING, BOOSTING, PRIMED, STREAM, GUIDE, INK, GROUND, *_STEPS, BAND, COOL, WARM = (
    light for light, _ in TOKENS.values()
)

#: Widths of figures as displayed, in pixels: beside the margin, and across it.
NARROW, WIDE = 688, 936
#: Width of a figure that a phone shows whole, with text of the least size.
PHONE = 404
_POINTS = 0.75  # of a pixel
#: Sizes of text, in points: 13 pixels, and for a map of numbers 11.5.
TEXT, SMALL = 13 * _POINTS, 11.5 * _POINTS
#: The least size of text as displayed, in pixels.
LEAST = 11

STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": GUIDE,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": TEXT,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "figure.titlesize": TEXT,
    "font.size": TEXT,
    "grid.alpha": 0.3,
    "grid.color": GUIDE,
    "legend.fontsize": TEXT,
    "legend.frameon": False,
    "legend.handlelength": 2.8,  # so that dashes are seen
    "lines.markersize": 5,
    "savefig.facecolor": "none",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def ordered(n: int) -> list[str]:
    """Give colours for the values of an ordered quantity: one hue, from little to much.

    Parameters
    ----------
    n : int
        Number of values; of more than five, neighbours share a colour.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from reproduction.figures import ordered
    >>> ordered(2)
    ['#6f93b3', '#0b2d4d']
    """
    return [_STEPS[round(i * (len(_STEPS) - 1) / max(n - 1, 1))] for i in range(n)]


@contextlib.contextmanager
def drawing(height: float, *, wide: bool = False, phone: float = 0) -> Iterator[Figure]:
    """Make a figure of the size at which it is displayed, and draw in it in the style of this project.

    Parameters
    ----------
    height : float
        In pixels.
    wide : bool, default=False
        Whether it is 936 pixels wide instead of 688.
    phone : float, default=0
        If it is 1 or `True`, the figure is 404 pixels wide instead, so that a phone shows it whole; if more,
        it is so many times as wide.

    Yields
    ------
    Figure
        What is drawn while the context lasts has the style. Panels that share an axis all have numbers on it,
        since they stand one below another on a phone.
    """
    cycle = cycler(color=[BAGGING, BOOSTING, PRIMED, STREAM, GUIDE, INK])
    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycle}):
        width = PHONE * phone if phone else WIDE if wide else NARROW
        figure = Figure(figsize=(width / 96, height / 96))
        yield figure
        for axes in figure.axes:
            if axes.get_subplotspec() is not None:
                axes.tick_params(labelleft=True, labelbottom=True)


_APART = 16.0  # least distance of two names, in pixels
# From the left edge of a name, so that no line runs through another.
_JOIN = {"arrowstyle": "-", "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 0, "shrinkB": 3}


def label_ends(axes: Any) -> None:
    """Write the name of each line at its right end, in its colour, instead of a legend.

    Steps of an ordered quantity are too pale for text: their names are in the colour of text.

    Parameters
    ----------
    axes : Axes
        Lines with a label are named; a name that has to move away from another is joined to its line.
    """
    axes.figure.get_layout_engine().execute(axes.figure)  # so that the panel has its height
    pixels = 96 / axes.figure.dpi
    found = []
    for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
        line = handle[0] if isinstance(handle, tuple) else handle
        if len(line.get_xdata()):
            end = line.get_xdata()[-1], line.get_ydata()[-1]
            found.append((float(axes.transData.transform(end)[1]) * pixels, end, name, line.get_color()))
    found.sort(key=lambda item: item[0])
    bottom, height = axes.bbox.y0 * pixels, axes.bbox.height * pixels
    places: list[float] = []
    for y, *_ in found:
        places.append(max(y, places[-1] + _APART) if places else y)
    for i in range(len(places) - 1, -1, -1):  # back below the upper edge
        above = places[i + 1] - _APART if i + 1 < len(places) else bottom + height
        places[i] = min(places[i], above)
    for place, (y, end, name, color) in zip(places, found, strict=True):
        axes.annotate(
            name,
            end,
            (1.03, (place - bottom) / height),
            textcoords="axes fraction",
            va="center",
            color=INK if color in _STEPS else color,
            annotation_clip=False,
            arrowprops=_JOIN | {"color": color} if abs(place - y) > 3 else None,
        )


def svg(figure: Figure) -> str:
    """Draw a figure as SVG text; equal figures give equal text.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    str
        Colours of `TOKENS` are variables, such as `var(--oza-bagging, #1b6ca8)`, so that a page can set them
        for a dark ground; elsewhere they are as on a light one. `data-panels` holds the boxes (left, top,
        width, height) of the panels and the columns of legends, if there are several panels.
    """
    with matplotlib.rc_context(STYLE):
        drawn = report.svg(figure)
    names = {light: name for name, (light, _) in TOKENS.items()} | {"#000000": "ink"}

    def variable(found: re.Match[str]) -> str:
        name = names.get(found[2])
        return f"{found[1]}: var(--oza-{name}, {found[2]})" if name else found[0]

    text = re.sub(r"\b(fill|stroke): (#[0-9a-f]{6})\b", variable, drawn)
    boxes = _panels(figure)
    return text.replace("<svg ", f'<svg data-panels="{boxes}" ', 1) if boxes else text


def _panels(figure: Figure) -> str:
    """Boxes of columns of legends above, panels, and columns below, in points from the upper left corner."""
    panels = [axes for axes in figure.axes if axes.get_visible()]
    if len(panels) < 2:
        return ""
    figure.dpi = 72  # as when it was drawn: legends have placed their columns
    width, height = figure.get_size_inches() * 72
    renderer = RendererSVG(width, height, io.StringIO(), image_dpi=72)

    legends: list[Any] = figure.legends
    columns = [column for legend in legends for column in legend._legend_handle_box.get_children()]

    def box(part: Any) -> tuple[int, int, int, int]:
        found = part.get_window_extent(renderer) if part in columns else part.get_tightbbox(renderer)
        return round(found.x0), round(height - found.y1), round(found.width), round(found.height)

    boxes = [box(part) for part in panels]
    others = [box(part) for part in (*columns, *figure.texts)]
    first = min(y for _, y, _, _ in boxes)
    above = [other for other in others if other[1] < first]
    below = [other for other in others if other[1] >= first]
    return " ".join(f"{x},{y},{w},{h}" for x, y, w, h in (*above, *boxes, *below))


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure that shows itself on a page as SVG, and in a terminal in words."""

    figure: Figure
    text: str  # the same in words, for readers who cannot see it; the book has it in the cell's metadata
    cells: pd.DataFrame  # the numbers that are drawn, not rounded

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": svg(self.figure), "text/plain": self.text}


@contextlib.contextmanager
def paneled(
    parts: Mapping[Any, Any] | Iterable[tuple[Any, Any]],
    height: float,
    *,
    head: float = 0.0,
    per_row: int = 3,
    wide: bool | None = None,
    phone: float = 0,
    ylabel: str = "",
    legend: int = 0,
    **options: Any,
) -> Iterator[tuple[Figure, list[tuple[Any, Any, Any]]]]:
    """Make a figure with a panel for each part, and draw in them.

    Parameters
    ----------
    parts : mapping or iterable of pairs
        What the panels show, by their keys.
    height : float
        Of a row of panels, in pixels.
    head : float, default=0.0
        Height in addition to that of the rows.
    per_row : int, default=3
        Most panels in a row.
    wide, phone
        Of `drawing`; by default it is wide if there are more than two panels.
    ylabel : str, default=""
        Label of the vertical axis of the first panel of each row.
    legend : int, default=0
        Number of columns of a legend above, of what is drawn in the first panel; 0 is none.
    **options
        Of `Figure.subplots`.

    Yields
    ------
    figure : Figure
    list of (axes, key, part)
    """
    pairs = list(parts.items() if isinstance(parts, Mapping) else parts)
    n, n_rows = len(pairs), -(-len(pairs) // per_row)
    with drawing(head + height * n_rows, wide=n > 2 if wide is None else wide, phone=phone) as figure:
        grid = figure.subplots(n_rows, min(per_row, n), squeeze=False, **options).ravel()
        for axes in grid[n:]:
            axes.set_visible(False)
        yield figure, [(axes, *pair) for axes, pair in zip(grid, pairs, strict=False)]
        for axes in grid[:n:per_row] if ylabel else ():
            axes.set_ylabel(ylabel)
        if legend:
            handles, names = grid[0].get_legend_handles_labels()
            figure.legend(handles, names, loc="outside upper center", ncols=legend)


def lines(
    axes: Any,
    frame: pd.DataFrame,
    looks: Mapping[Any, tuple[str, Any]],
    *,
    names: Mapping[Any, str] | None = None,
    band: Sequence[pd.DataFrame] = (),
    error: pd.DataFrame | None = None,
    **style: Any,
) -> None:
    """Draw columns of a frame as lines against its index.

    Parameters
    ----------
    axes : Axes
    frame : DataFrame
        Where it is NaN, a line has no point.
    looks : mapping
        For each column that is drawn, its colour and its dashes; a marker may stand before these. Of a
        column that the frame lacks, only the name is in the legend.
    names : mapping, optional
        What the legend calls columns, if not by their own names.
    band : pair of DataFrame, optional
        Lower and upper edge of a pale band around each line.
    error : DataFrame, optional
        Length of an error bar on either side of each point.
    **style
        Of all lines.
    """
    for column, (color, dashes) in looks.items():
        line = frame.get(column, pd.Series(dtype=float)).dropna()
        if band:
            edges = (edge[column].reindex(line.index) for edge in band)
            axes.fill_between(line.index, *edges, color=color, alpha=0.2, linewidth=0)
        shape = {"linestyle": dashes} if isinstance(dashes, tuple) else {}
        fmt = () if shape else (dashes,)
        name = (names or {}).get(column, column)
        (drawn,) = axes.plot(line.index, line, *fmt, color=color, label=name, **shape, **style)
        if error is not None:
            spread = error[column].reindex(line.index)
            axes.errorbar(line.index, line, spread, fmt="none", color=color, zorder=drawn.zorder)


def named_rows(axes: Any, names: Sequence[str], margin: float | None = None, **settings: Any) -> None:
    """Name the rows of dots, bars or strips, the first one above.

    Parameters
    ----------
    axes : Axes
        Row `i` is at height `i`.
    names : sequence of str
    margin : float, optional
        If the rows show differences: what is equal to zero, drawn as a band around a line at zero.
    **settings
        Of the axes.
    """
    if margin:
        axes.axvspan(-margin, margin, color=BAND, zorder=0)
    if margin is not None:
        axes.axvline(0, color=GUIDE, linewidth=1, zorder=1)
    axes.set_yticks(range(len(names)), names)
    axes.set(ylim=(max(len(names), 1) - 0.4, -0.6), **settings)
    axes.grid(visible=False, axis="y")


def bare(axes: Any, title: str, **settings: Any) -> None:
    """Leave a panel its title only: no ticks and no grid."""
    axes.set(title=title, xticks=[], yticks=[], **settings)
    axes.grid(visible=False)


# Two neutral tints that let the ground of the page through where opinions are divided.
SHADES = matplotlib.colors.LinearSegmentedColormap.from_list(
    "sides", [(0.80, 0.55, 0.28, 0.45), (0.62, 0.60, 0.56, 0.0), (0.30, 0.52, 0.72, 0.45)]
)


def grid_points(n_steps: int) -> np.ndarray:
    """Points (n_steps², 2) in the middle of the cells of a grid on the unit square, row by row from below."""
    return (np.indices((n_steps, n_steps)).reshape(2, -1)[::-1].T + 0.5) / n_steps


def shade(axes: Any, values: np.ndarray, low: float = 0.0, high: float = 1.0) -> None:
    """Shade a square by the share of class 1 in each cell, with the border where opinions are divided."""
    middle = (np.arange(len(values)) + 0.5) / len(values) * (high - low) + low
    axes.imshow(values, origin="lower", extent=(low, high, low, high), cmap=SHADES, vmin=0, vmax=1)
    if values.min() < 0.5 < values.max():
        axes.contour(middle, middle, values, levels=[0.5], colors=INK, linewidths=1.2)


def show(figure: Figure, text: str) -> None:
    """Show a figure that a notebook draws itself, with the same in words, which a terminal prints."""
    from IPython.display import display

    display({"image/svg+xml": svg(figure), "text/plain": text}, raw=True)


def mark_points(axes: Any, X: Any, y: Any, size: float = 18.0) -> None:
    """Draw points, filled circles of class 1 and open triangles of class 0."""
    for value, marker in ((0, "^"), (1, "o")):
        part = np.asarray(X)[np.asarray(y) == value]
        face = INK if value else GROUND
        axes.scatter(*part.T, s=size, marker=marker, facecolors=face, edgecolors=INK, linewidths=0.9)


def grid_shares(share: Any, n_steps: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
    """Values of a function of points, in the cells of a grid on a square."""
    return np.asarray(share(low + (high - low) * grid_points(n_steps))).reshape(n_steps, n_steps)


def shade_points(
    axes: Any, share: Any, X: Any, y: Any, size: float, n_steps: int, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    """Shade a square by the values of a function of points, draw points upon it, and return the values."""
    values = grid_shares(share, n_steps, low, high)
    shade(axes, values, low, high)
    mark_points(axes, X, y, size)
    return values


def squares(
    panels: Iterable[Any], height: float, draw: Callable, sentence: str, head: str = "", **settings: Any
) -> Picture:
    """Draw squares without ticks, a panel for each pair of a title and what it shows.

    `draw` draws what is shown on the axes of a panel, and returns the panel's numbers by name, which are the
    cells. The text has a `sentence` for each panel, formatted of its title ("panel") and numbers, after a
    `head`. `settings` are those of the axes.
    """
    rows = []
    with paneled(panels, height) as (figure, grid):
        for axes, title, shown in grid:
            rows.append({"panel": title} | draw(axes, shown))
            bare(axes, title, **settings)
    texts = [*([head] if head else []), *(sentence.format(**row) for row in rows)]
    return Picture(figure, "\n".join(texts), pd.DataFrame(rows).set_index("panel"))
