"""Compiling in another process, while this one runs the same kernels uncompiled.

The process gets a list of kernels, writes them into the cache, and ends.  Of all such processes of a user and
a cache, one works at a time: the others wait for a lock.  When the process that started it has ended, it
completes the kernel at hand, and no other.
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

_CHOICES = ("beside", "now", "never")
# It has a session of its own, which Ctrl-C in a terminal does not reach.  It is no nicer, since kernels must
# be compiled on a busy machine, too.  It waits for the lock before it imports anything.
_PROGRAM = """
import fcntl, os, pickle, sys
parent = os.getppid()
os.setsid()
os.nice(5)
fcntl.flock(3, fcntl.LOCK_EX)
with open(0, "rb", closefd=False) as file:
    sys.path[:] = pickle.load(file)
    if os.getppid() == parent:
        from oza.kernels.beside import work
        work(file, parent)
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
    """The other processes, as this one sees them.

    Parameters
    ----------
    cache : DiskCache
        Where they put compiled kernels.
    """

    def __init__(self, cache: DiskCache):
        self._cache = cache
        self.forget()

    def forget(self) -> None:
        """Forget the processes and their work: in a child that was forked, to whose parent they belong."""
        self._given: dict[int, list[bytes]] = {}  # what each process is to compile
        self._waiting: list[bytes] = []

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
        for process in list(self._given):
            try:
                has_ended = os.waitpid(process, os.WNOHANG)[0] != 0
            except ChildProcessError:  # somebody else has waited for it
                has_ended = True
            if has_ended:
                del self._given[process]
        return not any(asked in each for each in (self._waiting, *self._given.values()))

    def start(self) -> None:
        """Start a process for what has been asked for since the last one."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        with (
            suppress(OSError),  # then this process compiles
            open(self._cache.folder / "compiling.lock", "wb") as lock,
            tempfile.TemporaryFile(prefix="oza-") as file,
        ):
            file.write(b"".join([pickle.dumps(sys.path), *waiting]))
            file.seek(0)
            actions = [
                (os.POSIX_SPAWN_DUP2, file.fileno(), 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, lock.fileno(), 3),  # held until the process ends
            ]
            python = os.fsdecode(multiprocessing.spawn.get_executable() or sys.executable)
            own = {"OZA_CACHE": str(self._cache.folder.parents[1]), "OZA_COMPILE": "now", "OZA_QUIET": "1"}
            arguments = [python, "-c", _PROGRAM]
            process = os.posix_spawn(python, arguments, os.environ | own, file_actions=actions)
            self._given[process] = waiting


def work(file: Any, parent: int) -> None:
    """Compile all kernels in a file, in the process that was started for it."""
    with suppress(EOFError):
        while os.getppid() == parent:
            modules, *kernel, types_of_arguments = pickle.load(file)
            for module in sorted(modules):
                with suppress(Exception):
                    importlib.import_module(module)
            with suppress(Exception):  # the process that wants the kernel then meets the error
                sys.modules["oza.kernels.compile"].kernel_named(*kernel).compile_for(types_of_arguments)
