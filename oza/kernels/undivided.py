"""What is done as a whole: neither an exception of a signal's handler nor a fork comes between its parts.

A kernel is such a whole: Python handles signals between two instructions of the main thread. It counts the
examples that it learns itself, so that state and count agree whatever happens after it.
"""

import _signal  # type: ignore[import-not-found]  # `signal` wraps it in enumerations, ten times as slow
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Any
from weakref import WeakSet

_SIGNALS = [int(number) for number in signal.valid_signals()]
_forking = RLock()  # held while a process forks
_forkers: set[int] = set()  # the thread that forks
_in_kernels: set[int] = set()  # threads that run a kernel
_in_sections: set[int] = set()  # threads that are in the body of `undivided`
locks: WeakSet[Any] = WeakSet()  # those that a child makes free whose holders it does not have


def _begin(me: int, threads: set[int], if_none_of: Any = ()) -> None:
    # A fork waits for what this thread has begun, so this thread must not wait: a call may compile kernels.
    is_awaited = me in _in_kernels or me in _in_sections
    threads.add(me)
    while _forkers and me not in _forkers and not if_none_of and not is_awaited:
        threads.discard(me)
        with _forking:
            threads.add(me)


def begin_kernel(me: int) -> None:
    """Count thread `me` as one that runs a kernel, once no other thread forks.

    Where a section is open the kernel may belong to it, and the fork waits for the section.
    """
    _begin(me, _in_kernels, if_none_of=_in_sections)


end_kernel = _in_kernels.discard


@contextmanager
def undivided() -> Iterator[list[Any]]:
    """Let handlers of signals run, such as that of Ctrl-C, and processes fork, only after the body.

    The body must not run code of other libraries, for which both would wait too long. It can see the signals
    that have come, as pairs of number and frame.
    """
    me, handlers, received, is_open = get_ident(), {}, [], True  # type: ignore[var-annotated]
    is_inner = me in _in_sections

    def handle(number: int, frame: Any) -> None:
        received.append((number, frame)) if is_open else handlers[number](number, frame)

    def close() -> None:
        try:
            if not is_inner:
                _in_sections.discard(me)
            for number, handler in handlers.items():
                _signal.signal(number, handler)
        except BaseException:  # of a handler that is in its place again, as the others must be
            close()
            raise

    try:
        if not is_inner:
            _begin(me, _in_sections)
        if threading.current_thread() is threading.main_thread():
            found = ((number, _signal.getsignal(number)) for number in _SIGNALS)
            handlers = {number: handler for number, handler in found if callable(handler)}
            for number in handlers:
                _signal.signal(number, handle)
        yield received
    finally:
        try:
            close()  # while what comes is still noted: raised here, it would leave handlers unrestored
        finally:
            is_open = False
            for number, frame in received:
                handlers[number](number, frame)


def _wait_to_fork() -> None:
    """Wait for kernels and sections, but not for calls: one of them may wait for the thread that forks."""
    _forking.acquire()
    _forkers.add(get_ident())
    while (_in_kernels | _in_sections) - _forkers:
        time.sleep(1e-4)


def _end_fork() -> None:
    _forkers.clear()
    _forking.release()


def _begin_child() -> None:
    """Forget all other threads, which the child does not have."""
    for threads in _in_kernels, _in_sections:
        threads &= _forkers
    for lock in list(locks):
        if not lock._is_owned():
            lock._at_fork_reinit()
    _end_fork()


if hasattr(os, "register_at_fork"):  # there is none on Windows, where processes cannot fork
    os.register_at_fork(before=_wait_to_fork, after_in_parent=_end_fork, after_in_child=_begin_child)
