"""What the annotations of a state say about its arrays.

A state is a NamedTuple of arrays, such as M base models of one type, or what an ensemble remembers. Its
annotations name the axes of each array and, in a second word, what its entries are. Codes and labels change
when a new value or class is met; what a model file holds is checked against all of them::

    class Windows(NamedTuple):
        codes: Annotated[np.ndarray, "M, W, A", "codes"]
        labels: Annotated[np.ndarray, "M, W", "labels"]
        weights: Annotated[np.ndarray, "M, W"]
        latest: Annotated[np.ndarray, "M", "index W"]

In a state of base models an array without an axis M is a buffer, or depends on the known values and classes
alone; the last axis of an array without annotation is M. In a state of an ensemble arrays have any axes.
"""

from typing import Any, NamedTuple, get_type_hints

import numpy as np

#: What the entries of an array may be declared to be: codes of nominal values, or class indices.
NUMBERED = ("codes", "labels")
#: Or else: any numbers, finite ones, or what is undefined between two calls. Those of "index N" are from 0 to
#: N − 1, where N is a number or an axis of an array of the same state.
_OTHERS = ("any", "finite", "buffer")


class Array(NamedTuple):
    """What is declared of an array of a state."""

    axes: tuple[str, ...]  # M of models, K of classes, V of the values of all nominal attributes, others free
    contents: str  # what its entries are; "" if that is not declared


_known: dict[Any, dict[str, Array]] = {}


def arrays_of(kind: Any) -> dict[str, Array]:
    """What the annotations of a NamedTuple class say about each of its arrays, by name.

    In an array without annotation, the last axis is that of models.

    Raises
    ------
    TypeError
        For a second word that is unknown, and for contents without axes.

    Examples
    --------
    >>> from typing import Annotated
    >>> class Windows(NamedTuple):
    ...     labels: Annotated[np.ndarray, "M, W", "labels"]
    ...     size: int
    >>> arrays_of(Windows)
    {'labels': Array(axes=('M', 'W'), contents='labels')}
    """
    if kind not in _known:
        hints = get_type_hints(kind, include_extras=True)
        _known[kind] = {
            name: _declared(f"{name_of(kind)}.{name}", *getattr(hint, "__metadata__", ("..., M",)))
            for name, hint in hints.items()
            if getattr(hint, "__origin__", hint) is np.ndarray
        }
    return _known[kind]


def _declared(name: str, *words: Any) -> Array:
    """What the words of an annotation declare of the array `name`."""
    axes, contents = words if len(words) == 2 else (words[0], "")
    known = ("", *NUMBERED, *_OTHERS)
    is_known = contents in known or (isinstance(contents, str) and contents.startswith("index "))
    if not isinstance(axes, str) or axes in known or len(words) > 2 or not is_known:
        raise TypeError(
            f"{name} is annotated {', '.join(map(repr, words))}; expected are the names of its axes, such as "
            '"M, W", and then "codes" or "labels" if its entries are codes of values or class indices, '
            '"index W" if they are indices along an axis W, "any", "finite" or "buffer".'
        )
    return Array(tuple(axis.strip() for axis in axes.split(",")), contents)


def name_of(kind: type) -> str:
    """Name of a class as its author wrote it; `kernels.compile` numbers those that are defined again."""
    return kind.__qualname__.rpartition(".")[2]


def check_axes(state: Any, n_models: int | None = None, **sizes: int) -> None:
    """Refuse a state whose arrays do not have the declared axes, since kernels do not check their indices.

    Parameters
    ----------
    state : NamedTuple
        The NamedTuples in it are checked too.
    n_models : int or None, default=None
        Size of the axis M of base models. None for a state of an ensemble: M must be the same in all arrays,
        and those without annotation are not checked.
    **sizes : int
        Sizes of other axes by name.

    Raises
    ------
    TypeError
        If an array has another number of axes than declared, or another size of one, or is none.
    """
    kind = name_of(type(state))
    if n_models is not None:
        sizes["M"] = n_models
    for name, (axes, _) in arrays_of(type(state)).items():
        array = getattr(state, name)
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{kind}.{name} must be an array, as annotated; got {array!r:.99}. Use np.array.")
        shape = array.shape
        if "..." in axes:
            if n_models is None:
                continue
            axes, shape = ("M",), shape[-1:]
        if len(axes) != len(shape):
            raise TypeError(f"{kind}.{name} has the shape {shape}; {len(axes)} axes are declared.")
        for axis, size in zip(axes, shape, strict=True):
            expected = int(axis) if axis.isdigit() else sizes.get(axis, size)
            if axis == "M":
                expected = sizes.setdefault("M", size)
            if size != expected:
                raise TypeError(
                    f"{kind}.{name} has {size} entries along its axis {axis}, not {expected}; give "
                    "it this size where it is made and where it grows, or annotate its axes as they are."
                )
    for part in state:
        if hasattr(part, "_fields"):
            check_axes(part, n_models, **sizes)
