"""How a figure gets onto a page of the book."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from oza.compare.style import svg


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure that shows itself on a page as SVG, and in a terminal in words.

    Attributes
    ----------
    figure : Figure
        The drawing.
    text : str
        The same in words, for readers who cannot see it. In the book, the cell's metadata hold the
        image's alternative text.
    cells : DataFrame
        The numbers that are drawn, not rounded.
    """

    figure: Figure
    text: str
    cells: pd.DataFrame

    def __repr__(self) -> str:
        """Show the words."""
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": svg(self.figure), "text/plain": self.text}


def show(figure: Figure, text: str) -> None:
    """Show a figure that a notebook draws itself.

    Parameters
    ----------
    figure : Figure
        What to show.
    text : str
        The same in words, for readers who cannot see it; also what a terminal prints.
    """
    from IPython.display import display

    display({"image/svg+xml": svg(figure), "text/plain": text}, raw=True)
