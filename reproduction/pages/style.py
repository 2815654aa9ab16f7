"""How a figure gets onto a page of the book."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from oza.compare.style import svg


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure that shows itself on a page as SVG, and in a terminal in words."""

    figure: Figure
    text: str  # the same in words, for readers who cannot see it; the book has it in the cell's metadata
    cells: pd.DataFrame  # the numbers that are drawn, not rounded

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": svg(self.figure), "text/plain": self.text}


def panels(figure: Figure, n: int, per_row: int = 3, **options: Any) -> list[Any]:
    """Axes of n panels, so many in a row; what is left over of the last row is hidden."""
    every = figure.subplots(-(-n // per_row), min(per_row, n), squeeze=False, **options).ravel().tolist()
    for axes in every[n:]:
        axes.set_visible(False)
    return every[:n]


def show(figure: Figure, text: str) -> None:
    """Show a figure that a notebook draws itself, with the same in words, which a terminal prints."""
    from IPython.display import display

    display({"image/svg+xml": svg(figure), "text/plain": text}, raw=True)
