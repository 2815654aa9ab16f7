"""Compile kernels with numba, and cache them so that a stale one can never run.

numba notices when a function's own file changes, but not when a function that it calls, in
another file, does.  So the cache lies in a folder that is named by a hash of every source file
that a kernel can be written in: any edit of one leads to an empty folder.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial, update_wrapper, wraps
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba import types
from numba.extending import overload

_config: Any = numba.config
_njit: Any = numba.njit  # its types leave some options out
_SOURCES = Path(__file__).parent
#: They stand above all kernels.
_WITHOUT_KERNELS = ("analysis", "claims", "cli.py", "evaluation", "exhibits", "experiments")
_MONTH = 30 * 24 * 3600


def source_hash(leave_out: tuple[str, ...] = ()) -> str:
    """Hash of the source files of the package, in 16 hexadecimal digits.

    `leave_out` names files and folders of the package that do not count.
    """
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        name = path.relative_to(_SOURCES)
        if name.parts[0] not in leave_out:
            digest.update(name.as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder for this state of the sources; folders unused for a month are removed."""
    root = Path(os.environ.get("OZA_CACHE") or platformdirs.user_cache_dir("oza")) / "kernels"
    checks_bounds = "-boundscheck" if _config.BOUNDSCHECK else ""  # of NUMBA_BOUNDSCHECK=1
    folder = root / (source_hash(leave_out=_WITHOUT_KERNELS) + checks_bounds)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
        os.utime(folder)
        for other in root.iterdir():
            if other.is_dir() and time.time() - other.stat().st_mtime > _MONTH:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:  # a home that cannot be written: compile once for each process
        folder = Path(tempfile.mkdtemp(prefix="oza-kernels-"))
    return folder


CACHE_FOLDER = _cache_folder()


class RunsInPython:
    """A value that numba cannot compile for: every kernel that is given one runs as plain Python."""


class Kernel:
    """A Python function compiled by numba; runs uncompiled where an argument is a `RunsInPython`."""

    def __init__(self, dispatcher):
        self.compiled = dispatcher
        self._numba_type_ = types.Dispatcher(dispatcher)  # so that other kernels can call it
        update_wrapper(self, dispatcher.py_func)

    @property
    def py_func(self) -> Callable[..., Any]:
        """The function as it was written."""
        return self.compiled.py_func

    def __call__(self, *arguments):
        run = self.compiled
        for argument in arguments:
            if isinstance(argument, RunsInPython):
                run = self.py_func
        result = run(*arguments)
        if type(result) is int and result >= 2**63:  # numba takes no such int as an argument
            return np.uint64(result)
        return result


def kernel(function=None, *, inline=False, counts=True):
    """Compile `function` with numba, cached on disk, floating point strictly as written.

    Parameters
    ----------
    inline : bool, default=False
        Whether its code is put into the callers: for a function that takes so many arrays that
        handing them over would cost as much as its work.
    counts : bool, default=True
        Whether references to arrays are counted, which costs more than reading a number. A function
        that makes no array, and keeps none longer than its caller does, can do without; then only
        kernels can call it.

    Notes
    -----
    No C callback is generated, which would only take time to compile.
    """
    if function is None:
        return partial(kernel, inline=inline, counts=counts)
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return Kernel(
            _njit(
                cache=True,
                error_model="numpy",
                forceinline=inline,
                _nrt=counts,
                no_cpython_wrapper=not counts,
                no_cfunc_wrapper=True,
            )(function)
        )
    finally:
        _config.CACHE_DIR = before


_implementations: dict[Any, dict[Any, Callable[..., Any]]] = {}  # operation: kind: implementation


def operation(default):
    """Make `default` an operation, of which each kind of models may have its own implementation.

    In a kernel, numba compiles the implementation for the type of the first argument, a NamedTuple
    class; the choice is made when the kernel is compiled, not when it runs. On a `RunsInPython`, the
    operation is its method of the same name. Where a kind has none of its own, `default` runs.
    """

    @wraps(default)
    def run(models, *arguments):
        if isinstance(models, RunsInPython):
            own = getattr(type(models), default.__name__, default)
        else:
            own = _implementations[run].get(type(models), default)
        return own(models, *arguments)

    _implementations[run] = {}

    @overload(run, jit_options={"error_model": "numpy"}, strict=False)
    def choose(models, *_):
        has_its_own = getattr(models, "instance_class", None) in _implementations[run]
        return None if has_its_own else default

    return run


def implements(operation, kind, *, inline=False):
    """Say how an operation works on models of one `kind`, a NamedTuple class; `inline` as for `kernel`."""

    def register(implementation):
        _implementations[operation][kind] = implementation

        @overload(operation, jit_options={"error_model": "numpy", "forceinline": inline}, strict=False)
        def choose(models, *_):
            return implementation if getattr(models, "instance_class", None) is kind else None

        return implementation

    return register


@kernel
def copy_into(target, source):
    """Put every element of `source` into the same place of `target`, which may be larger.

    An assignment of slices comes with the text of an error message, which takes longer to compile
    than most kernels that it would be compiled into.
    """
    for place, value in np.ndenumerate(source):
        target[place] = value
