"""A line on the terminal where a call takes long because it compiles."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

PATIENCE = 2.0  # seconds of compiling in one call before the line
_PAUSE = 1.0  # seconds between two kernels that one call compiles, at most


class Notice:
    """Says once in a call of the library what is compiled, if that takes long.

    numba compiles in one thread at a time, with those kernels that a kernel calls.
    """

    def __init__(self) -> None:
        self._is_compiling = False
        self._began = self._ended = -float("inf")  # of what seems to be one call
        self._is_told = False

    @contextmanager
    def while_compiling(self, line: Callable[[], str]) -> Iterator[None]:
        """Show the line when the call has compiled for long, if somebody looks at a terminal."""
        if self._is_compiling or not _is_wanted():
            yield
            return
        now = time.monotonic()
        if now - self._ended > _PAUSE:
            self._began, self._is_told = now, False
        timer = threading.Timer(self._began + PATIENCE - now, self._tell, [line])
        timer.daemon = True
        self._is_compiling = True
        if not self._is_told:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._is_compiling = False
            self._ended = time.monotonic()

    def _tell(self, line: Callable[[], str]) -> None:
        self._is_told = True
        with suppress(Exception):  # the stream may be closed, or anything else that the user made of it
            if "tqdm" in sys.modules:  # then a progress bar may stand in the last line
                sys.modules["tqdm"].tqdm.write(line(), file=sys.stderr)
            else:
                sys.stderr.write(f"{line()}\n")
                sys.stderr.flush()


def _is_wanted() -> bool:
    """Whether the error stream is a terminal, and the user has not turned the line off."""
    if os.environ.get("OZA_QUIET", "") not in ("", "0"):
        return False
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
