"""Figures 3.4 to 3.10, 4.6 to 4.20, KDD 3, 4 and 7: error of one algorithm against that of another."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from ..figures import GUIDE, INK, LINES, Picture, drawing
from ..tables import Record, layout, scatter
from ..tables.layout import heading
from ..tables.printed import label

_WORTH_A_NAME = 1.0  # percentage points

#: Titles of the panels of a figure of several tables, by base model.
PANELS = {"decision_tree": "Decision trees", "naive_bayes": "Naive Bayes"}


def error_scatter(record: Record, figure: str) -> Picture:
    """Plot the error of one algorithm against that of another, one point a data set.

    Ours are filled, printed ones hollow, joined by a line; a point below the diagonal is a data set on which
    the upper algorithm errs less. A data set has its name beside it if the two algorithms, or ours and
    printed, are one percentage point or more apart. The figure is "3.5", for instance, or "KDD 3".

    >>> error_scatter(Record("smoke"), "3.5").cells.columns.to_list()[:2]
    ['Bagging', 'Online bagging']
    """
    tables, x, y, limit = scatter(figure)
    points = {
        PANELS[layout(table).base_model] if len(tables) > 1 else "": _points(record.accuracy(table), x, y)
        for table in tables
    }
    texts = [f"{title}. " * bool(title) + _text(part, x, y) for title, part in points.items()]
    cells = pd.concat(points) if len(tables) > 1 else points[""]
    return Picture(_draw(points, x, y, limit), "\n\n".join(texts), cells)


def _points(cells: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Errors in percent: ours of both algorithms, then the printed ones; NaN where there is no value."""
    pairs = {"": "mean", ", printed": "printed"}
    errors = {
        suffix: 100 * (1 - cells[column].unstack("algorithm", sort=False)) for suffix, column in pairs.items()
    }
    found = {heading(name) + suffix: errors[suffix].get(name) for suffix in pairs for name in (x, y)}
    return pd.DataFrame(found, errors[""].index, dtype=float)


def _draw(points: Mapping[str, pd.DataFrame], x: str, y: str, limit: float) -> Figure:
    drawn = np.concatenate([part.to_numpy().ravel() for part in points.values()])
    limit = 5 * np.ceil(np.nanmax([limit, *drawn]) / 5)  # further, if a point lies beyond
    with drawing(560 if len(points) == 1 else 500, wide=len(points) > 1) as figure:
        grid = figure.subplots(1, len(points), squeeze=False).ravel()
        for axes, (title, part) in zip(grid, points.items(), strict=True):
            _scatter(axes, part, limit, LINES[y.removesuffix("_10")][0])
            axes.set(title=title, xlabel=f"{heading(x)}: error (%)", ylabel=f"{heading(y)}: error (%)")
        name_outliers(figure, dict(zip(grid, points.values(), strict=True)))
    return figure


def _scatter(axes: Any, points: pd.DataFrame, limit: float, color: str) -> None:
    """Draw the points, the printed ones hollow and joined to ours, and the diagonal."""
    x_ours, y_ours, x_printed, y_printed = points.to_numpy().T
    axes.plot([0, limit], [0, limit], color=GUIDE, linewidth=0.8, zorder=1)
    axes.plot([x_ours, x_printed], [y_ours, y_printed], color=GUIDE, linewidth=0.8)
    axes.plot(x_ours, y_ours, "o", color=color, label="ours")
    if not np.isnan(x_printed + y_printed).all():
        style = {"color": INK, "fillstyle": "none", "markersize": 8}
        axes.plot(x_printed, y_printed, "s", label="printed", **style)
        axes.legend(loc="upper left")
    if points.empty:
        axes.text(limit / 2, limit / 3, "no results yet", ha="center")
    axes.set(xlim=(0, limit), ylim=(0, limit), aspect="equal")


def _outliers(points: pd.DataFrame) -> pd.DataFrame:
    """Select our points that catch the eye: away from the diagonal, or from the printed point."""
    x, y, x_printed, y_printed = points.to_numpy().T
    gaps = np.abs([y - x, y_printed - x_printed, x - x_printed, y - y_printed])
    return points[~np.isnan(x + y) & (np.nan_to_num(gaps).max(axis=0) >= _WORTH_A_NAME)]


def name_outliers(figure: Figure, panels: Mapping[Any, pd.DataFrame]) -> None:
    """Name the outliers, each name at the nearest place where it covers no point and no other name."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()  # so that the axes have their places
    for axes, points in panels.items():
        drawn = points.to_numpy().reshape(-1, 2)  # ours and printed
        drawn = drawn[~np.isnan(drawn).any(axis=1)]
        taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in axes.transData.transform(drawn)]
        for dataset, point in _outliers(points).iterrows():
            note = axes.annotate(
                label(str(dataset)),
                point.iloc[:2],
                xytext=(0, 0),
                textcoords="offset points",
                va="center",
                arrowprops={"arrowstyle": "-", "color": GUIDE, "linewidth": 0.5, "shrinkB": 3},
                in_layout=False,
            )
            for distance, angle in product(range(12, 120, 12), range(-45, 315, 30)):
                across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
                note.set(position=(distance * across, distance * up), ha="left" if across > 0 else "right")
                note.update_positions(renderer)
                box = Text.get_window_extent(note, renderer)  # the name without its line
                is_inside = axes.bbox.containsx(box.x0) and axes.bbox.containsx(box.x1)
                is_inside = is_inside and axes.bbox.containsy(box.y0) and axes.bbox.containsy(box.y1)
                if is_inside and not any(box.overlaps(other) for other in taken):
                    taken.append(box)
                    break
            else:
                note.remove()


def _text(points: pd.DataFrame, x: str, y: str) -> str:
    gap = (points[heading(y)] - points[heading(x)]).dropna().round(9)
    summary = "no data set has both values of ours"
    if len(gap):
        widest = label(str(gap.abs().idxmax()))
        summary = (
            f"on {len(gap)} data sets the errors differ by {gap.abs().max():.1f} points at most ({widest}); "
            f"{heading(y)} errs less on {(gap < 0).sum()}, more on {(gap > 0).sum()}"
        )
    numbers = points.dropna(axis="columns", how="all").rename(index=label).rename_axis("Data set")
    return (
        f"Error of {heading(y)} against error of {heading(x)}, in percent: {summary}.\n"
        f"{numbers.round(1).to_string(na_rep='–')}"
    )
