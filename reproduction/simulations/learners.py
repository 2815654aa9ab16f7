"""Properties of learners: what repeated examples change, what online learning loses, and passes."""

from collections.abc import Sequence
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

from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory.passes import stream_passes


def changed_by_copies(times: Sequence[int], stride: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Count the predictions that change when every training example is repeated.

    The data are those of Car Evaluation, whose examples are all inputs that there are.

    Parameters
    ----------
    times : sequence of int
        How often each example is repeated.
    stride : int
        The learners train on every `stride`-th example.
    seed : int
        Seed of the network.

    Returns
    -------
    changed, control : DataFrame
        A row for each learner, a column for each number of copies: learners that the thesis calls
        proportional, and learners that are not.
    """
    X, y = load_dataset("car-evaluation", return_X_y=True)
    proportional = {
        "Naive Bayes": NaiveBayesClassifier(),
        "decision stump": DecisionStumpClassifier(),
        "decision tree": DecisionTreeClassifier(),
        "pruned decision tree": DecisionTreeClassifier(prune=True),
    }
    others = {
        "smoothed Naive Bayes": NaiveBayesClassifier(alpha=1.0),
        "network": NeuralNetworkClassifier(random_state=seed),
    }

    def changes(learner: Any, n: int) -> int:
        learner.set_params(categorical_features=nominal_columns(X))
        rows = np.repeat(np.arange(0, len(X), stride), n)
        once = learner.fit(X[::stride], y[::stride]).predict(X)
        return int((learner.fit(X[rows], y[rows]).predict(X) != once).sum())

    changed, control = (
        pd.DataFrame({n: {name: changes(learner, n) for name, learner in learners.items()} for n in times})
        for learners in (proportional, others)
    )
    return changed, control


@simulation(small={"n_models": 2})
def network_passes(n_models: int = 100) -> dict[str, float]:
    """Count how often bags of networks learn each of some examples of Balance, in batch and online.

    For "bagging" these are the updates of all networks, for "online_bagging" the passes.
    """
    data = load_dataset("balance")
    X, y = data.data[::31], data.target[::31]
    network = NeuralNetworkClassifier()
    batch = BaggingClassifier(network, n_models, categorical_features=nominal_columns(X), random_state=1).fit(
        X, y
    )
    values = [range(len(v)) for v in data.categories]
    online = OnlineBaggingClassifier(network, n_models, categories=values, random_state=1)
    updates = sum(each.n_updates_ for each in batch.estimators_)
    return {"bagging": updates / len(y), "online_bagging": stream_passes(online, X, y)}
