"""Online boosting of trees on noisy generated data, and variants that may do better."""

from collections.abc import Iterable
from math import nan
from typing import Any

import numpy as np
import pandas as pd

from oza import AdaBoostClassifier, DecisionTreeClassifier

from ..columns import nominal_columns
from ..printed.comparing import compare
from ..record.simulation import simulation
from ..record.study import cells, study
from ..statistics import split_accuracies
from ..studies.algorithms import BASE_MODELS
from ..studies.protocol import prepare
from ..theory.memorising import FORMS, Form, boost_online, scored

SINGLE, BATCH = "one tree", "batch"
_FORMS = (SINGLE, BATCH, *FORMS)
#: What is measured of each model of an ensemble, as `reproduction.theory.memorising.scored` explains.
_MEASURES = ("finished", "alone", "accuracy", "error", "vote", "before", "after", "largest_lambda")


@simulation(small={"n_models": 2})
def agreement_with_labels(n_models: int = 5, noise: float = 0.2, seed: int = 1) -> pd.DataFrame:
    """Say how often the last of several boosted trees agrees with right and with wrong labels.

    The class of 2,000 examples is whether at least five of eight bits are 1; a share of the labels is wrong.
    The frame has a row for "right" and one for "wrong" labels, and a column for each time of the test:
    "before" and "after" the tree is trained on an example, and "finished".
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (2000, 8))
    is_noisy = rng.random(len(X)) < noise
    y = (X.sum(axis=1) >= 5).astype(int) ^ is_noisy
    tree = DecisionTreeClassifier(prune=True, categorical_features=range(8))
    *_, last = boost_online(tree, X, y, n_models, Form(), seed)
    labels = pd.Series(np.where(is_noisy, "wrong", "right"), name="label")
    return pd.DataFrame(last.right).groupby(labels).mean()


@study(
    "memorisation",
    "Online boosting of trees on noisy data, in several variants",
    {"model": int} | dict.fromkeys(_MEASURES, float),
    smoke=lambda: cells(dataset="synthetic2", form=_FORMS, n_train=100, n_models=2),
    thesis=lambda: cells(dataset=("synthetic1", "synthetic2"), form=_FORMS, n_train=20_000, n_models=60),
    quick=lambda task: task.form == SINGLE,
)
def memorisation(dataset: str, form: str, n_train: int, n_models: int) -> list[tuple[Any, ...]]:
    """One tree, or trees boosted in a variant, trained on the first `n_train` training examples."""
    X, y, X_test, y_test = prepare(dataset)
    X, y = X[:n_train], y[:n_train]
    tree, columns = BASE_MODELS["decision_tree"](), nominal_columns(X)
    if form == BATCH:
        batch = AdaBoostClassifier(tree, n_models, categorical_features=columns).fit(X, y)
        alone = (batch.predict_each(X_test) == y_test[:, None]).mean(axis=0)
        accuracy = [(labels == y_test).mean() for labels in batch.staged_predict(X_test)]
        errors = batch.estimator_errors_
        models = np.array([errors, alone, accuracy, errors, batch.vote_weights_]).T.tolist()
        return [(m, *values, nan, nan, nan) for m, values in enumerate(models, 1)]
    tree.set_params(categorical_features=columns)
    if form == SINGLE:
        tree.fit(X, y)
        right = tree.score(X_test, y_test)
        return [(1, 1.0 - tree.score(X, y), right, right, nan, nan, nan, nan, nan)]
    trained = list(boost_online(tree, X, y, n_models, FORMS[form]))
    return [*scored(trained, X_test, y_test)[["model", *_MEASURES]].itertuples(index=False, name=None)]


def boosted_trees(
    dataset: str, n_train: int = 20_000, n_models: int = 60, forms: Iterable[str] = FORMS
) -> list[Any]:
    """List one tree, trees boosted in batch, and trees boosted in several online variants.

    They are trained on the first split and order of the protocol; what the defaults give is recorded.

    >>> from reproduction.topics.boosting_memorisation import boosted_trees, memorisation
    >>> tasks = boosted_trees("synthetic2", 200, 3, ["tested before learning"])
    >>> rows = memorisation.compute(tasks)
    >>> rows.groupby("form", sort=False)["model"].max().to_dict()
    {'one tree': 1, 'batch': 3, 'tested before learning': 3}
    """
    return [memorisation.task(dataset, form, n_train, n_models) for form in (SINGLE, BATCH, *forms)]


def moment_comparisons(results: pd.DataFrame) -> pd.DataFrame:
    """Compare online boosting that tests before it learns with the thesis's, on the same splits and orders.

    First is the one that tests before.
    """
    splits: Any = split_accuracies(results[results["order"] == 0])
    pair = ("online_boosting_tested_before", "online_boosting")
    bases = splits.index.unique("base_model")
    found = {
        name: compare(splits.xs(name, level="base_model"), *pair) for name in BASE_MODELS if name in bases
    }
    return pd.concat(found, names=["base_model"])
