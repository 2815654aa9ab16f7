"""Speed beside that of peers, as `make bench` recorded it, and that of first calls, as plots and words."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..figures import BAGGING, GUIDE, INK, SMALL, Picture, drawing, lines, named_rows
from ..paths import DATA


def read_benchmarks(path: Path = DATA / "results" / "benchmarks.json") -> dict[str, Any] | None:
    """Read what the benchmark recorded, as it writes it; None where nothing is recorded."""
    with suppress(FileNotFoundError):
        return json.loads(path.read_text(encoding="utf-8"))
    return None


def benchmark_cells(record: dict[str, Any]) -> pd.DataFrame:
    """Give one row for each comparison with a peer, and one for each measurement that stands alone.

    Rates in examples per second: `rate` (ours), `peer_rate`, `target` (the rate aimed at, NaN without an
    aim); `peer` is "" without one, `ratio` ours to the peer's.
    """
    cells = []
    for row in record["rows"]:
        ours = {key: row[key] for key in ("work", "task", "dataset")}
        ours["rate"] = row["ours"]["examples_per_second"]
        for name, peer in row["peers"].items():
            rate = peer["examples_per_second"]
            target = rate * (peer["target"] or np.nan)
            cells.append(ours | {"peer": name, "peer_rate": rate, "target": target})
        if row["most_seconds"]:
            alone = row["ours"]["n_examples"] / row["most_seconds"]
        else:
            alone = row["least_rate"] or np.nan
        if alone > 0 or not row["peers"]:
            cells.append(ours | {"peer": "", "peer_rate": np.nan, "target": alone})
    columns = ["work", "task", "dataset", "rate", "peer", "peer_rate", "target"]
    frame = pd.DataFrame(cells, columns=columns)
    return frame.assign(ratio=frame["rate"] / frame["peer_rate"])


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


def read_first_calls() -> pd.DataFrame:
    """Read what `benchmarks/first_calls.py` recorded: seconds and rows, by kind, model and `OZA_COMPILE`."""
    return pd.read_csv(DATA / "results" / "first_calls.csv")


def first_calls_plot(record: pd.DataFrame) -> Picture:
    """Plot the rows that models have predicted and learned against the time since their first call."""
    curves = record[record["kind"] == "curve"]
    looks = {"beside": (BAGGING, "-"), "now": (INK, ":")}
    names = {"beside": "uncompiled meanwhile", "now": "waiting for the compiler"}
    told = []
    with drawing(300) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, model in zip(panels, curves["model"].unique(), strict=True):
            for mode in looks:
                is_shown = (curves["model"] == model) & (curves["compiles"] == mode)
                rows = curves[is_shown].set_index("seconds")["rows"]
                lines(axes, rows.to_frame(mode), {mode: looks[mode]}, names=names)
                told.append(f"{model}, {names[mode]}: first rows after {rows.index[0]:.1f} s")
            axes.set(title=model.partition("(")[0], yscale="log", xlabel="seconds")
        panels[0].set(ylabel="rows")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return Picture(
        figure, "Rows predicted and learned since the first call. " + "; ".join(told) + ".", record
    )
