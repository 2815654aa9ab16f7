"""Members that are independent of each other learn in threads, with the same bits for any number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from numbers import Integral
from typing import Any

from joblib import effective_n_jobs

from ..models.contract import BaseModel


def check_n_jobs(n_jobs: Any) -> int:
    """Number of threads, from the parameter `n_jobs` of an estimator."""
    if n_jobs is not None and (
        not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or int(n_jobs) == 0
    ):
        raise ValueError(
            f"n_jobs must be None or an integer other than 0 (−1 for all processors); got {n_jobs!r}."
        )
    return effective_n_jobs(1 if n_jobs is None else int(n_jobs))


@contextmanager
def threads(kind: BaseModel, models: Any, n_models: int, n_jobs: int) -> Iterator[Callable[..., None] | None]:
    """A function `run` that divides the members among threads, each with buffers of its own.

    ``run(work, *arguments)`` calls ``work(models, first, end, *arguments)`` for members `first` to `end`.
    It is None where one thread must do: by request, or since the members share what they learn.
    """
    n_threads = min(n_jobs, n_models)
    copies = [models] if n_threads > 1 else []
    while 0 < len(copies) < n_threads:
        copy = kind._with_own_buffers(models)
        copies = [*copies, copy] if copy is not None else []
    if not copies:
        yield None
        return
    edges = [n_models * i // n_threads for i in range(n_threads + 1)]
    with ThreadPoolExecutor(n_threads) as pool:

        def run(work: Callable[..., Any], *arguments: Any) -> None:
            parts = zip(copies, edges, edges[1:], strict=False)
            for done in [pool.submit(work, *part, *arguments) for part in parts]:
                done.result()

        yield run
