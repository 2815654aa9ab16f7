"""Evidence about two lectures: ensembles, and why AdaBoost works."""

import pandas as pd

SPEED = pd.DataFrame(
    {
        "critical": [1.9, 1.8, 1.95, 1.85],
        "elapsed": [1.5, 1.2, 1.6, 1.4],
        "at_once": True,
        "same": True,
        "repetitions": 10,
    }
)
WAITING = pd.DataFrame({"algorithm": ["boosting", "bagging"], "models": [9, 9], "changed": [8, 0]})

EVIDENCE = {
    "C128": (
        (SPEED, WAITING),
        (SPEED.assign(critical=1.0), WAITING),
        (SPEED.assign(at_once=[True, True, True, False]), WAITING),
    ),
}

COUNTER = {
    "C124": lambda shares, printed: (shares.assign(estimate=0.7), printed),
    "C131": lambda simulated, bags: (simulated.assign(estimate=0.6), bags),
    "C132": lambda steps: steps.assign(minimising=0.5),
    "C133": lambda wins: wins.assign(nearer=-0.1),
    "C134": lambda n_weights, differing: (n_weights, differing | {"Mooney": 1}),
    "C135": lambda changed, control: (changed | {"decision tree": 1}, control),
    "C142": [
        lambda bags: bags.assign(bagged=bags["independent"]),
        lambda bags: bags.assign(independent=0.5),
        lambda bags: bags.assign(formula=0.0),
        lambda bags: bags.assign(correlation=0.0),
        lambda bags: bags.assign(member_error=bags["single_error"]),
    ],
    "C143": lambda errors, votes, *printed: (errors, [0.42, 0.65, 0.91], *printed),
    "C144": lambda board: board.assign(computed=board["computed"] + 0.02),
    "C145": lambda problems: problems.assign(same=False),
}

AGAINST = [
    ("C128", (SPEED.assign(same=[True, False, True, True]), WAITING)),
    ("C128", (SPEED, WAITING.assign(changed=[8, 1]))),
    ("C128", (SPEED, WAITING.assign(changed=[2, 0]))),
]
