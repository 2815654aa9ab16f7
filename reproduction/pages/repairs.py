"""Ways of boosting online: how they pass weights on, and their outcomes on data sets and streams."""

from typing import Any

import pandas as pd

from ..printed.table import Table
from ..studies.repairs import SINGLE, THESIS, VARIANTS

#: The ways, and what they are compared with, by name.
NAMES = {
    THESIS: "the thesis's",
    "online_boosting_later": "later update",
    "online_boosting_tested_before": "tested before",
    "os_boost": "OSBoost",
    "online_bbm": "Online BBM",
    "adaboost_olm": "Adaboost.OLM",
    "bole": "BOLE",
    "online_bbm_unscaled": "Online BBM, undivided",
    "adaboost_olm_doubled": "Adaboost.OLM, doubled",
    SINGLE: "single model",
    "boosting": "boosting in batch",
}
#: References, in sentences.
_REFERENCES = {
    THESIS: "the thesis's version",
    SINGLE: "a single model",
    "boosting": "boosting in batch",
    "single_half": "one tree at weight ½",
    "single_quarter": "one tree at weight ¼",
    "online_boosting_half": "the thesis's version at weight ½",
    "online_boosting_quarter": "the thesis's version at weight ¼",
}


def outcome_table(counts: pd.DataFrame, reference: str) -> Table:
    """Lay out how often each way is better than a reference, worse or equal, and the mean difference."""
    part: Any = counts.xs(reference, level="reference")
    part = part.loc[[way for way in (THESIS, *VARIANTS) if way in part.index]]
    shown = part.drop(columns=["difference", "half_width"]).astype(str)
    means = zip(part["difference"], part["half_width"], strict=True)
    shown["mean difference"] = [f"{100 * mean + 0.0:+.1f} ± {100 * half:.1f}" for mean, half in means]
    shown.index = pd.Index([NAMES[way] for way in part.index], name="variant")
    title = f"Outcomes beside {_REFERENCES[reference]}, of 39 pairs"
    return Table(title, part, shown, pd.DataFrame("", shown.index, shown.columns))


def stream_table(streams: pd.DataFrame, sample: str, reference: str = THESIS) -> Table:
    """Lay out the difference of accuracy of each way from a reference on a sample of streams."""
    signs = {"better": " ▲", "worse": " ▽", "equal": " =", "undecided": " ?"}
    title = f"Difference of accuracy from {_REFERENCES[reference]}, in points, by share of wrong labels"
    return _by_condition(streams, signs, f"{title}: {sample}")


def remaining_table(cells: pd.DataFrame, remains: pd.Series) -> Table:
    """Lay out the difference of each way from its most accurate reference, ▲ where its lead remains."""
    kinds = ["way", "drifts", "flipped"]
    least: Any = cells.loc[cells.groupby(kinds)["difference"].idxmin()].droplevel("reference")
    title = (
        "Difference of accuracy from the thesis's version or a control, whichever is most accurate, "
        "in points, by share of wrong labels"
    )
    return _by_condition(least.assign(outcome=remains), {True: " ▲", False: ""}, title)


def _by_condition(streams: pd.DataFrame, signs: dict[Any, str], title: str) -> Table:
    texts = pd.Series([_points(row, signs) for _, row in streams.iterrows()], streams.index)
    ways = [way for way in dict.fromkeys((SINGLE, *NAMES)) if way in streams.index.unique("way")]
    shown: Any = texts.unstack(["drifts", "flipped"]).loc[ways].sort_index(axis=1)
    shown.columns = pd.MultiIndex.from_tuples(
        [("with drift" if drifts else "without drift", f"{share:.0%}") for drifts, share in shown.columns]
    )
    shown.index = pd.Index([NAMES[way] for way in shown.index], name="variant")
    return Table(title, streams, shown, pd.DataFrame("", shown.index, shown.columns))


def line_table(lines: pd.DataFrame) -> Table:
    """Lay out what each line of BOLE changes alone, and what BOLE lacks without it."""
    names = {"in_order": "order of the models", "later": "later update", "all_vote": "all models vote"}
    shown = pd.DataFrame(index=pd.Index([names[line] for line in lines.index], name="line"))
    for run, said in (("alone", "with it alone"), ("missing", "BOLE with it, from BOLE without")):
        means = zip(lines["difference", run], lines["half_width", run], strict=True)
        shown[said] = [f"{100 * mean + 0.0:+.2f} ± {100 * half:.2f}" for mean, half in means]
    for told in ("enough", "needed"):
        shown[told] = ["yes" if found else "no" for found in lines[told]]
    title = "Difference of accuracy, in points, that each line of BOLE makes on average over data sets"
    return Table(title, lines, shown, pd.DataFrame("", shown.index, shown.columns))


def _points(row: Any, signs: dict[Any, str]) -> str:
    return f"{100 * row['difference'] + 0.0:+.1f} ± {100 * row['half_width']:.1f}{signs[row['outcome']]}"
