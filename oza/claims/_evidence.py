"""What several checks ask of their evidence."""

from collections.abc import Iterable

import pandas as pd


def vanishes(values: pd.Series) -> bool:
    """Whether a positive sequence falls from its peak at least as fast as N to the power −1/4."""
    tail = values.loc[values.idxmax() :]
    if len(tail) < 2:
        return False
    slowest = tail.iloc[0] * (tail.index[0] / tail.index[-1]) ** 0.25
    return bool(tail.is_monotonic_decreasing and tail.iloc[-1] <= slowest)


def counted(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells of accuracies that have a result and are not reported apart."""
    return cells[cells["mean"].notna() & (cells["verdict"] != "apart")]


def tested(cells: pd.DataFrame) -> pd.DataFrame:
    """Those of them that were tested against a single model."""
    found = counted(cells)
    is_single = found.index.get_level_values("algorithm").str.contains("single")
    return found[~is_single & (found["welch"] != "unknown")]


def loss(cells: pd.DataFrame, a: str, b: str) -> pd.Series:
    """How much less accurate `b` is than `a`, on each data set; those with least training data first."""
    found = counted(cells)
    means = found["mean"].unstack("algorithm")
    if not {a, b} <= set(means):
        return pd.Series(dtype=float)
    sizes = found["n_train"].groupby(level="dataset").max()
    gaps = (means[a] - means[b]).dropna()
    return gaps.loc[sizes[gaps.index].sort_values(kind="stable").index]


def halves(gaps: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Losses on the smaller and on the larger data sets."""
    middle = len(gaps) // 2
    return gaps.iloc[:middle], gaps.iloc[middle:]


def marked(cells: pd.DataFrame, algorithm: str, mark: str) -> set[str]:
    """Data sets on which an algorithm has a mark against its single model."""
    found = tested(cells)
    is_it = (found.index.get_level_values("algorithm") == algorithm) & (found["welch"] == mark)
    return set(found[is_it].index.get_level_values("dataset"))


def names(datasets: Iterable[str]) -> str:
    """List data sets in a sentence."""
    return ", ".join(sorted(set(datasets))) or "none"
