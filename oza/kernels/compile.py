"""Compile kernels with numba, and cache them so that a stale kernel never runs.

A kernel that is not compiled yet runs as Python code, with the same bits, while another process compiles it
(`beside`). A call that still runs when that is done starts over with the compiled kernel, after what it has
written so far is undone: the compiled kernel does that work in a hundredth of the time.

numba notices when a function's own file changes, but not when a function that it calls, in another file,
does.  So the name of a file in the cache contains a digest of all code that may have gone into it: that of
the kernel's module, of the modules that define the types of its arguments, of those that implement
operations for types in any of these, and of all that they import (`closure`).
"""

import hashlib
import itertools
import os
import pickle
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, partial, update_wrapper
from os.path import realpath
from signal import SIGINT
from threading import RLock, get_ident
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.datamodel.models import OpaqueModel
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.extending import register_model, typeof_impl
from numba.typed import List

from .beside import Compiler as CompilerBeside
from .beside import mode
from .boxing import box_without_python_code
from .closure import closure, digest_of, file_of, is_older, keep_in, read_package_of
from .disk import DiskCache
from .lists import KernelList
from .notice import tell
from .states import arrays_of, name_of
from .undivided import begin_kernel, end_kernel, locks, undivided

box_without_python_code()

# numba names machine code by the number of its function and those of the types of records in its arguments,
# and counts both from 1 in each process: kernels of two processes could have one name, and the one that is
# loaded second would run with the constants of the first.
FunctionIdentity._unique_ids = iter(partial(secrets.randbits, 64), None)  # type: ignore[assignment]

_config: Any = numba.config
_njit: Any = numba.njit  # its type stubs omit some options
_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of global variables begin that hold a function's environment


def _cache() -> DiskCache:
    """The cache of kernels that these versions of the compilers have compiled."""
    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    checks_bounds = "-boundscheck" if _config.BOUNDSCHECK else ""  # set by NUMBA_BOUNDSCHECK=1
    return DiskCache(os.environ.get("OZA_CACHE", ""), "-".join(versions) + checks_bounds)


CACHE = _cache()
CACHE_FOLDER = CACHE.folder
keep_in(CACHE)
_LOOK = 0.05  # seconds between two looks at whether a kernel that runs uncompiled is compiled
_PATIENCE = 2.0  # seconds that it runs uncompiled before this process compiles it, if no other one can
_compiler = CompilerBeside(CACHE)
# Held by the thread that runs a kernel uncompiled, loads or compiles one: so no other thread runs it compiled
# meanwhile, on lists that both share.
_alone = RLock()
locks.add(_alone)
# NamedTuple classes, and functions that implement operations for them
_implemented: list[tuple[Any, Any]] = []


