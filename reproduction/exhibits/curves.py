"""Figures 4.5 and 4.21 to 4.30, KDD Figures 5, 6 and 8 to 12: accuracies, errors and times as curves."""

from typing import Any

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from oza.compare.style import LINES, STYLE

from ..tables import time_medians
from ..tables.layout import heading
from ..tables.printed import label
from .style import GUIDE, OURS, PRINTED, Picture

_PER_ROW = 3


def error_curves(errors: pd.DataFrame) -> Picture:
    """Plot the average errors of successive base models, a panel for each base model and data set.

    Parameters
    ----------
    errors : DataFrame
        Rows of the study `errors`.

    Returns
    -------
    Picture
        Batch boosting filled, online boosting hollow, means over the runs that made the model, with a band
        from the least to the largest error; a line marks one half. The cells are `runs`, `mean`, `least` and
        `largest` of each model.
    """
    keys = ["base_model", "dataset", "algorithm", "model"]
    by_model = errors.groupby(keys, sort=False)["error"]
    averages = pd.DataFrame(by_model.agg(runs="size", mean="mean", least="min", largest="max"))
    panels: list[Any] = list(averages.groupby(level=keys[:2], sort=False))
    n_columns = min(_PER_ROW, len(panels))
    n_rows = -(-len(panels) // n_columns)
    lines = {"boosting": (OURS, "full"), "online_boosting": (PRINTED, "none")}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(1.0 + 2.6 * n_columns, 0.9 + 2.2 * n_rows))
        grid = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
        for axes, ((base_model, dataset), rows) in zip(grid, panels, strict=False):
            axes.axhline(0.5, color=GUIDE, linewidth=0.8, label="one half")
            for algorithm, (color, fill) in lines.items():
                part = rows[rows.index.get_level_values("algorithm") == algorithm].droplevel(keys[:3])
                style = {"color": color, "fillstyle": fill, "markersize": 3, "linewidth": 0.6}
                axes.fill_between(part.index, part["least"], part["largest"], color=color, alpha=0.2, lw=0)
                axes.plot(part["mean"], "o-", label=heading(algorithm), **style)
            axes.set_title(f"{label(str(dataset))}\n{str(base_model).replace('_', ' ')}", fontsize=9)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        figure.supxlabel("base model", fontsize=9)
        figure.supylabel("weighted training error", fontsize=9)
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=8)
    return Picture(figure, _error_curves_text(averages), averages)


def _error_curves_text(averages: pd.DataFrame) -> str:
    """Say in words and numbers what the figure shows."""
    lines = ["Weighted training errors of successive base models, averaged over runs."]
    for names, rows in averages.groupby(level=["dataset", "base_model", "algorithm"], sort=False):
        what = ", ".join(str(name).replace("_", " ") for name in names)
        first, last = rows["mean"].iloc[[0, -1]]
        runs = rows["runs"].iloc[[0, -1]].to_list()
        lines.append(
            f"{what}: {len(rows)} models, error of the first {first:.3f} ({runs[0]} runs), "
            f"of the last {last:.3f} ({runs[1]} runs)"
        )
    return "\n".join(lines)


def accuracy_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Average the accuracies of a learning curve.

    Parameters
    ----------
    rows : DataFrame
        Points of a learning curve, as `Record.curve` gives them.

    Returns
    -------
    DataFrame
        For each number of training examples the number of splits and runs, and each algorithm's mean
        accuracy.
    """
    means = _by_size(rows, "accuracy").mean().unstack("algorithm")
    means.insert(0, "splits", _by_size(rows, "accuracy").size().groupby("n_train").max())
    return means.rename_axis(index="training examples", columns=None)


def accuracy_curves(rows: pd.DataFrame, logarithmic: bool = False) -> Picture:
    """Plot accuracy against the number of training examples, with standard errors over the splits.

    Parameters
    ----------
    rows : DataFrame
        Points of a learning curve, as `Record.curve` gives them.
    logarithmic : bool, default=False
        Whether the numbers of examples have a logarithmic axis.

    Returns
    -------
    Picture
        Batch dashed, online solid, primed dotted.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.0, 4.4))
        axes = figure.subplots()
        accuracies = _by_size(rows, "accuracy")
        _draw(axes, accuracies.mean(), accuracies.sem().fillna(0.0))
        axes.set(ylabel="accuracy", xscale="log" if logarithmic else "linear")
        figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    return Picture(figure, _accuracy_curves_text(rows), accuracy_means(rows))


def _accuracy_curves_text(rows: pd.DataFrame) -> str:
    """Say in numbers what the figure shows."""
    means = accuracy_means(rows)
    return f"Mean accuracy by the number of training examples.\n{means.round(4).to_string(na_rep='–')}"


def time_curves(rows: pd.DataFrame) -> Picture:
    """Plot the median seconds against the number of training examples.

    Parameters
    ----------
    rows : DataFrame
        Times on one data set, of the study `times-by-size`.

    Returns
    -------
    Picture
        Both axes logarithmic; batch dashed, online solid, primed dotted.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.0, 4.4))
        axes = figure.subplots()
        if len(rows):
            seconds = _by_size(rows, "seconds").median()
            _draw(axes, seconds, 0.0 * seconds)
            axes.set(xscale="log", yscale="log")
            figure.legend(loc="outside lower center", ncols=3, fontsize=8)
        else:
            axes.text(0.5, 0.5, "not recorded yet", ha="center", transform=axes.transAxes)
        axes.set(ylabel="processor seconds")
    return Picture(figure, _time_curves_text(rows), time_medians(rows))


def _time_curves_text(rows: pd.DataFrame) -> str:
    """Say in numbers what the figure shows."""
    if rows.empty:
        return "No running times are recorded yet."
    return f"Median processor seconds to learn.\n{time_medians(rows).to_string(float_format='{:.2g}'.format)}"


def _by_size(rows: pd.DataFrame, column: str) -> Any:
    """Group a column by number of training examples and algorithm, these in the order of the legend."""
    named = rows.assign(algorithm=pd.Categorical(rows["algorithm"], categories=list(LINES)))
    return named.groupby(["n_train", "algorithm"], observed=True)[column]


def _draw(axes: Any, values: pd.Series, errors: pd.Series) -> None:
    """Draw a line with error bars for each algorithm, against the number of training examples."""
    for algorithm, curve in values.unstack("algorithm").items():
        colour, dashes = LINES[str(algorithm)]
        axes.errorbar(
            curve.index,
            curve,
            errors.unstack("algorithm")[algorithm],
            color=colour,
            linestyle=dashes,
            marker="o",
            markersize=3,
            label=heading(str(algorithm)),
        )
    axes.set_xlabel("training examples")
