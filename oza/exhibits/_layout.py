"""Which algorithms stand in which table, and under what heading.

A column is an algorithm, `_10` appended to its name where the networks that it runs over make ten
updates for each example: Table 3.11 has both kinds. The layouts of chapter 4 are ours, for these
pages of the thesis are lost.
"""

from typing import NamedTuple

import pandas as pd

TEN = "_10"
_BAGGING = ("single", "bagging", "online_bagging")
_BOOSTING = ("single", "boosting", "online_boosting", "primed_boosting")
_EARLIER = ("blocked_boosting", "online_arc_x4", *(f"fixed_fraction_bagging_0.{p}" for p in (1, 3, 5, 7, 9)))


class Layout(NamedTuple):
    """Base model of a table, and its columns."""

    base_model: str
    columns: tuple[str, ...]


def _ten(*columns: str) -> tuple[str, ...]:
    return tuple(column + TEN for column in columns)


_NETWORKS = ("single", "bagging")
_ONLINE = ("online_single", "online_bagging")
_ONLINE_BOOSTING = ("online_single", "online_boosting", "primed_boosting")

#: Tables by number; "2.4" is what the figures of section 2.4 are drawn from.
LAYOUTS: dict[str, Layout] = {
    "2.4": Layout("decision_tree", (*_BAGGING, *_BOOSTING[1:], *_EARLIER)),
    "3.3": Layout("decision_tree", _BAGGING),
    "3.4": Layout("naive_bayes", _BAGGING),
    "3.5": Layout("decision_stump", _BAGGING),
    "3.6": Layout("neural_network", _NETWORKS + _ONLINE),
    "3.7": Layout("neural_network", _NETWORKS + _ten(*_ONLINE)),
    "4.1": Layout("decision_tree", _BOOSTING),
    "4.2": Layout("naive_bayes", _BOOSTING),
    "4.3": Layout("decision_stump", _BOOSTING),
    "4.4": Layout("neural_network", (*_NETWORKS, "boosting")),
    "4.5": Layout("neural_network", ("boosting", *_ONLINE_BOOSTING)),
    "4.6": Layout("neural_network", ("boosting", *_ten(*_ONLINE_BOOSTING))),
}
LAYOUTS |= {
    times: LAYOUTS[accuracy]
    for times, accuracy in {
        **{"3.8": "3.3", "3.9": "3.4", "3.10": "3.5"},
        **{"4.7": "4.1", "4.8": "4.2", "4.9": "4.3", "4.10": "4.4", "4.11": "4.5", "4.12": "4.6"},
    }.items()
}
LAYOUTS["3.11"] = Layout("neural_network", _NETWORKS + _ONLINE + _ten(*_ONLINE))


def layout(table: str) -> Layout:
    """Give the layout of a table.

    Raises
    ------
    ValueError
        If there is no such table.
    """
    if table not in LAYOUTS:
        raise ValueError(f"table={table!r}: expected one of {', '.join(sorted(LAYOUTS))}")
    return LAYOUTS[table]


def heading(column: str) -> str:
    """Name a column in words.

    Examples
    --------
    >>> from oza.exhibits._layout import heading
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

    Examples
    --------
    >>> from oza.exhibits._layout import column_of
    >>> column_of("neural_network_10", "online_bagging")
    'online_bagging_10'
    """
    return algorithm + (TEN if base_model.endswith(TEN) else "")


def columns_of(results: pd.DataFrame, table: str) -> pd.DataFrame:
    """Results for a table: `algorithm` is the column, rows of other columns are left out.

    Raises
    ------
    ValueError
        If there is no such table, or the results are not of its base model.
    """
    base_model, columns = layout(table)
    has_ten = results["base_model"].str.endswith(TEN).to_numpy(dtype=bool)
    kinds = results["base_model"].str.removesuffix(TEN)
    if not set(kinds) <= {base_model}:
        raise ValueError(f"results are of {sorted(set(kinds))}; Table {table} is of {base_model!r}")
    named = results.assign(
        base_model=kinds, algorithm=results["algorithm"].mask(has_ten, results["algorithm"] + TEN)
    )
    return named[named["algorithm"].isin(columns)]
