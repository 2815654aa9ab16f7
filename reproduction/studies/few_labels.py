"""DECORATE and active learning: accuracies where few examples are labelled (Mooney's slides).

Two recorded studies on the eight small data sets of the thesis, with pruned trees as base models. All
algorithms see the same splits and the same first examples of each training set, so that differences are
paired.

*Learning curves*: a classifier learns a share of the training examples, from one in a hundred to all. *Active
learning*: a learner starts with two labelled examples of each class, and then chooses one label at a time
from a pool, or takes them as they come.
"""

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from itertools import product
from typing import Any, ClassVar

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

from ..record.study import Study, grid
from .accuracy import declared, examples_for, numeric_columns
from .calibration import SMALL
from .protocol import N_FOLDS

#: The data sets, the smallest first.
SMALL_SETS = (*SMALL, "mushroom", "nursery")
#: Shares of the training set, in percent.
SHARES = (1, 2, 5, 10, 20, 50, 100)
#: Base models in an ensemble, as in the paper on DECORATE.
N_MODELS = 15
#: Classifiers of the learning curves.
LEARNERS = ("single", "bagging", "boosting", "random_forest", "decorate")
#: How the next label is chosen; each chosen by the classifier that is also tested.
STRATEGIES = ("bagging", "boosting", "decorate", "random")
#: Data sets of the study of active learning.
POOLS = ("promoters", "balance", "breast-cancer", "car-evaluation", "chess", "mushroom")
#: Labels that a learner gets, after those that it starts with.
N_LABELS = 60
_POOL_SIZE = 400
_SEEDS_OF_EACH_CLASS = 2


def _tree() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(prune=True)


def _random_forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier  # which status and other commands do without

    return RandomForestClassifier(N_MODELS, random_state=seed % 2**32)


#: Factories of the classifiers, by name, from a seed.
MAKE: dict[str, Callable[[int], Any]] = {
    "single": lambda seed: _tree(),
    "bagging": lambda seed: BaggingClassifier(_tree(), N_MODELS, random_state=seed),
    "boosting": lambda seed: AdaBoostClassifier(_tree(), N_MODELS, random_state=seed),
    "decorate": lambda seed: DecorateClassifier(_tree(), N_MODELS, random_state=seed),
    "random_forest": _random_forest,
}


def classifier(name: str, dataset: str, seed: int) -> Any:
    """Make an untrained classifier; a random forest receives symbols as indicators, numbers as they are."""
    numeric = numeric_columns("decision_tree", dataset)
    if name == "random_forest":
        if numeric.all():
            return MAKE[name](seed)
        return make_pipeline(OneHotEncoder(handle_unknown="ignore"), MAKE[name](seed))
    return declared(MAKE[name](seed), numeric)


@dataclass(frozen=True, order=True)
class FewExamples:
    """A classifier that learns the first `percent` percent of a training set, at least two examples."""

    study: ClassVar = "few-labels"
    dataset: str
    algorithm: str
    percent: int
    repetition: int
    fold: int


@dataclass(frozen=True)
class Tested:
    """Numbers of training and test examples, of correct predictions, and of base models that vote."""

    n_train: int
    n_test: int
    n_correct: int
    n_voting: int


def of_few(task: FewExamples) -> Tested:
    split = examples_for("decision_tree", task.dataset, task.repetition, task.fold)
    n = max(2, round(len(split.y_train) * task.percent / 100))
    model = classifier(task.algorithm, task.dataset, key_of(*astuple(task)))
    model.fit(split.X_train[:n], split.y_train[:n])
    right = model.predict(split.X_test) == split.y_test
    members = getattr(model, "estimators_", [model]) if task.algorithm != "random_forest" else [0] * N_MODELS
    return Tested(n, len(right), int(right.sum()), len(members))


