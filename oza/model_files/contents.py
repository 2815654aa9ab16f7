"""What arrays and numbers of a file must be: of the type and shape of a pattern, with entries as declared.

Everything here gives a copy, so that no two parts of a state share memory, and each is laid out as kernels
expect it; or it raises a ValueError that names the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..columns.examples import Examples, LabelledExamples
from ..columns.schema import Schema
from ..drift.windows import Windows
from ..ensembles.adaptive.kernels import Detectors
from ..ensembles.earlier.kernels import Blocks
from ..experts.weights import Weights
from ..kernels.states import Array, arrays_of

ANY = (-np.inf, np.inf)  # entries may also be NaN
FINITE = (-np.finfo(np.float64).max, np.finfo(np.float64).max)
WEIGHTS = (0.0, 2.0**60)  # far above all that can be learned, and sums of squares are still finite
NUMBERS = (0, 2**62)
#: Axes whose sizes no parameter, and neither values nor classes determine.
_GROWING = ("N", "S", "U", "U + 1", "R", "nodes", "rows")
NOT_DECLARED = Array(("...",), "")


def require(is_so: Any, what: str) -> None:
    """Raise a ValueError that says what is wrong unless `is_so`."""
    if not is_so:
        raise ValueError(what)


def array(name: str, found: Any, dtype: Any, shape: tuple, between: tuple = ANY) -> np.ndarray:
    """A copy of an array of this type and shape, where None stands for any length."""
    expected = np.dtype(dtype)
    require(type(found) is np.ndarray, f"{name} is of the type {type(found).__name__}, not an array")
    is_same = found.dtype == expected
    if expected.names:  # a file does not record the alignment of records
        is_same = found.dtype.fields == expected.fields and found.dtype.itemsize == expected.itemsize
    require(is_same, f"{name} has the type {found.dtype}, not {expected}")
    fits = found.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, found.shape, strict=True))
    require(fits, f"{name} has the shape {found.shape}, not {shape}")
    if expected == np.bool_:
        return np.ascontiguousarray(found).view(np.uint8) != 0  # the bytes of a file need not be 0 and 1
    copied = np.array(found, order="C")
    if expected.names:
        return copied.view(expected)
    if between is not ANY and expected.kind != "O":
        low, high = between
        require(((copied >= low) & (copied <= high)).all(), f"{name} has entries outside {low} to {high}")
    return copied


def is_own(kind: type) -> bool:
    """Whether a class is one of this library; another one is trusted by the caller."""
    return kind.__module__.partition(".")[0] == "oza"


def whole(name: str, found: Any, low: int = 0, high: int = NUMBERS[1]) -> int:
    """An integer from `low` to `high`."""
    is_good = type(found) is int and low <= found <= high
    require(is_good, f"{name} is {found!r:.50}, not an integer from {low} to {high}")
    return found


def record(name: str, found: Any, kind: type) -> Any:
    """A NamedTuple of exactly this class."""
    require(type(found) is kind, f"{name} is of the type {type(found).__name__}, not {kind.__name__}")
    return found


def limits_of(schema: Schema, n_classes: int) -> dict[str, Any]:
    """Sizes of axes, and the first code of each nominal attribute and the end."""
    n_values = int(schema.sizes.sum())
    return {"V": n_values, "K": n_classes, "starts": np.append(schema.starts, n_values)}


def conformed(
    name: str, found: Any, pattern: Any, limits: dict[str, Any], of: Array = NOT_DECLARED, own: bool = True
) -> Any:
    """A copy of a part of a state that is like `pattern`, which is the same part of a state just begun.

    In a state of this library's `own`, numbers are ≥ 0 unless something else is declared, and an array has
    the size that it had, but for `_GROWING` axes. In another one codes, labels and indices are in range,
    other entries may be any, and an array may have grown, but not along those of models, values and classes.
    """
    if isinstance(pattern, np.ndarray):
        return _like(name, found, pattern, limits, of, own)
    if hasattr(pattern, "_fields"):
        is_all = not is_own(type(pattern))  # numbers are parameters in a state of this library
        named = zip(pattern._fields, pattern, strict=True)
        learned = [
            each for each, part in named if is_all or isinstance(part, np.ndarray) or hasattr(part, "_fields")
        ]
        state = fields(name, found, pattern, limits, learned)
        _CHECKS.get(type(pattern), lambda *_: None)(name, state)
        return state
    is_float = isinstance(pattern, float) and isinstance(found, float)
    is_same = is_float or type(found) is type(pattern)
    require(is_same or (pattern is None and not own), f"{name} is of the type {type(found).__name__}")
    if own and type(pattern) is int:
        return whole(name, found, high=2**64 - 1 if name.endswith("key") else NUMBERS[1])
    if own and is_float:
        is_good = 0 <= found <= (np.inf if of.contents == "any" else WEIGHTS[1])
        require(is_good or (np.isnan(found) and np.isnan(pattern)), f"{name} is {found}")
    is_plain = is_float or isinstance(pattern, bool | None | str | tuple)
    require(is_plain or not own, f"{name} cannot be checked")
    return found


def _like(name: str, found: Any, pattern: np.ndarray, limits: dict, of: Array, own: bool) -> np.ndarray:
    """A copy of an array with the declared axes and contents."""
    if of.contents == "buffer" and own:
        return pattern
    what, _, along = of.contents.partition(" ")
    axes = ("",) * pattern.ndim if "..." in of.axes else of.axes
    is_free = [axis in _GROWING if own else axis not in ("M", "V", "K") for axis in axes]
    along_axes = zip(axes, pattern.shape, is_free, strict=True)
    shape = tuple((limits.get(axis) if own else None) if free else n for axis, n, free in along_axes)
    between = {
        "": {"f": WEIGHTS, "i": NUMBERS}.get(pattern.dtype.kind, ANY) if own else ANY,
        "finite": FINITE,
        "index": (0, int(along) - 1 if along.isdigit() else limits.get(along, NUMBERS[1]) - 1),
        "codes": (-1, limits["V"] - 1),
        "labels": (0 if own else -1, limits["K"] - 1),
    }.get(what, ANY)
    copied = array(name, found, pattern.dtype, shape, between)
    fits = all(n >= least for n, least in zip(copied.shape, pattern.shape, strict=True))
    require(own or fits, f"{name} has the shape {copied.shape}, and had {pattern.shape} before it learned")
    if what == "codes" and own:
        is_good = (copied == -1) | ((copied >= limits["starts"][:-1]) & (copied < limits["starts"][1:]))
        require(is_good.all(), f"{name} has codes that no value of their attribute has")
    return copied


def fields(name: str, found: Any, pattern: Any, limits: dict[str, Any], learned: Iterable[str]) -> Any:
    """The record `pattern` with the fields that were `learned`, from a file."""
    record(name, found, type(pattern))
    arrays, own, checked = arrays_of(type(pattern)), is_own(type(pattern)), {}
    sizes = dict(limits)
    for field in learned:
        shape = getattr(getattr(found, field), "shape", ())
        for axis, size in zip(arrays.get(field, NOT_DECLARED).axes, shape, strict=False):
            sizes[axis] = sizes.get(axis, size) if own else min(size, sizes.get(axis, size))
    for field in learned:
        of = arrays.get(field, NOT_DECLARED)
        part, like = getattr(found, field), getattr(pattern, field)
        checked[field] = conformed(f"{name}.{field}", part, like, sizes, of, own)
    return pattern._replace(**checked)


def _windows(name: str, windows: Windows) -> None:
    """Rows in use, and no others, have buckets; their sizes add up to the width."""
    in_use = np.arange(windows.sizes.shape[1]) < windows.n_rows[:, None]
    require((in_use == (windows.sizes > 0)).all(), f"{name}.n_rows does not agree with its sizes")
    widths = [sum(n << r for r, n in enumerate(row)) for row in windows.sizes.tolist()]
    require(widths == windows.widths.tolist(), f"{name}.widths does not agree with its sizes")


def _detectors(name: str, detectors: Detectors) -> None:
    """Detectors between two calls, which check their windows after the same examples."""
    since_check = detectors.windows.n_seen % detectors.clock
    require((since_check == since_check[0]).all(), f"{name}.windows.n_seen differ in their next check")
    require(detectors.counts[1] == 0, f"{name}.counts says that a call has not ended")


def _blocks(name: str, blocks: Blocks) -> None:
    """The first blocks are full, and the next one is not."""
    n_full, size = blocks.n_full[0], len(blocks.weights)
    is_full = np.arange(len(blocks.met)) < n_full
    fits = n_full <= len(is_full) and ((blocks.n_learned == size) == is_full).all()
    require(fits and (blocks.n_learned <= size).all(), f"{name}.n_full does not agree with n_learned")


def _weights(name: str, weights: Weights) -> None:
    mantissas, exponents = weights
    array(f"{name}.mantissas", mantissas, np.float64, mantissas.shape, (0.5, 1.0))
    array(f"{name}.exponents", exponents, np.int64, exponents.shape, (-(2**50), 2**50))


#: Checks of records of which more is known than their annotations say.
_CHECKS: dict[type, Callable[[str, Any], None]] = {
    Windows: _windows,
    Detectors: _detectors,
    Blocks: _blocks,
    Weights: _weights,
}


def labelled(name: str, found: Any, limits: dict[str, Any], n_numeric: int, is_encoded: bool) -> Any:
    """Examples that wait to be learned; `is_encoded`: their columns are not those of another library."""
    examples = record(f"{name}.examples", record(name, found, LabelledExamples).examples, Examples)
    like = np.empty((0, len(limits["starts"]) - 1), np.int32)
    codes, numbers = (
        _like(f"{name}.codes", examples.codes, like, limits, Array(("N", ""), "codes"), True),
        examples.numbers,
    )
    shape = len(codes), n_numeric
    if hasattr(numbers, "check_format") and not is_encoded:  # of a sparse matrix
        numbers.check_format(full_check=True)
        require(numbers.shape == shape, f"{name}.numbers has the shape {numbers.shape}")
    else:
        numbers = array(f"{name}.numbers", numbers, np.float64 if is_encoded else numbers.dtype, shape)
    begun = LabelledExamples(Examples(codes, numbers), np.empty(0, np.int64), np.empty(0))
    return fields(name, found, begun, limits | {"N": len(codes)}, ("labels", "weights"))