class _Cache(NullCache):
    """Cache of a kernel: a file for each digest of code, types and processor."""

    def __init__(self, kernel: "Kernel", kind: str):
        self._kernel, self._kind = kernel, kind
        self._names: dict[Any, str | None] = {}  # of files by signature, from when they were looked for
        self._wanted: dict[Any, _Wanted] = {}  # by signature, while they are not compiled

    def load_overload(self, sig, target_context):
        """What is cached for arguments of these types; if that is None, numba compiles the kernel.

        Raises
        ------
        NotCompiled
            If the kernel is to run uncompiled meanwhile.
        """
        if self._kind == "entry":
            if not _alone._is_owned():  # type: ignore[attr-defined]
                raise NotCompiled
            if mode() == "beside" and self._must_wait(sig, target_context):
                raise NotCompiled(self._wanted[sig])
        target_context.refresh()
        name = self._names[sig] = self._name(sig, target_context)
        if name is not None and (content := CACHE.read(name)) is not None:
            with suppress(Exception):  # any error may come out of pickled data that are complete but wrong
                return CompileResult._rebuild(target_context, *pickle.loads(content))
        self._warn()
        return None

    def _must_wait(self, sig, target_context) -> bool:
        """Whether the kernel is to run uncompiled meanwhile."""
        if sig not in self._wanted:
            is_there = partial(self._is_there, sig, target_context)
            if is_there():
                return False
            self._wanted[sig] = _Wanted(self._ask(sig), is_there)
        return not self._wanted[sig].is_ready()

    def _is_there(self, sig, target_context) -> bool:
        """Whether there is a file for these types, whose name takes long to find."""
        function = self._kernel.py_func
        if not CACHE.has(f"{function.__module__}.{function.__qualname__}-"):
            return False
        name = self._name(sig, target_context)
        return name is not None and CACHE.has(name)

    def _ask(self, sig) -> bytes | None:
        """Ask another process for the kernel, if there can be one and it would find the code."""
        function, types_of_arguments = self._kernel.py_func, normalize_signature(sig)[0]
        if _compiler.can_start() and all(map(_has_source, [function, *_defined_in(types_of_arguments)])):
            modules = {one.__module__ for pair in _implemented for one in pair}
            with suppress(pickle.PicklingError, AttributeError, TypeError):
                return _compiler.ask(modules, function.__module__, function.__qualname__, types_of_arguments)
        return None

    def save_overload(self, sig, data):
        """Cache what was compiled for arguments of these types."""
        name = self._name(sig, data.target_context)
        if name is None or name != self._names.get(sig):  # what it may call was imported meanwhile
            return
        if not data.lifted and not data.library.has_dynamic_globals:
            CACHE.write(name, dumps(data._reduce()))
            self._warn()

    def _warn(self):
        """Warn if kernels cannot be kept, where a warning that is an error reaches the user."""
        if self._kind == "entry":
            CACHE.warn()

    def _name(self, sig, target_context) -> str | None:
        """File for arguments of these types; None if the source of what the kernel runs is not known."""
        function = self._kernel.py_func
        defined = list(_defined_in(normalize_signature(sig)[0]))
        code = _code_of(frozenset([function, *defined]), len(_implemented))
        if code is None:
            return None
        names = [f"{one.__module__}.{one.__qualname__}" for one in (function, *defined)]
        target = target_context.codegen().magic_tuple()
        made_of = code, names, _instructions(function), self._kernel.options, str(sig), target
        digest = hashlib.sha256(repr(made_of).encode()).hexdigest()[:32]
        return f"{names[0]}-{digest}.{self._kind}"


class NotCompiled(Exception):
    """Raised where a kernel is not compiled; its argument, if it has one, is the `_Wanted`."""


class _Wanted:
    """A kernel for arguments of some types that is not compiled yet."""

    def __init__(self, asked: bytes | None, is_there: Callable[[], bool]):
        self.seconds = 0.0  # for which it has run uncompiled
        self._asked, self._is_there = asked, is_there

    def is_ready(self) -> bool:
        """Whether it is in the cache, or this process is to compile it now."""
        if self._asked is None:
            return self.seconds > _PATIENCE
        return _compiler.is_done(self._asked) or self._is_there()


def _defined_in(found: Any) -> Iterator[Any]:
    """The NamedTuple classes and functions in a type or in several types."""
    if isinstance(found, types.Dispatcher):
        yield found.dispatcher.py_func
    elif isinstance(found, _OperationType):
        yield found.operation.default.py_func
    elif isinstance(found, types.Type):
        kind = getattr(found, "instance_class", None)
        yield from () if kind is None else (kind,)
        yield from _defined_in(tuple(vars(found).values()))
    elif isinstance(found, tuple):
        for part in found:
            yield from _defined_in(part)


def _instructions(function):
    """What distinguishes functions of one name in one file, on whatever lines they are."""
    code = function.__code__
    numbers = [constant for constant in code.co_consts if isinstance(constant, int | float | tuple)]
    return code.co_code, code.co_names, numbers


