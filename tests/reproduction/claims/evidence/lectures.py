"""Evidence about two lectures: ensembles, and why AdaBoost works."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd

from .background import contrasts

SHARES = pd.DataFrame(
    {
        "examples": [10, 1000],
        "exact": [0.6513, 0.6323],
        "estimate": [0.6513, 0.6321],
        "standard_error": [0.001, 0.001],
    }
)


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

SIMULATED = pd.concat(
    [
        pd.DataFrame(
            {"models": [1, 4], "part": part, "exact": exact, "estimate": exact, "standard_error": 0.01}
        )
        for part, exact in (("bias", [0.5, 0.5]), ("variance", [1.0, 0.25]))
    ],
    ignore_index=True,
)
BAGS = pd.DataFrame(
    [
        (problem, m, 1 / m, 0.4 + 0.6 / m, 0.4, 0.4 + 0.6 / m, 0.2, 0.25)
        for problem, m in product(("p", "q"), (1, 4, 16))
    ],
    columns=[
        "problem",
        "models",
        "independent",
        "bagged",
        "correlation",
        "formula",
        "single_error",
        "member_error",
    ],
)
STEPS = pd.DataFrame(
    {
        "error": [0.3, 0.2, 0.1],
        "vote": [0.4, 0.6, 0.9],
        "minimising": [0.4, 0.6, 0.9],
        "derivative": [-0.4, -0.6, -0.8],
        "loss": [0.9, 0.7, 0.4],
        "bound": [0.9, 0.7, 0.4],
    }
)
WINS = pd.DataFrame(
    {
        "noise": ["normal", "normal", "uniform", "uniform"],
        "guesses": [3, 100, 3, 100],
        "trials": [1000] * 4,
        "wins": [700, 1000, 650, 990],
        "distance": [0.5, 0.1, 0.6, 0.2],
        "nearer": [0.3, 0.7, 0.2, 0.6],
        "standard_error": 0.01,
    }
)
COUNTING = {"Naive Bayes": 0, "decision stump": 0, "decision tree": 0, "pruned decision tree": 0}
NOISY = pd.DataFrame(
    [
        (name, share, 0.1 + 0.01 * i + 5 * share * (0.1 + 0.01 * i), 0.1 + share * 0.1)
        for i, name in enumerate(("a", "b", "c", "d"))
        for share in (0.0, 0.2)
    ],
    columns=["dataset", "flipped", "boosting", "bagging"],
)


def diverse(slope):
    """Ensembles whose error rises with κ by about this slope, on three data sets."""
    rng = np.random.default_rng(1)
    rows = []
    for i, name in enumerate(("a", "b", "c", "d")):
        for _ in range(12):
            member, kappa = rng.random(2)
            error = 0.5 * member + (slope + 0.001 * i) * kappa
            rows.append((name, member, kappa, error))
    return pd.DataFrame(rows, columns=["dataset", "member_error", "kappa", "error"])


ERRORS = [Fraction(3, 10), Fraction(3, 14), Fraction(3, 22)]
VOTES = [0.423649, 0.649641, 0.922913]
PRINTED = ({1: 0.30, 3: 0.14}, {1: 0.42, 2: 0.65, 3: 0.92})
BOARD = pd.DataFrame(
    {
        "team": [f"team{i}" for i in range(20)],
        "improvement_percent": [10.1 - 0.05 * i for i in range(20)],
        "computed": [10.102 - 0.05 * i for i in range(20)],
    }
)
CHOSEN = pd.DataFrame({"stumps": [10] * 60, "same": [True] * 60, "gaps": [0] * 60})

EVIDENCE = {
    "C124": ((SHARES, "0.632"), (SHARES.assign(estimate=0.7), "0.632"), (SHARES[:1], "0.632")),
    "C125": ((STEADY, LARGE), (STEADY, NEVER_WORSE), (STEADY[:2], LARGE)),
    "C126": ((few(0.05, 0.01),), (few(-0.05, 0.01),), (few(0.05, 0.01).query("percent < 100"),)),
    "C127": ((FEWER,), (MORE,), (FEWER[:2],)),
    "C128": (
        (SPEED, WAITING),
        (SPEED.assign(critical=1.0), WAITING),
        (SPEED.assign(at_once=[True, True, True, False]), WAITING),
    ),
    "C131": ((SIMULATED, BAGS), (SIMULATED.assign(estimate=0.6), BAGS), (SIMULATED[:1], BAGS)),
    "C132": ((STEPS,), (STEPS.assign(minimising=0.5),), (STEPS[:2],)),
    "C133": ((WINS,), (WINS.assign(nearer=-0.1),), (WINS.assign(nearer=0.001),)),
    "C134": ((2000, {"Mooney": 0, "slides": 0}), (2000, {"Mooney": 1, "slides": 0}), (9, {"Mooney": 0})),
    "C135": (
        (COUNTING, {"neural network": 7}),
        (COUNTING | {"decision tree": 1}, {"neural network": 7}),
        (COUNTING, {"neural network": 0}),
    ),
    "C136": ((NOISY,), (NOISY.assign(bagging=2 * NOISY["boosting"]),), (NOISY[:4],)),
    "C137": ((diverse(0.2),), (diverse(-0.2),), (diverse(0.2)[:12],)),
    "C142": ((BAGS,), (BAGS.assign(bagged=BAGS["independent"]),), (BAGS.query("models != 4"),)),
    "C143": ((ERRORS, VOTES, *PRINTED), (ERRORS, [0.42, 0.65, 0.91], *PRINTED)),
    "C144": ((BOARD,), (BOARD.assign(computed=BOARD["computed"] + 0.02),), (BOARD[:19],)),
    "C145": ((CHOSEN,), (CHOSEN.assign(same=False),), (CHOSEN[:9],)),
}

AGAINST = [
    ("C125", (STEADY, gains(*["better"] * 5, *["worse"] * 3, difference=LARGE["difference"].to_numpy()))),
    ("C125", (gains(*["better"] * 7, "worse", difference=STEADY["difference"].to_numpy()), LARGE)),
    ("C125", (LARGE.assign(mark="better", difference=LARGE["difference"] * 3), LARGE)),
    ("C128", (SPEED.assign(same=[True, False, True, True]), WAITING)),
    ("C128", (SPEED, WAITING.assign(changed=[8, 1]))),
    ("C128", (SPEED, WAITING.assign(changed=[2, 0]))),
    ("C142", (BAGS.assign(independent=0.5),)),
    ("C142", (BAGS.assign(formula=0.0),)),
    ("C142", (BAGS.assign(correlation=0.0),)),
    ("C142", (BAGS.assign(member_error=0.2),)),
]
