"""Accuracies of single models, batch and online ensembles, beside the printed ones (Tables 3.3 to 4.6)."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from oza.datasets import dataset_info, list_datasets
from oza.evaluation import significance

from ..statistics import cell_verdict, half_width_beside_print, split_accuracies, unless_one_run
from ..studies.accuracy import fewer_repetitions
from .layout import TEN, column_of, columns_of, counterpart, is_online, layout, reference
from .printed import EXCLUDED, cells_of

#: Splits and orders of the whole protocol (thesis section 3.5.1): five-fold, or of a supplied split.
_SPLITS = {"five-fold": 50, "supplied": 10}
_ORDERS = 5
TESTS = ("welch", "paired", "corrected")
_CELL = [
    *("mean", "standard_error", "half_width", "n_train", "n_splits", "n_orders"),
    *TESTS,
    "star",
    *(f"{beside}_{field}" for beside in ("single", "other") for field in significance.Compared._fields),
    *("is_printed", "printed", "printed_mark", "printed_star", "verdict"),
]


def accuracy_cells(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Give every number of a table of accuracies, ours and printed, by data set and algorithm.

    `results` are rows of one base model; networks of one and of ten updates count as one, `_10` being
    appended to the algorithms of those of ten. `table` is "3.4", for instance, or "2.4" for all that is drawn
    in section 2.4.

    `mean` and `standard_error` are ours over splits, orders averaged, `half_width` half the 95 % interval of
    our mean minus the printed one; without a result they are NaN, and `n_splits` and `n_orders` 0. `complete`
    says whether these are all of the thesis's protocol, `enough` whether they are at least as many as
    `reproduction.studies.precision` asks for where that takes long. `welch`, `paired` and `corrected` are
    marks against the single model, "better", "worse" or "none", by three t-tests at 0.05; `star` is
    significantly better than the batch or online counterpart, by Welch's t-test as in print. `single_…` and
    `other_…` are the fields of `Compared` with the single model and with the counterpart. `is_printed` says
    whether the table as printed has the cell; `printed` is NaN if it is illegible, `printed_mark` "unknown"
    if our copy does not show it. The `verdict` on the mean is "agrees", "differs", "undecided", "no printed
    value", "not run" or "excluded".
    """
    rows = columns_of(results, table)
    columns = layout(table).columns
    printed: dict[Any, Any] = cells_of("accuracy", table).to_dict("index")
    n_orders = rows.groupby(["dataset", "algorithm"])["order"].nunique()
    splits = split_accuracies(rows).droplevel("base_model")
    ours = {
        key: group.droplevel(["dataset", "algorithm"])
        for key, group in splits.groupby(["dataset", "algorithm"])
    }
    names = [
        name for name in list_datasets() if any((name, a) in ours or (name, a) in printed for a in columns)
    ]
    index = pd.MultiIndex.from_product([names, columns], names=["dataset", "algorithm"])
    frame = pd.DataFrame([_cell(place, ours, printed, columns) for place in index], index, columns=_CELL)
    frame["n_orders"] = n_orders.reindex(index, fill_value=0)
    whole = [(_SPLITS[dataset_info(name).split], _ORDERS if is_online(run) else 1) for name, run in index]
    frame["complete"] = frame[["n_splits", "n_orders"]].ge(np.reshape(whole, (-1, 2))).all(axis="columns")
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


def _cell(place: Any, ours: dict, theirs: dict, columns: tuple[str, ...]) -> dict[str, Any]:
    (dataset, algorithm), mine = place, ours.get(place)
    single = ours.get((dataset, reference(algorithm, columns)))
    beside_single = _compared(mine, single)
    beside_other = _compared(mine, ours.get((dataset, counterpart(algorithm, columns))))
    printed = theirs.get(place, {})
    cell: dict[str, Any] = {
        "mean": math.nan if mine is None else mine["accuracy"].mean(),
        "standard_error": math.nan if mine is None else significance.standard_error(mine["accuracy"]),
        "half_width": math.nan if mine is None else half_width_beside_print(mine["accuracy"]),
        "n_train": math.nan if mine is None else mine["n_train"].mean(),
        "n_splits": 0 if mine is None else len(mine),
        **dict(zip(TESTS, (beside_single.welch, beside_single.paired, beside_single.mark), strict=True)),
        **{f"single_{field}": value for field, value in beside_single._asdict().items()},
        **{f"other_{field}": value for field, value in beside_other._asdict().items()},
        "star": beside_other.welch == "better",
        "is_printed": bool(printed),
        "printed": printed.get("value", math.nan),
        "printed_mark": printed.get("significance_vs_single", "unknown"),
        "printed_star": bool(printed.get("star", False)),
    }
    if mine is not None and mine is single:
        cell |= dict.fromkeys(TESTS, "none")
    cell["verdict"] = cell_verdict(cell["mean"], cell["half_width"], cell["printed"])
    if dataset in EXCLUDED and cell["verdict"] != "not run":
        cell["verdict"] = "excluded"
    return cell


