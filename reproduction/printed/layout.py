"""Which base model, study and algorithms belong to which table and figure.

A column is an algorithm, `_10` appended to its name where the networks that it runs over make ten
updates for each example: Table 3.11 shows both kinds. The layouts of chapter 4 are ours, for our
copy of the thesis ends before these pages.
"""

from itertools import product
from typing import NamedTuple

import pandas as pd

from ..studies import errors
from ..studies.protocol import OF_TREES

TEN = "_10"
_BAGGING = ("single", "bagging", "online_bagging")
_BOOSTING = ("single", "boosting", "online_boosting", "primed_boosting")
_EARLIER = ("blocked_boosting", "online_arc_x4", *(f"fixed_fraction_bagging_0.{p}" for p in (1, 3, 5, 7, 9)))
_NETWORKS = ("single", "bagging")
_ONLINE = ("online_single", "online_bagging")
_ONLINE_BOOSTING = ("online_single", "online_boosting", "primed_boosting")


class Layout(NamedTuple):
    """What a table shows, and where that is recorded."""

    base_model: str  # without `_10`
    columns: tuple[str, ...]
    studies: tuple[str, ...]  # whose results it shows
    datasets: tuple[str, ...] | None = None  # None for all that have a result or a printed value


def _ten(*columns: str) -> tuple[str, ...]:
    return tuple(column + TEN for column in columns)


_STUDY_OF = {
    "decision_tree": "decision-trees",
    "naive_bayes": "naive-bayes",
    "decision_stump": "decision-stumps",
    "neural_network": "neural-networks",
}
_COLUMNS_OF = {
    "3.3": ("decision_tree", _BAGGING),
    "3.4": ("naive_bayes", _BAGGING),
    "3.5": ("decision_stump", _BAGGING),
    "3.6": ("neural_network", _NETWORKS + _ONLINE),
    "3.7": ("neural_network", _NETWORKS + _ten(*_ONLINE)),
    "4.1": ("decision_tree", _BOOSTING),
    "4.2": ("naive_bayes", _BOOSTING),
    "4.3": ("decision_stump", _BOOSTING),
    "4.4": ("neural_network", (*_NETWORKS, "boosting")),
    "4.5": ("neural_network", ("boosting", *_ONLINE_BOOSTING)),
    "4.6": ("neural_network", ("boosting", *_ten(*_ONLINE_BOOSTING))),
}

#: Tables of accuracies by number; "2.4" is what the figures of section 2.4 are drawn from.
ACCURACIES = {
    number: Layout(base_model, columns, (_STUDY_OF[base_model],))
    for number, (base_model, columns) in _COLUMNS_OF.items()
} | {
    "2.4": Layout(
        "decision_tree",
        (*_BAGGING, *_BOOSTING[1:], *_EARLIER),
        ("decision-trees", "earlier-ensembles"),
        OF_TREES,
    ),
}

#: Tables of accuracies whose pages are in our copy.
PRINTED_ACCURACIES = tuple(number for number in ACCURACIES if number.startswith("3."))

#: Tables of running times by number, each with the columns of a table of accuracies.
TIMES = {
    times: Layout(base_model, columns, (f"times-{_STUDY_OF[base_model]}",))
    for times, (base_model, columns) in {
        **{"3.8": _COLUMNS_OF["3.3"], "3.9": _COLUMNS_OF["3.4"], "3.10": _COLUMNS_OF["3.5"]},
        "3.11": ("neural_network", _NETWORKS + _ONLINE + _ten(*_ONLINE)),
        **{"4.7": _COLUMNS_OF["4.1"], "4.8": _COLUMNS_OF["4.2"], "4.9": _COLUMNS_OF["4.3"]},
        **{"4.10": _COLUMNS_OF["4.4"], "4.11": _COLUMNS_OF["4.5"], "4.12": _COLUMNS_OF["4.6"]},
    }.items()
}
LAYOUTS = ACCURACIES | TIMES


#: Base models in words, by name, and those of the printed tables, by number.
BASES = {
    "decision_tree": "decision trees",
    "naive_bayes": "Naive Bayes",
    "decision_stump": "decision stumps",
    "neural_network": "networks",
}
PRINTED_BASES = {
    "3.3": "trees",
    "3.4": "Naive Bayes",
    "3.5": "stumps",
    "3.6": "networks",
    "3.7": "networks, ten updates",
}

#: A letter for each column of the printed tables.
LETTERS = {
    "single": "S",
    "bagging": "B",
    "online_bagging": "O",
    "online_bagging_10": "O",
    "online_single": "o",
    "online_single_10": "o",
}

#: The batch algorithm of each online one of the learning curves.
BATCH_OF = {"online_bagging": "bagging", "online_boosting": "boosting"}
BATCH_OF |= dict.fromkeys(("primed_boosting", "primed_200"), "boosting")


class Scatter(NamedTuple):
    """What a figure of errors shows: an algorithm on each axis, and a table for each panel."""

    tables: tuple[str, ...]
    x: str  # the algorithm of an axis, a column of these tables
    y: str
    limit: float = 50.0  # end of both axes in percent, as in the thesis


