"""Figures 4.5 and 4.21 to 4.30, KDD Figures 5, 6 and 8 to 12: accuracies, errors and times as curves."""

from typing import Any

import pandas as pd

from ..figures import BAND, GUIDE, LINES, Picture, drawing, label_ends, panels
from ..studies.statistics import MARGIN
from ..tables import time_medians
from ..tables.layout import BASES, heading
from ..tables.printed import label


def error_curves(errors: pd.DataFrame) -> Picture:
    """Plot the average errors of successive base models, a panel for each base model and data set.

    Batch boosting dashed, online boosting solid, means over the runs that made the model, with a band from
    the least to the largest error; a line marks one half.
    """
    keys = ["base_model", "dataset", "algorithm", "model"]
    by_model = errors.groupby(keys, sort=False)["error"]
    averages = pd.DataFrame(by_model.agg(runs="size", mean="mean", least="min", largest="max"))
    parts: list[Any] = list(averages.groupby(level=keys[:2], sort=False))
    with drawing(80 + 250 * -(-len(parts) // 3), wide=len(parts) > 2) as figure:
        grid = panels(figure, len(parts), sharey=True)
        for axes, ((base_model, dataset), rows) in zip(grid, parts, strict=True):
            axes.axhline(0.5, color=GUIDE, linewidth=0.8, label="one half")
            for algorithm in ("boosting", "online_boosting"):
                color, dashes = LINES[algorithm]
                part = rows[rows.index.get_level_values("algorithm") == algorithm].droplevel(keys[:3])
                axes.fill_between(part.index, part["least"], part["largest"], color=color, alpha=0.2, lw=0)
                axes.plot(part["mean"], linestyle=dashes, color=color, label=heading(algorithm))
            axes.set_title(f"{label(str(dataset))}\n{BASES[str(base_model)]}")
            axes.set_xlabel("base model")
        for axes in grid[::3]:
            axes.set_ylabel("weighted training error")
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return Picture(figure, _error_curves_text(averages), averages)


def _error_curves_text(averages: pd.DataFrame) -> str:
    lines = ["Weighted training errors of successive base models, averaged over runs."]
    levels = ["dataset", "base_model", "algorithm"]
    for (dataset, base_model, algorithm), rows in averages.groupby(level=levels, sort=False):
        what = f"{label(str(dataset))}, {BASES[str(base_model)]}, {heading(str(algorithm)).lower()}"
        first, last = rows["mean"].iloc[[0, -1]]
        runs = rows["runs"].iloc[[0, -1]].to_list()
        lines.append(
            f"{what}: {len(rows)} models, error of the first {first:.3f} ({runs[0]} runs), "
            f"of the last {last:.3f} ({runs[1]} runs)"
        )
    return "\n".join(lines)


def accuracy_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Average the accuracies of a learning curve, by number of training examples and algorithm."""
    means = _by_size(rows, "accuracy").mean().unstack("algorithm")
    means.insert(0, "splits", _by_size(rows, "accuracy").size().groupby("n_train").max())
    return means.rename_axis(index="training examples", columns=None)


def accuracy_curves(rows: pd.DataFrame, logarithmic: bool = False) -> Picture:
    """Plot accuracy against the number of training examples, with standard errors over the splits.

    Batch dashed, online solid, primed dotted. Below, what online and primed algorithms have more or less than
    their batch counterparts, with the margin of equality as a band.
    """
    accuracies = _by_size(rows, "accuracy")
    means = accuracies.mean()
    gaps = _gaps(means.unstack("algorithm"))
    n_panels = 1 + (not gaps.empty)
    with drawing(230 + 170 * n_panels) as figure:
        grid = figure.subplots(n_panels, 1, squeeze=False, height_ratios=(5, 2)[:n_panels])
        axes = grid[0, 0]
        _draw(axes, means, accuracies.sem().fillna(0.0))
        axes.set(ylabel="accuracy", xscale="log" if logarithmic else "linear")
        label_ends(axes)
        if not gaps.empty:
            below = grid[1, 0]
            below.axhspan(-100 * MARGIN, 100 * MARGIN, color=BAND, zorder=0)
            for name, gap in gaps.items():
                below.plot(gap, label=heading(str(name)), **_look(str(name)))
            below.set(ylabel="minus batch (points)", xlabel="training examples", xscale=axes.get_xscale())
            label_ends(below)
    numbers = accuracy_means(rows)
    text = f"Mean accuracy by the number of training examples.\n{numbers.round(4).to_string(na_rep='–')}"
    return Picture(figure, text, numbers)


def _gaps(means: pd.DataFrame) -> pd.DataFrame:
    """Give what online and primed algorithms are more accurate than their batch counterparts, in points."""
    batch = {"online_bagging": "bagging", "online_boosting": "boosting"}
    batch |= {"primed_boosting": "boosting", "primed_200": "boosting"}
    both = {name: other for name, other in batch.items() if name in means and other in means}
    return pd.DataFrame({name: 100 * (means[name] - means[other]) for name, other in both.items()})


def time_curves(rows: pd.DataFrame) -> Picture:
    """Plot the median seconds against the number of training examples, with logarithmic axes.

    Batch dashed, online solid, primed dotted.
    """
    with drawing(400) as figure:
        axes = figure.subplots()
        if len(rows):
            seconds = _by_size(rows, "seconds").median()
            _draw(axes, seconds, 0.0 * seconds)
            axes.set(xscale="log", yscale="log")
            label_ends(axes)
        else:
            axes.text(0.5, 0.5, "not recorded yet", ha="center", transform=axes.transAxes)
        axes.set(ylabel="processor seconds")
    return Picture(figure, _time_curves_text(rows), time_medians(rows))


def _time_curves_text(rows: pd.DataFrame) -> str:
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
        spread = errors.unstack("algorithm")[algorithm]
        name = str(algorithm)
        axes.errorbar(curve.index, curve, spread, label=heading(name), **_look(name))
    axes.set_xlabel("training examples")


def _look(algorithm: str) -> dict[str, Any]:
    color, dashes = LINES[algorithm]
    return {"color": color, "linestyle": dashes, "marker": "o", "markersize": 3}
