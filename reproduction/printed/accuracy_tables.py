"""Tables 3.3 to 3.7 and 4.1 to 4.6: accuracies of single models, batch and online ensembles."""

import math
from functools import partial

import pandas as pd

from ..studies.precision import HALF_WIDTH
from .accuracy import marks_against_online, marks_against_single
from .layout import PRINTED_ACCURACIES, heading, is_online
from .printed import label
from .record import Record
from .table import MARKS, Table, legend, side_by_side, stacked

_SIGNS = {mark: MARKS[mark] for mark in ("better", "worse")}  # beside a number, "unknown" needs none
_RUN = "Splits × orders"


def accuracy_table(record: Record, table: str) -> Table:
    """Lay out accuracies as in the thesis: ours with standard error over the printed one, with the verdict.

    ▲ and ▽ say significantly better and worse than the single model (Welch's t-test at 0.05), * significantly
    better than the batch or online counterpart; "illegible" is a printed cell that cannot be read. Ours alone
    where the thesis's page is beyond the end of our copy. The last column says how much was run.

    >>> accuracy_table(Record("smoke"), "3.4").shown.index.to_list()[:3]
    ['Promoters', 'Balance', 'Breast Cancer']
    """
    cells = record.accuracy(table)
    title = f"Table {table}: fraction correct ± standard error"
    if cells["printed"].isna().all():
        found = side_by_side(title, cells, {"ours": _ours})
    else:
        signs = legend(cells["verdict"])
        title += f", below it the printed value{signs and f' ({signs})'}"
        both = {"ours": lambda cell: stacked(_ours(cell), _printed(cell))}
        found = side_by_side(title, cells, both, judged="ours")
    found.shown[_RUN] = [_runs(cells.loc[name]) for name in cells.index.unique("dataset")]
    found.verdicts[_RUN] = ""
    return found


def _runs(row: pd.DataFrame) -> str:
    """Say how much of a data set was run; a range where it is not the same for all columns."""
    run = row[row["n_splits"] > 0]
    if run.empty:
        return "–"
    online = run.loc[[is_online(column) for column in run.index], "n_orders"]
    return f"{_range(run['n_splits'])} × {_range(online) if len(online) else 1}"


def _range(numbers: pd.Series) -> str:
    least, most = numbers.min(), numbers.max()
    return f"{least}" if least == most else f"{least}–{most}"


def coverage(cells: pd.DataFrame) -> str:
    """Say how much of the thesis's protocol stands behind the cells of a table."""
    run = cells[cells["n_splits"] > 0]
    part = run.loc[~run["enough"]].index.unique("dataset")
    enough = run.loc[~run["complete"]].index.unique("dataset").difference(part, sort=False)
    missing = cells.index.unique("dataset").difference(run.index.unique("dataset"), sort=False)
    n_datasets = run.index.unique("dataset").size
    n_complete = n_datasets - len(part) - len(enough)
    text = f"{n_complete} of {n_datasets} data sets have all splits and orders of the protocol."
    interval = f"95% intervals were ± {HALF_WIDTH:g}"
    by_rule = f"The following were run until their {interval}, as estimated from a few trial runs:"
    groups = {by_rule: enough, "The following have fewer:": part, "There are no results for": missing}
    for what, names in groups.items():
        text += f" {what} {', '.join(map(label, names))}." if len(names) else ""
    return text


def _ours(cell: dict) -> str:
    if math.isnan(cell["mean"]):
        return "–"
    error = "" if math.isnan(cell["standard_error"]) else f" ± {cell['standard_error']:.4f}"
    return f"{cell['mean']:.4f}{error}{_SIGNS.get(cell['welch'], '')}{'*' if cell['star'] else ''}"


def _printed(cell: dict) -> str:
    sign = _SIGNS.get(cell["printed_mark"], "") + ("*" if cell["printed_star"] else "")
    if math.isnan(cell["printed"]):
        return f"illegible{sign}" if cell["is_printed"] else ""
    return f"{cell['printed']:.4f}{sign}"


def significance_table(record: Record, table: str) -> Table:
    """Compare three t-tests at 0.05 against the single model with the thesis's marks.

    For each ensemble what Welch's test (the thesis's kind), the paired test over splits and the corrected
    resampled test find (▲ better, ▽ worse, nothing for no difference), and what is printed, with the verdict
    whether Welch's test agrees with that.
    """
    marks = marks_against_single(record.accuracy(table))
    return _table_of_marks("differences from the single model", marks, table)


def batch_online_table(record: Record, table: str) -> Table:
    """Compare three t-tests at 0.05 of batch against online learning with the thesis's stars.

    For each algorithm that is there in both modes: whether batch is better (▲) or worse (▽) than online by
    Welch's test, the paired and the corrected one; and what is printed (a star marks the better of the two),
    with the verdict whether Welch's test agrees with that.
    """
    marks = marks_against_online(record.accuracy(table))
    return _table_of_marks("differences between batch and online", marks, table)


def differing_marks(marks: Table) -> str:
    """Say which marks of a `significance_table` or `batch_online_table` are not the printed ones."""
    cells = marks.cells
    n_compared = cells["verdict"].isin(["agrees", "differs"]).sum()
    descriptions = [
        f"{heading(mark['algorithm']).lower()} on {label(mark['dataset'])} (printed: {mark['printed_mark']}; "
        f"by Welch's test: {mark['welch']}; by the paired test: {mark['paired']})"
        for mark in cells[cells["verdict"] == "differs"].reset_index().to_dict("records")
    ]
    listing = ": " + " and ".join(descriptions) if descriptions else ""
    differ = {0: "none differ", 1: "1 differs"}.get(len(descriptions), f"{len(descriptions)} differ")
    return f"Of {n_compared} marks that can be compared, {differ} from the printed ones{listing}."


def _table_of_marks(what: str, marks: pd.DataFrame, table: str) -> Table:
    headings = {"welch": "Welch", "paired": "paired", "corrected": "corrected"}
    title = f"Significance in Table {table}: {what}, tested at the 0.05 level; ▲ better, ▽ worse, – not known"
    if table in PRINTED_ACCURACIES:
        headings["printed_mark"] = "printed"
        signs = legend(marks["verdict"])
        title += signs and f"; Welch's test beside the printed mark: {signs}"
    texts = {name: partial(_mark, column=column) for column, name in headings.items()}
    return side_by_side(title, marks, texts, judged="printed")


def _mark(cell: dict, column: str) -> str:
    return MARKS.get(cell[column], "")
