"""Passes of ensembles of networks over their training set, counted as they learn (thesis chapter 1)."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from oza.datasets import load_dataset
from oza.models import NeuralNetworkClassifier

from ..record.simulation import simulation
from ..theory.passes import ONLINE, CountedData, bagging_from, boosting_from, stream_passes


@simulation(small={"n_examples": 10, "epochs": [1]})
def counted_passes(
    n_examples: int = 30, epochs: Sequence[int] = (1, 2, 5), n_models: Sequence[int] = (2, 3), seed: int = 1
) -> pd.DataFrame:
    """Count the passes of batch and online ensembles over examples of Balance Scale.

    There are `n_models` networks, each of which needs so many `epochs`. Columns algorithm, T, M and passes,
    where M is the number of networks that were trained.
    """
    X, y = load_dataset("balance", return_X_y=True)
    rows = np.arange(n_examples) * (len(y) // n_examples)
    X, y = X[rows] / X.max(), y[rows]

    def network(updates: int = 1) -> NeuralNetworkClassifier:
        return NeuralNetworkClassifier(hidden_units=2, updates=updates, random_state=seed)

    counted = []
    for t, m in product(epochs, n_models):
        source = CountedData(X, y)
        counted.append(("bagging", t, len(bagging_from(source, network, m, t, seed)), source.n_passes))
        source = CountedData(X, y)
        counted.append(("boosting", t, len(boosting_from(source, network, m, t)), source.n_passes))
        for name, ensemble in ONLINE.items():
            online = ensemble(network(updates=t), m, random_state=seed)
            counted.append((name.replace("_", " "), t, m, stream_passes(online, X, y)))
    return pd.DataFrame(counted, columns=["algorithm", "T", "M", "passes"])
