"""Figures 2.10 to 2.19, 3.4 to 3.10, 4.6 to 4.20, KDD 3, 4 and 7: errors of pairs of algorithms."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from ..figures import GUIDE, INK, LINES, Picture, paneled
from .layout import heading, layout, scatter
from .printed import label
from .record import Record

_WORTH_A_NAME = 1.0  # percentage points

#: Titles of the panels of a figure of several tables, by base model.
PANELS = {"decision_tree": "Decision trees", "naive_bayes": "Naive Bayes"}


def error_scatter(record: Record, figure: str) -> Picture:
    """Plot the error of one algorithm against that of another, one point a data set.

    Ours are filled, printed ones hollow, joined by a line; a point below the diagonal is a data set on which
    the upper algorithm has fewer errors. A data set has its name beside it if the two algorithms, or ours and
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
    suffixes = {"mean": "", "printed": ", printed"}
    errors = 100 * (1 - cells[[*suffixes]].unstack("algorithm", sort=False))
    found = {heading(name) + suffixes[kind]: errors.get((kind, name)) for kind in suffixes for name in (x, y)}
    return pd.DataFrame(found, errors.index, dtype=float)


def _draw(points: Mapping[str, pd.DataFrame], x: str, y: str, limit: float) -> Figure:
    limit = _further(limit, points)
    with paneled(points, 560 if len(points) == 1 else 500, wide=len(points) > 1) as (figure, grid):
        for axes, title, part in grid:
            x_ours, y_ours, x_printed, y_printed = part.to_numpy().T
            axes.plot([x_ours, x_printed], [y_ours, y_printed], color=GUIDE, linewidth=0.8)
            axes.plot(x_ours, y_ours, "o", color=LINES[y.removesuffix("_10")][0], label="ours")
            if not np.isnan(x_printed + y_printed).all():
                style = {"color": INK, "fillstyle": "none", "markersize": 8}
                axes.plot(x_printed, y_printed, "s", label="printed", **style)
                axes.legend(loc="upper left")
            if part.empty:
                axes.text(limit / 2, limit / 3, "no results yet", ha="center")
            _square(axes, limit, heading(x), heading(y))
            axes.set_title(title)
        _name_outliers(grid)
    return figure


def comparison_scatter(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> Picture:
    """Plot errors of pairs of algorithms, a panel for each pair and a point for each data set.

    `comparisons` are what `compare` of `printed.comparing` gives, by what the two algorithms are called. The
    first one's error upwards, the second's to the right: below the diagonal the first is better. Filled where
    the difference is significant. All axes end at 50 % as in the thesis, or further if a point lies beyond.
    """
    points = {
        pair: 100 * (1 - table[["second", "first"]].astype(float).assign(x=np.nan, y=np.nan))
        for pair, table in comparisons.items()
    }
    limit = _further(50.0, points)
    with paneled(points, 560 if len(points) == 1 else 330, wide=len(points) > 1) as (figure, grid):
        for axes, (first, second), part in grid:
            is_significant = comparisons[first, second]["mark"].isin(["better", "worse"])
            for errors, fill in ((part[is_significant], "full"), (part[~is_significant], "none")):
                axes.plot(errors["second"], errors["first"], "o", color=INK, fillstyle=fill)
            _square(axes, limit, second, first)
        _name_outliers(grid)
    numbers = pd.concat(dict(comparisons), names=["first", "second"])
    return Picture(figure, _comparison_text(comparisons), numbers)


def _further(limit: float, points: Mapping[Any, pd.DataFrame]) -> float:
    """End of the axes: further than the given one if a point lies beyond."""
    drawn = np.concatenate([part.to_numpy().ravel() for part in points.values()])
    return float(5 * np.ceil(np.nanmax([limit, *drawn]) / 5))


def _square(axes: Any, limit: float, x: str, y: str) -> None:
    """Make a square of errors of two algorithms, with its diagonal."""
    axes.plot([0, limit], [0, limit], color=GUIDE, linewidth=0.8, zorder=1)
    axes.set(xlim=(0, limit), ylim=(0, limit), aspect="equal")
    axes.set(xlabel=f"{x}: error (%)", ylabel=f"{y}: error (%)")


def _outliers(points: pd.DataFrame) -> pd.DataFrame:
    """Select our points that catch the eye: away from the diagonal, or from the printed point."""
    x, y, x_printed, y_printed = points.to_numpy().T
    gaps = np.abs([y - x, y_printed - x_printed, x - x_printed, y - y_printed])
    return points[~np.isnan(x + y) & (np.nan_to_num(gaps).max(axis=0) >= _WORTH_A_NAME)]


def _name_outliers(panels: Sequence[tuple[Any, Any, pd.DataFrame]]) -> None:
    """Name the outliers, each name at the nearest place where it covers no point and no other name."""
    figure = panels[0][0].figure
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()  # so that the axes have their places
    for axes, _, points in panels:
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
            f"{heading(y).lower()} makes fewer errors on {(gap < 0).sum() or 'none'}, more on "
            f"{(gap > 0).sum() or 'none'}"
        )
    numbers = points.dropna(axis="columns", how="all").rename(index=label).rename_axis("Data set")
    return (
        f"Error of {heading(y).lower()} against error of {heading(x).lower()}, in percent: {summary}.\n"
        f"{numbers.round(1).to_string(na_rep='–')}"
    )


def _comparison_text(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> str:
    parts = []
    for (first, second), table in comparisons.items():
        if table.empty:
            parts.append(f"Error in percent: no data set has results of {first} and {second}.")
            continue
        better, worse = ((table["mark"] == sign).sum() for sign in ("better", "worse"))
        errors = 100 * (1 - table[["first", "second"]].rename(index=label))
        numbers = errors.set_axis([first, second], axis=1).round(1).rename_axis("Data set")
        parts.append(
            f"Error in percent: {first} significantly better than {second} on {better} of {len(table)} data "
            f"sets, worse on {worse}.\n{numbers.to_string()}"
        )
    return "\n".join(parts)
