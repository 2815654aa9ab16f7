"""Evidence about single models, ensembles and experts."""

from itertools import product

import numpy as np
import pandas as pd

from oza.evaluation.significance import Compared

CORRELATED = pd.DataFrame(
    [
        (m, rho, exact, exact * (1 + 0.5 * error), error * exact)
        for m in (2, 5)
        for rho in (-1 / (m - 1), 0.0, 0.5, 1.0)
        for exact, error in [((1 + rho * (m - 1)) / m, 0.01)]
    ],
    columns=["models", "correlation", "exact", "estimate", "standard_error"],
)
OFF = CORRELATED.assign(estimate=1.1 * CORRELATED["estimate"] + 0.1)
RISING = pd.Series([0.1, 0.2, 0.4], index=[0.0, 0.5, 1.0])

COPIES = np.array(
    [np.bincount(row, minlength=50) for row in np.random.default_rng(1).integers(0, 50, (40, 50))]
)


def parts(bagging=None, boosting=None, noise=0.0):
    """Bias and variance on two problems and six training sets; what the ensembles lower, by model.

    With noise, single models from every other training set have more variance by so much, and less.
    """
    lowers = {"bagging": bagging or {}, "boosting": boosting or {}, "single": {}}
    rows = []
    for problem, model, name, i in product(
        ("p", "q"), ("decision tree", "Naive Bayes", "decision stump"), lowers, range(6)
    ):
        less_bias, less_variance = lowers[name].get(model, (0.0, 0.0))
        bias = 0.2 - less_bias
        variance = 0.2 - less_variance + (noise * (-1) ** i if name == "single" else 0)
        rows.append((problem, model, name, i, bias + variance, bias, variance))
    return pd.DataFrame(rows, columns=["problem", "model", "ensemble", "set", "error", "bias", "variance"])


BAGGED = {"decision tree": (0.01, 0.1)}
BOOSTED = {"decision tree": (0.01, 0.02), "Naive Bayes": (0.1, 0.01), "decision stump": (0.1, -0.02)}

LOSSLESS = {"decision tree": 0, "Naive Bayes": 0, "decision stump": 0}


#: What a t-test may say of two algorithms, and how sure one can be of it.
CONTRASTS = {
    "better": (0.1, 0.002, 1e-6, "better", "better", "better"),
    "worse": (-0.1, 0.002, 1e-6, "worse", "worse", "worse"),
    "a little better": (0.004, 0.002, 1e-6, "better", "better", "better"),
    "a little worse": (-0.004, 0.002, 1e-6, "worse", "worse", "worse"),
    "better by chance": (0.02, 0.015, 0.03, "better", "better", "better"),
    "better by Welch": (0.02, 0.03, 0.2, "none", "better", "better"),
    "none": (-0.001, 0.002, 0.5, "none", "none", "none"),
    "unclear": (0.001, 0.03, 0.9, "none", "none", "none"),
    "unknown": (np.nan, np.nan, np.nan, "unknown", "unknown", "unknown"),
}


def contrasts(found, index):
    """A comparison of two algorithms with a row for each thing found."""
    return pd.DataFrame([CONTRASTS[name] for name in found], index, columns=Compared._fields)


def comparison(*found):
    """A comparison on so many data sets."""
    return contrasts(found, pd.Index([f"set{i}" for i in range(len(found))], name="dataset"))


BETTER = comparison(*["better"] * 4, "none")
EVEN = comparison("none", "none", "none", "none")
WORSE = comparison(*["worse"] * 4, "none")
UNKNOWN = comparison("better", "unknown")

EXPERTS = pd.DataFrame({"models": [8, 100], "best": [10, 0], "mistakes": [20, 6]})
FADING = pd.Series([0.9, 0.3, 0.001])
SIGNALS = pd.DataFrame({"amplitude": [1.0, 2.0, 1.0], "order": [4, 4, 10], "regret": [1.0, 40.0, -2.0]})
COSTS = pd.DataFrame(
    {(p, n): (8 * p * n, p**3 * n**2) for p, n in product((2, 4), (10, 20))}, index=["recursive", "afresh"]
).T


def gains(forecasters, ensembles):
    """Cases, each repeated twice, with these mean gains."""
    rows = [
        (kind, f"p{i}", "m", gain + change)
        for kind, cases in (("forecaster", forecasters), ("ensemble", ensembles))
        for i, gain in enumerate(cases)
        for change in (-0.05, 0.05)
    ]
    return pd.DataFrame(rows, columns=["kind", "problem", "method", "gain"])


NONE, SOME = [0.0, -0.01, -0.005] * 3, [0.03, 0.02, 0.04] * 3

EVIDENCE = {
    "C019": (([3, 4, 5], 0, 2), ([3, 4, 5], 0, 0)),
    "C020": ((CORRELATED,), (OFF,), (CORRELATED[:4],)),
    **{number: ((CORRELATED,), (OFF,), (CORRELATED[2:3],)) for number in ("C021", "C022", "C023")},
    "C024": ((RISING,), (RISING[::-1],), (RISING[:2],)),
    "C025": ((COPIES,), (np.ones((40, 50)),), (COPIES[:5],)),
    "C026": (
        (parts(bagging=BAGGED),),
        (parts(bagging={"decision tree": (0.1, 0.01)}),),
        (parts().query("problem == 'p'"),),
    ),
    "C027": ((parts(boosting=BOOSTED),), (parts(boosting=BAGGED),), (parts(boosting=BOOSTED, noise=0.5),)),
    "C098": (
        (parts(bagging=BAGGED, boosting=BOOSTED),),
        (parts(bagging=BAGGED, boosting={"decision tree": (-0.1, 0.2)}),),
        (parts(bagging=BAGGED, boosting=BOOSTED, noise=0.5),),
    ),
    "C031": ((LOSSLESS, {"network": 7}), ({**LOSSLESS, "Naive Bayes": 1}, {"network": 7}), (LOSSLESS, {})),
    "C032": ((BETTER,), (WORSE,), (UNKNOWN,)),
    "C033": ((EXPERTS,), (EXPERTS.assign(mistakes=[40, 6]),), (EXPERTS[:1],)),
    "C034": ((FADING, 0, 200), (FADING + 0.02, 0, 200), (FADING - 0.85, 0, 200)),
    "C035": ((SIGNALS,), (SIGNALS.assign(regret=[12.0, 0, 0]),), (SIGNALS[:2],)),
    "C036": ((COSTS,), (COSTS.assign(recursive=COSTS["afresh"]),), (COSTS[:1],)),
    "C037": ((gains(NONE, SOME),), (gains(NONE, NONE),), (gains(NONE, SOME[:4] + NONE[:4]),)),
}
