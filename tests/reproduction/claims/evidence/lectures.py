"""Evidence about two lectures: ensembles, and why AdaBoost works."""

import pandas as pd

from ..contrasts import contrasts


def gains(*found, difference=None):
    """Contrasts of an ensemble with single trees and stumps."""
    index = pd.MultiIndex.from_product(
        [["trees", "stumps"], [f"set{i}" for i in range(len(found) // 2)]], names=["base", "dataset"]
    )
    rows = contrasts(found, index)
    return rows if difference is None else rows.assign(difference=difference)


STEADY = gains(*["a little better"] * 8, difference=[0.01, 0.012, 0.01, 0.012, 0.01, 0.012, 0.01, 0.012])
LARGE = gains(*["better"] * 7, "worse", difference=[0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 0.1, -0.02])
NEVER_WORSE = gains(*["better"] * 8, difference=[0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 0.1, 0.12])


def few(small, whole):
    """Gains of DECORATE with small and with whole training sets, a little different on each data set."""
    rows = [
        (other, name, percent, gain + 0.001 * i)
        for other in ("single", "bagging", "boosting")
        for i, name in enumerate(("a", "b", "c", "d"))
        for percent, gain in ((5, small), (20, small), (100, whole))
    ]
    names = ["other", "dataset", "percent", "difference"]
    return pd.DataFrame(rows, columns=names).set_index(names[:3])


def labels(active):
    rows = [
        (name, tested, 60.0 + i, count + i)
        for tested, count in active.items()
        for i, name in enumerate(("a", "b", "c", "d"))
    ]
    return pd.DataFrame(rows, columns=["dataset", "tested", "random", "active"]).set_index(
        ["dataset", "tested"]
    )


FEWER = labels({"bagging": 30.0, "boosting": 35.0, "decorate": 20.0})
MORE = labels({"bagging": 30.0, "boosting": 90.0, "decorate": 20.0})

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
    "C125": ((STEADY, LARGE), (STEADY, NEVER_WORSE)),
    "C126": ((few(0.05, 0.01),), (few(-0.05, 0.01),)),
    "C127": ((FEWER,), (MORE,)),
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
    "C136": lambda runs: runs.assign(bagging=2 * runs["boosting"]),
    "C137": lambda ensembles: ensembles.assign(kappa=-ensembles["kappa"]),
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
    ("C125", (STEADY, gains(*["better"] * 5, *["worse"] * 3, difference=LARGE["difference"].to_numpy()))),
    ("C125", (gains(*["better"] * 7, "worse", difference=STEADY["difference"].to_numpy()), LARGE)),
    ("C125", (LARGE.assign(mark="better", difference=LARGE["difference"] * 3), LARGE)),
    ("C128", (SPEED.assign(same=[True, False, True, True]), WAITING)),
    ("C128", (SPEED, WAITING.assign(changed=[8, 1]))),
    ("C128", (SPEED, WAITING.assign(changed=[2, 0]))),
]
