"""Threads, copies and weights: what would refute the claims."""

import pandas as pd

SPEED = pd.DataFrame(
    {
        "critical": [1.9, 1.8, 1.95, 1.85],
        "elapsed": [1.5, 1.2, 1.6, 1.4],
        "at_once": True,
        "same": True,
        "repetitions": 10,
    }
)
WAITING = pd.DataFrame({"algorithm": ["boosting", "bagging"], "models": [9, 9], "changed": [8, 0]})

#: Evidence for the claims, against them, and too little.
EVIDENCE = {
    "C128": (
        (SPEED, WAITING),
        (SPEED.assign(critical=1.0), WAITING),
        (SPEED.assign(at_once=[True, True, True, False]), WAITING),
    )
}

#: What would refute the claims.
COUNTER = {"C135": lambda changed, control: (changed | {"decision tree": 1}, control)}

AGAINST = [
    ("C128", (SPEED.assign(same=[True, False, True, True]), WAITING)),
    ("C128", (SPEED, WAITING.assign(changed=[8, 1]))),
    ("C128", (SPEED, WAITING.assign(changed=[2, 0]))),
]
