"""Lists that kernels share with Python code."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class KernelList:
    """A list of at least one item, all of one type; its length does not change.

    It is a list of Python until a compiled kernel takes it, and then one of numba's, until a kernel that runs
    uncompiled takes it. Whichever it is, all states that hold it see the same items.
    """

    def __init__(self, items: Iterable[Any]):
        self.plain: list[Any] | None = [*items]
        self._length = len(self.plain)

    def make_typed(self, list_of: Callable[..., Any], append: Callable[..., None], item: Any) -> None:
        """Become a list of numba's; the functions are compiled for the type of the items."""
        if self.plain is not None:
            first, *others = self.plain
            made = list_of(first)
            for other in others:
                append(made, other)
            self._opaque, self._numba_type_ = made._opaque, made._numba_type_  # which numba reads
            self._item, self.plain = item, None

    def make_plain(self) -> list[Any]:
        """Become a list of Python."""
        if self.plain is None:
            self.plain = [*self]
            del self._opaque, self._numba_type_, self._item
        return self.plain

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Any:
        return self._item(self, place) if self.plain is None else self.plain[place]

    def __setitem__(self, place: int, item: Any) -> None:
        self.make_plain()[place] = item

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(self._length))

    def __reduce__(self) -> Any:
        return KernelList, ([*self],)
