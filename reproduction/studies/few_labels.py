"""DECORATE and active learning: accuracies where few examples are labelled (Mooney's slides).

Two recorded studies on the eight small data sets of the thesis, with pruned trees as base models. All
algorithms see the same splits and the same first examples of each training set, so that differences are
paired.

*Learning curves*: a classifier learns a share of the training examples, from one in a hundred to all. *Active
learning*: a learner starts with two labelled examples of each class, and then chooses one label at a time
from a pool, or takes them as they come.

>>> rows = few_labels.compute("smoke")
>>> (rows.groupby("algorithm")["n_correct"].sum() / 625).round(2).to_dict()
{'decorate': 0.75, 'single': 0.68}
"""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from oza.datasets import dataset_info
from oza.ensembles import ActiveLearner, AdaBoostClassifier, BaggingClassifier, DecorateClassifier
from oza.ensembles.decorate.classifier import SMALLEST, ExampleSource
from oza.ensembles.decorate.kernels import label_against
from oza.kernels.random import key_of
from oza.models import DecisionTreeClassifier

from ..record.study import cells, study
from .accuracy import declared, examples_for, numeric_columns
from .calibration import OF_TREES
from .protocol import CORRECT, N_FOLDS, count_correct

#: Base models in an ensemble, as in the paper on DECORATE.
N_MODELS = 15
#: Ensembles that choose the next label, and are tested themselves.
ENSEMBLES: dict[str, Any] = {
    "bagging": BaggingClassifier,
    "boosting": AdaBoostClassifier,
    "decorate": DecorateClassifier,
}
#: Labels that a learner gets, after those that it starts with.
N_LABELS = 60
_POOL_SIZE = 400
_SEEDS_OF_EACH_CLASS = 2


def classifier(name: str, dataset: str, seed: int) -> Any:
    """Make an untrained classifier; a random forest receives symbols as indicators, numbers as they are."""
    numeric = numeric_columns("decision_tree", dataset)
    if name == "random_forest":
        from sklearn.ensemble import RandomForestClassifier  # which status and other commands do without

        forest = RandomForestClassifier(N_MODELS, random_state=seed % 2**32)
        return forest if numeric.all() else make_pipeline(OneHotEncoder(handle_unknown="ignore"), forest)
    tree = DecisionTreeClassifier(prune=True)
    made = tree if name == "single" else ENSEMBLES[name](tree, N_MODELS, random_state=seed)
    return declared(made, numeric)


@study(
    "few-labels",
    "DECORATE and other ensembles of trees on shares of the training set",
    {"n_train": int} | CORRECT | {"n_voting": int},  # base models that vote
    smoke=lambda: cells(
        dataset="balance", repetition=0, fold=range(N_FOLDS), percent=5, algorithm=("single", "decorate")
    ),
    thesis=lambda: cells(
        dataset=OF_TREES,
        repetition=range(2),
        fold=range(N_FOLDS),
        percent=(1, 2, 5, 10, 20, 50, 100),
        algorithm=("single", "bagging", "boosting", "random_forest", "decorate"),
    ),
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 11",),
    cost=lambda task: _seconds(task.dataset, task.algorithm, task.percent),
)
def few_labels(
    dataset: str, algorithm: str, percent: int, repetition: int, fold: int
) -> tuple[int, int, int, int]:
    """A classifier that learns the first `percent` percent of a training set, at least two examples."""
    split = examples_for("decision_tree", dataset, repetition, fold)
    n = max(2, round(len(split.y_train) * percent / 100))
    model = classifier(algorithm, dataset, key_of(dataset, algorithm, percent, repetition, fold))
    model.fit(split.X_train[:n], split.y_train[:n])
    members = getattr(model, "estimators_", [model]) if algorithm != "random_forest" else [0] * N_MODELS
    return n, *count_correct(model, split), len(members)


def _seconds(dataset: str, algorithm: str, percent: int) -> float:
    size = dataset_info(dataset).n_train * percent / 100
    return 0.01 + size * {"decorate": 5e-3, "boosting": 3e-4}.get(algorithm, 1e-4)


#: How the next label is chosen, and which ensemble is tested: the one that chooses, or each if none does.
_STRATEGIES = (
    *({"strategy": name, "tested": name} for name in ENSEMBLES),
    *cells(strategy="random", tested=ENSEMBLES),
)


