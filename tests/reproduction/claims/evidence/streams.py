"""Evidence about learning from streams that change."""

import pandas as pd

ALARMS = pd.DataFrame(
    {
        "delta": [0.01, 0.1],
        "rate": [0.2, 0.2],
        "n_checks": [30_000, 30_000],
        "n_alarms": [3, 900],
        "n_runs": [100, 100],
        "n_alarmed": [2, 90],
    }
)
JUMPS = pd.DataFrame(
    {
        "size": [0.1, 0.4],
        "kept": [1.0, 1.0],
        "delay": [500.0, 60.0],
        "promised": [9000.0, 210.0],
        "window": [1.0, 1.1],
    }
)
SLOPES = pd.Series({1e-4: 900.0, 1e-3: 200.0})

EVIDENCE = {
    "C138": ((ALARMS,), (ALARMS.assign(n_alarms=400),), (ALARMS[:1],)),
    "C139": ((JUMPS, SLOPES), (JUMPS.assign(delay=300.0), SLOPES), (JUMPS[:1], SLOPES)),
}

AGAINST = [
    ("C139", (JUMPS.assign(kept=0.9), SLOPES)),
    ("C139", (JUMPS.assign(window=[1.0, 2.5]), SLOPES)),
    ("C139", (JUMPS, SLOPES * 0 + 200.0)),
    ("C139", (JUMPS.assign(delay=float("inf")), SLOPES)),
]
