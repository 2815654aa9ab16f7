"""The page "What the program of 2001 did": print beside our models and those of the program."""

import pandas as pd

from ..figures import GUIDE, INK, Picture, drawing, named_rows
from ..studies.statistics import JUDGED
from ..tables.layout import heading
from ..tables.printed import label
from .table import Table, legend, signed


def three_accuracies(ours: pd.DataFrame, theirs: pd.DataFrame, name: str) -> Picture:
    """Plot the single models of a table: printed, ours, and those of the program, called `name`.

    `ours` and `theirs` are cells of `Record`. A row for each data set that counts.
    """
    singles = ours[ours["verdict"].isin(JUDGED) & (ours.index.get_level_values("algorithm") == "single")]
    columns = {"printed": singles["printed"], "ours": singles["mean"], name: theirs["mean"][singles.index]}
    rows = pd.DataFrame(columns).droplevel("algorithm")
    looks: dict[str, dict] = {
        "ours": {"marker": "o", "color": GUIDE},
        name: {"marker": "D", "color": INK, "markersize": 5},
        "printed": {"marker": "s", "color": INK, "mfc": "none", "markersize": 9},
    }
    with drawing(110 + 23 * len(rows)) as figure:
        axes, places = figure.subplots(), range(len(rows))
        axes.hlines(places, rows["printed"], rows["ours"], color=GUIDE, linewidth=0.8, linestyle=":")
        for column, look in looks.items():
            axes.plot(rows[column], places, linewidth=0, label=column, **look)
        named_rows(axes, [label(str(dataset)) for dataset in rows.index], xlabel="fraction correct")
        figure.legend(loc="outside lower center", ncols=3)
    return Picture(figure, rows.rename(index=label).round(4).to_string(), rows)


def beside_the_program(ours: pd.DataFrame, theirs: pd.DataFrame, name: str, title: str) -> Table:
    """Lay out the printed cells that count: printed, ours with its verdict, the program's with its own.

    Accuracies have half of the 95 % interval of their difference from the printed one.
    """
    cells = ours[ours["verdict"].isin(JUDGED)]
    of_program = theirs.loc[cells.index]
    marks = pd.DataFrame({"printed": "", "ours": cells["verdict"], name: of_program["verdict"]})
    printed = [f"{value:.4f}" for value in cells["printed"]]
    texts = {"printed": printed, "ours": _with_interval(cells), name: _with_interval(of_program)}
    shown = pd.DataFrame(texts, cells.index)
    for source in marks:
        shown[source] = list(map(signed, shown[source], marks[source]))
    signs = legend(marks.to_numpy().ravel())
    return Table(f"{title} ({signs})", cells, _by_dataset(shown), _by_dataset(marks))


def _with_interval(cells: pd.DataFrame) -> list[str]:
    return [f"{mean:.4f} ± {half:.4f}" for mean, half in zip(cells["mean"], cells["half_width"], strict=True)]


def _by_dataset(columns: pd.DataFrame) -> pd.DataFrame:
    """A row for each data set, and the columns side by side for each algorithm."""
    parts = {
        heading(str(algorithm)): part.droplevel("algorithm")
        for algorithm, part in columns.groupby("algorithm", sort=False)
    }
    return pd.concat(parts, axis="columns").rename(index=label).rename_axis("Data set")