@cache
def _code_of(defined, n_implemented) -> str | None:
    """Digest of all code that kernels of these functions and classes may run; None if some is not known.

    Also depends on how many implementations there are, since each import may add some.
    """
    found: dict[str, str] = {}
    called = defined
    while called:
        if not all(map(_has_source, called)):
            return None
        try:
            found = closure({one.__module__ for one in defined})
        except OverflowError as error:
            CACHE.problem = CACHE.problem or str(error)
            return None
        called = {by for kind, by in _implemented if kind in defined or kind.__module__ in found} - defined
        defined |= called
    return digest_of(found) if all(is_older(module) for module in found if file_of(module)) else None


@cache
def _has_source(defined) -> bool:
    """Whether a function or class is made by the file of its module, not by a function or a notebook."""
    file = file_of(defined.__module__)
    if file is None or "<locals>" in defined.__qualname__:
        return False
    made_in = getattr(getattr(defined, "__code__", None), "co_filename", file)
    return realpath(made_in) == realpath(file)


class RunsInPython:
    """A type that numba cannot compile for: a kernel that receives one runs as plain Python."""


class _KernelType(types.Dispatcher):
    """Type by which kernels call a kernel: a constant has the type of a variable, an integer 64 bits.

    For a call with constants, or with integers that come from an array of int32, numba would compile a
    kernel once more.
    """

    def get_call_type(self, context, args, kws):
        """Signature of the kernel that is compiled for arguments of these types."""
        by_name = {name: _widened(given) for name, given in kws.items()}
        return super().get_call_type(context, tuple(map(_widened, args)), by_name)


def _widened(given):
    found = types.unliteral(given)
    return types.int64 if found == types.int32 else found


register_model(_KernelType)(OpaqueModel)


class EntryPoint(JITCodeLibrary):
    """The code of a kernel that Python calls, with the code of all kernels that it calls."""

    def _optimize_final_module(self):
        """Optimise all at once. The kernels have no callers elsewhere, so their signatures may change."""
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "private"  # calls from other modules would find "internal" names
        super()._optimize_final_module()


class Callee(JITCodeLibrary):
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
        is_kept = _has_source(func) and not CACHE.problem
        kept = f"kept in {CACHE.folder}" if is_kept else "compiled again by each process"
        tell(f"oza: compiling {func.__qualname__}, which is {kept} (OZA_QUIET=1 hides this line).")
        return super().compile_extra(func)


class _EntryPointCompiler(_Compiler):
    library = EntryPoint


class _CalleeCompiler(_Compiler):
    library = Callee


_kernels: WeakValueDictionary[tuple[str, str], "Kernel"] = WeakValueDictionary()


def kernel_named(module: str, name: str) -> "Kernel":
    """The kernel of a function, which need not be what the function's name in its module means."""
    return _kernels[module, name]


