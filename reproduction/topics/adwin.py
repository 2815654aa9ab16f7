"""What ADWIN promises, and what it does: alarms on streams that stay as they are, and after changes.

The claims are of the lecture on ensembles for data streams.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.drift.windows import new_windows, observe, reset_window
from oza.kernels.compile import kernel
from oza.kernels.random import draw_in_row, key_of, row_key, uniform

from ..claims.registry import Decision, claim, recorded, require
from ..record.simulation import simulation

JUMPS = (0.1, 0.2, 0.4)
SLOPES = (1e-4, 3e-4, 1e-3)
_BEFORE, _AFTER = 5000, 40_000
_RUNS = 200


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
    >>> from reproduction.topics.adwin import alarms_on_stable_streams
    >>> alarms_on_stable_streams([0.1], [0.5], n_runs=100)["n_checks"].tolist()
    [31200]
    """
    rows = []
    for delta, rate in product(deltas, rates):
        _, alarms = window_widths([rate] * length, n_runs, delta, clock, ("false alarms", rate))
        n_checks, n_alarmed = n_runs * (length // clock), alarms.any(axis=1).sum()
        rows.append((delta, rate, n_checks, alarms.sum(), n_runs, n_alarmed))
    names = ["delta", "rate", "n_checks", "n_alarms", "n_runs", "n_alarmed"]
    return pd.DataFrame(rows, columns=names)


def window_widths(
    rates: npt.ArrayLike, n_runs: int, delta: float = 0.002, clock: int = 32, key: tuple = ("windows",)
) -> tuple[np.ndarray, np.ndarray]:
    """Follow ADWIN's window over errors whose rate takes a given course.

    By run and example: number of errors in the window after it, and whether a change was found there.

    Examples
    --------
    >>> from reproduction.topics.adwin import window_widths
    >>> widths, alarms = window_widths([0.1] * 500 + [0.9] * 500, n_runs=3)
    >>> widths[:, 499].tolist(), alarms[:, 500:].any(axis=1).tolist()
    ([500, 500, 500], [True, True, True])
    """
    course = np.asarray(rates, dtype=np.float64)
    widths = np.empty((n_runs, len(course)), np.int32)
    alarms = np.empty(widths.shape, np.bool_)
    _follow(new_windows(1), np.uint64(key_of(*key)), course, float(delta), clock, widths, alarms)
    return widths, alarms


def change_delays(alarms: np.ndarray, position: int) -> np.ndarray:
    """Number of examples from a change to the next alarm, infinite where none comes.

    Examples
    --------
    >>> import numpy as np
    >>> from reproduction.topics.adwin import change_delays
    >>> change_delays(np.array([[True, False, False, True], [False] * 4]), 1).tolist()
    [3.0, inf]
    """
    after = alarms[:, position:]
    return np.where(after.any(axis=1), after.argmax(axis=1) + 1.0, np.inf)


def theorem_delay(size: float, n_before: int) -> float:
    r"""Number of examples after a jump from which on the theorem promises a cut.

    The theorem: if the means of two parts of the window, of :math:`n_0` and :math:`n_1` out of n, differ by
    more than :math:`2 \varepsilon`, then the window is cut with a probability of at least :math:`1 -
    \delta`; :math:`\varepsilon = \sqrt{\ln(4 n / \delta) (1/n_0 + 1/n_1) / 2}`.

    It is infinite where no number is enough. Delta is 0.002.

    References
    ----------
    A. Bifet, R. Gavaldà, "Learning from time-changing data with adaptive windowing", *SIAM International
    Conference on Data Mining*, 2007, Theorem 3.1.

    Examples
    --------
    >>> from reproduction.topics.adwin import theorem_delay
    >>> theorem_delay(0.4, 5000)
    211.0
    """
    n = np.arange(1, 100 * n_before + 1, dtype=np.float64)
    bound = np.sqrt(np.log(4 * (n_before + n) / 0.002) * (1 / n_before + 1 / n) / 2)
    return float(n[size > 2 * bound].min(initial=math.inf))


@kernel
def _follow(windows, key, rates, delta, clock, widths, alarms):
    for run in range(len(widths)):
        reset_window(windows, 0)
        row = row_key(key, run)
        for n in range(len(rates)):
            error = 1.0 if uniform(draw_in_row(row, n)) < rates[n] else 0.0
            alarms[run, n] = observe(windows, 0, error, delta, clock)
            widths[run, n] = windows.widths[0]


@claim("C138", evidence=recorded(alarms_on_stable_streams), given=("alarms.delta",))
def alarms_are_rare(alarms: pd.DataFrame) -> Decision:
    """Judge the share of checks that raise an alarm on streams whose rate of error never changes.

    The claim holds if the share is at most delta for each delta and each rate of error. The measurement must
    be able to fail: alarms with the largest delta must be more frequent than the smallest delta allows;
    otherwise the claim is undecided. The evidence also reports how many runs have an alarm.
    """
    enough = alarms["delta"].nunique() >= 2 and alarms["n_checks"].min() >= 10_000
    require(enough, "needs two deltas or more, with ten thousand checks each")
    found = alarms.assign(
        share=alarms["n_alarms"] / alarms["n_checks"], runs=alarms["n_alarmed"] / alarms["n_runs"]
    )
    worst = found.groupby("delta")[["share", "runs"]].max()
    summary = ", ".join(f"{row.Index:g}: {row.share:.2g} ({row.runs:.1%})" for row in worst.itertuples())
    is_bounded = bool((found["share"] <= found["delta"]).all())
    can_fail = worst["share"].max() > worst.index.min()
    return (None if is_bounded and not can_fail else is_bounded), (
        f"largest share of checks with an alarm, and of runs with one, for delta of {summary}"
    )


def course_of_jump(size: float) -> np.ndarray:
    """Rates of error that jump from 0.2 up by `size`."""
    return np.repeat([0.2, 0.2 + size], [_BEFORE, _AFTER])


def course_of_slope(slope: float) -> np.ndarray:
    """Rates of error that stay at 0.2, and then go up to 0.8 by `slope` with each example."""
    return np.concatenate([np.full(_BEFORE, 0.2), np.arange(0.2, 0.8, slope)])


def windows_after_changes(_: object) -> tuple[pd.DataFrame, pd.Series]:
    """Follow windows over jumps and slopes."""
    rows = []
    for size in JUMPS:
        widths, alarms = window_widths(course_of_jump(size), _RUNS)
        promised = theorem_delay(size, _BEFORE)
        later = int(2 * promised)
        kept = np.median(widths[:, _BEFORE - 1]) / _BEFORE
        old = np.median(widths[:, _BEFORE + later - 1]) / later
        rows.append((size, kept, np.median(change_delays(alarms, _BEFORE)), promised, old))
    jumps = pd.DataFrame(rows, columns=["size", "kept", "delay", "promised", "window"])
    ends = {slope: np.median(window_widths(course_of_slope(slope), _RUNS)[0][:, -1]) for slope in SLOPES}
    return jumps, pd.Series(ends)


@claim("C139", evidence=windows_after_changes, given=("jumps.promised",))
def windows_follow_the_stream(jumps: pd.DataFrame, slopes: pd.Series) -> Decision:
    """Judge windows over errors whose rate is stable, then jumps or rises.

    The claim holds if, by the median over the runs, the window keeps at least 0.95 of all examples before the
    jump; if the jump is detected no later than the theorem promises; if the window is at most twice as long
    as the time since the jump when twice that time has passed; and if at the end of a slope the window is
    shorter for steeper slopes.

    Parameters
    ----------
    jumps : DataFrame
        For each size of jump the share of the examples before it that the window kept, the median delay, that
        which the theorem promises, and the length of the window beside the time since the jump.
    slopes : Series
        Median length of the window at the end, by slope, in rising order.
    """
    require(len(jumps) >= 2 and len(slopes) >= 2, "needs two jumps and two slopes or more")
    grows = bool((jumps["kept"] >= 0.95).all())
    shrinks = bool((jumps["delay"] <= jumps["promised"]).all() and (jumps["window"] <= 2).all())
    follows = bool((np.diff(slopes) < 0).all())
    columns = jumps[["size", "delay", "promised"]].to_numpy()
    delays = ", ".join("{:g}: {:g} ({:g})".format(*row) for row in columns)
    ends = ", ".join(f"{slope:g}: {width:g}" for slope, width in slopes.items())
    return grows and shrinks and follows, (
        f"kept before a jump at least {jumps['kept'].min():.1%}; median delay (promised) after jumps of "
        f"{delays}; window at most {jumps['window'].max():.2f} times the time since; at the end of slopes of "
        f"{ends}"
    )
