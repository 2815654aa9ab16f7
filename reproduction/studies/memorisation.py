"""Online boosting of trees on noisy generated data, and variants that may do better."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import nan
from typing import Any, ClassVar

from oza.ensembles import AdaBoostClassifier

from ..columns import nominal_columns
from ..record.study import Study
from ..theory.memorising import FORMS, boost_online, scored
from .algorithms import BASE_MODELS
from .protocol import Split, prepare

SINGLE, BATCH = "one tree", "batch"


@dataclass(frozen=True, order=True)
class Memorising:
    """One tree, or trees boosted in a variant, learned from the first `n_train` training examples."""

    study: ClassVar = "memorisation"
    dataset: str
    form: str
    n_train: int
    n_models: int


@dataclass(frozen=True)
class Member:
    """A tree of the ensemble: see `reproduction.theory.memorising.scored`."""

    model: int
    finished: float
    alone: float
    accuracy: float
    error: float = nan
    vote: float = nan
    before: float = nan
    after: float = nan
    largest_lambda: float = nan


def measure(task: Memorising) -> list[Member]:
    split = prepare(task.dataset)
    split = split._replace(X_train=split.X_train[: task.n_train], y_train=split.y_train[: task.n_train])
    tree = BASE_MODELS["decision_tree"]()
    columns = nominal_columns(split.X_train)
    if task.form == BATCH:
        return _in_batch(AdaBoostClassifier(tree, task.n_models, categorical_features=columns), split)
    tree.set_params(categorical_features=columns)
    if task.form == SINGLE:
        return _one_tree(tree, split)
    ensembles = list(boost_online(tree, split.X_train, split.y_train, task.n_models, FORMS[task.form]))
    found = scored(ensembles, split.X_test, split.y_test)[[field.name for field in fields(Member)]]
    return [Member(*row) for row in found.itertuples(index=False, name=None)]


def _one_tree(tree: Any, split: Split) -> list[Member]:
    tree.fit(split.X_train, split.y_train)
    error = 1.0 - tree.score(split.X_train, split.y_train)
    accuracy = tree.score(split.X_test, split.y_test)
    return [Member(1, error, accuracy, accuracy)]


def _in_batch(batch: AdaBoostClassifier, split: Split) -> list[Member]:
    batch.fit(split.X_train, split.y_train)
    answers = batch.predict_each(split.X_test) == split.y_test[:, None]
    alone = answers.mean(axis=0).tolist()
    accuracy = [float((predicted == split.y_test).mean()) for predicted in batch.staged_predict(split.X_test)]
    errors, votes = batch.estimator_errors_.tolist(), batch.vote_weights_.tolist()
    columns = zip(errors, alone, accuracy, errors, votes, strict=True)
    return [Member(m, *values) for m, values in enumerate(columns, 1)]


def boosted_trees(
    dataset: str, n_train: int = 20_000, n_models: int = 60, forms: Iterable[str] = FORMS
) -> list[Memorising]:
    """List one tree, trees boosted in batch, and trees boosted in several online variants.

    They learn the first split and order of the protocol; what the defaults give is recorded.

    >>> from reproduction.studies import STUDIES, boosted_trees
    >>> tasks = boosted_trees("synthetic2", 200, 3, ["tested before learning"])
    >>> rows = STUDIES["memorisation"].compute(tasks)
    >>> rows.groupby("form", sort=False)["model"].max().to_dict()
    {'one tree': 1, 'batch': 3, 'tested before learning': 3}
    """
    return [Memorising(dataset, form, n_train, n_models) for form in (SINGLE, BATCH, *forms)]


STUDY = Study.of(
    measure,
    "Online boosting of trees on noisy data, in several variants",
    smoke=lambda: boosted_trees("synthetic2", 100, 2),
    thesis=lambda: boosted_trees("synthetic1") + boosted_trees("synthetic2"),
    quick=lambda task: task.form == SINGLE,
)
