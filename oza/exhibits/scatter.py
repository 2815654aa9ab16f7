"""Figures 3.4 to 3.10: error of the batch ensemble against error of the online one."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from ._printed import label
from ._style import GUIDE, OURS, PRINTED, STYLE


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
        data set on which online bagging errs less.
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
        _label(
            axes,
            points["batch"].fillna(points["batch_printed"]),
            points["online"].fillna(points["online_printed"]),
        )
    return figure


def _label(axes, x: pd.Series, y: pd.Series) -> None:
    """Name each point to the right of the diagonal, moving names down until none lies on another."""
    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    taken: list[Bbox] = []
    for dataset in x.sort_values(ascending=False, kind="stable").dropna().index:
        for step in range(60):
            note = axes.annotate(
                label(dataset),
                (x[dataset], y[dataset]),
                xytext=(14, -4 - 4 * step),
                textcoords="offset points",
                fontsize=8,
                va="top",
                arrowprops={"arrowstyle": "-", "color": GUIDE, "linewidth": 0.5, "shrinkB": 3},
            )
            box = Text.get_window_extent(note, canvas.get_renderer()).padded(1)
            if not any(box.overlaps(other) for other in taken):
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
