"""Differences between our and the printed values, attempts to explain them, and which algorithm is better."""

from typing import Any

import numpy as np
import pandas as pd

from ..statistics import DIFFERING, MARGIN
from ..studies.variants import OURS
from .accuracy import signed_rank_chances
from .layout import heading, reference
from .printed import label
from .table import Table


def signed_rank_table(cells: pd.DataFrame) -> Table:
    """Compare the algorithms of a table over all its data sets, by the Bayesian signed-rank test.

    The probabilities that the first algorithm is worse, practically equal (within 0.01), better.
    """
    found = signed_rank_chances(cells)
    names = [f"{heading(a)} against {heading(b).lower()}" for a, b in found.index]
    shown = found.map("{:.2f}".format).assign(n=found["n"].astype(str))
    shown = shown.rename(columns={"n": "data sets", "equal": "practically equal"})
    shown = shown.set_axis(pd.Index(names, name="Algorithms"))
    title = "Bayesian signed-rank test over data sets: probabilities"
    return Table(title, found, shown, pd.DataFrame("", shown.index, shown.columns))


def differing_table(cells: pd.DataFrame, variants: pd.DataFrame) -> Table:
    """List the cells that differ, explained or not, each with what was tried to explain it.

    Ours, the printed value, and the variant of the cell's algorithm, of the study `variants`, whose accuracy
    is nearest to the printed value: whether it lies within 0.01 of that, and what our own setting scores on
    the same splits. Where an ensemble was not tried, its single model stands for it.
    """
    columns = tuple(cells.index.unique("algorithm"))
    differing = cells[cells["verdict"].isin(DIFFERING)]
    cells_at: list[Any] = differing.index.to_list()
    tried = [
        _tried(variants, dataset, column, reference(column, columns), cells["printed"])
        for dataset, column in cells_at
    ]
    index = pd.Index(
        [f"{label(dataset)}, {heading(column).lower()}" for dataset, column in cells_at], name="Cell"
    )
    texts = differing[["mean", "standard_error", "printed"]].map("{:.4f}".format).set_axis(index)
    shown = texts.set_axis(["ours", "± standard error", "printed"], axis="columns").assign(
        **{"what was tried, and what it showed": tried}
    )
    title = "Cells that differ"
    return Table(title, differing, shown, pd.DataFrame("", index, shown.columns), css="dataframe prose")


def _tried(variants: pd.DataFrame, dataset: str, column: str, single: str, printed: pd.Series) -> str:
    of_dataset = variants[variants["dataset"] == dataset]
    name = column if (of_dataset["algorithm"] == column).any() else single
    mine = of_dataset[of_dataset["algorithm"] == name].set_index("variant")["mean"]
    others = mine[~mine.index.isin(OURS)]
    value = printed[dataset, name]
    if others.empty or np.isnan(value):
        return "nothing was tried yet"
    nearest = (others - value).abs().idxmin()
    own = mine[mine.index.isin(OURS)]
    parts = [
        f"{len(others)} other variants"
        + (f" of the single model (printed {value:.4f})" if name != column else ""),
        f"nearest: {nearest}, {others[nearest]:.4f}, "
        + ("within 0.01" if abs(others[nearest] - value) <= MARGIN else "so none comes within 0.01"),
        *(f"ours on the same splits: {score:.4f}" for score in own),
    ]
    return "; ".join(parts)
