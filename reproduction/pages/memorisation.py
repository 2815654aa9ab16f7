"""Errors of memorising trees by the moment of the test, and what testing before learning changes."""

import pandas as pd

from oza.compare.style import BOOSTING, GUIDE, INK, drawing
from oza.compare.table import Table
from oza.datasets import list_datasets

from ..tables.printed import label
from .style import Picture

#: A line for each moment of the test.
_MOMENTS = {
    "before": (INK, "-", "before it learns the example"),
    "finished": (GUIDE, "--", "when it is finished"),
    "after": (BOOSTING, "-", "right after (the thesis)"),
}
_BASES = {
    "decision_tree": "Trees",
    "decision_stump": "Stumps",
    "naive_bayes": "Naive Bayes",
    "neural_network": "Networks, 1 update",
    "neural_network_10": "Networks, 10 updates",
}
_SIGNS = {"better": " ▲", "worse": " ▽"}


def moment_curves(rows: pd.DataFrame) -> Picture:
    """Plot the three errors of successive trees, by when a tree is tested; a panel for each data set.

    The rows are those of one form of online boosting, of the study `memorisation`. A line marks one half.
    """
    panels = list(rows.groupby("dataset", sort=False))
    with drawing(330, wide=len(panels) > 2) as figure:
        for axes, (dataset, part) in zip(
            figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels, strict=True
        ):
            axes.axhline(0.5, color=GUIDE, linewidth=0.8)
            for moment, (color, line, name) in _MOMENTS.items():
                axes.plot(part["model"], part[moment], line, color=color, linewidth=1.4, label=name)
            axes.set(title=label(str(dataset)), xlabel="tree")
        figure.axes[0].set_ylabel("weighted error ε")
        figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return Picture(figure, _moment_text(rows), rows)


def _moment_text(rows: pd.DataFrame) -> str:
    lines = ["Weighted errors of successive trees, by when a tree is tested."]
    for dataset, part in rows.groupby("dataset", sort=False):
        for moment, (_, _, name) in _MOMENTS.items():
            first, last = part[moment].iloc[[0, -1]]
            lines.append(f"{label(str(dataset))}, {name}: first tree {first:.3f}, last tree {last:.3f}")
    return "\n".join(lines)


def moment_table(comparisons: pd.DataFrame) -> Table:
    """Lay out, for each data set and base model, what testing before learning gains, in percentage points.

    ▲ and ▽: significantly more and less accurate (Welch's t-test at 0.05). In brackets where there is a
    single split, and so no test; a dash where nothing was run.
    """
    texts = comparisons.apply(_gain, axis="columns").unstack("base_model").fillna("–")
    datasets = [name for name in list_datasets() if name in texts.index]
    index = pd.Index(map(label, datasets), name="Data set")
    shown = texts.loc[datasets].set_axis(index)
    shown = pd.DataFrame(
        {name: shown[base_model] for base_model, name in _BASES.items() if base_model in shown}
    )
    title = "Tested before learning, minus the thesis's form: percentage points of accuracy"
    return Table(title, comparisons, shown, pd.DataFrame("", shown.index, shown.columns))


def _gain(row: pd.Series) -> str:
    points = f"{100 * row['difference'] + 0.0:+.1f}"
    return f"({points})" if row["mark"] == "unknown" else points + _SIGNS.get(row["mark"], "")
