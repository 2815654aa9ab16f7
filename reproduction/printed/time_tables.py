"""Tables 3.8 to 3.11 and 4.7 to 4.12: running times beside those of a 600 MHz Pentium III."""

import math
from collections.abc import Callable
from typing import Any

import pandas as pd

from .record import Record
from .table import Table, side_by_side, stacked


def times_table(record: Record, table: str, with_work: bool = False) -> Table:
    """Lay out running times as in the thesis: ours, printed, and how many times as fast.

    Processor seconds, ours over the printed ones, without verdicts: another machine, another program. Ours
    alone where the thesis's page is beyond the end of our copy. With work, how often base models learn and
    classify a training example.
    """
    cells = record.times(table)
    title = f"Table {table}: seconds to train and test{_of_runs(cells['n_runs'])}"
    lines: list[Callable[[Any], str]] = [lambda cell: _digits(cell["seconds"])]
    if not cells["printed"].isna().all():
        title += "; below them, the printed ones, and in brackets how many times as fast ours are"
        lines.append(_printed)
    if with_work:
        title += ", and how often base models learn from + classify a training example"
        lines.append(_work)
    return side_by_side(title, cells, {"ours": lambda cell: stacked(*(line(cell) for line in lines))})


def _of_runs(n_runs: pd.Series) -> str:
    least, most = n_runs[n_runs > 0].min(), n_runs.max()
    if not most:
        return ""
    if most == 1:
        return ", one run each"
    return f", median of {most} runs" if least == most else f", median of {least} to {most} runs"


def _printed(cell: dict) -> str:
    if math.isnan(cell["printed"]):
        return ""
    factor = float(f"{cell['times_faster']:.2g}")
    return f"{cell['printed']:g}" + (f" ({factor:g}×)" if math.isfinite(factor) else "")


def _work(cell: dict) -> str:
    if math.isnan(cell["updates"]):
        return ""
    return f"{_three_digits(cell['updates'])} + {_three_digits(cell['classifications'])}"


def _digits(seconds: float) -> str:
    """Two significant digits: more would be noise."""
    if math.isnan(seconds):
        return "–"
    decimals = max(0, 1 - math.floor(math.log10(seconds))) if seconds > 0 else 0
    return f"{seconds:.{decimals}f}"


def _three_digits(count: float) -> str:
    return f"{count:.3g}" if count < 1000 else f"{count:.0f}"
