"""Figures 3.4 to 3.10: error of the batch ensemble against error of the online one."""

import math
from itertools import product
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from ._printed import label
from ._style import GUIDE, OURS, PRINTED, STYLE

_WORTH_A_NAME = 1.0  # percentage points


def error_points(cells: pd.DataFrame) -> pd.DataFrame:
    """Give the points of the figure: errors in percent.

    Parameters
    ----------
    cells : DataFrame
        What `accuracy_cells` gives, or the `cells` of an `accuracy_table`.

    Returns
    -------
    DataFrame
        For each data set `batch` and `online`, and `batch_printed` and `online_printed`; NaN where
        there is no value.
    """
    ours, printed = (
        100 * (1 - cells[column].unstack("algorithm", sort=False)) for column in ("mean", "printed")
    )
    return pd.DataFrame(
        {
            "batch": ours["bagging"],
            "online": ours["online_bagging"],
            "batch_printed": printed["bagging"],
            "online_printed": printed["online_bagging"],
        }
    )


def error_scatter(cells: pd.DataFrame, limit: float = 50.0) -> Figure:
    """Plot the error of online bagging against that of batch bagging, one point a data set.

    Parameters
    ----------
    cells : DataFrame
        What `accuracy_cells` gives, or the `cells` of an `accuracy_table`.
    limit : float, default=50
        End of both axes, in percent (50 in the thesis's Figure 3.5, 70 in Figure 3.6); moved if
        a point lies beyond.

    Returns
    -------
    Figure
        Ours are filled, printed ones hollow, joined by a line; a point below the diagonal is a
        data set on which online bagging errs less. A data set has its name beside it if batch
        and online, or ours and printed, are one percentage point or more apart.
    """
    points = error_points(cells)
    limit = 5 * np.ceil(np.nanmax([limit, *points.to_numpy().ravel()]) / 5)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.6, 5.6))
        axes = figure.subplots()
        axes.plot([0, limit], [0, limit], color=GUIDE, linewidth=0.8, zorder=1)
        axes.plot(
            points[["batch", "batch_printed"]].T,
            points[["online", "online_printed"]].T,
            color=GUIDE,
            linewidth=0.8,
        )
        axes.plot(points["batch"], points["online"], "o", color=OURS, label="ours")
        axes.plot(
            points["batch_printed"],
            points["online_printed"],
            "s",
            color=PRINTED,
            fillstyle="none",
            markersize=8,
            label="printed",
        )
        axes.set(
            xlim=(0, limit),
            ylim=(0, limit),
            aspect="equal",
            xlabel="batch bagging: error (%)",
            ylabel="online bagging: error (%)",
        )
        axes.legend(loc="upper left")
        _label(axes, points)
    return figure


def _outliers(points: pd.DataFrame) -> pd.DataFrame:
    """Select our points that catch the eye: away from the diagonal, or from the printed point."""
    gaps = pd.DataFrame(
        {
            "ours": points["online"] - points["batch"],
            "printed": points["online_printed"] - points["batch_printed"],
            "batch": points["batch"] - points["batch_printed"],
            "online": points["online"] - points["online_printed"],
        }
    )
    is_drawn = points[["batch", "online"]].notna().all(axis=1)
    return points[is_drawn & (gaps.abs().max(axis=1) >= _WORTH_A_NAME)]


def _label(axes: Any, points: pd.DataFrame) -> None:
    """Name the outliers, each name at the nearest place where it covers no point and no other name."""
    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    drawn = np.vstack([points[["batch", "online"]], points[["batch_printed", "online_printed"]]])
    drawn = drawn[~np.isnan(drawn).any(axis=1)]
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in axes.transData.transform(drawn)]
    for dataset, point in _outliers(points).iterrows():
        x, y = point[["batch", "online"]]
        for distance, angle in product(range(12, 120, 12), range(-45, 315, 30)):
            note = axes.annotate(
                label(str(dataset)),
                (x, y),
                xytext=(distance * math.cos(math.radians(angle)), distance * math.sin(math.radians(angle))),
                textcoords="offset points",
                ha="left" if math.cos(math.radians(angle)) > 0 else "right",
                va="center",
                fontsize=8,
                arrowprops={"arrowstyle": "-", "color": GUIDE, "linewidth": 0.5, "shrinkB": 3},
                in_layout=False,
            )
            note.update_positions(renderer)
            box = Text.get_window_extent(note, renderer)  # the name without its line
            is_inside = axes.bbox.containsx(box.x0) and axes.bbox.containsx(box.x1)
            is_inside = is_inside and axes.bbox.containsy(box.y0) and axes.bbox.containsy(box.y1)
            if is_inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            note.remove()


def scatter_text(cells: pd.DataFrame) -> str:
    """Say in words and numbers what `error_scatter` shows."""
    points = error_points(cells)
    gap = (points["online"] - points["batch"]).abs().dropna()
    summary = "no data set has both values of ours"
    if len(gap):
        widest = label(str(gap.idxmax()))
        summary = f"on {len(gap)} data sets the errors differ by {gap.max():.1f} points at most ({widest})"
    return (
        f"Error of online bagging against error of batch bagging, in percent: {summary}.\n"
        f"{points.rename(index=label).rename_axis('Data set').round(1).to_string(na_rep='–')}"
    )
