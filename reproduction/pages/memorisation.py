"""Errors of memorising trees by the moment of the test, and what testing before learning gains."""

from textwrap import fill

import pandas as pd

from oza.datasets import list_datasets

from ..figures import BOOSTING, GROUND, WARM, Picture, named_rows, paneled
from ..tables.printed import label

_BASES = {
    "decision_tree": "Trees",
    "decision_stump": "Stumps",
    "naive_bayes": "Naive Bayes",
    "neural_network": "Networks, 1 update",
    "neural_network_10": "Networks, 10 updates",
}
_SIGNS = {"better": " ▲", "worse": " ▽"}


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
