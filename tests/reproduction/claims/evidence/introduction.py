"""Evidence about votes, reweighting and passes."""

from fractions import Fraction

import numpy as np
import pandas as pd

VOTES = pd.DataFrame(
    [(3, 0.3, 0.216, 1000, 216), (5, 0.1, 0.00856, 1000, 9), (4, 0.5, 0.3125, 1000, 300)],
    columns=["models", "error", "formula", "n_examples", "n_wrong"],
)
SAME = np.array([0, 1, 1, 0])
OTHER = np.array([0, 1, 0, 0])
DISJOINT = np.eye(3, 5, dtype=bool)
PASSES = pd.DataFrame(
    [
        (name, t, m, count(t, m))
        for t, m in [(1, 4), (3, 2)]
        for name, count in {
            "bagging": lambda t, m: t * m,
            "boosting": lambda t, m: m * (t + 1),
            "online bagging": lambda t, m: 1,
            "online boosting": lambda t, m: 1,
        }.items()
    ],
    columns=["algorithm", "T", "M", "passes"],
)

EVIDENCE = {
    "C001": ((VOTES,), (VOTES.assign(n_wrong=[300, 9, 300]),), (VOTES[:1],)),
    "C002": ((Fraction(27, 125), "0.22"), (Fraction(21, 100), "0.22")),
    "C003": (
        (SAME, np.array([SAME, SAME]), SAME),
        (SAME, np.array([SAME, SAME]), OTHER),
        (SAME, np.array([SAME, OTHER]), SAME),
    ),
    "C004": (
        (DISJOINT, np.zeros(5, bool)),
        (DISJOINT, np.eye(1, 5, dtype=bool)[0]),
        (np.ones((3, 5), bool), np.ones(5, bool)),
    ),
    "C005": ((np.array([0.5, 0.5 + 1e-15]), 100), (np.array([0.5, 0.4999]), 100), (np.array([]), 100)),
    "C006": ((PASSES,), (PASSES.assign(passes=PASSES["T"] * PASSES["M"]),), (PASSES[:4],)),
}

AGAINST = [
    ("C006", (PASSES.assign(passes=PASSES["passes"] + (PASSES["algorithm"] == name)),))
    for name in PASSES["algorithm"].unique()
]