class Kernel:
    """A function compiled by numba; called with a `RunsInPython`, or not compiled yet, it runs uncompiled."""

    def __init__(self, function, options):
        self.py_func = function  # uncompiled
        self.options = options
        update_wrapper(self, function)
        read_package_of(function.__module__)
        _kernels[function.__module__, function.__qualname__] = self

    @cached_property
    def compiled(self):
        """What Python calls."""
        return self._dispatcher("entry", pipeline_class=_EntryPointCompiler)

    @cached_property
    def callee(self):
        """What other kernels call."""
        return self._dispatcher("callee", pipeline_class=_CalleeCompiler, no_cpython_wrapper=True)

    @cached_property
    def _numba_type_(self):
        return _KernelType(self.callee)

    def _dispatcher(self, kind, **options):
        dispatcher = _njit(**self.options, **options)(self.py_func)
        dispatcher.typeof_pyval = partial(_type_of, dispatcher.typeof_pyval)
        # An exception that is raised in Python code that LLVM calls would be lost, with the machine code.
        dispatcher.compile = undivided()(dispatcher.compile)
        dispatcher._cache = _Cache(self, kind)
        return dispatcher

    def __call__(self, *arguments):
        """Run the kernel."""
        me = get_ident()
        if (run := _runs.get(me)) is not None:  # the kernel that calls this one runs uncompiled
            run.look()
            return self._as_python(arguments)
        for argument in arguments:
            if isinstance(argument, RunsInPython):
                return _checked(self.py_func(*arguments))
        try:
            begin_kernel(me)
            if _NEVER:
                return self._uncompiled(arguments, [])
            result = self.compiled(*arguments)
            return result if type(result) is not int else _checked(result)
        except NotCompiled:
            return self._meanwhile(arguments)
        finally:
            end_kernel(me)

    def compile_for(self, types_of_arguments) -> None:
        """Compile it, or load it from the cache, for arguments of these types."""
        with _alone:
            self.compiled.compile(types_of_arguments)

    def _as_python(self, arguments):
        """Run as Python, in which numbers are divided and overflow as in a kernel."""
        return _checked(self.py_func(*[np.float64(one) if type(one) is float else one for one in arguments]))

    def _meanwhile(self, arguments):
        """Run uncompiled until that is done, or the kernel is compiled, and then compiled from the start."""
        with _alone:
            while missing := self._missing(arguments):
                with suppress(_Ended):
                    return self._uncompiled(arguments, missing)
            return _checked(self.compiled(*arguments))

    def _missing(self, arguments) -> list[_Wanted]:
        """What must be compiled before the kernel can run compiled; if nothing, its lists are made typed."""
        types_of = tuple(map(type_when_compiled, arguments))
        lists = [part for part in _parts_of(arguments) if isinstance(part, KernelList) and part.plain]
        needed = [(self, types_of)]
        for item in {type_when_compiled(each[0]) for each in lists}:
            of_items = types.ListType(item)
            needed += [(_list_of, (item,)), (_append, (of_items, item)), (_item, (of_items, types.int64))]
        missing: list[_Wanted] = []
        for each, types_of_its_arguments in needed:
            try:
                each.compile_for(types_of_its_arguments)
            except NotCompiled as not_compiled:
                missing += not_compiled.args
        _compiler.start()
        with undivided():
            for made in lists if not missing else ():
                made.make_typed(_list_of.compiled, _append.compiled, _item.compiled)
        return missing

    def _uncompiled(self, arguments, missing):
        """Run as Python code; if that ends early, with `_Ended`, nothing has changed."""
        me = get_ident()
        with undivided() as signals:
            before = [*_saved(arguments)]
            run = _runs[me] = _Run(self, missing, signals)
            try:
                with np.errstate(all="ignore"):
                    return self._as_python(arguments)
            except _Ended:
                for restore in before:
                    restore()
                raise
            finally:
                del _runs[me]
                run.count_time()


_NEVER = mode() == "never" or bool(_config.DISABLE_JIT)


def _checked(result):
    """The result of a kernel; as numpy's if it is an integer that numba refuses as an argument."""
    return np.uint64(result) if type(result) is int and result >= 2**63 else result


class _Ended(Exception):
    """Ends a kernel that runs uncompiled."""


class _Run:
    """A kernel that runs uncompiled in a thread."""

    def __init__(self, kernel: Kernel, missing: list[_Wanted], signals: list[Any]):
        self._kernel, self._missing, self._signals = kernel, missing, signals
        self._began = self._looked = monotonic()
        self._n_calls = 0

    def look(self) -> None:
        """End the run for Ctrl-C, and if what was missing is compiled; each kernel in it calls this."""
        self._n_calls += 1
        if self._n_calls % 32 or monotonic() < self._looked + _LOOK:
            return
        self.count_time()
        if any(number == SIGINT for number, _ in self._signals):
            raise _Ended
        if self._missing and all(each.is_ready() for each in self._missing):
            raise _Ended
        if self._missing and self._looked > self._began + _PATIENCE:
            name = self._kernel.py_func.__qualname__
            tell(
                f"oza: {name} runs uncompiled until it is compiled, and kept in {CACHE.folder} "
                "(OZA_QUIET=1 hides this line)."
            )

    def count_time(self) -> None:
        """Count the time since the last look for what is missing."""
        before, self._looked = self._looked, monotonic()
        for each in self._missing:
            each.seconds += self._looked - before


