"""Dot plots of the differences in Figures 2.10 to 2.19, 3.4 to 3.10, 4.6 to 4.20, KDD 3, 4 and 7."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from oza.datasets import list_datasets

from ..figures import BAGGING, BAND, BOOSTING, GUIDE, INK, LINES, PHONE, PRIMED, Picture, drawing
from ..studies.statistics import MARGIN, outcome
from ..tables import Record, layout, scatter
from ..tables.layout import heading
from ..tables.printed import label
from .scatter import PANELS

_FAR = 12.0  # points, from which on the axis is logarithmic outside ±2
_NO_ROWS = pd.DataFrame(columns=["difference", "half_width", "mark", "excluded", "printed"], dtype=float)


def difference_dots(record: Record, figure: str) -> Picture:
    """Plot on each data set how much more accurate one algorithm of a figure is than the other.

    A row for each data set, small ones above, and the difference in percentage points: ours filled with its
    95 % interval, a ring if it is significant, the printed one hollow. The band is the margin of equality.
    The figure is one of `error_scatter`.

    >>> difference_dots(Record("smoke"), "3.5").cells.columns.to_list()
    ['difference', 'half_width', 'mark', 'excluded', 'printed']
    """
    tables, x, y, _ = scatter(figure)
    panels = {
        PANELS[layout(table).base_model] if len(tables) > 1 else "": _rows(record, table, y, x)
        for table in tables
    }
    names = f"{heading(y)} − {heading(x).lower()}"
    titles = {f"{title}: {names[0].lower() + names[1:]}" if title else names: title for title in panels}
    drawn = _draw({text: panels[title] for text, title in titles.items()}, LINES[y.removesuffix("_10")][0])
    texts = [f"{title}. " * bool(title) + _text(part, names) for title, part in panels.items()]
    cells = pd.concat(panels) if len(tables) > 1 else panels[""]
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
    names = [name for name in list_datasets() if any(name in rows.index for rows in pairs.values())]
    looks = [_look(first) for first, _ in comparisons]
    with drawing(120 + 40 * len(pairs) + (12 + 14 * len(pairs)) * len(names), phone=True) as figure:
        axes = figure.subplots()
        _ground(axes, names, {name for rows in pairs.values() for name in rows.index[rows["excluded"] == 1]})
        for i, (rows, look) in enumerate(zip(pairs.values(), looks, strict=True)):
            shift = 0.5 * ((i + 0.5) / len(pairs) - 0.5) * (len(pairs) > 1)
            _dots(axes, rows, [names.index(name) + shift for name in rows.index], *look)
        _points_axis(axes, pairs)
        messages = [textwrap.fill(f"{text}: {_message(rows)}", 50) for text, rows in pairs.items()]
        handles = [
            Line2D([], [], color=color, linestyle=dashes, marker="o", label=text)
            for text, (color, dashes) in zip(messages, looks, strict=True)
        ]
        figure.legend(handles=handles, loc="outside upper center")
        figure.legend(handles=_legend(pairs, None), loc="outside lower center", ncols=2)
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
    if rows.empty:
        return _NO_ROWS
    points = ["difference", "half_width", "printed"]
    return rows[list(_NO_ROWS)].assign(**{name: 100 * rows[name].astype(float) for name in points})


def _counts(rows: pd.DataFrame) -> dict[str, int]:
    """Count on how many data sets the difference is what; those excluded are not counted."""
    counted = rows[rows["difference"].notna() & ~rows["excluded"].isin([True])]
    found = {"equal": 0, "better": 0, "worse": 0, "undecided": 0}
    for difference, half_width in zip(counted["difference"], counted["half_width"], strict=True):
        found[outcome(difference / 100, half_width / 100)] += 1
    return found


def _message(rows: pd.DataFrame) -> str:
    found = _counts(rows)
    words = {"equal": "equal", "better": "more accurate", "worse": "less accurate", "undecided": "undecided"}
    said = ", ".join(f"{words[what]} on {n}" for what, n in found.items() if n)
    return f"{said} of {sum(found.values())} data sets" if said else "no results yet"


def _draw(panels: Mapping[str, pd.DataFrame], color: str) -> Figure:
    longest = max(map(len, panels.values()), default=0)
    with drawing(160 + 23 * longest) as figure:
        figure.set_figwidth(PHONE / 96 * len(panels))
        grid = figure.subplots(1, len(panels), squeeze=False, sharex=True).ravel()
        for axes, (names, rows) in zip(grid, panels.items(), strict=True):
            _ground(axes, list(rows.index), set(rows.index[rows["excluded"] == 1]))
            _dots(axes, rows, range(len(rows)), color, "-")
            axes.set_title("\n".join(textwrap.fill(text, 40) for text in (names, _message(rows))), loc="left")
            _points_axis(axes, panels)
        figure.legend(handles=_legend(panels, color), loc="outside lower center", ncols=2 * len(panels))
    return figure


def _ground(axes: Any, names: Sequence[Any], excluded: set[Any]) -> None:
    """Draw the band of equality, and name the rows: in brackets what is not counted."""
    axes.axvspan(-100 * MARGIN, 100 * MARGIN, color=BAND, zorder=0)
    axes.axvline(0, color=GUIDE, linewidth=1, zorder=1)
    shown = [
        label(str(name)).replace("Forest Covertype, first 20,000 rows", "Covertype, a part") for name in names
    ]
    texts = [f"({text})" if name in excluded else text for name, text in zip(names, shown, strict=True)]
    axes.set_yticks(range(len(names)), texts)
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    if not names:
        axes.text(0.5, 0.5, "no results yet", ha="center", transform=axes.transAxes)


def _dots(axes: Any, rows: pd.DataFrame, places: Sequence[float], color: str, dashes: str) -> None:
    """Draw ours with intervals and rings, and printed ones joined to ours."""
    at = np.array(places, float)
    ours, printed = rows["difference"].to_numpy(float), rows["printed"].to_numpy(float)
    axes.hlines(at, ours, printed, color=GUIDE, linewidth=0.8, linestyle=":", zorder=2)
    bars = axes.errorbar(
        ours, at, xerr=rows["half_width"].to_numpy(float), fmt="o", color=color, linewidth=1.6
    )
    bars[2][0].set_linestyle(dashes)
    is_marked = rows["mark"].isin(["better", "worse"]).to_numpy()
    axes.plot(ours[is_marked], at[is_marked], "o", mfc="none", mec=INK, markersize=10)
    axes.plot(printed, at, "s", mfc="none", mec=INK, markersize=6)


def _points_axis(axes: Any, panels: Mapping[str, pd.DataFrame]) -> None:
    """Name the axis of differences, which is logarithmic outside ±2 points if one of them is far away."""
    values = pd.concat(panels)[["difference", "printed"]].astype(float).abs().to_numpy()
    is_far = np.nanmax(values, initial=0.0) > _FAR
    axes.set_xlabel("percentage points" + ", logarithmic beyond ±2" * bool(is_far))
    if is_far:
        axes.set_xscale("symlog", linthresh=2, linscale=0.6)
        low, high = axes.get_xlim()
        ticks = [tick for tick in (-40, -15, -5, -2, 0, 2, 5, 15, 40) if low <= tick <= high]
        axes.set_xticks(ticks, [f"{tick:+d}".replace("-", "−") if tick else "0" for tick in ticks])
        axes.minorticks_off()


def _legend(panels: Mapping[str, pd.DataFrame], color: str | None) -> list[Any]:
    """Handles for what occurs in a plot; without a colour, none for the dots."""
    everything = pd.concat(panels)
    handles: list[Any] = []
    if color:
        handles.append(Line2D([], [], color=color, marker="o", linewidth=1.6, label="ours, 95 % interval"))
    if everything["mark"].isin(["better", "worse"]).any():
        ring: Any = {"color": INK, "marker": "o", "mfc": "none", "markersize": 10, "linewidth": 0}
        handles.append(Line2D([], [], label="significant", **ring))
    if everything["printed"].notna().any():
        square: Any = {"color": INK, "marker": "s", "mfc": "none", "markersize": 6, "linewidth": 0}
        handles.append(Line2D([], [], label="printed", **square))
    handles.append(Patch(facecolor=BAND, label=f"within ±{100 * MARGIN:g} point"))
    return handles


def _text(rows: pd.DataFrame, names: str) -> str:
    numbers = rows[["difference", "half_width", "printed"]].astype(float).round(1) + 0.0
    numbers = numbers.dropna(axis="columns", how="all").rename(index=label).rename_axis("Data set")
    return (
        f"{names}, difference of accuracies in percentage points: {_message(rows)}.\n"
        f"{numbers.rename(columns={'half_width': '±'}).to_string(na_rep='–')}"
    )
