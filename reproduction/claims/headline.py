"""Checks of what the thesis says of itself: its abstract (pages 1 and 2) and page 4.

The rules were written when the outcomes of C009, C016, C080 and C101 were known, which read the same tables.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import scipy.stats

from oza.datasets import dataset_info
from oza.evaluation.significance import LEVEL

from ..printed.accuracy import joined_cells
from ..printed.record import Record
from .bagging import comparable_in_three, time_ratio
from .criteria import OFTEN, above_zero, beside, differs, every
from .registry import Decision, claim, require

#: Tables of accuracies and of times by family; networks, whose online learning is lossy, come last.
_TIMES = {
    "bagging": {"3.3": "3.8", "3.4": "3.9", "3.5": "3.10", "3.6": "3.11", "3.7": "3.11"},
    "boosting": {"4.1": "4.7", "4.2": "4.8", "4.3": "4.9", "4.5": "4.11", "4.6": "4.12"},
}
TABLES_OF_TIMES = {table: times for family in _TIMES.values() for table, times in family.items()}
_ONLINE = ["online_bagging", "online_bagging_10", "online_boosting", "online_boosting_10"]


def _lossless(family: str) -> Callable[[Record], tuple[pd.DataFrame]]:
    """Evidence: the cells of trees, Naive Bayes and stumps, which learn the same online as in batch."""
    tables = [*_TIMES[family]][:3]
    return lambda record: (joined_cells(record.accuracies(*tables)),)


@claim("C148", evidence=_lossless("bagging"))
def online_bagging_is_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 to 3.5 together: online bagging is comparable to bagging, as for C009.

    The abstract names no base model. Networks are left out in favour of the claim, because the text says
    that their online version is worse.
    """
    return comparable_in_three(cells, "bagging")


@claim("C149", evidence=_lossless("boosting"))
def online_boosting_is_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 4.1 to 4.3 together: online boosting is comparable to boosting, by the rule of C148.

    The two are comparable if their mean difference over the data sets is equal to 0 by the rule of equality,
    and they differ on at most one case in ten; they are not if the mean is different from 0, or they differ
    on significantly more than one case in ten: two tests, with Holm's correction.
    """
    return comparable_in_three(cells, "boosting")


def ratios_of_times(times: Mapping[str, pd.DataFrame]) -> pd.Series:
    """Divide the time of online by that of batch learning: by table of times, algorithm and data set."""
    found = {}
    for table, cells in times.items():
        for name in cells.index.unique("algorithm").intersection(_ONLINE):
            batch = name.removeprefix("online_").removesuffix("_10")
            found[table, name] = time_ratio(cells, name, batch)
    return pd.concat(found, names=["table", "algorithm"]) if found else pd.Series(dtype=float)


@claim("C150", evidence=lambda record: (record.all_times(*dict.fromkeys(TABLES_OF_TIMES.values())),))
def online_takes_less_time_on_large_sets(times: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge times of bagging and of boosting: online takes less time, the more so the larger the data set.

    Of each family, the logarithm of the ratio online to batch is averaged on each data set over all tables
    and base models. It must be significantly below 0 over the data sets (t-test), and must fall with the
    number of training examples (Spearman's rank correlation, tested at 0.05). Either fails if it is
    significantly the other way round.
    """
    parts, texts = [], []
    ratios = ratios_of_times(times)
    for family in _TIMES:
        logs = np.log(ratios[[name.startswith(f"online_{family}") for _, name, _ in ratios.index]])
        means = logs.groupby(level=-1).mean()
        require(len(means) >= 3, "needs times of bagging and boosting on three data sets or more")
        sizes = [dataset_info(str(name)).n_train for name in means.index]
        rank, p_value = scipy.stats.spearmanr(sizes, means)
        parts += [above_zero(-means), bool(rank < 0) if p_value < LEVEL else None]
        texts.append(
            f"online {family} takes {np.exp(means.mean()):.2f} times as long (geometric mean over "
            f"{len(means)} data sets), less on {(means < 0).sum()}; rank correlation with the size "
            f"{rank:+.2f} (p = {p_value:.2g})"
        )
    return every(parts), "; ".join(texts)


def _accuracies_and_times(record: Record) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    return record.accuracies(*TABLES_OF_TIMES), record.all_times(*dict.fromkeys(TABLES_OF_TIMES.values()))


@claim("C151", evidence=_accuracies_and_times)
def often_comparable_in_less_time(
    accuracies: Mapping[str, pd.DataFrame], times: Mapping[str, pd.DataFrame]
) -> Decision:
    """Judge accuracies and times together: in a third of the cases online is as accurate, in less time.

    A case is an online ensemble of a table on a data set; those of all base models count. As accurate is
    equal by the rule of equality. The claim fails if the cases in which online is faster, and equal or
    undecided, are fewer than a third.
    """
    ratios = ratios_of_times(times)
    found = {True: 0, False: 0, None: 0}
    for table, cells in accuracies.items():
        pairs = beside(cells, "other", *_TIMES)
        (online,) = cells.index.unique("algorithm").intersection(_ONLINE)
        for (dataset, _), differ in zip(pairs.index, differs(pairs), strict=True):
            ratio = ratios.get((TABLES_OF_TIMES[table], online, dataset), np.nan)
            if np.isfinite(ratio):
                found[None if differ is None and ratio < 1 else differ is False and ratio < 1] += 1
    n = sum(found.values())
    require(n >= 3, "needs accuracies and times of three cases or more")
    evidence = (
        f"as accurate and faster in {found[True]} of {n} cases; faster, and perhaps as accurate, in "
        f"{found[None]} more"
    )
    holds, may = found[True] >= OFTEN * n, found[True] + found[None] >= OFTEN * n
    return (True if holds else None if may else False), evidence
