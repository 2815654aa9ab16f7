"""What a single model would score under other assumptions than ours: the search for an explanation."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from ..datasets import dataset_info
from ..models import DecisionStumpClassifier, NeuralNetworkClassifier
from .extra import kept
from .protocol import N_FOLDS, prepare
from .statistics import standard_error
from .study import ALGORITHMS, Task


def try_variants(
    datasets: Iterable[str],
    variants: Callable[[str], Mapping[str, Any]],
    algorithm: str = "single",
    named: str | None = None,
) -> pd.DataFrame:
    """Score variants of a single model on the first repetition of the thesis's protocol.

    Parameters
    ----------
    datasets : iterable of str
        Names in the catalogue.
    variants : callable
        Gives, for the name of a data set, the untrained classifier of each variant.
    algorithm : {"single", "online_single"}, default="single"
        How they learn: from all examples at once, or in one pass.
    named : str or None, default=None
        What the algorithm is called in the result; None means `algorithm`.

    Returns
    -------
    DataFrame
        Columns dataset, algorithm, variant, mean, standard_error: accuracy over the splits.

    Examples
    --------
    >>> from oza import NaiveBayesClassifier
    >>> from oza.experiments import try_variants
    >>> smoothing = {f"alpha={alpha}": NaiveBayesClassifier(alpha=alpha) for alpha in (0, 1)}
    >>> try_variants(["balance"], lambda dataset: smoothing)["mean"].round(2).to_list()
    [0.91, 0.92]
    """
    rows = []
    for dataset in datasets:
        info = dataset_info(dataset)
        folds = range(1 if info.split == "supplied" else N_FOLDS)
        splits = [prepare(Task("variants", dataset, "", algorithm, 1, 0, fold, 0)) for fold in folds]
        for variant, model in variants(dataset).items():
            values = []
            for split in splits:
                ALGORITHMS[algorithm].learn(model, split.X_train, split.y_train, len(info.classes))
                values.append(np.mean(model.predict(split.X_test) == split.y_test))
            rows.append((dataset, named or algorithm, variant, np.mean(values), standard_error(values)))
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "variant", "mean", "standard_error"])


def stumps_by_attribute(dataset: str) -> dict[str, Any]:
    """For each attribute of a data set, by its number from 1 and its name, a stump that may test no other."""

    def only(place: int) -> FunctionTransformer:
        return FunctionTransformer(lambda X: X[:, [place]])

    return {
        f"attribute {place + 1} ({attribute.name})": make_pipeline(only(place), DecisionStumpClassifier())
        for place, attribute in enumerate(dataset_info(dataset).attributes)
    }


def networks_by_setting(updates: int = 1) -> dict[str, Any]:
    """Networks of other sizes, rates and starts than ours; the thesis does not say which it used."""
    settings = [(hidden, rate, 0.05) for hidden in (5, 10, 20) for rate in (0.1, 0.5)] + [(10, 0.5, 0.5)]
    return {
        f"{hidden} hidden units, rate {rate}, start within {start}": NeuralNetworkClassifier(
            hidden, rate, updates=updates, initial_range=start, random_state=0
        )
        for hidden, rate, start in settings
    }


def load_network_variants(dataset: str) -> pd.DataFrame:
    """Read what single networks score by setting; compute and record it if it is not there.

    Parameters
    ----------
    dataset : str
        Name in the catalogue.

    Returns
    -------
    DataFrame
        As `try_variants`, for learning in batch and online with one and with ten updates.
    """

    def compute() -> pd.DataFrame:
        one, ten = networks_by_setting(), networks_by_setting(updates=10)
        return pd.concat(
            [
                try_variants([dataset], lambda _: one),
                try_variants([dataset], lambda _: one, "online_single"),
                try_variants([dataset], lambda _: ten, "online_single", named="online_single_10"),
            ]
        )

    return kept(f"variants/neural_network-{dataset}", compute)
