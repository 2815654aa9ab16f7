"""The look of figures, and their SVG text: the same bytes each time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colours that colour-blind readers tell apart (Okabe and Ito 2008).
BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#767676"
ORANGE, SKY = "#E69F00", "#56B4E9"

#: A colour and a line for each algorithm: batch dashed, online solid, primed dotted.
LINES = {
    "single": (GREY, "--"),
    "online_single": (GREY, "-"),
    "bagging": (BLUE, "--"),
    "online_bagging": (BLUE, "-"),
    "boosting": (VERMILION, "--"),
    "online_boosting": (VERMILION, "-"),
    "primed_boosting": (GREEN, ":"),
    "primed_200": (PURPLE, ":"),
    "hoeffding_tree": (GREY, "-"),
    "leveraging_bagging": (ORANGE, "-"),
    "adaptive_random_forest": (SKY, "-"),
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
