"""The questions that the KDD paper leaves open: forms of online boosting."""

import pandas as pd

from ..printed.printed import label
from ..printed.table import Table
from ..statistics import outcome
from ..studies.boosting_forms import FORMS, STREAMS

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
    title = f"Variants of online boosting, minus the thesis's, by {place}: percentage points of accuracy"
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
