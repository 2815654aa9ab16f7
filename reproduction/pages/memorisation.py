"""Errors of memorising trees by the moment of the test, and what testing before learning gains."""

from textwrap import fill
from typing import Any

import pandas as pd

from oza.datasets import list_datasets

from ..figures import BOOSTING, GROUND, GUIDE, INK, WARM, Picture, lines, named_rows, paneled
from ..tables.printed import label

#: The colour and dashes of each moment of the test.
_LOOKS = {"before": (INK, "-"), "finished": (GUIDE, "--"), "after": (BOOSTING, "-")}
_MOMENTS = {
    "before": "before it learns the example",
    "finished": "when it is finished",
    "after": "right after (the thesis)",
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
    texts = ["Weighted errors of successive trees, by when a tree is tested."]
    options: Any = {"ylabel": "weighted error ε", "legend": 3, "sharey": True}
    with paneled(rows.groupby("dataset", sort=False), 330, **options) as (figure, grid):
        for axes, dataset, part in grid:
            axes.axhline(0.5, color=GUIDE, linewidth=0.8)
            lines(axes, part.set_index("model"), _LOOKS, names=_MOMENTS, linewidth=1.4)
            axes.set(title=label(dataset), xlabel="tree")
            for moment, name in _MOMENTS.items():
                first, last = part[moment].iloc[[0, -1]]
                texts.append(f"{label(dataset)}, {name}: first tree {first:.3f}, last tree {last:.3f}")
    return Picture(figure, "\n".join(texts), rows)


def moment_bars(comparisons: pd.DataFrame) -> Picture:
    """Draw for each data set and base model what testing before learning gains, in percentage points.

    A panel for each base model. A filled bar is a significant difference (Welch's t-test at 0.05), a pale one
    is not, and a hollow one is a single split without a test. What was not run has no bar.
    """
    tested = set(comparisons.index.get_level_values("dataset"))
    datasets = [name for name in list_datasets() if name in tested]
    names = [fill(label(name), 18) for name in datasets]
    bases = {base: name for base, name in _BASES.items() if base in comparisons.index.unique("base_model")}
    texts = ["Tested before learning, minus the thesis's form, in percentage points of accuracy."]
    with paneled(bases, 80 + 22 * len(datasets), wide=True, sharex=True) as (figure, grid):
        for axes, base, name in grid:
            rows = comparisons.loc[base].reindex(datasets)
            faces = rows["mark"].map({"unknown": GROUND, "none": WARM}).fillna(BOOSTING)
            look = {"color": faces, "edgecolor": BOOSTING, "linewidth": 0.8}
            axes.barh(range(len(datasets)), 100 * rows["difference"], 0.7, **look)
            named_rows(axes, names, 0, title=name, xlabel="points gained")
            found = rows.dropna(subset=["difference"])
            gains = "; ".join(f"{label(str(dataset))} {_gain(row)}" for dataset, row in found.iterrows())
            texts.append(f"{name}: {gains}")
    return Picture(figure, "\n".join(texts), comparisons)


def _gain(row: pd.Series) -> str:
    points = f"{100 * row['difference'] + 0.0:+.1f}"
    return f"({points})" if row["mark"] == "unknown" else points + _SIGNS.get(row["mark"], "")
