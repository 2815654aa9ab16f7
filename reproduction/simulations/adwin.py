"""What ADWIN promises, and what it does: alarms on streams that stay as they are, and after changes."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.drift.windows import new_windows, observe, reset_window
from oza.kernels.compile import kernel
from oza.kernels.random import draw_in_row, key_of, row_key, uniform

from ..record.simulation import simulation


@simulation(small={"n_runs": 10}, calls=[{}, {"n_runs": 10}])
def alarms_on_stable_streams(
    deltas: Sequence[float] = (0.002, 0.01, 0.05, 0.1, 0.3, 0.9),
    rates: Sequence[float] = (0.02, 0.2, 0.5),
    n_runs: int = 1000,
    length: int = 10_000,
    clock: int = 32,
) -> pd.DataFrame:
    """Count the alarms of ADWIN on streams of errors whose rate never changes.

    The frame has for each delta and rate of error the numbers of checks, alarms and runs, and n_alarmed, the
    number of runs with an alarm.

    Examples
    --------
    >>> from reproduction.simulations.adwin import alarms_on_stable_streams
    >>> alarms_on_stable_streams([0.1], [0.5], n_runs=100)["n_checks"].tolist()
    [31200]
    """
    rows = []
    for delta, rate in product(deltas, rates):
        _, alarms = window_widths([rate] * length, n_runs, delta, clock, ("false alarms", rate))
        n_alarmed = int(alarms.any(axis=1).sum())
        rows.append((delta, rate, n_runs * (length // clock), int(alarms.sum()), n_runs, n_alarmed))
    names = ["delta", "rate", "n_checks", "n_alarms", "n_runs", "n_alarmed"]
    return pd.DataFrame(rows, columns=names)


def window_widths(
    rates: npt.ArrayLike,
    n_runs: int,
    delta: float = 0.002,
    clock: int = 32,
    key: tuple[str | float, ...] = ("windows",),
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Follow ADWIN's window over errors whose rate takes a given course.

    By run and example: number of errors in the window after it, and whether a change was found there.

    Examples
    --------
    >>> from reproduction.simulations.adwin import window_widths
    >>> widths, alarms = window_widths([0.1] * 500 + [0.9] * 500, n_runs=3)
    >>> widths[:, 499].tolist(), alarms[:, 500:].any(axis=1).tolist()
    ([500, 500, 500], [True, True, True])
    """
    course = np.asarray(rates, dtype=np.float64)
    widths = np.empty((n_runs, len(course)), np.int32)
    alarms = np.empty(widths.shape, np.bool_)
    _follow(new_windows(1), np.uint64(key_of(*key)), course, float(delta), clock, widths, alarms)
    return widths, alarms


def change_delays(alarms: npt.NDArray[np.bool_], position: int) -> npt.NDArray[np.float64]:
    """Number of examples from a change to the next alarm, infinite where none comes.

    Examples
    --------
    >>> import numpy as np
    >>> from reproduction.simulations.adwin import change_delays
    >>> change_delays(np.array([[True, False, False, True], [False] * 4]), 1).tolist()
    [3.0, inf]
    """
    after = alarms[:, position:]
    return np.where(after.any(axis=1), after.argmax(axis=1) + 1.0, np.inf)


def theorem_delay(size: float, n_before: int, delta: float = 0.002) -> float:
    r"""Number of examples after a jump from which on the theorem promises a cut.

    The theorem: if the means of two parts of the window, of :math:`n_0` and :math:`n_1` out of n, differ by
    more than :math:`2 \varepsilon`, then the window is cut with a probability of at least :math:`1 -
    \delta`; :math:`\varepsilon = \sqrt{\ln(4 n / \delta) (1/n_0 + 1/n_1) / 2}`.

    It is infinite where no number is enough.

    References
    ----------
    A. Bifet, R. Gavaldà, "Learning from time-changing data with adaptive windowing", *SIAM International
    Conference on Data Mining*, 2007, Theorem 3.1.

    Examples
    --------
    >>> from reproduction.simulations.adwin import theorem_delay
    >>> theorem_delay(0.4, 5000)
    211.0
    """
    n = np.arange(1, 100 * n_before + 1, dtype=np.float64)
    bound = np.sqrt(np.log(4 * (n_before + n) / delta) * (1 / n_before + 1 / n) / 2)
    is_enough = size > 2 * bound
    return float(n[is_enough.argmax()]) if is_enough.any() else math.inf


@kernel
def _follow(windows, key, rates, delta, clock, widths, alarms):
    for run in range(len(widths)):
        reset_window(windows, 0)
        row = row_key(key, run)
        for n in range(len(rates)):
            error = 1.0 if uniform(draw_in_row(row, n)) < rates[n] else 0.0
            alarms[run, n] = observe(windows, 0, error, delta, clock)
            widths[run, n] = windows.widths[0]
