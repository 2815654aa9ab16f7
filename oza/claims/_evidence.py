"""What several checks ask of their evidence."""

import pandas as pd


def vanishes(values: pd.Series) -> bool:
    """Whether a positive sequence falls from its peak at least as fast as N to the power −1/4."""
    tail = values.loc[values.idxmax() :]
    if len(tail) < 2:
        return False
    slowest = tail.iloc[0] * (tail.index[0] / tail.index[-1]) ** 0.25
    return bool(tail.is_monotonic_decreasing and tail.iloc[-1] <= slowest)
