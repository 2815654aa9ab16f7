"""Tables 3.8 to 3.11 and 4.7 to 4.12: running times beside those of a 600 MHz Pentium III."""

import math
from collections.abc import Callable

import pandas as pd

from oza.compare.table import Table

from ..tables import Record
from .table import side_by_side


def times_table(record: Record, table: str, with_work: bool = False) -> Table:
    """Lay out running times as in the thesis: ours, printed, and how many times faster.

    Parameters
    ----------
    record : Record
        Where the results are read.
    table : str
        Number of the thesis's table, such as "3.9".
    with_work : bool, default=False
        Whether to show how often base models learn and classify a training example.

    Returns
    -------
    Table
        Processor seconds, without verdicts: another machine, another program. Ours alone where
        the thesis's page is beyond the end of our copy. Its cells are those of
        `reproduction.tables.time_cells`.
    """
    cells = record.times(table)
    title = f"Table {table}: seconds to train and test{_of_runs(cells['n_runs'])}"
    texts: dict[str, Callable[[pd.Series], str]] = {"ours": lambda cell: _digits(cell["seconds"])}
    if not cells["printed"].isna().all():
        title += ", beside the printed ones"
        texts |= {
            "printed": lambda cell: "–" if math.isnan(cell["printed"]) else f"{cell['printed']:g}",
            "faster": lambda cell: _factor(cell["times_faster"]),
        }
    if with_work:
        title += ", and how often base models learn and classify a training example"
        texts |= {
            "learn": lambda cell: _three_digits(cell["updates"]),
            "classify": lambda cell: _three_digits(cell["classifications"]),
        }
    return side_by_side(title, cells, texts)


def _of_runs(n_runs: pd.Series) -> str:
    """Say of how many runs the times are the median."""
    least, most = n_runs[n_runs > 0].min(), n_runs.max()
    if not most:
        return ""
    if most == 1:
        return ", one run each"
    return f", median of {most} runs" if least == most else f", median of {least} to {most} runs"


def _digits(seconds: float) -> str:
    """Two significant digits: more would be noise."""
    if math.isnan(seconds):
        return "–"
    decimals = max(0, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 0
    return f"{seconds:.{decimals}f}"


def _three_digits(count: float) -> str:
    return "–" if math.isnan(count) else f"{count:.3g}" if count < 1000 else f"{count:.0f}"


def _factor(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}×" if math.isfinite(value) else "–"
