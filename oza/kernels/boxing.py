"""Turn results of kernels into Python objects, and lists into arguments, without Python code.

numba's own functions call Python code for each array, list and NamedTuple. Ctrl-C can raise an exception
in there, and numba goes on without the object that is missing: the kernel ends with another error, or Python
with a segmentation fault. Without Python code, Ctrl-C takes effect after the kernel has returned, and a state
of 20 arrays is returned in half the time.
"""

from copy import copy

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import boxing, cgutils
from numba.core.pythonapi import _boxers, _unboxers  # have no public function to replace a registered one
from numba.np.numpy_support import as_dtype
from numba.typed import List
from numba.typed.typedlist import unbox_listtype


def _constant(c, value):
    """A Python object that is stored with the kernel."""
    return c.env_manager.read_const(c.env_manager.add_const(value))


def _dtype_of(kind):
    """The dtype of an array; of records that have attributes, for kernels that run uncompiled."""
    found = as_dtype(kind)
    return np.dtype((np.record, found)) if found.names else found


def _box_array(kind, value, c):
    """The array, with its references."""
    if not c.context.enable_nrt:
        return boxing.box_array(kind, value, c)
    int32 = ir.IntType(32)
    pointer, reference = c.pyapi.voidptr, c.pyapi.pyobj
    signature = ir.FunctionType(reference, [pointer, reference, int32, int32, reference])
    adapt = c.pyapi._get_function(signature, "NRT_adapt_ndarray_to_python_acqref")
    arguments = [
        c.builder.bitcast(cgutils.alloca_once_value(c.builder, value), pointer),
        _constant(c, kind.box_type),
        int32(kind.ndim),
        int32(int(kind.mutable)),
        _constant(c, _dtype_of(kind.dtype)),
    ]
    array = c.builder.call(adapt, arguments)
    c.context.nrt.decref(c.builder, kind, value)
    return array


def _box_named_tuple(kind, value, c):
    """The NamedTuple, unless its class derives from one and so may have a constructor of its own."""
    if kind.instance_class.__bases__ != (tuple,):
        return boxing.box_namedtuple(kind, value, c)
    items = boxing.box_tuple(kind, value, c)
    new = _constant(c, tuple.__new__)
    named = c.pyapi.call_function_objargs(new, (_constant(c, kind.instance_class), items))
    c.pyapi.decref(items)
    return named


def _box_list(kind, value, c):
    """The list, with the attributes that its `__init__` sets."""
    memory = cgutils.create_struct_proxy(kind)(c.context, c.builder, value=value).meminfo
    opaque = c.box(types.MemInfoPointer(types.voidptr), memory)
    made = c.pyapi.call_function_objargs(_constant(c, object.__new__), (_constant(c, List),))
    c.pyapi.object_setattr_string(made, "_list_type", _constant(c, kind))
    c.pyapi.object_setattr_string(made, "_opaque", opaque)
    c.pyapi.decref(opaque)
    return made


def _unbox_list(kind, value, c):
    """The list: a `KernelList`, of which numba would ask that it is one of its own."""
    api = copy(c.pyapi)
    api.unserialize = lambda _: c.pyapi.object_type(value)
    return unbox_listtype(kind, value, c._replace(pyapi=api))


def box_without_python_code():
    """Replace numba's functions, for all kernels that are compiled from now on."""
    _unboxers.functions[types.ListType] = _unbox_list
    _boxers.functions[types.ListType] = _box_list
    _boxers.functions[types.Array] = _box_array
    _boxers.functions[types.NamedTuple] = _boxers.functions[types.NamedUniTuple] = _box_named_tuple
