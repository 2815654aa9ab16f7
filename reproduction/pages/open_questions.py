"""The questions that the KDD paper leaves open: lossy learners, and forms of online boosting."""

from typing import Any

import pandas as pd

from ..figures import Picture, lines, ordered, paneled
from ..studies.boosting_forms import FORMS, STREAMS
from ..studies.statistics import outcome
from ..tables.printed import label
from .table import Table

_SIGNS = {"equal": " =", "undecided": " ?"}
_BASES = {
    "naive_bayes": "Naive Bayes",
    "hoeffding_tree": "Hoeffding trees",
    "decision_stump": "Stumps",
    "decision_tree": "Trees",
}
_STREAM_NAMES = {"led": "LED", "rbf": "RBF", "sea": "SEA"}


def gains_table(gains: pd.DataFrame, place: str) -> Table:
    """Lay out what each form of online boosting gains over the thesis's, in percentage points.

    Accuracy of the thesis's form, and differences: ▲ and ▽ where the form is more or less accurate, = where
    they are equal, ? where it is undecided, by the rule of equality. `place` is "stream" or "data set".
    """
    cells = gains[gains.index.get_level_values("place") == place].droplevel("place")
    pairs = zip(cells["difference"], cells["equivalence"], strict=True)
    texts = pd.Series([_points(*pair) for pair in pairs], cells.index)
    shown = pd.DataFrame({form: texts.xs(form, level="form") for form in list(FORMS)[1:]})
    shown.insert(0, "thesis", cells["thesis"].groupby(level=[0, 1]).first().map("{:.3f}".format))
    order = [*_BASES]
    shown = shown.loc[sorted(shown.index, key=lambda row: (order.index(row[0]), row[1]))]
    names = [
        (_BASES[base], _STREAM_NAMES.get(name, name.capitalize()) if name in STREAMS else label(name))
        for base, name in shown.index
    ]
    shown.index = pd.MultiIndex.from_tuples(names, names=["base model", place])
    title = f"Forms of online boosting, minus the thesis's, by {place}: percentage points of accuracy"
    return Table(title, cells, shown, pd.DataFrame("", shown.index, shown.columns))


def _points(difference: float, equivalence: str) -> str:
    sign = _SIGNS.get(equivalence) or (" ▲" if difference > 0 else " ▽")
    return f"{100 * difference + 0.0:+.1f}{sign}"


def counted_gains(gains: pd.DataFrame) -> pd.DataFrame:
    """Count on how many streams and data sets each form is better than the thesis's, worse, equal or neither.

    A row for each place, base model and form, with the mean difference.
    """
    pairs = zip(gains["difference"], gains["half_width"], strict=True)
    told = pd.Series([outcome(*pair) for pair in pairs], gains.index)
    levels = ["place", "base_model", "form"]
    counts = pd.get_dummies(told).groupby(level=levels).sum()
    counts = counts.reindex(columns=["better", "worse", "equal", "undecided"], fill_value=0)
    return counts.assign(mean=gains["difference"].groupby(level=levels).mean())


def lossy_curves(errors: pd.DataFrame) -> Picture:
    """Plot the errors of networks against the number of updates for each example.

    A panel for each data set, a line for each number of training examples; on the right the error of networks
    that learned as many examples in batch.
    """
    sizes = sorted(errors.index.unique("n_train"))
    looks = {size: (color, "o-") for size, color in zip(sizes, ordered(len(sizes)), strict=True)}
    names = {size: f"N = {size:,}" for size in sizes}
    texts = []
    options: Any = {"per_row": 2, "wide": errors.index.unique("dataset").size > 1, "legend": 3}
    with paneled(errors.groupby(level="dataset", sort=False), 290, head=30, **options) as (figure, grid):
        for axes, dataset, rows in grid:
            part = rows.loc[dataset].droplevel("n_models")
            updates = [number for number in part if number]
            lines(axes, part[updates].T, looks, names=names, markersize=4)
            for size, row in part.iterrows():
                axes.plot(2 * updates[-1], row[0], "D", color=looks[size][0], markersize=5)
                texts.append(
                    f"{label(dataset)}, N = {size}: {row[updates[0]]:.3f} with one update, "
                    f"{row[updates[-1]]:.3f} with {updates[-1]}, {row[0]:.3f} in batch"
                )
            axes.set_xscale("log", base=2)
            axes.set_xticks([*updates, 2 * updates[-1]], [*map(str, updates), "batch"])
            axes.set(title=label(dataset), ylim=(0, None))
            axes.set(xlabel="updates for each example", ylabel="error")
    return Picture(figure, "\n".join(texts), errors)
