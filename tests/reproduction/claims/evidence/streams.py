"""What would refute the claims about learning from streams that change."""

COUNTER = {
    "C138": lambda alarms: alarms.assign(n_alarms=alarms["n_checks"]),
    "C139": [
        lambda jumps, slopes: (jumps.assign(kept=0.9), slopes),
        lambda jumps, slopes: (jumps.assign(window=2.5), slopes),
        lambda jumps, slopes: (jumps.assign(delay=float("inf")), slopes),
        lambda jumps, slopes: (jumps, slopes * 0 + 200.0),
    ],
}
