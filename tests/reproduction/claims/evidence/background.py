"""Evidence about single models, ensembles and experts."""

from itertools import product

import numpy as np
import pandas as pd

from ..contrasts import BETTER, UNKNOWN, WORSE


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
    "C026": ((parts(bagging=BAGGED),), (parts(bagging={"decision tree": (0.1, 0.01)}),)),
    "C027": ((parts(boosting=BOOSTED),), (parts(boosting=BAGGED),), (parts(boosting=BOOSTED, noise=0.5),)),
    "C098": (
        (parts(bagging=BAGGED, boosting=BOOSTED),),
        (parts(bagging=BAGGED, boosting={"decision tree": (-0.1, 0.2)}),),
        (parts(bagging=BAGGED, boosting=BOOSTED, noise=0.5),),
    ),
    "C032": ((BETTER,), (WORSE,), (UNKNOWN,)),
    "C037": ((gains(NONE, SOME),), (gains(NONE, NONE),), (gains(NONE, SOME[:4] + NONE[:4]),)),
}

COUNTER = {
    "C019": lambda lines, vote, best: (lines, vote, 0),
    **dict.fromkeys(
        ("C020", "C021", "C022", "C023"),
        lambda errors: errors.assign(estimate=1.1 * errors["estimate"] + 0.1),
    ),
    "C024": lambda variance: variance[::-1],
    "C025": lambda copies: np.ones_like(copies),
    "C031": lambda differing, control: (differing | {"Naive Bayes": 1}, control),
    "C033": lambda runs: runs.assign(mistakes=10 * runs["mistakes"]),
    "C034": lambda share_of_bad, changed, later: (share_of_bad + 0.02, changed, later),
    "C035": lambda signals: signals.assign(regret=1e9),
    "C036": lambda operations: operations.assign(recursive=operations["afresh"]),
}
