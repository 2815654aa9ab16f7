"""Which learners gain from a vote over all training sets (thesis section 3.2)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from oza.models import DecisionStumpClassifier, NaiveBayesClassifier

from ..claims.registry import Decision, claim, require
from ..theory.aggregation import Aggregation, aggregate

_INPUTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
#: Probability of each class together with each input.
_LAW = np.array([[6, 3, 3, 1], [1, 3, 2, 5]]) * Fraction(1, 24)


def _four_learners(_: object) -> tuple[dict[str, Aggregation]]:
    """Evidence: learners of every training set of six examples with two binary attributes."""

    def of_library(model: Any, counts: np.ndarray) -> np.ndarray:
        rows = np.repeat(np.arange(8), counts.ravel())
        X, y = _INPUTS[rows % 4], rows // 4
        if len(np.unique(y)) == 1:
            return np.full(4, y[0])
        return model(categories=[np.arange(2)] * 2).fit(X, y).predict(_INPUTS)

    learners: dict[str, Any] = {
        "stump": partial(of_library, DecisionStumpClassifier),
        "Naive Bayes": partial(of_library, NaiveBayesClassifier),
        "majority class": lambda counts: np.full(4, counts.sum(axis=1).argmax()),
        "fixed rule": lambda counts: np.array([0, 1, 1, 1]),
    }
    return ({name: aggregate(learn, _LAW, 6) for name, learn in learners.items()},)


@claim("C052", evidence=_four_learners)
def gain_needs_instability(learners: Mapping[str, Aggregation]) -> Decision:
    """Judge equation 3.1 for learners that were trained on every training set.

    The claim holds if the gain by the equation equals the difference between the accuracy of the vote and the
    mean accuracy of one model, and never exceeds the instability of the learner, so that it vanishes where Q
    is 0 or 1. Learners with and without instability are needed.
    """
    instabilities = [result.instability for result in learners.values()]
    enough = any(instabilities) and not all(instabilities)
    require(enough, "needs a learner that always says the same, and one that does not")
    holds = all(
        result.gain == result.aggregated - result.single and abs(result.gain) <= result.instability
        for result in learners.values()
    )
    return holds, "; ".join(
        f"{name}: gain {float(result.gain):+.4f}, instability {float(result.instability):.4f}"
        for name, result in learners.items()
    )
