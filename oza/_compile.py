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
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.extending import overload

_config: Any = numba.config
_njit: Any = numba.njit  # its types leave some options out
_SOURCES = Path(__file__).parent
_WITHOUT_KERNELS = ("claims", "cli.py", "exhibits", "experiments")  # they stand above all kernels
_MONTH = 30 * 24 * 3600
_kinds_of: dict[Any, set[Any]] = {}  # verb: the kinds that have a way of their own to do it


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


def kernel(function=None, *, inline=False, counts=True):
    """Compile `function` with numba, cached on disk, floating point strictly as written.

    `inline` puts its code into the callers: for a function that takes so many arrays that handing
    them over would cost as much as its work.

    Without `counts` it counts no references to arrays, which costs more than to read a number: for a
    function that makes no array, and keeps none longer than its caller does. Only kernels can call it.

    No kernel can be handed on as a function of C, which would only take time to compile.
    """
    if function is None:
        return partial(kernel, inline=inline, counts=counts)
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return _njit(
            cache=True,
            error_model="numpy",
            forceinline=inline,
            _nrt=counts,
            no_cpython_wrapper=not counts,
            no_cfunc_wrapper=True,
        )(function)
    finally:
        _config.CACHE_DIR = before


def verb_for(verb, kind=None, *, inline=False):
    """Say how `verb` works on base models of one `kind` (a NamedTuple class); None: of all other kinds.

    The decorated function is compiled into every kernel that calls `verb` on such models; the
    choice is made when the kernel is compiled, not when it runs. `inline` as for `kernel`.
    """

    def register(implementation):
        _kinds_of.setdefault(verb, set()).add(kind)

        @overload(verb, jit_options={"error_model": "numpy", "forceinline": inline}, strict=False)
        def choose(models, *_):
            found = getattr(models, "instance_class", None)
            if kind is None:
                return None if found in _kinds_of[verb] else implementation
            return implementation if found is kind else None

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
