"""Compile kernels with numba, and cache them so that a stale kernel never runs.

numba notices when a function's own file changes, but not when a function that it calls, in
another file, does.  So the name of the cache folder contains a hash of every source file that can
hold a kernel: any edit of one of them leads to a new, empty folder.  Kernels of other packages, and the
package's own for their types, such as a base model of the user's, are compiled in each process.
"""

import hashlib
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property, partial, update_wrapper
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from llvmlite import binding as llvm
from numba import types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.datamodel.models import OpaqueModel
from numba.extending import register_model, typeof_impl

from .boxing import box_without_python_code
from .states import arrays_of

box_without_python_code()

_config: Any = numba.config
_njit: Any = numba.njit  # its type stubs omit some options
_PACKAGE = Path(__file__).parent.parent
_SOURCES = (_PACKAGE, _PACKAGE.parent / "reproduction")  # the latter only in a checkout
#: Layers that contain no kernels.
_WITHOUT_KERNELS = (
    "cli.py",
    "compare",
    "evaluation",
    "claims",
    "exhibits",
    "probes",
    "record",
    "studies",
    "tables",
)
_MONTH = 30 * 24 * 3600
_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of global variables begin that hold a function's environment


def source_hash(leave_out: tuple[str, ...] = ()) -> str:
    """Hash of the source files of the packages, in 16 hexadecimal digits.

    `leave_out` names files and folders of the packages that are excluded.
    """
    digest = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder)
            if name.parts[0] not in leave_out:
                digest.update(name.as_posix().encode() + b"\0")
                digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder for this state of the sources; folders unused for a month are removed."""
    root = Path(os.environ.get("OZA_CACHE") or platformdirs.user_cache_dir("oza")) / "kernels"
    checks_bounds = "-boundscheck" if _config.BOUNDSCHECK else ""  # set by NUMBA_BOUNDSCHECK=1
    folder = root / (source_hash(leave_out=_WITHOUT_KERNELS) + checks_bounds)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
        os.utime(folder)
        for other in root.iterdir():
            if other.is_dir() and time.time() - other.stat().st_mtime > _MONTH:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:  # the cache cannot be written: compile in each process
        folder = Path(tempfile.mkdtemp(prefix="oza-kernels-"))
    return folder


CACHE_FOLDER = _cache_folder()


class _Cache(FunctionCache):
    """Cache of a kernel, without what is compiled for types of other packages.

    Nothing would tell when their files change, and without them numba cannot read its index.
    """

    def load_overload(self, sig, target_context):
        """What is cached for arguments of these types, or None."""
        return None if any(map(_is_of_others, sig)) else super().load_overload(sig, target_context)

    def save_overload(self, sig, data):
        """Cache what was compiled for arguments of these types."""
        if not any(map(_is_of_others, sig)):
            super().save_overload(sig, data)


def _is_of_others(found) -> bool:
    """Whether a type contains a NamedTuple class that is not the package's."""
    kind = getattr(found, "instance_class", None)
    is_ours = kind is None or kind.__module__.partition(".")[0] in ("oza", "reproduction")
    return not is_ours or any(map(_is_of_others, getattr(found, "types", ())))


