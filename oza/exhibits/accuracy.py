"""Tables 3.3 to 3.7: accuracies of single models, batch and online ensembles."""

import math
from typing import Any

import numpy as np
import pandas as pd

from ..datasets import list_datasets
from ..experiments.statistics import (
    corrected_resampled,
    mark,
    paired,
    split_accuracies,
    standard_error,
    verdict,
    welch,
)
from ._printed import APART, cells_of, label
from ._table import Table

#: Algorithms that stand against each other, each with its heading, and what it is compared with.
_HEADINGS = {"single": "Single", "bagging": "Bagging", "online_bagging": "Online bagging"}
_COUNTERPART = {"bagging": "online_bagging", "online_bagging": "bagging"}

_SIGNS = {"better": "▲", "worse": "▽"}


def accuracy_cells(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Give every number of a table of accuracies, ours and printed.

    Parameters
    ----------
    results : DataFrame
        Rows of one base model, as `load_results` gives them.
    table : str
        Number of the thesis's table, such as "3.4".

    Returns
    -------
    DataFrame
        Indexed by data set (order of Table 3.1) and algorithm, with the columns

        mean, standard_error, n_splits
            Our accuracy over splits, orders averaged; NaN and 0 if there is no result.
        welch, paired, corrected
            "better", "worse" or "none": against the single model, by three t-tests at 0.05.
        star
            Significantly better than the batch or online counterpart (Welch).
        printed, printed_mark, printed_star
            The same as printed.
        verdict
            On the mean: "agrees", "differs", "no printed value", "not run" or "apart".

    Raises
    ------
    ValueError
        If there is no such table, or the results are not of its base model.
    """
    theirs = cells_of("accuracy", table)
    base_model = theirs["base_model"].iloc[0]
    if not set(results["base_model"]) <= {base_model}:
        raise ValueError(
            f"results are of {sorted(set(results['base_model']))}; Table {table} is of {base_model!r}"
        )
    splits = split_accuracies(results).droplevel("base_model")
    ours = {
        key: group.droplevel(["dataset", "algorithm"])
        for key, group in splits.groupby(["dataset", "algorithm"])
    }
    printed: dict[Any, Any] = theirs.to_dict("index")
    names = [
        name for name in list_datasets() if any((name, a) in ours or (name, a) in printed for a in _HEADINGS)
    ]
    rows = [_cell(name, algorithm, ours, printed) for name in names for algorithm in _HEADINGS]
    return pd.DataFrame(rows).set_index(["dataset", "algorithm"])


def _cell(dataset: str, algorithm: str, ours: dict, theirs: dict) -> dict[str, Any]:
    mine = ours.get((dataset, algorithm))
    cell: dict[str, Any] = {
        "dataset": dataset,
        "algorithm": algorithm,
        "mean": math.nan if mine is None else mine["accuracy"].mean(),
        "standard_error": math.nan if mine is None else standard_error(mine["accuracy"].to_numpy()),
        "n_splits": 0 if mine is None else len(mine),
        **_against_single(mine, ours.get((dataset, "single"))),
        "star": _is_starred(mine, ours.get((dataset, _COUNTERPART.get(algorithm, "")))),
    }
    printed = theirs.get((dataset, algorithm), {})
    cell |= {
        "printed": printed.get("value", math.nan),
        "printed_mark": printed.get("significance_vs_single", "unknown"),
        "printed_star": bool(printed.get("star", False)),
    }
    cell["verdict"] = verdict(cell["mean"], cell["standard_error"], cell["printed"])
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


def _against_single(mine: pd.DataFrame | None, single: pd.DataFrame | None) -> dict[str, str]:
    if mine is None or single is None or mine is single:
        nothing = "none" if mine is not None and mine is single else "unknown"
        return dict.fromkeys(("welch", "paired", "corrected"), nothing)
    a, b, n_train, n_test = _aligned(mine, single)
    return {
        "welch": mark(a, b, welch(a, b)),
        "paired": mark(a, b, paired(a, b)),
        "corrected": mark(a, b, corrected_resampled(a, b, n_train, n_test)),
    }


def _is_starred(mine: pd.DataFrame | None, counterpart: pd.DataFrame | None) -> bool:
    if mine is None or counterpart is None:
        return False
    a, b, _, _ = _aligned(mine, counterpart)
    return mark(a, b, welch(a, b)) == "better"


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
    """
    cells = accuracy_cells(results, table)
    columns: dict[tuple[str, str], list[str]] = {}
    verdicts: dict[tuple[str, str], list[str]] = {}
    for algorithm, heading in _HEADINGS.items():
        part = cells.xs(algorithm, level="algorithm")
        judged = part["verdict"].to_list()
        columns[heading, "ours"] = [_ours(cell) for _, cell in part.iterrows()]
        columns[heading, "printed"] = [_printed(cell) for _, cell in part.iterrows()]
        columns[heading, "verdict"] = judged
        verdicts |= dict.fromkeys([(heading, "ours"), (heading, "printed"), (heading, "verdict")], judged)
    names = cells.index.get_level_values("dataset").unique()
    index = pd.Index([label(name) for name in names], name="Data set")
    title = f"Table {table}: fraction correct ± standard error, beside the printed value"
    return Table(title, cells, pd.DataFrame(columns, index), pd.DataFrame(verdicts, index))


def _ours(cell: pd.Series) -> str:
    if math.isnan(cell["mean"]):
        return "–"
    error = "" if math.isnan(cell["standard_error"]) else f" ± {cell['standard_error']:.4f}"
    return f"{cell['mean']:.4f}{error}{_SIGNS.get(cell['welch'], '')}{'*' if cell['star'] else ''}"


def _printed(cell: pd.Series) -> str:
    sign = _SIGNS.get(cell["printed_mark"], "") + ("*" if cell["printed_star"] else "")
    if math.isnan(cell["printed"]):
        return f"?{sign}" if cell["printed_mark"] != "unknown" else "–"
    return f"{cell['printed']:.4f}{sign}"


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
    cells = accuracy_cells(results, table).drop("single", level="algorithm")
    datasets = cells.index.get_level_values("dataset")
    cells["verdict"] = [_mark_verdict(*pair) for pair in zip(datasets, cells.to_dict("records"), strict=True)]
    columns = {"welch": "Welch", "paired": "paired", "corrected": "corrected", "printed_mark": "printed"}
    shown, verdicts = {}, {}
    for algorithm in cells.index.unique("algorithm"):
        part = cells.xs(algorithm, level="algorithm")
        heading = _HEADINGS[algorithm]
        for column, name in columns.items():
            shown[heading, name] = [{"unknown": "–"}.get(text, text) for text in part[column]]
            verdicts[heading, name] = [""] * len(part)
        shown[heading, "verdict"] = verdicts[heading, "verdict"] = part["verdict"].to_list()
    index = pd.Index([label(name) for name in cells.index.unique("dataset")], name="Data set")
    title = f"Significance in Table {table}: against the single model, at 0.05"
    return Table(title, cells, pd.DataFrame(shown, index), pd.DataFrame(verdicts, index))


def _mark_verdict(dataset: str, cell: dict) -> str:
    if cell["welch"] == "unknown":
        return "not run"
    if dataset in APART:
        return "apart"
    if cell["printed_mark"] == "unknown":
        return "no printed value"
    return "agrees" if cell["welch"] == cell["printed_mark"] else "differs"
