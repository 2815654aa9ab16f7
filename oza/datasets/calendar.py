"""A generated stream of the shape of the Calendar Apprentice data, of which we have no copy.

The day and the duration of an appointment follow habits. A habit depends on a combination of the
values of a few inputs, which a tree can represent, and some habits change each half-year; some
appointments follow no habit.
"""

from collections.abc import Sequence

import numpy as np

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.random import draw_in_row, key_of, uniform

N_APPOINTMENTS, N_INPUTS = 1790, 32
TARGETS = {"day": 6, "duration": 13}
_VALUES = (2, 3, 4, 6, 8, 12)  # numbers of values of the inputs, repeated cyclically
_WHIMS = {"day": 0.35, "duration": 0.25}  # share of the appointments that follow no habit


def calendar_stream(
    random_state: int = 0, terms: Sequence[int] = (0, 1, 2, 3), changes: float = 0.25
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw a stream of appointments of the shape that thesis section 3.5.4 describes.

    **Not the calendar data**, which were one person's and of which we have no copy. Only the numbers
    of appointments, inputs and values are those of the data; results on the stream say nothing about
    learners on the real data.

    Parameters
    ----------
    random_state : int, default=0
        Determines the habits and the draws.
    terms : sequence of int, default=(0, 1, 2, 3)
        The two years are divided into as many terms of equal length. Each term has the habits of this
        number, from 0; those of number k are made of those of number k − 1. So ``(0,)`` are habits that
        never change, and ``(0, 1, 0, 1)`` habits that come back.
    changes : float, default=0.25
        Share of the habits that are drawn anew from one number to the next.

    Returns
    -------
    X : int64 array of shape (1790, 32)
        Codes of nominal inputs, in chronological order.
    targets : dict of int64 arrays of shape (1790,)
        "day" (6 values) and "duration" (13 values).

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> from oza.datasets import calendar_stream
    >>> X, targets = calendar_stream()
    >>> X.shape, {name: int(y.max()) + 1 for name, y in targets.items()}
    ((1790, 32), {'day': 6, 'duration': 13})
    """
    check_integer("random_state", random_state, 0)
    check_number("changes", changes, 0, 1, ends="[]")
    numbers = np.asarray(terms)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or numbers.min(initial=0) < 0:
        raise ValueError(f"terms must be integers from 0 on, one or more; got {terms!r}.")
    sizes = np.resize(_VALUES, N_INPUTS)
    drawn, usual = _uniforms(key_of("calendar", random_state), (2, N_APPOINTMENTS, N_INPUTS))
    # An input has its most common value half of the time.
    X = np.where(usual < 0.5, 0, drawn * sizes).astype(np.int64)
    return X, {target: _habits(X, sizes, target, random_state, terms, changes) for target in TARGETS}


def _uniforms(key: int, shape: tuple[int, ...]) -> np.ndarray:
    values = np.empty(np.prod(shape))
    _fill(values, key)
    return values.reshape(shape)


@kernel
def _fill(values, key):
    for i in range(len(values)):
        values[i] = uniform(draw_in_row(key, i))


def _habits(
    X: np.ndarray, sizes: np.ndarray, target: str, random_state: int, terms: Sequence[int], changes: float
) -> np.ndarray:
    """Values of a target: the habit for the inputs and the term, or sometimes a random value."""
    n_values = TARGETS[target]
    places, habits, whims = (
        key_of("calendar", random_state, target, what) for what in ("inputs", "habits", "whims")
    )
    path = (_uniforms(places, (3,)) * N_INPUTS).astype(int)
    cases = np.ravel_multi_index(tuple(X[:, path].T), tuple(sizes[path]))
    drawn, values = _uniforms(habits, (2, max(terms) + 1, np.prod(sizes[path])))
    habit = (values * n_values).astype(np.int64)
    for k in range(1, len(habit)):  # a habit lasts until it changes
        habit[k] = np.where(drawn[k] < changes, habit[k], habit[k - 1])
    term = np.asarray(terms)[np.arange(N_APPOINTMENTS) * len(terms) // N_APPOINTMENTS]
    is_whim, whim = _uniforms(whims, (2, N_APPOINTMENTS))
    return np.where(is_whim < _WHIMS[target], (whim * n_values).astype(np.int64), habit[term, cases])
