"""What depends on the margin of equality, and what the rules say of the printed numbers."""

from collections.abc import Sequence

import pandas as pd

from ..claims.registry import claims_where
from ..printed.record import Record
from ..printed.table import Table
from ..statistics import BY_EQUALITY, JUDGED, cell_verdict, equality_margin
from ..topics import checks, judge


def verdicts_by_margin(cells: pd.DataFrame, margins: Sequence[float]) -> pd.DataFrame:
    """Count the verdicts on the cells of a `Scorecard` with several margins of equality, a row each.

    They are those of the rule of equality, so that cells that differ and are explained count as differing.
    """
    judged = cells[cells["verdict"].isin(JUDGED)]
    rows = {}
    for margin in margins:
        with equality_margin(margin):
            cells_at = judged[["mean", "half_width", "printed"]].itertuples(index=False)
            found: list[str] = [cell_verdict(*cell) for cell in cells_at]
        rows[margin] = [found.count(name) for name in BY_EQUALITY]
    return pd.DataFrame.from_dict(rows, "index", columns=[*BY_EQUALITY]).rename_axis("margin")


def outcomes_by_margin(record: Record, claims: Sequence[str], margins: Sequence[float]) -> pd.DataFrame:
    """Judge claims with several margins of equality, a column each."""
    outcomes = {}
    for margin in margins:
        with equality_margin(margin):
            outcomes[margin] = [verdict.outcome for verdict in judge(record, *claims)]
    return pd.DataFrame(outcomes, pd.Index(claims, name="claim"))


def tried_on_print(record: Record) -> Table:
    """Set what rules that need no more say of the printed numbers beside what they say of ours."""
    rows = {}
    for verdict in judge(record, *claims_where("on_print")):
        printed = checks()[verdict.claim].on_print()
        of_print = "" if printed is None else printed.outcome
        rows[verdict.claim] = (verdict.statement, of_print, verdict.outcome)
    columns = ["statement", "printed", "ours"]
    cells = pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("claim")
    title = "Rules that need only printed numbers, and their outcomes on the printed numbers and on ours"
    return Table(title, cells, cells, cells.assign(statement=""), css="dataframe prose")
