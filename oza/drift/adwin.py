"""ADWIN: a window that is as long as nothing has changed in it."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ..columns.validation import check_count, check_number, unmasked
from ..kernels.exclusive import Exclusive
from .windows import Windows, mean_of, new_windows, observe_block, reset_window


class ADWIN(Exclusive, BaseEstimator):
    r"""ADWIN: the mean of the recent values of a stream, and an alarm when it has changed.

    Keeps a window of the latest values. Wherever the window can be cut so that the means of its older
    and its newer part differ by more than chance explains, its oldest part is dropped, until no cut shows
    a change any more. What stays is the recent part: `mean_` describes the time after the change.

    Parameters
    ----------
    delta : float, default=0.002
        Confidence, above 0 and below 1: the share of checks that may raise an alarm although nothing has
        changed. This does not bound a whole stream, in which there are many checks.
    clock : int, default=32
        Number of values from one check to the next, 1 or more. A change is noticed that much later at most.

    Attributes
    ----------
    drift_detected_ : bool
        Whether the latest `update` found a change, at any of its values.
    mean_ : float
        Mean of the values in the window; NaN while it is empty.
    width_ : int
        How many values are in the window.
    n_buckets_ : int
        How many buckets stand for them.
    n_seen_ : int
        How many values have come since the beginning.

    Raises
    ------
    ValueError
        For a value outside of [0, 1], or a parameter out of range; the detector stays as it was.

    Notes
    -----
    *The bound.* For parts of :math:`n_0` and :math:`n_1` values out of n, of at least 7 each, with
    :math:`v` the variance of the whole window, :math:`1/m = 1/(n_0 - 4) + 1/(n_1 - 4)` and
    :math:`d = \ln(2 \ln(n) / \delta)`, the means must differ by more than
    :math:`\sqrt{2 v d / m} + 2 d / (3 m)`. That is the bound of the implementation in MOA, whose
    changes are the same, until an integer overflows there after a few million values. The theorem of the
    paper has the bound :math:`\sqrt{\ln(4 n / \delta) / (2 m)}`, with :math:`1/m = 1/n_0 + 1/n_1`: no
    variance, no second term, and another logarithm.

    *Memory.* An exponential histogram: at most 5 buckets each of 1, 2, 4, ... values, and so
    no more than :math:`5 \log_2 W + 5` for a window of W. Cuts are tried between buckets only. Sums
    of zeros and ones are whole numbers and exact; other sums carry the rounding error of the values
    that are still in the window.

    References
    ----------
    A. Bifet, R. Gavaldà, "Learning from time-changing data with adaptive windowing", *SIAM International
    Conference on Data Mining*, 2007 (ADWIN2).

    Examples
    --------
    The share of errors rises from 0.1 to 0.6 at value 1000:

    >>> import numpy as np
    >>> from oza.drift import ADWIN
    >>> rng = np.random.default_rng(0)
    >>> errors = rng.random(2000) < np.where(np.arange(2000) < 1000, 0.1, 0.6)
    >>> detector = ADWIN()
    >>> changes = np.flatnonzero(detector.update(errors))
    >>> int(changes[0])
    1023
    >>> detector.width_, round(detector.mean_, 2)
    (1040, 0.61)

    One value at a time:

    >>> ADWIN().update(0)
    False
    """

    _windows: Windows

    def __init__(self, delta=0.002, clock=32):
        self.delta = delta
        self.clock = clock

    def update(self, values) -> Any:
        """Take in one value, or several in their order, after all that came before.

        However a stream is divided into calls, the detector is the same, bit for bit.

        Parameters
        ----------
        values : float or array-like of shape (n,)
            From 0 to 1: zeros and ones, bools, or numbers in between.

        Returns
        -------
        bool, or bool ndarray of shape (n,)
            Whether a change was found at the value; for an array, at each of them.
        """
        array = _check_values(values)
        delta, clock = check_delta(self.delta), check_count("clock", self.clock)
        if not hasattr(self, "_windows"):
            self.reset()
        is_cut = np.empty(array.size, np.bool_)
        observe_block(self._windows, 0, array.reshape(-1), delta, clock, is_cut)
        self.drift_detected_ = bool(is_cut.any())
        return is_cut if array.ndim else self.drift_detected_

    def reset(self) -> ADWIN:
        """Forget all values; gives the detector itself."""
        if hasattr(self, "_windows"):
            reset_window(self._windows, 0)
        else:
            self._windows = new_windows(1)
        self.drift_detected_ = False
        return self

    @property
    def mean_(self) -> float:
        """Mean of the values in the window."""
        return float(mean_of(self._windows, 0)) if self.width_ else np.nan

    @property
    def width_(self) -> int:
        """How many values are in the window."""
        return int(self._windows.widths[0]) if hasattr(self, "_windows") else 0

    @property
    def n_buckets_(self) -> int:
        """How many buckets stand for the values in the window."""
        return int(self._windows.sizes[0].sum()) if hasattr(self, "_windows") else 0

    @property
    def n_seen_(self) -> int:
        """How many values have come since the beginning."""
        return int(self._windows.n_seen[0]) if hasattr(self, "_windows") else 0


def _check_values(values) -> np.ndarray:
    """`values` as one float64 number, or a one-dimensional array of them, all in [0, 1]."""
    array = unmasked("values", values)
    if array.dtype.kind not in "biuf":
        wrong = [v for v in array.ravel().tolist() if not isinstance(v, Real)]
        if wrong:
            raise ValueError(f"values holds {wrong[0]!r}; ADWIN takes numbers from 0 to 1.")
    if array.ndim > 1:
        raise ValueError(
            f"values has shape {array.shape}; ADWIN takes one number or a list of them, shape (n,). "
            "Make a detector for each column."
        )
    array = array.astype(np.float64)
    is_good = (array >= 0) & (array <= 1)
    if not is_good.all():
        n = int(np.argmin(is_good))
        where = f"[{n}]" if array.ndim else ""
        raise ValueError(
            f"values{where} is {array.flat[n]:g}; ADWIN takes numbers from 0 to 1. Scale what lies between "
            "low and high to (value - low) / (high - low)."
        )
    return array


def check_delta(delta, name: str = "delta") -> float:
    """`delta`, validated; the parameter is called `name`."""
    return check_number(name, delta, 0, 1, "a share of checks")
