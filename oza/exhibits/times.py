"""Tables 3.8 to 3.11 and 4.7 to 4.12: running times beside those of a 600 MHz Pentium III."""

import math

import pandas as pd

from ..datasets import list_datasets
from ._layout import columns_of, layout
from ._printed import cells_of
from ._table import Table, side_by_side


def time_cells(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Give every number of a table of times: median over the repeats, training and testing together.

    Parameters
    ----------
    results : DataFrame
        Rows of a timing study, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.9".

    Returns
    -------
    DataFrame
        Indexed by data set (order of Table 3.1) and algorithm: `seconds`, `printed` and
        `times_faster`, their ratio.
    """
    theirs = cells_of("running_times", table)["seconds"]
    rows = columns_of(results, table)
    taken = rows.assign(seconds=rows["train_seconds"] + rows["test_seconds"])
    ours = taken.groupby(["dataset", "algorithm"])["seconds"].median()
    known = ours.index.union(theirs.index)
    names = [name for name in list_datasets() if name in known.get_level_values("dataset")]
    index = pd.MultiIndex.from_product([names, layout(table).columns], names=["dataset", "algorithm"])
    cells = pd.DataFrame({"seconds": ours.reindex(index), "printed": theirs.reindex(index)})
    return cells.assign(times_faster=cells["printed"] / cells["seconds"])


def times_table(results: pd.DataFrame, table: str) -> Table:
    """Lay out running times as in the thesis: ours, printed, and how many times faster.

    Parameters
    ----------
    results : DataFrame
        Rows of a timing study, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.9".

    Returns
    -------
    Table
        Processor seconds, without verdicts: another machine, another program. Ours alone where
        the thesis's page is lost.
    """
    cells = time_cells(results, table)
    title = f"Table {table}: seconds to train and test"
    if cells["printed"].isna().all():
        return side_by_side(title, cells, {"ours": lambda cell: _digits(cell["seconds"])})
    texts = {
        "ours": lambda cell: _digits(cell["seconds"]),
        "printed": lambda cell: "–" if math.isnan(cell["printed"]) else f"{cell['printed']:g}",
        "faster": lambda cell: _factor(cell["times_faster"]),
    }
    return side_by_side(f"{title}, beside the printed ones", cells, texts)


def _digits(seconds: float) -> str:
    """Two significant digits: more would be noise."""
    if math.isnan(seconds):
        return "–"
    decimals = max(0, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 0
    return f"{seconds:.{decimals}f}"


def _factor(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}×" if math.isfinite(value) else "–"
