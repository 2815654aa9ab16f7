"""Tables 3.3 to 3.7 and 4.1 to 4.6: accuracies of single models, batch and online ensembles."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..datasets import dataset_info, list_datasets
from ..experiments.precision import HALF_WIDTH
from ..experiments.statistics import (
    Contrast,
    contrast,
    corrected_resampled,
    mark,
    paired,
    split_accuracies,
    standard_error,
    verdict,
)
from ..experiments.study import fewer_repetitions
from ._layout import TEN, column_of, columns_of, counterpart, heading, is_online, layout, reference
from ._printed import APART, cells_of, label
from ._table import Table, side_by_side

_SIGNS = {"better": "▲", "worse": "▽"}

#: Splits and orders of the whole protocol (thesis section 3.5.1): five-fold, or of a supplied split.
_SPLITS = {"five-fold": 50, "supplied": 10}
_ORDERS = 5
_TESTS = ("welch", "paired", "corrected")
_OF_SINGLE, _OF_OTHER = (
    [f"{beside}_{field}" for field in Contrast._fields] for beside in ("single", "other")
)
_CELL = [
    *("mean", "standard_error", "n_train", "n_splits", "n_orders"),
    *_TESTS,
    "star",
    *_OF_SINGLE,
    *_OF_OTHER,
    *("printed", "printed_mark", "printed_star", "verdict"),
]
_RUN = ("Splits × orders", "")


def accuracy_cells(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Give every number of a table of accuracies, ours and printed.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them; networks of one and of ten updates
        count as one base model.
    table : str
        Number of the thesis's table, such as "3.4"; "2.4" for all that is drawn in section 2.4.

    Returns
    -------
    DataFrame
        Indexed by data set (order of Table 3.1) and algorithm (`_10` appended for networks of ten
        updates), with the columns

        mean, standard_error, n_train
            Our accuracy over splits, orders averaged, and the mean number of training examples;
            NaN if there is no result.
        n_splits, n_orders
            How many of them there are; 0 if there is no result.
        complete
            Whether these are all of the thesis's protocol.
        enough
            Whether they are at least as many as `oza.experiments.precision` asks for where the whole
            protocol takes long.
        welch, paired, corrected
            "better", "worse" or "none": against the single model, by three t-tests at 0.05.
        star
            Significantly better than the batch or online counterpart (Welch).
        single_difference, …, other_difference, …
            The fields of a `Contrast` with the single model, and with the batch or online counterpart.
        printed, printed_mark, printed_star
            The same as printed.
        verdict
            On the mean: "agrees", "differs", "no printed value", "not run" or "apart".

    Raises
    ------
    ValueError
        If there is no such table, or the results are not of its base model.
    """
    rows = columns_of(results, table)
    columns = layout(table).columns
    printed: dict[Any, Any] = cells_of("accuracy", table).to_dict("index")
    n_orders = rows.groupby(["dataset", "algorithm"])["order"].nunique()
    ours = _by_cell(rows)
    names = [
        name for name in list_datasets() if any((name, a) in ours or (name, a) in printed for a in columns)
    ]
    cells = [
        _cell(name, algorithm, ours, printed, columns) | {"n_orders": int(n_orders.get((name, algorithm), 0))}
        for name in names
        for algorithm in columns
    ]
    index = pd.MultiIndex.from_product([names, columns], names=["dataset", "algorithm"])
    frame = pd.DataFrame(cells, index, columns=_CELL)
    frame["complete"] = [
        n_splits >= _SPLITS[dataset_info(name).split] and n_orders >= (_ORDERS if is_online(column) else 1)
        for (name, column), n_splits, n_orders in zip(
            index, frame["n_splits"], frame["n_orders"], strict=True
        )
    ]
    needed = _splits_needed(layout(table).base_model)
    has_enough = [n_splits >= needed.get(cell, math.inf) for cell, n_splits in frame["n_splits"].items()]
    frame["enough"] = frame["complete"] | np.array(has_enough, dtype=bool)
    return frame


