"""Figures 2.10 to 2.19: errors of pairs of algorithms on the same splits."""

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from oza.compare.style import STYLE

from ..tables.printed import label
from .style import GUIDE, Picture

_MARKERS = "os^vDP*X<>dph"


def comparison_scatter(comparisons: Mapping[tuple[str, str], pd.DataFrame], limit: float = 50.0) -> Picture:
    """Plot errors of pairs of algorithms, a panel for each pair and a point for each data set.

    Parameters
    ----------
    comparisons : mapping
        From what the first and the second algorithm are called to what `reproduction.tables.compare` gives.
    limit : float, default=50
        End of all axes, in percent, as in the thesis; moved if a point lies beyond.

    Returns
    -------
    Picture
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
    numbers = pd.concat(dict(comparisons), names=["first", "second"])
    return Picture(figure, _text(comparisons), numbers)


def _text(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> str:
    """Say in words and numbers what the panels show."""
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
