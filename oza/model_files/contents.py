"""What arrays and numbers of a file must be: of the type and shape of a pattern, with entries in range.

Everything here gives a copy, so that no two parts of a state share memory, and each is laid out as kernels
expect it; or it raises a ValueError that names the part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..columns.examples import Examples, LabelledExamples
from ..columns.schema import Schema
from ..drift.windows import MOST_BUCKETS, Windows
from ..ensembles.steps.adaptive import Detectors
from ..ensembles.steps.earlier import Blocks
from ..experts.weights import Weights
from ..kernels.states import Array, arrays_of

ANY = (-np.inf, np.inf)  # entries may also be NaN
FINITE = (-np.finfo(np.float64).max, np.finfo(np.float64).max)
WEIGHTS = (0.0, 2.0**60)  # far above all that can be learned, and sums of squares are still finite
NUMBERS = (0, 2**62)
_BUCKETS = (0, MOST_BUCKETS)


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


def conformed(name: str, found: Any, pattern: Any) -> Any:
    """A copy of a part of a state that is like `pattern`, which is the same part of a state just begun."""
    if type(pattern) in _CHECKS:
        return _CHECKS[type(pattern)](name, record(name, found, type(pattern)), pattern)
    if isinstance(pattern, np.ndarray):
        kind = pattern.dtype.kind
        between = WEIGHTS if kind == "f" else NUMBERS if kind == "i" else ANY
        return array(name, found, pattern.dtype, pattern.shape, between)
    if hasattr(pattern, "_fields"):
        return fields(name, record(name, found, type(pattern)), pattern)
    require(type(found) is type(pattern), f"{name} is of the type {type(found).__name__}")
    if type(pattern) is int:
        return whole(name, found)
    if type(pattern) is float:
        is_good = WEIGHTS[0] <= found <= WEIGHTS[1] or (np.isnan(found) and np.isnan(pattern))
        require(is_good, f"{name} is {found}")
        return found
    require(type(pattern) in (bool, type(None), str), f"{name} cannot be checked")
    return found


_NOT_DECLARED = Array(("...",), "")


def declared(name: str, found: Any, pattern: Any, limits: dict[str, int], of: Array = _NOT_DECLARED) -> Any:
    """A copy of a part of a state of a class outside of this library, which the caller trusts.

    Types are those of `pattern`, and codes and labels are in range. Other entries may be any, and an array
    may have grown, but not along the axes of models, values and classes.
    """
    if isinstance(pattern, np.ndarray):
        between = (-1, limits[of.contents] - 1) if of.contents else ANY
        copied = array(name, found, pattern.dtype, (None,) * pattern.ndim, between)
        axes = ("",) * pattern.ndim if "..." in of.axes else of.axes
        is_fixed = [axis in ("M", "V", "K") for axis in axes]
        sizes = zip(copied.shape, pattern.shape, is_fixed, strict=True)
        fits = all(n == least or (n > least and not fixed) for n, least, fixed in sizes)
        require(fits, f"{name} has the shape {copied.shape}, and had {pattern.shape} before it learned")
        return copied
    if not hasattr(pattern, "_fields"):
        require(
            pattern is None or type(found) is type(pattern), f"{name} is of the type {type(found).__name__}"
        )
        return found
    record(name, found, type(pattern))
    arrays = arrays_of(type(pattern))
    parts = {
        field: declared(f"{name}.{field}", part, like, limits, arrays.get(field, _NOT_DECLARED))
        for field, part, like in zip(pattern._fields, found, pattern, strict=True)
    }
    return type(pattern)(**parts)


def limits_of(schema: Schema, n_classes: int) -> dict[str, int]:
    """The number of codes and of class indices, by the word that declares them."""
    return {"codes": int(schema.sizes.sum()), "labels": n_classes}


def fields(name: str, found: Any, pattern: Any, **known: Any) -> Any:
    """A record whose fields are like those of `pattern`, but for those that are `known`."""
    rest = {
        field: conformed(f"{name}.{field}", getattr(found, field), getattr(pattern, field))
        for field in pattern._fields
        if field not in known
    }
    return type(pattern)(**(rest | known))


def _windows(name: str, found: Windows, pattern: Windows) -> Windows:
    """Windows whose rows in use, and no others, have buckets; their sizes add up to the width."""
    n_rows, n_places = pattern.sums.shape[1:3]
    shape = pattern.oldest.shape
    sizes = array(f"{name}.sizes", found.sizes, np.int64, shape, _BUCKETS)
    oldest = array(f"{name}.oldest", found.oldest, np.int64, shape, (0, n_places - 1))
    windows = fields(name, found, pattern, sizes=sizes, oldest=oldest)
    in_use = np.arange(n_rows) < windows.n_rows[:, None]
    require((in_use == (sizes > 0)).all(), f"{name}.n_rows does not agree with its sizes")
    widths = [sum(n << r for r, n in enumerate(row)) for row in sizes.tolist()]
    require(widths == windows.widths.tolist(), f"{name}.widths does not agree with its sizes")
    return windows


def _detectors(name: str, found: Detectors, pattern: Detectors) -> Detectors:
    """Detectors with these parameters, between two calls, when `drifts` is an empty buffer."""
    kept = {field: getattr(pattern, field) for field in ("delta", "clock", "replaces_worst", "tests_after")}
    detectors = fields(name, found, pattern, drifts=pattern.drifts, is_replaced=pattern.is_replaced, **kept)
    require(detectors.counts[1] == 0, f"{name}.counts says that a call has not ended")
    return detectors


def _blocks(name: str, found: Blocks, pattern: Blocks) -> Blocks:
    """Blocks of which the first are full, and the next one is not; codes are checked by `codes_in`."""
    n_models, size = len(pattern.met), len(pattern.weights)
    codes = array(f"{name}.codes", found.codes, np.int32, pattern.codes.shape)
    labels = array(f"{name}.block_labels", found.block_labels, np.int64, (size,))
    numbers = array(f"{name}.numbers", found.numbers, pattern.numbers.dtype, pattern.numbers.shape)
    kept = {"codes": codes, "block_labels": labels, "numbers": numbers}
    blocks = fields(name, found, pattern, **kept, labels=pattern.labels, n_classes=pattern.n_classes)
    n_full = blocks.n_full[0]
    is_full = np.arange(n_models) < n_full
    fits = n_full <= n_models and (blocks.n_learned <= size).all()
    fits = fits and ((blocks.n_learned == size) == is_full).all()
    require(fits, f"{name}.n_full does not agree with n_learned")
    return blocks


def _weights(name: str, found: Weights, pattern: Weights) -> Weights:
    shape = pattern.mantissas.shape
    return Weights(
        array(f"{name}.mantissas", found.mantissas, np.float64, shape, (0.5, 1.0)),
        array(f"{name}.exponents", found.exponents, np.int64, shape, (-(2**50), 2**50)),
    )


#: Checks of records of which more is known than the types and shapes of their fields.
_CHECKS: dict[type, Callable[[str, Any, Any], Any]] = {
    Windows: _windows,
    Detectors: _detectors,
    Blocks: _blocks,
    Weights: _weights,
}


def codes_in(name: str, codes: Any, schema: Schema) -> np.ndarray:
    """Codes of examples, (N, A) int32: of a value of the attribute, or −1."""
    copied = array(name, codes, np.int32, (None, len(schema.sizes)))
    ends = schema.starts + schema.sizes
    is_good = (copied == -1) | ((copied >= schema.starts) & (copied < ends))
    require(is_good.all(), f"{name} has codes that no value has")
    return copied


def labelled(name: str, found: Any, schema: Schema, n_classes: int, is_encoded: bool) -> LabelledExamples:
    """Examples that wait to be learned; `is_encoded`: their columns are not those of another library."""
    examples, labels, weights = record(name, found, LabelledExamples)
    codes, numbers = record(f"{name}.examples", examples, Examples)
    codes = codes_in(f"{name}.codes", codes, schema)
    n_examples, n_numeric = len(codes), len(schema.categories) - len(schema.sizes)
    if is_encoded:
        numbers = array(f"{name}.numbers", numbers, np.float64, (n_examples, n_numeric))
    elif hasattr(numbers, "check_format"):  # of a sparse matrix
        numbers.check_format(full_check=True)
        require(numbers.shape == (n_examples, n_numeric), f"{name}.numbers has the shape {numbers.shape}")
    else:
        numbers = array(f"{name}.numbers", numbers, np.asarray(numbers).dtype, (n_examples, n_numeric))
    labels = array(f"{name}.labels", labels, np.int64, (n_examples,), (0, n_classes - 1))
    weights = array(f"{name}.weights", weights, np.float64, (n_examples,), WEIGHTS)
    return LabelledExamples(Examples(codes, numbers), labels, weights)
