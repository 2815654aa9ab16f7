"""Where MOA's ADWIN finds changes: recorded once, for the tests.

    python -m benchmarks.adwin

writes `tests/drift/moa_adwin.json`, from MOA in the wheel of CapyMOA; Java is needed.
"""

import json
from pathlib import Path

import numpy as np

from benchmarks.peers import CAPYMOA, moa_adwin
from oza.kernels.draws import uniforms

RECORD = Path(__file__).parents[1] / "tests" / "drift" / "moa_adwin.json"

#: Delta, clock, number of values, number of jumps, and whether the values are zeros and ones.
SERIES = {
    "errors": (0.002, 32, 1_000_000, 300, True),
    "rare errors": (0.002, 32, 200_000, 100, True),
    "steady errors": (0.3, 1, 100_000, 0, True),
    "numbers": (0.002, 32, 200_000, 100, False),
    "numbers, each looked at": (0.05, 1, 20_000, 10, False),
}


def series(name):
    """A stream whose mean jumps here and there."""
    _, _, n, n_jumps, is_binary = SERIES[name]
    jumps = np.floor(uniforms(n_jumps, "adwin", name, "jumps") * n)
    level = uniforms(n_jumps + 1, "adwin", name, "levels")
    if name == "rare errors":
        level = level**4
    means = level[np.searchsorted(np.sort(jumps), np.arange(n), side="right")]
    draws = uniforms(n, "adwin", name, "draws")
    return (draws < means).astype(float) if is_binary else (means + draws) / 2


def moa_answers(name):
    """Positions of the changes, and for each, and at the end, the width and mean of the window in MOA."""
    delta, clock, *_ = SERIES[name]
    lines = moa_adwin(series(name), delta, clock)
    return {
        "positions": [int(line[0]) for line in lines[:-1]],
        "widths": [int(line[1]) for line in lines],
        "means": [float(line[2]) for line in lines],
    }


if __name__ == "__main__":
    recorded = {"made_with": CAPYMOA, "made_by": "python -m benchmarks.adwin"}
    recorded |= {"series": {name: moa_answers(name) for name in SERIES}}
    RECORD.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")
    for name, answers in recorded["series"].items():
        print(f"{name}: {len(answers['positions'])} changes")