@contextmanager
def _interrupts_deferred():
    """Handle Ctrl-C only after the body.

    While LLVM compiles or loads a kernel it calls Python, and an exception that is raised in there is lost,
    together with the machine code.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    received = []
    signal.signal(signal.SIGINT, lambda *arguments: received.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received:
            handler(*received[0])


class RunsInPython:
    """A type that numba cannot compile for: a kernel that receives one runs as plain Python."""


class _KernelType(types.Dispatcher):
    """Type by which kernels call a kernel: a constant argument has the type of a variable.

    For a call with constants, numba would compile a kernel once more.
    """

    def get_call_type(self, context, args, kws):
        """Signature of the kernel that is compiled for arguments of these types."""
        by_name = {name: types.unliteral(given) for name, given in kws.items()}
        return super().get_call_type(context, tuple(map(types.unliteral, args)), by_name)


register_model(_KernelType)(OpaqueModel)


class _Whole(JITCodeLibrary):
    """The code of a kernel that Python calls, with the code of all kernels that it calls."""

    def _optimize_final_module(self):
        """Optimise all at once. The kernels have no callers elsewhere, so their signatures may change."""
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "private"  # calls from other modules would find "internal" names
        super()._optimize_final_module()


class _Part(JITCodeLibrary):
    """The code of a kernel that other kernels call: the intermediate representation, not optimised.

    numba by itself optimises it and writes machine code, with that of all kernels that it calls, and so
    does the same work once more for each level of calls, which took half of the time for compiling.
    """

    def _optimize_final_module(self):
        """Leave that to the kernel that Python calls."""

    def _finalize_final_module(self):
        """Keep the code to be linked into callers, and write the global variables that numba sets now."""
        self._finalized = True
        code = self._get_module_for_linking()
        environments = [str(found) for found in code.global_variables if found.name.startswith(_ENVIRONMENT)]
        self._final_module = llvm.parse_assembly("\n".join(environments))
        super()._finalize_final_module()


class _Compiler(Compiler):
    """numba's compiler; its product is a `library`."""

    library: type[JITCodeLibrary]

    def compile_extra(self, func):
        """Compile `func`."""
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class _WholeCompiler(_Compiler):
    library = _Whole


class _PartCompiler(_Compiler):
    library = _Part


class Kernel:
    """A function compiled by numba; called with a `RunsInPython`, it runs uncompiled."""

    def __init__(self, function, options):
        self.py_func = function  # uncompiled
        self._options = options
        update_wrapper(self, function)

    @cached_property
    def compiled(self):
        """What Python calls."""
        return self._dispatcher(CACHE_FOLDER, pipeline_class=_WholeCompiler)

    @cached_property
    def part(self):
        """What other kernels call."""
        return self._dispatcher(CACHE_FOLDER / "parts", pipeline_class=_PartCompiler, no_cpython_wrapper=True)

    @cached_property
    def _numba_type_(self):
        return _KernelType(self.part)

    def _dispatcher(self, folder, **options):
        dispatcher = _njit(**self._options, **options)(self.py_func)
        dispatcher.typeof_pyval = partial(_type_of, dispatcher.typeof_pyval)
        dispatcher.compile = _interrupts_deferred()(dispatcher.compile)
        if any(map(Path(self.py_func.__code__.co_filename).is_relative_to, _SOURCES)):
            before = _config.CACHE_DIR
            _config.CACHE_DIR = str(folder)
            try:
                dispatcher._cache = _Cache(self.py_func)
            finally:
                _config.CACHE_DIR = before
        return dispatcher

    def __call__(self, *arguments):
        """Run the kernel: compiled, or as Python if an argument is a `RunsInPython`."""
        for argument in arguments:
            if isinstance(argument, RunsInPython):
                result = self.py_func(*arguments)
                break
        else:
            result = self.compiled(*arguments)
        if type(result) is int and result >= 2**63:  # numba refuses such an int as an argument
            return np.uint64(result)
        return result


def kernel(function=None, *, inline=False, counts=True):
    """Compile `function` with numba, cached on disk, with strict IEEE floating point.

    Parameters
    ----------
    inline : bool, default=False
        Whether to inline the function into its callers: for a function with so many array arguments
        that passing them would cost as much as its work.
    counts : bool, default=True
        Whether references to arrays are counted, which costs more than reading a number. A function
        that creates no array, and stores none beyond its own call, needs no counts.

    Notes
    -----
    No C callback is generated: nothing uses it, and it takes time to compile. A kernel releases Python's
    lock, so that threads run at the same time.
    """
    if function is None:
        return partial(kernel, inline=inline, counts=counts)
    return Kernel(
        function,
        {
            "error_model": "numpy",
            "forceinline": inline,
            "_nrt": counts,
            "nogil": True,
            "no_cfunc_wrapper": True,
        },
    )


