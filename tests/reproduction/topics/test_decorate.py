"""DECORATE: what would refute its claim."""

import pandas as pd


def few(small, whole):
    """Gains of DECORATE with small and with whole training sets, a little different on each data set."""
    rows = [
        (other, name, percent, gain + 0.001 * i)
        for other in ("single", "bagging", "boosting")
        for i, name in enumerate(("a", "b", "c", "d"))
        for percent, gain in ((5, small), (20, small), (100, whole))
    ]
    names = ["other", "dataset", "percent", "difference"]
    return pd.DataFrame(rows, columns=names).set_index(names[:3])


#: Evidence for the claims, against them, and too little.
EVIDENCE = {"C126": ((few(0.05, 0.01),), (few(-0.05, 0.01),))}
