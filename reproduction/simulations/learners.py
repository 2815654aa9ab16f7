"""Properties of learners: what repeated examples change, what online learning loses, and passes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone

from oza.datasets import load_dataset
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.kernels.draws import uniforms
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


def _everything(model: Any, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
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
    categories = [np.unique(column) for column in X.T]
    untrained = {
        "decision tree": DecisionTreeClassifier(categories=categories),
        "Naive Bayes": NaiveBayesClassifier(categories=categories),
        "decision stump": DecisionStumpClassifier(categories=categories),
        "network": NeuralNetworkClassifier(categories=categories, random_state=seed),
    }
    rows = {}
    for name in learners:
        online = untrained[name]
        batch = clone(online).fit(X[np.sort(stream)], y[np.sort(stream)])
        for first in range(0, half, chunk):
            piece = stream[first : first + chunk]
            online.partial_fit(X[piece], y[piece], classes=np.unique(y))
        mine, theirs = _everything(online, X), _everything(batch, X)
        n_differing = len(mine)
        if len(mine) == len(theirs):
            n_differing -= int(np.isclose(mine, theirs, 0, 0, equal_nan=True).sum())
        accuracies = [float((m.predict(X[test]) == y[test]).mean()) for m in (batch, online)]
        rows[name] = len(mine), n_differing, *accuracies
    columns = ["numbers compared", "differing", "accuracy, batch", "accuracy, online"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


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
