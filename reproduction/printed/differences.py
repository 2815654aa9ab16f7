"""Differences between our and the printed values, attempts to explain them, and which algorithm is better."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from ..figures import GROUND, GUIDE, INK, SMALL, Picture, drawing
from ..statistics import DIFFERING, JUDGED, MARGIN
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
    columns = {"worse": "worse", "equal": "practically equal", "better": "better"}
    shown = found.rename(columns={"n": "data sets", **columns}).set_axis(pd.Index(names, name="Algorithms"))
    shown = shown.astype(str).assign(
        **{text: [f"{p:.2f}" for p in found[name]] for name, text in columns.items()}
    )
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
    numbers = differing[["mean", "standard_error", "printed"]].set_axis(index)
    texts = pd.DataFrame({name: [f"{x:.4f}" for x in numbers[name]] for name in numbers}, index, dtype=str)
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


def difference_map(cells: pd.DataFrame) -> Picture:
    """Map how far each of our accuracies lies from the printed one.

    A row for each data set with a printed value, a column for each table and algorithm. Numbers are
    percentage points, ours minus printed, on a ground that is the darker the larger they are: bold and framed
    where the cell differs, with a dashed frame where that is explained, in italics where it is undecided, in
    brackets where the cell is excluded. "?" is a cell that cannot be read, a dash one that we have not run.
    """
    difference, verdicts, theirs = (
        cells[column].unstack(["table", "algorithm"], sort=False)
        for column in ("difference", "verdict", "printed")
    )
    is_printed = theirs.notna().any(axis=1)
    points, verdicts = 100 * difference[is_printed], verdicts[is_printed]
    with drawing(110 + 30 * len(points), wide=True) as figure:
        axes = figure.subplots()
        axes.grid(visible=False)
        for (row, column), value in np.ndenumerate(points.to_numpy(float)):
            verdict = verdicts.iat[row, column]
            text, style = _mark(verdict, value)
            axes.text(column, row, text, ha="center", va="center", fontsize=SMALL, **style)
            if verdict in JUDGED:
                tile = Rectangle((column - 0.48, row - 0.46), 0.96, 0.92)
                # Opacity is logarithmic, so that 42 points and 5 do not look alike.
                strength = 0.35 * min(1.0, math.log1p(abs(value)) / math.log1p(40))
                axes.add_patch(tile)
                tile.set(facecolor=INK, alpha=strength, linewidth=0)
            if verdict in DIFFERING:
                frame = Rectangle((column - 0.48, row - 0.46), 0.96, 0.92)
                line = "-" if verdict == "differs" else ":"
                frame.set(facecolor="none", edgecolor=INK, linewidth=1.2, linestyle=line)
                axes.add_patch(frame)
        tables = points.columns.get_level_values("table").to_list()
        names = [name.replace("_", "\n") for name in points.columns.get_level_values("algorithm")]
        axes.set_xticks(range(len(names)), names, fontsize=SMALL)
        axes.set_yticks(range(len(points)), map(label, points.index))
        for table in dict.fromkeys(tables):
            places = [k for k, other in enumerate(tables) if other == table]
            axes.text(float(np.mean(places)), -0.75, f"Table {table}", ha="center")
            axes.axvline(places[-1] + 0.5, color=GROUND, linewidth=4)
        axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(points) - 0.5, -0.5))
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    return Picture(figure, difference_text(cells), cells)


def _mark(verdict: Any, value: float) -> tuple[str, dict[str, Any]]:
    """Text of a cell of the heat map, and how it is written."""
    grey = {"color": GUIDE}
    match verdict:
        case "agrees" | "differs" | "undecided" | "explained":
            form = {"fontweight": "bold"} if verdict in DIFFERING else {}
            form |= {"fontstyle": "italic"} if verdict == "undecided" else {}
            return f"{round(value, 1) + 0.0:+.1f}", form
        case "excluded" if not math.isnan(value):
            return f"({round(value, 1) + 0.0:+.1f})", grey
        case "no printed value" | "excluded":
            return "?", grey
        case "not run":
            return "–", grey
    return "", grey


def difference_text(cells: pd.DataFrame) -> str:
    judged = cells[cells["verdict"].isin(JUDGED)]
    if judged.empty:
        return "No cell with a printed value has a result yet."

    def listed(verdict: str) -> str:
        found = judged["difference"][judged["verdict"] == verdict]
        named = [f"{table} {label(name)} {algorithm}" for table, name, algorithm in found.index]
        return "; ".join(f"{n} {100 * d:+.1f}" for n, d in zip(named, found, strict=True)) or "none"

    are_explained = (judged["verdict"] == "explained").any()
    return (
        f"{(judged['verdict'] == 'agrees').sum()} of {len(judged)} cells agree, "
        f"{(judged['verdict'] == 'undecided').sum()} are undecided; those that differ, in points: "
        f"{listed('differs')}"
        + (f"; those that differ and are explained: {listed('explained')}." if are_explained else ".")
    )
