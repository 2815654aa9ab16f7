"""Tables 3.8 to 3.10: running times beside those of a 600 MHz Pentium III."""

import math

import pandas as pd

from ..datasets import list_datasets
from ._printed import cells_of, label
from ._table import Table

_HEADINGS = {"single": "Single", "bagging": "Bagging", "online_bagging": "Online bagging"}


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
    taken = results.assign(seconds=results["train_seconds"] + results["test_seconds"])
    ours = taken.groupby(["dataset", "algorithm"])["seconds"].median()
    known = ours.index.union(theirs.index)
    names = [name for name in list_datasets() if name in known.get_level_values("dataset")]
    index = pd.MultiIndex.from_product([names, list(_HEADINGS)], names=["dataset", "algorithm"])
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
        Processor seconds, without verdicts: another machine, another program.
    """
    cells = time_cells(results, table)
    columns = {}
    for algorithm, heading in _HEADINGS.items():
        part = cells.xs(algorithm, level="algorithm")
        columns[heading, "ours"] = [_digits(value) for value in part["seconds"]]
        columns[heading, "printed"] = [
            "–" if math.isnan(value) else f"{value:g}" for value in part["printed"]
        ]
        columns[heading, "faster"] = [_factor(value) for value in part["times_faster"]]
    names = cells.index.get_level_values("dataset").unique()
    shown = pd.DataFrame(columns, pd.Index([label(name) for name in names], name="Data set"))
    title = f"Table {table}: seconds to train and test, beside the printed ones"
    return Table(title, cells, shown, pd.DataFrame("", shown.index, shown.columns))


def _digits(seconds: float) -> str:
    """Two significant digits: more would be noise."""
    if math.isnan(seconds):
        return "–"
    decimals = max(0, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 0
    return f"{seconds:.{decimals}f}"


def _factor(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}×" if math.isfinite(value) else "–"