_types: dict[Any, Any] = {}  # numba types, by what `_key_of` says of a value
_typeof_tuple: Any = typeof_impl.dispatch(tuple)


def _key_of(value):
    """What the numba type of a value depends on, found in a fraction of the time that numba takes."""
    if isinstance(value, tuple):
        return (type(value), *map(_key_of, value))
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.ndim, value.flags.num
    if type(value) is float or (type(value) is int and abs(value) < 2**63):
        return type(value)
    return id(getattr(value, "_numba_type_", None) or numba.typeof(value))  # numba has each type once


def _type_of(by_numba, value):
    """Type of an argument of a kernel: one that is already known, or else as found `by_numba`."""
    known = _types.get(_key_of(value)) if isinstance(value, tuple) else None
    return known or by_numba(value)


def typed_once(kind):
    """Let numba build the type of a NamedTuple once, and not in each call of a kernel.

    That would take longer than to learn an example.
    """

    @typeof_impl.register(kind)
    def find(value, context):
        key = _key_of(value)
        if key not in _types:
            _types[key] = _typeof_tuple(value, context)
        return _types[key]

    return kind


class _OperationType(types.Callable, types.Dummy):
    """Type by which kernels call an operation: a call is one of the implementation for its first argument."""

    def __init__(self, operation):
        self.operation = operation
        super().__init__(f"operation({operation.__module__}.{operation.__qualname__})")

    def _chosen(self, models):
        implementation = self.operation.implementation_for(getattr(models, "instance_class", None))
        return implementation._numba_type_

    def get_call_type(self, context, args, kws):
        """Signature of the implementation that is compiled for arguments of these types."""
        return self._chosen(args[0]).get_call_type(context, args, kws)

    def get_impl_key(self, sig):
        """What numba finds the compiled implementation by."""
        return self._chosen(sig.args[0]).get_impl_key(sig)

    def get_call_signatures(self):
        """Nothing, for numba's messages: there is a signature for each type of the first argument."""
        return (), False


register_model(_OperationType)(OpaqueModel)


class Operation:
    """Decorator: makes a function dispatch on the type of its first argument.

    In a kernel the first argument is a NamedTuple, and numba chooses the implementation when it
    compiles the kernel, not at run time. For a `RunsInPython` the implementation is its method of the
    same name. For a type without an implementation of its own it is the decorated function, `default`.
    """

    def __init__(self, default):
        update_wrapper(self, default)
        self.default = kernel(default)
        self._implementations: dict[Any, Kernel] = {}  # by kind
        self._numba_type_ = _OperationType(self)  # lets kernels call it

    def register(self, kind, implementation):
        """Let `implementation`, a kernel, be called for a NamedTuple class."""
        self._implementations[kind] = implementation

    def implementation_for(self, kind):
        """The kernel that is called for a NamedTuple class."""
        return self._implementations.get(kind, self.default)

    def __call__(self, models, *arguments):
        """Run the implementation for `models`."""
        implementation: Callable[..., Any]
        if isinstance(models, RunsInPython):
            implementation = getattr(type(models), self.default.py_func.__name__, self.default)
        else:
            implementation = self.implementation_for(type(models))
        return implementation(models, *arguments)


def implements(operation, kind, *, inline=False, counts=True):
    """Register an implementation of `operation` for `kind`, a NamedTuple class; options as for `kernel`."""
    arrays_of(kind)  # refuses annotations that mean nothing
    typed_once(kind)

    def register(implementation):
        operation.register(kind, kernel(implementation, inline=inline, counts=counts))
        return implementation

    return register


@kernel
def copy_into(target, source):
    """Copy every element of `source` to the same index of `target`, which may be larger.

    numba compiles an error message into each assignment of slices, which takes longer to compile
    than most kernels that contain one.
    """
    for place, value in np.ndenumerate(source):
        target[place] = value
