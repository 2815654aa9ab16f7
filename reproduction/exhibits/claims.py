"""The verdicts on the claims of a chapter."""

import textwrap
from collections.abc import Iterable

import pandas as pd
from pandas.io.formats.style import Styler

from oza.compare.table import Table

from ..claims import Verdict, verdict_table
from ..claims.pages import TABLES
from ..tables import Record, joined_cells
from .sizes import table_3_1


class ClaimsTable(Table):
    """A table of claims: each row can be linked to."""

    def styled(self) -> Styler:
        """Style the table for a page; the number of a claim is the anchor of its row."""
        return super().styled().format_index(lambda claim: f'<span id="{claim}">{claim}</span>')


def claims_table(verdicts: Iterable[Verdict]) -> ClaimsTable:
    """Claims, each with what sort of claim it is, what became of it, and the evidence.

    Parameters
    ----------
    verdicts : iterable of Verdict
        As the checks of `reproduction.claims` give them.

    Returns
    -------
    ClaimsTable

    Examples
    --------
    >>> from reproduction.exhibits import claims_table
    >>> from reproduction.claims import Verdict
    >>> claims_table([Verdict("C053", "holds", "as close as it should be")]).counts()
    {'holds': 1}
    """
    cells = verdict_table(verdicts).set_index("claim")
    marks = pd.DataFrame("", cells.index, cells.columns).assign(verdict=cells["verdict"])
    return ClaimsTable("Claims: what was found", cells, cells, marks, css="dataframe prose")


def verdict_text(verdict: Verdict, *pages: str) -> str:
    """Write a verdict in plain text: the claim, by what rule it was judged, and what was found in what.

    Parameters
    ----------
    verdict : Verdict
    *pages : str
        Pages of the book that judge the claim.

    Returns
    -------
    str

    Examples
    --------
    >>> from reproduction.claims import Verdict
    >>> from reproduction.exhibits import verdict_text
    >>> print(verdict_text(Verdict("C085", "untestable", "nothing at hand"), "calendar"))
    C085  untestable  (empirical; thesis 3.5.4 p.58-60)  [calendar]
          ...
          Judged: The shape of the calendar data: appointments, inputs, values of both targets.
          Evidence: nothing at hand
    """
    lines = [f"{verdict.claim}  {verdict.outcome}  ({verdict.kind}; {verdict.origin})"]
    lines[0] += f"  [{', '.join(pages)}]" if pages else ""
    evidence = verdict.evidence and f"Evidence: {verdict.evidence}"
    read = [f"Read: {source}" for source in verdict.sources]
    for text in (verdict.statement, f"Judged: {verdict.rule}", evidence, *read):
        lines += textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines)


def cell_counts(record: Record) -> dict[str, dict[str, int]]:
    """Count the verdicts on the printed numbers that pages compare, for the front page.

    Parameters
    ----------
    record : Record

    Returns
    -------
    dict
        For each page of `reproduction.claims.pages.TABLES`, verdict to count.

    Examples
    --------
    >>> from reproduction.exhibits import cell_counts
    >>> from reproduction.tables import Record
    >>> cell_counts(Record())["datasets"]
    {'agrees': 59, 'no printed value': 4, 'differs': 1}
    """
    counts = {}
    for page, tables in TABLES.items():
        cells = table_3_1().cells if tables == ("3.1",) else joined_cells(record.accuracies(*tables))
        counts[page] = {str(verdict): int(n) for verdict, n in cells["verdict"].value_counts().items()}
    return counts
