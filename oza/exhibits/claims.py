"""What became of the claims of a chapter."""

from collections import Counter
from collections.abc import Iterable

import pandas as pd

from ..claims import Verdict, verdict_table
from ._table import Table


def claims_table(verdicts: Iterable[Verdict]) -> Table:
    """Claims, each with what sort of claim it is, what became of it, and the evidence.

    Parameters
    ----------
    verdicts : iterable of Verdict
        As the checks of `oza.claims` give them.

    Returns
    -------
    Table

    Examples
    --------
    >>> from oza.exhibits import claims_table
    >>> from oza.claims import Verdict
    >>> claims_table([Verdict("C053", "holds", "as close as it should be")]).counts()
    {'holds': 1}
    """
    cells = verdict_table(verdicts).set_index("claim")
    marks = pd.DataFrame("", cells.index, cells.columns).assign(verdict=cells["verdict"])
    return Table("Claims: what was found", cells, cells, marks, css="dataframe prose")


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
