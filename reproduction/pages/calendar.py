"""Tables 3.12 and 4.13: the calendar experiment."""

import pandas as pd

from ..printed.layout import heading
from ..printed.printed import printed
from ..printed.table import Table, stacked


def calendar_table(accuracy: pd.DataFrame) -> Table:
    """Set accuracies on the generated stream beside those printed for the calendar data, without verdict.

    A row for each base model, columns by target and algorithm: ours over the printed value.
    """
    theirs = printed("calendar").query("algorithm != 'reference'")
    ten = theirs["updates_per_example"].eq(10)
    theirs = theirs.assign(base_model=theirs["base_model"] + ten.map({True: "_10", False: ""}))
    cells = pd.concat(
        {
            source: rows.set_index(["base_model", "target", "algorithm"])["accuracy"]
            for source, rows in (("generated", accuracy), ("printed", theirs))
        },
        names=["source"],
    )
    pairs = cells.unstack("source", sort=False).map(lambda value: "" if pd.isna(value) else f"{value:.4f}")
    texts = pd.Series(map(stacked, pairs["generated"].replace("", "–"), pairs["printed"]), pairs.index)
    shown = texts.unstack(["target", "algorithm"], sort=False).loc[accuracy["base_model"].unique()]
    shown = shown.fillna("–").sort_index(axis="columns", level="target", sort_remaining=False)
    shown.columns = pd.MultiIndex.from_frame(
        shown.columns.to_frame().assign(algorithm=lambda names: names["algorithm"].map(heading))
    )
    names = [str(name).replace("_10", ", 10 updates").replace("_", " ") for name in shown.index]
    shown.index = pd.Index(names, name="Base model")
    title = "Tables 3.12 and 4.13: fraction correct on a generated stream, below it the printed value"
    return Table(title, cells.to_frame(), shown, pd.DataFrame("", shown.index, shown.columns))
