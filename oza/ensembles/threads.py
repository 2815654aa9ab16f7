"""Base models that are independent of each other learn in threads, with the same bits for any number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from numbers import Integral
from typing import Any

from joblib import effective_n_jobs

from ..classifier.contract import BaseModel


def check_n_jobs(n_jobs: Any) -> int:
    """Number of threads, from the parameter `n_jobs` of an estimator."""
    if n_jobs is not None and (
        not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or int(n_jobs) == 0
    ):
        raise ValueError(
            f"n_jobs must be None or an integer other than 0 (−1 for all processors); got {n_jobs!r}."
        )
    return effective_n_jobs(1 if n_jobs is None else int(n_jobs))


def for_threads(kind: BaseModel, models: Any, n_models: int, n_jobs: int) -> list[Any]:
    """The models, once for each thread, each with buffers of its own.

    Once only where one thread must do: by request, or since the models share what they learn.
    """
    states = [models]
    while len(states) < min(n_jobs, n_models):
        copy = kind._with_own_buffers(models)
        if copy is None:
            return [models]
        states.append(copy)
    return states


@contextmanager
def threads(states: list[Any], members: range) -> Iterator[Callable[..., None]]:
    """A function `run` that divides the models among threads, one for each of `states`.

    ``run(work, *arguments)`` calls ``work(models, first, end, *arguments)`` for models `first` to `end`.
    """
    edges = [members.start + len(members) * i // len(states) for i in range(len(states) + 1)]
    if len(states) == 1:
        yield lambda work, *arguments: work(states[0], *edges, *arguments)
        return
    with ThreadPoolExecutor(len(states)) as pool:

        def run(work: Callable[..., Any], *arguments: Any) -> None:
            parts = zip(states, edges, edges[1:], strict=False)
            for done in [pool.submit(work, *part, *arguments) for part in parts]:
                done.result()

        yield run
