"""Running times and counts of work, beside the printed times (Tables 3.8 to 3.11 and 4.7 to 4.12)."""

import pandas as pd

from oza.datasets import list_datasets

from ..studies.times import check_one_sitting
from .layout import columns_of, layout
from .printed import cells_of


def time_cells(results: pd.DataFrame, table: str, work: pd.DataFrame) -> pd.DataFrame:
    """Give every number of a table of times: median over the repeats, training and testing together.

    `seconds`, `n_runs` of which they are the median, `printed` and `times_faster`, their ratio. From `work`,
    the rows of this study, come `updates` and `classifications` for each training example, and `operations`,
    both together.
    """
    theirs = cells_of("running_times", table)["seconds"]
    rows = columns_of(results, table)
    check_one_sitting(rows, f"Table {table}")
    taken = rows.assign(seconds=rows["train_seconds"] + rows["test_seconds"])
    ours = taken.groupby(["dataset", "algorithm"])["seconds"].agg(["median", "size"])
    known = ours.index.union(theirs.index)
    names = [name for name in list_datasets() if name in known.get_level_values("dataset")]
    index = pd.MultiIndex.from_product([names, layout(table).columns], names=["dataset", "algorithm"])
    seconds, n_runs = (ours[name].reindex(index) for name in ("median", "size"))
    cells = pd.DataFrame({"seconds": seconds, "n_runs": n_runs.fillna(0).astype(int)})
    cells = cells.assign(printed=theirs.reindex(index))
    cells = cells.assign(times_faster=cells["printed"] / cells["seconds"])
    counts = columns_of(work, table).set_index(["dataset", "algorithm"])
    each = counts[["updates", "classifications"]].div(counts["n_train"], axis="index").reindex(index)
    return cells.join(each.assign(operations=each.sum(axis="columns", skipna=False)))


def costs_by_size(times: pd.DataFrame, work: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Set the work of learning the first so many examples beside the time that it takes.

    "updates" and "operations" (updates and classifications together) of all base models, and the median
    "seconds": a row for each data set and number of training examples, an algorithm a column.
    """
    counts = work.assign(operations=work["updates"] + work["classifications"])
    cell = ["dataset", "n_train", "algorithm"]
    return {
        name: counts.set_index(cell)[name].unstack("algorithm", sort=False).rename_axis(columns=None)
        for name in ("updates", "operations")
    } | {"seconds": time_medians(times)}


def time_medians(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the median seconds by data set and number of training examples, an algorithm a column."""
    check_one_sitting(rows, "Training times by size")
    found = rows.groupby(["dataset", "n_train", "algorithm"], sort=False)["seconds"].median()
    return found.unstack("algorithm", sort=False).rename_axis(columns=None)
