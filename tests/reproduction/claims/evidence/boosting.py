"""Evidence about boosting, batch and online."""

from fractions import Fraction

import numpy as np
import pandas as pd

from .background import contrasts

FACTORS = pd.DataFrame({"error": [0.3, 0.4], "right": [5 / 7, 5 / 6], "wrong": [5 / 3, 5 / 4]})
NOISE = pd.DataFrame(
    {"weight": [0.0, 0.3, 0.5], "boosting": [0.1, 0.2, 0.3], "bagging": [0.1, 0.12, 0.15]},
    index=[0.0, 0.1, 0.2],
)
THREE = pd.DataFrame({"error": [0.4, 0.1], "combined": [0.352, 0.02]})
EDGES = pd.DataFrame({"rounds": [900, 100, 9], "error": [0.0, 0.01, 0.2]}, index=[0.05, 0.1, 0.4])
TEN = [Fraction(1, 6)] * 3 + [Fraction(1, 14)] * 7
WRONG = [1] * 3 + [0] * 7
RUNS = pd.DataFrame({"m": [1, 2], "edge": [0.2, 0.1], "training_error": [0.3, 0.2], "bound": [0.9, 0.85]})
FALLS = pd.DataFrame(
    {
        "dataset": ["a"] * 12 + ["b"] * 12,
        "test_at_zero": [0.2, 0.21, 0.22] * 4 + [0.3, 0.31, 0.32] * 4,
        "test_at_end": [0.1, 0.12, 0.11] * 4 + [0.2, 0.2, 0.32] * 4,
        "margin_at_zero": 0.1,
        "margin_at_end": 0.3,
    }
)
ALL_FALL = FALLS.assign(test_at_end=FALLS["test_at_zero"] - [0.1, 0.09, 0.11] * 8)
HALF = FALLS.assign(test_at_end=FALLS["test_at_end"].where(FALLS["dataset"] == "a", 0.4))
RATIO = pd.Series(np.linspace(2.0, 0.5, 200))


def arcing(error, margin=0.1):
    """Arc-gv minus AdaBoost on one law, with so much more error and margin on average."""
    index = pd.MultiIndex.from_product([["twonorm"], range(10)], names=["law", "draw"])
    frame = pd.DataFrame({"least": margin, "low": margin, "test_error": error}, index)
    return frame + np.linspace(-0.001, 0.001, 10)[:, None]


def comparison(found, sizes=(100, 200, 500, 1382)):
    """Cells of learning curves: for each (algorithm, reference), what was found at each size."""
    rows = {(*pair, n): what for pair, each in found.items() for n, what in zip(sizes, each, strict=True)}
    index = pd.MultiIndex.from_tuples(rows, names=["algorithm", "reference", "n_train"])
    cells = contrasts(rows.values(), index)
    return cells.assign(second=0.8, first=0.8 + cells["difference"].fillna(0))


def trees(**changes):
    marks = {
        "online_boosting boosting": ["worse", "none", "none", "none"],
        "primed_boosting boosting": ["none"] * 4,
        "primed_boosting online_boosting": ["better", "none", "none", "a little better"],
        "primed_200 boosting": ["none"] * 4,
        "primed_200 online_boosting": ["better", "none", "none", "a little better"],
        "online_bagging bagging": ["none"] * 4,
        "bagging single": ["better"] * 4,
        "online_bagging single": ["better"] * 4,
        "boosting single": ["better"] * 4,
    } | {name.replace("__", " "): mark for name, mark in changes.items()}
    return comparison({tuple(pair.split()): mark for pair, mark in marks.items()})


WORSE_ONCE = ["none", "none", "worse", "none"]


def bayes(**changes):
    return trees(
        **{
            "online_boosting__boosting": ["none"] * 4,
            "online_boosting__single": ["better"] * 4,
            "bagging__single": ["none"] * 4,
            "online_bagging__single": ["none"] * 4,
        }
        | changes
    )


UNTESTED = comparison(
    {("online_boosting", "boosting"): ["unknown"] * 4, ("primed_boosting", "boosting"): ["unknown"] * 4}
)
LATE = {"online_boosting__boosting": ["none", "none", "none", "worse"]}
BATCH = [([0.3, 0.4], 5)]
ONLINE = [([0.3, 0.5, 0.6, 0.2], [0.8, 0.0, 0.0, 0.0], 4)]
VOTES_ON = [([0.3, 0.5, 0.6, 0.2], [0.8, 0.0, 0.0, 1.4], 4)]
SIZES = [100, 400, 1600]
FALLING = pd.DataFrame({1: [0.2, 0.1, 0.05], 2: [0.4, 0.25, 0.12]}, index=SIZES)
FADING = FALLING[1]
RISING = FALLING[::-1].set_axis(SIZES)
FLAT = pd.DataFrame({1: [0.2, 0.1, 0.05], 2: [0.4, 0.39, 0.38]}, index=SIZES)
CONSTANT = pd.DataFrame({1: [0.2, 0.1, 0.05], 2: [0.9, 0.9, 0.91]}, index=SIZES)


