"""Dot plots of the differences in Figures 2.10 to 2.19, 3.4 to 3.10, 4.6 to 4.20, KDD 3, 4 and 7."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from oza.datasets import list_datasets

from ..figures import BAGGING, BAND, BOOSTING, GUIDE, INK, LINES, PRIMED, Picture, named_rows, paneled
from ..statistics import MARGIN, outcomes
from .layout import heading, layout, scatter
from .printed import label
from .record import Record
from .scatter import PANELS

_FAR = 12.0  # points, from which on the axis is logarithmic outside ±2
_COLUMNS = ["difference", "half_width", "mark", "excluded", "printed"]


def difference_dots(record: Record, figure: str) -> Picture:
    """Plot on each data set how much more accurate one algorithm of a figure is than the other.

    A row for each data set, small ones above, and the difference in percentage points: ours filled with its
    95 % interval, a ring if it is significant, the printed one hollow. The band is the margin of equality.
    The figure is one of `error_scatter`.

    >>> difference_dots(Record("smoke"), "3.5").cells.columns.to_list()
    ['difference', 'half_width', 'mark', 'excluded', 'printed']
    """
    tables, x, y, _ = scatter(figure)
    parts = {
        PANELS[layout(table).base_model] if len(tables) > 1 else "": _rows(record, table, y, x)
        for table in tables
    }
    names = f"{heading(y)} − {heading(x).lower()}"
    color = LINES[y.removesuffix("_10")][0]
    height = 160 + 23 * max(map(len, parts.values()), default=0)
    with paneled(parts, height, phone=len(parts), sharex=True) as (drawn, grid):
        for axes, title, rows in grid:
            _panel(axes, [(rows, color, "-")])
            text = f"{title}: {names[0].lower() + names[1:]}" if title else names
            axes.set_title("\n".join(textwrap.fill(line, 40) for line in (text, _message(rows))), loc="left")
            _points_axis(axes, parts.values())
        handles = _legend(parts.values(), color)
        drawn.legend(handles=handles, loc="outside lower center", ncols=2 * len(parts))
    texts = [f"{title}. " * bool(title) + _text(part, names) for title, part in parts.items()]
    cells = pd.concat(parts) if len(tables) > 1 else parts[""]
    return Picture(drawn, "\n\n".join(texts), cells)


def comparison_dots(comparisons: Mapping[tuple[str, str], pd.DataFrame]) -> Picture:
    """Plot on each data set how much more accurate some algorithms are than others, in one panel.

    The difference is the first algorithm minus the second, as in `difference_dots`. The interval of a batch
    algorithm is dashed, that of a primed one dotted.
    """
    pairs = {
        f"{first} − {second}": _in_points(table.assign(printed=np.nan))
        for (first, second), table in comparisons.items()
    }
    looks = [_look(first) for first, _ in comparisons]
    n_rows = len({name for rows in pairs.values() for name in rows.index})
    height = 120 + 40 * len(pairs) + (12 + 14 * len(pairs)) * n_rows
    with paneled({"": pairs}, height, phone=1) as (figure, ((axes, *_),)):
        _panel(axes, [(rows, *look) for rows, look in zip(pairs.values(), looks, strict=True)])
        _points_axis(axes, pairs.values())
        messages = [textwrap.fill(f"{text}: {_message(rows)}", 50) for text, rows in pairs.items()]
        handles = [
            Line2D([], [], color=color, linestyle=dashes, marker="o", label=text)
            for text, (color, dashes) in zip(messages, looks, strict=True)
        ]
        figure.legend(handles=handles, loc="outside upper center")
        figure.legend(handles=_legend(pairs.values()), loc="outside lower center", ncols=2)
    texts = [_text(part, text) for text, part in pairs.items()]
    return Picture(figure, "\n\n".join(texts), pd.concat(pairs))


def _look(name: str) -> tuple[str, Any]:
    color = PRIMED if "primed" in name else BAGGING if "bagging" in name else BOOSTING
    return color, ":" if "primed" in name else "-" if "online" in name else "--"


def _rows(record: Record, table: str, first: str, second: str) -> pd.DataFrame:
    """Differences in percentage points, ours and printed, by data set in the order of their sizes."""
    found = record.compare(table, first, second)
    printed = record.accuracy(table)["printed"].unstack("algorithm", sort=False)
    theirs = printed.get(first, np.nan) - printed.get(second, np.nan)
    names = [name for name in list_datasets() if name in found.index or name in printed.index]
    both = found.reindex(names).assign(printed=theirs)
    return _in_points(both[both["difference"].notna() | both["printed"].notna()])


def _in_points(rows: pd.DataFrame) -> pd.DataFrame:
    points = ["difference", "half_width", "printed"]
    return rows[_COLUMNS].assign(**{name: 100 * rows[name].astype(float) for name in points})


def _message(rows: pd.DataFrame) -> str:
    """Say on how many data sets the difference is what; those excluded are not counted."""
    counted = rows[rows["difference"].notna() & ~rows["excluded"].isin([True])]
    found = outcomes(counted[["difference", "half_width"]] / 100).value_counts()
    words = {"equal": "equal", "better": "more accurate", "worse": "less accurate", "undecided": "undecided"}
    said = ", ".join(f"{text} on {found[what]}" for what, text in words.items() if what in found)
    return f"{said} of {len(counted)} data sets" if said else "no results yet"


def _panel(axes: Any, pairs: Sequence[tuple[pd.DataFrame, str, str]]) -> None:
    """Draw a row for each data set, its name in brackets if it is not counted.

    Of each pair of algorithms ours with intervals and rings, and printed ones joined to ours.
    """
    everything = pd.concat([rows for rows, *_ in pairs])
    excluded = set(everything.index[everything["excluded"] == 1])
    names = [name for name in list_datasets() if name in everything.index]
    texts = [
        label(name).replace("Forest Covertype, first 20,000 rows", "Covertype, a part") for name in names
    ]
    texts = [f"({text})" if name in excluded else text for name, text in zip(names, texts, strict=True)]
    named_rows(axes, texts, 100 * MARGIN)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    if not names:
        axes.text(0.5, 0.5, "no results yet", ha="center", transform=axes.transAxes)
    for i, (rows, color, dashes) in enumerate(pairs):
        at = np.array([names.index(name) for name in rows.index], float)
        at += 0.5 * ((i + 0.5) / len(pairs) - 0.5)
        ours, half_width, printed = rows[["difference", "half_width", "printed"]].to_numpy(float).T
        axes.hlines(at, ours, printed, color=GUIDE, linewidth=0.8, linestyle=":", zorder=2)
        bars = axes.errorbar(ours, at, xerr=half_width, fmt="o", color=color, linewidth=1.6)
        bars[2][0].set_linestyle(dashes)
        is_marked = rows["mark"].isin(["better", "worse"]).to_numpy()
        axes.plot(ours[is_marked], at[is_marked], "o", mfc="none", mec=INK, markersize=10)
        axes.plot(printed, at, "s", mfc="none", mec=INK, markersize=6)


def _points_axis(axes: Any, parts: Iterable[pd.DataFrame]) -> None:
    """Name the axis of differences, which is logarithmic outside ±2 points if one of them is far away."""
    values = pd.concat(parts)[["difference", "printed"]].astype(float).abs().to_numpy()
    is_far = np.nanmax(values, initial=0.0) > _FAR
    axes.set_xlabel("percentage points" + ", logarithmic beyond ±2" * bool(is_far))
    if is_far:
        axes.set_xscale("symlog", linthresh=2, linscale=0.6)
        low, high = axes.get_xlim()
        ticks = [tick for tick in (-40, -15, -5, -2, 0, 2, 5, 15, 40) if low <= tick <= high]
        axes.set_xticks(ticks, [f"{tick:+d}".replace("-", "−") if tick else "0" for tick in ticks])
        axes.minorticks_off()


def _legend(parts: Iterable[pd.DataFrame], color: str = "") -> list[Any]:
    """Handles for what occurs in a plot; without a colour, none for the dots."""
    everything = pd.concat(parts)
    mark: Any = {"color": INK, "mfc": "none", "linewidth": 0}
    dot = Line2D([], [], color=color or INK, marker="o", linewidth=1.6, label="ours, 95% interval")
    ring = Line2D([], [], marker="o", markersize=10, label="significant", **mark)
    square = Line2D([], [], marker="s", markersize=6, label="printed", **mark)
    band = Patch(facecolor=BAND, label=f"within ±{100 * MARGIN:g} point")
    occurs: Any = {dot: color, ring: everything["mark"].isin(["better", "worse"]).any()}
    occurs |= {square: everything["printed"].notna().any(), band: True}
    return [handle for handle, is_there in occurs.items() if is_there]


def _text(rows: pd.DataFrame, names: str) -> str:
    numbers = rows[["difference", "half_width", "printed"]].astype(float).round(1) + 0.0
    numbers = numbers.dropna(axis="columns", how="all").rename(index=label).rename_axis("Data set")
    return (
        f"{names}, difference of accuracies in percentage points: {_message(rows)}.\n"
        f"{numbers.rename(columns={'half_width': '±'}).to_string(na_rep='–')}"
    )
