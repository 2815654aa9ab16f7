"""Figures 4.5 and 4.21 to 4.30, KDD Figures 5, 6 and 8 to 12: accuracies, errors and times as curves."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ..figures import BAND, GUIDE, LINES, Picture, drawing, label_ends, lines, paneled
from ..statistics import MARGIN
from .layout import BASES, BATCH_OF, heading
from .printed import label
from .times import time_medians

_NAMES = {name: heading(name) for name in LINES}
_DOTS: Any = {"names": _NAMES, "marker": "o", "markersize": 3}


def error_curves(errors: pd.DataFrame) -> Picture:
    """Plot the average errors of successive base models, a panel for each base model and data set.

    Batch boosting dashed, online boosting solid, means over the runs that made the model, with a band from
    the least to the largest error; a line marks one half.
    """
    keys = ["base_model", "dataset", "algorithm", "model"]
    errors_of = errors.groupby(keys, sort=False)["error"]
    averages = pd.DataFrame(errors_of.agg(runs="size", mean="mean", least="min", largest="max"))
    looks = {name: LINES[name] for name in ("boosting", "online_boosting")}
    options: Any = {"ylabel": "weighted training error", "legend": 3, "sharey": True}
    with paneled(averages.groupby(level=keys[:2], sort=False), 250, head=80, **options) as (figure, grid):
        for axes, (base_model, dataset), rows in grid:
            axes.axhline(0.5, color=GUIDE, linewidth=0.8, label="one half")
            by_model = rows.droplevel(keys[:2]).unstack("algorithm")
            band = by_model["least"], by_model["largest"]
            lines(axes, by_model["mean"], looks, names=_NAMES, band=band)
            axes.set(title=f"{label(dataset)}\n{BASES[base_model]}", xlabel="base model")
    return Picture(figure, _error_curves_text(averages), averages)


def _error_curves_text(averages: pd.DataFrame) -> str:
    lines = ["Weighted training errors of successive base models, averaged over runs."]
    levels = ["dataset", "base_model", "algorithm"]
    for (dataset, base_model, algorithm), rows in averages.groupby(level=levels, sort=False):
        what = f"{label(str(dataset))}, {BASES[str(base_model)]}, {heading(str(algorithm)).lower()}"
        first, last = rows["mean"].iloc[[0, -1]]
        runs = rows["runs"].iloc[[0, -1]].to_list()
        lines.append(
            f"{what}: {len(rows)} models, error of the first {first:.3f} (runs: {runs[0]}), "
            f"of the last {last:.3f} (runs: {runs[1]})"
        )
    return "\n".join(lines)


def accuracy_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Average the accuracies of a learning curve, by number of training examples and algorithm."""
    means = _by_size(rows, "accuracy", "mean")
    means.insert(0, "splits", _by_size(rows, "accuracy", "size").max(axis="columns"))
    return means.rename_axis(index="training examples", columns=None)


def accuracy_curves(rows: pd.DataFrame, logarithmic: bool = False) -> Picture:
    """Plot accuracy against the number of training examples, with standard errors over the splits.

    Batch dashed, online solid, primed dotted. Below, what online and primed algorithms have more or less than
    their batch counterparts, with the margin of equality as a band.
    """
    means, errors = (_by_size(rows, "accuracy", what) for what in ("mean", "sem"))
    gaps = _gaps(means)
    scale = "log" if logarithmic else "linear"
    n_panels = 1 + (not gaps.empty)
    with drawing(230 + 170 * n_panels) as figure:
        above, *below = figure.subplots(n_panels, 1, squeeze=False, height_ratios=(5, 2)[:n_panels])[:, 0]
        lines(above, means, _looks(means), error=errors.fillna(0.0), **_DOTS)
        above.set(ylabel="accuracy", xlabel="training examples", xscale=scale)
        label_ends(above)
        for axes in below:
            axes.axhspan(-100 * MARGIN, 100 * MARGIN, color=BAND, zorder=0)
            lines(axes, gaps, _looks(gaps), **_DOTS)
            axes.set(ylabel="minus batch (points)", xlabel="training examples", xscale=scale)
            label_ends(axes)
    numbers = accuracy_means(rows)
    text = f"Mean accuracy by the number of training examples.\n{numbers.round(4).to_string(na_rep='–')}"
    return Picture(figure, text, numbers)


def _gaps(means: pd.DataFrame) -> pd.DataFrame:
    """Give what online and primed algorithms are more accurate than their batch counterparts, in points."""
    both = {name: other for name, other in BATCH_OF.items() if name in means and other in means}
    return pd.DataFrame({name: 100 * (means[name] - means[other]) for name, other in both.items()})


def time_curves(rows: pd.DataFrame) -> Picture:
    """Plot the median seconds against the number of training examples, with logarithmic axes.

    Batch dashed, online solid, primed dotted.
    """
    medians = time_medians(rows)
    text = f"Median processor seconds to learn.\n{medians.to_string(float_format='{:.2g}'.format)}"
    with drawing(400) as figure:
        axes = figure.subplots()
        seconds = _by_size(rows, "seconds", "median")
        lines(axes, seconds, _looks(seconds), **_DOTS)
        axes.set(xscale="log", yscale="log", xlabel="training examples")
        label_ends(axes)
        axes.set(ylabel="processor seconds")
    return Picture(figure, text, medians)


def _by_size(rows: pd.DataFrame, column: str, what: Any) -> pd.DataFrame:
    """Aggregate a column by number of training examples, a row each, and algorithm, in the legend's order."""
    return rows.pivot_table(column, "n_train", "algorithm", what)[list(_looks(rows["algorithm"].unique()))]


def _looks(algorithms: Iterable[Any]) -> dict[str, Any]:
    return {name: look for name, look in LINES.items() if name in algorithms}
