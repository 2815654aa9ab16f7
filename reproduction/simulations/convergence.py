"""How batch and online ensembles come together as the number of training examples grows."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.datasets import load_dataset
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

from ..record.simulation import simulation

_LEARNERS: dict[tuple[str, str], Any] = {
    ("stable", "Naive Bayes"): NaiveBayesClassifier(),
    ("stable", "stumps"): DecisionStumpClassifier(),
    ("unstable", "trees"): DecisionTreeClassifier(),
    ("unstable", "networks"): NeuralNetworkClassifier(),
}


@simulation(small={"problems": ["nursery"], "sizes": (100, 1000), "n_models": 5, "seeds": (1, 2)})
def bagging_disagreement(
    problems: Sequence[str] = ("synthetic2", "nursery", "car-evaluation"),
    sizes: Sequence[int] = (100, 1000, 5000),
    n_models: int = 25,
    seeds: Sequence[int] = range(11, 51),
    bases: Sequence[str] = ("Naive Bayes", "stumps", "trees", "networks"),
) -> pd.DataFrame:
    """Measure how often batch and online bagging disagree about examples that neither has seen.

    The frame has shares of predictions that differ: indexed by data set, number of examples N and seed, with
    a column (kind, base model) for each base model, whose kind is "stable" or "unstable".
    """
    shares: dict[tuple[str, int, int], list[float]] = {}
    learners = {(kind, base): learner for (kind, base), learner in _LEARNERS.items() if base in bases}
    for problem, seed in product(problems, seeds):
        data = load_dataset(problem, random_state=seed)
        order = np.random.default_rng(seed).permutation(len(data.target))
        X, y = data.data[order], data.target[order]
        values = [range(len(v)) for v in data.categories]
        n_fresh = min(2000, len(y) // 3)
        for n in [n for n in sizes if n <= len(y) - n_fresh]:
            shares[problem, n, seed] = []
            for base in learners.values():
                batch, online = (
                    ensemble(base, n_models, categories=values, random_state=seed)
                    .fit(X[:n], y[:n])
                    .predict(X[-n_fresh:])
                    for ensemble in (BaggingClassifier, OnlineBaggingClassifier)
                )
                shares[problem, n, seed].append(float(np.mean(batch != online)))
    index = pd.MultiIndex.from_tuples(shares, names=["dataset", "N", "seed"])
    return pd.DataFrame(list(shares.values()), index, pd.MultiIndex.from_tuples(learners))
