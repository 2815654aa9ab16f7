"""Ensembles over parts of the columns, option trees and ensembles that weigh by accuracy."""

from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

import oza
from oza.datasets import load_dataset
from oza.diversity import disagreement, mean_of_pairs
from oza.streams import SEA, STAGGER, Agrawal, Hyperplane, drift

from ..claims.registry import Decision, claim, require
from ..printed.printed import printed
from ..printed.record import Record
from ..record.simulation import simulation
from ..record.study import cells, study
from ..studies.protocol import N_FOLDS
from ..studies.streams import accuracies_along


@simulation(small={"n_examples": 1000, "n_seeds": 1, "chunk_size": 100})
def accuracies_under_drift(
    n_examples: int = 20_000,
    n_seeds: int = 5,
    chunk_size: int = 500,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare ensembles on SEA that changes half way, STAGGER with three concepts, and a turning hyperplane.

    The frame has accuracies by stream and run, with a column for each classifier.
    """
    accuracies = {}
    for kind, run in product(("SEA", "STAGGER", "hyperplane"), range(n_seeds)):
        stream = _three_kinds(kind, n_examples, seed + run)
        known = {"categories": stream.categories, "voting": "majority", "random_state": run}
        weighted = partial(oza.AccuracyWeightedEnsembleClassifier, chunk_size=chunk_size, **known)
        models = {
            "Hoeffding tree": oza.HoeffdingTreeClassifier(categories=stream.categories),
            "ADWIN bagging": oza.ADWINBaggingClassifier(**known),
            "weighted, Naive Bayes": weighted(estimator=oza.NaiveBayesClassifier()),
            "weighted, Hoeffding trees": weighted(),
            "restricted trees, pairs": oza.RestrictedTreesClassifier(categories=stream.categories),
        }
        accuracies[kind, run] = accuracies_along(models, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "run"], columns=None)


def _three_kinds(kind: str, n_examples: int, seed: int) -> Any:
    if kind == "SEA":
        return drift(SEA(1, random_state=seed), SEA(4, random_state=seed), n_examples // 2)
    if kind == "STAGGER":
        first, second, third = (STAGGER(number, random_state=seed) for number in (1, 2, 3))
        return drift(drift(first, second, n_examples // 3), third, 2 * (n_examples // 3))
    return Hyperplane(n_drifting=5, change=0.001, random_state=seed)


@simulation(small={"n_examples": 500})
def option_trees(n_examples: int = 40_000, seed: int = 1) -> pd.DataFrame:
    """Compare a Hoeffding option tree with a Hoeffding tree and with a bag of five, on three streams.

    The frame has accuracies, and numbers of nodes with options, by stream and classifier.
    """
    rows = {}
    for kind, stream in {
        "Agrawal, function 2": Agrawal(2, random_state=seed),
        "hyperplane": Hyperplane(n_drifting=5, change=0.001, random_state=seed),
        "SEA": SEA(1, random_state=seed),
    }.items():
        known = {"categorical_features": stream.categorical_features, "categories": stream.categories}
        bag = oza.OnlineBaggingClassifier(oza.HoeffdingTreeClassifier(), 5, random_state=seed, **known)
        models = {
            "Hoeffding tree": oza.HoeffdingTreeClassifier(**known),
            "option tree": oza.HoeffdingOptionTreeClassifier(5, **known),
            "bagging of 5 trees": bag,
        }
        X, y = stream[:n_examples]
        for name, model in models.items():
            accuracy = (model.prequential_predict(X, y, classes=stream.classes) == y).mean()
            rows[kind, name] = accuracy, getattr(model, "n_options_", 0)
    index = pd.MultiIndex.from_tuples(rows, names=["stream", "classifier"])
    return pd.DataFrame(list(rows.values()), index, ["accuracy", "nodes with options"])


#: Columns from which a node chooses its test, by the name of the ensemble.
MAX_FEATURES = {"bagging": None, "random forest": "sqrt"}


_DATASETS = ("balance", "car-evaluation", "breast-cancer")


def _cells(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> list[dict[str, Any]]:
    splits = {"repetition": range(n_repetitions), "fold": range(N_FOLDS)}
    return cells(dataset=datasets, n_trees=n_trees, **splits, ensemble=MAX_FEATURES)


@study(
    "forests",
    "Random forests and bags of unpruned trees",
    {
        "accuracy": float,  # of the vote
        "accuracy_of_a_tree": float,
        "disagreement": float,  # share of examples on which two trees disagree
    },
    smoke=lambda: cells(dataset="balance", ensemble=MAX_FEATURES, n_trees=3, repetition=0, fold=0),
    thesis=lambda: _cells(_DATASETS, 25, 2) + _cells(_DATASETS, 50, 5),  # the page's defaults, and the book's
)
def forests(dataset: str, ensemble: str, n_trees: int, repetition: int, fold: int) -> tuple[float, ...]:
    """An ensemble of unpruned trees on one split of a stratified cross-validation."""
    X, y = load_dataset(dataset, return_X_y=True)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=repetition).split(X, y)
    train, test = list(folds)[fold]
    model = oza.RandomForestClassifier(n_trees, max_features=MAX_FEATURES[ensemble], random_state=repetition)
    model.set_params(categories=[np.unique(column) for column in X.T]).fit(X[train], y[train])
    predictions = model.predict_each(X[test])
    return (
        float(model.score(X[test], y[test])),
        float((predictions == y[test, None]).mean()),
        mean_of_pairs(disagreement, predictions),
    )


def columns_at_random(datasets: Iterable[str], n_trees: int, n_repetitions: int) -> pd.DataFrame:
    """Compare random forests with bagged trees; what is not recorded is computed now.

    The columns of the data sets are all nominal. A row for each split and ensemble.
    """
    wanted = _cells(datasets, n_trees, n_repetitions)
    return forests.recorded_or_computed([forests.task(**cell) for cell in wanted])


def trees_over_subsets(record: Record) -> tuple[pd.DataFrame]:
    """Train restricted trees on ten columns, and count the trees beside the printed numbers.

    Parameters
    ----------
    record : Record
        Not read.
    """
    X, y = np.random.default_rng(0).random((4, 10)), [0, 1, 0, 1]
    rows = []
    numbers = printed("schapire_toy").query("topic == 'restricted_trees'")[["index", "value"]].astype(int)
    for size, value in numbers.to_numpy().tolist():
        features = oza.RestrictedTreesClassifier(size).fit(X, y).features_
        rows.append((size, value, len(features), len({frozenset(each.tolist()) for each in features})))
    return (pd.DataFrame(rows, columns=["size", "printed", "trees", "subsets"]),)


@claim("C141", evidence=trees_over_subsets, given=("counted.size", "counted.printed"))
def one_tree_for_each_subset(counted: pd.DataFrame) -> Decision:
    """Judge the numbers of trees over the subsets of ten columns, for at least two sizes of the subsets.

    The claim holds if `RestrictedTreesClassifier` has as many trees as printed for each size, and no two of
    them see the same columns. It fails if one number differs.
    """
    require(len(counted) >= 2, "needs two sizes of the subsets or more")
    is_equal = (counted["trees"] == counted["printed"]) & (counted["subsets"] == counted["printed"])
    summary = ", ".join(f"{size}: {n}" for size, n in counted[["size", "trees"]].itertuples(index=False))
    return bool(is_equal.all()), f"trees over subsets of ten columns, by size: {summary}"
