"""Every stream learner beside River's and MOA's: accuracy, predict then learn, and CPU seconds.

    python -m benchmarks.beside [N_EXAMPLES]

Each runs once, with its own defaults, on the first 3,000 rows of five tables of numbers; ensembles have ten
members. MOA, the engine of CapyMOA, is in its wheel, and Java is needed. MOA compiles while it runs, and so
runs twice in one process, of which the second time counts; ours is compiled before, too. What is not
installed, or not in the cache of data, is named and left out.
"""

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from river import ensemble, forest, naive_bayes, tree
from sklearn.datasets import load_digits

import oza
from benchmarks.peers import Missing
from benchmarks.stream_ensembles import run_moa
from oza.datasets import DatasetUnavailableError, load_dataset
from oza.streams import Hyperplane, RandomRBF

N_EXAMPLES = 3_000


def digits() -> tuple[np.ndarray, np.ndarray]:
    """The table of scikit-learn, whose rows come in random order."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


TABLES: dict[str, Callable[[], Any]] = {
    "electricity": lambda: load_dataset("electricity", return_X_y=True),
    "covertype-head": lambda: load_dataset("covertype-head", return_X_y=True),
    "moving rbf": lambda: RandomRBF(n_classes=5, speed=0.001, n_moving=50)[:N_EXAMPLES],
    "hyperplane": lambda: Hyperplane(change=0.001)[:N_EXAMPLES],
    "digits": digits,
}


class Learner(NamedTuple):
    """A stream learner of each library; None where it has none."""

    ours: Callable[[], Any]
    rivers: Callable[[], Any] | None
    moas: str


def over_trees(ensemble_of: Any) -> Callable[[], Any]:
    """One of River's ensembles, over its Hoeffding trees."""
    return lambda: ensemble_of(tree.HoeffdingTreeClassifier(), n_models=10, seed=1)


def ten(kind: Any) -> Callable[[], Any]:
    """One of our ensembles, of ten Hoeffding trees."""
    return lambda: kind(oza.HoeffdingTreeClassifier(), 10, random_state=1)


LEARNERS = {
    "Naive Bayes": Learner(oza.NaiveBayesClassifier, naive_bayes.GaussianNB, "bayes.NaiveBayes"),
    "Hoeffding tree": Learner(
        oza.HoeffdingTreeClassifier, tree.HoeffdingTreeClassifier, "trees.HoeffdingTree"
    ),
    "online bagging": Learner(
        ten(oza.OnlineBaggingClassifier), over_trees(ensemble.BaggingClassifier), "meta.OzaBag -s 10"
    ),
    "online boosting": Learner(
        ten(oza.OnlineBoostingClassifier), over_trees(ensemble.AdaBoostClassifier), "meta.OzaBoost -s 10"
    ),
    "ADWIN bagging": Learner(
        ten(oza.ADWINBaggingClassifier), over_trees(ensemble.ADWINBaggingClassifier), "meta.OzaBagAdwin -s 10"
    ),
    "leveraging bagging": Learner(
        ten(oza.LeveragingBaggingClassifier),
        over_trees(ensemble.LeveragingBaggingClassifier),
        "meta.LeveragingBag -s 10",
    ),
    "ADWIN boosting": Learner(
        ten(oza.ADWINBoostingClassifier),
        over_trees(ensemble.ADWINBoostingClassifier),
        "meta.OzaBoostAdwin -s 10",
    ),
    "adaptive forest": Learner(
        lambda: oza.AdaptiveRandomForestClassifier(random_state=1),
        lambda: forest.ARFClassifier(seed=1),
        "meta.AdaptiveRandomForest -s 10",
    ),
    "option tree": Learner(oza.HoeffdingOptionTreeClassifier, None, "trees.HoeffdingOptionTree"),
    "accuracy weighted": Learner(
        lambda: oza.AccuracyWeightedEnsembleClassifier(n_estimators=10, random_state=1),
        None,
        "meta.AccuracyWeightedEnsemble -n 10 -l trees.HoeffdingTree",
    ),
}


def ours(learner: Learner, X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[float, float]:
    """Accuracy and CPU seconds of our learner, all of whose columns are numeric."""
    for n in (50, len(y)):  # the first time it is compiled
        model = learner.ours().set_params(categorical_features=None)
        start = time.process_time()
        predicted = model.prequential_predict(X[:n], y[:n], classes=range(n_classes))
        seconds = time.process_time() - start
    return float((predicted == y).mean()), seconds


def rivers(learner: Learner, X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[float, float]:
    """Accuracy and CPU seconds of River's learner, one row after the other."""
    if learner.rivers is None:
        raise Missing("River has no option trees and no accuracy weighted ensembles")
    model, n_right = learner.rivers(), 0
    rows, labels = [dict(enumerate(row)) for row in X.tolist()], y.tolist()
    start = time.process_time()
    for row, label in zip(rows, labels, strict=True):
        n_right += model.predict_one(row) == label
        model.learn_one(row, label)
    return n_right / len(y), time.process_time() - start


def moas(learner: Learner, X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[float, float]:
    """Accuracy and CPU seconds of MOA's learner, the second time that it runs."""
    _, (n_right, first, second, _) = run_moa(
        X, y, [None] * X.shape[1], range(n_classes), "probability", learner.moas, [1, 1]
    )
    return n_right / len(y), first + second


SIDES = {"oza": ours, "River": rivers, "MOA": moas}


def main(n_examples: int = N_EXAMPLES) -> None:
    """Print a line for each table and learner, and the mean accuracies and total seconds of each side."""
    found, left_out = [], set()
    for table, load in TABLES.items():
        try:
            X, y = load()
        except DatasetUnavailableError as why:
            print(f"{table} is left out: {str(why).splitlines()[0]}")
            continue
        X = np.asarray(X, np.float64)[:n_examples]
        y = np.unique(np.asarray(y)[:n_examples], return_inverse=True)[1]
        for name, learner in LEARNERS.items():
            line = f"{table:15s} {name:20s}"
            for side, run in SIDES.items():
                try:
                    accuracy, seconds = run(learner, X, y, int(y.max()) + 1)
                except Missing as why:
                    left_out.add(str(why))
                    continue
                found.append((table, name, side, accuracy, seconds))
                line += f"  {side} {accuracy:.4f} {seconds:8.3f} s"
            print(line, flush=True)
    print(*sorted(left_out), sep="\n")
    runs = pd.DataFrame(found, columns=["table", "learner", "side", "accuracy", "seconds"])
    summary = runs.groupby(["learner", "side"], sort=False).agg({"accuracy": "mean", "seconds": "sum"})
    print(summary.unstack().round(4).to_string())


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main(*map(int, sys.argv[1:]))
