"""Verification of recorded results by computing them again, and comparing what their kind of bits allows."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import fields
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from oza.datasets import DatasetUnavailableError
from oza.kernels.random import key_of

from .bits import EXACT, Bits
from .store import JOURNAL, as_rows, processor
from .study import Study, without_warnings_of_bounds

# Other contents of the folder of results, and why `verify` skips them.
_NOT_OF_STUDIES = {
    "benchmarks.json": "speeds of this machine, which `make bench` measures again",
    "reliability.csv": "what faults did to runs, which `make reliability` tries again",
    "conformance.json": "what is probed, in words that `make conformance` writes",
    "conformance.csv": "what implementations do of papers, which `make conformance` probes again",
    "conformance-experiments.csv": "what deviations cost, which `make conformance` measures again",
    "grid.csv": "speeds of this machine, which `python benchmarks/grid.py` measures again",
    "first_calls.csv": "what is waited for here, which `python -m benchmarks.first_calls` measures again",
    "pauses.csv": "how long calls take here, which `python -m benchmarks.pauses` measures again",
    "workers.csv": "what a second worker brings, which `python -m benchmarks.workers` measures again",
    "confirmed.csv": "what `verify --record` confirmed, and on which processor",
    "verdicts": "judgements, which `judge` makes again",
}


#: Variables by which NumPy, BLAS, the C library and numba do without what the processor has.
_EMULATION = ("NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES", "NUMBA_CPU_NAME")


class Repeatable(NamedTuple):
    """A recorded result, and how to compute it again."""

    name: str  # description in words
    stratum: tuple[str, ...]  # data set, study, and further fields that define the stratum in `stratified`
    value: tuple  # recorded, row by row, as far as it depends only on data, draws and algorithms
    again: Callable[[], tuple]  # computes the value; can be pickled
    bits: Bits = EXACT  # what another processor makes of it
    processor: str = ""  # that computed it
    seconds: float = 1.0  # that the study expects it to take


def repeatable(study: Study, rows: pd.DataFrame) -> list[Repeatable]:
    """List the recorded results that the study itself can compute again."""
    columns = [name for name in study.measured if name not in study.varying]
    values, processors = defaultdict(list), {}
    recorded = rows[columns].itertuples(index=False, name=None)
    on = rows["processor"] if "processor" in rows else [""] * len(rows)
    for task, value, name in zip(study.tasks_in(rows), recorded, on, strict=True):
        values[task].append(_comparable(value))
        processors[task] = name
    words = [field.name for field in fields(study.task) if field.type is str and field.name != "study"]
    return [
        Repeatable(
            str(task),
            (task.dataset, study.name, *(getattr(task, name) for name in words)),
            tuple(value),
            partial(_measured, study.measure, columns, task),
            study.bits(task),
            processors[task],
            study.cost(task),
        )
        for task, value in values.items()
        if not study.computed_by(task)
    ]


def _comparable(value: Iterable[Any]) -> tuple:
    """Values with None instead of NaN, so that missing measurements are equal."""
    return tuple(None if one != one else one for one in value)


def _measured(measure: Callable[[Any], Any], columns: list[str], task: Any) -> tuple:
    return tuple(_comparable(getattr(row, name) for name in columns) for row in as_rows(measure(task)))


def not_repeatable(studies: Mapping[str, Study], folder: Path) -> list[str]:
    """List the contents of a folder of results that `verify` does not compare, with reasons."""
    varying = defaultdict(list)
    others: Counter[tuple[str, str]] = Counter()
    for study in studies.values():
        recorded = set(study.tasks_in(study.recorded(folder=folder)))
        for reason in sorted(set(study.varying.values())) if recorded else ():
            columns = ", ".join(name for name, why in study.varying.items() if why == reason)
            varying[columns, reason].append(study.name)
        others.update((study.name, reason) for task in recorded if (reason := study.computed_by(task)))
    found = [f"{columns} of {', '.join(names)}: {reason}" for (columns, reason), names in varying.items()]
    found += [f"{n} results of {name}: {reason}" for (name, reason), n in sorted(others.items())]
    for path in sorted(folder.iterdir()):
        if path.name not in studies and path.name != JOURNAL:
            found.append(f"{path.name}: {_NOT_OF_STUDIES.get(path.name, 'no study has this name')}")
    return found


def missing_results(studies: Mapping[str, Study], folder: Path) -> list[str]:
    """Name what is planned and not recorded: by study and data set, studies without results together."""
    found, without = [], []
    for study in studies.values():
        planned = set(study.tasks("thesis"))
        recorded = set(study.tasks_in(study.recorded(planned, folder)))
        of_dataset = Counter(task.dataset for task in planned)
        missing = Counter(task.dataset for task in planned - recorded)
        if recorded:
            found += [
                f"{n} of {of_dataset[name]} planned results of {study.name} on {name}"
                for name, n in sorted(missing.items())
            ]
        elif planned:
            without.append(study.name)
    return found + ([f"all results of {', '.join(without)}"] if without else [])


def verify(chosen: Sequence[Repeatable], executor: Executor) -> Iterator[tuple[Repeatable, tuple | None]]:
    """Compute recorded results again, and compare each as its kind of bits allows.

    Yields each result when it has been computed, with what was computed if that differs, else with None.
    Those whose data are not available are left out.
    """
    for one, computed in zip(chosen, executor.map(_recompute, chosen), strict=True):
        if computed is not None:
            yield one, None if one.bits.agree(one.value, computed) else computed


def confirmed(results: list[Repeatable], differs: Mapping[str, bool]) -> pd.DataFrame:
    """Count results, those computed again and those that differ, by processor of the record and kind.

    `differs` says of each result that was computed again, by its name, whether it differs.
    """
    found = {
        "recorded on": [one.processor for one in results],
        "kind": [one.bits.kind for one in results],
        "results": 1,
        "computed again": [one.name in differs for one in results],
        "differ": [differs.get(one.name, False) for one in results],
    }
    return pd.DataFrame(found).groupby(["recorded on", "kind"], as_index=False).sum()


def this_processor() -> str:
    """Name of the processor, with the variables that let it pass for another one."""
    given = [f"{name}={os.environ[name]}" for name in _EMULATION if name in os.environ]
    return ", ".join([processor(), *given])


@without_warnings_of_bounds()
def _recompute(one: Repeatable) -> tuple | None:
    try:
        return one.again()
    except DatasetUnavailableError:  # of a simulation, whose data sets its task does not name
        return None


def stratified(population: Iterable[Repeatable], sample: int, seed: int) -> list[Repeatable]:
    """Draw a random sample from each study in turn, and within a study from each stratum in turn.

    The sample depends on the seed and the names, not on the order of the population. Results that are
    expected to take least time come first: the longest takes two hours.
    """
    strata = defaultdict(list)
    for one in sorted(population, key=lambda one: key_of("verify", seed, one.name)):
        strata[one.stratum].append(one)
    studies = defaultdict(list)
    for stratum in sorted(strata, key=lambda stratum: key_of("strata", seed, *stratum)):
        studies[stratum[1]].append(strata[stratum])
    in_random_order = sorted(studies, key=lambda study: key_of("kinds", seed, study))
    chosen = _interleave(_interleave(studies[study]) for study in in_random_order)[: max(sample, 0)]
    return sorted(chosen, key=lambda one: (one.seconds, one.stratum, one.name))


def _interleave(lists: Iterable[list[Repeatable]]) -> list[Repeatable]:
    """Interleave lists: the first item of each, then the second of each, and so on."""
    return [one for one in chain.from_iterable(zip_longest(*lists)) if one is not None]
