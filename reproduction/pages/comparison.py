"""Figures 2.10 to 2.19: errors of pairs of algorithms on the same splits."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..figures import GUIDE, INK, Picture, drawing
from ..tables.printed import label
from .scatter import name_outliers


def comparison_scatter(comparisons: Mapping[tuple[str, str], pd.DataFrame], limit: float = 50.0) -> Picture:
    """Plot errors of pairs of algorithms, a panel for each pair and a point for each data set.

    `comparisons` are what `reproduction.tables.compare` gives, by what the two algorithms are called. The
    first one's error upwards, the second's to the right: below the diagonal the first errs less. Filled where
    the difference is significant. `limit` is the end of all axes, in percent, as in the thesis; moved if a
    point lies beyond.
    """
    highest = max((100 * (1 - t[["first", "second"]].min().min()) for t in comparisons.values()), default=0.0)
    limit = 5 * np.ceil(np.nanmax([limit, highest]) / 5)
    with drawing(330 if len(comparisons) > 1 else 560, wide=len(comparisons) > 1) as figure:
        panels = figure.subplots(1, len(comparisons), squeeze=False)[0]
        for axes, ((first, second), table) in zip(panels, comparisons.items(), strict=True):
            axes.plot([0, limit], [0, limit], color=GUIDE, linewidth=0.8, zorder=1)
            is_significant = table["mark"].isin(["better", "worse"])
            for part, fill in ((table[is_significant], "full"), (table[~is_significant], "none")):
                errors = 100 * (1 - part[["second", "first"]])
                axes.plot(errors["second"], errors["first"], "o", color=INK, fillstyle=fill)
            axes.set(xlim=(0, limit), ylim=(0, limit), aspect="equal")
            axes.set(xlabel=f"{second}: error (%)", ylabel=f"{first}: error (%)")
        points = [
            (100 * (1 - table[["second", "first"]].astype(float))).assign(x=np.nan, y=np.nan)
            for table in comparisons.values()
        ]
        name_outliers(figure, dict(zip(panels, points, strict=True)))
    numbers = pd.concat(dict(comparisons), names=["first", "second"])
    return Picture(figure, _text(comparisons), numbers)


def _text(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> str:
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
