"""What learners lose by learning online (thesis section 2.1)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from oza import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import load_dataset
from oza.kernels.draws import uniforms

from ..claims.criteria import nothing_differs
from ..claims.registry import Decision, claim, require
from ..record.simulation import simulation

#: The learners that claim C031 names.
LOSSLESS_LEARNERS = ("decision tree", "Naive Bayes", "decision stump")


def _everything(model: Any, X: np.ndarray) -> np.ndarray:
    """Give all predictions and probabilities of a model and, of a tree, all numbers in its nodes."""
    parts = [model.predict(X), model.predict_proba(X).ravel()]
    if isinstance(model, DecisionTreeClassifier):
        parts += [part.ravel() for part in model.tree_]
    return np.concatenate(parts)


@simulation(small={"learners": ["Naive Bayes"]})
def batch_and_online(
    dataset: str = "balance",
    chunk: int = 37,
    seed: int = 1,
    learners: Sequence[str] = ("decision tree", "Naive Bayes", "decision stump", "network"),
) -> pd.DataFrame:
    """Compare models learned in batch with models learned online, in chunks, from half of a data set.

    The frame has for each learner how many numbers were compared, how many of them differ, and the accuracies
    in batch and online on the other half.
    """
    X, y = load_dataset(dataset, return_X_y=True)
    order = uniforms(len(y), "order of the stream", seed).argsort(kind="stable")
    half = len(order) // 2
    stream, test = order[:half], order[half:]
    untrained = {
        "decision tree": DecisionTreeClassifier(),
        "Naive Bayes": NaiveBayesClassifier(),
        "decision stump": DecisionStumpClassifier(),
        "network": NeuralNetworkClassifier(random_state=seed),
    }
    rows = {}
    for name in learners:
        online = untrained[name].set_params(categories=[np.unique(column) for column in X.T])
        batch = clone(online).fit(X[np.sort(stream)], y[np.sort(stream)])
        for first in range(0, half, chunk):
            piece = stream[first : first + chunk]
            online.partial_fit(X[piece], y[piece], classes=np.unique(y))
        mine, theirs = _everything(online, X), _everything(batch, X)
        is_equal = len(mine) == len(theirs) and np.isclose(mine, theirs, 0, 0, equal_nan=True)
        accuracies = (model.score(X[test], y[test]) for model in (batch, online))
        rows[name] = len(mine), len(mine) - int(np.sum(is_equal)), *accuracies
    columns = ["numbers compared", "differing", "accuracy, batch", "accuracy, online"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _numbers_that_differ(_: object) -> tuple[dict, dict]:
    differing = batch_and_online.recorded()["differing"].to_dict()
    return differing, {"network": differing.pop("network")}


@claim("C031", evidence=_numbers_that_differ)
def online_learners_are_lossless(differing: Mapping[str, int], control: Mapping[str, int]) -> Decision:
    """Judge the number of differences between hypotheses learned online and in batch.

    One difference refutes the claim; it holds only if trees, Naive Bayes and stumps were all tried.

    Parameters
    ----------
    differing : mapping
        Number of predictions and parts of the model that differ, for each learner called lossless.
    control : mapping
        The same for learners that are not lossless. If nothing differs for one of them, the
        comparison could not have seen a difference.
    """
    require(control and all(control.values()), "no control shows that a difference would have been seen")
    evidence = "; ".join(f"{name}: {count}" for name, count in {**differing, **control}.items()) + " differ"
    return nothing_differs(differing, LOSSLESS_LEARNERS, evidence)
