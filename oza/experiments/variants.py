"""What a single model would score under other assumptions than ours: the search for an explanation."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from ..datasets import dataset_info
from ..ensembles import AdaBoostClassifier, OnlineBoostingClassifier
from ..models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)
from .extra import kept
from .protocol import N_FOLDS, prepare
from .statistics import standard_error
from .study import ALGORITHMS, Task, is_small

N_MODELS = 100  # of every ensemble of the thesis (section 3.5)
_BAGS = ("bagging", "online_bagging")


def try_variants(
    datasets: Iterable[str],
    variants: Callable[[str], Mapping[str, Any]],
    algorithm: str = "single",
    named: str | None = None,
) -> pd.DataFrame:
    """Score variants of a model on the first repetition of the thesis's protocol.

    Parameters
    ----------
    datasets : iterable of str
        Names in the catalogue.
    variants : callable
        Gives, for the name of a data set, the untrained classifier of each variant.
    algorithm : str, default="single"
        How they learn: as under this name in `oza.experiments.study.ALGORITHMS`.
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
        for variant, untrained in variants(dataset).items():
            values = []
            for split in splits:
                model = clone(untrained)
                ALGORITHMS[algorithm].learn(model, split.X_train, split.y_train, len(info.classes))
                values.append(np.mean(model.predict(split.X_test) == split.y_test))
            rows.append((dataset, named or algorithm, variant, np.mean(values), standard_error(values)))
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "variant", "mean", "standard_error"])


def _of_one(place: int, algorithm: str) -> Any:
    stumps = _made(DecisionStumpClassifier(), algorithm)
    return make_pipeline(FunctionTransformer(lambda X: X[:, [place]]), stumps)


def _made(model: Any, algorithm: str) -> Any:
    return ALGORITHMS[algorithm].make(model, N_MODELS, 0)


def _made_and_tried(
    dataset: str, variants: Mapping[str, Any], algorithm: str, named: str | None = None
) -> pd.DataFrame:
    made = {name: _made(model, algorithm) for name, model in variants.items()}
    return try_variants([dataset], lambda _: made, algorithm, named)


def stumps_by_attribute(dataset: str, algorithm: str = "single") -> dict[str, Any]:
    """For each attribute of a data set, by its number from 1 and its name, stumps that may test no other."""
    return {
        f"attribute {place + 1} ({attribute.name})": _of_one(place, algorithm)
        for place, attribute in enumerate(dataset_info(dataset).attributes)
    }


def trees_by_setting() -> dict[str, Any]:
    """Trees by both measures of the best test, pruned or not."""
    return {
        f"{criterion.replace('_', ' ')}, {'pruned' if prune else 'unpruned'}": DecisionTreeClassifier(
            criterion, prune
        )
        for criterion in ("gain_ratio", "information_gain")
        for prune in (True, False)
    }


def boosted_naive_bayes_by_reading() -> dict[str, Any]:
    """Boosted Naive Bayes, a hundred models, in batch and online, by smoothing and form of the weight."""
    found: dict[str, Any] = {}
    for alpha in (0.0, 1.0):
        base = NaiveBayesClassifier(alpha=alpha)
        found[f"batch, alpha {alpha:g}"] = AdaBoostClassifier(base)
        for form in ("thesis", "later"):
            found[f"online, {form}, alpha {alpha:g}"] = OnlineBoostingClassifier(
                base, weight_update=form, random_state=0
            )
    return found


def networks_by_setting(updates: int = 1) -> dict[str, Any]:
    """Networks of other sizes, rates and starts than ours; the thesis does not say which it used."""
    settings = [(hidden, rate, 0.05) for hidden in (5, 10, 20) for rate in (0.1, 0.5)] + [(10, 0.5, 0.5)]
    return {
        f"{hidden} hidden units, rate {rate}, start within {start}": NeuralNetworkClassifier(
            hidden, rate, updates=updates, initial_range=start, random_state=0
        )
        for hidden, rate, start in settings
    }


def _networks(dataset: str, batch: str, online: str) -> pd.DataFrame:
    one, ten = networks_by_setting(), networks_by_setting(updates=10)
    return pd.concat(
        [
            _made_and_tried(dataset, one, batch),
            _made_and_tried(dataset, one, online),
            _made_and_tried(dataset, ten, online, named=f"{online}_10"),
        ]
    )


def _bagged_stumps(dataset: str) -> pd.DataFrame:
    return pd.concat(
        [
            try_variants([dataset], partial(stumps_by_attribute, algorithm=algorithm), algorithm)
            for algorithm in _BAGS
        ]
    )


#: What is tried on a data set, by the name of the search.
SEARCHES: dict[str, Callable[[str], pd.DataFrame]] = {
    "neural_network": partial(_networks, batch="single", online="online_single"),
    "decision_stump": lambda dataset: try_variants([dataset], stumps_by_attribute),
    "decision_tree": lambda dataset: try_variants([dataset], lambda _: trees_by_setting()),
    "bagged_neural_network": partial(_networks, batch="bagging", online="online_bagging"),
    "bagged_decision_stump": _bagged_stumps,
    "bagged_decision_tree": lambda dataset: pd.concat(
        [_made_and_tried(dataset, trees_by_setting(), algorithm) for algorithm in _BAGS]
    ),
    "boosted_naive_bayes": lambda dataset: try_variants(
        [dataset], lambda _: boosted_naive_bayes_by_reading()
    ),
    "first_attribute": lambda dataset: try_variants(
        [dataset],
        lambda _: {"best attribute": DecisionStumpClassifier(), "first attribute": _of_one(0, "single")},
    ),
    "smoothing": lambda dataset: try_variants(
        [dataset],
        lambda _: {
            "no smoothing": NaiveBayesClassifier(alpha=0.0),
            "one added": NaiveBayesClassifier(alpha=1.0),
        },
    ),
}


#: Variants that are no others: the settings of the studies themselves.
OURS = ("gain ratio, pruned", "10 hidden units, rate 0.5, start within 0.05")


def load_variants(search: str, datasets: Iterable[str]) -> pd.DataFrame:
    """Read what variants of a model score; compute and record what is not there.

    Parameters
    ----------
    search : str
        A name in `SEARCHES`.
    datasets : iterable of str
        Names in the catalogue.

    Returns
    -------
    DataFrame
        As `try_variants`. Networks: for learning in batch, and online with one and with ten updates.
        Bagged: in batch and online, of the data sets those that are small enough (`is_small`).
    """
    names = list(dict.fromkeys(datasets))
    if search.startswith("bagged"):
        names = [name for name in names if is_small(dataset_info(name))]
    found = [kept(f"variants/{search}-{name}", partial(SEARCHES[search], name)) for name in names]
    return pd.concat(found) if found else try_variants([], lambda _: {})
