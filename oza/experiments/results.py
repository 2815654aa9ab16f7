"""Recorded results for the book, and the check that they can be had again, bit for bit."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from concurrent.futures import Executor
from dataclasses import asdict
from functools import lru_cache
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


class Mismatch(NamedTuple):
    """A recorded result that a second computation does not confirm."""

    task: Task
    recorded: Result
    computed: Result


@without_warnings_of_bounds()
def verify(recorded: dict[Task, Result], sample: int, executor: Executor) -> tuple[int, list[Mismatch]]:
    """Compute a sample of recorded tasks again and compare the predictions bit for bit.

    Parameters
    ----------
    recorded : dict
        Results by task; timing studies, and studies that are no more, are left out.
    sample : int
        How many tasks to compute, spread over all data sets, base models and algorithms.
    executor : concurrent.futures.Executor
        Who computes.

    Returns
    -------
    n_checked : int
        How many tasks were computed.
    mismatches : list of Mismatch
        Those that came out differently.
    """
    of_accuracy = {name for name, study in STUDIES.items() if not study.timed}
    chosen = stratified([task for task in recorded if task.study in of_accuracy], sample)
    mismatches = []
    with ending_workers_of_a_broken_pool(executor):
        for task, computed in zip(chosen, executor.map(compute, chosen), strict=True):
            if _predictions(computed) != _predictions(recorded[task]):
                mismatches.append(Mismatch(task, recorded[task], computed))
    return len(chosen), mismatches


def _predictions(result: Result) -> tuple[int, int, int, str]:
    return result.n_train, result.n_test, result.n_correct, result.digest


def stratified(population: Iterable[Task], sample: int) -> list[Task]:
    """Draw a keyed random sample that takes from each data set, base model and algorithm in turn."""
    strata = defaultdict(list)
    for task in sorted(population, key=lambda task: key_of("verify", task.seed)):
        strata[task.dataset, task.base_model, task.algorithm].append(task)
    rounds = chain.from_iterable(zip_longest(*strata.values()))
    return sorted([task for task in rounds if task is not None][: max(sample, 0)])
