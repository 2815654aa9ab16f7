"""Active learning: what would refute its claim."""

import pandas as pd


def labels(active):
    rows = [
        (name, tested, 60.0 + i, count + i)
        for tested, count in active.items()
        for i, name in enumerate(("a", "b", "c", "d"))
    ]
    runs = pd.DataFrame(rows, columns=["dataset", "tested", "random", "active"])
    return runs.set_index(["dataset", "tested"])


FEWER = labels({"bagging": 30.0, "boosting": 35.0, "decorate": 20.0})
MORE = labels({"bagging": 30.0, "boosting": 90.0, "decorate": 20.0})

#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C127": ((FEWER,), (MORE,))}