_runs: dict[int, _Run] = {}  # by thread


def _parts_of(value) -> Iterator[Any]:
    """The arrays and lists in an argument that a kernel may change."""
    if isinstance(value, KernelList):
        yield value
        value = value.plain or ()
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list) and not getattr(value, "is_never_changed", False):
        for part in value:
            yield from _parts_of(part)


def _saved(arguments) -> Iterator[Callable[[], Any]]:
    """Functions that restore what a kernel may change, whose lists become plain."""
    for part in _parts_of(arguments):
        if isinstance(part, KernelList):
            yield partial(setattr, part, "plain", [*part.make_plain()])
        elif part.flags.writeable:
            yield partial(np.copyto, part, part.copy())


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


def type_when_compiled(value):
    """Type of an argument of a kernel once its lists are typed."""
    if isinstance(value, KernelList) and value.plain is not None:
        return types.ListType(type_when_compiled(value[0]))
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(list(map(type_when_compiled, value)), type(value))
    return numba.typeof(value)


@typeof_impl.register(KernelList)
def _typeof_list(made, context):
    if made.plain is not None:
        raise NotCompiled
    return made._numba_type_


def _type_of(by_numba, value):
    """Type of an argument of a kernel: one that is already known, or else as found `by_numba`."""
    known = _types.get(_key_of(value)) if isinstance(value, tuple) else None
    return known or by_numba(value)


_states: dict[str, type] = {}  # the NamedTuple classes that implement operations, by their names


def name_apart(kind):
    """Number the name of a NamedTuple class if another one has it.

    numba takes two such classes for one if their names and the types of their fields are equal, and runs
    what it compiled first: for two versions of a state, made by a function or by a cell of a notebook that
    runs again, for a module that is reloaded, and for a class that is called like one of this library.
    """
    name = kind.__name__
    for number in itertools.count(2):
        if _states.setdefault(kind.__name__, kind) is kind:
            return
        kind.__name__ = f"{name}_{number}"


def typed_once(kind):
    """Let numba build the type of a NamedTuple once, and not in each call of a kernel.

    That would take longer than learning from an example.
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
        _implemented.append((kind, implementation.py_func))
        read_package_of(kind.__module__)

    def implementation_for(self, kind):
        """The kernel that is called for a NamedTuple class."""
        return self._implementations.get(kind, self.default)

    def is_implemented_for(self, kind):
        """Whether a class has an implementation of its own."""
        return kind in self._implementations

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
    name_apart(kind)
    typed_once(kind)

    def register(implementation):
        operation.register(kind, kernel(implementation, inline=inline, counts=counts))
        return implementation

    return register


def check_implemented(state, *operations):
    """Refuse a state for which one of these operations, which have no default, is not implemented."""
    for operation in operations:
        if hasattr(state, "_fields") and not operation.is_implemented_for(type(state)):
            missing = f"{operation.__name__}, {name_of(type(state))}"
            raise TypeError(f"@implements({missing}) is missing, and the function below it.")


def record_type(fields):
    """Aligned dtype of records: a kernel reads and writes a field as an attribute, uncompiled too."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


@kernel
def copy_into(target, source):
    """Copy every element of `source` to the same index of `target`, which may be larger.

    numba compiles an error message into each assignment of slices, which takes longer to compile
    than most kernels that contain one.
    """
    for place, value in np.ndenumerate(source):
        target[place] = value


@kernel
def _list_of(item):
    made = List()
    made.append(item)
    return made


@kernel
def _append(made, item):
    made.append(item)


@kernel
def _item(made, place):
    return made[place]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_compiler.forget)