def _splits_needed(base_model: str) -> dict[Any, int]:
    """Splits of the cells that are not run in full, by data set and column."""
    return {
        (dataset, column_of(own, algorithm)): repetitions * (_SPLITS[dataset_info(dataset).split] // 10)
        for (_, dataset, own, algorithm), repetitions in fewer_repetitions().items()
        if own.removesuffix(TEN) == base_model
    }


def _by_cell(rows: pd.DataFrame) -> dict[Any, pd.DataFrame]:
    """Accuracies on the splits, by data set and algorithm."""
    splits = split_accuracies(rows).droplevel("base_model")
    groups = splits.groupby(["dataset", "algorithm"])
    return {key: group.droplevel(["dataset", "algorithm"]) for key, group in groups}


def _cell(dataset: str, algorithm: str, ours: dict, theirs: dict, columns: tuple[str, ...]) -> dict[str, Any]:
    mine = ours.get((dataset, algorithm))
    cell: dict[str, Any] = {
        "mean": math.nan if mine is None else mine["accuracy"].mean(),
        "standard_error": math.nan if mine is None else standard_error(mine["accuracy"].to_numpy()),
        "n_train": math.nan if mine is None else mine["n_train"].mean(),
        "n_splits": 0 if mine is None else len(mine),
    }
    single = ours.get((dataset, reference(algorithm, columns)))
    other = ours.get((dataset, counterpart(algorithm, columns)))
    beside_other = _contrast(mine, other)
    cell |= _against(mine, single) | {"star": beside_other.mark == "better"}
    cell |= dict(zip(_OF_SINGLE, _contrast(mine, single), strict=True))
    cell |= dict(zip(_OF_OTHER, beside_other, strict=True))
    printed = theirs.get((dataset, algorithm), {})
    cell |= {
        "printed": printed.get("value", math.nan),
        "printed_mark": printed.get("significance_vs_single", "unknown"),
        "printed_star": bool(printed.get("star", False)),
    }
    cell["verdict"] = verdict(cell["mean"], cell["standard_error"], cell["n_splits"], cell["printed"])
    if dataset in APART and cell["verdict"] != "not run":
        cell["verdict"] = "apart"
    return cell


def _aligned(a: pd.DataFrame, b: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Accuracies on the splits that both have, and the mean sizes of these splits."""
    both = a.join(b["accuracy"].rename("other"), how="inner")
    return (
        both["accuracy"].to_numpy(),
        both["other"].to_numpy(),
        both["n_train"].mean(),
        both["n_test"].mean(),
    )


def _against(mine: pd.DataFrame | None, single: pd.DataFrame | None) -> dict[str, str]:
    if mine is None or single is None or mine is single:
        nothing = "none" if mine is not None and mine is single else "unknown"
        return dict.fromkeys(_TESTS, nothing)
    a, b, n_train, n_test = _aligned(mine, single)
    return {
        "welch": contrast(a, b).mark,
        "paired": mark(a, b, paired(a, b)),
        "corrected": mark(a, b, corrected_resampled(a, b, n_train, n_test)),
    }


def _contrast(mine: pd.DataFrame | None, other: pd.DataFrame | None) -> Contrast:
    """Compare on the splits that both have."""
    if mine is None or other is None or mine is other:
        return Contrast(math.nan, math.nan, math.nan, "unknown")
    return contrast(*_aligned(mine, other)[:2])


def accuracy_table(results: pd.DataFrame, table: str) -> Table:
    """Lay out accuracies as in the thesis: ours with standard error, printed, verdict.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.4".

    Returns
    -------
    Table
        ▲ and ▽ say significantly better and worse than the single model (Welch's t-test at
        0.05), * significantly better than the batch or online counterpart; ? is an illegible cell.
        Ours alone where the thesis's page is lost. The last column says how much was run.
    """
    cells = accuracy_cells(results, table)
    title = f"Table {table}: fraction correct ± standard error"
    if cells["printed"].isna().all():
        found = replace(side_by_side(title, cells.assign(verdict=""), {"ours": _ours}), cells=cells)
    else:
        texts = {"ours": _ours, "printed": _printed, "verdict": lambda cell: cell["verdict"]}
        found = side_by_side(f"{title}, beside the printed value", cells, texts)
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
    """Say how much of the thesis's protocol stands behind a table.

    Parameters
    ----------
    cells : DataFrame
        What `accuracy_cells` gives, or the `cells` of an `accuracy_table`.
    """
    run = cells[cells["n_splits"] > 0]
    part = run.loc[~run["enough"]].index.unique("dataset")
    enough = run.loc[~run["complete"]].index.unique("dataset").difference(part, sort=False)
    missing = cells.index.unique("dataset").difference(run.index.unique("dataset"), sort=False)
    n_datasets = run.index.unique("dataset").size
    n_complete = n_datasets - len(part) - len(enough)
    text = f"{n_complete} of {n_datasets} data sets have all splits and orders of the protocol"
    by_rule = f"as many as a 95 % interval of ±{HALF_WIDTH:g} needs in each column, at least"
    for what, names in ((by_rule, enough), ("fewer", part), ("no results", missing)):
        text += f"; {what}: {', '.join(map(label, names))}" if len(names) else ""
    return text + "."


def _ours(cell: dict) -> str:
    if math.isnan(cell["mean"]):
        return "–"
    error = "" if math.isnan(cell["standard_error"]) else f" ± {cell['standard_error']:.4f}"
    return f"{cell['mean']:.4f}{error}{_SIGNS.get(cell['welch'], '')}{'*' if cell['star'] else ''}"


def _printed(cell: dict) -> str:
    sign = _SIGNS.get(cell["printed_mark"], "") + ("*" if cell["printed_star"] else "")
    if math.isnan(cell["printed"]):
        return f"?{sign}" if cell["printed_mark"] != "unknown" else "–"
    return f"{cell['printed']:.4f}{sign}"


def compared(results: pd.DataFrame, table: str, a: str, b: str) -> pd.DataFrame:
    """Compare two algorithms of a table on each data set that has results of both.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "4.2".
    a, b : str
        The two algorithms, as in its cells.

    Returns
    -------
    DataFrame
        For each data set the fields of a `Contrast`, whether `a` is significantly "better" or "worse"
        than `b`, or "none", by three tests (`welch`, `paired`, `corrected`), the p-value of the paired
        one, and whether it stands `apart`.
    """
    ours = _by_cell(columns_of(results, table))
    names = [name for name in list_datasets() if (name, a) in ours and (name, b) in ours]
    rows = []
    for name in names:
        mine, other, _, _ = _aligned(ours[name, a], ours[name, b])
        tests = _against(ours[name, a], ours[name, b]) | {"paired_p": paired(mine, other)}
        rows.append(contrast(mine, other)._asdict() | tests | {"apart": name in APART})
    columns = [*Contrast._fields, *_TESTS, "paired_p", "apart"]
    return pd.DataFrame(rows, pd.Index(names, name="dataset"), columns)


def significance_table(results: pd.DataFrame, table: str) -> Table:
    """Compare three t-tests at 0.05 against the single model with the thesis's marks.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.4".

    Returns
    -------
    Table
        For each ensemble Welch's test (the thesis's kind), the paired test over splits, the
        corrected resampled test, what is printed, and whether Welch's test agrees with that.
    """
    columns = layout(table).columns
    cells = accuracy_cells(results, table)
    cells = cells.drop([name for name in columns if reference(name, columns) == name], level="algorithm")
    return _table_of_marks(f"Significance in Table {table}: against the single model, at 0.05", cells, table)


def batch_online_table(results: pd.DataFrame, table: str) -> Table:
    """Compare three t-tests at 0.05 of batch against online learning with the thesis's stars.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.6".

    Returns
    -------
    Table
        For each algorithm that is there in both modes: whether batch is "better" or "worse" than
        online by Welch's test, the paired and the corrected one; what is printed (a star marks the
        better of the two), and whether Welch's test agrees with that.
    """
    columns = layout(table).columns
    pairs = {name: counterpart(name, columns) for name in columns if not is_online(name)}
    pairs = {batch: online for batch, online in pairs.items() if online}
    star = accuracy_cells(results, table)["printed_star"].unstack("algorithm", sort=False)
    star = star.reindex(columns=list(columns), fill_value=False).astype(bool)
    parts = {}
    for batch, online in pairs.items():
        tests = (
            compared(results, table, batch, online)[list(_TESTS)]
            .reindex(star.index)
            .fillna(dict.fromkeys(_TESTS, "unknown"))
        )
        printed = np.select([star[batch], star[online]], ["better", "worse"], "none")
        parts[batch] = tests.assign(printed_mark=printed)
    cells = pd.concat(parts, names=["algorithm"]).swaplevel()
    cells.loc[~cells.index.isin(cells_of("accuracy", table).index), "printed_mark"] = "unknown"
    return _table_of_marks(f"Significance in Table {table}: batch against online, at 0.05", cells, table)


def differing_marks(marks: Table) -> str:
    """Say which marks of a significance table are not the printed ones.

    Parameters
    ----------
    marks : Table
        What `significance_table` or `batch_online_table` gives.
    """
    cells = marks.cells
    n_compared = cells["verdict"].isin(["agrees", "differs"]).sum()
    said = [
        f"{label(mark['dataset'])}, {heading(mark['algorithm']).lower()} (printed: {mark['printed_mark']}; "
        f"by Welch's test: {mark['welch']}; by the paired test: {mark['paired']})"
        for mark in cells[cells["verdict"] == "differs"].reset_index().to_dict("records")
    ]
    listing = ": " + ", ".join(said) if said else ""
    return f"Of {n_compared} marks that can be compared {len(said)} differ from the printed ones{listing}."


def _table_of_marks(title: str, cells: pd.DataFrame, table: str) -> Table:
    datasets = cells.index.get_level_values("dataset")
    cells["verdict"] = [_mark_verdict(*pair) for pair in zip(datasets, cells.to_dict("records"), strict=True)]
    headings = {"welch": "Welch", "paired": "paired", "corrected": "corrected"}
    if cells_of("accuracy", table).size:
        headings |= {"printed_mark": "printed", "verdict": "verdict"}
    texts = {name: partial(_known, column=column) for column, name in headings.items()}
    return side_by_side(title, cells, texts)


def _known(cell: dict, column: str) -> str:
    return "–" if cell[column] == "unknown" else cell[column]


def _mark_verdict(dataset: str, cell: dict) -> str:
    if cell["welch"] == "unknown":
        return "not run"
    if dataset in APART:
        return "apart"
    if cell["printed_mark"] == "unknown":
        return "no printed value"
    return "agrees" if cell["welch"] == cell["printed_mark"] else "differs"
