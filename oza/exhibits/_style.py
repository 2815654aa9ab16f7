"""The book's look for figures, and how a figure gets onto a page: as SVG, the same bytes each time."""

import io
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

#: Colours that colour-blind readers tell apart (Okabe and Ito), by what they stand for.
OURS, PRINTED, GUIDE = "#0072B2", "#D55E00", "#767676"

#: A colour and a line for each algorithm: batch dashed, online solid, primed dotted.
LINES = {
    "single": (GUIDE, "--"),
    "online_single": (GUIDE, "-"),
    "bagging": (OURS, "--"),
    "online_bagging": (OURS, "-"),
    "boosting": (PRINTED, "--"),
    "online_boosting": (PRINTED, "-"),
    "primed_boosting": ("#009E73", ":"),
    "primed_200": ("#CC79A7", ":"),
}

STYLE: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",  # so that dark pages need no second version
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "oza",
}


def svg(figure: Figure) -> str:
    """Draw a figure as SVG text; equal figures give equal text."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


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
