"""Figures 4.21 to 4.30: errors of successive base models."""

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from ._layout import heading
from ._printed import label
from ._style import GUIDE, OURS, PRINTED, STYLE

_PER_ROW = 3


def error_curves(errors: pd.DataFrame) -> Figure:
    """Plot the errors of successive base models, a panel for each base model and data set.

    Parameters
    ----------
    errors : DataFrame
        Rows of `oza.experiments.base_model_errors`.

    Returns
    -------
    Figure
        Batch boosting filled, online boosting hollow; a line marks one half.
    """
    panels = list(errors.groupby(["base_model", "dataset"], sort=False))
    n_columns = min(_PER_ROW, len(panels))
    n_rows = -(-len(panels) // n_columns)
    lines = {"boosting": (OURS, "full"), "online_boosting": (PRINTED, "none")}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(1.0 + 2.6 * n_columns, 0.9 + 2.2 * n_rows))
        grid = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
        for axes, ((base_model, dataset), rows) in zip(grid, panels, strict=False):
            axes.axhline(0.5, color=GUIDE, linewidth=0.8, label="one half")
            for algorithm, (color, fill) in lines.items():
                part = rows[rows["algorithm"] == algorithm].set_index("model")["error"]
                style = {"color": color, "fillstyle": fill, "markersize": 3, "linewidth": 0.6}
                axes.plot(part, "o-", label=heading(algorithm), **style)
            axes.set_title(f"{label(str(dataset))}\n{str(base_model).replace('_', ' ')}", fontsize=9)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        figure.supxlabel("base model", fontsize=9)
        figure.supylabel("weighted training error", fontsize=9)
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=8)
    return figure


def error_curves_text(errors: pd.DataFrame) -> str:
    """Say in words and numbers what `error_curves` shows."""
    lines = ["Weighted training errors of successive base models."]
    for names, rows in errors.groupby(["dataset", "base_model", "algorithm"], sort=False):
        what = ", ".join(str(name).replace("_", " ") for name in names)
        first, last = rows["error"].iloc[[0, -1]]
        lines.append(f"{what}: {len(rows)} models, error of the first {first:.3f}, of the last {last:.3f}")
    return "\n".join(lines)
