"""Averages: what would refute the claims."""

#: What would refute the claims.
COUNTER = {
    "C124": lambda shares, printed: (shares.assign(estimate=0.7), printed),
    "C131": lambda simulated, bags: (simulated.assign(estimate=0.6), bags),
    "C133": lambda wins: wins.assign(nearer=-0.1),
    "C142": [
        lambda bags: bags.assign(bagged=bags["independent"]),
        lambda bags: bags.assign(independent=0.5),
        lambda bags: bags.assign(formula=0.0),
        lambda bags: bags.assign(correlation=0.0),
        lambda bags: bags.assign(member_error=bags["single_error"]),
    ],
    "C144": lambda board: board.assign(computed=board["computed"] + 0.02),
}
