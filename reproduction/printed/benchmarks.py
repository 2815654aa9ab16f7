"""Speed beside that of peers: what `make bench` recorded."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..paths import DATA


def read_benchmarks(path: Path = DATA / "results" / "benchmarks.json") -> dict[str, Any] | None:
    """Read what the benchmark recorded, as it writes it; None where nothing is recorded."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


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
