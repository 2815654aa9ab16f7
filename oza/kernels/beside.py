"""Compiling in another process, while this one runs the same kernels uncompiled.

The process gets a list of kernels, writes them into the cache, and ends.  A user has at most one for a
cache, since it holds a lock as long as it lives.  When the process that started it has ended, it completes
the kernel at hand, and no other.
"""

import importlib
import multiprocessing.spawn
import os
import pickle
import sys
import tempfile
from contextlib import suppress
from typing import Any

import joblib

from .disk import DiskCache

if os.name == "posix":
    import fcntl

_CHOICES = ("beside", "now", "never")
_NICE = 5  # and not more: kernels must be compiled on a machine that is busy, too
_PROGRAM = """
import pickle, sys
with open(0, "rb", closefd=False) as file:
    sys.path[:] = pickle.load(file)
    from oza.kernels.beside import work
    work(file)
"""


def mode() -> str:
    """When kernels are compiled, by the variable `OZA_COMPILE`.

    "beside"    in another process, if that is possible, and meanwhile they run uncompiled; the default
    "now"       in this process, when they are first called
    "never"     they run uncompiled
    """
    chosen = os.environ.get("OZA_COMPILE") or "beside"
    if chosen not in _CHOICES:
        raise ValueError(
            f"OZA_COMPILE is {chosen!r}; it must be one of {', '.join(_CHOICES)}, or not be set."
        )
    return chosen


class Compiler:
    """The other process, as this one sees it.

    Parameters
    ----------
    cache : DiskCache
        Where it puts compiled kernels.
    """

    def __init__(self, cache: DiskCache):
        self._cache = cache
        self.forget()

    def forget(self) -> None:
        """Forget the process and its work: in a child that was forked, to whose parent they belong."""
        self._process = 0
        self._waiting: list[bytes] = []
        self._given: list[bytes] = []

    def can_start(self) -> bool:
        """Whether the system, the number of processors and the cache allow another process to compile."""
        is_kept = not self._cache.problem and os.access(self._cache.folder, os.W_OK)
        return os.name == "posix" and is_kept and joblib.cpu_count() > 1

    def ask(self, modules: set[str], module: str, name: str, types_of_arguments: Any) -> bytes:
        """Ask for a kernel, which may call what some modules define; return what `is_done` takes."""
        asked = pickle.dumps((modules, module, name, types_of_arguments))
        self._waiting.append(asked)
        return asked

    def is_done(self, asked: bytes) -> bool:
        """Whether a kernel has been dealt with, successfully or not."""
        self.go_on()
        return asked not in self._waiting and asked not in self._given

    def go_on(self) -> None:
        """Start the process if it has ended and something is waiting; never wait for it."""
        with suppress(ChildProcessError):  # somebody else has waited for it
            if self._process and not os.waitpid(self._process, os.WNOHANG)[0]:
                return
        self._process, self._given = 0, []
        if self._waiting:
            self._start()

    def _start(self) -> None:
        """Start the process with all that is waiting, unless another one of this user compiles."""
        try:
            with (
                open(self._cache.folder / "compiling.lock", "wb") as lock,
                tempfile.TemporaryFile(prefix="oza-") as file,
            ):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.write(b"".join([pickle.dumps(sys.path), *self._waiting]))
                file.seek(0)
                actions = [
                    (os.POSIX_SPAWN_DUP2, file.fileno(), 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, 1, 2),
                    (os.POSIX_SPAWN_DUP2, lock.fileno(), 3),  # which it holds until it ends
                ]
                python = os.fsdecode(multiprocessing.spawn.get_executable() or sys.executable)
                own = {
                    "OZA_CACHE": str(self._cache.folder.parents[1]),
                    "OZA_COMPILE": "now",
                    "OZA_QUIET": "1",
                }
                arguments = [python, "-c", _PROGRAM]
                self._process = os.posix_spawn(python, arguments, os.environ | own, file_actions=actions)
            self._given, self._waiting = self._waiting, []
        except BlockingIOError:  # the other one has the lock
            pass
        except OSError:  # then this process compiles
            self._waiting = []


def work(file: Any) -> None:
    """Compile all kernels in a file, in the process that was started for it."""
    parent = os.getppid()
    os.setsid()  # so that Ctrl-C in a terminal does not reach it
    os.nice(_NICE)
    with suppress(EOFError):
        while os.getppid() == parent:
            modules, *kernel, types_of_arguments = pickle.load(file)
            for module in sorted(modules):
                with suppress(Exception):
                    importlib.import_module(module)
            with suppress(Exception):  # the process that wants the kernel then meets the error
                sys.modules["oza.kernels.compile"].kernel_named(*kernel).compile_for(types_of_arguments)
