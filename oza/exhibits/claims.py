"""What became of the claims of a chapter."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from ..claims import CLAIMS_TYPE, Verdict, verdict_table
from ._table import Table


class ClaimsTable(Table):
    """A table of claims: each row can be linked to, and a program can read the verdicts."""

    def styled(self) -> Styler:
        """Style the table for a page; the number of a claim is the anchor of its row."""
        return super().styled().format_index(lambda claim: f'<span id="{claim}">{claim}</span>')

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        rows = self.cells[["verdict", "evidence"]].rename(columns={"verdict": "outcome"})
        return {CLAIMS_TYPE: {"claims": rows.reset_index().to_dict("records")}}


def claims_table(verdicts: Iterable[Verdict]) -> ClaimsTable:
    """Claims, each with what sort of claim it is, what became of it, and the evidence.

    Parameters
    ----------
    verdicts : iterable of Verdict
        As the checks of `oza.claims` give them.

    Returns
    -------
    ClaimsTable

    Examples
    --------
    >>> from oza.exhibits import claims_table
    >>> from oza.claims import Verdict
    >>> claims_table([Verdict("C053", "holds", "as close as it should be")]).counts()
    {'holds': 1}
    """
    cells = verdict_table(verdicts).set_index("claim")
    marks = pd.DataFrame("", cells.index, cells.columns).assign(verdict=cells["verdict"])
    return ClaimsTable("Claims: what was found", cells, cells, marks, css="dataframe prose")


def verdict_counts(decided: Iterable[Verdict], cells: pd.DataFrame | None = None) -> dict[str, int]:
    """Count the verdicts of a page, on claims and on cells, for the front page and the scorecard.

    Examples
    --------
    >>> from oza.exhibits import verdict_counts
    >>> from oza.claims import Verdict
    >>> verdict_counts([Verdict("C053", "holds", "as close as it should be")])
    {'holds': 1}
    """
    found = Counter(verdict.outcome for verdict in decided)
    found.update([] if cells is None else cells["verdict"])
    return dict(sorted(found.items()))
