"""Experts: what would refute the claims."""

import pandas as pd


def gains(forecasters, ensembles):
    """Cases, each repeated twice, with these mean gains."""
    rows = [
        (kind, f"p{i}", "m", gain + change)
        for kind, cases in (("forecaster", forecasters), ("ensemble", ensembles))
        for i, gain in enumerate(cases)
        for change in (-0.05, 0.05)
    ]
    return pd.DataFrame(rows, columns=["kind", "problem", "method", "gain"])


NONE, SOME = [0.0, -0.01, -0.005] * 3, [0.03, 0.02, 0.04] * 3

#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C037": ((gains(NONE, SOME),), (gains(NONE, NONE),), (gains(NONE, SOME[:4] + NONE[:4]),))}

#: What would refute the claims.
COUNTER = {
    "C033": lambda runs: runs.assign(mistakes=10 * runs["mistakes"]),
    "C034": lambda share_of_bad, changed, later: (share_of_bad + 0.02, changed, later),
    "C035": lambda signals: signals.assign(regret=1e9),
    "C036": lambda operations: operations.assign(recursive=operations["afresh"]),
}
