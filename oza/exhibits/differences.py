"""How far ours are from the printed values, what was tried to explain it, and who is better."""

from collections.abc import Mapping
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..datasets import list_datasets
from ..experiments.statistics import TOLERANCE, signed_rank
from ._layout import counterpart, heading, is_online, layout, reference
from ._printed import label
from ._style import STYLE
from ._table import Table

_WIDEST = 5.0  # percentage points at which the colours end


def signed_rank_table(cells: pd.DataFrame) -> Table:
    """Compare the algorithms of a table over all its data sets, by the Bayesian signed-rank test.

    Parameters
    ----------
    cells : DataFrame
        What `accuracy_cells` gives, or the `cells` of an `accuracy_table`.

    Returns
    -------
    Table
        Each algorithm against its single model, each online one against its batch version, and
        primed against unprimed online boosting: the probabilities that it is worse, practically
        equal (within 0.01), better.
    """
    means = cells["mean"].unstack("algorithm", sort=False)
    columns = tuple(means.columns)
    rows = []
    for a, b in _pairs(columns):
        differences = (means[a] - means[b]).dropna().to_numpy()
        if len(differences):
            rows.append(
                (f"{heading(a)} against {heading(b).lower()}", len(differences), *signed_rank(differences))
            )
    names = ["Algorithms", "data sets", "worse", "practically equal", "better"]
    found = pd.DataFrame(rows, columns=names).set_index("Algorithms")
    shown = found.astype(str).assign(**{name: [f"{p:.2f}" for p in found[name]] for name in names[2:]})
    title = "Bayesian signed-rank test over data sets: probabilities"
    return Table(title, found, shown, pd.DataFrame("", shown.index, shown.columns))


def _pairs(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = [(name, reference(name, columns)) for name in columns]
    pairs += [(name, counterpart(name, columns)) for name in columns if is_online(name)]
    pairs += [(name, name.replace("primed", "online")) for name in columns if name.startswith("primed")]
    return [(a, b) for a, b in pairs if a != b and b in columns]


def differing_table(cells: pd.DataFrame, variants: pd.DataFrame) -> Table:
    """List the cells that differ, each with what was tried to explain it.

    Parameters
    ----------
    cells : DataFrame
        What `accuracy_cells` gives, or the `cells` of an `accuracy_table`.
    variants : DataFrame
        What `oza.experiments.try_variants` gives: accuracies of the single model under other
        assumptions.

    Returns
    -------
    Table
        Ours, the printed value, and the variant of the row's single model whose accuracy is
        nearest to the printed single value: whether it lies within 0.01 of that.
    """
    columns = tuple(cells.index.unique("algorithm"))
    differing = cells[cells["verdict"] == "differs"]
    cells_at: list[Any] = differing.index.to_list()
    tried = [
        _tried(variants, dataset, reference(column, columns), cells["printed"])
        for dataset, column in cells_at
    ]
    index = pd.Index(
        [f"{label(dataset)}, {heading(column).lower()}" for dataset, column in cells_at], name="Cell"
    )
    numbers = differing[["mean", "standard_error", "printed"]].set_axis(index)
    texts = pd.DataFrame({name: [f"{x:.4f}" for x in numbers[name]] for name in numbers}, index, dtype=str)
    shown = texts.set_axis(["ours", "± standard error", "printed"], axis="columns").assign(
        **{"what was tried, and what it showed": tried}
    )
    title = "Cells that differ"
    return Table(title, differing, shown, pd.DataFrame("", index, shown.columns), css="dataframe prose")


def _tried(variants: pd.DataFrame, dataset: str, single: str, printed: pd.Series) -> str:
    mine = variants[(variants["dataset"] == dataset) & (variants["algorithm"] == single)]
    value = printed[dataset, single]
    if mine.empty or np.isnan(value):
        return "nothing was tried yet"
    nearest = mine.loc[(mine["mean"] - value).abs().idxmin()]
    result = "within 0.01 of it" if abs(nearest["mean"] - value) <= TOLERANCE else "so none comes within 0.01"
    return (
        f"{len(mine)} variants of the single model (printed {value:.4f}); nearest: "
        f"{nearest['variant']}, {nearest['mean']:.4f}, {result}"
    )


def difference_map(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw a heat map of ours minus printed, in percentage points.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        For each table's number what `accuracy_cells` gives.

    Returns
    -------
    Figure
        One row a data set, one column an algorithm of a table; blue where ours is higher, red
        where it is lower; a number in bold is a cell that differs, a dot one without a printed or
        without our value, and brackets are around rows that are reported apart.
    """
    points, verdicts = _side_by_side(tables)
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(1.2 + 0.62 * points.shape[1], 2.4 + 0.3 * len(points)))
        axes = figure.subplots()
        axes.imshow(points, cmap="RdBu", vmin=-_WIDEST, vmax=_WIDEST, aspect="auto")
        for (row, column), value in np.ndenumerate(points.to_numpy()):
            verdict = verdicts.iloc[row, column]
            text = "·" if np.isnan(value) else f"({value:+.1f})" if verdict == "apart" else f"{value:+.1f}"
            weight = "bold" if verdict == "differs" else "normal"
            color = "white" if abs(value) > 0.7 * _WIDEST else "black"
            axes.text(column, row, text, ha="center", va="center", fontsize=8, weight=weight, color=color)
        pairs: list[Any] = points.columns.to_list()
        names = [f"{table}: {heading(algorithm)}" for table, algorithm in pairs]
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor", fontsize=8)
        axes.set_yticks(range(len(points)), [label(name) for name in points.index], fontsize=8)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure


def difference_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """Say in words and numbers what `difference_map` shows."""
    points, verdicts = _side_by_side(tables)
    counts = pd.Series(verdicts.to_numpy().ravel()).value_counts()
    named = points.rename(index=label).rename_axis("Data set").round(1)
    return (
        f"Ours minus printed, in percentage points: {counts.get('agrees', 0)} cells agree, "
        f"{counts.get('differs', 0)} differ.\n{named.to_string(na_rep='–')}"
    )


def joined_cells(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Join the cells of several tables, without the columns that one table repeats from another.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        For each table's number what `accuracy_cells` gives.

    Returns
    -------
    DataFrame
        Indexed by table, data set and algorithm.
    """
    seen: set[tuple[str, str]] = set()
    parts = {}
    for table, cells in tables.items():
        base_model, columns = layout(table)
        fresh = [column for column in columns if (base_model, column) not in seen]
        seen |= {(base_model, column) for column in fresh}
        parts[table] = cells[cells.index.isin(fresh, level="algorithm")]
    return pd.concat(parts, names=["table"])


def _side_by_side(tables: Mapping[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ours minus printed in percentage points, and the verdicts; a row for each data set of Table 3.1."""
    cells = joined_cells(tables).assign(points=lambda c: 100 * (c["mean"] - c["printed"]))
    has_printed = cells[cells["printed"].notna()].index.unique("dataset")
    names = [name for name in list_datasets() if name in has_printed]
    points, verdicts = (
        cells[column].unstack(["table", "algorithm"], sort=False).loc[names]
        for column in ("points", "verdict")
    )
    return points, verdicts
