"""Counter-based random numbers for illustrations: equal names give equal numbers on any machine."""

import numpy as np
import numpy.typing as npt

from .compile import kernel
from .random import draw_in_row, key_of, normal, row_key, uniform

__all__ = ["normals", "uniforms"]


def uniforms(shape: int | tuple[int, ...], *name: object) -> npt.NDArray[np.float64]:
    """Independent uniform numbers in [0, 1).

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    *name : objects
        Parts of the name of the numbers; different names give independent numbers.

    Examples
    --------
    >>> bool((uniforms(5, "coins", 1) == uniforms(5, "coins", 1)).all())
    True
    >>> abs(float(uniforms(10000, "coins").mean()) - 0.5) < 0.01
    True
    """
    values = np.empty(shape)
    _fill(values.reshape(-1), np.uint64(key_of("uniforms", *name)), False)
    return values


def normals(shape: int | tuple[int, ...], *name: object) -> npt.NDArray[np.float64]:
    """Independent normal numbers of mean 0 and variance 1.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    *name : objects
        Parts of the name of the numbers; different names give independent numbers.

    Examples
    --------
    >>> abs(float((normals(10000, "noise") ** 2).mean()) - 1) < 0.05
    True
    """
    values = np.empty(shape)
    _fill(values.reshape(-1), np.uint64(key_of("normals", *name)), True)
    return values


@kernel
def _fill(values, key, is_normal):
    row = row_key(key, 0)
    for i in range(len(values)):
        bits = draw_in_row(row, i)
        values[i] = normal(bits) if is_normal else uniform(bits)
