"""What batch, online and primed learning cost (thesis sections 3.5.3 and 4.6, abstract): the claims.

The rules of C150 and C151 were written when the outcomes of C009, C016, C080 and C101 were known, which read
the same tables.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

from oza.datasets import dataset_info, load_dataset
from oza.evaluation.significance import LEVEL

from ..claims.criteria import COUNTS, OFTEN, above_zero, agreed, beside, differs, every, time_ratio, usual
from ..claims.registry import Decision, Found, claim, require
from ..printed.layout import TEN
from ..printed.printed import EXCLUDED, of_the_thesis
from ..printed.record import Record
from ..theory.passes import batch_operations, passes_of_library

#: Tables of accuracies and of times by family; networks, whose online learning is lossy, come last.
_TIMES = {
    "bagging": {"3.3": "3.8", "3.4": "3.9", "3.5": "3.10", "3.6": "3.11", "3.7": "3.11"},
    "boosting": {"4.1": "4.7", "4.2": "4.8", "4.3": "4.9", "4.5": "4.11", "4.6": "4.12"},
}
TABLES_OF_TIMES = {table: times for family in _TIMES.values() for table, times in family.items()}
_ONLINE = ["online_bagging", "online_bagging_10", "online_boosting", "online_boosting_10"]


def _in_cases(
    tables: Mapping[str, pd.DataFrame], is_so: Callable[[pd.DataFrame], pd.Series]
) -> dict[str, pd.Series]:
    """By each cost, in which cases something is so of batch, online and primed boosting."""
    cells = pd.concat(tables) if tables else pd.DataFrame(columns=COUNTS)
    require(not cells[list(COUNTS)].dropna().empty, "no work counted")
    costs: Any = cells[list(_COSTS)].rename(index=lambda name: name.removesuffix(TEN)).unstack("algorithm")
    three = ["boosting", "online_boosting", "primed_boosting"]
    return {cost: is_so(costs[cost][three].dropna()) for cost in _COSTS}


_COSTS = {"updates": "updates", "operations": "updates and classifications", "seconds": "seconds"}


def _counted_in(cases: Mapping[str, pd.Series]) -> str:
    return ", ".join(f"{_COSTS[cost]} in {of.sum()} of {len(of)} cases" for cost, of in cases.items())


def _times(record: Record, *families: str) -> tuple[Mapping[str, pd.DataFrame]]:
    """Evidence: the tables of times of ensembles, on the data sets that count as rows of the thesis."""
    tables = record.all_times(*dict.fromkeys(table for name in families for table in _TIMES[name].values()))
    counted = (
        of_the_thesis(cells).drop([*EXCLUDED], level="dataset", errors="ignore") for cells in tables.values()
    )
    return (dict(zip(tables, counted, strict=True)),)


@claim("C016", evidence=lambda record: _times(record, "boosting"))
def online_boosting_is_mostly_faster(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge the work of Tables 4.7 to 4.12: online boosting less than batch in most cases, more in some.

    A case is a base model on a data set that counts as a row of the thesis. The work of training is counted
    in updates of base models, and in updates and classifications together. The claim holds if by both counts
    online boosting takes less in significantly more than half of the cases, but not in all; it fails if by
    both it takes less in significantly fewer than half, or in all (sign tests at 0.05). The evidence also
    reports our times.
    """
    less = _in_cases(tables, lambda costs: costs["online_boosting"] < costs["boosting"])
    mostly = agreed(False if less[cost].all() else usual(less[cost]) for cost in COUNTS)
    return mostly, f"online boosting takes fewer {_counted_in(less)}"


@claim("C017", evidence=lambda record: _times(record, "boosting"))
def primed_boosting_is_fastest(tables: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge the work of Tables 4.7 to 4.12: primed boosting the least of the three in nine of ten cases.

    Cases (on data sets that count as rows of the thesis) and counts are those of C016. The claim holds if
    both counts confirm it, fails if neither does, and is undecided otherwise. The evidence also reports our
    times.
    """
    least = _in_cases(tables, lambda costs: costs.idxmin(axis="columns") == "primed_boosting")
    nearly_always = agreed(least[cost].mean() >= 0.9 for cost in COUNTS)
    return nearly_always, f"primed boosting takes the fewest {_counted_in(least)}"


def _passes(record: Record) -> tuple[dict[str, int], int]:
    data, n_models = load_dataset("balance"), 5
    operations = batch_operations(data.data, data.target, n_models)
    return passes_of_library(data, operations, n_models), n_models


@claim("C118", evidence=_passes)
def passes_are_as_counted(passes: Mapping[str, float], n_models: Found[int]) -> Decision:
    """Judge how often each example is used: bagging M times, boosting 2M, online algorithms once."""
    wanted = {"bagging": n_models, "boosting": 2 * n_models, "online_bagging": 1, "online_boosting": 1}
    evidence = ", ".join(f"{name.replace('_', ' ')} {count:g}" for name, count in passes.items())
    return dict(passes) == wanted, f"{n_models} base models; {evidence}"


@claim(
    "C084",
    evidence=lambda record: (record.all_times(*_TIMES["boosting"].values(), *_TIMES["bagging"].values()), 10),
    given=("blocks",),
)
def batch_is_often_faster_on_fixed_data(times: Mapping[str, pd.DataFrame], blocks: int) -> Decision:
    """Judge times of bagging: batch is faster in at least a third of the comparisons.

    The sentence is in the chapter on bagging (section 3.5.3), about Tables 3.8 to 3.11. The times of boosting
    are reported but not judged. That a batch learner must relearn everything when new data arrive needs no
    measurement: after B equal blocks it has learned (B + 1)/2 times the data. The evidence says in how many
    comparisons this takes longer than online learning, if the time is proportional to the number of examples.
    """
    bagging, boosting = (
        pd.concat([time_ratio(c, batch, f"online_{batch}{s}") for c in times.values() for s in ("", "_10")])
        for batch in ("bagging", "boosting")
    )
    require(not bagging.empty, "needs running times of bagging")
    relearned = (blocks + 1) / 2
    return bool((bagging < 1).mean() >= OFTEN), (
        f"batch bagging faster in {(bagging < 1).sum()} of {len(bagging)} comparisons (boosting: "
        f"{(boosting < 1).sum()} of {len(boosting)}); by arithmetic, relearning after each of {blocks} "
        f"blocks learns {relearned:g} times the data, which would take longer than updating in "
        f"{(bagging * relearned > 1).sum()}"
    )


def ratios_of_times(times: Mapping[str, pd.DataFrame]) -> pd.Series:
    """Divide the time of online by that of batch learning: by table of times, algorithm and data set."""
    found = {}
    for table, cells in times.items():
        for name in cells.index.unique("algorithm").intersection(_ONLINE):
            batch = name.removeprefix("online_").removesuffix("_10")
            found[table, name] = time_ratio(cells, name, batch)
    return pd.concat(found, names=["table", "algorithm"]) if found else pd.Series(dtype=float)


@claim("C150", evidence=lambda record: _times(record, *_TIMES))
def online_takes_less_time_on_large_sets(times: Mapping[str, pd.DataFrame]) -> Decision:
    """Judge times of bagging and of boosting: online takes less time, the more so the larger the data set.

    Of each family, the logarithm of the ratio online to batch is averaged on each data set over all tables
    and base models; only data sets that count as rows of the thesis do. It must be significantly below 0
    over the data sets (t-test), and must fall with the number of training examples (Spearman's rank
    correlation, tested at 0.05). Either fails if it is significantly the other way round.
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
    return record.accuracies(*TABLES_OF_TIMES), record.all_times(*TABLES_OF_TIMES.values())


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