@study(
    "active-learning",
    "Active learning with ensembles of trees: labels chosen by disagreement and at random",
    {"n_labels": int} | CORRECT,
    smoke=lambda: cells(_STRATEGIES[0], *_STRATEGIES[3:], dataset="balance", repetition=0, fold=0),
    thesis=lambda: [
        split | strategy
        for split in cells(
            dataset=("promoters", "balance", "breast-cancer", "car-evaluation", "chess", "mushroom"),
            repetition=range(3),
            fold=range(N_FOLDS),
        )
        for strategy in _STRATEGIES
    ],
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 15",),
)
def active_learning(
    dataset: str, strategy: str, tested: str, repetition: int, fold: int
) -> list[tuple[int, int, int]]:
    """A learner that chooses labels by the ensemble `strategy`, or takes them as they come ("random")."""
    split = examples_for("decision_tree", dataset, repetition, fold)
    start = first_of_each_class(split.y_train, _SEEDS_OF_EACH_CLASS)
    pool = np.delete(np.arange(len(split.y_train)), start)[:_POOL_SIZE]
    model = classifier(tested, dataset, key_of("active", dataset, strategy, tested, repetition, fold))
    learner = ActiveLearner(model).fit(split.X_train[start], split.y_train[start])
    rows = [(len(start), *count_correct(learner, split))]
    for n_labels in range(len(start) + 1, len(start) + min(N_LABELS, len(pool)) + 1):
        place = 0 if strategy == "random" else int(learner.query(split.X_train[pool])[0])
        chosen, pool = pool[place : place + 1], np.delete(pool, place)
        learner.teach(split.X_train[chosen], split.y_train[chosen])
        rows.append((n_labels, *count_correct(learner, split)))
    return rows


def first_of_each_class(y: np.ndarray, n: int) -> np.ndarray:
    """Indices of the first `n` examples of each class, in their order.

    >>> first_of_each_class(np.array([0, 0, 0, 1, 2, 1]), 2)
    array([0, 1, 3, 4, 5])
    """
    return np.sort(np.concatenate([np.flatnonzero(y == c)[:n] for c in np.unique(y)]))


def labels_to_reach(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the labels with which a strategy keeps up with random choice, over all splits of a data set.

    A row for each data set and ensemble: `target`, the mean accuracy of random choice over its last ten
    numbers of labels; `random` and `active`, the first number of labels after which the mean accuracy of five
    numbers of labels in a row reaches it (NaN if none does).
    """
    found = []
    for key, each in rows.groupby(["dataset", "tested"]):
        dataset, tested = map(str, tuple(key))
        curves = each.groupby(["n_labels", "strategy"])["accuracy"].mean().unstack().dropna()
        target = float(curves["random"].iloc[-10:].mean())
        row: dict[str, Any] = {"dataset": dataset, "tested": tested, "target": target}
        for column, strategy in (("random", "random"), ("active", tested)):
            smooth = curves[strategy].rolling(5).mean().iloc[4:]
            reached = smooth.index[smooth >= target - 1e-12]
            row[column] = float(reached[0]) if len(reached) else np.nan
        found.append(row)
    return pd.DataFrame(found).set_index(["dataset", "tested"])


def decorate_stages(
    base: Any, X: np.ndarray, y: np.ndarray, n_models: int, seed: int
) -> list[tuple[DecorateClassifier, np.ndarray | None, np.ndarray | None]]:
    """Follow DECORATE on numeric columns: each ensemble, and the artificial examples its last model learned.

    Ensembles of one model, two, and so on; the artificial examples and labels are None for the first one.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((30, 2))
    >>> y = (X[:, 0] > X[:, 1]).astype(int)
    >>> stages = decorate_stages(DecisionTreeClassifier(prune=True), X, y, 3, seed=1)
    >>> [None if labels is None else len(labels) for _, _, labels in stages]
    [None, 30, 30]
    """
    found: list[tuple[DecorateClassifier, np.ndarray | None, np.ndarray | None]] = []
    for n in range(1, n_models + 1):
        model = DecorateClassifier(base, n, random_state=seed).fit(X, y)
        if n == 1:
            found.append((model, None, None))
            continue
        trial, before = model.n_trials_ - 1, found[-1][0]
        source = ExampleSource(model._schema, model._schema.encode(X), np.ones(len(y)))
        drawn = source.draw(len(y), key_of("artificial", model._key, trial)).numbers
        labels = np.empty(len(y), np.int64)
        label_against(before.predict_proba(drawn), SMALLEST, key_of("label", model._key, trial), labels)
        found.append((model, drawn, model.classes_[labels]))
    return found
