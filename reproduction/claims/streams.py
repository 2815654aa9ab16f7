"""Checks of the claims about learning from streams that change (lecture on ensembles for data streams)."""

import numpy as np
import pandas as pd

from ..simulations.adwin import alarms_on_stable_streams, change_delays, theorem_delay, window_widths
from ..tables import Record
from .registry import Decision, claim, recorded, require

JUMPS = (0.1, 0.2, 0.4)
SLOPES = (1e-4, 3e-4, 1e-3)
_BEFORE, _AFTER = 5000, 40_000
_RUNS = 200


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


def windows_after_changes(record: Record) -> tuple[pd.DataFrame, pd.Series]:
    """Follow windows over jumps and slopes.

    Parameters
    ----------
    record : Record
        Not read.
    """
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
    delays = ", ".join(f"{row.size_:g}: {row.delay:g} ({row.promised:g})" for row in _tuples(jumps))
    ends = ", ".join(f"{slope:g}: {width:g}" for slope, width in slopes.items())
    return grows and shrinks and follows, (
        f"kept before a jump at least {jumps['kept'].min():.1%}; median delay (promised) after jumps of "
        f"{delays}; window at most {jumps['window'].max():.2f} times the time since; at the end of slopes of "
        f"{ends}"
    )


def _tuples(jumps: pd.DataFrame) -> list:
    return list(jumps.rename(columns={"size": "size_"}).itertuples())
