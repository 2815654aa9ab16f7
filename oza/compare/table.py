"""A table with its numbers, the text that is shown, and a class for each cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


@dataclass(frozen=True, eq=False)
class Table:
    """A table that shows itself as text and as HTML.

    Attributes
    ----------
    title : str
        Which table it is; shown as its caption.
    cells : DataFrame
        Every number behind the table, not rounded, one row a cell, with its verdict.
    shown : DataFrame of str
        The text of each cell, rounded to what is meant.
    verdicts : DataFrame of str
        The verdict on each cell, "" where there is none; same shape as `shown`.
    css : str
        CSS classes of the table: "dataframe prose" for one of sentences.
    """

    title: str
    cells: pd.DataFrame
    shown: pd.DataFrame
    verdicts: pd.DataFrame
    css: str = "dataframe"

    def to_string(self) -> str:
        """Write the table in plain text."""
        return f"{self.title}\n{self.shown.to_string()}"

    def styled(self) -> Styler:
        """Style the table for a page: a caption, and on each cell the class of its verdict.

        The class of "no printed value" is `verdict-no-printed-value`.
        """
        uuid = re.sub(r"\W+", "-", self.title.partition(":")[0]).lower()
        classes = self.verdicts.map(lambda verdict: verdict and "verdict-" + verdict.replace(" ", "-"))
        return (
            self.shown.style.set_uuid(uuid)
            .set_table_attributes(f'class="{self.css}"')
            .set_caption(self.title)
            .set_td_classes(classes)
        )

    def counts(self) -> dict[str, int]:
        """Count the cells with each verdict."""
        return {
            str(verdict): int(n) for verdict, n in self.cells["verdict"].value_counts().sort_index().items()
        }

    def __repr__(self) -> str:
        """Show the plain text."""
        return self.to_string()

    def _repr_html_(self) -> str:
        return self.styled().to_html()
