"""Lists for kernels, made by cached kernels: numba compiles its own methods of lists in every process."""

from collections.abc import Iterable
from typing import Any

from numba.typed import List

from .compile import kernel


def typed_list(items: Iterable[Any]) -> Any:
    """A list for kernels of at least one item, which are all of one type."""
    first, *others = items
    made = _list_of(first)
    for item in others:
        _append(made, item)
    return made


@kernel
def _list_of(item):
    made = List()
    made.append(item)
    return made


@kernel
def _append(made, item):
    made.append(item)
