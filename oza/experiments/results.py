"""Recorded results for the book, and the check that they can be had again, bit for bit."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor
from dataclasses import asdict
from functools import lru_cache, partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from .._random import key_of
from .runner import compute, ending_workers_of_a_broken_pool, without_warnings_of_bounds
from .store import COLUMNS, TASK_COLUMNS, Result, as_tasks, provenance, read_shards, results_folder
from .study import STUDIES, Task, tasks


def load_results(
    study: str,
    profile: str | None = None,
    datasets: Collection[str] | None = None,
    folder: Path | None = None,
) -> pd.DataFrame:
    """Results of a study.

    Parameters
    ----------
    study : str
        A name in `STUDIES`.
    profile : {"smoke", "quick", "thesis"} or None, default=None
        Which of its tasks. "smoke" is computed on the spot, once a process; the others are what
        is recorded in the shards, however much that is. None means "thesis".
    datasets : collection of str or None, default=None
        Only tasks on these data sets. None means all.
    folder : Path or None, default=None
        Folder of recorded results; None means the usual one.

    Returns
    -------
    DataFrame
        One row a task: the fields of `Task`, of `Result` and of `Provenance`, sorted by task.

    Raises
    ------
    ValueError
        If there is no such study or profile, or a shard is not readable.
    """
    every = tasks(study, profile or "thesis")
    wanted = {task for task in every if datasets is None or task.dataset in datasets}
    if profile == "smoke":
        return _computed(tuple(sorted(wanted))).copy()
    rows = read_shards(folder or results_folder(), study)
    is_wanted = pd.Series([task in wanted for task in as_tasks(rows)], dtype=bool)
    return rows[is_wanted].sort_values(TASK_COLUMNS, ignore_index=True)


@lru_cache
def _computed(wanted: tuple[Task, ...]) -> pd.DataFrame:
    made_with = asdict(provenance())
    with without_warnings_of_bounds():
        rows = [asdict(task) | asdict(compute(task)) | made_with for task in wanted]
    return pd.DataFrame(rows, columns=COLUMNS)


class Repeatable(NamedTuple):
    """A recorded result, and how to have it again.

    Attributes
    ----------
    name : str
        What it is, in words.
    stratum : tuple of str
        Data set, kind of result (its study, for instance), and what else tells sorts of results apart.
    value : tuple
        What was recorded, as far as it depends on nothing but data, draws and algorithms.
    again : callable
        Computes the value; can be sent to another process.
    """

    name: str
    stratum: tuple[str, ...]
    value: tuple
    again: Callable[[], tuple]


class Mismatch(NamedTuple):
    """A recorded result that a second computation does not confirm."""

    name: str
    recorded: tuple
    computed: tuple


def repeatable(results: dict[Task, Result]) -> list[Repeatable]:
    """Say how to have the results of studies again, timing studies included; their times do not count.

    Studies that are no more are left out.
    """
    return [
        Repeatable(
            str(task),
            (task.dataset, task.study, task.base_model, task.algorithm),
            _predictions(result),
            partial(_predicted, task),
        )
        for task, result in results.items()
        if task.study in STUDIES
    ]


def _predicted(task: Task) -> tuple:
    return _predictions(compute(task))


def _predictions(result: Result) -> tuple:
    return result.n_train, result.n_test, result.n_correct, result.digest


def verify(
    recorded: Iterable[Repeatable], sample: int, seed: int, executor: Executor
) -> tuple[int, list[Mismatch]]:
    """Compute a sample of recorded results again and compare them bit for bit.

    Parameters
    ----------
    recorded : iterable of Repeatable
        What to draw from.
    sample : int
        How many results to compute, spread over all kinds.
    seed : int
        Names the sample.
    executor : concurrent.futures.Executor
        Who computes.

    Returns
    -------
    n_checked : int
        How many results were computed.
    mismatches : list of Mismatch
        Those that came out differently.
    """
    chosen = stratified(recorded, sample, seed)
    mismatches = []
    with ending_workers_of_a_broken_pool(executor):
        for one, computed in zip(chosen, executor.map(_again, chosen), strict=True):
            if computed != one.value:
                mismatches.append(Mismatch(one.name, one.value, computed))
    return len(chosen), mismatches


@without_warnings_of_bounds()
def _again(one: Repeatable) -> tuple:
    return one.again()


def stratified(population: Iterable[Repeatable], sample: int, seed: int) -> list[Repeatable]:
    """Draw a random sample that takes from each kind of result in turn, and from its strata in turn.

    The kind of a result is its study, or what else is recorded. The sample depends on the seed and the
    names, not on the order of the population. It is sorted by data set, so that each is read once.
    """
    strata = defaultdict(list)
    for one in sorted(population, key=lambda one: key_of("verify", seed, one.name)):
        strata[one.stratum].append(one)
    kinds = defaultdict(list)
    for stratum in sorted(strata, key=lambda stratum: key_of("strata", seed, *stratum)):
        kinds[stratum[1]].append(strata[stratum])
    in_random_order = sorted(kinds, key=lambda kind: key_of("kinds", seed, kind))
    chosen = _in_turn(_in_turn(kinds[kind]) for kind in in_random_order)[: max(sample, 0)]
    return sorted(chosen, key=lambda one: (one.stratum, one.name))


def _in_turn(lists: Iterable[list[Repeatable]]) -> list[Repeatable]:
    """Join lists: the first of each, then the second of each, and so on."""
    return [one for one in chain.from_iterable(zip_longest(*lists)) if one is not None]
