"""Speed beside that of peers, as plot and words."""

import numpy as np
import pandas as pd

from ..figures import GUIDE, INK, SMALL, Picture, drawing, named_rows


def ratio_text(ratio: float) -> str:
    """Write a ratio with three digits or, from 100 on, as a whole number: "3,333×", "0.042×"."""
    return f"{ratio:,.0f}×" if ratio >= 100 else f"{ratio:.3g}×"


def benchmark_plot(cells: pd.DataFrame) -> Picture:
    """Plot examples per second on a logarithmic scale, one line a comparison.

    Ours are filled, peers hollow, joined by a line with the ratio; a bar marks the target.
    """
    with drawing(100 + 44 * max(len(cells), 1)) as figure:
        axes = figure.subplots()
        places = range(len(cells))
        axes.hlines(places, cells["peer_rate"], cells["rate"], color=GUIDE, linewidth=0.8, zorder=1)
        axes.plot(cells["rate"], places, "o", color=INK, label="ours")
        axes.plot(cells["peer_rate"], places, "s", color=INK, fillstyle="none", label="peer")
        axes.plot(cells["target"], places, "|", color=GUIDE, markersize=14, label="target")
        names = []
        for place, cell in zip(places, cells.to_dict("records"), strict=True):
            names.append(f"{cell['work']}, {cell['task']}\n{cell['dataset']}")
            if cell["peer"]:
                names[-1] += f", beside {cell['peer']}"
                middle = np.sqrt(cell["rate"] * cell["peer_rate"]), place
                text = ratio_text(cell["ratio"])
                axes.annotate(text, middle, (0, 7), textcoords="offset points", ha="center", size=SMALL)
        named_rows(axes, names, xscale="log", xlabel="examples per second")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return Picture(figure, _text(cells), cells)


def _text(cells: pd.DataFrame) -> str:
    beside = (
        f"{cell['work']}, {cell['task']}, {cell['dataset']}: {ratio_text(cell['ratio'])} {cell['peer']}"
        for cell in cells.to_dict("records")
        if cell["peer"]
    )
    return "Examples per second, ours beside those of peers. " + "; ".join(beside) + "."
