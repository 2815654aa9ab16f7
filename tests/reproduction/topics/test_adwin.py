"""Simulations of ADWIN, against the detector itself and the theorem's own formula."""

import numpy as np

from oza.drift import ADWIN
from oza.kernels.random import draw, key_of, uniform
from reproduction.topics.adwin import alarms_on_stable_streams, change_delays, window_widths

#: What would refute the claims.
COUNTER = {
    "C138": lambda alarms: alarms.assign(n_alarms=alarms["n_checks"]),
    "C139": [
        lambda jumps, slopes: (jumps.assign(kept=0.9), slopes),
        lambda jumps, slopes: (jumps.assign(window=2.5), slopes),
        lambda jumps, slopes: (jumps.assign(delay=float("inf")), slopes),
        lambda jumps, slopes: (jumps, slopes * 0 + 200.0),
    ],
}


def errors(name, run, rates):
    key = np.uint64(key_of(*name))
    return np.array([uniform(np.uint64(draw(key, run, n))) < rate for n, rate in enumerate(rates)])


def test_alarms_are_those_of_the_detector():
    (row,) = alarms_on_stable_streams((0.9,), (0.5,), n_runs=4, length=2000, clock=8).itertuples()
    found = [ADWIN(0.9, 8).update(errors(("false alarms", 0.5), run, [0.5] * 2000)) for run in range(4)]
    assert row.n_alarms == np.sum(found) > 0
    assert row.n_alarmed == sum(alarms.any() for alarms in found)
    assert row.n_checks == 1000


def test_widths_are_those_of_the_detector():
    rates = [0.1] * 500 + [0.8] * 300
    widths, alarms = window_widths(rates, n_runs=2)
    for run in range(2):
        detector = ADWIN()
        for n, error in enumerate(errors(("windows",), run, rates)):
            assert detector.update(error) == alarms[run, n]
            assert detector.width_ == widths[run, n]
    assert (change_delays(alarms, 500) < 100).all()
