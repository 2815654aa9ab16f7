"""Averages and votes of models: bias and variance, and what would refute the claims."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from oza.kernels.draws import uniforms
from reproduction.topics.combining_models import decompose


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

#: Evidence for the claims, against them, and too little.
EVIDENCE = {
    "C026": ((parts(bagging=BAGGED),), (parts(bagging={"decision tree": (0.1, 0.01)}),)),
    "C027": ((parts(boosting=BOOSTED),), (parts(boosting=BAGGED),), (parts(boosting=BOOSTED, noise=0.5),)),
    "C098": (
        (parts(bagging=BAGGED, boosting=BOOSTED),),
        (parts(bagging=BAGGED, boosting={"decision tree": (-0.1, 0.2)}),),
        (parts(bagging=BAGGED, boosting=BOOSTED, noise=0.5),),
    ),
}

#: What would refute the claims.
COUNTER = {
    "C019": lambda lines, vote, best: (lines, vote, 0),
    **dict.fromkeys(
        ("C020", "C021", "C022", "C023"),
        lambda errors: errors.assign(estimate=1.1 * errors["estimate"] + 0.1),
    ),
    "C024": lambda variance: variance[::-1],
    "C025": lambda copies: np.ones_like(copies),
}


def test_bias_and_variance_add_up_to_the_error():
    predictions = (uniforms((30, 50), "predictions") * 3).astype(int)
    labels = np.arange(50) % 3
    parts = decompose(predictions, labels)
    assert parts["error"].to_list() == (predictions != labels).mean(axis=1).tolist()
    assert (parts["bias"] + parts["variance"]).to_numpy() == pytest.approx(parts["error"])
    assert parts["variance"].mean() == pytest.approx(0.5 * (1 - 3 / 9), abs=0.02)