#: Figures that plot the errors of one algorithm against those of another, by number.
SCATTERS = {
    "3.4": Scatter(("3.3",), "bagging", "online_bagging"),
    "3.5": Scatter(("3.4",), "bagging", "online_bagging"),
    "3.6": Scatter(("3.5",), "bagging", "online_bagging", limit=70),
    "3.7": Scatter(("3.6",), "single", "online_single"),
    "3.8": Scatter(("3.6",), "bagging", "online_bagging"),
    "3.9": Scatter(("3.7",), "single", "online_single_10"),
    "3.10": Scatter(("3.7",), "bagging", "online_bagging_10"),
    "4.6": Scatter(("4.1",), "boosting", "online_boosting"),
    "4.7": Scatter(("4.2",), "boosting", "online_boosting"),
    "4.8": Scatter(("4.3",), "boosting", "online_boosting"),
    "4.9": Scatter(("4.5",), "boosting", "online_boosting"),
    "4.10": Scatter(("4.6",), "boosting", "online_boosting_10"),
    "4.11": Scatter(("4.1",), "boosting", "primed_boosting"),
    "4.12": Scatter(("4.1",), "online_boosting", "primed_boosting"),
    "4.13": Scatter(("4.2",), "boosting", "primed_boosting"),
    "4.14": Scatter(("4.2",), "online_boosting", "primed_boosting"),
    "4.15": Scatter(("4.3",), "boosting", "primed_boosting"),
    "4.16": Scatter(("4.3",), "online_boosting", "primed_boosting"),
    "4.17": Scatter(("4.5",), "boosting", "primed_boosting"),
    "4.18": Scatter(("4.5",), "online_boosting", "primed_boosting"),
    "4.19": Scatter(("4.6",), "boosting", "primed_boosting_10"),
    "4.20": Scatter(("4.6",), "online_boosting_10", "primed_boosting_10"),
    "KDD 3": Scatter(("3.3", "3.4"), "bagging", "online_bagging"),
    "KDD 4": Scatter(("4.1", "4.2"), "boosting", "online_boosting"),
    "KDD 7": Scatter(("4.1", "4.2"), "boosting", "primed_boosting"),
}

#: Figures of the errors of successive base models: base model and data set, by number. The first rows of
#: Forest Covertype stand in for the whole.
ERRORS = {f"4.{number}": pair for number, pair in enumerate(product(errors.BASES, errors.DATASETS), start=21)}

#: Figures of learning curves, by number, and the recorded curves that they show.
CURVES = {
    "4.5": "car-evaluation-decision-tree",
    "KDD 5": "car-evaluation-decision-tree",
    "KDD 6": "census-income-naive-bayes",
    "KDD 8": "car-evaluation-decision-tree",
}


def layout(table: str) -> Layout:
    if table not in LAYOUTS:
        raise ValueError(f"table={table!r}: expected one of {', '.join(sorted(LAYOUTS))}")
    return LAYOUTS[table]


def scatter(figure: str) -> Scatter:
    if figure not in SCATTERS:
        raise ValueError(f"figure={figure!r}: expected one of {', '.join(SCATTERS)}")
    return SCATTERS[figure]


def heading(column: str) -> str:
    """Name a column in words.

    >>> heading("primed_boosting_10")
    'Primed online boosting, 10 updates'
    """
    name = column.removesuffix(TEN).replace("_", " ")
    name = name.replace("primed 200", "primed boosting, 200 examples")
    name = name.replace("primed", "primed online").replace("arc x4", "Arc-x4")
    return name[0].upper() + name[1:] + (", 10 updates" if column.endswith(TEN) else "")


def is_online(column: str) -> bool:
    """Whether the algorithm of a column sees the examples one by one."""
    return not column.startswith(("single", "bagging", "boosting"))


def reference(column: str, columns: tuple[str, ...]) -> str:
    """Name the column with which the thesis compares this one: its own single model."""
    single = "online_single" + (TEN if column.endswith(TEN) else "")
    return single if is_online(column) and single in columns else "single"


def counterpart(column: str, columns: tuple[str, ...]) -> str:
    """Name the batch version of an online column, or the online version of a batch one."""
    kind = column.removesuffix(TEN).rpartition("_")[2]
    wanted = (kind,) if is_online(column) else (f"online_{kind}", f"online_{kind}{TEN}")
    return next((name for name in wanted if name in columns), "")


def column_of(base_model: str, algorithm: str) -> str:
    """Name the column of an algorithm over a base model.

    >>> column_of("neural_network_10", "online_bagging")
    'online_bagging_10'
    """
    return algorithm + (TEN if base_model.endswith(TEN) else "")


def columns_of(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Results for a table: `algorithm` is the column, rows that it does not show are left out."""
    base_model, columns, _, datasets = layout(table)
    kinds = results["base_model"].str.removesuffix(TEN)
    if not set(kinds) <= {base_model}:
        raise ValueError(f"results are of {sorted(set(kinds))}; Table {table} is of {base_model!r}")
    shown_as = [*map(column_of, results["base_model"], results["algorithm"])]
    named = results.assign(base_model=kinds, algorithm=shown_as)
    is_shown = named["algorithm"].isin(columns)
    return named[is_shown if datasets is None else is_shown & named["dataset"].isin(datasets)]