def _compared(mine: pd.DataFrame | None, other: pd.DataFrame | None) -> significance.Compared:
    """Compare accuracies on the splits that both have; an algorithm is not compared with itself."""
    if mine is None or other is None or mine is other:
        return significance.NOTHING
    return unless_one_run(significance.compared_splits(mine, other), mine["accuracy"], other["accuracy"])


def joined_cells(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Join the cells of several tables, without the columns that one table repeats from another.

    `difference` is ours minus printed.
    """
    seen: set[tuple[str, str]] = set()
    parts = {}
    for table, cells in tables.items():
        base_model, columns, *_ = layout(table)
        fresh = [column for column in columns if (base_model, column) not in seen]
        seen |= {(base_model, column) for column in fresh}
        parts[table] = cells[cells.index.isin(fresh, level="algorithm")]
    joined = pd.concat(parts, names=["table"])
    return joined.assign(difference=joined["mean"] - joined["printed"])


def marks_against_single(cells: pd.DataFrame) -> pd.DataFrame:
    """Marks of significance against the single model: by three t-tests, and as printed.

    The `verdict`, on Welch's test, the thesis's kind, is "agrees", "differs", "no printed value", "not run"
    or "excluded".
    """
    columns = tuple(cells.index.unique("algorithm"))
    singles = [name for name in columns if reference(name, columns) == name]
    return _judged(cells.drop(singles, level="algorithm")[[*TESTS, "printed_mark"]])


def marks_against_online(cells: pd.DataFrame) -> pd.DataFrame:
    """Marks of significance of batch against online learning: by three t-tests, and as printed.

    As `marks_against_single`, for each batch algorithm that has an online counterpart. In print a star marks
    the better of the two.
    """
    columns = tuple(cells.index.unique("algorithm"))
    star = cells["printed_star"].unstack("algorithm", sort=False)
    parts = {}
    for batch in (name for name in columns if not is_online(name)):
        if online := counterpart(batch, columns):
            own = cells.xs(batch, level="algorithm")
            tests = own[[f"other_{field}" for field in ("welch", "paired", "mark")]]
            printed = np.select([star[batch], star[online]], ["better", "worse"], "none")
            parts[batch] = tests.set_axis([*TESTS], axis=1).assign(printed_mark=printed)
    if not parts:
        return _judged(cells[[*TESTS, "printed_mark"]].iloc[:0])
    marks = pd.concat(parts, names=["algorithm"]).swaplevel()
    marks.loc[~cells.loc[marks.index, "is_printed"], "printed_mark"] = "unknown"
    return _judged(marks)


def _judged(marks: pd.DataFrame) -> pd.DataFrame:
    datasets = marks.index.get_level_values("dataset")
    verdicts = np.select(
        [
            marks["welch"] == "unknown",
            datasets.isin(EXCLUDED),
            marks["printed_mark"] == "unknown",
            marks["welch"] == marks["printed_mark"],
        ],
        ["not run", "excluded", "no printed value", "agrees"],
        "differs",
    )
    return marks.assign(verdict=verdicts)


def signed_rank_chances(cells: pd.DataFrame) -> pd.DataFrame:
    """Compare the algorithms of a table over all its data sets, by the Bayesian signed-rank test.

    Each algorithm against its single model, each online one against its batch version, and primed against
    unprimed online boosting: the number of data sets `n`, and the chances that it is `worse`, practically
    `equal` (within 0.01), `better`.
    """
    means = cells["mean"].unstack("algorithm", sort=False)
    columns = tuple(means.columns)
    pairs = [(name, reference(name, columns)) for name in columns]
    pairs += [(name, counterpart(name, columns)) for name in columns if is_online(name)]
    pairs += [(name, name.replace("primed", "online")) for name in columns if name.startswith("primed")]
    rows = {}
    for a, b in pairs:
        if a != b and b in columns:
            differences = (means[a] - means[b]).dropna().to_numpy()
            if len(differences):
                rows[a, b] = len(differences), *significance.signed_rank(differences)
    index = pd.MultiIndex.from_tuples(rows, names=["algorithm", "against"])
    return pd.DataFrame(list(rows.values()), index, columns=["n", *significance.Chances._fields])
