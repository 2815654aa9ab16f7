"""What several checks ask of their evidence."""

import numpy as np
import pandas as pd


def vanishes(values: pd.Series) -> bool:
    """Whether a positive sequence falls from its peak at least as fast as N to the power −1/4."""
    tail = values.loc[values.idxmax() :]
    if len(tail) < 2:
        return False
    slowest = tail.iloc[0] * (tail.index[0] / tail.index[-1]) ** 0.25
    return bool(tail.is_monotonic_decreasing and tail.iloc[-1] <= slowest)


def rate(values: pd.Series) -> float:
    """Exponent a of the power law Nᵃ that fits a positive series best, on logarithmic scales.

    Examples
    --------
    >>> round(rate(pd.Series([1.0, 0.5, 0.25], index=[100, 400, 1600])), 3)
    -0.5
    """
    return float(np.polyfit(np.log(values.index.to_numpy(float)), np.log(values.to_numpy(float)), 1)[0])
