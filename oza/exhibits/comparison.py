"""Two algorithms on the same splits: a table over data sets, and scatter plots (thesis Figures 2.10-2.19)."""

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..datasets import list_datasets
from ..experiments.statistics import Contrast, contrast, split_accuracies
from ._printed import APART, label
from ._style import GUIDE, STYLE

_MARKERS = "os^vDP*X<>dph"


def compare(results: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Compare the accuracies of two algorithms on the splits that both have.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    first, second : str
        Names of the algorithms.

    Returns
    -------
    DataFrame
        Indexed by data set, in the order of Table 3.1, with the columns

        first, second
            Mean accuracies.
        difference, half_width
            First minus second, and half the 95 % interval of this over the splits.
        p_value
            Of Welch's t-test; NaN with a single split.
        mark
            "better", "worse" or "none": the first against the second by that test at 0.05;
            "unknown" with a single split.
        n_splits
            Number of splits.
        apart
            Whether the data set is shown, and not counted.
    """
    splits = split_accuracies(results)["accuracy"].unstack("algorithm").reindex(columns=[first, second])
    splits = splits.dropna()
    rows = {}
    for dataset, group in splits.groupby("dataset"):
        a, b = group[first].to_numpy(), group[second].to_numpy()
        rows[dataset] = a.mean(), b.mean(), *contrast(a, b), len(group), dataset in APART
    columns = ["first", "second", *Contrast._fields, "n_splits", "apart"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.reindex([name for name in list_datasets() if name in rows]).rename_axis("dataset")


def comparison_scatter(comparisons: Mapping[tuple[str, str], pd.DataFrame], limit: float = 50.0) -> Figure:
    """Plot errors of pairs of algorithms, a panel for each pair and a point for each data set.

    Parameters
    ----------
    comparisons : mapping
        From what the first and the second algorithm are called to what `compare` gives.
    limit : float, default=50
        End of all axes, in percent, as in the thesis; moved if a point lies beyond.

    Returns
    -------
    Figure
        The first algorithm's error upwards, the second's to the right: below the diagonal the first
        errs less. Filled where the difference is significant.
    """
    names = list(dict.fromkeys(name for table in comparisons.values() for name in table.index))
    highest = max((100 * (1 - t[["first", "second"]].min().min()) for t in comparisons.values()), default=0.0)
    limit = 5 * np.ceil(np.nanmax([limit, highest]) / 5)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(3.1 * len(comparisons), 3.9))
        panels = figure.subplots(1, len(comparisons), squeeze=False)[0]
        for axes, ((first, second), table) in zip(panels, comparisons.items(), strict=True):
            axes.plot([0, limit], [0, limit], color=GUIDE, linewidth=0.8, zorder=1)
            for i, name in enumerate(names):
                shown = table.loc[[name]] if name in table.index else table[:0]
                is_significant = shown["mark"].isin(["better", "worse"]).any()
                axes.plot(
                    100 * (1 - shown["second"]),
                    100 * (1 - shown["first"]),
                    _MARKERS[i % len(_MARKERS)],
                    color=f"C{i % 10}",
                    fillstyle="full" if is_significant else "none",
                    label=label(name),
                )
            axes.set(
                xlim=(0, limit),
                ylim=(0, limit),
                aspect="equal",
                xlabel=f"{second}: error (%)",
                ylabel=f"{first}: error (%)",
            )
        handles, texts = panels[0].get_legend_handles_labels()
        figure.legend(handles, texts, loc="outside lower center", ncols=4, fontsize=8)
    return figure


def comparison_text(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> str:
    """Say in words and numbers what `comparison_scatter` shows."""
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