def shares_of(
    datasets: Iterable[str],
    algorithms: Iterable[str] = LEARNERS,
    percents: Iterable[int] = SHARES,
    repetitions: int = 1,
) -> list[FewExamples]:
    """List the points of learning curves.

    >>> rows = STUDY.compute(shares_of(["balance"], ["single", "decorate"], [5]))
    >>> (rows.groupby("algorithm")["n_correct"].sum() / 625).round(2).to_dict()
    {'decorate': 0.75, 'single': 0.68}
    """
    splits = {"repetition": range(repetitions), "fold": range(N_FOLDS)}
    return grid(FewExamples, dataset=datasets, **splits, percent=percents, algorithm=algorithms)


@dataclass(frozen=True, order=True)
class Pool:
    """A learner that chooses labels by the ensemble `strategy`, or takes them as they come ("random").

    The ensemble that is tested, `tested`, is that of the strategy; for "random" it is any of the three.
    """

    study: ClassVar = "active-learning"
    dataset: str
    strategy: str
    tested: str
    repetition: int
    fold: int


@dataclass(frozen=True)
class AfterLabels:
    """Correct predictions for the test set after `n_labels` labels."""

    n_labels: int
    n_test: int
    n_correct: int


def of_pool(task: Pool) -> list[AfterLabels]:
    split = examples_for("decision_tree", task.dataset, task.repetition, task.fold)
    start = first_of_each_class(split.y_train, _SEEDS_OF_EACH_CLASS)
    pool = np.delete(np.arange(len(split.y_train)), start)[:_POOL_SIZE]
    model = classifier(task.tested, task.dataset, key_of("active", *astuple(task)))
    learner = ActiveLearner(model).fit(split.X_train[start], split.y_train[start])
    rows = []
    for n_labels in range(len(start), len(start) + min(N_LABELS, len(pool)) + 1):
        right = learner.predict(split.X_test) == split.y_test
        rows.append(AfterLabels(n_labels, len(right), int(right.sum())))
        if n_labels < len(start) + min(N_LABELS, len(pool)):
            place = 0 if task.strategy == "random" else int(learner.query(split.X_train[pool])[0])
            chosen, pool = pool[place : place + 1], np.delete(pool, place)
            learner.teach(split.X_train[chosen], split.y_train[chosen])
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


def pools(
    datasets: Iterable[str],
    strategies: Iterable[str] = STRATEGIES,
    repetitions: int = 1,
    folds: int = N_FOLDS,
) -> list[Pool]:
    """List learners that choose labels; with "random" all three ensembles are tested."""
    places = product(datasets, range(repetitions), range(folds), strategies)
    return [
        Pool(dataset, strategy, tested, repetition, fold)
        for dataset, repetition, fold, strategy in places
        for tested in (STRATEGIES[:3] if strategy == "random" else (strategy,))
    ]


def decorate_stages(
    base: Any, X: np.ndarray, y: np.ndarray, n_models: int, seed: int
) -> list[tuple[DecorateClassifier, np.ndarray | None, np.ndarray | None]]:
    """Follow DECORATE on numeric columns: each ensemble, and the artificial examples its last model learned.

    Ensembles of one model, two, and so on; the artificial examples and labels are None for the first one.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((30, 2))
    >>> stages = decorate_stages(_tree(), X, (X[:, 0] > X[:, 1]).astype(int), 3, seed=1)
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


def _seconds_of_few(task: FewExamples) -> float:
    size = dataset_info(task.dataset).n_train * task.percent / 100
    return 0.01 + size * {"decorate": 5e-3, "boosting": 3e-4}.get(task.algorithm, 1e-4)


STUDY = Study.of(
    of_few,
    "DECORATE and other ensembles of trees on shares of the training set",
    smoke=lambda: shares_of(("balance",), ("single", "decorate"), (5,)),
    thesis=lambda: shares_of(SMALL_SETS, repetitions=2),
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 11",),
    cost=_seconds_of_few,
)
ACTIVE = Study.of(
    of_pool,
    "Active learning with ensembles of trees: labels chosen by disagreement and at random",
    smoke=lambda: pools(("balance",), ("bagging", "random"), folds=1),
    thesis=lambda: pools(POOLS, repetitions=3),
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 15",),
)
