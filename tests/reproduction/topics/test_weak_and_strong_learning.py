"""Weak and strong learning: what would refute its claims."""

#: What would refute the claims.
COUNTER = {
    "C090": lambda constructions: constructions.assign(combined=0.5),
    "C091": [
        lambda by_majority, edge, target, rounds: (by_majority, edge, target, 2000),
        lambda by_majority, edge, target, rounds: (by_majority, edge, target, None),
        lambda by_majority, edge, target, rounds: (by_majority.assign(error=1.0), edge, target, rounds),
        lambda by_majority, edge, target, rounds: (by_majority.assign(error=0.0), edge, target, rounds),
        lambda by_majority, edge, target, rounds: (by_majority.assign(rounds=100), edge, target, rounds),
    ],
}
