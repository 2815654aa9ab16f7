"""The page "What the program of 2001 did": print beside our models and those of the program."""

import pandas as pd

from ..printed.layout import heading
from ..printed.printed import label
from ..printed.table import Table, legend, signed
from ..statistics import JUDGED


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
