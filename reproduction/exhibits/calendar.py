"""Tables 3.12 and 4.13: the calendar experiment."""

import pandas as pd

from oza.compare.table import Table

from ..tables import printed
from ..tables.layout import heading


def calendar_table(accuracy: pd.DataFrame) -> Table:
    """Set accuracies on the generated stream beside those printed for the calendar data, without verdict.

    Parameters
    ----------
    accuracy : DataFrame
        Rows of the study `calendar`.

    Returns
    -------
    Table
        A row for each base model, columns by target: our algorithms, then the printed ones.
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
    wide = cells.unstack(["target", "source", "algorithm"], sort=False).loc[accuracy["base_model"].unique()]
    wide = wide.sort_index(axis="columns", level=["target", "source"], sort_remaining=False)
    shown = wide.map(lambda value: "–" if pd.isna(value) else f"{value:.4f}")
    columns: list[tuple[str, str, str]] = wide.columns.to_list()
    shown.columns = pd.MultiIndex.from_tuples(
        (target, f"{heading(algorithm)}, {source}") for target, source, algorithm in columns
    )
    names = [str(name).replace("_10", ", 10 updates").replace("_", " ") for name in wide.index]
    shown.index = pd.Index(names, name="Base model")
    title = "Tables 3.12 and 4.13: fraction correct on a generated stream, beside the printed values"
    return Table(title, cells.to_frame(), shown, pd.DataFrame("", shown.index, shown.columns))