def on_laws(by_size):
    """The same of three laws of three and of six attributes, a little apart."""
    laws = pd.concat({law: by_size[1] * (1 + law / 10) for law in range(3)}, axis=1)
    return pd.concat({"three-attributes": laws, "six-attributes": laws}, axis=1)


EVIDENCE = {
    "C028": ((FACTORS,), (FACTORS.assign(right=1.0),), (FACTORS.assign(error=0.5),)),
    "C029": (([Fraction(1, 2), 0.5 + 1e-12],), ([0.5, 0.51],), ([],)),
    "C030": ((NOISE,), (NOISE.assign(bagging=[0.1, 0.3, 0.4]),), (NOISE.iloc[1:],)),
    "C090": ((THREE,), (THREE.assign(combined=0.36),), (THREE.assign(error=0.5),)),
    "C091": ((EDGES, 0.1, 0.01, 20), (EDGES, 0.1, 0.01, 200), (EDGES.iloc[1:], 0.1, 0.01, 20)),
    "C092": ((TEN, WRONG), ([Fraction(1, 10)] * 10, WRONG), (TEN[1:], WRONG[1:])),
    "C093": (({"a": 0}, {"copies": 3}), ({"a": 1}, {"copies": 3}), ({"a": 0}, {"copies": 0})),
    "C094": ((RUNS,), (RUNS.assign(training_error=[0.3, 0.9]),), (RUNS.iloc[:0],)),
    "C095": ((RUNS,), (RUNS.assign(bound=0.99),), (RUNS.assign(edge=0.0),)),
    "C096": ((ALL_FALL,), (HALF,), (ALL_FALL.iloc[:9],)),
    "C097": ((FALLS, arcing(0.01)), (FALLS, arcing(-0.01)), (FALLS, arcing(0.0))),
    "C099": (({"tree": 0}, {"tree": 5}), ({"tree": 1}, {"tree": 5}), ({"tree": 0}, {"tree": 0})),
    "C100": ((RATIO,), (RATIO[::-1],), (RATIO[:50],)),
    "C102": ((trees(),), (trees(**LATE),), (UNTESTED,)),
    "C103": (
        (trees(),),
        (trees(primed_boosting__boosting=WORSE_ONCE, primed_200__boosting=WORSE_ONCE),),
        (trees(primed_boosting__boosting=WORSE_ONCE),),
    ),
    "C109": (
        (trees(),),
        (trees(bagging__single=["better", "better", "none", "better"]),),
        (trees(bagging__single=["better", "better", "unclear", "better"]),),
    ),
    "C110": ((bayes(),), (bayes(bagging__single=["none", "none", "better", "none"]),), (UNTESTED,)),
    "C113": (
        (trees(primed_200__boosting=["worse", "worse", "none", "none"]),),
        (trees(primed_200__boosting=["none", "none", "none", "worse"]),),
        (trees(primed_200__boosting=["none", "none", "unclear", "none"]),),
    ),
    "C116": ((pd.Series([5, 22]),), (pd.Series([5, 23]),), (pd.Series([], dtype=int),)),
    "C117": ((BATCH, ONLINE), (BATCH, VOTES_ON), (BATCH, [])),
    "C104": ((FALLING, FALLING, FADING), (FALLING, CONSTANT, FADING), (FALLING, FALLING, CONSTANT[2])),
    "C018": (
        (on_laws(FALLING), on_laws(FALLING), FADING),
        (on_laws(FALLING), on_laws(RISING), FADING),
        (on_laws(FALLING), on_laws(FALLING), CONSTANT[2]),
    ),
    "C105": ((FALLING, FALLING), (FALLING, FLAT), (FLAT, FALLING)),
}

AGAINST = [
    ("C091", (EDGES.assign(error=[0.0, 0.02, 0.2]), 0.1, 0.01, 20)),
    ("C091", (EDGES.assign(error=0.0), 0.1, 0.01, 20)),
    ("C091", (EDGES.assign(rounds=[100, 100, 9]), 0.1, 0.01, 20)),
    ("C091", (EDGES, 0.1, 0.01, None)),
    ("C102", (trees(online_boosting__boosting=["none"] * 4),)),
    ("C102", (trees(online_boosting__boosting=["a little worse", "none", "none", "none"]),)),
    ("C102", (trees(online_boosting__boosting=["worse", "none", "none", "worse"]),)),
    ("C109", (trees(online_boosting__boosting=["none"] * 4),)),
    ("C109", (trees(online_bagging__bagging=["worse", "none", "none", "none"]),)),
    ("C109", (trees(**LATE),)),
    ("C109", (trees(online_bagging__single=["better", "better", "none", "better"]),)),
    ("C109", (trees(boosting__single=["better", "better", "none", "better"]),)),
    ("C110", (bayes(online_boosting__boosting=["worse", "none", "none", "none"]),)),
    ("C110", (bayes(boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_bagging__single=["none", "none", "better", "none"]),)),
]
