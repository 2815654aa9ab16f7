"""Errors of memorising trees by the moment of the test, and what testing before learning gains."""

from textwrap import fill

import pandas as pd

from oza.datasets import list_datasets

from ..figures import BOOSTING, GROUND, GUIDE, INK, WARM, Picture, drawing, panels
from ..tables.printed import label

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


def moment_bars(comparisons: pd.DataFrame) -> Picture:
    """Draw for each data set and base model what testing before learning gains, in percentage points.

    A panel for each base model. A filled bar is a significant difference (Welch's t-test at 0.05), a pale one
    is not, and a hollow one is a single split without a test. What was not run has no bar.
    """
    tested = set(comparisons.index.get_level_values("dataset"))
    datasets = [name for name in list_datasets() if name in tested]
    names = [fill(label(name), 18) for name in datasets]
    bases = {base: name for base, name in _BASES.items() if base in comparisons.index.unique("base_model")}
    lines = ["Tested before learning, minus the thesis's form, in percentage points of accuracy."]
    with drawing((80 + 22 * len(datasets)) * -(-len(bases) // 3), wide=True) as figure:
        every = panels(figure, len(bases), sharex=True)
        for axes, (base, name) in zip(every, bases.items(), strict=True):
            found = pd.DataFrame(comparisons.loc[base])
            rows = found.reindex(datasets).dropna(subset=["difference"])
            for i, (_, row) in zip(map(datasets.index, rows.index), rows.iterrows(), strict=True):
                face = {"unknown": GROUND, "none": WARM}.get(row["mark"], BOOSTING)
                look = {"color": face, "edgecolor": BOOSTING, "linewidth": 0.8}
                axes.barh(i, 100 * row["difference"], 0.7, **look)
            axes.axvline(0, color=GUIDE, linewidth=0.8)
            axes.set(title=name, yticks=range(len(datasets)), yticklabels=names)
            axes.set(ylim=(len(datasets) - 0.4, -0.6), xlabel="points gained")
            gains = "; ".join(f"{label(str(dataset))} {_gain(row)}" for dataset, row in rows.iterrows())
            lines.append(f"{name}: {gains}")
    return Picture(figure, "\n".join(lines), comparisons)


def _gain(row: pd.Series) -> str:
    points = f"{100 * row['difference'] + 0.0:+.1f}"
    return f"({points})" if row["mark"] == "unknown" else points + _SIGNS.get(row["mark"], "")
